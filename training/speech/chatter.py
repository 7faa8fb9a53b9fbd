"""What is said on the radio beside clearances and readbacks: small talk of the trade, weather, traffic, apologies, questions; names of
places; and plain English words in no order, so that a recogniser writes what it hears and not the nearest clearance.

    python chatter.py --seed 1 --count 20

Our own sentences. Place names are those of the IANA time zone database (public domain) as Python carries it.
"""
from __future__ import annotations

import argparse
import random
import re
import zoneinfo

import lexicon as v
from talk import Talk

DIGITS = "zero one two three four five six seven eight nine".split()

# A|B are choices; <…> is filled in below.
SENTENCES = """
expect <approach> approach runway <runway> in about <small> minutes
expect <climb> climb|descent in <small> miles
expect no delay|further delay|a short delay|vectors|holding for <small> minutes
expect radar vectors for <approach> runway <runway>
keep your speed up|high speed|the speed below <speed>|it tight|on going
keep the approach short please traffic behind you is faster
reduce to minimum approach speed|clean speed|final approach speed
increase speed to <speed> knots if you can|or more if practical|until further advised
no speed restriction|speed restrictions cancelled|resume normal speed
say your speed|heading|level|position|intentions|type|fuel on board|souls on board|indicated airspeed|requested level
what is your speed|heading|present level|mach number|rate of descent
are you able to keep|make|accept that|it|the early turn|a left turn out
can you accept|make|take an early descent|intersection departure|a visual
we can accept|take that|it|the intersection
we are unable due weather|performance|weight|to accept that
we would like to stay on this heading for another <small> miles because of weather
we have|got the traffic in sight|visually|on our tcas
we have the field|runway|preceding in sight
looking for the traffic|looking out|searching
traffic not in sight|negative contact
traffic is at your <clock> o'clock <small> miles opposite direction <thousand> feet above|below
your traffic has passed|is no factor|clear of traffic
caution wake turbulence|birds|the wake of the heavy|men and equipment on the left
birds reported on|near final|the threshold|the runway
braking action reported good|medium|poor by the previous
surface wind <wind> degrees <small> knots gusting <small>
the wind is light and variable|calm at the moment
wind check please|say wind|confirm the wind
the last one reported moderate|light|severe turbulence|icing below <thousand> feet
how is the ride up there|at your level
some light chop|moderate turbulence here|smooth ride so far
cloud base is about <thousand> feet broken|scattered|overcast
few at <thousand> feet scattered|broken at <thousand> feet
visibility more than one zero kilometers|<small> thousand meters in rain|mist
runway is wet|dry|damp|inspected
we will be ready in <small> minutes|shortly|at the holding point|on reaching
ready in sequence|for departure|for push
fully ready|ready to copy|stand by to copy
are you ready for immediate|departure|copying
go ahead|pass your message|say your request
stand by i will call you back|stand by for higher|further|taxi
just a moment please|one moment|wait one
sorry i was on the other frequency|say again please|missed that
sorry you were blocked|stepped on|say again
two at the same time|that was two at once|blocked
station calling say again your callsign
who was that calling|last station calling say again
how do you read|radio check on <frequency>|reading you five
loud and clear|read you five by five|weak but readable
you are unreadable|broken|very weak try the other box|again
we lost you there for a moment|try box two
i had you on the other frequency|already with us
was that for us|for <callsign>|can you confirm that was for <callsign>
negative that was for another station|aircraft
confirm you want us to turn left|right|climb|descend|hold
confirm cleared for takeoff|to land|to cross|the approach
that is correct|affirm|negative|correct that is right
thanks for your help|patience|cooperation
no problem|my pleasure|you are welcome|all good
thank you very much good night|have a good one|and goodbye
see you later|next time|tomorrow|on the way back
have a nice|good|safe flight|day|evening|trip
we will report|call you back passing|when ready|on the ground
will do|can do|wilco|copied all|copied thanks|that is copied
switching now|over to tower|changing to approach thanks
staying with you|on this frequency
leaving the zone|your frequency now|controlled airspace
remain outside|clear of controlled airspace|the zone
remain this frequency|on this frequency for now
transit approved|zone crossing approved not above <thousand> feet
request transit|crossing of the zone from north|south to east|west
report entering|leaving|overhead|abeam <place>
we are two miles north|south|east|west of <place>
overhead <place> at <thousand> feet on the way to <place>
airborne from <place> to <place> two on board|persons on board
inbound for landing with information <letter>
information <letter> is current|we have information <letter>
check you have information <letter>
for a touch and go|a full stop|low approach|go around
make one orbit left|right for spacing
extend your downwind|i will call your base
join downwind|base|final|the circuit
number <one> to land behind|following the traffic on short final
number <one> you are following a|an airbus|boeing|cessna|dash eight|embraer on a <small> mile final
continue approach traffic is|will be vacating|departing
expect late landing clearance|continue
vacate next|first|second left|right if able|when able
take the next right|left|the high speed exit
hold your position|hold there|stop there|stop immediately|hold position
give way to the traffic|company from the right|left
follow the company|follow me|the marshaller
behind the landing|departing|the next line up and wait behind
pushback approved facing north|south|east|west
start up approved|start approved|start up at your discretion
request start|push and start|de icing|start up
stand <small> is occupied|free now|available
you are parked|stand number <small>
ground crew|the tow bar|tug is not yet here|ready
we need another <small> minutes|five minutes more
there is a delay|slot time is <time>
your slot is now <time>|has expired|has been improved
we have a technical problem|small problem|warning light we need to stop|return|hold
declaring emergency|pan pan|mayday mayday mayday
we lost an engine|cabin pressure|one hydraulic system
request priority|emergency services|the fire trucks on landing
are you declaring an emergency
fuel is minimum|endurance <small> hours
passenger is ill|medical on board request ambulance|a doctor
going around|missed approach|go around i say again go around
are you established|on the localizer|on the glide
not yet established|still looking for the localizer
the glide path is not available|out of service|localizer only
you are left|right|north|south of track|the localizer
you are slightly high|fast|low check your altitude|altimeter
check your transponder|mode charlie|squawk|altimeter setting
recycle your transponder|squawk again please
your transponder is not showing|i have no squawk from you
radar service terminated|identified|contact lost
radar contact <small> miles from touchdown
frequency change approved|at your discretion
free call|try <place> information|radio
call me on the phone|telephone number after landing
the airport is closed until <time>|noise restrictions apply
shortcut available|direct routing approved
any chance of a direct|shortcut|higher|lower
is there any chance for <place>
request direct <place>|higher|lower level due to turbulence
request descent|climb|level change|different heading
ten degrees left|right to avoid the weather
deviating left|right of course|track by <small> miles
clear of weather|weather now resuming own navigation
we are clear now back on course|track
on course|on track|on top of <place>
level now|reaching <thousand> feet
leaving <thousand> feet|passing through <thousand> feet
approaching <place>|the holding point|your level
time check|the time is <time>
i will pass it on|let them know|i will ask them
ask your company about that|contact your operations
it was a bit late|too early|my mistake|fault
disregard my last|the last transmission
i say again|correction|negative i say again
thanks again and sorry for that|the mess
"""

