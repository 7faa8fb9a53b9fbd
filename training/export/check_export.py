"""Compares exported models on recordings: word error rate of each, and how often the tokens agree with the first one.

    python training/export/check_export.py --manifest clips.jsonl --models float32-folder models/whisper-tiny-radio

The manifest has one JSON object a line: {"file": path relative to the manifest, "text": what is said, "condition": any label}.
Files are mono 16 kHz. Decoding is greedy. "forced" feeds the first model's tokens to the other one, so that one early
difference does not count many times.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from pathlib import Path

import jiwer
import numpy as np
import onnxruntime as ort
import soundfile


class Model:
    """A model folder, run in onnxruntime."""

    def __init__(self, folder: Path, threads: int) -> None:
        self.config = json.loads((folder / "config.json").read_text())
        self.vocabulary = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        self.encoder = ort.InferenceSession(folder / "encoder.onnx", options, providers=["CPUExecutionProvider"])
        self.decoder = ort.InferenceSession(folder / "decoder.onnx", options, providers=["CPUExecutionProvider"])
        self.blocked = np.array([t is None for t in self.vocabulary])
        self.blocked[self.config["eos"]] = False

    def prepare(self, pcm: np.ndarray) -> np.ndarray:
        rule, rate = self.config["padding"], self.config["sampleRate"]
        pcm = pcm - pcm.mean()
        pcm = pcm * (rule["peak"] / max(np.abs(pcm).max(), 1e-6))
        length = len(pcm) + int(rule["appendSeconds"] * rate)
        step = int(rule["multipleSeconds"] * rate)
        length = rule["maxSeconds"] * rate if self.config["context"] == "full" else -(-length // step) * step
        out = np.zeros(length, np.float32)
        out[: len(pcm)] = pcm[:length]
        return out[None]

    def steps(self, pcm: np.ndarray):
        """A generator that yields the logits of each next token and takes the token to go on with."""
        config = self.config
        state = dict(zip((o.name for o in self.encoder.get_outputs()), self.encoder.run(None, {"pcm": self.prepare(pcm)})))
        empty = np.zeros((1, config["heads"], 0, config["headSize"]), np.float32)
        past = {f"past_{a}_{i}": empty for i in range(config["layers"]) for a in "kv"}
        names = [o.name for o in self.decoder.get_outputs()]
        tokens = config["prompt"]
        while True:
            out = dict(zip(names, self.decoder.run(None, {"tokens": np.array([tokens]), **past, **state})))
            past = {name.replace("present", "past"): value for name, value in out.items() if name.startswith("present")}
            logits = out["logits"][0].copy()
            logits[self.blocked] = -np.inf
            tokens = [(yield logits)]

    def greedy(self, pcm: np.ndarray, limit: int = 120) -> list[int]:
        run, out = self.steps(pcm), []
        logits = next(run)
        while len(out) < limit and (token := int(logits.argmax())) != self.config["eos"]:
            out.append(token)
            logits = run.send(token)
        return out

    def forced(self, pcm: np.ndarray, tokens: list[int]) -> list[int]:
        run = self.steps(pcm)
        choices = [int(next(run).argmax())]
        return choices + [int(run.send(token).argmax()) for token in tokens]

    def text(self, tokens: list[int]) -> str:
        data = b"".join(bytes(t["bytes"]) if isinstance(t, dict) else (t or "").encode() for t in (self.vocabulary[i] for i in tokens))
        return data.decode("utf-8", "replace").strip()


def words(text: str) -> str:
    spoken = {"alpha": "alfa", "juliet": "juliett", "x-ray": "xray", "niner": "nine", "tree": "three", "fife": "five", "decimal": "point"}
    plain = "".join(c if c.isalnum() or c in "' " else " " for c in text.lower())
    return " ".join(spoken.get(w, w) for w in plain.split())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--manifest", type=Path, nargs="+", required=True)
    parser.add_argument("--models", type=Path, nargs="+", required=True, help="folders; the first is the reference")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="print every pair of texts that differs")
    args = parser.parse_args()
    clips = [{**json.loads(line), "folder": m.parent} for m in args.manifest for line in m.read_text(encoding="utf-8").splitlines()]
    audio = [soundfile.read(c["folder"] / c["file"], dtype="float32")[0] for c in clips]
    reference: list[list[int]] = []
    for folder in args.models:
        model, started = Model(folder, args.threads), time.time()
        results = [model.greedy(pcm) for pcm in audio]
        seconds = time.time() - started
        reference = reference or results
        print(f"{folder}: {seconds / sum(len(a) / 16000 for a in audio):.3f} s a second of audio")
        pairs: dict[str, list[int]] = defaultdict(list)
        for i, clip in enumerate(clips):
            pairs[clip.get("condition", "all")].append(i)
        for condition, at in sorted(pairs.items()):
            rate = jiwer.wer([words(clips[i]["text"]) for i in at], [words(model.text(results[i])) or "-" for i in at])
            same = sum(results[i] == reference[i] for i in at)
            agree = total = 0
            for i in at:
                choice = model.forced(audio[i], reference[i])
                truth = [*reference[i], model.config["eos"]]
                agree += sum(a == b for a, b in zip(choice, truth))
                total += len(truth)
            print(f"  {condition:10} {len(at):4} clips  WER {rate:.3f}  same text {same}/{len(at)}  forced tokens equal {agree}/{total} = {agree / total:.4f}")
        if args.show:
            for i, clip in enumerate(clips):
                print(f"    {clip['file']}\n      said {words(clip['text'])}\n      read {model.text(results[i])}")


if __name__ == "__main__":
    main()
