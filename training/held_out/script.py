"""Radio talk for measuring the recogniser: transmissions with their truth, apart from the text that it is trained on.

    python script.py --seed 1 --count 20 [--text]

Own sentences, own lists, nothing imported from training/speech. Words as they are said, in lower case: digits one by one or in groups;
"three", "five", "nine" also where the voice says tree, fife, niner; acronyms as one word (qnh, ils). Truth: `callsign` in ICAO form and
`slots` with canonical values in the forms of engine/domain/understanding.ts. Everything follows from the seed and the number.

A template names its values: {h} heading, {l} level, {f} frequency, {r} runway, {s} speed, {q} pressure, {x} squawk, a digit behind the
letter for a second one; {cs} callsign, {u} unit, {fix}, {t} taxiway, {route}, {hold} holding point, {n} small number, {w} wind, {g} stand.
"""
from __future__ import annotations

import argparse
import json
import random
import re

ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TEN_UP = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
DECADES = {2: "twenty", 3: "thirty", 4: "forty", 5: "fifty", 6: "sixty", 7: "seventy", 8: "eighty", 9: "ninety"}
SPELLING = {
    "a": "alfa", "b": "bravo", "c": "charlie", "d": "delta", "e": "echo", "f": "foxtrot", "g": "golf", "h": "hotel", "i": "india",
    "j": "juliett", "k": "kilo", "l": "lima", "m": "mike", "n": "november", "o": "oscar", "p": "papa", "q": "quebec", "r": "romeo",
    "s": "sierra", "t": "tango", "u": "uniform", "v": "victor", "w": "whiskey", "x": "xray", "y": "yankee", "z": "zulu",
}  # fmt: skip
# telephony → ICAO designator (facts of Doc 8585). Busy names, which any text of radio talk has …
FREQUENT = {
    "icao": {"lufthansa": "DLH", "speedbird": "BAW", "swiss": "SWR", "klm": "KLM", "iberia": "IBE", "ryanair": "RYR", "easy": "EZY", "austrian": "AUA",
             "turkish": "THY", "emirates": "UAE", "finnair": "FIN", "scandinavian": "SAS", "eurowings": "EWG", "condor": "CFG", "edelweiss": "EDW",
             "beeline": "BEL", "shamrock": "EIN", "transavia": "TRA", "vueling": "VLG", "air france": "AFR", "qantas": "QFA", "cathay": "CPA",
             "singapore": "SIA", "topswiss": "EZS", "helvetic": "OAW", "channex": "EXS"},
    "faa": {"delta": "DAL", "united": "UAL", "american": "AAL", "southwest": "SWA", "jetblue": "JBU", "skywest": "SKW", "brickyard": "RPA",
            "air canada": "ACA", "fedex": "FDX", "ups": "UPS", "alaska": "ASA", "envoy": "ENY", "speedbird": "BAW", "lufthansa": "DLH"},
}  # fmt: skip
# … and names that the training text has no oftener than any of the product's 950
SELDOM = {
    "icao": {"corsair": "CRL", "kestrel": "TCX", "viking": "VKG", "longship": "NRS", "air malta": "AMC", "sun express": "SXS", "corendon": "CAI",
             "freebird": "FHY", "danish": "DTR", "tyrolean": "TYR", "nouvelair": "LBT", "volotea": "VOE"},
    "faa": {"cactus": "AWE", "piedmont": "PDT", "blue streak": "JIA", "acey": "ASQ", "compass": "CPZ", "air shuttle": "ASH", "waterski": "LOF",
            "porter": "POE", "connie": "CKS", "polar": "PAC"},
}  # fmt: skip
TOWNS = {
    "icao": "graz antwerp bilbao turin leeds bristol eindhoven valencia malaga katowice stuttgart nuremberg cologne hannover ostend rennes".split(),
    "faa": "nashville tampa orlando charlotte omaha portland sacramento albany raleigh cleveland savannah tulsa".split(),
}
UNITS = {"icao": ["tower", "ground", "arrival", "radar", "approach", "director", "delivery"], "faa": ["tower", "ground", "approach", "center", "departure"]}
# made up, written as they sound; and plain words
POINTS = "belko tavim nordi kelat pesul dolan ribex somar lunak vesta hadri moxil gotra perum salto kimba pepper hollow timber pilot biscuit raven".split()
AIRCRAFT = ["airbus", "boeing seven three seven", "dash eight", "embraer", "citation", "cessna", "airbus a three two zero", "triple seven"]
HELLO = {"icao": ["good morning", "good day", "hello", "good evening", "bonjour", "gruezi", "guten tag", "servus"], "faa": ["good morning", "good evening", "hello", "afternoon"]}
BYE = {"icao": ["bye bye", "good day", "tschuss", "au revoir", "ciao", "see you"], "faa": ["so long", "good day", "have a good one", "see you"]}
HESITATION = ["uh", "um", "er"]

