"""Speech for the items of the benchmark (fixtures/bench): fixtures/bench/voice/, dry, one Ogg Opus file a transmission.

    nice -n 10 python speak_bench.py --work WORK                                # what is committed: 30 pairs of each Task 2 type, 200 Task 1 items
    nice -n 10 python speak_bench.py --work WORK --all --out WORK/bench-voice   # every item, for a longer run

WORK and packages as for make.py. May be stopped at any time: the same command goes on behind the last line of OUT/manifest.jsonl. An item is
spoken by the same voices however many are asked for.

Nobody who speaks here is ever trained on (make.py). Controller and pilot of a pair have different voices. Kokoro, the best and by far the
slowest, has KOKORO_SHARE of the transmissions, Pico and Festival the rest. What an item writes in figures is said in groups ("FL240": flight level two forty), so that another
number format is also one in speech. Where it would be none ("runway 09"), a NUMBER_FORMAT item is left out and told.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import numpy as np
import soundfile

from make import RATE, Speakers, levelled, spell
from synthesise import HELD_OUT

SEED = 6
OF_EACH_TYPE, TASK1_ITEMS = 30, 200
# quick engines first, so that a run that is stopped early has most of its items
QUICK = [("pico", "en-US"), ("pico", "en-GB"), ("festival", "ked")]
KOKORO_SHARE = 0.06
LICENCE = {"kokoro": "Apache-2.0", "pico": "Apache-2.0", "festival": "free with notice (University of Edinburgh, 1997)"}
BITRATE = "14k"
LONGEST = 20.0

DIGITS = "zero one two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
SIDES = {"L": " left", "R": " right", "C": " center", "": ""}


def single(figures: str) -> str:
    return " ".join(DIGITS[int(f)] for f in figures)


def pair(two: str) -> str:
    """"27" → "twenty seven", "10" → "ten", "09" → "zero nine"."""
    if two[0] == "0":
        return single(two)
    if two[0] == "1":
        return TEENS[int(two[1])]
    return TENS[int(two[0]) - 2] + ("" if two[1] == "0" else " " + DIGITS[int(two[1])])


def group(figures: str) -> str:
    """"240" → "two forty", "300" → "three hundred", "045" → "zero forty five"."""
    if len(figures) == 2:
        return pair(figures)
    if figures[1:] == "00" and figures[0] != "0":
        return f"{DIGITS[int(figures[0])]} hundred"
    return f"{DIGITS[int(figures[0])]} {pair(figures[1:])}"


def feet(figures: str) -> str:
    """"4500" → "forty five hundred", "6000" → "six zero zero zero", "12000" → "twelve thousand", "12500" → "twelve five hundred"."""
    thousands, rest = figures[:-3], figures[-3:]
    if len(thousands) == 2:
        return f"{pair(thousands)} thousand" if rest == "000" else f"{pair(thousands)} {DIGITS[int(rest[0])]} hundred"
    return single(figures) if rest == "000" else f"{pair(figures[:2])} hundred"


def said(text: str) -> str:
    """An item's text as lower-case words alone, as a recogniser writes them."""
    decimal = "point" if " point " in text else "decimal"
    out = re.sub(r"FL ?(\d{3})\b", lambda m: f"flight level {group(m[1])}", text)
    out = re.sub(r"\bFL\b", "flight level", out)
    out = re.sub(r"\b(\d{3})\.(\d+)", lambda m: f"{group(m[1])} {decimal} {single(m[2])}", out)
    out = re.sub(r"\b(\d{2})([LRC]?)\b", lambda m: pair(m[1]) + SIDES[m[2]], out)
    out = re.sub(r"\b(\d{3})\b", lambda m: group(m[1]), out)
    out = re.sub(r"\b(\d{4,5})\b", lambda m: feet(m[1]), out)
    if re.search(r"[^a-z ]", out):
        raise ValueError(f"{text!r} holds more than words and known figures: {out!r}")
    return out


def transmissions(bench: Path, every: bool) -> list[dict]:
    """What is to be said: id, task, part, written text, role; in the order of the items."""
    out = []
    taken: dict[str, int] = {}
    for line in (bench / "task2.jsonl").read_text().splitlines():
        item = json.loads(line)
        kind = item["error_type"]
        if not every and taken.get(kind, 0) >= OF_EACH_TYPE:
            continue
        if kind == "NUMBER_FORMAT" and said(item["readback"]) == said(item["correct_readback"]):
            print(f"{item['id']}: left out, its format cannot be heard: {item['readback']}", flush=True)
            continue
        taken[kind] = taken.get(kind, 0) + 1
        out += [{"id": item["id"], "task": "task2", "part": part, "role": role, "written": item[part]} for part, role in (("instruction", "controller"), ("readback", "pilot"))]
    lines = (bench / "task1.jsonl").read_text().splitlines()
    for line in lines if every else lines[:TASK1_ITEMS]:
        item = json.loads(line)
        out.append({"id": item["id"], "task": "task1", "part": "utterance", "written": item["utterance"]})
    return out


