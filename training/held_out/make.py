"""The recogniser's held-out set: fixtures/asr-held-out/, from the script and a seed.

    nice -n 10 python make.py --work WORK [--seed 4] [--out ../../fixtures/asr-held-out] [--limit N]

WORK holds kokoro.onnx and voices.bin (training/README.md) and gets asr-held-out/*.flac, so that a second run only makes what is missing.
Needs also the Python package ttspico, the Debian packages festival and festvox-kdlpc16k, and ffmpeg with Opus.

Nobody who speaks here is ever trained on: the Kokoro voices in HELD_OUT of training/speech/synthesise.py, both English voices of SVOX Pico,
and Festival's "ked". Texts come from script.py. A text that the training corpus has (seeds 1 and 2, the first 100,000 items) is left
out, and README.md says how much of the rest occurs there in pieces.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "fixtures"))
sys.path.insert(0, str(HERE.parent / "speech"))

import numpy as np
import soundfile
from scipy.signal import resample_poly

import talk
from chatter import chatter
from languages import SAID
from script import transmission
from speech import ICAO_DIGITS, RATE, SPELLED, active_bounds, open_kokoro, shorten_pauses
from synthesise import HELD_OUT

# how often each speaks: in own words, and in the book's
SPEAKERS = [("kokoro", name, 13, 3) for name in HELD_OUT] + [("pico", "en-US", 25, 10), ("pico", "en-GB", 25, 10), ("festival", "ked", 15, 5)]
BITRATE = "24k"
CORPUS_SEEDS, CORPUS_ITEMS = (1, 2), 100_000
LONGEST = 14.0


def spell(text: str, r: random.Random, dots: bool) -> str:
    """Truth words to what a synthesiser reads. `dots`: letters of acronyms with full stops, which Pico and Festival need."""
    habits = {digit: said for digit, said in ICAO_DIGITS.items() if r.random() < {"three": 0.2, "five": 0.2, "nine": 0.45}[digit]}
    out = []
    for word in text.split():
        said = {**SPELLED, "ups": "U P S", "a": "a", "tschuss": "choose", "gruezi": "grew etsy", "um": "umm"}.get(word) or habits.get(word, word)
        if dots and len(said) > 1 and all(len(part) == 1 for part in said.split()):
            said = ". ".join(said.split()) + "."
        out.append(said + ("," if r.random() < 0.05 else ""))
    return " ".join(out)


class Speakers:
    def __init__(self, work: Path) -> None:
        self.work, self._kokoro, self._pico = work, None, {}

    def kokoro(self, text: str, voice: str, pace: float, language: str) -> tuple[np.ndarray, int]:
        if self._kokoro is None:
            self._kokoro = open_kokoro(self.work)
        return self._kokoro.create(text, voice=voice, speed=pace, lang=language)

    def pico(self, text: str, voice: str, pace: float, language: str) -> tuple[np.ndarray, int]:
        if voice not in self._pico:
            import ttspico

            self._pico[voice] = ttspico.TtsEngine(voice)
        raw = self._pico[voice].speak(f'<speed level="{round(100 * pace)}">{text}</speed>')
        return np.frombuffer(raw, np.int16).astype(np.float32) / 32768, 16_000

    def festival(self, text: str, voice: str, pace: float, language: str) -> tuple[np.ndarray, int]:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "in.txt").write_text(text)
            subprocess.run(["text2wave", "-eval", f"(voice_{voice}_diphone)", "-eval", f"(Parameter.set 'Duration_Stretch {1 / pace:.2f})", "-o", f"{folder}/out.wav", f"{folder}/in.txt"], check=True, capture_output=True)
            samples, rate = soundfile.read(f"{folder}/out.wav", dtype="float32")
        return samples, rate


def levelled(raw: np.ndarray, rate: int, pitch: float, longest_pause: float) -> np.ndarray:
    """16 kHz, moved in pitch, trimmed to the speech, pauses shortened, 0.1 RMS."""
    up, down = RATE, round(rate * pitch / 10) * 10
    divisor = int(np.gcd(up, down))
    out = resample_poly(np.asarray(raw, np.float64), up // divisor, down // divisor)
    first, last = active_bounds(out)
    out = shorten_pauses(out[first:last], longest_pause)
    return np.clip(out / np.sqrt((out**2).mean()) * 0.1, -1, 1)


def corpus(more: bool = False) -> tuple[set[str], dict[int, set[tuple[str, ...]]]]:
    """Whole texts and 4- and 6-grams of the training corpus; `more`: with what is said there beside clearances."""
    texts: set[str] = set()
    for seed in CORPUS_SEEDS if more else ():
        texts.update(chatter(seed, index)["text"] for index in range(CORPUS_ITEMS))
    for seed in CORPUS_SEEDS:
        for index in range(CORPUS_ITEMS):
            texts.add(talk.transmission(seed, index)["text"])
    grams: dict[int, set[tuple[str, ...]]] = {4: set(), 6: set()}
    for text in texts:
        words = text.split()
        for n, found in grams.items():
            found.update(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
    return texts, grams


def tell_overlap(lines: list[dict], known: set[str], grams: dict[int, set[tuple[str, ...]]]) -> None:
    """How much of the set's text the training corpus has."""
    print(f"{sum(line['text'] in known for line in lines)} of {len(lines)} whole texts also occur in the training corpus")
    for name, wanted in (("own words", False), ("the book's words", True)):
        texts = [line["text"].split() for line in lines if (line["kind"] == "standard") is wanted]
        for n, found in grams.items():
            mine = [tuple(w[i : i + n]) for w in texts for i in range(len(w) - n + 1)]
            print(f"{name}: {sum(g in found for g in mine)} of {len(mine)} {n}-grams ({sum(g in found for g in mine) / max(1, len(mine)):.1%}) also occur in the training corpus")
    words = {w for text in known for w in text.split()}
    mine = [w for line in lines for w in line["text"].split()]
    print(f"{sum(w not in words for w in mine)} of {len(mine)} words ({len({w for w in mine if w not in words})} different) never occur there: {' '.join(sorted({w for w in mine if w not in words}))}")


