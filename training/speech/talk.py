"""Spoken radio text with roles and truth: instructions, readbacks right and wrong, reports, requests, queries. Deterministic.

    python talk.py --seed 1 --count 20           # one JSON line a transmission
    python talk.py --seed 1 --count 60000 --text # words only, e.g. to find the recogniser's vocabulary

Everything is lower-case words as they are said; "three", "five", "nine" also where the voice will say tree, fife, niner; acronyms that
are read letter by letter are one word (qnh, ils, rnav, vor, klm); "center" also where it is written centre.
"""
from __future__ import annotations

import argparse
import json
import random
from dataclasses import dataclass

import lexicon as v

OTHERS = v.other_operators()
FILLERS = ["uh", "um", "er", "ah", "ehm"]
GREETINGS = "good morning|good day|good afternoon|good evening|hello|hi|bonjour|guten tag|gruezi|servus|hola|buongiorno|ciao|dobry den|morning|evening".split("|")
FAREWELLS = "good day|bye|bye bye|goodbye|see you|so long|have a good flight|thank you|thanks|cheers|au revoir|tschuss|adios|ciao|auf wiederhoren|good night".split("|")


@dataclass
class Part:
    """One item of an instruction. `said`: controller's words; `back`: what a pilot repeats (right); `wrong`: the same with another
    value, or None; `slot` and `level`: what a fault in it is; `condition`: words that limit it; `must`: has to come back."""

    said: str
    back: str
    slot: str
    level: str
    wrong: str | None = None
    reformatted: str | None = None
    condition: str | None = None
    must: bool = True


