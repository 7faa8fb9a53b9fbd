"""Words of the generator: designators, places, units, aircraft, made-up fixes. Our own lists; names of airlines and places are facts."""
from __future__ import annotations

import random
import re
from pathlib import Path

DIGITS = "zero one two three four five six seven eight nine".split()
ALPHABET = (
    "alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform "
    "victor whiskey xray yankee zulu"
).split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()

# telephony designator → ICAO code (Doc 8585), world-wide, busy ones first
TELEPHONY = {
    "lufthansa": "DLH", "speedbird": "BAW", "air france": "AFR", "klm": "KLM", "swiss": "SWR", "austrian": "AUA", "iberia": "IBE", "ryanair": "RYR",
    "easy": "EZY", "alpine": "EZS", "wizz air": "WZZ", "eurowings": "EWG", "condor": "CFG", "turkish": "THY", "sunturk": "PGT",
    "scandinavian": "SAS", "nor shuttle": "NAX", "finnair": "FIN", "iceair": "ICE", "shamrock": "EIN", "beeline": "BEL", "beauty": "JAF", "tomjet": "TOM",
    "channex": "EXS", "shuttle": "SHT", "transavia": "TRA", "vueling": "VLG", "air portugal": "TAP", "europa": "AEA", "alitalia": "AZA", "itarrow": "ITY",
    "lot": "LOT", "csa": "CSA", "skytravel": "TVS", "tarom": "ROT", "croatia": "CTN", "adria": "ADR", "air serbia": "ASL", "aegean": "AEE", "olympic": "OAL",
    "cyprus": "CYP", "air baltic": "BTI", "aeroflot": "AFL", "belavia": "BRU", "ukraine international": "AUI", "edelweiss": "EDW", "helvetic": "OAW",
    "luxair": "LGL", "cargolux": "CLX", "german cargo": "GEC", "eurotrans": "BCS", "quality": "TAY", "ups": "UPS", "fedex": "FDX", "giant": "GTI",
    "united": "UAL", "american": "AAL", "delta": "DAL", "southwest": "SWA", "jetblue": "JBU", "alaska": "ASA", "spirit wings": "NKS", "frontier flight": "FFT",
    "skywest": "SKW", "brickyard": "RPA", "envoy": "ENY", "endeavor": "EDV", "citrus": "TRS", "hawaiian": "HAL", "allegiant": "AAY", "sun country": "SCX",
    "air canada": "ACA", "westjet": "WJA", "jazz": "JZA", "transat": "TSC", "aeromexico": "AMX", "volaris": "VOI", "copa": "CMP", "avianca": "AVA", "lan chile": "LAN",
    "tam": "TAM", "gol transporte": "GLO", "azul": "AZU", "argentina": "ARG", "emirates": "UAE", "etihad": "ETD", "qatari": "QTR", "saudia": "SVA",
    "kuwaiti": "KAC", "gulf air": "GFA", "oman air": "OMA", "sky dubai": "FDB", "arabia": "ABY", "jordanian": "RJA", "cedar jet": "MEA", "el al": "ELY",
    "egyptair": "MSR", "royalair maroc": "RAM", "tunair": "TAR", "air algerie": "DAH", "ethiopian": "ETH", "kenya": "KQA", "springbok": "SAA", "rwandair": "RWD",
    "air india": "AIC", "ifly": "IGO", "vistara": "VTI", "spicejet": "SEJ", "srilankan": "ALK", "pakistan": "PIA", "bangladesh": "BBC", "singapore": "SIA",
    "scooter": "TGW", "malaysian": "MAS", "red cap": "AXM", "indonesia": "GIA", "lion inter": "LNI", "thai": "THA", "bangkok air": "BKP", "vietnam airlines": "HVN",
    "vietjet": "VJC", "philippine": "PAL", "cebu": "CEB", "cathay": "CPA", "hong kong shuttle": "HKE", "dynasty": "CAL", "eva": "EVA", "air china": "CCA",
    "china eastern": "CES", "china southern": "CSN", "hainan": "CHH", "sichuan": "CSC", "xiamen air": "CXA", "japan air": "JAL", "all nippon": "ANA", "skymark": "SKY",
    "korean air": "KAL", "asiana": "AAR", "jeju air": "JJA", "qantas": "QFA", "velocity": "VOZ", "jetstar": "JST", "new zealand": "ANZ", "virgin": "VIR",
    "uzbek": "UZB", "astanaline": "KZR", "azal": "AHY", "tamazi": "TGZ", "netjets": "NJE", "execjet": "EJA", "flexjet": "LXJ", "vista": "VJT",
    "german air force": "GAF", "ascot": "RRR", "reach": "RCH", "topswiss": "EZS", "rafair": "RFR",
}  # fmt: skip
# names that are words of the phraseology, or written as nobody says them; better names for them are in the product's own table
_NOT_SAID = set(
    "base sharp link orange enter orbit click raw county national express trip til sol baby commercial executive going cap cal city expo unity air jet district way pat "
    "airfrans airindia airbaltic aircanada nuigini airspup".split()
)


