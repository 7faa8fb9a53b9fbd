"""Trains a judge on synthetic pairs that are never twice the same. Made to be stopped and resumed.

    nice -n 5 python train.py --run WORK/run/encoder --net encoder --start minilm/model.safetensors --vocabulary minilm/vocab.txt --minutes 60
    nice -n 5 python train.py --run WORK/run/smollm --net causal --start SmolLM2-135M-Instruct.Q4_1.gguf --minutes 60
    nice -n 5 python train.py --run WORK/run/small --net small --start minilm/model.safetensors --vocabulary minilm/vocab.txt --minutes 60
    … --loss ce      plain cross entropy instead of the risk-weighted one

Losses (arXiv 2608.24621, G.5): every field of the answer has a weight (risk_level 2, error_type 1.5, affected_slot 1.5, is_correct 1), every
pair one by its level (EXTREME 2, CRITICAL 1.5, HIGH 1, CORRECT .7); the sum is divided by the sum of the weights. error_type is a head over the
ten types, and the probability of a level, and of "correct", is the sum over its types: an answer cannot contradict itself. `ce` has
the same fields with all weights 1. Both add the marks of the words (where the edit was made), which the benchmark does not score.

The run's folder gets state.pt (all that resuming needs; every five minutes, at the end and on SIGTERM), average.pt (the exponential average
of the weights, which is what is exported), vocabulary.json and curve.jsonl.
"""
from __future__ import annotations

import argparse
import json
import random
import signal
import time
from pathlib import Path

import torch
from torch.nn import functional as F

from nets import BytePairs, Causal, Encoded, Encoder, WordPieces, causal_from_gguf, read_gguf
from pairs import LEVEL_OF, MARKS, SLOTS, TYPES, Pair, stream

HELD_OUT_SEED = 900_001
LEVEL_WEIGHT = torch.tensor([0.7, 1.0, 1.5, 2.0])
LEVELS = torch.tensor(LEVEL_OF)
# types to levels, and to wrong or right, as sums of probabilities
TO_LEVEL = torch.stack([(LEVELS == level).float() for level in range(4)], 1)
TO_RIGHT = torch.stack([(LEVELS == 0).float(), (LEVELS > 0).float()], 1)


def marks_of(pair: Pair, e: Encoded) -> list[int]:
    both = (pair.instruction_marks, pair.readback_marks)
    return [-100 if s == 0 else MARKS.index(both[s - 1][at]) for s, at in zip(e.segments, e.sources)]


def batch_of(rows: list[tuple[Pair, Encoded]]) -> dict[str, torch.Tensor]:
    longest = max(len(e.ids) for _, e in rows)
    pad = lambda values, with_: torch.tensor([v + [with_] * (longest - len(v)) for v in values])  # noqa: E731
    return {
        "ids": pad([e.ids for _, e in rows], 0),
        "features": pad([e.features for _, e in rows], 0),
        "segments": pad([e.segments for _, e in rows], 0),
        "here": pad([[1] * len(e.ids) for _, e in rows], 0),
        "marks": pad([marks_of(p, e) for p, e in rows], -100),
        "types": torch.tensor([TYPES.index(p.error_type) for p, _ in rows]),
        "slots": torch.tensor([SLOTS.index(p.affected_slot or "-") for p, _ in rows]),
    }


def loss_of(out: tuple[torch.Tensor, torch.Tensor, torch.Tensor], b: dict[str, torch.Tensor], kind: str, mark_weight: float) -> torch.Tensor:
    types, slots, marks = out
    log = F.log_softmax(types.float(), -1)
    summed = lambda to: torch.logsumexp(log.unsqueeze(2) + torch.log(to.unsqueeze(0).clamp(min=1e-12)), 1)  # noqa: E731
    level = LEVELS[b["types"]]
    fields = [
        (1.5, F.nll_loss(log, b["types"], reduction="none")),
        (1.5, F.cross_entropy(slots.float(), b["slots"], reduction="none")),
        (2.0, F.nll_loss(summed(TO_LEVEL), level, reduction="none")),
        (1.0, F.nll_loss(summed(TO_RIGHT), (level > 0).long(), reduction="none")),
    ]
    if kind == "risk":
        of_pair = LEVEL_WEIGHT[level]
        total = sum((of_pair * w * l).sum() for w, l in fields) / (of_pair.sum() * sum(w for w, _ in fields))
    else:
        total = sum(l.mean() for _, l in fields) / len(fields)
    return total + mark_weight * F.cross_entropy(marks.float().flatten(0, 1), b["marks"].flatten(), ignore_index=-100)


