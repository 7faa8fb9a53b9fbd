"""Fine-tunes Whisper on spoken radio text through a radio channel that is never twice the same. Made to be stopped and resumed.

    nice -n 10 python train.py --run WORK/run/base --start base.safetensors --tokens base.tokens.json --stock stock-base.safetensors \
        --tokenizer tokenizer.json --speech WORK/speech/1 WORK/speech/2 --foreign WORK/foreign --minutes 100

The run's folder gets state.pt (everything that resuming needs; written every ten minutes and at the end), average.safetensors (the
exponential average of the weights, which is what is exported), tokens.json, and curve.jsonl: a line every 25 steps with loss and speed,
and now and then the word error rate on items that were kept back. `--minutes` is the length of this sitting; the rate of learning falls
to nothing over the last `--anneal` minutes of it, and is back at its height in the next.
"""
from __future__ import annotations

import argparse
import json
import math
import random
import signal
import sys
import threading
import time
from pathlib import Path
from queue import Queue

import numpy as np
import torch
from torch.nn import functional as F

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "speech"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "export"))
import radio
from chatter import chatter
from corpus import Corpus, kept_back, load, read, read_manifests
from model import from_weights
from names import names
from routine import routine
from talk import transmission
from weights import Weights, from_safetensors, to_safetensors
from words import Words, useful_tokens

SHARES = {"real": 1.0, "kokoro": 0.5, "piper": 0.15, "hibari": 0.12, "espeak": 0.13, "flite": 0.1}
IGNORED = -100


def extended(start: Weights, ids: list[int], wanted: set[int], stock: Weights) -> tuple[Weights, list[int]]:
    """The model with more rows: those of the stock model for tokens that it did not keep."""
    more = sorted(wanted - set(ids))
    name = "model.decoder.embed_tokens.weight"
    return Weights({**start.arrays, name: np.concatenate([start[name], stock[name][more]])}), ids + more


def labels(words: Words, texts: list[str]) -> tuple[torch.Tensor, torch.Tensor]:
    """Input rows and wanted rows [B, N]; the prompt and what is behind the end are not asked for."""
    rows = [words.prompt + words.rows(t) + [words.end] for t in texts]
    most = max(map(len, rows)) - 1
    given, wanted = torch.full((len(rows), most), words.end), torch.full((len(rows), most), IGNORED)
    for i, row in enumerate(rows):
        given[i, : len(row) - 1] = torch.tensor(row[:-1])
        wanted[i, len(words.prompt) - 1 : len(row) - 1] = torch.tensor(row[len(words.prompt) :])
    return given, wanted


def unlike(heard: torch.Tensor, target: torch.Tensor, taught: torch.Tensor) -> torch.Tensor:
    """How far two encoders' outputs [B, S, D] are apart, as a share of the target's variance over the clips [B] that are `taught`; 0 is the
    same, 1 what the mean would give."""
    heard, target = heard[taught], target[taught]
    return ((heard - target) ** 2).mean() / target.flatten(0, 1).var(0).mean()