def other_operators() -> dict[str, str]:
    """Telephony designator → ICAO code of all the operators that the product knows (its tables in engine/phraseology; origin and licence of
    the facts stand there) and that are not in TELEPHONY. The measuring sets' operators are among them: which operators there are is public,
    and a recogniser that was not told of one writes another. Their texts, voices and made-up fixes stay apart."""
    found: dict[str, str] = {}
    for table in ("telephony.ts", "telephony-data.ts"):
        text = (Path(__file__).resolve().parents[2] / "engine" / "phraseology" / table).read_text()
        for code, name in re.findall(r"\b([A-Z]{3})=([a-z][a-z ]+)", text):
            if name not in TELEPHONY and name not in _NOT_SAID and name not in found:
                found[name] = code
    return found


PLACES = (
    "geneva zurich bern basel lugano wien salzburg innsbruck munchen frankfurt langen bremen rhein hamburg berlin dresden praha brno ostrava bratislava "
    "budapest warszawa krakow riga vilnius tallinn helsinki tampere stockholm malmo copenhagen oslo bergen reykjavik dublin shannon london manchester "
    "scottish cardiff birmingham jersey brussels liege amsterdam rotterdam luxembourg paris reims marseille lyon nice toulouse bordeaux brest madrid "
    "barcelona palma sevilla lisboa porto roma milano padova venezia napoli athinai thessaloniki larnaca istanbul ankara izmir sofia bucuresti beograd "
    "zagreb ljubljana sarajevo skopje kyiv minsk tbilisi baku tel-aviv amman beirut cairo tunis casablanca nairobi lagos johannesburg dubai doha riyadh "
    "jeddah kuwait bahrain muscat tehran karachi lahore delhi mumbai chennai kolkata colombo dhaka bangkok yangon hanoi singapore jakarta manila "
    "taipei shanghai beijing guangzhou shenzhen incheon seoul busan tokyo osaka fukuoka sapporo sydney melbourne brisbane perth auckland boston "
    "chicago denver dallas houston miami atlanta memphis seattle oakland phoenix detroit newark kennedy toronto montreal vancouver calgary mexico bogota lima santiago"
).split()


def product_places() -> list[str]:
    """Places whose units the product knows (engine/phraseology/lexicon.ts), and ours."""
    text = (Path(__file__).resolve().parents[2] / "engine" / "phraseology" / "lexicon.ts").read_text()
    listed = " ".join(re.findall(r"'([^']*)'", text[text.index("export const PLACES") : text.index("export const AIRCRAFT_KINDS")]))
    return sorted({place.replace("-", " ") for place in [*listed.split(), *PLACES]})


