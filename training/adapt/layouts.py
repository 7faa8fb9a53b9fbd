"""Labelled recordings in the layouts that people have them → pieces with their words. Nothing is guessed: what cannot be read is reported.

Layouts, as their publishers describe them:
    folder    NAME.wav (or .flac, .mp3, .ogg, .opus) with NAME.txt, the words of the whole file; or NAME.stm, NAME.TextGrid, NAME.trs
    atco2     NAME.wav with NAME.xml: <segment> with <start>, <end>, <text> ([#callsign] … [/#callsign] marks), <tags><non_english>
    atcosim   WAVdata/GROUP/SPEAKER/NAME.wav with TXTdata/GROUP/SPEAKER/NAME.txt; marks @ ~ = [HNOISE] <FL> … </FL>
    uwb       NAME.wav with NAME.trs or NAME.stm; marks [ground_|] [|_air], (WRITTEN(spoken))
    kaldi     wav.scp, text and, where there is one, segments
    jsonl     lines {"audio": path, "text": …, "start": s, "end": s}; `fields` renames them. metadata.csv / metadata.jsonl of a
              Hugging Face audio folder (file_name, and text or transcription) are read by themselves
"""
from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as Xml
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

AUDIO = (".wav", ".flac", ".mp3", ".ogg", ".opus", ".sph")


@dataclass(frozen=True)
class Piece:
    """`start`, `end` in seconds; None: the whole file. `text` as its publisher wrote it. `foreign`: not in English."""

    audio: Path
    text: str
    start: float | None = None
    end: float | None = None
    foreign: bool = False


@dataclass(frozen=True)
class Broken:
    """What could not be read, and why."""

    where: str
    why: str


Found = Iterator["Piece | Broken"]


def folder(root: Path) -> Found:
    for audio in sorted(p for p in root.rglob("*") if p.suffix.lower() in AUDIO):
        for suffix, read in ((".txt", _txt), (".xml", _atco2_xml), (".stm", _stm), (".TextGrid", _textgrid), (".trs", _trs)):
            beside = audio.with_suffix(suffix)
            if beside.exists():
                yield from _guarded(read, audio, beside)
                break
        else:
            yield Broken(str(audio), "has no .txt, .xml, .stm, .TextGrid or .trs of the same name beside it")


def atcosim(root: Path) -> Found:
    sound = root / "WAVdata" if (root / "WAVdata").is_dir() else root
    text = root / "TXTdata" if (root / "TXTdata").is_dir() else root
    for audio in sorted(sound.rglob("*.wav")):
        beside = (text / audio.relative_to(sound)).with_suffix(".txt")
        if beside.exists():
            yield from _guarded(_txt, audio, beside)
        else:
            yield Broken(str(audio), f"has no {beside.relative_to(root)}")


def kaldi(root: Path) -> Found:
    def table(name: str) -> dict[str, str]:
        return dict(line.split(maxsplit=1) for line in (root / name).read_text().splitlines() if len(line.split(maxsplit=1)) == 2)

    files, words = table("wav.scp"), table("text")
    cut = table("segments") if (root / "segments").exists() else {}
    for key, text in words.items():
        recording, *times = cut[key].split() if key in cut else [key]
        path = files.get(recording)
        if path is None or path.endswith("|"):
            yield Broken(f"{root / 'wav.scp'}: {recording}", "is missing" if path is None else "is a command; only files are read")
            continue
        yield Piece(root / path, text, *map(float, times))


def jsonl(path: Path, fields: dict[str, str] | None = None) -> Found:
    """`path`: a file, or a folder with metadata.jsonl or metadata.csv."""
    if path.is_dir():
        path = next((p for p in (path / "metadata.jsonl", path / "metadata.csv") if p.exists()), path / "metadata.jsonl")
    name = {"audio": "audio", "text": "text", "start": "start", "end": "end", **(fields or {})}
    with path.open(newline="") as file:
        rows = csv.DictReader(file) if path.suffix == ".csv" else file
        for number, row in enumerate(rows, 1):
            try:
                entry = row if isinstance(row, dict) else json.loads(row)
                audio = entry.get(name["audio"]) or entry["file_name"]
                text = entry[name["text"]] if name["text"] in entry else entry["transcription"]
                times = [float(entry[name[t]]) if entry.get(name[t]) not in (None, "") else None for t in ("start", "end")]
                yield Piece(path.parent / audio, text, *times)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                yield Broken(f"{path}:{number}", f"{type(error).__name__}: {error}")


LAYOUTS = {"folder": folder, "atco2": folder, "uwb": folder, "atcosim": atcosim, "kaldi": kaldi, "jsonl": jsonl}


