"""Spoken items on disk → batches of audio as the recogniser hears it, with what was said."""
from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile
import torch

import radio

RATE = radio.RATE
# The product puts half a second of silence behind the audio and fills it up to a multiple of half a second.
APPEND = STEP = RATE // 2
# What is longer is not joined with anything: a step would become long.
LONGEST_JOINED = 5 * RATE


@dataclass(frozen=True)
class Item:
    path: str
    text: str
    engine: str


def read_manifests(folders: list[Path]) -> list[Item]:
    """Items of every manifest-*.jsonl under the folders; lines that were left out, or are only half written, are skipped."""
    items = []
    for folder in folders:
        for manifest in sorted(folder.glob("manifest*.jsonl")):
            for line in manifest.read_text().splitlines():
                try:
                    entry = json.loads(line)
                except json.JSONDecodeError:
                    continue
                if "file" in entry:
                    items.append(Item(str(folder / entry["file"]), entry["text"], entry.get("engine", "real")))
    return items


def load(path: str) -> np.ndarray:
    samples, rate = soundfile.read(path, dtype="float32")
    if samples.ndim > 1:
        samples = samples.mean(1)
    if rate != RATE:
        from scipy.signal import resample_poly

        samples = resample_poly(samples, RATE, rate).astype(np.float32)
    return samples


class Corpus:
    """Draws batches without end. Everything follows from the seed and the items there were.

    `shares`: part of the draws for each engine; a clip is drawn at most `repeat` times as often as with equal chances, so that a few
    clips of a wanted engine are not learned by heart. `silence`: part of the batches' items without speech. `joined`: part of the items
    behind which another short one is spoken, in whatever voice. `taught`: every batch has a third part, what a teacher hears.
    """

    def __init__(self, folders: list[Path], foreign: list[Path], seed: int, batch: int, shares: dict[str, float], silence: float = 0.07, repeat: float = 6.0, hard: float = 1.0, real: bool = False, joined: float = 0.0, taught: bool = False) -> None:
        self.joined, self.taught = joined, taught
        self.folders, self.batch, self.shares, self.silence, self.repeat, self.hard, self.real = folders, batch, shares, silence, repeat, hard, real
        self.foreign = [str(p) for f in foreign for p in sorted(f.rglob("*.flac"))]
        self.seed, self.drawn = seed, 0
        self.items: list[Item] = []

    def refresh(self) -> None:
        """Takes in what has been spoken since; every fortieth item is kept back for measuring."""
        self.items = [i for i in read_manifests(self.folders) if not kept_back(i)]
        count: dict[str, int] = {}
        for item in self.items:
            count[item.engine] = count.get(item.engine, 0) + 1
        even = 1 / len(self.items)
        weight = {e: min(self.shares.get(e, 0.1) / n, self.repeat * even) for e, n in count.items()}
        self.weights = [weight[i.engine] for i in self.items]

    def sample(self, item: Item, index: int) -> tuple[np.ndarray, str, np.ndarray | None]:
        """What the recogniser hears, what was said, and the speech without the channel (none where nobody speaks, of a real recording, or without a teacher)."""
        rng = np.random.default_rng([self.seed, index])
        if rng.random() < self.silence:
            foreign = load(self.foreign[rng.integers(len(self.foreign))]) if self.foreign else None
            return radio.as_recogniser_hears(radio.no_speech(int(RATE * rng.uniform(0.5, 5)), rng, foreign)), "", None
        dry = load(item.path)
        if self.real and item.engine == "real":
            return radio.as_recogniser_hears(radio.vary(dry, rng)), item.text, None
        text = item.text
        if rng.random() < self.joined and len(dry) < LONGEST_JOINED:
            second = self.items[rng.integers(len(self.items))]
            more = load(second.path)
            if len(more) < LONGEST_JOINED:
                gap = np.zeros(int(RATE * rng.uniform(0.03, 0.3)), np.float32)
                dry, text = np.concatenate([dry / radio.rms(dry), gap, more / radio.rms(more)]), f"{item.text} {second.text}"
        other = load(self.items[rng.integers(len(self.items))].path) if rng.random() < 0.06 else None
        sound, alone = radio.transmit_both(dry, rng, other, self.hard)
        return radio.as_recogniser_hears(sound), text, radio.as_recogniser_hears(alone) if self.taught else None

    def __iter__(self):
        """(pcm [B, samples], texts), and with `taught` pcm of the same shape without the channel, zeros where there is none; clips of a
        batch are about as long as each other."""
        while True:
            self.refresh()
            r = random.Random(f"{self.seed} {self.drawn}")
            for _ in range(12):
                picked = r.choices(self.items, self.weights, k=self.batch * 6)
                made = []
                for item in picked:
                    made.append(self.sample(item, self.drawn))
                    self.drawn += 1
                made.sort(key=lambda m: len(m[0]))
                groups = [made[i : i + self.batch] for i in range(0, len(made), self.batch)]
                r.shuffle(groups)
                for group in groups:
                    slack = r.choice([0, 0, 1, 2, 3]) * STEP
                    heard, texts = padded([a for a, _, _ in group], slack), [t for _, t, _ in group]
                    yield (heard, texts, padded([np.zeros_like(a) if c is None else c for a, _, c in group], slack)) if self.taught else (heard, texts)


def kept_back(item: Item) -> bool:
    return sum(Path(item.path).name.encode()) % 40 == 0


def read(net, words, sound: np.ndarray) -> str:
    """What the model writes for one sound, which is brought to the form that the recogniser gives it."""
    pcm = torch.from_numpy(padded([radio.as_recogniser_hears(sound)]))
    return words.text(net.greedy(pcm, words.prompt, words.end)[0])


def padded(clips: list[np.ndarray], slack: int = 0) -> np.ndarray:
    length = max(len(c) for c in clips) + APPEND
    length += -length % STEP + slack
    return np.stack([np.pad(c, (0, length - len(c))) for c in clips])