# (region, instruction, readback)
EXCHANGES = [
    ("icao", "{cs} leave {fix} on heading {h} and slow down to speed {s}", "leave {fix} heading {h} slow down to speed {s} {cs}"),
    ("icao", "{cs} you are cleared down to {l} qnh {q}", "down to {l} on qnh {q} {cs}"),
    ("icao", "{cs} for separation take up heading {h} to the left", "heading {h} to the left {cs}"),
    ("icao", "{cs} descend when you are ready {l} speed {s} or above until advised", "when ready descending {l} speed {s} or above {cs}"),
    ("icao", "{cs} right turn onto heading {h} base leg soon", "right turn onto heading {h} {cs}"),
    ("icao", "{cs} stop your climb at {l} opposite traffic one thousand feet above", "stopping climb at {l} looking out {cs}"),
    ("icao", "{cs} keep heading {h} and climb higher now {l}", "keep heading {h} climb {l} {cs}"),
    ("icao", "{cs} your next frequency is {f} {u} {bye}", "{f} for {u} {cs} {bye}"),
    ("icao", "{cs} we hand you over to {u} on {f}", "{u} on {f} {cs} thanks for your help"),
    ("icao", "{cs} last wind {w} you may land runway {r}", "landing runway {r} {cs}"),
    ("icao", "{cs} surface wind {w} runway {r} cleared to land vacate via {t}", "cleared to land runway {r} vacate via {t} {cs}"),
    ("icao", "{cs} runway {r} you are cleared for takeoff when airborne straight to {u} {f}", "cleared for takeoff runway {r} and airborne {f} {cs}"),
    ("icao", "{cs} from {hold} line up runway {r} and wait one departure ahead", "lining up runway {r} from {hold} and waiting {cs}"),
    ("icao", "{cs} hold short of runway {r} at {hold} landing traffic two miles out", "hold short of runway {r} at {hold} {cs}"),
    ("icao", "{cs} cross runway {r} without delay then call {u} {f}", "crossing runway {r} then {f} {cs}"),
    ("icao", "{cs} taxi {route} to {hold} runway {r} and squawk {x}", "{route} to {hold} runway {r} squawk {x} {cs}"),
    ("icao", "{cs} set squawk code {x} for identification", "squawk {x} coming down {cs}"),
    ("icao", "{cs} clearance {town} {fix} {n} {letter} departure squawk {x} initial climb {l}", "{town} {fix} {n} {letter} departure squawk {x} initial climb {l} {cs}"),
    ("icao", "{cs} the qnh is now {q} please recheck your altimeter", "qnh {q} set {cs}"),
    ("icao", "{cs} from present position direct {fix} speed {s} knots on the descent", "direct {fix} speed {s} knots {cs}"),
    ("icao", "{cs} cleared ils {r} descend with the glide speed {s} until four miles", "cleared ils {r} and speed {s} until four miles {cs}"),
    ("icao", "{cs} intercept the localizer {r} from heading {h} and report when you have it", "heading {h} to intercept the localizer {r} wilco {cs}"),
    ("icao", "{cs} reduce now minimum speed {s} you are number {n} behind a {type}", "reducing speed {s} number {n} {cs}"),
    ("icao", "{cs} fly heading {h} descend altitude {l} qnh {q} vectors runway {r}", "heading {h} altitude {l} qnh {q} for runway {r} {cs}"),
    ("icao", "{cs} pull up {l} maintain heading {h} missed approach please", "going around {l} heading {h} {cs}"),
    ("icao", "{cs} expedite your descent through {l} further descent to {l2}", "expediting through {l} down to {l2} {cs}"),
    ("icao", "{cs} startup is granted expect departure runway {r} qnh {q} time check {n} {n2}", "start up runway {r} qnh {q} {cs}"),
    ("icao", "{cs} on request of {u} turn another ten degrees right and speed {s}", "another ten degrees right speed {s} {cs}"),
    ("faa", "{cs} amend your altitude maintain {l}", "amended to {l} {cs}"),
    ("faa", "{cs} fly heading {h} vector across the final for spacing", "heading {h} across the final {cs}"),
    ("faa", "{cs} traffic alert turn left immediately heading {h} and climb to {l}", "left to {h} and up to {l} {cs}"),
    ("faa", "{cs} position {n} miles from {fix} turn right heading {h} maintain {l} until on the localizer cleared ils runway {r} approach", "right heading {h} {l} until on the localizer cleared ils runway {r} {cs}"),
    ("faa", "{cs} talk to {u} now {f} {bye}", "{f} {cs} {bye}"),
    ("faa", "{cs} {town} altimeter {q} descend pilot's discretion {l}", "altimeter {q} pilot's discretion down to {l} {cs}"),
    ("faa", "{cs} cross {fix} at {l} and at speed {s} {town} altimeter {q}", "cross {fix} at {l} and {s} knots {cs}"),
    ("faa", "{cs} runway {r} winds {w} cleared for takeoff fly runway heading", "runway heading cleared for takeoff runway {r} {cs}"),
    ("faa", "{cs} full length runway {r} line up and wait traffic crossing downfield", "line up and wait runway {r} full length {cs}"),
    ("faa", "{cs} continue for runway {r} traffic is a {type} holding in position", "continue for runway {r} {cs}"),
    ("faa", "{cs} cross runway {r} at {t} then taxi by way of {route} to the ramp", "cross runway {r} at {t} {route} to the ramp {cs}"),
    ("faa", "{cs} cleared to {town} airport {fix} {n} departure climb via sid squawk {x} departure frequency {f}", "{town} {fix} {n} squawk {x} departure {f} {cs}"),
    ("faa", "{cs} do not exceed speed {s} for following traffic runway {r}", "speed {s} runway {r} {cs}"),
    ("faa", "{cs} say airspeed and slow to {s} knots if practical", "slowing to {s} knots {cs}"),
    ("faa", "{cs} reset transponder squawk {x} and ident please", "resetting squawk {x} with ident {cs}"),
    ("faa", "{cs} for noise turn right heading {h} contact {u} on {f}", "right heading {h} and {u} on {f} {cs}"),
]  # fmt: skip
# the book's own words, which any text of radio talk shares
STANDARD = [
    ("icao", "{cs} descend to {l} qnh {q}", "descend to {l} qnh {q} {cs}"),
    ("icao", "{cs} climb {l}", "climbing {l} {cs}"),
    ("icao", "{cs} turn left heading {h}", "left heading {h} {cs}"),
    ("icao", "{cs} turn right heading {h} cleared ils approach runway {r}", "right heading {h} cleared ils approach runway {r} {cs}"),
    ("icao", "{cs} reduce speed to {s} knots", "reduce speed to {s} knots {cs}"),
    ("icao", "{cs} contact {u} {f}", "{f} {cs}"),
    ("icao", "{cs} wind {w} runway {r} cleared to land", "runway {r} cleared to land {cs}"),
    ("icao", "{cs} runway {r} cleared for takeoff wind {w}", "cleared for takeoff runway {r} {cs}"),
    ("icao", "{cs} runway {r} line up and wait", "lining up and wait runway {r} {cs}"),
    ("icao", "{cs} hold short of runway {r}", "holding short of runway {r} {cs}"),
    ("icao", "{cs} taxi to {hold} runway {r} via {t} and {t2} qnh {q}", "taxi to {hold} runway {r} via {t} and {t2} qnh {q} {cs}"),
    ("icao", "{cs} squawk {x}", "squawk {x} {cs}"),
    ("icao", "{cs} proceed direct {fix} climb {l}", "direct {fix} climb {l} {cs}"),
    ("icao", "{cs} turn left heading {h} descend {l} reduce speed {s} knots", "left heading {h} descend {l} speed {s} knots {cs}"),
    ("icao", "{cs} maintain speed {s} knots until {n} miles final contact tower {f}", "speed {s} knots until {n} miles final tower {f} {cs}"),
    ("icao", "{cs} cleared to {town} {fix} {n} {letter} departure squawk {x}", "cleared to {town} {fix} {n} {letter} departure squawk {x} {cs}"),
    ("icao", "{cs} vacate left contact ground {f}", "vacate left ground {f} {cs}"),
    ("faa", "{cs} climb and maintain {l}", "climb and maintain {l} {cs}"),
    ("faa", "{cs} turn left heading {h} descend and maintain {l}", "left heading {h} descend and maintain {l} {cs}"),
    ("faa", "{cs} contact {u} {f}", "{f} {cs}"),
    ("faa", "{cs} wind {w} runway {r} cleared to land", "cleared to land runway {r} {cs}"),
    ("faa", "{cs} cross runway {r} at {t} contact ground {f}", "cross runway {r} at {t} ground {f} {cs}"),
    ("faa", "{cs} descend and maintain {l} {town} altimeter {q}", "descend and maintain {l} altimeter {q} {cs}"),
    ("faa", "{cs} reduce speed to {s} turn right heading {h}", "speed {s} right heading {h} {cs}"),
]  # fmt: skip
SINGLES = [
    ("icao", "pilot", "{u} {hello} {cs} out of {l} for {l2} heading {h}"),
    ("icao", "pilot", "{u} {cs} {hello} level at {l} speed {s} information {letter}"),
    ("icao", "pilot", "{u} {cs} at stand {g} we copied {letter} qnh {q} looking for start up"),
    ("icao", "pilot", "{cs} we have the runway behind us taxiing in via {t}"),
    ("icao", "pilot", "{cs} we need to avoid a cell would like heading {h} for the next {n} miles"),
    ("icao", "pilot", "{u} {cs} on the ils runway {r}"),
    ("icao", "pilot", "{cs} sorry what was the heading"),
    ("icao", "pilot", "{cs} was that {l} for us"),
    ("icao", "pilot", "{cs} passed the message to company many thanks"),
    ("icao", "pilot", "we are going around {cs} runway not clear"),
    ("icao", "pilot", "{cs} is fuel critical we would take runway {r} if you can offer it"),
    ("icao", "pilot", "negative {cs} we are unable to make {fix} at {l}"),
    ("icao", "controller", "{cs} your traffic is at two o'clock {n} miles a {type} in the climb"),
    ("icao", "controller", "{cs} you are identified no delay expected today"),
    ("icao", "controller", "{cs} that was correct expect the approach for {r} in a few minutes"),
    ("icao", "controller", "{cs} negative {l} is not available due to crossing traffic"),
    ("icao", "controller", "station calling {u} your transmission was broken try again"),
    ("icao", "controller", "{cs} is your heading still {h}"),
    ("icao", "controller", "{cs} braking action reported good bird activity along runway {r}"),
    ("icao", "controller", "{cs} break off the approach {l} straight ahead climb"),
    ("faa", "pilot", "{u} {cs} checking in {l} light chop"),
    ("faa", "pilot", "{u} {cs} with you leaving {l} for {l2}"),
    ("faa", "pilot", "{cs} any chance of lower we are getting bounced around at {l}"),
    ("faa", "pilot", "{cs} field is in sight we can take the visual to {r}"),
    ("faa", "pilot", "{u} {cs} clear of runway {r} at {t} parking at gate {g}"),
    ("faa", "controller", "{cs} thank you caution wake the {type} is {n} miles ahead of you"),
    ("faa", "controller", "{cs} radar contact {n} miles west of {town} altimeter {q}"),
    ("faa", "controller", "{cs} plan on runway {r} today the arrival is busy"),
    ("faa", "controller", "all stations new {town} altimeter {q}"),
    ("faa", "controller", "{cs} there is no known traffic observed between you and {fix}"),
]  # fmt: skip
FRAGMENTS = [
    ("controller", "then left heading {h}"), ("pilot", "climb {l}"), ("pilot", "heading {h} and {l}"), ("controller", "and speed {s} knots"),
    ("pilot", "frequency is {f}"), ("pilot", "{f} {bye}"), ("controller", "report when through {l}"), ("pilot", "{cs}"), ("pilot", "roger {cs}"),
    ("controller", "{cs} go"), ("pilot", "qnh {q}"), ("controller", "squawk {x}"), ("pilot", "runway {r} cleared to land"), ("controller", "wind {w}"),
    ("pilot", "wilco"), ("pilot", "affirm we have the information"), ("controller", "one moment please"), ("pilot", "thanks {bye}"), ("pilot", "say again please"),
    ("controller", "direct {fix}"), ("pilot", "direct {fix} {cs}"), ("pilot", "behind the {type} line up runway {r}"), ("controller", "stop climb {l}"),
    ("pilot", "standing by"), ("controller", "approved as requested"), ("pilot", "traffic in sight"),
]  # fmt: skip