def _guarded(read, audio: Path, beside: Path) -> Found:
    try:
        yield from read(audio, beside)
    except (OSError, ValueError, Xml.ParseError, UnicodeDecodeError) as error:
        yield Broken(str(beside), f"{type(error).__name__}: {error}")


def _read(path: Path) -> str:
    raw = path.read_bytes()
    for encoding in ("utf-8-sig", "utf-16", "cp1250"):
        if encoding == "utf-16" and not raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            continue
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise ValueError("is neither UTF-8, UTF-16 nor Windows-1250 text")


def _txt(audio: Path, path: Path) -> Found:
    yield Piece(audio, " ".join(_read(path).split()))


def _atco2_xml(audio: Path, path: Path) -> Found:
    segments = list(Xml.parse(path).getroot().iter("segment"))
    if not segments:
        raise ValueError("has no <segment>")
    for s in segments:
        foreign = (s.findtext("tags/non_english") or "0").strip() not in ("0", "")
        yield Piece(audio, s.findtext("text") or "", float(s.findtext("start") or 0), float(s.findtext("end") or 0) or None, foreign)


def _stm(audio: Path, path: Path) -> Found:
    for number, line in enumerate(_read(path).splitlines(), 1):
        if not line.strip() or line.startswith(";;"):
            continue
        parts = line.split(maxsplit=5)
        try:
            words = re.sub(r"^<[^>]*>\s*", "", parts[5]) if len(parts) > 5 else ""
            yield Piece(audio, words, float(parts[3]), float(parts[4]))
        except (IndexError, ValueError):
            yield Broken(f"{path}:{number}", "is not `file channel speaker start end words`")


def _textgrid(audio: Path, path: Path) -> Found:
    for low, high, words in re.findall(r'xmin = ([\d.]+)\s+xmax = ([\d.]+)\s+text = "((?:[^"]|"")*)"', _read(path)):
        if words.strip():
            yield Piece(audio, words.replace('""', '"'), float(low), float(high))


def _trs(audio: Path, path: Path) -> Found:
    for turn in Xml.fromstring(_read(path).encode()).iter("Turn"):
        # the words of a turn follow its <Sync time="…"/> marks
        marks = [(float(s.get("time") or 0), s.tail or "") for s in turn.iter("Sync")]
        ends = [t for t, _ in marks[1:]] + [float(turn.get("endTime") or 0)]
        for (start, words), end in zip(marks, ends):
            if words.strip():
                yield Piece(audio, " ".join(words.split()), start, end)


DIGITS = dict(zip("0123456789", "zero one two three four five six seven eight nine".split()))
# spoken otherwise than ICAO spells them, and spellings: one word each, as the recogniser writes it
SAME = {"centre": "center", "okay": "okay", "ok": "okay", "niner": "nine", "tree": "three", "fife": "five", "fower": "four", "alpha": "alfa", "juliet": "juliett", "xray": "x-ray", "affirmative": "affirm", "metre": "meter", "metres": "meters", "goodbye": "goodbye", "good-bye": "goodbye"}
UNHEARD = re.compile(r"\[(unintelligible|unk|unclear|xt|nonsense)[^\]]*\]|<unk>|\(unknown\)|<spoken_noise>|\*\*\*|\?\?\?", re.I)


def spoken(text: str) -> str | None:
    """Lower-case words as the recogniser writes them, or None when a part was not understood by whoever wrote it down.

    Marks are taken away, numbers are read digit by digit ("120.5": one two zero decimal five), spellings made one.
    """
    if UNHEARD.search(text):
        return None
    text = re.sub(r"<FL>.*?</FL>|<OT>.*?</OT>", " ", text)
    text = re.sub(r"\[/?#?[^\]]*\]|</?[^>]+>", " ", text)
    text = re.sub(r"\(([^()\s]+)\(([^()]*)\)\)", lambda m: m[1], text)  # (WRITTEN(spoken))
    text = re.sub(r"~(\w)(?:\s+(?=~)|)", r"\1", text)  # letters of an abbreviation
    text = text.replace("@", "").replace("=", "").lower().replace("’", "'")
    text = re.sub(r"(?<=\d)[.,](?=\d)", " decimal ", text)
    text = re.sub(r"\d", lambda m: f" {DIGITS[m[0]]} ", text)
    words = re.sub(r"[^a-zà-ž'\- ]", " ", text).replace(" - ", " ").split()
    return " ".join(SAME.get(w.strip("-'"), w.strip("-'")) for w in words if w.strip("-'"))