ICAO_UNITS = "tower ground apron delivery approach departure director arrival radar control information radio final".split()
FAA_UNITS = "tower ground ramp clearance approach departure center final".split()
TYPES = (
    "airbus three twenty|airbus three nineteen|airbus three fifty|airbus three eighty|boeing seven thirty seven|boeing seven four seven|boeing triple seven|"
    "seven eight seven|embraer one ninety|embraer|dash eight|atr seventy two|citation|learjet|gulfstream|falcon|challenger|king air|pc twelve|cessna|"
    "cessna one seventy two|skyhawk|piper|cherokee|cirrus|diamond|robin|helicopter|glider|md eleven|crj nine hundred|heavy boeing seven six seven"
).split("|")
# hand-made sounds of procedure names
_ONSETS = "b br d dr f fl g gr h k kr l m n p pr r s st t tr v w z sh".split()
_VOWELS = "a e i o u a e i o ee oo ai".split()
_CODAS = "l m n r s t k d p x nd lt rn sk".split()
# made-up fixes of the measuring sets, kept out: what a recogniser makes of these is what it makes of a name it was never told
HELD_OUT_FIXES = set(
    "belko tavim nordi kelat pesul dolan ribex somar lunak vesta hadri moxil gotra perum salto kimba "
    "abrik adunt agolf akemi alvur amtek anbus arsol askin atvom ebdor edvik egnat ekrom elbit emsur enkal erdun eskol etmar ibrun idgar igmol ilvek imtar indop irkus "
    "isbol itnar ivgem obdak odmir ogtel okvan olnur ombek ontif oprig orvel ostap ubkan udrol ugvit ulmer umbor unvek urtas usmin utrek uvdol".split()
)
_SAID_FIXES = "sugar lemon tiger maple eagle orbit river castle anchor saddle marble copper velvet harbor meadow canyon ginger walnut falcon bishop".split()


def fix(r: random.Random) -> str:
    """A made-up five-letter-like name, as it would be spoken; sometimes a plain word or a spelled navaid."""
    kind = r.random()
    if kind < 0.4:
        # five letters that can be spoken, beginning with a vowel or a consonant, as the real ones are
        consonant, vowel = (lambda: r.choice("b d f g k l m n p r s t v z".split())), (lambda: r.choice("aeiou"))
        name = "".join(consonant() if letter == "c" else vowel() for letter in r.choice(["vccvc", "vccvc", "vcvcv", "cvcvc", "cvcvc", "cvccv", "cvccv"]))
        return name if name not in HELD_OUT_FIXES else fix(r)
    if kind < 0.72:
        name = r.choice(_ONSETS) + r.choice(_VOWELS) + r.choice("l m n r s t d k p v b g".split()) + r.choice(_VOWELS)
        return name + (r.choice(_CODAS) if r.random() < 0.75 else "")
    if kind < 0.8:
        return r.choice(_SAID_FIXES)
    if kind < 0.9:
        return r.choice(PLACES).replace("-", " ")
    return " ".join(r.choice(ALPHABET) for _ in range(r.choice([2, 3, 3])))


def digits(value: str) -> str:
    """Digit by digit."""
    return " ".join(DIGITS[int(c)] for c in value)


def below_hundred(value: int) -> str:
    if value < 10:
        return DIGITS[value]
    if value < 20:
        return TEENS[value - 10]
    return TENS[value // 10] + ("" if value % 10 == 0 else f" {DIGITS[value % 10]}")


def grouped(value: str) -> str:
    """Group form: two forty six, twelve thirty four, one hundred five."""
    if len(value) == 4:
        if value[1:] == "000":
            return f"{DIGITS[int(value[0])]} thousand"
        if value[2:] == "00":
            return f"{below_hundred(int(value[:2]))} hundred"
        tail = below_hundred(int(value[2:])) if value[2] != "0" else digits(value[2:])
        return f"{below_hundred(int(value[:2]))} {tail}" if value[0] != "0" else digits(value)
    if len(value) == 3:
        if value[1:] == "00":
            return f"{DIGITS[int(value[0])]} hundred"
        tail = below_hundred(int(value[1:])) if value[1] != "0" else digits(value[1:])
        return f"{DIGITS[int(value[0])]} {tail}"
    if len(value) == 2 and value[0] != "0":
        return below_hundred(int(value))
    return digits(value)
