"""Speech in other languages, of which the recogniser has to write nothing: numbers, dates and a few words of ours, by espeak-ng.

    python foreign.py --work WORK --seed 1 --count 400        # WORK/foreign/NNNN.flac, 16 kHz
"""
from __future__ import annotations

import argparse
import io
import random
import subprocess
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import resample_poly

RATE = 16_000
# own words, in the manner of the radio; numbers are read in the language by the synthesiser
WORDS = {
    "de": "guten Morgen|wir haben noch etwas Zeit|bitte warten Sie kurz|rollen zum Parkplatz|der Wind ist schwach|verstanden, danke|ich melde mich gleich|Frequenz",
    "fr": "bonjour monsieur|nous sommes prêts au départ|la piste est mouillée|merci, bonne journée|rappelez en finale|vent faible|au revoir",
    "es": "buenos días|estamos listos para salir|la pista está mojada|gracias, hasta luego|notifique en final|viento en calma|espere un momento",
    "it": "buongiorno|siamo pronti alla partenza|la pista è bagnata|grazie, arrivederci|riporti in finale|vento calmo|attenda un attimo",
    "cs": "dobrý den|jsme připraveni|dráha je mokrá|děkuji, na shledanou|vítr slabý|počkejte prosím",
    "pl": "dzień dobry|jesteśmy gotowi|pas jest mokry|dziękuję, do widzenia|wiatr słaby|proszę czekać",
    "pt": "bom dia|estamos prontos|a pista está molhada|obrigado, até logo|vento calmo",
    "nl": "goedemorgen|wij zijn klaar|de baan is nat|bedankt, tot ziens|wind zwak",
    "sv": "god morgon|vi är klara|banan är våt|tack, hej då",
    "tr": "günaydın|hazırız|pist ıslak|teşekkürler, iyi günler",
    "ru": "доброе утро|мы готовы|полоса мокрая|спасибо, до свидания",
    "hu": "jó reggelt|készen állunk|a pálya nedves|köszönöm, viszlát",
    "hi": "नमस्ते|हम तैयार हैं|धन्यवाद",
    "el": "καλημέρα|είμαστε έτοιμοι|ευχαριστώ",
}


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--work", type=Path, required=True)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=400)
    a = p.parse_args()
    folder = a.work / "foreign"
    folder.mkdir(parents=True, exist_ok=True)
    for i in range(a.count):
        r = random.Random(f"foreign {a.seed} {i}")
        language = r.choice(list(WORDS))
        words = WORDS[language].split("|")
        text = ", ".join(r.choice(words) if r.random() < 0.55 else str(r.choice([r.randint(1, 99), r.randint(100, 9999)])) for _ in range(r.randint(1, 4)))
        voice = language + r.choice(["", "+m2", "+m3", "+m5", "+m7", "+f2", "+f4", "+Andy", "+Denis"])
        raw = subprocess.run(["espeak-ng", "-v", voice, "-s", str(r.randint(150, 230)), "-p", str(r.randint(25, 70)), "--stdout", text], capture_output=True, check=True).stdout
        samples, rate = soundfile.read(io.BytesIO(raw), dtype="float32")
        out = resample_poly(samples, RATE, rate)
        soundfile.write(folder / f"{i:04d}.flac", np.clip(out / (np.abs(out).max() + 1e-9) * 0.5, -1, 1), RATE, subtype="PCM_16", format="FLAC")


if __name__ == "__main__":
    main()
