"""The everyday words of a frequency: first calls, answers of a word or two, what is being done ("turning", "leaving", "looking for"),
requests, circuits, ground and apron, weather and ATIS, helicopters, short forms ("we'll", "that's", "affirm"). `talk.py` gives clearances
their grammar; this gives the words between them, which most real transmissions are full of, their share.

    python routine.py --seed 1 --count 20

Our own sentences.
"""
from __future__ import annotations

import random
import re

import chatter
import lexicon as v
from chatter import DIGITS, PLACES, choose
from talk import Talk

# A|B are choices (from space to space); <…> is filled in below; a line is a pilot's (p), a controller's (c) or anybody's (a).
SENTENCES = """
p <unit> good|hello|hi morning|afternoon|evening|day|again <me>
p <unit> <me> hello|good|morning|afternoon passing <level> climbing|descending <level>
p <me> with you|checking|on|inbound in level <level>
p <me> is with you descending|climbing|leaving <level> for|to <level>
p and <unit> <me> passing|leaving|through|approaching <level> descending|climbing to <level> turning|heading <heading>
p <me> descending|climbing|maintaining|leaving|reaching|passing|approaching <level>
p <me> out of|leaving <level> for <level>
p <me> maintaining <level> heading|on|direct <heading>
p <me> turning left|right heading|to <heading>
p turning left|right now <me>
p turning base|final|crosswind|downwind|inbound|outbound <me>
p <me> established|fully|now localizer|on|the ils|approach runway <runway>
p <me> established inbound|outbound
p <me> leaving|entering|clear|out the|of control|hold|cloud zone
p on|coming on|round the|to heading|course <me>
p affirm <me>
p affirm
p affirmative
p affirm we|that have|is that|correct
p negative <me>
p negative we|not are|yet unable|ready
p roger <me>
p wilco <me>
p wilco|roger|okay|copied thanks|thank you <me>
p copied|copy that|all <me>
p copied the|that weather|traffic <me>
p understood <me>
p that's|it's understood|copied|correct|fine|good|right <me>
p standing|stand by <me>
p standby
p unable <me>
p unable due|because weather|performance|traffic|terrain <me>
p we'll|i'll|will do|report|advise|call|keep|be that|you|back|ready|standby <me>
p we're|i'm|we are ready|looking|holding|level|established|unable|clear|fine <me>
p we're just|now|still turning|climbing|descending|slowing|taxiing|passing|leaving|entering <me>
p we'd like|prefer direct|higher|lower|to continue <me>
p we've|we have got the|that traffic|information|field|weather|runway|aircraft in sight|visual <me>
p it's|that's a|the cessna|helicopter|boeing|company|traffic ahead|behind|below|above us
p looking <me>
p looking for|out traffic|the field|company <me>
p traffic in sight <me>
p field|runway|airport|aircraft|helicopter|preceding in sight <me>
p negative contact|joy|traffic <me>
p no contact|traffic looking|searching <me>
p request|requesting|requests taxi|start|startup|pushback|push|clearance|departure|descent|climb|higher|lower|direct|vectors <me>
p requesting <level> if|when available|possible <me>
p requesting direct <place>|final|destination <me>
p requesting straight in|approach runway <runway> <me>
p requesting|request radio|weather|engine check|information|start <me>
p requesting|request deviation left|right <small> miles|degrees due|because|for weather|buildups|cells|clouds
p request|any shortcut|direct|speed|chance today|please|available <me>
p ready|fully to|for taxi|depart|departure|push|copy|start|descend <me>
p ready for departure runway <runway> <me>
p ready in|for turn|sequence <me>
p holding short|point <runway> <me>
p holding position|short|point|at <letter> <me>
p holding|hold short of|at runway|taxiway <letter>
p lining up|up|and runway|wait <runway> <me>
p taxiing|taxi to|via stand|gate|apron|holding|taxiway <letter> <small> <me>
p taxiing behind|to the|holding|company|heavy point|boeing|airbus <me>
p crossing|crossed|clear runway <runway> <me>
p runway|is vacated|clear <me>
p vacating|vacated left|right|via|at <letter> <me>
p clear|off of the runway|active <me>
p rolling <me>
p airborne passing|runway|off <thousand> feet|climbing <me>
p airborne <me>
p missed|going approach|around <me>
p going around <me>
p full stop <me>
p touch|for and|the go|option <me>
p low|for approach|the option <me>
p outbound|inbound <place> at <thousand> feet <me>
p <me> two|three|four|five|six miles east|west|north|south|final inbound|for landing|touch and go
p <me> straight in|out runway|departure <runway>
p downwind|base|final|crosswind|upwind|left|right leg|runway|downwind|base <runway> <me>
p <me> on long|short|left|right|a base|final|downwind|<small> mile final|runway <runway>
p <me> has information <letter>
p information <letter> <me>
p we have <letter>
p with <letter> qnh|altimeter|on board <qnh> <me>
p qnh|altimeter <qnh> <me>
p <qnh> <me>
p squawk|squawking <code> <me>
p <code> coming|is down|set <me>
p ident <me>
p changing|switching|switched|over to|frequency|now tower|ground|approach|departure|radar <me>
p going|over to <frequency> thank|good you|day|bye <me>
p <frequency> good|bye|so|have day|bye|long|a|night nice|good day <me>
p <frequency> <me>
p good day|night|evening|morning|afternoon <me>
p thanks|thank you good|very day|much|night <me>
p thank you sir|ma'am|very much|bye
p see you bye|later|next time
p morning|afternoon|evening <unit> <me>
p hello|hi sir|again|there <me>
p say|again say that|again|please <me>
p say again|the frequency|heading|level|altitude|last|please for <me>
p sorry|sir say|that again|was for us|please
p was that for <me>
p did|can you copy|call|say <me>
p how do you copy|read <me>
p can we get|have the|lower|higher|direct|winds|weather <me>
p can we expect the|a ils|visual|shortcut|holding|delay|different runway <runway>
p confirm heading|speed|level|direct|runway|squawk|cleared <me>
p confirm we're|are cleared|number|ok for|to|the approach|land|one
p minimum|clean|approach speed <me>
p speed|reducing|slowing|back to <speed> knots <me>
p reducing|slowing|increasing down|back|speed to|now <speed> <me>
p speed is <speed> <me>
p free speed|heading <me>
p no speed|atc speed|restrictions restriction|limit <me>
p passing <level> <me>
p level <level> <me>
p level at <thousand> feet <me>
p fuel|persons|souls on board is|are|number <small> hours|minutes|people
p we're low|minimum on fuel
p medical|passenger|technical emergency|problem on board <me>
p mayday mayday mayday <me> engine|fire|smoke failure|on board|in the cockpit
p pan pan pan pan pan pan <me> medical|engine|hydraulic|gear problem|emergency
p returning|diverting to|back <place> <me>
p deviating|left|right of left|right|course|track due|around weather <me>
p clear of|the weather|clouds|cell direct|continuing|back <place>|on course
p light|moderate|occasional|some chop|turbulence|icing|bumps at|in <level>|cloud|descent
p smooth|bumpy here|ride|at now|today|<level>
p in|entering|skirting clouds|cloud|rain|the clear <me>
p helicopter <me> request|requesting crossing|transit|landing|departure
p helicopter|police|rescue|medical <place>|flight request|inbound|outbound low|to|via level|hospital|the river
p engines|engine start|running|shutdown <me>
p ready for engine|engines start
p push|pushing and|back start|complete|approved <me>
p de-icing|deicing complete|required|request <me>
p gate|stand is|still occupied|closed|free <me>
p on stand|gate <small> <me>
p parking|stand|gate <small> <me>
p following|behind|number the|two|three traffic|cessna|airbus|boeing|company <me>
p right|left behind him|them|that|it <me>
p number one|two|three <me>
p orbiting|orbit left|right <me>
p making|doing one|a left|right orbit|three sixty <me>
p extending downwind <me>
p cancel|cancelling ifr|vfr|my|flight instruments|plan <me>
p ifr|vfr to|from <place> <me>
p climbing through|via|on|to sid|the|runway|<thousand> departure|climb|heading|feet
p via the|sid|star arrival|departure <place> <letter> <me>
p atis|information|weather <letter> received|on board <me>
p just|and confirm|verify|checking that|the|heading altitude|speed|runway|<heading>
p and <me> request
p <me> go|with ahead|request
p go ahead
p okay <me>
p okay thanks|sir|roger|will do
p yes sir|affirm|please|we do|that's correct
p no sir|problem|thanks|not yet
p correct <me>
p correction <me>
p my|sorry|our mistake|apologies|fault <me>
p disregard <me>
p standby we're|are checking|looking|busy|unable
c <you> good|hello|hi morning|afternoon|evening|day radar|identified contact|climb
c <you> radar contact
c <you> identified
c <you> radar contact <small> miles north|south|east|west of <place>
c <you> go ahead
c <you> pass your message
c <you> standby
c <you> stand by
c <you> roger
c <you> affirm
c <you> affirmative
c <you> negative
c <you> correct
c <you> that's|is correct|copied|approved|understood|fine
c <you> approved
c <you> copied|roger thanks|standby|thank you
c <you> say|confirm your|type|heading|altitude|speed|level|intentions|position|again|callsign|request
c <you> say again
c <you> verify|confirm you|your have|are|altitude|information <letter>|established|level|leaving
c <you> are you|able ready|established|visual|able|familiar|requesting
c <you> it's|there's|there|you're is|a|going to be delay|direct|approved|traffic|available
c <you> you're|you are number|cleared|following|clear|welcome|approved|identified|unreadable <small>
c <you> you're number two|three|one following|behind|for a|the cessna|airbus|boeing|final|approach
c <you> i'll|we'll|i call|get|have|keep you|that|back|your higher|later|shortly|on request|clearance
c <you> i have|need|can your clearance|you|offer to|direct|when ready|copy
c <you> expect higher|lower|further|direct|vectors|ils|visual in|for|shortly|approach
c <you> expect straight in|runway <runway>
c <you> straight in runway|approved <runway>
c <you> make straight in|left|right|short approach|traffic|downwind|base runway <runway>
c <you> leave|leaving <place>|control|frequency|hold|present heading|zone|approved|level <heading>
c <you> leave|change|monitor frequency|approved|tower|ground <frequency>
c <you> maintain|keep present|your|own|minimum|visual|best|high heading|speed|separation|level
c <you> no|resume speed|normal restrictions|own|delay navigation|expected|speed
c <you> start|engines|pushback|taxi approved|at own discretion
c <you> taxi|taxiing straight|ahead|via taxiway|the gate|stand|apron <letter>
c <you> continue|taxi taxi|straight|forward ahead|to taxiway|the <letter> gate
c <you> left|right|straight on|turn taxiway|ahead|outbound <letter> follow|behind the company
c <you> give|follow|behind way|the|pass to company|traffic|helicopter|boeing|airbus|cessna from left|right|ahead
c <you> hold|holding short|position|point runway|of <runway>|<letter>
c <you> hold position
c <you> vacate|exit left|right|next|first|when able
c <you> contact|monitor|call|try ground|tower|approach|departure|radar|delivery|apron|control|center|director|arrival <frequency>
c <you> contact <frequency> good|bye|have day|bye|night|a
c <you> your|the squawk|transponder|mode|frequency|destination is <code>|not|charlie showing
c <you> squawk|reset|recycle ident|mode|standby|transponder|charlie
c <you> ident
c <you> helicopter|police|rescue traffic|flight crossing|outbound|inbound|low level|from left|the river
c <you> traffic helicopter|glider|cessna|heavy|unknown|police <clock> o'clock <small> miles|crossing|converging left|right to|northbound
c <you> caution|traffic wake|parachute|birds|glider|drone turbulence|activity|reported in the vicinity
c <you> wind calm|check <wind> degrees|at <small> knots
c <you> the|current|latest wind|atis|information|weather is|now <letter>|calm
c <you> surface|crosswind wind|component <wind> <small>
c <you> visibility|ceiling|cloud|clouds <small>|<thousand> kilometers|feet|broken|overcast
c <you> deviation|deviations left|right approved|of course report|advise clear|back of weather|on course
c <you> crosswind|downwind|base|final|upwind leg|approved|number left|right|one
c <you> extend|turn crosswind|upwind|downwind|final|base leg|now|approved
c <you> join|report|enter crosswind|downwind|left|right|base|straight in|leg runway <runway>
c <you> climb|descend|turn straight|ahead|outbound|inbound|immediately|now|when ready <level>
c <you> cleared|proceed outbound|inbound|straight|direct|via to|for|the <place>
c <you> missed|go approach|around climb|fly|straight runway|ahead <thousand>
c <you> expedite|without vacating|crossing|climb|descent|delay|departure please
c <you> what's|what is your|the heading|speed|type|request|intentions|estimate|position|problem
c <you> how|do many|long|you miles|minutes|need|copy|read
c <you> sorry|sir say|stepped|you were again|on|blocked
c <you> thanks|thank you for|very the|much|your help|good day|patience
c <you> good day|night|evening|bye
c <you> bye bye
c <you> see|so you|long good day
c <you> have a good|nice|great|safe flight|day|one|evening|night|weekend
c <you> you can|may expect|proceed|descend|climb|disregard|continue|go direct|ahead|now|when ready
c <you> if|when you|able can|ready|wish|like|accept direct|descend|turn|climb
c <you> that's|it's for|the|not other|your|another aircraft|traffic|frequency
c <you> company|heavy|super traffic|boeing|airbus ahead|behind|departing is vacating|rolling|slower|faster
c <you> runway|taxiway|stand|gate <runway>|<letter> closed|is|available occupied|inspection
c <you> emergency|fire services|vehicles|equipment are|is standing|on by|the way
c break break <you> turn|climb|descend|stop immediately|now
c all|any stations|aircraft standby|information|break <letter>|is now current
c station|aircraft calling|in standby|say the|your again|callsign|circuit
a blocked
a stepped on
a two at once
a go ahead sir|ma'am|please
a good morning|afternoon|evening|day|night sir|ma'am|all|to you
a have a good|nice day|one|evening|flight bye
a thank|many you|thanks bye|very much
a bye bye
a okay|alright|right that's|it's|we'll|i'll|you're fine|good|see|check|welcome
a let's|let me see|check|try|know that|again|about it
a don't|do not worry|mention|know it|yet|about that
"""
LINES = [line.split(" ", 1) for line in SENTENCES.strip().splitlines()]
UNITS = sorted({*v.ICAO_UNITS, *v.FAA_UNITS})


