"""Speaks the corpus of talk.py with five synthesisers into FLAC files and a manifest. Resumable; never twice the same item.

    nice -n 19 python synthesise.py --work WORK --seed 1 --count 100000 [--text chatter|routine|names] [--shard 0/2] [--engines kokoro,piper] [--bf16]

WORK holds the voices (see training/README.md): kokoro.onnx, voices.bin, joe.onnx(.json). It gets speech/SEED/NNN/NNNNNN.flac (16 kHz,
mono, active level 0.1 RMS, no channel: that is added while training) and speech/SEED/manifest-SHARD.jsonl. Item i depends on the seed
and i alone: text, engine, voice, pace, pitch. Stop it at any time; the next run goes on behind the last line of the manifest.
"""
from __future__ import annotations

import argparse
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fixtures"))

import numpy as np
import soundfile
from scipy.signal import resample_poly

from speech import ICAO_DIGITS, RATE, SPELLED, active_bounds, open_kokoro, shorten_pauses
from chatter import chatter
from kokoro_bf16 import Session
from names import names
from routine import routine
from talk import transmission

# voices that speak in the fixtures: kept out, so that a fixture is never a voice that was trained on
HELD_OUT = "bm_lewis af_kore am_fenrir bf_emma if_sara bm_fable am_puck am_eric af_nova im_nicola hm_omega em_alex am_adam zm_yunxi pf_dora".split()
SHARE = {"kokoro": 0.62, "piper": 0.1, "hibari": 0.1, "espeak": 0.1, "flite": 0.08}
ESPEAK = "en-us en-gb en-gb-x-rp en-gb-scotland en-029 en-gb-x-gbclan en-us-nyc".split()
ESPEAK_VARIANTS = ["", *"+m1 +m2 +m3 +m4 +m5 +m6 +m7 +f1 +f2 +f3 +f4 +f5 +Andy +Denis +Alex +Lee +steph +max".split()]
FLITE = "kal16 awb rms slt".split()


OTHER_TEXTS = {"chatter": chatter, "routine": routine, "names": names}
# read letter by letter, beyond what the fixtures need
LETTERS = {word: " ".join(word.upper()) for word in "rnp ndb gls ups csa crj atc ifr vfr atr pc md".split()}


def spell(text: str, r: random.Random) -> str:
    """Truth words to what a synthesiser reads; one speaker says tree, fife, niner, or does not, all through."""
    habits = {digit: said for digit, said in ICAO_DIGITS.items() if r.random() < {"three": 0.25, "five": 0.2, "nine": 0.4}[digit]}
    words = [SPELLED.get(w) or LETTERS.get(w) or habits.get(w, w) for w in text.split()]
    # a breath now and then
    return " ".join(w + ("," if r.random() < 0.06 else "") for w in words)


class Engines:
    def __init__(self, work: Path, bf16: bool = False) -> None:
        self.work, self.bf16 = work, bf16
        self._kokoro = self._piper = self._hibari = None

    def kokoro(self, text: str, pace: float, r: random.Random) -> tuple[np.ndarray, int, str]:
        if self._kokoro is None:
            self._kokoro = open_kokoro(self.work)
            if self.bf16:
                self._kokoro.sess = Session(self.work, self._kokoro.sess)
        names = [n for n in self._kokoro.get_voices() if n not in HELD_OUT]
        first, second = r.sample(names, 2)
        share = 1.0 if r.random() < 0.5 else round(r.uniform(0.3, 0.7), 2)
        style = share * self._kokoro.get_voice_style(first) + (1 - share) * self._kokoro.get_voice_style(second)
        language = r.choice(["en-us", "en-us", "en-gb"])
        samples, rate = self._kokoro.create(text, voice=style.astype(np.float32), speed=pace, lang=language)
        return samples, rate, f"{first}/{language}" if share == 1 else f"{first}*{share}+{second}/{language}"

    def piper(self, text: str, pace: float, r: random.Random) -> tuple[np.ndarray, int, str]:
        from piper import PiperVoice
        from piper.config import SynthesisConfig

        if self._piper is None:
            self._piper = PiperVoice.load(str(self.work / "joe.onnx"))
        config = SynthesisConfig(length_scale=1 / pace, noise_scale=r.uniform(0.4, 1), noise_w_scale=r.uniform(0.5, 1.1))
        raw = b"".join(c.audio_int16_bytes for c in self._piper.synthesize(text, config))
        return np.frombuffer(raw, np.int16).astype(np.float32) / 32768, self._piper.config.sample_rate, "joe"

    def hibari(self, text: str, pace: float, r: random.Random) -> tuple[np.ndarray, int, str]:
        if self._hibari is None:
            from hibari import Hibari

            self._hibari = Hibari()
        return np.asarray(self._hibari(text, speed=pace, seed=r.randint(0, 9999)), np.float32), 24_000, "hibari"

    def espeak(self, text: str, pace: float, r: random.Random) -> tuple[np.ndarray, int, str]:
        voice = r.choice(ESPEAK) + r.choice(ESPEAK_VARIANTS)
        raw = subprocess.run(["espeak-ng", "-v", voice, "-s", str(int(165 * pace)), "-p", str(r.randint(25, 70)), "--stdout", text], capture_output=True, check=True).stdout
        samples, rate = soundfile.read(io.BytesIO(raw), dtype="float32")
        return samples, rate, voice

    def flite(self, text: str, pace: float, r: random.Random) -> tuple[np.ndarray, int, str]:
        voice = r.choice(FLITE)
        with tempfile.NamedTemporaryFile(suffix=".wav") as file:
            subprocess.run(["flite", "-voice", voice, "--setf", f"duration_stretch={1 / pace:.2f}", "--setf", f"int_f0_target_mean={r.randint(85, 160)}", "-t", text, "-o", file.name], capture_output=True, check=True)
            samples, rate = soundfile.read(file.name, dtype="float32")
        return samples, rate, voice


