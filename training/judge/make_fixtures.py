"""Writes fixtures.json: what words.py makes of texts, to hold engine/llm/pair-words.ts to it.

    python make_fixtures.py > fixtures.json
"""
from __future__ import annotations

import json

from pairs import stream
from words import LONGEST, halves

WRITTEN = [
    ("Austrian 707P descend altitude 4000 feet QNH 1000, cleared ILS runway 31.", "descend 4,000 feet qnh 1000 runway 31 austrian 707P"),
    ("climb FL240 contact 124.35 runway 27L", "fl two four zero one twenty-four point three five twenty seven left"),
    ("one-ninety knots forty-five hundred feet", "one niner zero knots four thousand five hundred feet"),
    ("flight level two hundred squawk 7000", "level two hundred squawking seven thousand"),
    ("seven hundred feet twelve hundred feet ten thousand", "x-ray juliett alfa centre tree fife"),
    ("heading ninety", "  heading   zero nine zero ?"),
    ("", "roger"),
]


def main() -> None:
    texts = WRITTEN + [(pair.instruction, pair.readback) for held in (False, True) for _, pair in zip(range(40), stream(31, held))]
    rows = []
    for instruction, readback in texts:
        both = halves(instruction, readback)
        rows.append({"instruction": instruction, "readback": readback, "halves": [[[w, s, f] for w, s, f in zip(h.words, h.sources, h.features)] for h in both]})
    print('{"longest": %d, "pairs": [' % LONGEST)
    print(",\n".join(json.dumps(row, separators=(",", ":")) for row in rows))
    print("]}")


if __name__ == "__main__":
    main()
