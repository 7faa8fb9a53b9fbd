"""Trained nets beside each other on the same held-out pairs, with intervals, and the difference of the first two.

    python compare.py --runs WORK/run/risk WORK/run/ce --count 500

Scores as in engine/bench/scores (isCorr, ET F1, RL Acc, DDR, WDS) of the likeliest type, by the averaged float weights. Intervals are at 95 %, from 2,000
resamples of pairs, the same for all runs.
"""
from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from nets import BytePairs, Causal, Encoder, WordPieces, read_gguf
from pairs import LEVEL_OF, TYPES, stream
from train import HELD_OUT_SEED, batch_of

LEVELS = np.array(LEVEL_OF)


def load(run: Path, gguf: Path | None) -> tuple[torch.nn.Module, WordPieces | BytePairs, dict]:
    saved = torch.load(run / "average.pt", weights_only=True)
    kept = json.loads((run / "vocabulary.json").read_text())
    if saved["net"] == "causal":
        assert gguf is not None, "--gguf is needed for a causal net: its words are those of the file"
        _, tokens, merges = read_gguf(gguf)
        net: torch.nn.Module = Causal(len(kept["kept"]), layers=saved["layers"])
        words: WordPieces | BytePairs = BytePairs(tokens, merges, kept["kept"])
    else:
        width = 384 if saved["net"] == "encoder" else saved["width"]
        net = Encoder(len(kept), width, saved["layers"], width // 32, 1536 if width == 384 else 3 * width)
        words = WordPieces(kept)
    net.load_state_dict(saved["weights"])
    net.eval()
    return net, words, saved


@torch.no_grad()
def answers(run: Path, gguf: Path | None, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Types answered and types that are, by pair."""
    net, words, _ = load(run, gguf)
    rows = [(pair, words.encode(pair.instruction, pair.readback, pair.profile)) for _, pair in zip(range(count), stream(HELD_OUT_SEED, True))]
    order = sorted(range(count), key=lambda i: len(rows[i][1].ids))
    said, gold = np.zeros(count, int), np.zeros(count, int)
    for at in range(0, count, 50):
        some = order[at : at + 50]
        b = batch_of([rows[i] for i in some])
        said[some] = net(b["ids"], b["features"], b["segments"], b["here"])[0].argmax(1).numpy()
        gold[some] = b["types"].numpy()
    return said, gold


def scores(said: np.ndarray, gold: np.ndarray) -> dict[str, float]:
    f1 = [2 * np.sum((gold == t) & (said == t)) / max(1, np.sum(gold == t) + np.sum(said == t)) for t in range(len(TYPES)) if np.any(gold == t) or np.any(said == t)]
    is_, called = LEVELS[gold], LEVELS[said]
    return {
        "is_correct": float(np.mean((is_ == 0) == (called == 0))),
        "et_f1": float(np.mean(f1)),
        "rl_acc": float(np.mean(is_ == called)),
        "ddr": float(np.mean(called < is_)),
        "wds": float(np.mean(np.maximum(0, is_ - called) / 3)),
    }


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--runs", type=Path, nargs="+", required=True)
    p.add_argument("--gguf", type=Path, help="for a causal net")
    p.add_argument("--count", type=int, default=500)
    p.add_argument("--threads", type=int, default=1)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    all_said = []
    for run in a.runs:
        said, gold = answers(run, a.gguf, a.count)
        all_said.append(said)
    draws = np.random.default_rng(1).integers(0, a.count, (2000, a.count))
    drawn = [[scores(said[d], gold[d]) for d in draws] for said in all_said]
    between = lambda values: [round(float(v), 4) for v in np.quantile(values, [0.025, 0.975])]  # noqa: E731
    for run, said, each in zip(a.runs, all_said, drawn):
        print(json.dumps({"run": run.name, "of": a.count, **{k: [round(v, 4), *between([s[k] for s in each])] for k, v in scores(said, gold).items()}}))
    if len(a.runs) > 1:
        one, other = (scores(all_said[i], gold) for i in (0, 1))
        print(json.dumps({"difference": f"{a.runs[0].name} less {a.runs[1].name}", **{k: [round(one[k] - other[k], 4), *between([s[k] - t[k] for s, t in zip(drawn[0], drawn[1])])] for k in one}}))


if __name__ == "__main__":
    main()
