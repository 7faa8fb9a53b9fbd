"""Word error rate of a checkpoint on prepared pieces, as they are (no channel is put on them), with a 95 % interval over pieces.

    python error_rate.py --checkpoint average.safetensors --tokens tokens.json --tokenizer tokenizer.json --speech FOLDER… [--channel HARD]
"""
from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "export"))
import radio
from corpus import load, read, read_manifests
from model import from_weights
from weights import from_safetensors
from words import Words


def error_rate(pairs: list[tuple[str, str]]) -> tuple[float, float, float]:
    """Word error rate of (said, recognised), and its 95 % interval by a bootstrap over pieces."""
    import jiwer

    counts = [jiwer.process_words(text, said) for text, said in pairs]
    wrong = np.array([c.substitutions + c.deletions + c.insertions for c in counts])
    words = np.array([len(text.split()) for text, _ in pairs])
    r = np.random.default_rng(1)
    drawn = [(lambda pick: wrong[pick].sum() / words[pick].sum())(r.integers(0, len(wrong), len(wrong))) for _ in range(1000)]
    return wrong.sum() / words.sum(), np.quantile(drawn, 0.025), np.quantile(drawn, 0.975)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--checkpoint", type=Path, required=True)
    p.add_argument("--tokens", type=Path)
    p.add_argument("--tokenizer", type=Path, required=True)
    p.add_argument("--speech", type=Path, nargs="+", required=True)
    p.add_argument("--channel", type=float, help="put the training channel on them, 0 easy … 1 hard; seeds are fixed")
    p.add_argument("--limit", type=int, default=1000)
    p.add_argument("--label", default="")
    p.add_argument("--show", type=int, default=0)
    a = p.parse_args()
    weights = from_safetensors(a.checkpoint)
    words = Words(a.tokenizer, json.loads(a.tokens.read_text()) if a.tokens else list(range(weights.vocabulary)))
    net = from_weights(weights).eval()
    items = [i for i in read_manifests(a.speech) if i.text][: a.limit]
    if not items:
        print(f"{a.label} no labelled pieces in {', '.join(map(str, a.speech))}: nothing measured")
        return
    pairs = []
    for n, item in enumerate(items):
        sound = load(item.path)
        if a.channel is not None:
            sound = radio.transmit(sound, np.random.default_rng([9, n]), None, a.channel)
        said = read(net, words, sound)
        if n < a.show:
            print(f"  {item.text}\n> {said}")
        pairs.append((item.text, said))
    rate, low, high = error_rate(pairs)
    print(f"{a.label} word error rate {rate:.3f} (95 %: {low:.3f} to {high:.3f}) on {len(items)} pieces, {sum(len(text.split()) for text, _ in pairs)} words".strip())


if __name__ == "__main__":
    main()