SLOTS = {"h": "heading", "l": "level", "f": "frequency", "r": "runway", "s": "speed", "q": "qnh", "x": "squawk"}


def by_digit(number: str) -> str:
    return " ".join(ONES[int(c)] for c in number)


def under_hundred(n: int) -> str:
    if n < 10:
        return ONES[n]
    if n < 20:
        return TEN_UP[n - 10]
    return DECADES[n // 10] + (f" {ONES[n % 10]}" if n % 10 else "")


def in_groups(number: str) -> str:
    """Two or three groups: 4125 forty one twenty five, 346 three forty six, 302 three zero two, 500 five hundred."""
    if len(number) == 2 and number[0] != "0":
        return under_hundred(int(number))
    if len(number) == 3 and number[1:] == "00":
        return f"{ONES[int(number[0])]} hundred"
    if len(number) in (3, 4) and number[-2] != "0" and number[0] != "0":
        head = number[:-2]
        if len(head) == 1 or head[0] != "0":
            return f"{under_hundred(int(head))} {under_hundred(int(number[-2:]))}"
    return by_digit(number)


class Flight:
    """One flight on one frequency: its callsign and its way of saying numbers."""

    def __init__(self, r: random.Random, region: str) -> None:
        self.r, self.region = r, region
        self.groups = r.random() < (0.7 if region == "faa" else 0.15)
        self.spoken, self.code = self.callsign()

    def callsign(self) -> tuple[str, str]:
        r, kind = self.r, self.r.random()
        if kind < 0.13 and self.region == "faa":
            digits, tail = str(r.randint(12, 9899)), r.choice([[], [r.choice("abcdefghjklmnp")], r.sample("bcdfhjkmpqrstw", 2)])
            return " ".join(["november", by_digit(digits), *(SPELLING[c] for c in tail)]), "N" + digits + "".join(tail).upper()
        if kind < 0.1:
            letters = r.choice(["g", "hb", "oe", "d", "f", "ph"])
            letters += "".join(r.choice("bcdfghijklmnprstuvwxyz") for _ in range(5 - len(letters)))
            return " ".join(SPELLING[c] for c in letters), letters.upper()
        names = (SELDOM if r.random() < 0.16 else FREQUENT)[self.region]
        name = r.choice(sorted(names))
        if self.region == "icao" and r.random() < 0.45:
            digits, letters = str(r.choice([r.randint(1, 9), r.randint(11, 99), r.randint(101, 989)])), r.sample("abcdefghjklmnpqrtuvwxyz", r.choice([1, 1, 2]))
            if len(digits) == 3:
                letters = letters[:1]
            return f"{name} {self.number(digits)} {' '.join(SPELLING[c] for c in letters)}", names[name] + digits + "".join(letters).upper()
        digits = str(r.choice([r.randint(3, 98), r.randint(102, 998), r.randint(102, 998), r.randint(1003, 9997)]))
        return f"{name} {self.number(digits)}" + (" heavy" if r.random() < 0.05 else ""), names[name] + digits

    def number(self, digits: str) -> str:
        return in_groups(digits) if self.groups else by_digit(digits)

    # each: (words, canonical value)
    def heading(self) -> tuple[str, str]:
        n = self.r.choice([self.r.randint(1, 36) * 10, self.r.randint(1, 72) * 5, self.r.randint(4, 357)])
        return by_digit(f"{n:03d}"), f"{n:03d}"

    def level(self) -> tuple[str, str]:
        r = self.r
        if r.random() < (0.25 if self.region == "faa" else 0.6):
            n = r.randint(18, 41) * 10 if self.region == "faa" else r.choice([r.randint(6, 39) * 10, r.randint(6, 39) * 10, r.randint(13, 75) * 5])
            words = f"flight level {ONES[n // 100]} hundred" if n % 100 == 0 and r.random() < 0.7 else f"flight level {by_digit(str(n))}"
            return words, f"FL{n}"
        thousands, hundreds = r.randint(2, 16 if self.region == "faa" else 9), r.choice([0, 0, 5, 0, r.randint(1, 9)])
        head = by_digit(str(thousands)) if r.random() < 0.8 else under_hundred(thousands)
        words = f"{head} thousand" + (f" {ONES[hundreds]} hundred" if hundreds else "") + (" feet" if self.region == "icao" and r.random() < 0.6 else "")
        return words, str(thousands * 1000 + hundreds * 100)

    def frequency(self) -> tuple[str, str]:
        r = self.r
        mhz, khz = r.randint(118, 136), r.choice([r.randint(0, 9) * 100, r.randint(0, 9) * 100 + 50, r.randint(0, 199) * 5])
        while khz % 25 == 20:
            khz = r.randint(0, 199) * 5
        tail = f"{khz:03d}".rstrip("0") or "0"
        tail = tail if len(tail) < 3 and r.random() < 0.9 else f"{khz:03d}"
        point = "point" if self.region == "faa" or r.random() < 0.25 else "decimal"
        return f"{by_digit(str(mhz))} {point} {by_digit(tail)}", f"{mhz}.{khz:03d}"

    def runway(self) -> tuple[str, str]:
        n, side = self.r.randint(1, 36), self.r.choice(["", "", "left", "right", "center"])
        words = by_digit(str(n) if self.region == "faa" else f"{n:02d}")
        return f"{words} {side}".strip(), f"{n:02d}{side[:1].upper()}"

    def speed(self) -> tuple[str, str]:
        n = str(self.r.choice([self.r.randint(14, 32) * 10, self.r.randint(28, 64) * 5]))
        return self.number(n) if not n.endswith("00") else by_digit(n), n

    def pressure(self) -> tuple[str, str]:
        if self.region == "faa":
            n = self.r.randint(2941, 3039)
            return by_digit(str(n)), f"{n // 100}.{n % 100:02d}"
        n = self.r.randint(982, 1039)
        return by_digit(str(n)), str(n)

    def squawk(self) -> tuple[str, str]:
        n = "".join(self.r.choice("01234567") for _ in range(4))
        return by_digit(n), n

    def value(self, letter: str) -> tuple[str, str]:
        return {"h": self.heading, "l": self.level, "f": self.frequency, "r": self.runway, "s": self.speed, "q": self.pressure, "x": self.squawk}[letter]()

    def words(self, name: str) -> str:
        """What stands for a name that is no measured value."""
        r = self.r
        if name == "u":
            return f"{r.choice(TOWNS[self.region])} {r.choice(UNITS[self.region])}" if r.random() < 0.75 else r.choice(UNITS[self.region])
        if name == "w":
            strength = r.randint(3, 28)
            return f"{by_digit(f'{r.randint(1, 36) * 10:03d}')}{r.choice([' degrees', '', ' at'])} {r.choice([by_digit(str(strength)), under_hundred(strength)])}{r.choice([' knots', ''])}"
        if name == "hello":
            return r.choice(HELLO[self.region])
        if name == "bye":
            return r.choice(BYE[self.region]) if r.random() < 0.6 else ""
        lists = {"fix": POINTS, "town": TOWNS[self.region], "type": AIRCRAFT, "letter": list(SPELLING.values()), "n": ONES[2:], "t": list(SPELLING.values())}
        if name == "route":
            return "via " + " ".join(r.sample(sorted(SPELLING.values()), r.randint(1, 3)))
        if name == "hold":
            return f"holding point {r.choice(list(SPELLING.values()))} {r.choice(ONES[1:])}"
        if name == "g":
            return by_digit(str(r.randint(1, 98)))
        return r.choice(lists[name.rstrip("0123456789")])


def fill(flight: Flight, template: str, known: dict[str, tuple[str, str]]) -> tuple[str, dict[str, list[str]]]:
    """Words and slots of a template; what it draws is added to `known`, so that the readback of the same exchange has the same."""
    slots: dict[str, list[str]] = {}

    def put(match: re.Match[str]) -> str:
        name = match.group(1)
        if name == "cs":
            return flight.spoken
        letter = name[0] if len(name) == 1 or name[1:].isdigit() else ""
        measured = letter in SLOTS
        if name not in known:
            drawn = flight.value(letter) if measured else (flight.words(name), "")
            # two values of a kind in one transmission are two different ones
            while measured and any(k[0] == letter and k[1:].isdigit() | (len(k) == 1) and v[1] == drawn[1] for k, v in known.items()):
                drawn = flight.value(letter)
            known[name] = drawn
        if measured:
            slots.setdefault(SLOTS[letter], []).append(known[name][1])
        return known[name][0]

    return " ".join(re.sub(r"\{(\w+)\}", put, template).split()), slots


def transmission(seed: int, index: int, standard: bool = False) -> dict:
    """Number `index` of the script of `seed`. `standard`: an exchange in the book's words; else own words of all kinds."""
    r = random.Random(f"held out {seed} {index}")
    kind = r.choices(["exchange", "single", "fragment"], [66, 18, 16])[0]
    if standard or kind == "exchange":
        kind, exchanges = ("standard", STANDARD) if standard else ("exchange", EXCHANGES)
        region, given, back = exchanges[r.randrange(len(exchanges))]
        flight, known = Flight(r, region), {}
        text, slots = fill(flight, given, known)
        role, truth = "controller", {}
        if r.random() < 0.55:
            role, instructed = "pilot", dict(known)
            fill(flight, back, known)
            said = re.findall(r"\{([hlfrsqx]2?)\}", back)
            truth["right"] = True
            # the pilot hears another value in a third of the readbacks
            if said and r.random() < 0.35:
                name = r.choice(said)
                if name in instructed:
                    while known[name][1] == instructed[name][1]:
                        known[name] = flight.value(name[0])
                    truth |= {"right": False, "slot": SLOTS[name[0]], "instructed": instructed[name][1], "read": known[name][1]}
            text, slots = fill(flight, back, known)
        if r.random() < 0.06:
            words = text.split()
            text = " ".join([*words[: (at := r.randint(1, len(words) - 1))], r.choice(HESITATION), *words[at:]])
        callsign: str | None = flight.code
    elif kind == "single":
        region, role, template = SINGLES[r.randrange(len(SINGLES))]
        flight, truth = Flight(r, region), {}
        text, slots = fill(flight, template, {})
        callsign = flight.code if "{cs}" in template else None
    else:
        role, template = FRAGMENTS[r.randrange(len(FRAGMENTS))]
        region = r.choice(["icao", "icao", "faa"])
        flight, truth = Flight(r, region), {}
        text, slots = fill(flight, template, {})
        if region == "faa":
            text = text.replace("qnh", "altimeter")
        callsign = flight.code if "{cs}" in template else None
    return {"text": text, "role": role, "region": region, "kind": kind, "callsign": callsign, "slots": slots, **({"readback": truth} if truth else {})}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--text", action="store_true")
    a = parser.parse_args()
    for index in range(a.count):
        said = transmission(a.seed, index)
        print(said["text"] if a.text else json.dumps(said))


if __name__ == "__main__":
    main()