def cast(one: dict) -> dict:
    """Who says it and how; of the two of a pair never the same voice."""
    def voices(part: str) -> tuple[str, str, float]:
        r = random.Random(f"bench {SEED} {one['id']} {part}")
        draw = r.random()
        return ("kokoro", r.choice(HELD_OUT), draw) if draw < KOKORO_SHARE else (*r.choice(QUICK), draw)

    engine, voice, draw = voices(one["part"])
    if one["part"] == "readback" and voice == voices("instruction")[1]:
        r = random.Random(f"bench {SEED} {one['id']} other")
        engine, voice = r.choice([v for v in ([("kokoro", n) for n in HELD_OUT] if engine == "kokoro" else QUICK) if v[1] != voice])
    r = random.Random(f"bench {SEED} {one['id']} {one['part']} manner")
    return {**one, "draw": draw, "engine": engine, "voice": voice, "pace": round(r.uniform(1.0, 1.35), 3), "pitch": round(r.uniform(0.92, 1.08), 3)}


def encode(samples: np.ndarray, path: Path) -> str:
    """Ogg Opus; gives the file's SHA-256."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(suffix=".wav") as wav:
        soundfile.write(wav.name, samples, RATE, subtype="PCM_16")
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", wav.name, "-c:a", "libopus", "-b:a", BITRATE, "-application", "voip", "-frame_duration", "40", "-map_metadata", "-1", "-flags:a", "+bitexact", "-fflags", "+bitexact", str(path)], check=True)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def speak(one: dict, speakers: Speakers, out: Path) -> dict | str:
    """The manifest's line, or why there is none."""
    text = said(one["written"])
    r = random.Random(f"bench {SEED} {one['id']} {one['part']} spelling")
    spelled = spell(text, r, one["engine"] != "kokoro")
    language = "en-gb" if one["voice"].startswith("b") else "en-us"
    pace = round(one["pace"] / one["pitch"] * (1.2 if one["engine"] == "pico" else 1), 3)
    samples = levelled(*getattr(speakers, one["engine"])(spelled, one["voice"], pace, language), one["pitch"], r.uniform(0.12, 0.4))
    seconds, words = len(samples) / RATE, len(text.split())
    if seconds > LONGEST or not 0.9 <= words / seconds <= 8:
        return f"{words} words in {seconds:.1f} s: not as it should sound"
    file = f"{one['task']}/{one['id']}{'' if one['part'] == 'utterance' else '-' + one['part']}.opus"
    sha256 = encode(samples, out / file)
    more = {key: one[key] for key in ("role", "engine", "voice", "pace", "pitch") if key in one}
    return {"id": one["id"], "task": one["task"], "part": one["part"], "file": file, "text": text, "item_sha256": hashlib.sha256(one["written"].encode()).hexdigest(), **more, "licence": LICENCE[one["engine"]], "seconds": round(seconds, 3), "sha256": sha256}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--bench", type=Path, default=HERE.parents[1] / "fixtures" / "bench")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--all", action="store_true", help="every item instead of those that are committed")
    parser.add_argument("--engines", default="pico,festival,kokoro", help="only what these speak")
    parser.add_argument("--limit", type=int, help="only so many transmissions")
    a = parser.parse_args()
    out = a.out or a.bench / "voice"
    out.mkdir(parents=True, exist_ok=True)
    manifest = out / "manifest.jsonl"
    wanted = [cast(one) for one in transmissions(a.bench, a.all)]
    order = {(one["id"], one["part"]): i for i, one in enumerate(wanted)}
    done: dict[tuple[str, str], dict] = {}
    for line in manifest.read_text().splitlines() if manifest.exists() else []:
        if line.endswith("}"):  # a kill may leave half a line: its item is made again
            entry = json.loads(line)
            done[entry["id"], entry["part"]] = entry
    fresh = {k: hashlib.sha256(wanted[i]["written"].encode()).hexdigest() for k, i in order.items()}
    voice = {k: (wanted[i]["engine"], wanted[i]["voice"]) for k, i in order.items()}
    done = {k: entry for k, entry in done.items() if fresh.get(k) == entry["item_sha256"] and voice[k] == (entry["engine"], entry["voice"]) and (out / entry["file"]).exists()}

    def write() -> None:
        new = manifest.with_suffix(".new")
        new.write_text("".join(json.dumps(done[k], ensure_ascii=False) + "\n" for k in sorted(done, key=order.__getitem__)))
        new.replace(manifest)

    write()
    speakers, failed = Speakers(a.work), 0
    todo = sorted((one for one in wanted if (one["id"], one["part"]) not in done and one["engine"] in a.engines.split(",")), key=lambda one: (one["engine"] == "kokoro", one["draw"]))[: a.limit]
    whole = len(todo) + len(done) == len(wanted)
    for number, one in enumerate(todo, 1):
        entry = speak(one, speakers, out)
        if isinstance(entry, str):
            failed += 1
            print(f"{one['id']} {one['part']}: {entry}", flush=True)
            continue
        done[one["id"], one["part"]] = entry
        with manifest.open("a") as log:
            log.write(json.dumps(entry, ensure_ascii=False) + "\n")
        print(f"{number}/{len(todo)} {one['id']} {one['part']} {one['engine']} {one['voice']} {entry['seconds']:.1f} s: {entry['text']}", flush=True)
    # a pair of which one half could not be spoken is no pair
    halves = {k[0] for k, entry in done.items() if entry["part"] == "instruction"} & {k[0] for k, entry in done.items() if entry["part"] == "readback"}
    if whole:
        done = {k: entry for k, entry in done.items() if entry["task"] == "task1" or k[0] in halves}
    write()
    print(f"{len(done)} transmissions, {sum(e['seconds'] for e in done.values()):.0f} s; {len(halves)} pairs, {sum(e['task'] == 'task1' for e in done.values())} utterances; {failed} could not be spoken")


if __name__ == "__main__":
    main()
