"""Synthetic pairs for Task 2: an instruction, a readback, and what is wrong with it. Deterministic; the gold comes from the edit made.

    python pairs.py --seed 1 --count 20             # one JSON line a pair
    python pairs.py --seed 1 --count 20 --held-out  # with the operators, fixes and wordings that training never sees

A scene is drawn as parts (a value with the words around it, perhaps a condition), a right readback of the parts is put together in other
words and another order, and one edit is made. Type, level and slot follow from the edit; so do the marks on the words (`marks`), which
say where it was made. Levels are those of arXiv 2608.24621, Table 2; profile `icao` also wants back what PANS-ATM 4.5.7.5 names.

Operators, places, fixes and wordings are its own: overlap.py counts what it shares with fixtures/bench.
"""
from __future__ import annotations

import argparse
import json
import random
from dataclasses import dataclass, field, replace

TYPES = "CORRECT FILLER_CORRECT NUMBER_FORMAT VALUE_HIGH OMISSION_HIGH CONSTRAINT_HIGH VALUE_CRITICAL OMISSION_CRITICAL TARGET_CRITICAL MULTI_ERROR".split()
LEVELS = "CORRECT HIGH CRITICAL EXTREME".split()
LEVEL_OF = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3]
SLOTS = "- altitude heading runway speed frequency callsign condition qnh squawk waypoint procedure taxiway".split()
# what an edit did to a word: nothing; another value; a value left out; a condition left out; another callsign; hesitation; another format
MARKS = "o wrong missing condition target filler format".split()

CRITICAL = {"altitude", "heading", "runway", "qnh"}
PAPER = {"altitude", "heading", "runway", "speed", "frequency"}
# order of consequence where several slots are wrong
WEIGHTIEST = ["callsign", "altitude", "runway", "heading", "qnh"]

DIGITS = "zero one two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
LETTERS = (
    "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform "
    "victor whiskey xray yankee zulu"
).split()
OPERATORS = (
    "lufthansa|speedbird|air france|klm|swiss|austrian|iberia|ryanair|easy|wizz air|eurowings|condor|turkish|scandinavian|nor shuttle|finnair|iceair|"
    "shamrock|beeline|tomjet|channex|transavia|vueling|air portugal|europa|itarrow|lot|skytravel|tarom|croatia|aegean|olympic|air baltic|cargolux|"
    "quality|fedex|giant|united|american|delta|southwest|jetblue|alaska|frontier flight|skywest|brickyard|envoy|endeavor|citrus|hawaiian|air canada|"
    "westjet|jazz|aeromexico|avianca|azul|argentina|emirates|etihad|qatari|saudia|gulf air|sky dubai|jordanian|cedar jet|el al|egyptair|ethiopian|"
    "kenya|springbok|air india|vistara|srilankan|singapore|scooter|malaysian|thai|philippine|cathay|dynasty|air china|china eastern|hainan|japan air|"
    "all nippon|korean air|asiana|qantas|velocity|jetstar|new zealand|virgin|netjets|execjet|reach|ascot"
).split("|")
HELD_OPERATORS = "edelweiss|helvetic|luxair|german cargo|spicejet|red cap|vietjet|cebu|skymark|jeju air|uzbek|azal|flexjet|topswiss|rafair|belavia|tunair|royalair maroc|copa|volaris".split("|")
PLACES = (
    "geneva zurich bern vienna salzburg munich frankfurt bremen hamburg berlin dresden praha brno budapest warsaw krakow riga vilnius tallinn helsinki "
    "stockholm oslo bergen dublin shannon london manchester scottish brussels amsterdam paris reims marseille lyon madrid barcelona lisbon porto roma "
    "milano napoli athens istanbul ankara sofia zagreb kiev tbilisi beirut cairo tunis dubai doha delhi mumbai bangkok singapore jakarta manila taipei "
    "tokyo osaka sydney melbourne brisbane auckland boston chicago denver dallas houston miami atlanta memphis seattle oakland phoenix toronto montreal"
).split()
HELD_PLACES = "basel lugano gothenburg luxembourg venice lagos nairobi karachi dhaka perth detroit newark calgary bogota lima".split()
UNITS = {"icao": "tower ground apron delivery approach departure director arrival radar control information".split(), "faa": "tower ground ramp clearance approach departure center final".split()}
TYPES_OF_AIRCRAFT = "a three twenty|seven three seven|seven eight seven|crj|learjet|cessna|king air|atr|heavy|gulfstream|md eleven|challenger".split("|")
# consonants around single vowels: no name of the benchmark, which begin with a vowel, comes out
_ONSETS = "b d f g h j k l m n p r s t v w z br dr gr kr pl st tr".split()
_VOWELS = "aeiou"
_CODAS = "l m n r s t k d p x g v b".split()

FILLERS = "uh um er ehm ah erm uhm eh".split()
HELLO = "good morning|good evening|hello|hi|morning|bonjour|guten tag|ciao|gruezi|servus|evening sir".split("|")
BYE = "bye|bye bye|goodbye|have a good one|thanks|cheers|so long|see you|ciao".split("|")


