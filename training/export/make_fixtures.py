"""Makes the short recordings under fixtures/asr/ that the recogniser's tests listen to.

    python training/export/make_fixtures.py --piper en_US-joe-medium.onnx --kokoro kokoro.onnx --voices voices.npz --out fixtures/asr

Needs espeak-ng, piper-tts and kokoro-onnx. `voices.npz` holds Kokoro's style vectors by voice name, [510, 1, 256] each.
Files are mono 16 kHz, 8-bit mu-law WAV: half the size of 16 bits, and telephone quality is better than a radio's.
"""

from __future__ import annotations

import argparse
import io
import json
import struct
import subprocess
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import butter, resample_poly, sosfilt

RATE = 16_000
# file, voice, what is said, how far the noise is under the speech in dB (None: clean)
CLIPS = [
    ("climb.wav", "kokoro:bm_george", "lufthansa four five kilo climb flight level one two zero", None),
    ("heading.wav", "piper", "turn left heading two one zero speedbird seven one", None),
    ("descend.wav", "kokoro:af_heart", "delta six one two descend and maintain four thousand", 18.0),
    ("tower.wav", "espeak:en-gb", "contact tower one one eight decimal seven good day", None),
    ("landing.wav", "kokoro:am_michael", "cleared to land runway two four right austrian three nine one", 12.0),
]


def speak(voice: str, text: str, args: argparse.Namespace) -> np.ndarray:
    engine, _, name = voice.partition(":")
    if engine == "espeak":
        wav = subprocess.run(["espeak-ng", "-v", name, "-s", "165", "--stdout", text], capture_output=True, check=True).stdout
        audio, rate = soundfile.read(io.BytesIO(wav), dtype="float32")
    elif engine == "piper":
        from piper import PiperVoice

        chunks = PiperVoice.load(str(args.piper)).synthesize(text)
        rate, audio = 22_050, np.frombuffer(b"".join(c.audio_int16_bytes for c in chunks), np.int16) / 32768
    else:
        from kokoro_onnx import Kokoro

        audio, rate = Kokoro(str(args.kokoro), str(args.voices)).create(text, voice=name, speed=1.15, lang="en-gb" if name[0] == "b" else "en-us")
    divisor = int(np.gcd(RATE, rate))
    audio = resample_poly(np.asarray(audio, np.float64), RATE // divisor, rate // divisor)
    loud = np.flatnonzero(np.abs(audio) > 0.02 * np.abs(audio).max())
    return audio[loud[0] : loud[-1]]


def radio(audio: np.ndarray, under: float | None, seed: int) -> np.ndarray:
    """Quarter of a second before and behind, the pass band of a voice channel, and noise of the same band."""
    quarter = np.zeros(RATE // 4)
    band = butter(2, [250, 3400], "band", fs=RATE, output="sos")
    signal = sosfilt(band, np.concatenate([quarter, audio, quarter]))
    noise = sosfilt(band, np.random.default_rng(seed).standard_normal(len(signal)))
    noise *= signal.std() / noise.std() * 10 ** (-(under if under is not None else 45.0) / 20)
    signal = signal + noise
    return signal / np.abs(signal).max() * 0.6


def mu_law(audio: np.ndarray) -> bytes:
    """G.711 mu-law of samples in −1…1."""
    linear = np.round(audio * 32767).astype(int)
    sign = np.where(linear < 0, 0x80, 0)
    magnitude = np.minimum(np.abs(linear), 32635) + 132
    exponent = np.floor(np.log2(magnitude)).astype(int) - 7
    mantissa = (magnitude >> (exponent + 3)) & 0x0F
    return (~(sign | (exponent << 4) | mantissa) & 0xFF).astype(np.uint8).tobytes()


def write(path: Path, data: bytes) -> None:
    form = struct.pack("<HHIIHHH", 7, 1, RATE, RATE, 1, 8, 0)
    fact = struct.pack("<I", len(data))
    body = b"WAVE" + b"fmt " + struct.pack("<I", len(form)) + form + b"fact" + struct.pack("<I", 4) + fact + b"data" + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("piper", "kokoro", "voices", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for seed, (file, voice, text, under) in enumerate(CLIPS):
        audio = radio(speak(voice, text, args), under, seed)
        write(args.out / file, mu_law(audio))
        print(f"{file} {len(audio) / RATE:.2f} s")
    truth = [{"file": file, "text": text, "voice": voice} for file, voice, text, _ in CLIPS]
    (args.out / "truth.json").write_text(json.dumps(truth, indent=2) + "\n")


if __name__ == "__main__":
    main()
