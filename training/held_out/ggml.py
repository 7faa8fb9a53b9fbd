"""A stock Whisper model in CTranslate2 form to the file that whisper.cpp reads (f16), so that both peers have the same weights.

    python ggml.py FOLDER/whisper-base-ct2 ggml-base.bin

Format: magic "ggml", eleven whole numbers of the model's shape, mel filters, the vocabulary as bytes, then the tensors (whisper.cpp,
src/whisper.cpp, whisper_model_load).
"""
from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "export"))

from graphs import mel_filters
from vocabulary import byte_alphabet
from weights import from_ctranslate2

MAGIC, F32, F16 = 0x67676D6C, 0, 1


def names(layers: int) -> dict[str, str]:
    """whisper.cpp's (OpenAI's) names → names of training/export/weights.py (transformers')."""
    out = {
        "encoder.conv1.weight": "encoder.conv1.weight", "encoder.conv1.bias": "encoder.conv1.bias", "encoder.conv2.weight": "encoder.conv2.weight", "encoder.conv2.bias": "encoder.conv2.bias",
        "encoder.positional_embedding": "encoder.embed_positions.weight", "decoder.positional_embedding": "decoder.embed_positions.weight", "decoder.token_embedding.weight": "decoder.embed_tokens.weight",
        "encoder.ln_post.weight": "encoder.layer_norm.weight", "encoder.ln_post.bias": "encoder.layer_norm.bias", "decoder.ln.weight": "decoder.layer_norm.weight", "decoder.ln.bias": "decoder.layer_norm.bias",
    }  # fmt: skip
    for side in ("encoder", "decoder"):
        for i in range(layers):
            here, there = f"{side}.blocks.{i}", f"{side}.layers.{i}"
            blocks = [("attn", "self_attn", "attn_ln", "self_attn_layer_norm")] + ([("cross_attn", "encoder_attn", "cross_attn_ln", "encoder_attn_layer_norm")] if side == "decoder" else [])
            for attention, theirs, norm, their_norm in blocks:
                for part, proj in (("query", "q_proj"), ("key", "k_proj"), ("value", "v_proj"), ("out", "out_proj")):
                    out[f"{here}.{attention}.{part}.weight"] = f"{there}.{theirs}.{proj}.weight"
                    if part != "key":
                        out[f"{here}.{attention}.{part}.bias"] = f"{there}.{theirs}.{proj}.bias"
                for kind in ("weight", "bias"):
                    out[f"{here}.{norm}.{kind}"] = f"{there}.{their_norm}.{kind}"
            for kind in ("weight", "bias"):
                out[f"{here}.mlp.0.{kind}"], out[f"{here}.mlp.2.{kind}"], out[f"{here}.mlp_ln.{kind}"] = f"{there}.fc1.{kind}", f"{there}.fc2.{kind}", f"{there}.final_layer_norm.{kind}"
    return out


def write(folder: Path, target: Path) -> None:
    weights = from_ctranslate2(folder / "model.bin")
    layers, width, heads = weights.layers("decoder"), weights.width, weights.heads
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    back = byte_alphabet()
    rows = weights.vocabulary
    first_special = min(t["id"] for t in tokenizer["added_tokens"] if t["content"] == "<|endoftext|>")
    texts = {row: bytes(back[c] for c in text) for text, row in tokenizer["model"]["vocab"].items() if row < first_special}
    shape = [rows, 1500, width, heads, layers, weights.text_positions, width, heads, layers, 80, 1]
    filters = np.asarray(mel_filters(80), np.float32)
    filters = filters if filters.shape == (80, 201) else filters.T
    part = target.with_suffix(".part")
    with part.open("wb") as out:
        out.write(struct.pack("<I11i", MAGIC, *shape))
        out.write(struct.pack("<2i", *filters.shape) + np.ascontiguousarray(filters).tobytes())
        out.write(struct.pack("<i", first_special))
        for row in range(first_special):
            out.write(struct.pack("<I", len(texts[row])) + texts[row])
        for name, source in names(layers).items():
            data = np.asarray(weights[f"model.{source}"], np.float32)
            if name.endswith(("conv1.bias", "conv2.bias")):
                data = data.reshape(-1, 1)
            single = data.ndim < 2 or "positional_embedding" in name or name.endswith(("conv1.bias", "conv2.bias"))
            raw = name.encode()
            out.write(struct.pack("<3i", data.ndim, len(raw), F32 if single else F16))
            out.write(struct.pack(f"<{data.ndim}i", *reversed(data.shape)) + raw)
            out.write(np.ascontiguousarray(data if single else data.astype(np.float16)).tobytes())
    part.replace(target)


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
