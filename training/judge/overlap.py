"""What the training texts share with the benchmark: exact sentences, exact pairs, names, and runs of words.

    python overlap.py --bench ../../fixtures/bench/task2.jsonl --count 20000

Runs are counted twice: as they are, and without those that hold a number or a name (what is left is phrasing).
"""
from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from pairs import HELD_OPERATORS, HELD_PLACES, LETTERS, OPERATORS, PLACES, stream

NUMBER = re.compile(r"^(zero|one|two|three|four|five|six|seven|eight|niner?|ten|eleven|twelve|\w+teen|\w+ty|hundred|thousand|decimal|point|\d.*|fl.*)$")


def runs(texts: list[str], length: int, phrasing: set[str] | None) -> set[str]:
    out = set()
    for text in texts:
        words = text.lower().split()
        for i in range(len(words) - length + 1):
            run = words[i : i + length]
            if phrasing is None or not any(NUMBER.match(w) or w in phrasing for w in run):
                out.add(" ".join(run))
    return out


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bench", type=Path, required=True)
    p.add_argument("--words", type=Path, default=Path(__file__).parents[2] / "engine/bench/reconstruction/words.ts", help="where the benchmark's names are listed")
    p.add_argument("--count", type=int, default=20_000)
    a = p.parse_args()
    items = [json.loads(line) for line in a.bench.read_text().splitlines()]
    bench = [t for i in items for t in (i["instruction"], i["readback"])]
    pairs = [pair for held in (False, True) for _, pair in zip(range(a.count // 2), stream(1 if not held else 900_001, held))]
    ours = [t for pair in pairs for t in (pair.instruction, pair.readback)]
    source = a.words.read_text()
    lists = {name: re.search(rf"export const {name} = list\(\s*'([^']+)'", source)[1].split("|") for name in ("AIRLINES", "FIXES", "PLACES")}
    said = " " + " ".join(ours) + " "
    names = {w for group in (*lists.values(), OPERATORS, HELD_OPERATORS, PLACES, HELD_PLACES, LETTERS) for name in group for w in name.split()}
    print(f"benchmark {len(items)} pairs, ours {len(pairs)} (half of them held-out wordings)")
    print(f"same pair: {len({(p.instruction, p.readback) for p in pairs} & {(i['instruction'], i['readback']) for i in items})}; same sentence: {len(set(ours) & set(bench))}")
    for name, group in lists.items():
        shared = [x for x in group if f" {x} " in said]
        print(f"{name.lower()} of the benchmark that are in ours: {len(shared)}/{len(group)} {' '.join(shared)}")
    for length in (3, 4, 5, 6):
        theirs, mine = runs(bench, length, None), runs(ours, length, None)
        phrases, my_phrases = runs(bench, length, names), runs(ours, length, names)
        both = phrases & my_phrases
        print(f"runs of {length}: {len(theirs & mine)}/{len(theirs)}; without numbers and names {len(both)}/{len(phrases)}{': ' + '; '.join(sorted(both)[:40]) if length >= 5 else ''}")


if __name__ == "__main__":
    main()