class Talk:
    """A world of one seed: every call of `exchange` or `transmission` moves it on. `faa`: American phraseology. `names`: operators to take
    evenly instead of busy ones most often."""

    def __init__(self, seed: int | str, faa: bool | None = None, names: list[str] | None = None) -> None:
        self.names = names
        self.r = random.Random(f"talk {seed}")
        self.faa = self.r.random() < 0.35 if faa is None else faa
        # one flight's habits: how it says numbers
        self.grouping = self.r.random() < (0.75 if self.faa else 0.2)

    # ---- small helpers
    def pick(self, *choices):
        return self.r.choice(choices)

    def maybe(self, chance: float, text: str) -> str:
        return text if self.r.random() < chance else ""

    def other(self, make, *not_these: str) -> str:
        for _ in range(30):
            value = make()
            if value not in not_these:
                return value
        raise RuntimeError("no other value")

    # ---- callsigns
    def callsign(self) -> tuple[str, str]:
        """(as spoken, ICAO form)."""
        r, kind = self.r, self.r.random()
        if kind < 0.76:
            names = list(v.TELEPHONY)
            busy = r.random()
            name = r.choice(self.names) if self.names else names[min(int(r.expovariate(1 / 45)), len(names) - 1)] if busy < 0.35 else r.choice(names) if busy < 0.5 else r.choice(list(OTHERS))
            shape = r.random()
            if shape < 0.62 or self.faa:
                number = str(r.choice([r.randint(1, 99), r.randint(100, 999), r.randint(100, 999), r.randint(1000, 9999)]))
                spoken = v.grouped(number) if self.grouping and r.random() < 0.8 else v.digits(number)
                code = number
            else:
                number = str(r.randint(1, 999) if r.random() < 0.5 else r.randint(1, 99))
                letters = [r.choice(v.ALPHABET) for _ in range(r.choice([1, 1, 2]))]
                code = number + "".join(x[0].upper() for x in letters)
                spoken = f"{v.grouped(number) if self.grouping else v.digits(number)} {' '.join(letters)}"
            weight = self.maybe(0.07, self.pick(" heavy", " heavy", " super"))
            return f"{name} {spoken}{weight}", (v.TELEPHONY.get(name) or OTHERS[name]) + code
        if self.faa or kind < 0.86:
            number = str(r.randint(1, 9999))
            letters = [r.choice(v.ALPHABET) for _ in range(r.choice([0, 1, 2]))]
            prefix = self.pick("november", "november", "cessna", "skyhawk", "cirrus", "citation") if self.faa else "november"
            return " ".join([prefix, v.digits(number), *letters]), "N" + number + "".join(x[0].upper() for x in letters)
        letters = [r.choice(v.ALPHABET) for _ in range(5)]
        if r.random() < 0.5:
            letters[:2] = r.choice([["hotel", "bravo"], ["oscar", "kilo"], ["delta", "echo"], ["oscar", "echo"], ["foxtrot", r.choice(v.ALPHABET)], ["golf", r.choice(v.ALPHABET)], ["papa", "hotel"]])
        return " ".join(letters), "".join(x[0].upper() for x in letters)

    def short(self, spoken: str) -> str:
        words = spoken.split()
        if all(w in v.ALPHABET for w in words) and len(words) == 5:
            return " ".join([words[0], *words[-2:]])
        return spoken

    def other_callsign(self, spoken: str) -> str:
        """The same name with digits swapped or changed."""
        words = spoken.split()
        spots = [i for i, w in enumerate(words) if w in v.DIGITS or (w in v.ALPHABET and i > 0)]
        if len(spots) >= 2 and self.r.random() < 0.5:
            i, j = self.r.sample(spots, 2)
            if words[i] != words[j]:
                words[i], words[j] = words[j], words[i]
                return " ".join(words)
        if spots:
            i = self.r.choice(spots)
            words[i] = self.other(lambda: self.r.choice(v.DIGITS if words[i] in v.DIGITS else v.ALPHABET), words[i])
            return " ".join(words)
        return self.other(lambda: self.callsign()[0], spoken)

    # ---- values
    def runway(self) -> str:
        number = self.r.randint(1, 36)
        spoken = v.digits(str(number)) if self.faa and number < 10 else v.digits(f"{number:02d}")
        return spoken + self.r.choice(["", "", "", " left", " right", " center"])

    def level(self) -> tuple[str, str | None]:
        """(words, other words for the same or None)."""
        r = self.r
        if r.random() < 0.55:
            n = r.randint(5, 43) * 10 if r.random() < 0.9 else r.randint(50, 430)
            text = f"flight level {v.digits(f'{n:02d}' if n < 100 else str(n))}"
            if n % 100 == 0:
                hundred = f"flight level {v.DIGITS[n // 100]} hundred"
                return (hundred, text) if r.random() < 0.5 else (text, hundred)
            return text, f"flight level {v.grouped(str(n))}"
        t, h = r.randint(1, 17), r.choice([0, 0, 0, 5, r.randint(1, 9)])
        head = v.digits(str(t)) if not (self.faa and r.random() < 0.2) else v.below_hundred(t)
        text = f"{head} thousand" + (f" {v.DIGITS[h]} hundred" if h else "")
        unit = self.maybe(0.1 if self.faa else 0.55, " feet")
        same = f"{v.below_hundred(t * 10 + h)} hundred" if h and t < 10 else (f"{v.below_hundred(t)} thousand" if t > 9 else None)
        return text + unit, same

    def heading(self) -> str:
        return v.digits(f"{self.r.randint(1, 72) * 5:03d}")

    def speed(self) -> tuple[str, str]:
        n = str(self.r.randint(14, 33) * 10)
        return v.digits(n), v.grouped(n)

    def frequency(self) -> tuple[str, str]:
        mhz = self.r.randint(118, 136)
        tail = self.r.choice([str(self.r.randint(0, 9)), f"{self.r.randint(0, 9)}{self.r.choice('05')}", f"{self.r.randint(0, 199) * 5:03d}", f"{self.r.randint(0, 9)}{self.r.choice('27')}"])
        point = "point" if self.faa else self.pick("decimal", "decimal", "point")
        return f"{v.digits(str(mhz))} {point} {v.digits(tail)}", f"{v.grouped(str(mhz))} {v.digits(tail)}"

    def taxiway(self) -> str:
        return self.r.choice(v.ALPHABET) + self.maybe(0.25, " " + self.r.choice(v.DIGITS[1:]))

    def route(self) -> str:
        return " ".join(self.taxiway() for _ in range(self.r.randint(1, 4)))

    def unit(self) -> str:
        names = v.FAA_UNITS if self.faa else v.ICAO_UNITS
        place = self.r.choice(v.PLACES).replace("-", " ") if self.r.random() < 0.8 else v.fix(self.r)
        return f"{place} {self.r.choice(names)}" if self.r.random() < 0.7 else self.r.choice(names)

    def condition(self) -> str:
        r = self.r
        return r.choice([
            lambda: f"{self.pick('after passing', 'after', 'before', 'when passing', 'passing', 'until', 'until passing', 'abeam')} {v.fix(r)}",
            lambda: self.pick("when ready", "when able", "if able", "when established", "until established", "initially", "until further advised", "when clear of traffic", "after departure", "when convenient", "due traffic", "for spacing", "on reaching", "at your discretion", "pilot's discretion"),
            lambda: f"{self.pick('until', 'by', 'within')} {v.below_hundred(r.randint(3, 25))} miles{self.maybe(.5, ' final')}",
            lambda: f"{self.pick('not below', 'at or above', 'at or below', 'not above')} {self.level()[0]}",
            lambda: f"{self.pick('to be level', 'to reach', 'be level')} {self.pick('at', 'by', 'before', 'abeam')} {v.fix(r)}",
            lambda: f"after passing {self.level()[0]}",
            lambda: f"in {v.below_hundred(r.randint(1, 20))} {self.pick('minutes', 'miles')}",
            lambda: f"{v.below_hundred(r.randint(2, 30))} miles {self.pick('before', 'after', 'north of', 'south of', 'east of', 'west of', 'from')} {v.fix(r)}",
        ])()  # fmt: skip

    # ---- items of instructions
    def altitude_part(self) -> Part:
        text, same = self.level()
        wrong = self.other(lambda: self.level()[0], text, same or "")
        up = self.r.random() < 0.5
        verb = self.pick("climb", "climb to", "climb and maintain", "climb now", "continue climb") if up else self.pick("descend", "descend to", "descend and maintain", "descend now", "continue descent")
        if self.faa:
            verb = "climb and maintain" if up else "descend and maintain"
        if self.r.random() < 0.12:
            verb = self.pick("maintain", "stop climb at" if up else "stop descent at", "maintain altitude")
        back = self.pick(verb, verb, verb, verb.split()[0], verb.split()[0] + "ing" if verb.split()[0] in ("climb", "descend") else verb, "")
        condition = self.condition() if self.r.random() < 0.16 else None
        return Part(f"{verb} {text}", f"{back} {text}", "altitude", "CRITICAL", f"{back} {wrong}", f"{back} {same}" if same else None, condition)

    def heading_part(self) -> Part:
        if self.r.random() < 0.12:
            side = self.pick("left", "right")
            amount = self.pick("ten", "fifteen", "twenty", "thirty")
            text = f"turn {side} {amount} degrees"
            return Part(text, text, "heading", "CRITICAL", text.replace(side, "left" if side == "right" else "right"))
        value = self.heading()
        side = self.pick("turn left heading", "turn right heading", "fly heading", "left heading", "right heading", "turn left", "turn right", "continue heading", "maintain heading", "turn left to heading", "turn right to heading")
        back = self.pick(side, side, side.replace("turn ", ""), "heading" if "heading" in side and "left" not in side and "right" not in side else side)
        condition = self.condition() if self.r.random() < 0.1 else self.pick(*[None] * 8, f"to intercept the localizer runway {self.runway()}", "vectors for ils approach", "for downwind", "for base")
        return Part(f"{side} {value}", f"{back} {value}", "heading", "CRITICAL", f"{back} {self.other(self.heading, value)}", None, condition)

    def speed_part(self) -> Part:
        if self.r.random() < 0.1:
            mach = f"mach {self.pick('point', 'decimal', '')} {self.pick('seven', 'eight')} {self.r.choice(v.DIGITS)}"
            return Part(f"maintain {mach}", mach, "speed", "HIGH", f"mach point {self.pick('seven', 'eight')} {self.r.choice(v.DIGITS)}")
        if self.r.random() < 0.1:
            text = self.pick("no speed restrictions", "resume normal speed", "no atc speed restriction", "reduce to minimum clean speed", "minimum approach speed", "free speed", "high speed approved")
            return Part(text, text, "speed", "HIGH", must=False)
        value, same = self.speed()
        verb = self.pick("reduce speed", "reduce speed to", "increase speed", "increase speed to", "maintain", "maintain speed", "speed", "slow to", "reduce to")
        knots = self.pick(" knots", " knots", "", " knots or less", " knots or greater", " or greater", " or less")
        back = self.pick(verb, "speed", "", verb)
        condition = self.condition() if self.r.random() < 0.25 else None
        return Part(f"{verb} {value}{knots}", f"{back} {value}{knots}", "speed", "HIGH", f"{back} {self.other(lambda: self.speed()[0], value)}{knots}", f"{back} {same}{knots}", condition)

    def contact_part(self) -> Part:
        unit, (value, same) = self.unit(), self.frequency()
        verb = self.pick("contact", "contact", "contact", "call", "monitor", "over to", "switch to", "now contact")
        on = self.maybe(0.2, "on ")
        back = self.pick(f"{unit} ", "", f"{verb} {unit} ", f"over to {unit} ")
        return Part(f"{verb} {unit} {on}{value}", f"{back}{value}", "frequency", "HIGH", f"{back}{self.other(lambda: self.frequency()[0], value)}", f"{back}{same}")

    def landing_part(self) -> Part:
        runway = self.runway()
        wrong = self.other(self.runway, runway)
        phrase = self.pick("cleared to land", "cleared to land", "cleared to land", "cleared touch and go", "cleared low approach", "cleared for the option", "cleared for stop and go", "continue approach")
        wind = self.wind() if self.r.random() < 0.5 else ""
        first = self.r.random() < 0.6
        said = f"{wind} runway {runway} {phrase}" if first else f"{phrase} runway {runway} {wind}"
        back = (lambda x: f"{phrase} {self.maybe(.8, 'runway ')}{x}") if self.r.random() < 0.6 else (lambda x: f"runway {x} {phrase}")
        return Part(said, back(runway), "runway", "CRITICAL", back(wrong), None, self.pick(*[None] * 9, "number two", "traffic vacating", "caution wake turbulence"))

    def wind(self) -> str:
        if self.r.random() < 0.1:
            return self.pick("wind calm", "wind variable " + v.digits(str(self.r.randint(2, 6))) + " knots")
        strength = v.digits(str(self.r.randint(2, 32))) if self.r.random() < 0.5 else v.below_hundred(self.r.randint(2, 32))
        direction = v.digits(f"{self.r.randint(1, 36) * 10:03d}")
        return f"wind {direction}{self.pick(' degrees', ' at', '')} {strength}{self.pick(' knots', ' knots', '')}" + self.maybe(0.1, " gusting " + v.below_hundred(self.r.randint(20, 45)))

    def takeoff_part(self) -> Part:
        runway = self.runway()
        wrong = self.other(self.runway, runway)
        phrase = "cleared for takeoff"
        first = self.r.random() < 0.7
        said = f"{self.wind() if self.r.random() < .4 else ''} runway {runway} {phrase}" if first else f"{phrase} runway {runway}"
        back = lambda x: f"{phrase} runway {x}"  # noqa: E731
        return Part(said, back(runway), "runway", "CRITICAL", back(wrong), None, self.pick(*[None] * 8, "immediate", f"after departure turn left heading {self.heading()}"))

    def runway_part(self) -> Part:
        runway = self.runway()
        wrong = self.other(self.runway, runway)
        form = self.pick(
            "line up and wait runway {}", "runway {} line up and wait", "line up runway {}", "hold short of runway {}", "hold short runway {}", "cross runway {}", "vacate runway {}",
            "backtrack runway {}", "enter and backtrack runway {}", "via " + self.taxiway() + " line up and wait runway {}", "taxi to holding point " + self.taxiway() + " runway {}", "expect runway {}", "runway {} at " + self.taxiway() + " line up and wait",
        )  # fmt: skip
        back = form.replace("hold short", "holding short").replace("expect ", "expecting ") if self.r.random() < 0.4 else form
        landing = self.pick(*v.TYPES)
        condition = f"{self.pick('behind the', 'after the')} {self.pick('landing', 'departing')} {landing}" if "line up" in form and self.r.random() < 0.2 else None
        return Part(form.format(runway), back.format(runway), "runway", "CRITICAL", back.format(wrong), None, condition, must="expect" not in form)

    def approach_part(self) -> Part:
        kind = self.pick("ils", "ils", "ils zulu", "ils yankee", "rnav", "rnp", "rnp yankee", "visual", "vor", "ndb", "localizer", "gls", "rnav zulu")
        runway = self.runway()
        wrong = self.other(self.runway, runway)
        shape = self.pick("cleared {k} approach runway {x}", "cleared {k} runway {x} approach", "cleared for {k} approach runway {x}", "cleared for the {k} runway {x}", "cleared {k} {x}")
        back = self.pick(shape, shape, "cleared {k} {x}")
        condition = self.pick(*[None] * 6, "report established", "when established descend on the glide", f"maintain {self.level()[0]} until established", "report runway in sight")
        return Part(shape.format(k=kind, x=runway), back.format(k=kind, x=runway), "runway", "CRITICAL", back.format(k=kind, x=wrong), None, condition)

    def direct_part(self) -> Part:
        point = v.fix(self.r)
        verb = self.pick("proceed direct", "direct", "direct to", "proceed direct to", "resume own navigation direct", "turn left direct", "turn right direct", "cleared direct", "set course direct", "fly direct")
        back = self.pick(verb, "direct", "direct to")
        return Part(f"{verb} {point}", f"{back} {point}", "route", "HIGH", f"{back} {self.other(lambda: v.fix(self.r), point)}", None, self.condition() if self.r.random() < 0.08 else None)

    def squawk_part(self) -> Part:
        make = lambda: v.digits("".join(str(self.r.randint(0, 7)) for _ in range(4)))  # noqa: E731
        value = make()
        same = f"{value.split()[0]} thousand" if value.split()[1:] == ["zero"] * 3 else None
        return Part(f"squawk {value}" + self.maybe(0.1, " and ident"), f"{self.pick('squawk', 'squawking', '')} {value}", "squawk", "HIGH", f"squawk {self.other(make, value)}", same)

    def pressure_part(self) -> Part:
        if self.faa:
            make = lambda: v.digits(str(self.r.randint(2930, 3050)))  # noqa: E731
            value = make()
            return Part(f"altimeter {value}", value, "qnh", "CRITICAL", self.other(make, value), must=False)
        make = lambda: v.digits(str(self.r.randint(985, 1038)))  # noqa: E731
        value = make()
        return Part(f"qnh {value}" + self.maybe(0.1, " hectopascals"), f"{self.maybe(.7, 'qnh ')}{value}", "qnh", "CRITICAL", f"qnh {self.other(make, value)}")

    def taxi_part(self) -> Part:
        route = self.route()
        where = self.pick(f"holding point {self.taxiway()}", f"stand {v.digits(str(self.r.randint(1, 99)))}", f"gate {self.taxiway()}", f"runway {self.runway()}", "the apron", "parking", f"terminal {v.DIGITS[self.r.randint(1, 5)]}", f"holding point runway {self.runway()}", "general aviation parking", "the ramp", f"stand {self.taxiway()}")
        text = f"taxi to {where} via {route}" if not self.faa else f"{self.maybe(.5, 'runway ' + self.runway())} taxi via {route}"
        back = self.pick(text, text, f"via {route}", f"{where} via {route}" if not self.faa else text)
        return Part(text + self.maybe(0.15, " hold short of " + self.taxiway()), back, "taxi_route", "HIGH", back.replace(route, self.other(self.route, route)))

    def clearance_part(self) -> Part:
        place = self.r.choice(v.PLACES).replace("-", " ")
        departure = f"{v.fix(self.r)} {v.digits(str(self.r.randint(1, 9)))} {self.r.choice(v.ALPHABET)}" if not self.faa else f"{v.fix(self.r)} {v.DIGITS[self.r.randint(1, 9)]}"
        how = self.pick(f"via {departure} departure", f"{departure} departure", f"via {departure}", f"via {departure} flight planned route", "as filed", "via flight plan route", f"via {departure} then as filed")
        first = f" climb initially {self.level()[0]}" if self.r.random() < 0.4 else ""
        text = f"cleared to {place} {how}{first}"
        return Part(text, text, "route", "HIGH", text.replace(place, self.other(lambda: self.r.choice(v.PLACES).replace("-", " "), place)))

    def crossing_part(self) -> Part:
        text, same = self.level()
        point = v.fix(self.r)
        bound = self.pick("at", "at or above", "at or below", "at")
        return Part(f"cross {point} {bound} {text}", f"cross {point} {bound} {text}", "altitude", "CRITICAL", f"cross {point} {bound} {self.other(lambda: self.level()[0], text)}", None)

    def word_part(self) -> Part:
        text = self.r.choice([
            lambda: self.pick("go around", "go around i say again go around", "hold position", "stop immediately", "cancel takeoff i say again cancel takeoff", "expedite vacating", "vacate left", "vacate right", "taxi straight ahead", "give way to the " + self.pick(*v.TYPES)),
            lambda: f"pushback {self.pick('approved', 'and startup approved', 'approved facing ' + self.pick('north', 'south', 'east', 'west'))}",
            lambda: f"startup approved {self.maybe(.5, 'temperature ' + self.maybe(.3, 'minus ') + v.digits(str(self.r.randint(1, 32))))}",
            lambda: f"join {self.pick('left', 'right')} {self.pick('downwind', 'base', 'hand circuit')} runway {self.runway()}",
            lambda: f"report {self.pick('established', 'final', 'downwind', 'short final', 'runway vacated', 'airport in sight', 'ready', 'fully ready', 'leaving ' + self.level()[0], 'passing ' + self.level()[0], 'traffic in sight', 'on the localizer', 'your heading', 'your speed')}",
            lambda: f"hold at {v.fix(self.r)} as published{self.maybe(.5, ' expect further clearance ' + v.digits(f'{self.r.randint(0, 23):02d}{self.r.randint(0, 59):02d}'))}",
            lambda: f"follow the {self.pick(*v.TYPES)} ahead number {v.below_hundred(self.r.randint(2, 8))}",
            lambda: f"number {v.below_hundred(self.r.randint(1, 6))} {self.pick('to land', 'for departure', 'follow the ' + self.pick(*v.TYPES) + ' on final')}",
            lambda: f"make one orbit {self.pick('left', 'right')}",
            lambda: f"intercept {self.pick('the localizer', 'the ils', 'the final approach track')} runway {self.runway()}",
            lambda: self.pick("standby", "squawk ident", "squawk standby", "check your squawk", "say altitude", "say speed", "say intentions", "expedite climb", "expedite descent", "expedite through " + self.level()[0], "cancel speed restriction", "resume own navigation", "radar service terminated", "frequency change approved", "maintain visual separation"),
        ])()  # fmt: skip
        return Part(text, text, "procedure", "HIGH", must=False)

    def traffic_words(self) -> str:
        clock = self.pick("ten", "eleven", "twelve", "one", "two", "three", "nine")
        return f"traffic {clock} o'clock {v.below_hundred(self.r.randint(2, 15))} miles {self.pick('opposite direction', 'crossing left to right', 'crossing right to left', 'same direction', 'northbound', 'southbound', 'converging')} {self.pick(*v.TYPES)} {self.pick('', self.level()[0], 'altitude unknown', 'one thousand feet above', 'one thousand feet below')}"

    def parts(self) -> list[Part]:
        groups = {
            "approach": [self.altitude_part, self.heading_part, self.speed_part, self.approach_part, self.contact_part, self.direct_part, self.pressure_part, self.crossing_part],
            "tower": [self.landing_part, self.takeoff_part, self.runway_part, self.contact_part, self.word_part],
            "ground": [self.taxi_part, self.runway_part, self.word_part, self.contact_part, self.squawk_part, self.pressure_part],
            "radar": [self.altitude_part, self.direct_part, self.heading_part, self.speed_part, self.contact_part, self.squawk_part],
            "delivery": [self.clearance_part, self.squawk_part, self.pressure_part, self.altitude_part],
        }
        menu = groups[self.r.choices(list(groups), [32, 22, 14, 26, 6])[0]]
        count = min(len(menu), self.r.choices([1, 2, 3, 4], [50, 34, 13, 3])[0])
        return [make() for make in self.r.sample(menu, count)]

    # ---- whole exchanges
    def readback(self, parts: list[Part], spoken: str, error: str) -> str:
        r = self.r
        chosen = [p.back for p in parts]
        conditions = [p.condition for p in parts]
        name = spoken if r.random() < 0.85 else self.short(spoken)
        by_level = lambda level: [i for i, p in enumerate(parts) if p.level == level and p.must]  # noqa: E731
        if error.startswith("VALUE"):
            i = r.choice([i for i in by_level(error.split("_")[1]) if parts[i].wrong])
            chosen[i] = parts[i].wrong or ""
        elif error.startswith("OMISSION"):
            chosen[r.choice(by_level(error.split("_")[1]))] = ""
        elif error == "CONSTRAINT_HIGH":
            conditions[r.choice([i for i, c in enumerate(conditions) if c])] = None
        elif error == "TARGET_CRITICAL":
            name = self.other_callsign(spoken)
        elif error == "MULTI_ERROR":
            for i in r.sample([i for i in by_level("CRITICAL") if parts[i].wrong], 2):
                chosen[i] = parts[i].wrong or ""
        elif error == "NUMBER_FORMAT":
            i = r.choice([i for i, p in enumerate(parts) if p.reformatted])
            chosen[i] = parts[i].reformatted or ""
        words = [f"{c} {k}" if k else c for c, k in zip(chosen, conditions)]
        words = [w for w in words if w.strip()]
        if len(words) > 1 and r.random() < 0.15:
            r.shuffle(words)
        if error == "FILLER_CORRECT":
            words.insert(r.randint(0, len(words)), r.choice(FILLERS))
        join = self.pick(" ", " ", " and ", " then ") if len(words) > 1 else " "
        body = join.join(words)
        if r.random() < 0.07:
            body = self.pick("roger", "okay", "copied", "wilco") + " " + body
        text = f"{body} {name}" if r.random() < 0.84 else f"{name} {body}"
        if r.random() < 0.05:
            text += " " + r.choice(FAREWELLS)
        return " ".join(text.split())

    def possible(self, parts: list[Part]) -> list[str]:
        out = ["CORRECT", "CORRECT", "FILLER_CORRECT", "TARGET_CRITICAL"]
        must = [p for p in parts if p.must]
        for level in ("HIGH", "CRITICAL"):
            here = [p for p in must if p.level == level]
            if any(p.wrong for p in here):
                out.append(f"VALUE_{level}")
            if here and len(parts) > 1:
                out.append(f"OMISSION_{level}")
        if any(p.condition for p in parts):
            out.append("CONSTRAINT_HIGH")
        if any(p.reformatted for p in parts):
            out.append("NUMBER_FORMAT")
        if sum(bool(p.wrong) and p.level == "CRITICAL" for p in must) >= 2:
            out.append("MULTI_ERROR")
        return out

    def instruction(self, parts: list[Part], spoken: str) -> str:
        r = self.r
        words = [f"{p.condition} {p.said}" if p.condition and r.random() < 0.15 else f"{p.said} {p.condition or ''}" for p in parts]
        if r.random() < 0.03:
            # a value taken back inside the transmission
            i = r.randrange(len(parts))
            if parts[i].wrong:
                words[i] = f"{parts[i].wrong} {self.pick('correction', 'correction', 'negative', 'disregard')} {parts[i].said}"
        opening = self.pick(*[""] * 8, r.choice(GREETINGS), f"{self.unit()}", f"{self.unit()} {r.choice(GREETINGS)}", "radar contact", "identified", "roger", "break break")
        closing = self.pick(*[""] * 12, r.choice(FAREWELLS), self.traffic_words(), "caution wake turbulence", "no delay please")
        return " ".join(f"{spoken} {opening} {self.pick(' ', ' ', ' and ', ' then ').join(words)} {closing}".split())

    def pilot_says(self, spoken: str) -> tuple[str, str]:
        """(text, intent) of a pilot's transmission that reads nothing back."""
        r = self.r
        unit = self.unit()
        hello = self.pick("", "", r.choice(GREETINGS))
        intent, text = r.choice([
            lambda: ("report", f"{unit} {hello} {spoken} {self.pick('with you', 'inbound', '', 'passing ' + self.level()[0])} {self.pick('climbing', 'descending', 'maintaining', 'level', 'passing ' + self.level()[0] + ' climbing', 'passing ' + self.level()[0] + ' descending')} {self.level()[0]} {self.maybe(.4, 'information ' + r.choice(v.ALPHABET))}"),
            lambda: ("report", f"{unit} {hello} {spoken} {self.pick('established ils runway ', 'on final runway ', 'runway vacated ', 'fully established runway ', 'short final runway ')}{self.runway()}"),
            lambda: ("report", f"{spoken} {self.pick('runway vacated', 'established', 'fully ready', 'ready for departure', 'traffic in sight', 'airport in sight', 'runway in sight', 'going around', 'passing ' + self.level()[0], 'leaving ' + self.level()[0], 'downwind', 'on the localizer', 'clear of the runway', 'holding short', 'standing by', 'minimum fuel')}"),
            lambda: ("request", f"{unit} {hello} {spoken} request {self.pick('taxi', 'pushback', 'startup', 'pushback and startup', 'ifr clearance', 'higher', 'lower', self.level()[0], 'direct ' + v.fix(r), 'vectors', 'ils approach runway ' + self.runway(), 'weather deviation ten miles left', 'right turn heading ' + self.heading(), 'clearance to ' + r.choice(v.PLACES).replace('-', ' '))}"),
            lambda: ("request", f"{unit} {hello} {spoken} {self.pick('stand', 'gate', 'holding point')} {self.taxiway()} information {r.choice(v.ALPHABET)} {self.pick('ready for taxi', 'request startup', 'ready for departure', 'request clearance')}"),
            lambda: ("say_again", f"{self.pick('say again', 'say again please', 'say again for', 'could you say again', 'say again the ' + self.pick('heading', 'level', 'frequency', 'squawk', 'altitude', 'runway') + ' for')} {spoken}"),
            lambda: ("confirm", f"confirm {self.pick(*(p.back for p in self.parts()))} {spoken}"),
            lambda: ("acknowledge", f"{self.pick('roger', 'wilco', 'affirm', 'affirmative', 'negative', 'copied', 'thank you', 'okay', 'unable', 'standing by', 'looking', 'negative contact', 'copied the traffic')} {spoken}"),
            lambda: ("acknowledge", f"{spoken} {self.pick('roger', 'wilco', 'affirm', 'unable due weather', 'unable', 'looking for traffic', 'traffic in sight', '')}"),
            lambda: ("report", f"{self.pick('mayday mayday mayday', 'pan pan pan pan pan pan')} {spoken} {self.pick('engine failure', 'medical emergency', 'smoke in the cockpit', 'hydraulic problem', 'returning to the field', 'request priority landing')}"),
        ])()  # fmt: skip
        return " ".join(text.split()), intent

    def controller_says(self, spoken: str) -> tuple[str, str]:
        """(text, intent) of a controller's transmission that instructs nothing."""
        r = self.r
        intent, text = r.choice([
            lambda: ("inform", f"{spoken} {self.pick('radar contact', 'identified', 'readback correct', 'roger', 'standby', 'go ahead', 'affirm', 'negative', 'approved', 'negative due traffic', 'station calling say again', 'stand by for further climb', 'time check ' + v.digits(str(r.randint(10, 59))), 'report intentions')}"),
            lambda: ("inform", f"{spoken} {self.traffic_words()}"),
            lambda: ("inform", f"{spoken} {self.wind()}"),
            lambda: ("inform", f"{spoken} expect {self.pick('ils approach', 'vectors', 'rnav approach', 'visual approach', 'departure', 'holding', 'further descent')} {self.pick('runway ' + self.runway(), '', 'in ' + v.below_hundred(r.randint(2, 15)) + ' minutes')}"),
            lambda: ("confirm", f"{spoken} {self.pick('confirm', 'verify', 'say again', 'report', 'say')} {self.pick('altitude', 'heading', 'speed', 'level', 'your position', 'assigned heading', 'squawk', 'on frequency', 'information ' + r.choice(v.ALPHABET), 'type of aircraft')}"),
            lambda: ("disregard", f"{spoken} disregard {self.maybe(.5, 'break break')}"),
            lambda: ("say_again", f"{self.pick('station calling', 'aircraft calling', spoken)} say again {self.pick('', 'your callsign', 'you were blocked', 'two stations at once')}"),
            lambda: ("correction", f"{spoken} negative {self.pick('i say again', '', 'correction')} {self.parts()[0].said}"),
        ])()  # fmt: skip
        return " ".join(text.split()), intent

    def exchange(self) -> list[dict]:
        """Instruction and readback, or a single other transmission, with truth."""
        spoken, code = self.callsign()
        kind = self.r.random()
        region = "faa" if self.faa else "icao"
        if kind < 0.14:
            text, intent = self.pilot_says(spoken)
            return [{"text": text, "role": "pilot", "intent": intent, "callsign": code, "region": region}]
        if kind < 0.22:
            text, intent = self.controller_says(spoken)
            return [{"text": text, "role": "controller", "intent": intent, "callsign": code, "region": region}]
        parts = self.parts()
        error = self.r.choice(self.possible(parts))
        slots = [p.slot for p in parts]
        return [
            {"text": self.instruction(parts, spoken), "role": "controller", "intent": "instruction", "callsign": code, "region": region, "slots": slots},
            {"text": self.readback(parts, spoken, error), "role": "pilot", "intent": "readback", "callsign": code, "region": region, "slots": slots, "error_type": error},
        ]


def transmission(seed: int, index: int) -> dict:
    """Transmission number `index` of the corpus of `seed`: nothing but these two numbers decides it."""
    said = Talk(f"{seed} {index // 2}").exchange()
    return said[index % 2] if len(said) == 2 else Talk(f"{seed} {index // 2} {index % 2}").exchange()[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--text", action="store_true")
    a = parser.parse_args()
    for i in range(a.count):
        item = transmission(a.seed, i)
        print(item["text"] if a.text else json.dumps({"index": i, **item}))


if __name__ == "__main__":
    main()