COMMON = """
the a an and or but if so that this these those there here it is was were be been have has had do does did will would could should can may
might must not no yes now then than when where what who which why how all any some few many more most other another next last first second
third same new old good bad long short high low fast slow early late before after behind ahead above below over under between around about
along across through into onto out off up down back again still already soon just only also even ever never always maybe please thank sorry
you your we us our i me my he she they them their one two three four five six seven eight nine ten twenty thirty forty fifty hundred thousand
time minute minutes hour second day night morning evening week today tomorrow weather wind rain snow fog cloud clouds sky sun ice storm
thunder lightning turbulence smooth rough bumpy light moderate severe heavy wet dry clear closed open broken north south east west left right
center middle side line point area zone field ground air water road river lake hill mountain bridge town city coast island border airport
airfield tower approach departure arrival radar control radio frequency channel runway taxiway apron stand gate ramp hangar fuel engine gear
flaps wing tail door window light lights car truck van bus vehicle crew captain pilot officer passenger passengers doctor people person
company team equipment man men work working problem trouble help need want like look see hear feel know think say said tell told ask call
calling called check checked come coming go going get getting give given take taking taken make making made keep keeping hold holding stop
stopped start started wait waiting turn turning climb climbing descend descending land landing leave leaving left reach reaching cross
crossing follow following pass passing join joining enter entering report reporting confirm expect expecting request requesting reduce
reducing increase increasing slow slowing maintain proceed continue continuing stay remain vacate available able unable ready possible normal
correct wrong sure okay fine nice great different direct present previous initial final full half quarter quick quickly slowly immediately
shortly currently slightly approximately exactly traffic aircraft airplane helicopter glider balloon bird birds drone flight level altitude
height feet foot meters mile miles knots degrees heading course track speed distance position number route plan information message
transmission emergency priority delay slot sequence spacing visual instrument circuit pattern base downwind threshold surface noise signal
noted understood copy copied received blue red green yellow white black orange pink spring summer winter garden paper table house street
school music story letter picture market window bottle simple strong early happy quiet bright deep wide narrow young old
""".split()