@torch.no_grad()
def measure(net: torch.nn.Module, rows: list[tuple[Pair, Encoded]]) -> dict:
    """Scores as in engine/bench/scores, without intervals."""
    net.eval()
    gold, said = [], []
    rows = sorted(rows, key=lambda r: len(r[1].ids))
    for at in range(0, len(rows), 50):
        b = batch_of(rows[at : at + 50])
        said += net(b["ids"], b["features"], b["segments"], b["here"])[0].argmax(1).tolist()
        gold += b["types"].tolist()
    net.train()
    n = len(gold)
    f1 = []
    for t in range(len(TYPES)):
        hits, have, given = sum(g == t == s for g, s in zip(gold, said)), gold.count(t), said.count(t)
        f1.append(2 * hits / (have + given) if have + given else 1.0)
    lv = [(LEVEL_OF[g], LEVEL_OF[s]) for g, s in zip(gold, said)]
    return {
        "of": n,
        "is_correct": round(sum((g == 0) == (s == 0) for g, s in lv) / n, 4),
        "et_f1": round(sum(f1) / len(f1), 4),
        "rl_acc": round(sum(g == s for g, s in lv) / n, 4),
        "ddr": round(sum(s < g for g, s in lv) / n, 4),
        "f1": [round(x, 3) for x in f1],
    }


