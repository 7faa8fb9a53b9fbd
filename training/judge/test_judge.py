"""Tests of the generator and the words: python -m unittest test_judge.py"""
from __future__ import annotations

import json
import unittest
from collections import Counter
from itertools import islice
from pathlib import Path

from pairs import LEVEL_OF, LEVELS, MARKS, PAPER, TYPES, stream
from words import halves, normal


def words(text: str) -> str:
    return " ".join(normal(text).words)


class Words(unittest.TestCase):
    def test_forms_of_one_number_are_one(self) -> None:
        for text in ("flight level two four zero", "FL240", "fl two four zero", "flight level two forty", "flight level 240"):
            self.assertEqual(words(text), "flight level two four zero")
        for text in ("four thousand five hundred feet", "4500 feet", "forty-five hundred feet"):
            self.assertEqual(words(text), "four thousand five hundred feet")
        self.assertEqual(words("runway 27L 124.35 qnh 1000"), "runway two seven left one two four decimal three five qnh one zero zero zero")
        self.assertEqual(words("twelve twenty niner ten"), "one two two nine one zero")

    def test_another_number_stays_another(self) -> None:
        self.assertNotEqual(words("one hundred"), words("one thousand"))
        self.assertNotEqual(words("five thousand feet"), words("five hundred feet"))
        self.assertNotEqual(words("fifteen"), words("fifty"))

    def test_features_tell_numbers_that_come_back(self) -> None:
        said, back = halves("climb flight level two four zero", "climbing FL250")
        number = lambda half: [f // 3 % 3 for f in half.features]  # noqa: E731
        self.assertEqual(number(said), [0, 0, 0, 1, 1, 1])
        self.assertEqual(number(halves("climb flight level two four zero", "climbing FL240")[0]), [0, 0, 0, 2, 2, 2])
        self.assertEqual([f % 3 for f in back.features], [0, 1, 1, 1, 1, 1])

    def test_fixtures_are_what_the_words_are(self) -> None:
        for pair in json.loads((Path(__file__).parent / "fixtures.json").read_text())["pairs"]:
            for half, rows in zip(halves(pair["instruction"], pair["readback"]), pair["halves"]):
                self.assertEqual([[w, s, f] for w, s, f in zip(half.words, half.sources, half.features)], rows)


class Pairs(unittest.TestCase):
    def test_same_seed_same_pairs_balanced(self) -> None:
        one, again = list(islice(stream(3), 200)), list(islice(stream(3), 200))
        self.assertEqual(one, again)
        self.assertEqual(set(Counter(p.error_type for p in one).values()), {20})
        self.assertEqual(one[150:160], list(islice(stream(3, start=150), 10)))

    def test_marks_fit_words_and_type(self) -> None:
        for p in [*islice(stream(4), 600), *islice(stream(5, True), 300)]:
            self.assertEqual(len(p.instruction.split()), len(p.instruction_marks))
            self.assertEqual(len(p.readback.split()), len(p.readback_marks))
            self.assertEqual(p.risk_level, LEVELS[LEVEL_OF[TYPES.index(p.error_type)]])
            marks = set(p.instruction_marks) | set(p.readback_marks)
            self.assertLessEqual(marks, set(MARKS))
            wanted = {"VALUE": "wrong", "OMISSION": "missing", "CONSTRAINT": "condition", "TARGET": "target", "FILLER": "filler", "NUMBER": "format"}.get(p.error_type.split("_")[0])
            if wanted and not (p.error_type.startswith("VALUE") and "side" in p.edit):
                self.assertIn(wanted, marks, p)
            if p.risk_level == "CORRECT":
                self.assertFalse(marks & {"wrong", "missing", "condition", "target"}, p)
            if p.profile == "paper" and p.error_type != "CORRECT" and p.affected_slot:
                self.assertIn(p.affected_slot, PAPER | {"callsign", "condition"}, p)

    def test_held_out_pairs_have_names_of_their_own(self) -> None:
        seen = " ".join(p.instruction for p in islice(stream(6), 1500))
        for p in islice(stream(6, True), 200):
            name = p.instruction.split()[0]
            if name in ("edelweiss", "spicejet", "rafair", "azal"):
                self.assertNotIn(f" {name} ", seen)


if __name__ == "__main__":
    unittest.main()
