"""Takes a trained model part of the way back to the stock one: weights that lie between both read voices that were never trained on better
(Wortsman et al. 2022, Robust fine-tuning of zero-shot models). Encoder and decoder go back by shares of their own: voices are the
encoder's matter, words the decoder's.

    python mix.py --tuned average.safetensors --tokens tokens.json --stock stock-base.safetensors --encoder 0.6 --decoder 1 --out mixed.safetensors

With --stock-tokens the other model is one with a reduced vocabulary too, such as an earlier one of ours: the mean of two trainings.
A share of 1 is the trained model, 0 the stock one. Choose it on voices that neither the training nor the benchmark has.
"""
from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "export"))
from weights import Weights, from_safetensors, to_safetensors

EMBEDDING = "model.decoder.embed_tokens.weight"


def mixed(tuned: Weights, ids: list[int], stock: Weights, encoder: float, decoder: float, stock_ids: list[int] | None = None) -> Weights:
    """`ids`: tokens of the stock vocabulary that the trained model has rows for; `stock_ids`: those of the other (None: all of them, in
    order). A token that the other lacks keeps its row."""
    arrays = {}
    rows = {token: row for row, token in enumerate(stock_ids)} if stock_ids is not None else None
    for name, value in tuned.arrays.items():
        if name != EMBEDDING:
            other = stock[name]
        elif rows is None:
            other = stock[name][ids]
        else:
            other = np.stack([stock[name][rows[token]] if token in rows else value[row] for row, token in enumerate(ids)])
        if other.shape != value.shape:
            raise SystemExit(f"{name} is {value.shape} in the trained model and {other.shape} in the stock one: they are not of one size")
        share = encoder if ".encoder." in name else decoder
        arrays[name] = (share * value.astype(np.float32) + (1 - share) * other.astype(np.float32)).astype(np.float32)
    return Weights(arrays)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--tuned", type=Path, required=True)
    p.add_argument("--tokens", type=Path, required=True)
    p.add_argument("--stock", type=Path, required=True)
    p.add_argument("--stock-tokens", type=Path, help="kept tokens of --stock, where it has a reduced vocabulary")
    p.add_argument("--encoder", type=float, default=0.6, help="share of the trained model in the encoder")
    p.add_argument("--decoder", type=float, default=1.0, help="share of the trained model in the decoder")
    p.add_argument("--out", type=Path, required=True)
    a = p.parse_args()
    to_safetensors(mixed(from_safetensors(a.tuned), json.loads(a.tokens.read_text()), from_safetensors(a.stock), a.encoder, a.decoder, json.loads(a.stock_tokens.read_text()) if a.stock_tokens else None), a.out)


if __name__ == "__main__":
    main()