def reduced(pairs: BytePairs, tokens: list[str]) -> list[int]:
    """Tokens that training texts use, and every single byte."""
    used = {i for i, t in enumerate(tokens) if len(t) == 1}
    for _, pair in zip(range(40_000), stream(77)):
        e = pairs.encode(pair.instruction, pair.readback, pair.profile)
        used.update(e.ids)
    return sorted(used)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--run", type=Path, required=True, help="folder of this run: made, or gone on with")
    p.add_argument("--net", choices=["encoder", "small", "causal"], required=True)
    p.add_argument("--start", type=Path, required=True, help="encoder: model.safetensors of MiniLM; causal: SmolLM2 as GGUF")
    p.add_argument("--vocabulary", type=Path, help="encoder: vocab.txt")
    p.add_argument("--layers", type=int, help="take only the first so many layers; small: have so many (4)")
    p.add_argument("--width", type=int, default=256, help="small: of its vectors")
    p.add_argument("--loss", choices=["risk", "ce"], default="risk")
    p.add_argument("--marks", type=float, default=1.0, help="weight of the marks in the loss")
    p.add_argument("--minutes", type=float, default=60)
    p.add_argument("--anneal", type=float, default=15, help="minutes at the end in which the rate of learning falls to nothing")
    p.add_argument("--pairs", type=int, help="stop after so many pairs in all; the rate of learning then follows the pairs alone, so that two runs can be compared")
    p.add_argument("--anneal-pairs", type=int, default=40_000, help="with --pairs: so many at the end in which the rate of learning falls to nothing")
    p.add_argument("--bf16", action="store_true", help="multiply in bfloat16 (weights stay float32): about 1.7 times as fast where the processor has it")
    p.add_argument("--rate", type=float)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--average", type=float, default=0.995)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--measure-every", type=float, default=10, help="minutes")
    p.add_argument("--measure-on", type=int, default=500, help="held-out pairs")
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    a.run.mkdir(parents=True, exist_ok=True)
    state_path, kept_path = a.run / "state.pt", a.run / "vocabulary.json"

    if a.net != "causal":
        if a.vocabulary is None:
            p.error("--vocabulary is needed for an encoder")
        words: WordPieces | BytePairs = WordPieces(a.vocabulary.read_text("utf8").splitlines())
        net: Encoder | Causal = Encoder.pretrained(a.start, a.layers or 6) if a.net == "encoder" else Encoder.small(a.start, a.width, a.layers or 4)
        kept_path.write_text(json.dumps(words.vocabulary))
        rate = a.rate or (1.5e-4 if a.net == "encoder" else 6e-4)
    else:
        _, tokens, merges = read_gguf(a.start)
        kept = json.loads(kept_path.read_text())["kept"] if kept_path.exists() else reduced(BytePairs(tokens, merges), tokens)
        kept_path.write_text(json.dumps({"kept": kept}))
        words = BytePairs(tokens, merges, kept)
        net = causal_from_gguf(a.start, kept, a.layers or 30)
        rate = a.rate or 5e-5
    net.words.weight.requires_grad_(False)  # known words stay what they were: most names of the world are not in the training texts
    faster = 1.0 if a.net == "small" else 5.0  # what is new beside what was trained before
    new = [q for n, q in net.named_parameters() if n.startswith(("heads.", "features."))]
    old = [q for n, q in net.named_parameters() if q.requires_grad and not n.startswith(("heads.", "features."))]
    optimiser = torch.optim.AdamW([{"params": old, "lr": rate, "times": 1.0}, {"params": new, "lr": rate * faster, "times": faster}], weight_decay=0.01, betas=(0.9, 0.98))
    average = {n: q.detach().clone() for n, q in net.named_parameters()}
    done = {"step": 0, "seen": 0, "sittings": 0, "seconds": 0.0}
    if state_path.exists():
        state = torch.load(state_path, weights_only=True)
        done = state["done"]
        net.load_state_dict(state["net"])
        optimiser.load_state_dict(state["optimiser"])
        average = state["average"]
    done["sittings"] += 1
    curve = (a.run / "curve.jsonl").open("a")

    def tell(**line) -> None:
        curve.write(json.dumps(line) + "\n")
        curve.flush()
        print(json.dumps(line), flush=True)

    def save() -> None:
        for path, content in ((state_path, {"done": done, "net": net.state_dict(), "optimiser": optimiser.state_dict(), "average": average}), (a.run / "average.pt", {"net": a.net, "layers": len(net.layers), "width": a.width, "weights": {**net.state_dict(), **average}})):
            torch.save(content, path.with_suffix(".new"))
            path.with_suffix(".new").replace(path)

    stop = {"now": False}
    for s in (signal.SIGTERM, signal.SIGINT):
        signal.signal(s, lambda *_: stop.update(now=True))
    held_out = [(pair, words.encode(pair.instruction, pair.readback, pair.profile)) for _, pair in zip(range(a.measure_on), stream(HELD_OUT_SEED, True))]

    def measured() -> dict:
        now = {n: q.detach().clone() for n, q in net.named_parameters()}
        net.load_state_dict(average, strict=False)
        figures = measure(net, held_out)
        net.load_state_dict(now, strict=False)
        return figures

    source, buffer = stream(a.seed, start=done["seen"]), []
    shuffler = random.Random(f"{a.seed} {done['seen']}")
    began = last_save = last_measure = time.monotonic()
    before = done["seconds"]
    tell(net=a.net, loss=a.loss, layers=len(net.layers), rate=rate, batch=a.batch, seed=a.seed, threads=a.threads, pairs=a.pairs, anneal_pairs=None if a.pairs is None else a.anneal_pairs, bf16=a.bf16, parameters=sum(q.numel() for q in net.parameters()), trained=sum(q.numel() for q in old + new), **done)
    recent, recent_at, recent_seen = [], began, done["seen"]
    net.train()
    while not stop["now"]:
        spent = (time.monotonic() - began) / 60
        if spent >= a.minutes or (a.pairs is not None and done["seen"] >= a.pairs):
            break
        left = (a.minutes - spent) / a.anneal if a.pairs is None else (a.pairs - done["seen"]) / a.anneal_pairs
        for group in optimiser.param_groups:
            group["lr"] = rate * group["times"] * min(1.0, (done["step"] + 1) / 150, max(0.02, left))
        if not buffer:  # pairs of about the same length together: no padding to speak of
            rows = [(pair, words.encode(pair.instruction, pair.readback, pair.profile)) for _, pair in zip(range(a.batch * 16), source)]
            rows.sort(key=lambda r: len(r[1].ids) + shuffler.random() * 4)
            buffer = [rows[i : i + a.batch] for i in range(0, len(rows), a.batch)]
            shuffler.shuffle(buffer)
        b = batch_of(buffer.pop())
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=a.bf16):
            out = net(b["ids"], b["features"], b["segments"], b["here"])
        loss = loss_of(out, b, a.loss, a.marks)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(old + new, 1.0)
        optimiser.step()
        done["step"] += 1
        done["seen"] += len(b["types"])
        done["seconds"] = before + time.monotonic() - began
        with torch.no_grad():
            weight = min(a.average, (1 + done["step"]) / (20 + done["step"]))
            for n, q in net.named_parameters():
                if q.requires_grad:
                    average[n].lerp_(q, 1 - weight)
        recent.append(loss.item())
        if len(recent) == 25:
            now = time.monotonic()
            tell(step=done["step"], seen=done["seen"], minutes=round(done["seconds"] / 60, 2), loss=round(sum(recent) / 25, 4), pairs_a_second=round((done["seen"] - recent_seen) / (now - recent_at), 2))
            recent, recent_at, recent_seen = [], now, done["seen"]
        if time.monotonic() - last_save > 300:
            save()
            last_save = time.monotonic()
        if time.monotonic() - last_measure > a.measure_every * 60:
            tell(step=done["step"], seen=done["seen"], minutes=round(done["seconds"] / 60, 2), held_out=measured())
            last_measure = recent_at = time.monotonic()
            recent, recent_seen = [], done["seen"]
    save()
    tell(step=done["step"], seen=done["seen"], minutes=round(done["seconds"] / 60, 2), held_out=measured(), end=True)


if __name__ == "__main__":
    main()