def fill(r: random.Random, what: str, talk: Talk, callsign: str) -> str:
    def digits(count: int) -> str:
        return " ".join(r.choice(DIGITS) for _ in range(count))

    if what in ("me", "you"):
        return callsign
    if what == "unit":
        return f"{r.choice(PLACES if r.random() < 0.4 else v.PLACES).replace('-', ' ')} {r.choice(UNITS)}" if r.random() < 0.8 else r.choice(UNITS)
    if what == "level":
        return talk.level()[0]
    if what == "heading":
        return digits(3) if r.random() < 0.8 else v.grouped(f"{r.randint(1, 36)}0")
    if what == "runway":
        return talk.runway()
    if what == "speed":
        return digits(3) if r.random() < 0.7 else v.grouped(f"{r.randint(14, 32)}0")
    if what == "clock":
        return r.choice("one two three four eight nine ten eleven twelve".split())
    if what == "frequency":
        return f"one {digits(2)} {r.choice(['decimal', 'decimal', 'point', ''])} {digits(r.choice([1, 2, 2, 3]))}"
    if what == "qnh":
        return r.choice([f"one zero {digits(2)}", f"nine nine {digits(1)}", f"two nine {digits(2)}", f"three zero {digits(2)}"])
    if what == "code":
        return digits(4)
    if what == "place":
        return v.fix(r) if r.random() < 0.6 else r.choice(PLACES)
    return chatter.fill(r, what, talk)


