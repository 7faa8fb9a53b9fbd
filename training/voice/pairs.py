"""Pairs of speech stretches, same speaker after a pause or two speakers, for fitting engine/audio/voice.ts.

    python pairs.py --speech FOLDER --out FOLDER [--count 600] [--seed 5]

`--speech` holds 16 kHz clips and manifest*.jsonl lines with "file" (relative) and "role", as training/speech writes them. Half of the
pairs are one clip cut at its quietest point, with .18-.7 s of the same carrier in between; half are two clips with the squelch closing
between them. A third of all pairs is left as such a receiver gives it; a third then goes through a web feed: coloured noise over everything and a
gain control that brings the pauses up; a third has no radio at all but one floor under both speakers (an open squelch, a line, or digital
silence), so that only the voices differ. Writes N.wav (float) and pairs.json: sample ranges of both stretches, with as much around
them as the segmenter takes along (.25 s before, .2 s after, at most to the middle of the gap).
"""
from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path

import numpy as np
import soundfile

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "fixtures"))
from channel import RECEIVER, Radio, closed_squelch, coloured, transmit  # noqa: E402

RATE = 16_000
PRE_ROLL, HANG_OVER = RATE // 4, RATE // 5


def radio(r: random.Random, ground: bool) -> Radio:
    snr = r.uniform(12, 30) if ground else r.choice([r.uniform(4, 12), r.uniform(10, 25)])
    return Radio(level=r.uniform(-26, -14), snr=snr, drive=r.uniform(1, 4), low=r.uniform(250, 400), high=r.uniform(2700, 3500),
                 tilt=r.uniform(-3, 3), cabin=None if ground else r.uniform(8, 25), fading=r.uniform(0, 1.5))


def gain_control(x: np.ndarray, r: random.Random) -> np.ndarray:
    hop = RATE // 100
    frames = len(x) // hop
    level = np.sqrt((x[: frames * hop].reshape(frames, hop) ** 2).mean(1) + 1e-10)
    gain, current, release = np.empty(frames), level[0], r.uniform(.01, .05)
    for i, value in enumerate(level):
        current = value if value > current else value + (current - value) * release
        gain[i] = 1 / max(current, .02 * level.max())
    return x * np.interp(np.arange(len(x)), np.arange(frames) * hop, gain) ** r.uniform(.4, 1)


def quietest(x: np.ndarray) -> int:
    hop = RATE // 100
    frames = len(x) // hop
    energy = np.convolve((x[: frames * hop].reshape(frames, hop) ** 2).mean(1), np.ones(5) / 5, "same")
    low, high = int(frames * .3), int(frames * .7)
    return (low + int(np.argmin(energy[low:high]))) * hop


def over_floor(x: np.ndarray, r: random.Random) -> tuple[np.ndarray, int]:
    """A voice without a radio: its level and a little silence around it. The floor is laid under everything afterwards."""
    lead, tail = int(r.uniform(.05, .3) * RATE), int(r.uniform(.02, .3) * RATE)
    level = 10 ** (r.uniform(-26, -16) / 20) / np.sqrt((x**2).mean())
    return np.concatenate([np.zeros(lead, np.float32), x * level, np.zeros(tail, np.float32)]), lead


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--speech", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()
    r, rng = random.Random(args.seed), np.random.default_rng(args.seed)
    clips = [json.loads(line) for manifest in sorted(args.speech.rglob("manifest*.jsonl")) for line in manifest.open()]
    folder = {manifest.parent for manifest in args.speech.rglob("manifest*.jsonl")}
    if len(folder) != 1:
        raise SystemExit(f"{args.speech} must hold one folder with a manifest, it holds {len(folder)}.")
    root = folder.pop()
    load = lambda clip: soundfile.read(root / clip["file"], dtype="float32")[0]  # noqa: E731
    args.out.mkdir(parents=True, exist_ok=True)
    rows = []
    while len(rows) < args.count:
        same, kind, gap = r.random() < .5, r.choice(["receiver", "feed", "floor"]), r.uniform(.18, .7)
        if same:
            clip = r.choice(clips)
            x = load(clip)
            cut = quietest(x)
            if min(cut, len(x) - cut) < 7000:
                continue
            pause = int(gap * RATE)
            dry = np.concatenate([x[:cut], np.zeros(pause, np.float32), x[cut:]])
            y, before = (over_floor(dry, r) if kind == "floor" else
                         transmit(dry, radio(r, clip["role"] == "controller"), rng, r.uniform(.05, .3), r.uniform(.05, .3), r.uniform(0, .12)))
            first_end, second_start, end = before + cut, before + cut + pause, before + len(dry)
        else:
            one, two = r.sample(clips, 2)
            x1, x2 = load(one), load(two)
            if kind == "floor":
                (y1, before), (y2, lead) = over_floor(x1, r), over_floor(x2, r)
                quiet = np.zeros(max(64, int((gap - .15) * RATE)), np.float32)
            else:
                y1, before = transmit(x1, radio(r, one["role"] == "controller"), rng, r.uniform(.05, .3), r.uniform(.02, .15), r.uniform(0, .12))
                y2, lead = transmit(x2, radio(r, two["role"] == "controller"), rng, r.uniform(.02, .15), r.uniform(.05, .3), r.uniform(0, .12))
                quiet = closed_squelch(max(64, int((gap - .15) * RATE)), rng, r.uniform(-70, -45))
            y = np.concatenate([y1, quiet, y2])
            first_end, second_start = before + len(x1), len(y1) + len(quiet) + lead
            end = second_start + len(x2)
        if kind == "floor" and r.random() < .8:
            power = np.sqrt((y**2).mean())
            y = y + coloured(len(y), rng, RECEIVER) * power * 10 ** (-r.uniform(3, 45) / 20)
        if kind == "feed":
            power = np.sqrt((y**2).mean())
            y = gain_control(y + coloured(len(y), rng, RECEIVER) * power * 10 ** (-r.uniform(2, 18) / 20), r)
            y = y / np.abs(y).max() * .8
        middle = (first_end + second_start) // 2
        name = f"{len(rows)}.wav"
        soundfile.write(args.out / name, y.astype(np.float32), RATE, subtype="FLOAT")
        rows.append({"file": name, "same": same, "kind": kind, "a": [max(0, before - PRE_ROLL), min(first_end + HANG_OVER, middle)],
                     "b": [max(second_start - PRE_ROLL, middle), min(len(y), end + HANG_OVER)]})
    (args.out / "pairs.json").write_text(json.dumps(rows))
    print(len(rows), "pairs,", sum(row["same"] for row in rows), "of one speaker")


if __name__ == "__main__":
    main()
