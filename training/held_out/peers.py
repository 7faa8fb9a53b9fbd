"""Other recognisers for `npm run bench:asr --peers PYTHON`: loads them once and answers one request a line.

    python peers.py --models FOLDER --work FOLDER [--threads 2] [--only faster-whisper-tiny.en …]

FOLDER of models holds whisper-tiny.en-ct2 and whisper-base-ct2 as `hearback models pull` leaves them. Needs faster-whisper and
pywhispercpp. Both are asked for their fastest fair setting: English, greedy, temperature 0 without a second try, no timestamps, nothing
carried from clip to clip. First line on stdout: {"ready": true, "systems": [...]}; then a request {"id", "system", "wav"} on stdin gives
{"id", "text", "seconds"}, seconds being those that the recogniser took, reading of the WAV file included.
"""
from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import sys
import time
import wave
from pathlib import Path

import numpy as np

SIZES = {"tiny.en": "whisper-tiny.en-ct2", "base": "whisper-base-ct2"}


def digest(*paths: Path) -> str:
    total = hashlib.sha256()
    for path in paths:
        total.update(path.name.encode() + b"\n" + path.read_bytes())
    return total.hexdigest()


class FasterWhisper:
    def __init__(self, size: str, folder: Path, threads: int) -> None:
        from faster_whisper import WhisperModel

        self.model = WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True)
        files = [folder / name for name in ("model.bin", "config.json", "tokenizer.json", "vocabulary.txt")]
        versions = f"faster-whisper {importlib.metadata.version('faster-whisper')} on CTranslate2 {importlib.metadata.version('ctranslate2')}"
        self.facts = {"id": f"faster-whisper-{size}", "about": f"{versions}, int8, greedy, {threads} threads", "bytes": sum(f.stat().st_size for f in files), "sha256": digest(*files)}

    def read(self, path: str) -> str:
        segments, _ = self.model.transcribe(path, language="en", beam_size=1, best_of=1, temperature=0.0, condition_on_previous_text=False, without_timestamps=True, vad_filter=False)
        return " ".join(s.text.strip() for s in segments)


class WhisperCpp:
    def __init__(self, size: str, folder: Path, work: Path, threads: int) -> None:
        from ggml import write
        from pywhispercpp.model import Model

        path = work / f"ggml-{size}.bin"
        if not path.exists():
            write(folder, path)
        self.model = Model(str(path), redirect_whispercpp_logs_to=None, n_threads=threads, language="en", print_progress=False, print_realtime=False, print_timestamps=False, no_context=True, no_timestamps=True, single_segment=True, temperature=0.0, temperature_inc=0.0, greedy={"best_of": 1})
        self.facts = {"id": f"whisper.cpp-{size}", "about": f"whisper.cpp by pywhispercpp {importlib.metadata.version('pywhispercpp')}, f16, greedy, {threads} threads", "bytes": path.stat().st_size, "sha256": digest(path)}

    def read(self, path: str) -> str:
        with wave.open(path) as file:
            samples = np.frombuffer(file.readframes(file.getnframes()), np.int16).astype(np.float32) / 32768
        # whisper.cpp refuses what is shorter than a second
        if len(samples) < 17_600:
            samples = np.concatenate([samples, np.zeros(17_600 - len(samples), np.float32)])
        return " ".join(s.text.strip() for s in self.model.transcribe(samples))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", action="append", default=[])
    a = parser.parse_args()
    a.work.mkdir(parents=True, exist_ok=True)
    systems = {}
    for size, name in SIZES.items():
        folder = a.models / name
        if not folder.is_dir():
            raise SystemExit(f"{folder} is missing: hearback models pull {name}")
        for kind, make in ((f"faster-whisper-{size}", lambda: FasterWhisper(size, folder, a.threads)), (f"whisper.cpp-{size}", lambda: WhisperCpp(size, folder, a.work, a.threads))):
            if not a.only or kind in a.only:
                systems[kind] = make()
    print(json.dumps({"ready": True, "systems": [s.facts for s in systems.values()]}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        started = time.perf_counter()
        try:
            text = systems[request["system"]].read(request["wav"])
            answer = {"id": request["id"], "text": text, "seconds": time.perf_counter() - started}
        except Exception as error:  # one clip's failure is the caller's to tell
            answer = {"id": request["id"], "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