def fragment(said: dict, r: random.Random) -> dict:
    """Half of the items are a stretch of a transmission: what a segmenter leaves of one that is cut at its pauses."""
    words = said["text"].split()
    if len(words) < 4 or r.random() < 0.5:
        return said
    length = min(len(words) - 1, r.randint(2, 10))
    first = r.choice([0, len(words) - length, r.randint(0, len(words) - length)])
    return {"text": " ".join(words[first : first + length]), "role": said["role"], "fragment": True}


def item(engines: Engines, seed: int, index: int, allowed: list[str], source: str) -> tuple[np.ndarray, dict] | str:
    """Samples and manifest entry of item `index`, or the reason why there is none."""
    r = random.Random(f"speech {seed} {index}")
    engine = r.choices(list(SHARE), list(SHARE.values()))[0]
    if engine not in allowed:
        return "engine not asked for"
    said = OTHER_TEXTS[source](seed, index) if source in OTHER_TEXTS else fragment(transmission(seed, index), r)
    if len(said["text"].split()) > 38:
        return "too long"
    pace, pitch = round(r.uniform(0.95, 1.45), 3), round(r.uniform(0.86, 1.16), 3)
    samples, rate, voice = getattr(engines, engine)(spell(said["text"], r), pace / pitch if engine == "kokoro" else pace, r)
    if samples.ndim > 1:
        samples = samples.mean(1)
    up, down = RATE, round(rate * pitch / 10) * 10
    divisor = int(np.gcd(up, down))
    out = resample_poly(samples.astype(np.float64), up // divisor, down // divisor)
    if np.abs(out).max() < 1e-4:
        return "silent"
    first, last = active_bounds(out)
    out = shorten_pauses(out[first:last], r.uniform(0.12, 0.5))
    seconds = len(out) / RATE
    words = len(said["text"].split())
    if not 0.5 <= seconds <= 15 or not 1.2 <= words / seconds <= 8:
        return f"{words} words in {seconds:.1f} s"
    out = out / np.sqrt((out**2).mean()) * 0.1
    return np.clip(out, -1, 1), {**said, "engine": engine, "voice": voice, "pace": pace, "pitch": pitch, "seconds": round(seconds, 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--text", choices=["talk", *OTHER_TEXTS], default="talk", help="where the words come from; each needs seeds of its own")
    parser.add_argument("--shard", default="0/1", help="k/n: this process does the items with index mod n = k")
    parser.add_argument("--engines", default=",".join(SHARE))
    parser.add_argument("--bf16", action="store_true", help="Kokoro by kokoro_bf16.py, about twice as fast where the processor has bfloat16 units")
    a = parser.parse_args()
    shard, shards = map(int, a.shard.split("/"))
    allowed = a.engines.split(",")
    folder = a.work / "speech" / str(a.seed)
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / f"manifest-{shard}of{shards}-{'+'.join(allowed) if set(allowed) != set(SHARE) else 'all'}.jsonl"
    last = -1
    if manifest.exists():
        lines = manifest.read_text().splitlines()
        # a kill may leave half a line: drop it, its item is made again
        whole = [line for line in lines if line.endswith("}")]
        if len(whole) != len(lines):
            manifest.write_text("".join(f"{line}\n" for line in whole))
        last = json.loads(whole[-1])["index"] if whole else -1
    engines, started, made, spoken = Engines(a.work, a.bf16), time.time(), 0, 0.0
    with manifest.open("a") as log:
        for index in range(last + 1, a.count):
            if index % shards != shard:
                continue
            try:
                result = item(engines, a.seed, index, allowed, a.text)
            except Exception as error:  # one odd word must not end a night's run; it is in the manifest
                result = f"{type(error).__name__}: {error}"
            entry: dict = {"index": index}
            if isinstance(result, str):
                entry["left_out"] = result
            else:
                samples, more = result
                path = folder / f"{index // 1000:03d}" / f"{index:06d}.flac"
                path.parent.mkdir(exist_ok=True)
                soundfile.write(path, samples, RATE, subtype="PCM_16", format="FLAC")
                entry.update(file=str(path.relative_to(folder)), **more)
                made += 1
                spoken += more["seconds"]
            log.write(json.dumps(entry) + "\n")
            log.flush()
            if made and made % 100 == 0 and not isinstance(result, str):
                print(f"{index} {made} made, {spoken / 3600:.2f} h of speech in {(time.time() - started) / 3600:.2f} h", flush=True)


if __name__ == "__main__":
    main()
