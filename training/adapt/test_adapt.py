"""python -m unittest training/adapt/test_adapt.py   (needs numpy, scipy, soundfile)"""
from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import soundfile

sys.path.insert(0, str(Path(__file__).resolve().parent))
from layouts import Broken, Piece, atcosim, folder, jsonl, kaldi, spoken


class Words(unittest.TestCase):
    def test_numbers_are_read_digit_by_digit(self) -> None:
        self.assertEqual(spoken("Contact Tower 118.35, Speedbird 12"), "contact tower one one eight decimal three five speedbird one two")

    def test_marks_are_taken_away(self) -> None:
        self.assertEqual(spoken("[#callsign]Oscar Kilo[/#callsign] descend [HNOISE] <s>"), "oscar kilo descend")
        self.assertEqual(spoken("@zurich ~k~l~m tr= <FL> guten tag </FL> five"), "zurich klm tr five")
        self.assertEqual(spoken("[ground_|] (CSA(see es ay)) one [|_air]"), "csa one")

    def test_spellings_are_made_one(self) -> None:
        self.assertEqual(spoken("niner tree alpha centre"), "nine three alfa center")

    def test_what_was_not_understood_is_not_used(self) -> None:
        for text in ("climb [unintelligible] two", "climb *** two", "<unk> climb"):
            self.assertIsNone(spoken(text))


class Layouts(unittest.TestCase):
    def setUp(self) -> None:
        self.scratch = tempfile.TemporaryDirectory()
        self.root = Path(self.scratch.name)
        soundfile.write(self.root / "a.wav", np.random.default_rng(1).normal(0, 0.1, 8000 * 6), 8000)

    def tearDown(self) -> None:
        self.scratch.cleanup()

    def test_text_beside_sound(self) -> None:
        (self.root / "a.txt").write_text("turn left\nheading one two zero\n")
        self.assertEqual(list(folder(self.root)), [Piece(self.root / "a.wav", "turn left heading one two zero")])

    def test_sound_without_words_is_named(self) -> None:
        (found,) = folder(self.root)
        self.assertIsInstance(found, Broken)
        self.assertIn("a.wav", found.where)

    def test_atco2(self) -> None:
        (self.root / "a.xml").write_text("<data><segment><start>0.5</start><end>2.25</end><text>[#command] climb [/#command]</text><tags><non_english>0</non_english></tags></segment><segment><start>3</start><end>4</end><text>dobry den</text><tags><non_english>1</non_english></tags></segment></data>")
        first, second = folder(self.root)
        self.assertEqual((first.start, first.end, first.foreign), (0.5, 2.25, False))
        self.assertTrue(second.foreign)

    def test_broken_xml_is_named_and_the_rest_is_done(self) -> None:
        (self.root / "a.xml").write_text("<data><segment>")
        soundfile.write(self.root / "b.wav", np.zeros(8000), 8000)
        (self.root / "b.txt").write_text("roger")
        first, second = folder(self.root)
        self.assertIsInstance(first, Broken)
        self.assertEqual(second.text, "roger")

    def test_stm_and_textgrid_and_trs(self) -> None:
        (self.root / "a.stm").write_text(";; comment\na 1 pilot 0.10 1.50 <o,f0> roger two\nbroken line\n")
        piece, broken = folder(self.root)
        self.assertEqual((piece.text, piece.start, piece.end), ("roger two", 0.1, 1.5))
        self.assertIn(":3", broken.where)
        (self.root / "a.stm").unlink()
        (self.root / "a.TextGrid").write_text('xmin = 0.2\n xmax = 1.4\n text = "wilco"\n xmin = 1.4\n xmax = 2\n text = ""\n')
        self.assertEqual([(p.text, p.start, p.end) for p in folder(self.root)], [("wilco", 0.2, 1.4)])
        (self.root / "a.TextGrid").unlink()
        (self.root / "a.trs").write_text('<?xml version="1.0"?><Trans><Turn startTime="0" endTime="3"><Sync time="0"/>one two<Sync time="1.5"/>\nthree</Turn></Trans>')
        self.assertEqual([(p.text, p.start, p.end) for p in folder(self.root)], [("one two", 0.0, 1.5), ("three", 1.5, 3.0)])

    def test_atcosim(self) -> None:
        for part in ("WAVdata/zf1/zf1_01", "TXTdata/zf1/zf1_01"):
            (self.root / part).mkdir(parents=True)
        soundfile.write(self.root / "WAVdata/zf1/zf1_01/x.wav", np.zeros(8000), 8000)
        (self.root / "TXTdata/zf1/zf1_01/x.txt").write_text("lufthansa five\n")
        self.assertEqual([p.text for p in atcosim(self.root)], ["lufthansa five"])

    def test_kaldi(self) -> None:
        (self.root / "wav.scp").write_text("rec a.wav\nother sox x |\n")
        (self.root / "segments").write_text("u1 rec 0.5 1.5\nu2 other 0 1\n")
        (self.root / "text").write_text("u1 climb\nu2 descend\n")
        first, second = kaldi(self.root)
        self.assertEqual((first.text, first.start, first.end), ("climb", 0.5, 1.5))
        self.assertIn("command", second.why)

    def test_lines_and_a_hugging_face_folder(self) -> None:
        (self.root / "x.jsonl").write_text('{"path": "a.wav", "sentence": "one", "start": 1, "end": 2}\nnot json\n')
        first, second = jsonl(self.root / "x.jsonl", {"audio": "path", "text": "sentence"})
        self.assertEqual((first.audio, first.text, first.start), (self.root / "a.wav", "one", 1.0))
        self.assertIn(":2", second.where)
        (self.root / "metadata.csv").write_text("file_name,transcription\na.wav,two\n")
        self.assertEqual([p.text for p in jsonl(self.root)], ["two"])

    def test_prepare_reports_and_goes_on(self) -> None:
        (self.root / "a.txt").write_text("turn left heading one two zero")
        (self.root / "bad.wav").write_bytes(b"RIFFnothing")
        (self.root / "bad.txt").write_text("hello")
        out = self.root / "out"
        run = subprocess.run([sys.executable, str(Path(__file__).parent / "prepare.py"), "--layout", "folder", "--in", str(self.root), "--out", str(out)], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = [json.loads(line) for part in ("train", "held-out") for line in (out / part / "manifest.jsonl").read_text().splitlines()]
        self.assertEqual([line["text"] for line in lines], ["turn left heading one two zero"])
        self.assertIn("bad.wav", (out / "left-out.tsv").read_text())
        samples, rate = soundfile.read(out / ("train" if (out / "train" / lines[0]["file"]).exists() else "held-out") / lines[0]["file"])
        self.assertEqual((rate, len(samples)), (16_000, 96_000))


if __name__ == "__main__":
    unittest.main()