def routine(seed: int, index: int) -> dict:
    """Transmission `index` of a seed: {"text": …, "kind": "routine", "role": pilot, controller or unknown}."""
    r = random.Random(f"routine {seed} {index}")
    talk = Talk(f"routine {seed} {index}")
    full = talk.callsign()[0]
    callsign = full if r.random() < 0.7 else talk.short(full)
    who, first = r.choice(LINES)
    parts = [first]
    while len(parts) < 3 and r.random() < 0.35:
        other, line = r.choice(LINES)
        if other in (who, "a"):
            parts.append(line)
    # the callsign once: where it stands first, or at the end
    said, named = [], 0
    for part in parts:
        for _ in re.findall(r"<(?:me|you)>", part):
            named += 1
            part = part if named == 1 else re.sub(r"<(?:me|you)>", "", part)
        said.append(part)
    text = " ".join(choose(r, part) for part in said)
    if named and r.random() < 0.25:  # pieces are often cut between callsign and words
        text = re.sub(r"<(?:me|you)>", "", text)
    text = re.sub(r"<(\w+)>", lambda m: fill(r, m[1], talk, callsign), text)
    if r.random() < 0.15:
        text = f"{r.choice(['uh', 'and', 'okay', 'roger', 'yeah', 'yes', 'um', 'er', 'ah', 'so'])} {text}"
    text = " ".join(text.split())
    return {"text": text or full, "kind": "routine", "role": {"p": "pilot", "c": "controller", "a": "unknown"}[who]}


if __name__ == "__main__":
    chatter.show(routine, __doc__)
