"""Who is called and who answers: every operator and every place that the product knows, as often as each other, in short transmissions.

    python names.py --seed 1 --count 20

A recogniser writes the nearest name it was taught. talk.py draws busy operators most often and has a place seldom; here a name stands in each
item, alone, with a unit, or at the head or the end of a short order. Which names there are is public (see lexicon.py); numbers are drawn.
"""
from __future__ import annotations

import chatter
import lexicon as v
from talk import OTHERS, Talk

OPERATORS = sorted({*v.TELEPHONY, *OTHERS})
PLACES = v.product_places()
ANSWERS = "roger|wilco|affirm|negative|standby|go ahead|say again|good day|good morning|thank you|copied|unable|correction|confirm|radar contact|identified|station calling|with you|checking in|ready|on ground|airborne".split("|")


def names(seed: int, index: int) -> dict:
    """Item `index` of `seed`: {text, role}."""
    t = Talk(f"names {seed} {index}", names=OPERATORS)
    r = t.r
    said = t.callsign()[0]
    while said.split()[0] in v.ALPHABET or said.startswith("november"):
        said = t.callsign()[0]
    place = r.choice(PLACES)
    unit = f"{place} {r.choice(v.FAA_UNITS if t.faa else v.ICAO_UNITS)}"
    order = r.choice([
        lambda: f"climb {t.level()[0]}", lambda: f"descend {t.level()[0]}", lambda: f"turn {t.pick('left', 'right')} heading {t.heading()}", lambda: f"heading {t.heading()}",
        lambda: f"runway {t.runway()}", lambda: f"contact {unit}", lambda: f"direct {v.fix(r)}", lambda: r.choice(ANSWERS), lambda: r.choice(ANSWERS), lambda: f"maintain {t.level()[0]}",
    ])
    text = r.choices(
        [lambda: said, lambda: f"{said} {order()}", lambda: f"{order()} {said}", lambda: f"{unit} {said}", lambda: f"{said} {unit}", lambda: f"{unit} {said} {order()}", lambda: f"{said} and {t.callsign()[0]}"],
        [0.14, 0.28, 0.28, 0.14, 0.06, 0.07, 0.03],
    )[0]()
    return {"text": text, "role": r.choice(["controller", "pilot"])}


if __name__ == "__main__":
    chatter.show(names, __doc__)
