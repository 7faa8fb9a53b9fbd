"""From two texts to what a network reads: words in one normal form, and for every word whether it stands in the other half as well.

engine/llm/pair-words.ts does the same for the product; test_words.py and its test hold both to fixtures.json.
"""
from __future__ import annotations

import re
from dataclasses import dataclass

DIGITS = "zero one two three four five six seven eight nine".split()
TEENS = {w: f"one {DIGITS[i]}" for i, w in enumerate("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split())}
TENS = {w: DIGITS[i + 2] for i, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())}
SAME = {"niner": "nine", "tree": "three", "fife": "five", "alfa": "alpha", "juliett": "juliet", "x-ray": "xray", "centre": "center", "dayseemal": "decimal", "point": "decimal"}
SIDES = {"l": "left", "r": "right", "c": "center"}
ONE_TO_NINE = set(DIGITS[1:])
NUMBER = {*DIGITS, "decimal", "thousand", "hundred"}
# figures behind these are never hundreds or thousands
SINGLY = {"qnh", "altimeter", "squawk", "squawking"}
# how a word was written: plainly, in figures, in groups
PLAIN, FIGURES, GROUPS = 0, 1, 2
LONGEST = 6


@dataclass(frozen=True)
class Said:
    """Words in normal form; how each was written; the raw word that each comes from."""

    words: list[str]
    forms: list[int]
    sources: list[int]


def figures(digits: str, before: str) -> list[str]:
    if len(digits) in (4, 5) and digits.endswith("00") and before not in SINGLY:
        thousands, hundreds = digits[:-3], digits[-3]
        if thousands.strip("0"):
            return [*(DIGITS[int(c)] for c in thousands), "thousand", *([] if hundreds == "0" else [DIGITS[int(hundreds)], "hundred"])]
    return [DIGITS[int(c)] for c in digits]


def normal(text: str) -> Said:
    """Lower case; figures as digits said singly; "forty five" as "four five"; spellings of one word as one."""
    raw: list[str] = []
    source_of: list[int] = []
    for at, word in enumerate(text.lower().split()):
        word = word.strip(",.;:?!\"'()")
        for piece in [word] if word == "x-ray" else word.split("-"):
            if piece:
                raw.append(SAME.get(piece, piece))
                source_of.append(at)
    words: list[str] = []
    forms: list[int] = []
    sources: list[int] = []

    def put(new: list[str], form: int, source: int) -> None:
        words.extend(new)
        forms.extend([form] * len(new))
        sources.extend([source_of[source]] * len(new))

    for i, word in enumerate(raw):
        before = words[-1] if words else ""
        level = re.fullmatch(r"fl(\d+)?", word)
        number = re.fullmatch(r"(\d+)(?:\.(\d+))?([lrc])?", word)
        if level:
            put(["flight", "level", *figures(level[1] or "", "qnh")], FIGURES, i)
        elif number:
            whole, part, side = number[1], number[2], number[3]
            put([*figures(whole, before), *([] if part is None else ["decimal", *(DIGITS[int(c)] for c in part)]), *([] if side is None else [SIDES[side]])], FIGURES, i)
        elif word in TEENS:
            put(TEENS[word].split(), GROUPS, i)
        elif word in TENS:
            following = raw[i + 1] if i + 1 < len(raw) else ""
            put([TENS[word]] if following in ONE_TO_NINE else [TENS[word], "zero"], GROUPS, i)
        elif word in ONE_TO_NINE and i > 0 and raw[i - 1] in TENS:
            put([word], GROUPS, i)
        elif word == "hundred" and before in NUMBER:
            start = len(words)
            while start > 0 and words[start - 1] in NUMBER:
                start -= 1
            run, following = words[start:], raw[i + 1] if i + 1 < len(raw) else ""
            if "thousand" in run:
                put(["hundred"], PLAIN, i)
            elif len(run) >= 2 and forms[-1] == GROUPS and forms[-2] == GROUPS:  # "forty five hundred"
                last = words.pop()
                forms.pop(), sources.pop()
                put(["thousand"], GROUPS, i)
                if last != "zero":
                    put([last, "hundred"], GROUPS, i)
            elif following in ("feet", "thousand"):
                put(["hundred"], PLAIN, i)
            else:
                put(["zero", "zero"], GROUPS, i)
        else:
            put([word], PLAIN, i)
    return Said(words, forms, sources)


def runs(words: list[str]) -> list[tuple[int, int]]:
    """[from, to) of every longest stretch of number words, with the side behind it."""
    found, at = [], 0
    while at < len(words):
        if words[at] not in NUMBER:
            at += 1
            continue
        end = at
        while end < len(words) and words[end] in NUMBER:
            end += 1
        if end < len(words) and words[end] in ("left", "right", "center"):
            end += 1
        found.append((at, end))
        at = end
    return found


def matches(own: list[str], other: list[str]) -> list[int]:
    """For every word the length of the longest stretch around it that stands in the other half word for word, at most LONGEST."""
    best = [0] * len(own)
    ending = [0] * (len(other) + 1)
    for i, word in enumerate(own):
        now = [0] * (len(other) + 1)
        for j, there in enumerate(other):
            if word == there:
                length = now[j + 1] = ending[j] + 1
                for k in range(i - length + 1, i + 1):
                    best[k] = max(best[k], length)
        ending = now
    return [min(b, LONGEST) for b in best]


def numbers(own: list[str], other: list[str]) -> list[int]:
    """0: no number; 1: a number that the other half does not have; 2: one that it has."""
    there = {tuple(other[a:b]) for a, b in runs(other)}
    out = [0] * len(own)
    for a, b in runs(own):
        out[a:b] = [2 if tuple(own[a:b]) in there else 1] * (b - a)
    return out


@dataclass(frozen=True)
class Half:
    words: list[str]
    sources: list[int]
    # one of FEATURES for each word
    features: list[int]


FEATURES = (LONGEST + 1) * 3 * 3


def halves(instruction: str, readback: str) -> tuple[Half, Half]:
    a, b = normal(instruction), normal(readback)

    def half(own: Said, other: Said) -> Half:
        m, n = matches(own.words, other.words), numbers(own.words, other.words)
        return Half(own.words, own.sources, [(m[i] * 3 + n[i]) * 3 + own.forms[i] for i in range(len(m))])

    return half(a, b), half(b, a)