def plan(seed: int, known: set[str]) -> list[dict]:
    """Which text is spoken by whom, and how: 260 in own words, then 70 in the book's."""
    items, taken, number = [], set(), 0
    for standard in (False, True):
        speakers = [(engine, voice) for engine, voice, *counts in SPEAKERS for _ in range(counts[standard])]
        random.Random(f"speakers {seed}").shuffle(speakers)
        for engine, voice in speakers:
            while True:
                said = transmission(seed, number, standard)
                number += 1
                if said["text"] not in known and said["text"] not in taken and len(said["text"].split()) <= 34:
                    break
            taken.add(said["text"])
            r = random.Random(f"voice {seed} {len(items)}")
            pitch = round(r.uniform(0.92, 1.08), 3)
            items.append({"id": f"{len(items):03d}", **said, "engine": engine, "voice": voice, "pace": round(r.uniform(1.0, 1.4), 3), "pitch": pitch})
    return items


def encode(samples: np.ndarray, path: Path) -> str:
    """Ogg Opus; gives the file's SHA-256. Same samples and encoder, same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(suffix=".wav") as wav:
        soundfile.write(wav.name, samples, RATE, subtype="PCM_16")
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", wav.name, "-c:a", "libopus", "-b:a", BITRATE, "-application", "audio", "-map_metadata", "-1", "-flags:a", "+bitexact", "-fflags", "+bitexact", str(path)], check=True)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--out", type=Path, default=HERE.parents[1] / "fixtures" / "asr-held-out")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--overlap", action="store_true", help="only tell how much of the text of the set that is there the training corpus has")
    a = parser.parse_args()
    if a.overlap:
        tell_overlap([json.loads(line) for line in (a.out / "manifest.jsonl").read_text().splitlines()], *corpus(more=True))
        return
    cache = a.work / "asr-held-out"
    cache.mkdir(parents=True, exist_ok=True)
    speakers = Speakers(a.work)
    known, grams = corpus()
    items = plan(a.seed, known)[: a.limit]

    def spoken(key: str, make) -> np.ndarray:
        path = cache / f"{hashlib.sha1(key.encode()).hexdigest()[:20]}.flac"
        if not path.exists():
            soundfile.write(path, make(), RATE, subtype="PCM_16", format="FLAC")
        return soundfile.read(path)[0]

    lines, seconds = [], 0.0
    for item in items:
        r = random.Random(f"spelling {a.seed} {item['id']}")
        text = spell(item["text"], r, item["engine"] != "kokoro")
        language = "en-gb" if item["voice"].startswith("b") else "en-us"
        pause = r.uniform(0.12, 0.4)
        # Pico is slow by nature
        pace = round(item["pace"] / item["pitch"] * (1.2 if item["engine"] == "pico" else 1), 3)
        samples = spoken(json.dumps([text, item["engine"], item["voice"], pace, item["pitch"], pause]), lambda: levelled(*getattr(speakers, item["engine"])(text, item["voice"], pace, language), item["pitch"], pause))
        length = len(samples) / RATE
        if length > LONGEST or not 0.9 <= len(item["text"].split()) / length <= 8:
            print(f"{item['id']}: {length:.1f} s for {item['text']!r}: not as it should sound, left out", flush=True)
            continue
        file = f"clips/{item['id']}.opus"
        digest = encode(samples, a.out / file)
        lines.append({"id": item["id"], "file": file, **{k: v for k, v in item.items() if k != "id"}, "seconds": round(length, 3), "sha256": digest})
        seconds += length
        print(f"{item['id']} {item['engine']} {item['voice']} {length:.1f} s: {item['text']}", flush=True)
    (a.out / "manifest.jsonl").write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))

    others, foreign_seconds = [], 0.0
    for i, (engine, voice, language, text) in enumerate(SAID):
        samples = spoken(json.dumps([text, engine, voice, language]), lambda: levelled(*getattr(speakers, engine)(text, voice, 1.1, language), 1.0, 0.4))
        file = f"foreign/{i:02d}-{language or voice.lower()}.opus"
        others.append({"file": file, "language": (language or voice).split("-")[0].lower(), "engine": engine, "voice": voice, "text": text, "seconds": round(len(samples) / RATE, 3), "sha256": encode(samples, a.out / file)})
        foreign_seconds += len(samples) / RATE
    (a.out / "foreign.jsonl").write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in others))

    print(f"{len(lines)} clips, {seconds:.0f} s; {foreign_seconds:.0f} s of other languages")
    tell_overlap(lines, known, grams)


if __name__ == "__main__":
    main()