def measure(net, words: Words, items, per_level: int, real: bool) -> dict:
    """Word error rates on kept-back items through the channel with fixed seeds (real ones as they are), and the share of noise clips that
    give text."""
    import jiwer

    net.eval()
    out = {}
    items = [i for i in items if i.text][:per_level]
    with torch.no_grad():
        for name, hard in (("easy", 0.0), ("hard", 1.0)) if items else ():
            reference, said = [], []
            for i, item in enumerate(items):
                rng = np.random.default_rng([7, i])
                sound = load(item.path) if real and item.engine == "real" else radio.transmit(load(item.path), rng, None, hard)
                reference.append(item.text)
                said.append(read(net, words, sound) or "-")
            out[f"wer_{name}"] = round(jiwer.wer(reference, said), 4)
        texts = 0
        for i in range(20):
            rng = np.random.default_rng([8, i])
            texts += bool(read(net, words, radio.no_speech(32_000, rng, None)))
        out["text_from_noise"] = texts / 20
    net.train()
    return out


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--run", type=Path, required=True, help="folder of this run: made, or gone on with")
    p.add_argument("--start", type=Path, help="checkpoint (safetensors) to start from; not needed to go on")
    p.add_argument("--tokens", type=Path, help="its kept tokens; absent: the whole vocabulary of a stock model")
    p.add_argument("--stock", type=Path, help="stock checkpoint, for rows of tokens that --start lacks")
    p.add_argument("--tokenizer", type=Path, required=True)
    p.add_argument("--speech", type=Path, nargs="+", required=True, help="folders with manifest-*.jsonl")
    p.add_argument("--foreign", type=Path, nargs="*", default=[], help="folders of FLAC in other languages: no text is wanted of them")
    p.add_argument("--minutes", type=float, default=60)
    p.add_argument("--anneal", type=float, default=15, help="minutes at the end in which the rate of learning falls to nothing")
    p.add_argument("--rate", type=float, default=6e-5)
    p.add_argument("--encoder-rate", type=float, default=1.0, help="share of --rate with which the encoder learns: little keeps what it knows of real voices, 0 leaves it as it is (and is twice as fast)")
    p.add_argument("--mask", type=float, default=0.0, help="share of the batches in which bands and moments of the spectrogram are hidden (SpecAugment)")
    p.add_argument("--joined", type=float, default=0.0, help="share of the draws in which two short items are spoken as one: word sequences that no item has")
    p.add_argument("--teacher", type=Path, help="checkpoint whose encoder hears every item without the channel; ours learns to hear the same through it")
    p.add_argument("--teach", type=float, default=1.0, help="weight of that beside the loss of the words")
    p.add_argument("--bf16", action="store_true", help="multiply in bfloat16: several times as fast where the processor has matrix units for it (amx_bf16)")
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--hard", type=float, default=1.0, help="0 easy channel … 1 the hardest")
    p.add_argument("--real", action="store_true", help="items without an engine are real recordings: hardly changed")
    p.add_argument("--average", type=float, default=0.995, help="of the exponential average, a step")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--measure-every", type=float, default=25, help="minutes")
    p.add_argument("--measure-on", type=int, default=60, help="kept-back items a level")
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    random.seed(a.seed)  # what is hidden of the spectrograms
    a.run.mkdir(parents=True, exist_ok=True)
    state_path, tokens_path = a.run / "state.pt", a.run / "tokens.json"

    done = {"step": 0, "seen": 0, "sittings": 0, "seconds": 0.0}
    if state_path.exists():
        state = torch.load(state_path, weights_only=True)
        done = state["done"]
        words = Words(a.tokenizer, json.loads(tokens_path.read_text()))
        net = from_weights(from_safetensors(a.run / "average.safetensors"))
        net.load_state_dict(state["net"], strict=False)
    else:
        if a.start is None:
            p.error("--start is needed for a new run")
        weights = from_safetensors(a.start)
        ids = json.loads(a.tokens.read_text()) if a.tokens else list(range(weights.vocabulary))
        if a.stock:
            texts = [make(seed, i)["text"] for make, seed in ((transmission, 1), (transmission, 2), (chatter, 3), (routine, 4), (names, 5)) for i in range(15_000)]
            texts += [i.text for i in read_manifests(a.speech)]
            weights, ids = extended(weights, ids, useful_tokens(a.tokenizer, texts, 2500), from_safetensors(a.stock))
        tokens_path.write_text(json.dumps(ids))
        words, net = Words(a.tokenizer, ids), from_weights(weights)
    if a.encoder_rate == 0:
        net.model.encoder.requires_grad_(False)
    net.hidden = a.mask
    teacher = from_weights(from_safetensors(a.teacher)).eval().requires_grad_(False) if a.teacher else None
    trained = [q for q in net.parameters() if q.requires_grad]
    encoder = [q for n, q in net.named_parameters() if q.requires_grad and "encoder." in n]
    decoder = [q for n, q in net.named_parameters() if q.requires_grad and "encoder." not in n]
    optimiser = torch.optim.AdamW([{"params": decoder}, {"params": encoder}], lr=a.rate, weight_decay=0.01, betas=(0.9, 0.98), fused=True)
    average = {n: v.detach().clone() for n, v in net.state_dict().items()}
    if state_path.exists():
        optimiser.load_state_dict(state["optimiser"])
        average = state["average"]
    print(f"{len(words.ids)} tokens, {sum(q.numel() for q in trained) / 1e6:.1f} M parameters, at step {done['step']}", flush=True)

    def averaged() -> Weights:
        return Weights({n: v.numpy() for n, v in average.items()})

    def save() -> None:
        to_safetensors(averaged(), a.run / "average.new")
        (a.run / "average.new").replace(a.run / "average.safetensors")
        torch.save({"net": net.state_dict(), "average": average, "optimiser": optimiser.state_dict(), "done": done}, a.run / "state.new")
        (a.run / "state.new").replace(state_path)

    def log(**entry) -> None:
        with (a.run / "curve.jsonl").open("a") as file:
            file.write(json.dumps(entry) + "\n")
        print(entry, flush=True)

    corpus = Corpus(a.speech, a.foreign, a.seed * 1000 + done["sittings"], a.batch, SHARES, hard=a.hard, real=a.real, joined=a.joined, taught=teacher is not None)
    kept = [i for i in read_manifests(a.speech) if kept_back(i)]
    kept.sort(key=lambda i: (i.engine != "kokoro", i.path))
    # the channel is made ready in a thread while the network computes: most of both is outside the interpreter's lock
    queue: Queue = Queue(maxsize=4)

    def feed() -> None:
        try:
            for batch in corpus:
                queue.put(batch)
        except BaseException as error:  # noqa: BLE001 - told to the loop, which ends
            queue.put(error)

    threading.Thread(target=feed, daemon=True).start()

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    # in the background of a shell the first of them would be ignored
    for kind in (signal.SIGINT, signal.SIGTERM):
        signal.signal(kind, stop)
    started, saved, measured, losses, distances, first = time.time(), time.time(), time.time(), [], [], done["seen"]
    before = done["seconds"]
    try:
        while (passed := (time.time() - started) / 60) < a.minutes:
            batch = queue.get()
            if isinstance(batch, BaseException):
                raise batch
            pcm, texts, *clean = batch
            step = done["step"] = done["step"] + 1
            warm = min(1.0, (done["seen"] - first + 1) / (40 * a.batch))
            cool = min(1.0, (a.minutes - passed) / max(a.anneal, 1e-6))
            for group, share in zip(optimiser.param_groups, (1.0, a.encoder_rate), strict=True):
                group["lr"] = a.rate * share * warm * max(0.02, cool)
            given, wanted = labels(words, texts)
            with torch.autocast("cpu", torch.bfloat16, enabled=a.bf16):
                heard = net.hear(torch.from_numpy(pcm))
                logits = net.model.decoder(given, heard)[0]
                target = teacher.hear(torch.from_numpy(clean[0])) if teacher and clean[0].any() else None
            loss = F.cross_entropy(logits.float().flatten(0, 1), wanted.flatten(), ignore_index=IGNORED, label_smoothing=0.03)
            losses.append(loss.item())
            if target is not None:
                apart = unlike(heard.float(), target.float(), torch.from_numpy(clean[0]).any(1))
                distances.append(apart.item())
                loss = loss + a.teach * apart
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(trained, 1.0)
            if math.isfinite(float(norm)):
                optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            keep = min(a.average, step / (step + 10))
            for name, value in net.state_dict().items():
                average[name].lerp_(value, 1 - keep)
            done["seen"] += len(texts)
            done["seconds"] = before + time.time() - started
            if step % 25 == 0:
                log(step=step, seen=done["seen"], loss=round(float(np.mean(losses)), 4), **({"unlike": round(float(np.mean(distances)), 4)} if distances else {}), rate=round(optimiser.param_groups[0]["lr"], 7), items=len(corpus.items), a_second=round((done["seen"] - first) / (time.time() - started), 2), minutes=round(done["seconds"] / 60, 1))
                losses.clear()
                distances.clear()
            if time.time() - saved > 600:
                save()
                saved = time.time()
            if time.time() - measured > a.measure_every * 60:
                log(step=step, seen=done["seen"], average=True, **measure(from_weights(averaged()), words, kept, a.measure_on, a.real))
                measured = time.time()
    except KeyboardInterrupt:
        print("stopped; saving", flush=True)
    done["sittings"] += 1
    save()
    log(step=done["step"], seen=done["seen"], average=True, end_of_sitting=done["sittings"], **measure(from_weights(averaged()), words, kept, a.measure_on, a.real))


if __name__ == "__main__":
    main()
