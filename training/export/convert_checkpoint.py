"""Turns a stock model in CTranslate2 form into a float16 safetensors checkpoint with transformers' parameter names.

    python training/export/convert_checkpoint.py --ct2 model.bin --out whisper-tiny.en.safetensors
    python training/export/convert_checkpoint.py --ct2 model.bin.part1 model.bin.part2 --out whisper-base.safetensors

The result is where fine-tuning starts. Load it with `load_state_dict` after adding `proj_out.weight`, which is the token
embedding again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from weights import from_ctranslate2_parts, to_safetensors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ct2", type=Path, nargs="+", required=True, help="model.bin, or its parts in order")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    weights = from_ctranslate2_parts(args.ct2)
    to_safetensors(weights, args.out)
    layers = f"{weights.layers('encoder')} + {weights.layers('decoder')} layers"
    print(f"{args.out}: {layers}, width {weights.width}, {weights.vocabulary} tokens, {sum(a.size for a in weights.arrays.values()) / 1e6:.1f} M parameters")


if __name__ == "__main__":
    main()