def below_hundred(n: int) -> str:
    return DIGITS[n] if n < 10 else TEENS[n - 10] if n < 20 else TENS[n // 10] + ("" if n % 10 == 0 else f" {DIGITS[n % 10]}")


def singly(figures: str) -> str:
    return " ".join(DIGITS[int(c)] for c in figures)


def grouped(figures: str) -> str:
    """two forty six, twelve thirty four, forty five; figures that have no group form singly."""
    if figures.startswith("0"):
        return singly(figures)
    if len(figures) == 2:
        return below_hundred(int(figures))
    if len(figures) == 3:
        return f"{DIGITS[int(figures[0])]} hundred" if figures[1:] == "00" else singly(figures) if figures[1] == "0" else f"{DIGITS[int(figures[0])]} {below_hundred(int(figures[1:]))}"
    if len(figures) == 4:
        return singly(figures) if figures[2] == "0" else f"{below_hundred(int(figures[:2]))} {below_hundred(int(figures[2:]))}"
    return singly(figures)


@dataclass(frozen=True)
class Condition:
    said: str
    back: str


@dataclass(frozen=True)
class Part:
    """`said`, `back`: words with {} for the value; `bare`: what is left when the value alone is left out, or None."""

    slot: str
    value: str
    said: str
    back: str
    bare: str | None = None
    condition: Condition | None = None
    form: str = "standard"
    # what an edit did to this copy of it
    state: str = "right"
    condition_state: str = "right"


@dataclass(frozen=True)
class Callsign:
    operator: str
    code: str
    tail: str = ""
    groups: bool = False
    kind: str = "airline"


@dataclass
class Pair:
    id: str
    profile: str
    instruction: str
    readback: str
    error_type: str
    risk_level: str
    affected_slot: str | None
    edit: str
    instruction_marks: list[str] = field(default_factory=list)
    readback_marks: list[str] = field(default_factory=list)


class Pairs:
    """Draws pairs. Everything that is drawn comes from one generator of random numbers."""

    def __init__(self, seed: int | str, held_out: bool = False) -> None:
        self.r = random.Random(f"pairs {seed}")
        self.held_out = held_out
        self.book = "icao"
        self.profile = "paper"

    # ---- drawing
    def maybe(self, share: float) -> bool:
        return self.r.random() < share

    def one(self, choices):
        return self.r.choice(choices)

    def wording(self, choices: list):
        """Of four and more wordings the last quarter is held out: training never sees it, the held-out set mostly."""
        kept = len(choices) - len(choices) // 4
        if not self.held_out:
            return self.r.choice(choices[:kept])
        return self.r.choice(choices[kept:]) if kept < len(choices) and self.maybe(0.6) else self.r.choice(choices)

    def fix(self) -> str:
        r = self.r
        if self.maybe(0.1):
            return " ".join(r.choice(LETTERS) for _ in range(r.choice([2, 3])))
        if self.held_out:  # a rule of its own
            return r.choice(_ONSETS[:10]) + r.choice(_VOWELS) + r.choice("lmnrst") + r.choice("dgkptv") + r.choice(["ix", "ul", "ek", "om", "ar"])
        return r.choice(_ONSETS) + r.choice(_VOWELS) + r.choice(_CODAS) + (r.choice(_VOWELS) + r.choice([*_CODAS, ""]) if self.maybe(0.8) else r.choice(["ton", "dal", "ver", "mo"]))

    def operator(self) -> str:
        if self.held_out:
            return self.one(HELD_OPERATORS)
        if self.maybe(0.2):  # made-up, so that names are compared and not known
            return self.one(_ONSETS) + self.one(_VOWELS) + self.one(_CODAS) + self.one(["air", "jet", "wings", " air", "ia", "ana", "ways", " cargo", " express"])
        return self.one(OPERATORS)

    def unit(self) -> str:
        return f"{self.one(HELD_PLACES if self.held_out else PLACES)} {self.one(UNITS[self.book])}"

    # ---- callsigns
    def callsign(self) -> Callsign:
        r = self.r
        if self.maybe(0.08):
            tail = " ".join(r.choice(LETTERS) for _ in range(r.choice([2, 2, 3])))
            if self.book == "faa":
                # three figures leave room for two letters (14 CFR 47.15)
                return Callsign("november", str(r.randint(100, 999)), " ".join(tail.split(" ")[: 1 if self.maybe(0.5) else 2]), False, "private")
            mark, letters = r.choice(["golf", "delta echo", "hotel bravo", "foxtrot", "oscar echo", "papa hotel"]), f"{tail} {r.choice(LETTERS)}".split(" ")
            # five characters, the nationality mark among them (ICAO Annex 7)
            return Callsign(mark, "", " ".join(letters[: 5 - len(mark.split(" "))]), False, "private")
        length = r.choice([1, 2, 2, 3, 3, 3, 3, 4])
        code = str(r.randint(1, 9)) + "".join(str(r.randint(0, 9)) for _ in range(length - 1))
        letters = "" if length > 3 or self.maybe(0.68) else " ".join(r.choice(LETTERS) for _ in range(r.choice([1, 1, 2])))
        return Callsign(self.operator(), code, letters, self.maybe(0.75 if self.book == "faa" else 0.15))

    def say_callsign(self, c: Callsign, short: bool = False, own_form: bool = False) -> str:
        if short:  # the first character and at least the last two (ICAO Annex 10 vol. II, 5.2.1.7.2.2.1 a)
            return f"{c.operator.split(' ')[0]} {' '.join([*(DIGITS[int(d)] for d in c.code), *c.tail.split(' ')][-2:])}" if c.kind == "private" else " ".join(x for x in [singly(c.code), c.tail] if x)
        number = "" if c.code == "" else grouped(c.code) if c.groups != own_form else singly(c.code)
        return " ".join(x for x in [c.operator, number, c.tail] if x)

    def other_callsign(self, c: Callsign) -> Callsign:
        r, kind = self.r, self.r.random()
        letters = c.tail.split(" ") if c.tail else []
        if letters and (kind < 0.35 or not c.code):
            at = r.randrange(len(letters))
            letters[at] = r.choice([x for x in LETTERS if x != letters[at]])
            return replace(c, tail=" ".join(letters))
        if kind < 0.5 and c.kind == "airline":
            return replace(c, operator=self.other(self.operator, c.operator))
        if kind < 0.62 and len(c.code) > 1:
            swaps = [i for i in range(len(c.code) - 1) if c.code[i] != c.code[i + 1] and not (i == 0 and c.code[1] == "0")]
            if swaps:
                i = r.choice(swaps)
                return replace(c, code=c.code[:i] + c.code[i + 1] + c.code[i] + c.code[i + 2 :])
        if kind < 0.68 and len(c.code) > 2:
            return replace(c, code=c.code + str(r.randint(1, 9)) if len(c.code) == 3 and not c.tail else c.code[:-1] + str((int(c.code[-1]) + 5) % 10))
        at = r.randrange(len(c.code))
        return replace(c, code=c.code[:at] + r.choice([x for x in ("123456789" if at == 0 else "0123456789") if x != c.code[at]]) + c.code[at + 1 :])

    def other(self, make, than):
        for _ in range(50):
            it = make()
            if it != than:
                return it
        raise RuntimeError("no other value")

    # ---- values
    def value(self, slot: str) -> str:
        r, icao = self.r, self.book == "icao"
        match slot:
            case "altitude":
                if self.maybe(0.6):
                    return "F" + str((r.randint(5, 41) if icao else r.randint(18, 43)) * 10 + (5 if self.maybe(0.04) else 0)).zfill(3)
                return "A" + str(r.randint(1, 7 if icao else 17) * 1000 + (500 if self.maybe(0.3) else 0))
            case "heading":
                return str(r.randint(1, 72) * 5 if self.maybe(0.4) else r.randint(1, 36) * 10).zfill(3)
            case "runway":
                return str(r.randint(1, 36)).zfill(2) + r.choice(["", "", "L", "R", "C"] if self.maybe(0.3) else ["", "", "L", "R"])
            case "speed":
                return str(r.randint(13, 32) * 10)
            case "frequency":
                return f"1{r.randint(18, 36)}." + r.choice(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]) + r.choice(["", "", "", "5", "25", "75", "05", "50"])
            case "qnh":
                return str(r.randint(978, 1042)) if icao else str(r.randint(2890, 3079))
            case "squawk":
                return "".join(str(r.randint(0, 7)) for _ in range(4))
            case "waypoint":
                return self.fix()
            case "procedure":
                return f"{self.fix()} {DIGITS[r.randint(1, 9)]} {r.choice(LETTERS)}"
            case "taxiway":
                return " ".join(r.choice(LETTERS) + (f" {DIGITS[r.randint(1, 9)]}" if self.maybe(0.3) else "") for _ in range(r.choice([1, 2, 2, 3])))
        raise ValueError(slot)

    def wrong_value(self, slot: str, of: str) -> str:
        """Another value of the same kind that may be misheard for it: a figure, two figures in the other order, the side."""
        r = self.r

        def near(figures: str, low: int, high: int, step: int) -> str:
            for _ in range(60):
                kind = r.random()
                if kind < 0.25 and len(figures) > 1:
                    i = r.randrange(len(figures) - 1)
                    new = figures[:i] + figures[i + 1] + figures[i] + figures[i + 2 :]
                elif kind < 0.7:
                    i = r.randrange(len(figures))
                    new = figures[:i] + r.choice("0123456789") + figures[i + 1 :]
                else:
                    new = str(int(figures) + step * r.choice([-10, -3, -2, -1, 1, 2, 3, 10])).zfill(len(figures))
                if new != figures and new.isdigit() and len(new) == len(figures) and low <= int(new) <= high and int(new) % step == 0:
                    return new
            return str(low + step).zfill(len(figures)) if int(figures) != low + step else str(low).zfill(len(figures))

        match slot:
            case "altitude":
                if self.maybe(0.06):  # another unit
                    return "A" + str(int(of[1:]) * 100) if of[0] == "F" and int(of[1:]) <= 170 and int(of[1:]) % 5 == 0 else "F" + str(int(of[1:]) // 100).zfill(3) if of[0] == "A" else self.other(lambda: self.value(slot), of)
                if self.maybe(0.2):
                    return self.other(lambda: self.value(slot), of)
                return of[0] + (near(of[1:], 30, 450, 10 if of.endswith("0") else 5) if of[0] == "F" else str(int(of[1:]) + r.choice([d for d in (-2000, -1000, -500, 500, 1000, 2000, 3000) if 1000 <= int(of[1:]) + d <= 17500])))
            case "heading":
                return near(of, 5, 360, 5) if self.maybe(0.8) else self.other(lambda: self.value(slot), of)
            case "runway":
                number, side = of[:2], of[2:]
                if side and self.maybe(0.5):
                    return number + r.choice([s for s in ("L", "R", "C", "") if s != side])
                if not side and self.maybe(0.15):
                    return number + r.choice("LR")
                return near(number, 1, 36, 1) + side
            case "speed":
                return near(of, 120, 340, 10)
            case "frequency":
                mega, part = of.split(".")
                if self.maybe(0.5):
                    return f"{near(mega, 118, 136, 1)}.{part}"
                return f"{mega}." + self.other(lambda: self.value(slot).split(".")[1].ljust(len(part), "0")[: len(part)] if self.maybe(0.7) else self.value(slot).split(".")[1], part)
            case "qnh":
                return near(of, 950, 1050, 1) if int(of) < 2000 else near(of, 2850, 3099, 1)
            case "squawk":
                i = r.randrange(4)
                return of[:i] + r.choice([c for c in "01234567" if c != of[i]]) + of[i + 1 :]
            case "procedure":
                name = of.split(" ")
                at = -1 if self.maybe(0.5) else -2
                name[at] = r.choice([x for x in (LETTERS if at == -1 else DIGITS[1:]) if x != name[at]])
                return " ".join(name)
            case _:
                return self.other(lambda: self.value(slot), of)

    def say(self, slot: str, of: str, form: str = "standard") -> str | None:
        """A value in words; None where it has no such form. standard; groups; figures; short."""
        icao = self.book == "icao"
        side = {"L": " left", "R": " right", "C": " center"}
        match slot, form:
            case "altitude", _:
                figures = of[1:]
                if of[0] == "F":
                    return {
                        "standard": f"flight level {grouped(figures) if icao and figures.endswith('00') else singly(figures)}",
                        "groups": None if figures[0] == "0" or grouped(figures) == singly(figures) or figures.endswith("00") else f"flight level {grouped(figures)}",
                        "figures": f"flight level {figures}",
                        "short": self.one([f"fl{figures}", f"fl {singly(figures)}", f"FL{figures}"]),
                    }[form]
                thousands, rest = divmod(int(figures), 1000)
                feet = " feet" if icao else ""
                hundreds = f" {DIGITS[rest // 100]} hundred" if rest else ""
                return {
                    "standard": f"{singly(str(thousands))} thousand{hundreds}{feet}",
                    "groups": f"{below_hundred(thousands)} thousand{hundreds}{feet}" if thousands >= 10 else f"{below_hundred(int(figures) // 100)} hundred{feet}" if rest else None,
                    "figures": f"{figures}{feet}",
                    "short": f"{singly(figures)}{feet}" if not rest else None,
                }[form]
            case "heading", _:
                return {"standard": f"heading {singly(of)}", "groups": f"heading {grouped(of.lstrip('0') if of[0] == '0' and of[1] != '0' else of)}" if of[1] != "0" or of.endswith("00") and of[0] != "0" else None, "figures": f"heading {of}", "short": None}[form]
            case "runway", _:
                number = of[:2]
                return f"runway {({'standard': singly(number), 'groups': None if number[0] == '0' else below_hundred(int(number)), 'figures': number, 'short': None}[form]) or ''}{side.get(of[2:], '')}" if form in ("standard",) or (form == "groups" and number[0] != "0") else f"runway {number}{of[2:]}" if form == "figures" else None
            case "speed", _:
                return {"standard": f"{singly(of)} knots", "groups": None if grouped(of) == singly(of) else f"{grouped(of)} knots", "figures": f"{of} knots", "short": None}[form]
            case "frequency", _:
                mega, part = of.split(".")
                point = "decimal" if icao else "point"
                return {
                    "standard": f"{singly(mega)} {point} {singly(part)}",
                    "groups": f"{grouped(mega)} {point} {grouped(part) if len(part) == 2 and part[0] != '0' else singly(part)}",
                    "figures": of,
                    "short": None,
                }[form]
            case "qnh", _:
                word = "qnh" if icao else "altimeter"
                return {"standard": f"{word} {singly(of)}", "groups": f"{word} {grouped(of)}" if len(of) == 4 and grouped(of) != singly(of) else None, "figures": f"{word} {of}", "short": None}[form]
            case "squawk", _:
                return {"standard": f"squawk {singly(of)}", "groups": None, "figures": f"squawk {of}", "short": None}[form]
            case _, "standard":
                return of
        return None

    # ---- wordings
    def condition(self, slot: str) -> Condition:
        fix, r = self.fix(), self.r
        miles = singly(str(r.randint(3, 12)))
        level = singly(str(r.randint(5, 35) * 10).zfill(3))
        minutes = singly(f"{r.choice('0123456789')}{r.choice('0123456789')}")
        kind = self.one(TYPES_OF_AIRCRAFT)
        common = [
            (f"after passing {fix}", f"after passing {fix}", f"after {fix}", f"having passed {fix}", f"past {fix}"),
            (f"when passing {fix}", f"when passing {fix}", f"on passing {fix}", f"passing {fix}"),
            (f"at {fix}", f"at {fix}", f"at {fix}", f"when at {fix}"),
            ("if you can", "if possible", "when possible", "if we can"),
            (f"on reaching {fix}", f"on reaching {fix}", f"reaching {fix}", f"when reaching {fix}"),
            (f"passing flight level {level}", f"passing flight level {level}", f"through flight level {level}", f"when through level {level}"),
            (f"before {fix}", f"before {fix}", f"prior to {fix}", f"ahead of {fix}"),
            (f"once clear of {fix}", f"once clear of {fix}", f"when clear of {fix}"),
        ]
        own = {
            "altitude": [
                ("when ready", "when ready", "when ready", "at our discretion"),
                (f"cross {fix} at or above flight level {level}", f"cross {fix} at or above flight level {level}", f"{fix} at or above flight level {level}"),
                (f"not below flight level {level} until {fix}", f"not below flight level {level} until {fix}", f"at or above flight level {level} until {fix}"),
                (f"to cross {fix} at or below flight level {level}", f"to cross {fix} at or below flight level {level}", f"crossing {fix} at or below flight level {level}"),
                (f"be level {miles} miles before {fix}", f"level {miles} miles before {fix}", f"to be level {miles} miles before {fix}"),
                (f"within {miles} miles", f"within {miles} miles", f"inside {miles} miles"),
                (f"at pilots discretion", "at pilots discretion", "pilots discretion"),
                (f"not before time {minutes}", f"not before time {minutes}", f"not before {minutes}"),
                ("when you are on the localizer", "when on the localizer", "once on the localizer"),
                ("after departure", "after departure", "on departure"),
                (f"be level by {fix}", f"level by {fix}", f"reaching it by {fix}"),
                (f"at or above the glide path", "at or above the glide path", "not below the glide path"),
            ],
            "heading": [("until intercepting", "until intercepting", "until intercept"), ("after departure", "after departure", "on departure"), ("when airborne", "when airborne", "airborne"), ("until established on the localizer", "until established on the localizer", "until on the localizer"), (f"until {fix}", f"until {fix}", f"as far as {fix}")],
            "runway": [(f"after the departing {kind}", f"after the departing {kind}", f"behind the departing {kind}"), (f"behind the {kind} on short final", f"behind the {kind} on short final", f"after the {kind} on final"), ("when established", "when established", "established"), (f"after the {kind} has crossed", f"after the {kind} has crossed", f"once the {kind} is across")],
            "speed": [(f"until {miles} miles from touchdown", f"until {miles} miles from touchdown", f"until {miles} miles"), (f"until {miles} d m e", f"until {miles} d m e", f"to {miles} d m e"), ("or greater", "or greater", "or more"), ("or less", "or less", "or below"), (f"until {fix}", f"until {fix}", f"up to {fix}"), ("until further advised", "until further advised", "until advised")],
            "frequency": [("when airborne", "when airborne", "airborne"), (f"passing {fix}", f"passing {fix}", f"at {fix}"), ("when vacated", "when vacated", "having vacated"), ("after landing", "after landing", "when landed"), ("when established", "when established", "established"), ("when crossed", "when crossed", "having crossed")],
        }[slot]
        said, *backs = self.wording(own) if slot in ("runway",) or self.maybe(0.55) else self.wording([c for c in common if slot != "runway"])
        return Condition(said, self.one(backs))

    def part(self, slot: str, conditional: bool) -> Part:
        """One item. Of each: the controller's words, the readback's words, and what is left when only the value is dropped."""
        value = self.value(slot)
        limit = self.condition(slot) if conditional else None
        unit = self.unit()
        side = self.one(["left", "right"])
        appr = self.one(["ils", "rnav", "vor", "visual", "rnp"])
        table = {
            "altitude": [
                ("climb {}", ["climb {}", "climbing {}", "up {}", "{}"], "climbing"),
                ("descend {}", ["descend {}", "descending {}", "down {}", "{}"], "descending"),
                ("climb to {}", ["climb to {}", "climbing to {}", "climbing now {}", "cleared {}"], "climbing"),
                ("descend to {}", ["descend to {}", "descending to {}", "descending now {}", "cleared {}"], "descending"),
                ("climb and maintain {}", ["climb and maintain {}", "climb maintain {}", "{}"], "climb and maintain"),
                ("descend and maintain {}", ["descend and maintain {}", "descend maintain {}", "{}"], "descend and maintain"),
                ("stop climb at {}", ["stop climb at {}", "stopping at {}", "stop at {}"], "stop climb"),
                ("continue climb {}", ["continue climb {}", "continuing climb {}", "on up {}"], "continue climb"),
                ("recleared {}", ["recleared {}", "recleared now {}", "{}"], None),
                ("continue descent {}", ["continue descent {}", "continuing down {}", "further down {}"], "continue descent"),
                ("maintain {}", ["maintain {}", "maintain {}", "we maintain {}"], "maintaining"),
            ],
            "heading": [
                (f"turn {side} {{}}", [f"turn {side} {{}}", f"{side} {{}}", f"turning {side} {{}}", f"{side} turn {{}}"], f"turning {side}"),
                (f"turn {side} {{}}", [f"turn {side} {{}}", f"{side} {{}}", f"coming {side} {{}}"], f"{side} turn"),
                ("fly {}", ["fly {}", "flying {}", "{}"], None),
                ("maintain {}", ["maintain {}", "on {}", "{}"], "maintaining heading"),
                (f"{side} turn {{}}", [f"{side} turn {{}}", f"{side} {{}}"], f"{side} turn"),
                ("continue present {}", ["continue present {}", "present {}"], "present heading"),
                ("make your {}", ["{}", "making it {}"], None),
                (f"come {side} {{}}", [f"coming {side} {{}}", f"{side} {{}}"], f"coming {side}"),
            ],
            "runway": (
                [
                    ("{} line up and wait", ["line up and wait {}", "{} line up and wait", "lining up {}"], "line up and wait"),
                    (f"{{}} cleared {appr} approach", [f"cleared {appr} {{}}", f"cleared {appr} approach {{}}"], f"cleared {appr} approach"),
                    ("cross {}", ["crossing {}", "cross {}"], "crossing"),
                    ("{} cleared for immediate takeoff", ["cleared immediate takeoff {}", "{} cleared for immediate takeoff"], "cleared for immediate takeoff"),
                ]
                if limit is not None
                else [
                    ("{} wind calm cleared to land", ["cleared to land {}", "{} cleared to land", "clear to land {}"], "cleared to land"),
                    ("cleared to land {}", ["cleared to land {}", "to land {}", "{} cleared to land"], "cleared to land"),
                    (f"cleared {appr} {{}}", [f"cleared {appr} {{}}", f"cleared for the {appr} {{}}", f"{appr} {{}}"], f"cleared {appr}"),
                    (f"cleared {appr} approach {{}}", [f"cleared {appr} approach {{}}", f"cleared approach {{}}", f"cleared for the {appr} {{}}"], f"cleared {appr} approach"),
                    ("hold short of {}", ["hold short of {}", "holding short {}", "will hold short {}"], "holding short"),
                    ("{} cleared for takeoff", ["cleared for takeoff {}", "{} cleared for takeoff", "cleared takeoff {}"], "cleared for takeoff"),
                    ("line up and wait {}", ["line up and wait {}", "lining up {}", "line up {}"], "lining up"),
                    ("cross {}", ["cross {}", "crossing {}", "cross {} wilco"], "crossing"),
                    ("continue approach {}", ["continue approach {}", "continue {}", "continuing approach {}"], "continue approach"),
                    ("backtrack {}", ["backtrack {}", "backtracking {}"], "backtracking"),
                    ("{} cleared touch and go", ["cleared touch and go {}", "touch and go {}"], "cleared touch and go"),
                    ("vacate {}", ["vacating {}", "vacate {}"], "vacating"),
                ]
            ),
            "speed": [
                ("reduce to {}", ["reduce to {}", "reducing to {}", "slowing {}", "{}"], "reducing"),
                ("reduce speed to {}", ["speed {}", "reducing to {}", "back to {}", "{}"], "reducing speed"),
                ("increase to {}", ["increase to {}", "speeding up to {}", "{}"], "increasing"),
                ("speed {}", ["speed {}", "{}", "{} on the speed"], "speed copied"),
                ("maintain {}", ["maintain {}", "{}", "holding {}"], "maintaining speed"),
                ("slow to {}", ["slowing to {}", "slow to {}"], "slowing down"),
                ("keep {}", ["keeping {}", "keep {}"], "keeping speed"),
                ("fly {}", ["{}", "flying {}"], None),
            ],
            "frequency": [
                (f"contact {unit} {{}}", [f"contact {unit} {{}}", f"{unit} {{}}", f"to {unit} {{}}", "{}"], f"contact {unit}"),
                (f"contact {unit} on {{}}", [f"{unit} on {{}}", f"going to {unit} {{}}", f"switching to {unit} {{}}"], f"going to {unit}"),
                (f"call {unit} {{}}", [f"calling {unit} {{}}", f"call {unit} {{}}", "{}"], f"calling {unit}"),
                (f"monitor {unit} {{}}", [f"monitor {unit} {{}}", f"monitor {{}}"], f"monitor {unit}"),
                (f"over to {unit.split(' ')[-1]} {{}}", [f"{unit.split(' ')[-1]} {{}}", "{}"], f"over to {unit.split(' ')[-1]}"),
                (f"{unit} {{}}", [f"{unit} {{}}", "{}"], unit),
                (f"frequency change approved {unit} {{}}", [f"{unit} {{}}", f"changing to {{}}"], f"changing to {unit}"),
                (f"switch to {unit} {{}}", [f"switching {{}}", f"switch to {unit} {{}}"], f"switching to {unit}"),
            ],
            "qnh": [("{}", ["{}"], None)],
            "squawk": [("{}", ["{}", "squawking " + "{}"], "squawk coming down")],
            "waypoint": [("proceed direct {}", ["direct {}", "proceed direct {}", "direct to {}"], "proceeding direct"), ("direct {}", ["direct {}", "straight to {}"], None), ("route direct to {}", ["direct to {}", "direct {}"], None), ("resume own navigation direct {}", ["own navigation direct {}", "direct {}"], "own navigation")],
            "procedure": [("cleared {} departure", ["{} departure", "cleared {}"], None), ("via {} arrival", ["{} arrival", "via {}"], None)],
            "taxiway": [("taxi via {}", ["taxi via {}", "via {}", "taxiing {}"], "taxi"), ("taxi to the ramp via {}", ["taxi via {}", "to the ramp via {}"], "to the ramp")],
        }[slot]
        said, backs, bare = self.wording(table)
        back = self.wording(backs) if len(backs) > 3 else self.one(backs)
        if slot == "squawk":
            back = "{}"
        # a value alone says nothing where it has no carrier word
        return Part(slot, value, said, back, bare, limit)

    # ---- putting together; pieces are (words, mark)
    def words_of(self, part: Part, back: bool) -> list[tuple[str, str]]:
        state = part.state if back else {"right": "o", "wrong": "wrong", "missing": "missing", "bare": "missing"}[part.state]
        template = part.back if back else part.said
        mark = "o"
        if back and state == "wrong":
            mark = "wrong"
        elif back and part.form != "standard":
            mark = "format"
        elif not back:
            mark = state
        said = self.say(part.slot, part.value, part.form if back else "standard") or ""
        if back and part.state == "right" and mark == "o" and self.maybe(0.15):
            said = self.loosened(part.slot, said)
        pieces: list[tuple[str, str]] = []
        for i, text in enumerate(template.split("{}")):
            if i > 0:
                pieces.append((said, mark))
            if text.strip():
                pieces.append((text.strip(), "o"))
        if part.condition is not None and not (back and part.condition_state == "missing"):
            words = (part.condition.back if back else part.condition.said, "o" if back or part.condition_state != "missing" else "condition")
            pieces = [words, *pieces] if self.before(part, back) else [*pieces, words]
        return pieces

    def before(self, part: Part, back: bool) -> bool:
        return part.condition is not None and part.condition.said.split(" ")[0] in {"after", "when", "passing", "on", "at", "behind", "once"} and self.maybe(0.25 if back else 0.2)

    def loosened(self, slot: str, said: str) -> str:
        """A unit or carrier word that may be left out without making it another value."""
        for word in {"altitude": [" feet"], "heading": ["heading "], "speed": [" knots"], "runway": ["runway "]}.get(slot, []):
            if slot == "runway" and not said.endswith(("left", "right", "center")):
                return said
            said = said.replace(word, "")
        return said

    def scene(self, slots: list[str], conditional: str | None) -> tuple[Callsign, list[Part]]:
        return self.callsign(), [self.part(slot, slot == conditional) for slot in slots]

    def instruction(self, own: Callsign, parts: list[Part], target: bool) -> list[tuple[str, str]]:
        head = []
        if self.maybe(0.35):
            head = [(self.wording([self.one(HELLO), self.unit(), "radar contact", "roger", "identified", "good morning sir", "affirm", "copied", f"{self.unit()} {self.one(HELLO)}", "reading you five", "thank you", "you are number two"]), "o")]
        body: list[tuple[str, str]] = []
        for i, part in enumerate(parts):
            if i > 0 and self.maybe(0.08):
                body.append((self.one(["and", "then", "also"]), "o"))
            body += self.words_of(part, False)
        tail = []
        if self.maybe(0.22):
            tail = [(self.wording([
                "due traffic", f"traffic twelve o'clock {DIGITS[self.r.randint(2, 9)]} miles opposite direction", f"wind {singly(str(self.r.randint(1, 36) * 10).zfill(3))} degrees {singly(str(self.r.randint(2, 19)))} knots", self.one(BYE), f"report {self.fix()}",
                f"number {DIGITS[self.r.randint(1, 4)]}", "report established", f"expect {self.one(['ils', 'rnav', 'visual'])} approach", f"traffic is a {self.one(TYPES_OF_AIRCRAFT)}", "no speed restrictions", "caution wake turbulence", "report the field in sight",
            ]), "o")]
        name = (self.say_callsign(own), "target" if target else "o")
        where = self.r.random()
        return [name, *head, *body, *tail] if where < 0.93 else [*head, *body, name]

    def readback(self, own: Callsign, parts: list[Part], state: dict) -> list[tuple[str, str]]:
        said: list[list[tuple[str, str]]] = []
        for part in parts:
            if part.state == "missing":
                continue
            if part.state == "bare":
                said.append([(part.bare or "", "o")])
            else:
                said.append(self.words_of(part, True))
        pieces = [piece for words in said for piece in words]
        mark = "target" if state["target"] else "o"
        name = "" if state["no_callsign"] else self.say_callsign(own, state["short"])
        if name.strip() and not state["short"] and not state["target"] and self.maybe(0.04) and own.kind == "airline" and own.code:
            name = self.say_callsign(own, own_form=True)
        head = self.one(["roger", "copy", "wilco", "ok", "affirm", "right", "and"]) if self.maybe(0.16) else ""
        tail = self.one(BYE) if self.maybe(0.1) else ""
        if not pieces and not head:
            head = self.one(["roger", "wilco", "copied", "affirm", "roger that", "okay"])
        first = state["callsign_first"]
        out = [(head, "o"), *([(name, mark)] if first else []), *pieces, *([] if first else [(name, mark)]), (tail, "o")]
        for _ in range(state["fillers"]):
            # before the last piece, between any two words
            at = self.r.randrange(len(out))
            words = out[at][0].split(" ") if out[at][0] else []
            cut = self.r.randrange(len(words) + 1) if out[at][1] == "o" and words else 0
            out[at : at + 1] = [(" ".join(words[:cut]), out[at][1]), (self.one(FILLERS), "filler"), (" ".join(words[cut:]), out[at][1])]
        return [piece for piece in out if piece[0]]

    # ---- noise as a recogniser makes it, which changes no value
    def noised(self, pieces: list[tuple[str, str]]) -> list[tuple[str, str]]:
        swaps = {"to": ["two", "to", "too"], "the": [""], "and": [""], "approach": ["approached", "the approach"], "cleared": ["clear", "cleared"], "wait": ["weight"], "descend": ["decent", "descent"], "climb": ["climb", "climbed"], "holding": ["hold in"], "contact": ["contract"], "alpha": ["alfa"], "juliet": ["juliett"], "xray": ["x-ray"], "four": ["four"], "decimal": ["dayseemal"], "of": [""], "on": ["", "on"], "bye": ["by"]}
        out = []
        for words, mark in pieces:
            kept = []
            for word in words.split(" "):
                if word in swaps and mark == "o" and self.maybe(0.35) and not (word == "to" and "thousand" in words):
                    word = self.one(swaps[word])
                if word == "nine" and self.maybe(0.4):
                    word = "niner"
                elif word == "three" and self.maybe(0.15):
                    word = "tree"
                elif word == "five" and self.maybe(0.15):
                    word = "fife"
                if word:
                    kept.append(word)
            if kept:
                out.append((" ".join(kept), mark))
        return out

    # ---- edits
    def pair(self, number: int, error_type: str) -> Pair | None:
        r = self.r
        self.book = "icao" if self.maybe(0.6) else "faa"
        self.profile = "paper" if self.maybe(0.62) else "icao"
        icao_only = ["qnh", "squawk", "waypoint", "procedure", "taxiway"]
        critical = ["altitude", "heading", "runway"]
        high = ["speed", "frequency"]
        if self.profile == "icao":
            if self.maybe(0.2):
                critical = ["qnh"]
            elif self.maybe(0.3):
                high = icao_only[1:]
        target = self.one(critical if error_type in ("VALUE_CRITICAL", "OMISSION_CRITICAL", "MULTI_ERROR") else high if error_type in ("VALUE_HIGH", "OMISSION_HIGH") else ["altitude", "altitude", "heading", "heading", "runway", "speed", "frequency"])
        count = r.choices([1, 2, 3, 4], [0.3, 0.44, 0.2, 0.06])[0]
        others = [s for s in ["altitude", "heading", "runway", "speed", "frequency"] * 3 + icao_only if s != target]
        slots = [target]
        while len(slots) < count:
            nxt = self.one(others)
            if nxt not in slots:
                slots.append(nxt)
        r.shuffle(slots)
        if "frequency" in slots and self.maybe(0.8):
            slots.remove("frequency")
            slots.append("frequency")
        limits = [s for s in slots if s in PAPER]
        conditional: str | None = None
        if error_type == "CONSTRAINT_HIGH":
            conditional = target
        elif error_type.startswith("OMISSION"):
            rest = [s for s in limits if s != target]
            conditional = self.one(rest) if rest and self.maybe(0.4) else None
        elif limits and self.maybe(0.42):
            conditional = self.one(limits)
        own, parts = self.scene(slots, conditional)
        heard = list(parts)
        state = {"target": False, "no_callsign": False, "short": False, "callsign_first": self.maybe(0.25), "fillers": 0}
        at = slots.index(target)
        back_own = own
        slot: str | None = None
        edit = "none"
        wrong = error_type not in ("CORRECT", "FILLER_CORRECT", "NUMBER_FORMAT")

        def miss(i: int) -> str:
            bare = heard[i].bare is not None and self.maybe(0.45)
            heard[i] = replace(heard[i], state="bare" if bare else "missing")
            return f"{heard[i].slot} left out"

        def change(i: int) -> str:
            part = heard[i]
            if part.slot == "heading" and self.maybe(0.12) and (" left" in f" {part.back}" or " right" in f" {part.back}"):
                flipped = part.back.replace("left", "@").replace("right", "left").replace("@", "right")
                heard[i] = replace(part, back=flipped, state="wrong")
                return "side of the turn"
            new = self.wrong_value(part.slot, part.value)
            if self.say(part.slot, new) == self.say(part.slot, part.value):
                raise ValueError("same words")
            heard[i] = replace(part, value=new, state="wrong")
            return f"{part.slot} {part.value} -> {new}"

        match error_type:
            case "CORRECT":
                pass
            case "FILLER_CORRECT":
                state["fillers"] = r.choice([1, 1, 2, 3])
                edit = "fillers put in"
            case "NUMBER_FORMAT":
                able = [(i, form) for i, p in enumerate(parts) if p.slot in PAPER | {"qnh", "squawk"} for form in ("groups", "figures", "short") if self.say(p.slot, p.value, form) not in (None, self.say(p.slot, p.value))]
                able = [x for x in able if parts[x[0]].slot in PAPER] or able
                if not able:
                    return None
                i, form = self.one(able)
                heard[i] = replace(heard[i], form=form)
                if self.maybe(0.15):
                    for j, f in able:
                        if j != i and f == form:
                            heard[j] = replace(heard[j], form=form)
                slot, edit = parts[i].slot, f"{parts[i].slot} in another format"
            case "VALUE_CRITICAL" | "VALUE_HIGH":
                edit, slot = change(at), target
                if error_type == "VALUE_CRITICAL" and self.maybe(0.1):  # something of less consequence beside it
                    also = [i for i, s in enumerate(slots) if s in ("speed", "frequency")]
                    if also:
                        edit += "; " + (change(also[0]) if self.maybe(0.5) else miss(also[0]))
            case "OMISSION_CRITICAL" | "OMISSION_HIGH":
                edit, slot = miss(at), target
                if error_type == "OMISSION_CRITICAL" and self.maybe(0.1):
                    also = [i for i, s in enumerate(slots) if s in ("speed", "frequency")]
                    if also:
                        edit += "; " + miss(also[0])
            case "CONSTRAINT_HIGH":
                heard[at] = replace(heard[at], condition_state="missing")
                edit, slot = "condition left out", "condition"
            case "TARGET_CRITICAL":
                back_own = self.other_callsign(own)
                state["target"] = True
                edit, slot = f"callsign {self.say_callsign(own)} -> {self.say_callsign(back_own)}", "callsign"
            case "MULTI_ERROR":
                edits, named = [], [target]
                edits.append(change(at) if self.maybe(0.8) else miss(at))
                also = [i for i, s in enumerate(slots) if s in ("altitude", "heading", "runway") and s != target]
                if also and self.maybe(0.7):
                    i = self.one(also)
                    edits.append(change(i) if self.maybe(0.7) else miss(i))
                    named.append(slots[i])
                else:
                    back_own = self.other_callsign(own)
                    state["target"] = True
                    edits.append("callsign")
                    named.append("callsign")
                slot = next(s for s in WEIGHTIEST if s in named)
                edit = "; ".join(edits)
        if state["target"] and self.say_callsign(own) == self.say_callsign(back_own):
            return None
        # what gives nothing away: hesitation and other formats beside errors, what need not come back left out
        if wrong and self.maybe(0.2):
            state["fillers"] = r.choice([1, 2])
        if wrong and self.maybe(0.2):
            i = r.randrange(len(heard))
            form = self.one(["groups", "figures", "short"])
            if heard[i].state == "right" and self.say(heard[i].slot, heard[i].value, form):
                heard[i] = replace(heard[i], form=form)
        if self.profile == "paper":  # what the paper does not want back may be left out
            heard = [replace(p, state="missing") if p.slot in icao_only and p.slot != target and self.maybe(0.35) else p for p in heard]
        if not state["target"]:
            if self.maybe(0.04):
                state["no_callsign"] = True
            elif own.kind == "private" and self.maybe(0.5):
                state["short"] = True
        marks = [replace(parts[i], state=h.state if h.state != "right" else "right", condition_state=h.condition_state) for i, h in enumerate(heard)]
        # a part that the paper does not want back is no omission
        marks = [replace(p, state="right") if self.profile == "paper" and p.slot in icao_only and p.state == "missing" else p for p in marks]
        given = self.instruction(own, marks, state["target"])
        order = list(range(len(heard)))
        if len(order) > 1 and self.maybe(0.45):
            r.shuffle(order)
        if self.maybe(0.25):  # in the controller's words
            heard = [replace(h, back=h.said if "left" not in h.said + h.back and "right" not in h.said + h.back else h.back, condition=h.condition and Condition(h.condition.said, h.condition.said)) for h in heard]
        back = self.readback(back_own, [heard[i] for i in order], state)
        if self.maybe(0.18):
            given = self.noised(given)
        if self.maybe(0.22):
            back = self.noised(back)
        level = LEVELS[LEVEL_OF[TYPES.index(error_type)]]
        spread = lambda pieces: ([w for text, _ in pieces for w in text.split()], [m for text, m in pieces for _ in text.split()])  # noqa: E731
        words, said_marks = spread(given)
        back_words, back_marks = spread(back)
        if words == back_words and wrong or not back_words:
            return None
        return Pair(f"{number:07d}", self.profile, " ".join(words), " ".join(back_words), error_type, level, slot, edit, said_marks, back_marks)

    def draw(self, number: int) -> Pair:
        """The next pair; types in turn, so that any stretch is balanced."""
        while True:
            try:
                pair = self.pair(number, TYPES[number % len(TYPES)])
            except ValueError:
                continue
            if pair is not None:
                return pair


def stream(seed: int, held_out: bool = False, start: int = 0):
    """Pairs without end. Each is decided by (seed, number) alone."""
    number = start
    while True:
        yield Pairs(f"{seed} {number}", held_out).draw(number)
        number += 1


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=20)
    p.add_argument("--held-out", action="store_true")
    a = p.parse_args()
    for _, pair in zip(range(a.count), stream(a.seed, a.held_out)):
        print(json.dumps(pair.__dict__))


if __name__ == "__main__":
    main()