def places() -> list[str]:
    """City names of the time zone database, lower-case words."""
    names = {z.rsplit("/", 1)[-1] for z in zoneinfo.available_timezones() if z.count("/") and not z.startswith(("Etc", "SystemV", "posix", "right"))}
    return sorted(n.replace("_", " ").replace("-", " ").lower() for n in names if re.fullmatch(r"[A-Za-z_-]+", n))


PLACES = places()


def fill(r: random.Random, what: str, talk: Talk) -> str:
    def digits(count: int) -> str:
        return " ".join(r.choice(DIGITS) for _ in range(count))

    if what == "approach":
        return r.choice("ils|visual|rnp|vor|ndb|localizer|gls|circling|radar".split("|"))
    if what == "runway":
        return f"{r.choice(DIGITS[:4])} {r.choice(DIGITS)}{r.choice(['', '', ' left', ' right', ' center'])}"
    if what == "small":
        return r.choice("one two three four five six seven eight nine ten twelve fifteen twenty thirty".split())
    if what == "one":
        return r.choice("one two three four".split())
    if what == "climb":
        return r.choice("further|your".split("|"))
    if what == "speed":
        return digits(3)
    if what == "thousand":
        return f"{r.choice(DIGITS[1:])} thousand{r.choice(['', '', ' five hundred', f' {r.choice(DIGITS[1:])} hundred'])}"
    if what == "clock":
        return r.choice("one two three nine ten eleven twelve".split())
    if what == "wind":
        return digits(2) + " zero"
    if what == "frequency":
        return f"one {digits(2)} {r.choice(['decimal', 'point', ''])} {digits(r.choice([1, 2, 3]))}"
    if what == "time":
        return digits(r.choice([2, 4]))
    if what == "letter":
        return r.choice(v.ALPHABET)
    if what == "place":
        return r.choice(PLACES)
    if what == "callsign":
        return talk.callsign()[0]
    raise KeyError(what)


def choose(r: random.Random, sentence: str) -> str:
    """One of each run of alternatives: "turn left|right now" gives "turn left now". A choice reaches from space to space."""
    return " ".join(r.choice(word.split("|")) if "|" in word else word for word in sentence.split())


def chatter(seed: int, index: int) -> dict:
    """Transmission `index` of a seed: {"text": …}."""
    r = random.Random(f"chatter {seed} {index}")
    talk = Talk(f"chatter {seed} {index}")
    kind = r.random()
    if kind < 0.22:
        words = [r.choice(PLACES) if r.random() < 0.12 else r.choice(COMMON) for _ in range(r.randint(2, 9))]
        return {"text": " ".join(words), "kind": "words"}
    parts = [choose(r, r.choice(LINES)) for _ in range(r.choice([1, 1, 1, 2]))]
    text = " ".join(parts)
    text = re.sub(r"<(\w+)>", lambda m: fill(r, m[1], talk), text)
    if kind < 0.75:
        callsign = talk.callsign()[0]
        text = f"{callsign} {text}" if r.random() < 0.6 else f"{text} {callsign}"
    if r.random() < 0.15:
        text = r.choice(["uh", "and", "okay", "roger", "yeah", "yes", "alright", "well", "ah", "hello again"]) + " " + text
    return {"text": " ".join(text.split()), "kind": "chatter"}


LINES = [line for line in SENTENCES.strip().splitlines() if line.strip()]


def show(make, description: str | None) -> None:
    """Prints the first texts of a seed: what `make(seed, index)` gives, as the command line asks."""
    p = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=20)
    a = p.parse_args()
    for i in range(a.count):
        print(make(a.seed, i)["text"])


if __name__ == "__main__":
    show(chatter, __doc__)
