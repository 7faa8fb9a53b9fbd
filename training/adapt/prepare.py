"""Your labelled recordings → a corpus for `train.py`: pieces of 16 kHz FLAC with a manifest, and a part kept back to measure on.

    python prepare.py --layout folder|atco2|atcosim|uwb|kaldi|jsonl --in RECORDINGS --out WORK/mine [--held-out 0.1]

A tenth of the recordings (whole files, so that no speaker's half is trained on) goes to OUT/held-out. What could not be read is listed in
OUT/left-out.tsv and counted; the rest is done. Exit code 0, or 1 when nothing could be used.
"""
from __future__ import annotations

import argparse
import collections
import json
import sys
import zlib
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import resample_poly

from layouts import LAYOUTS, Broken, jsonl, spoken

RATE = 16_000
LONGEST, SHORTEST = 14.0, 0.3
AROUND = 0.15  # seconds kept on both sides of a piece


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--layout", choices=LAYOUTS, required=True)
    p.add_argument("--in", dest="source", type=Path, required=True)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--held-out", type=float, default=0.1, help="share of the recordings")
    p.add_argument("--fields", default="", help="for jsonl: audio=path,text=sentence")
    a = p.parse_args()
    if not a.source.exists():
        p.error(f"{a.source} does not exist")
    fields = dict(f.split("=", 1) for f in a.fields.split(",") if "=" in f)
    found = jsonl(a.source, fields) if a.layout == "jsonl" else LAYOUTS[a.layout](a.source)
    counts, seconds = collections.Counter(), collections.Counter()
    left: list[tuple[str, str]] = []
    opened: tuple[Path, np.ndarray, int] | None = None
    manifests = {}
    for part in ("train", "held-out"):
        (a.out / part).mkdir(parents=True, exist_ok=True)
        manifests[part] = (a.out / part / "manifest.jsonl").open("w")
    for number, piece in enumerate(found):
        if isinstance(piece, Broken):
            left.append((piece.where, piece.why))
            continue
        where = f"{piece.audio}{'' if piece.start is None else f' at {piece.start:.2f} s'}"
        text = "" if piece.foreign else spoken(piece.text)
        if text is None:
            left.append((where, "a part of it was not understood by whoever wrote it down"))
            continue
        try:
            if opened is None or opened[0] != piece.audio:
                samples, rate = soundfile.read(piece.audio, dtype="float32", always_2d=True)
                opened = (piece.audio, samples.mean(1), rate)
        except (OSError, RuntimeError) as error:
            left.append((where, str(error)))
            continue
        _, samples, rate = opened
        first = 0 if piece.start is None else max(0, round((piece.start - AROUND) * rate))
        last = len(samples) if piece.end is None else min(len(samples), round((piece.end + AROUND) * rate))
        length = (last - first) / rate
        if not SHORTEST <= length <= LONGEST:
            left.append((where, f"{length:.1f} s long; {SHORTEST} to {LONGEST} s can be used"))
            continue
        if text and not 0.3 <= len(text.split()) / length <= 9:
            left.append((where, f"{len(text.split())} words in {length:.1f} s: words and sound do not belong together"))
            continue
        out = resample_poly(samples[first:last], RATE // np.gcd(RATE, rate), rate // np.gcd(RATE, rate)) if rate != RATE else samples[first:last]
        part = "held-out" if zlib.crc32(str(piece.audio.relative_to(a.source) if piece.audio.is_relative_to(a.source) else piece.audio).encode()) % 1000 < 1000 * a.held_out else "train"
        name = f"{number:06d}.flac"
        soundfile.write(a.out / part / name, np.clip(out, -1, 1), RATE, subtype="PCM_16", format="FLAC")
        manifests[part].write(json.dumps({"file": name, "text": text, "seconds": round(length, 2), "source": where}) + "\n")
        counts[part] += 1
        seconds[part] += length
    (a.out / "left-out.tsv").write_text("".join(f"{w}\t{y}\n" for w, y in left))
    for part in counts:
        print(f"{part}: {counts[part]} pieces, {seconds[part] / 60:.1f} minutes")
    print(f"left out: {len(left)}" + (f" (see {a.out / 'left-out.tsv'}; the first: {left[0][0]}: {left[0][1]})" if left else ""))
    sys.exit(0 if counts else 1)


if __name__ == "__main__":
    main()
