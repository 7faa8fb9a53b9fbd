"""Word error rates to choose weights by: a human voice and items that training kept back, without a channel, through an easy and through the hardest one.

    python choose.py --checkpoint A.safetensors B.safetensors --tokens tokens.json --tokenizer tokenizer.json --speech WORK/speech/1 WORK/speech/2

Columns, each as clean/easy/hard:
    rows     rows of spelling words, digits and numbers, put together from single prompts of one telephone voice: nothing can be guessed from context
    phrases  whole prompts of that voice, words that no radio says
    kokoro, others   items kept back, by synthesiser

The prompts are Debian's asterisk-core-sounds-en-wav and asterisk-core-sounds-en (CC-BY-SA: for measuring only, nothing of them goes into training).
The channel is radio.py with draws of its own. The 95 % interval behind a rate is a bootstrap over clips.
"""
from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "speech"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "export"))
import radio
from corpus import RATE, kept_back, load, padded, read_manifests
from error_rate import error_rate
from model import from_weights
from weights import from_safetensors
from words import Words

SOUNDS = Path("/usr/share/asterisk/sounds/en_US_f_Allison")
LIST = Path("/usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz")
DIGITS = "zero one two three four five six seven eight nine".split()
NUMBERS = dict(zip("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety".split(), [*range(10, 21), 30, 40, 50, 60, 70, 80, 90]))
LETTERS = "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey x-ray yankee zulu".split()
LEVELS = {"clean": None, "easy": 0.0, "hard": 1.0}
Clips = list[tuple[str, np.ndarray]]


def spoken_part(x: np.ndarray) -> np.ndarray:
    loud = np.flatnonzero(np.abs(x) > 0.02 * np.abs(x).max())
    return x[max(0, loud[0] - 200) : loud[-1] + 400]


def rows(count: int) -> Clips:
    files = {name: SOUNDS / f"digits/{i}.wav" for i, name in enumerate(DIGITS)}
    files |= {name: SOUNDS / f"digits/{i}.wav" for name, i in NUMBERS.items()}
    files |= {name: SOUNDS / f"digits/{name}.wav" for name in ("hundred", "thousand")}
    files |= {name: SOUNDS / f"phonetic/{name[0]}_p.wav" for name in LETTERS if name != "x-ray"}
    files = {name: path for name, path in files.items() if path.exists()}
    often = [6 if name in DIGITS else 2 if name in LETTERS else 1 for name in files]
    r, out = random.Random(5), []
    for _ in range(count):
        words = r.choices(list(files), often, k=r.randint(4, 8))
        parts = [p for w in words for p in (spoken_part(load(str(files[w]))), np.zeros(int(RATE * r.uniform(0.02, 0.12)), np.float32))]
        out.append((" ".join(words), np.concatenate(parts)))
    return out


def phrases(count: int) -> Clips:
    found = []
    for line in gzip.open(LIST, "rt", errors="ignore"):
        name, colon, text = line.strip().partition(":")
        text = " ".join(re.sub(r"[^a-z' ]", " ", text.lower()).split())
        path = SOUNDS / f"{name.strip()}.wav"
        if colon and not line.startswith(";") and "/" not in name and path.exists() and 4 <= len(text.split()) <= 14:
            found.append((text, path))
    random.Random(6).shuffle(found)
    clips = ((text, load(str(path))) for text, path in found)
    return [clip for clip in clips if len(clip[1]) < 8 * RATE][:count]


def kept(folders: list[Path], count: int) -> dict[str, Clips]:
    items = sorted((i for i in read_manifests(folders) if kept_back(i) and i.text), key=lambda i: i.path)
    # spread over the folders: the first ones alone would be one shard's
    random.Random(7).shuffle(items)
    sets = {"kokoro": [i for i in items if i.engine == "kokoro"], "others": [i for i in items if i.engine != "kokoro"]}
    return {name: [(i.text, load(i.path)) for i in some[:count]] for name, some in sets.items()}


def rate(net, words: Words, clips: Clips, hard: float | None) -> str:
    heard = []
    for i, (text, sound) in enumerate(clips):
        sent = sound if hard is None else radio.transmit(sound, np.random.default_rng([3, i]), None, hard)
        heard.append((text, radio.as_recogniser_hears(sent)))
    heard.sort(key=lambda c: len(c[1]))
    pairs = []
    for at in range(0, len(heard), 8):
        batch = heard[at : at + 8]
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            said = net.greedy(torch.from_numpy(padded([c for _, c in batch])), words.prompt, words.end, 60)
        pairs += [(text, words.text(tokens)) for (text, _), tokens in zip(batch, said, strict=True)]
    return "{:.3f} ({:.3f}–{:.3f})".format(*error_rate(pairs))


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--checkpoint", type=Path, nargs="+", required=True)
    p.add_argument("--tokens", type=Path, required=True)
    p.add_argument("--tokenizer", type=Path, required=True)
    p.add_argument("--speech", type=Path, nargs="+", required=True)
    p.add_argument("--count", type=int, default=75, help="clips of each set")
    p.add_argument("--threads", type=int, default=2)
    a = p.parse_args()
    if not SOUNDS.exists() or not LIST.exists():
        p.error("the human voice is in Debian's packages asterisk-core-sounds-en and asterisk-core-sounds-en-wav, which are not installed")
    torch.set_num_threads(a.threads)
    sets = {"rows": rows(a.count), "phrases": phrases(a.count), **kept(a.speech, a.count)}
    print({name: f"{len(clips)} clips, {sum(len(t.split()) for t, _ in clips)} words" for name, clips in sets.items()})
    words = Words(a.tokenizer, json.loads(a.tokens.read_text()))
    for checkpoint in a.checkpoint:
        net = from_weights(from_safetensors(checkpoint)).eval()
        print(checkpoint.name)
        for name, clips in sets.items():
            print(f"  {name:8}", *(f"{level} {rate(net, words, clips, hard)}" for level, hard in LEVELS.items()), flush=True)


if __name__ == "__main__":
    main()
