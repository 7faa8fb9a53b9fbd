"""Reads Whisper weights from the two forms they come in, as one dictionary of named float32 arrays.

* CTranslate2 ``model.bin`` (how the stock models are packaged), and
* safetensors with transformers' parameter names (what fine-tuning writes).

The result always uses transformers' names without a vocabulary bias; the output projection is tied to the token embedding.
"""

from __future__ import annotations

import re
import struct
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HEAD_SIZE = 64  # the same in every Whisper size
_CT2_TYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}


@dataclass(frozen=True)
class Weights:
    """Named arrays and the dimensions that follow from their shapes."""

    arrays: dict[str, np.ndarray]

    def __getitem__(self, name: str) -> np.ndarray:
        return self.arrays[name]

    @property
    def width(self) -> int:
        return self.arrays["model.decoder.embed_tokens.weight"].shape[1]

    @property
    def vocabulary(self) -> int:
        return self.arrays["model.decoder.embed_tokens.weight"].shape[0]

    @property
    def heads(self) -> int:
        return self.width // HEAD_SIZE

    @property
    def mel_bands(self) -> int:
        return self.arrays["model.encoder.conv1.weight"].shape[1]

    @property
    def text_positions(self) -> int:
        return self.arrays["model.decoder.embed_positions.weight"].shape[0]

    def layers(self, side: str) -> int:
        pattern = re.compile(rf"model\.{side}\.layers\.(\d+)\.")
        return 1 + max(int(m.group(1)) for m in map(pattern.match, self.arrays) if m)


def read_ctranslate2(path: Path) -> dict[str, np.ndarray]:
    """Reads every variable of a CTranslate2 binary model (format versions 2 to 6), under CTranslate2's own names."""
    data = memoryview(path.read_bytes())
    at = 0

    def take(form: str) -> int:
        nonlocal at
        (value,) = struct.unpack_from(form, data, at)
        at += struct.calcsize(form)
        return value

    def take_string() -> str:
        nonlocal at
        length = take("<H")
        text = bytes(data[at : at + length]).rstrip(b"\0").decode()
        at += length
        return text

    version = take("<I")
    if not 2 <= version <= 6:
        raise ValueError(f"{path}: CTranslate2 format version {version} is not one that this reader knows (2 to 6)")
    specification = take_string()
    take("<I")  # revision of the specification
    if not specification.startswith("Whisper"):
        raise ValueError(f"{path}: holds a {specification}, not a Whisper model")
    variables: dict[str, np.ndarray] = {}
    for _ in range(take("<I")):
        name = take_string()
        shape = [take("<I") for _ in range(take("<B"))]
        if version >= 4:
            kind = _CT2_TYPES[take("<B")]
            size = take("<I")
        else:
            item = take("<B")
            size = item * take("<I")
            kind = {4: np.float32, 2: np.int16, 1: np.int8}[item]
        variables[name] = np.frombuffer(data[at : at + size], dtype=kind).reshape(shape)
        at += size
    for _ in range(take("<I") if version >= 3 else 0):
        alias, target = take_string(), take_string()
        variables[alias] = variables[target]
    return variables


def from_ctranslate2(path: Path) -> Weights:
    """A CTranslate2 Whisper model as transformers-named arrays.

    CTranslate2 fuses query, key and value (self-attention) or key and value (cross-attention) into one matrix.
    """
    source = read_ctranslate2(path)
    if any(v.dtype in (np.int8, np.int16) and v.ndim > 1 for v in source.values()):
        raise ValueError(f"{path}: quantised CTranslate2 weights are not supported; use a float16 or float32 conversion")
    result: dict[str, np.ndarray] = {}

    def put(name: str, source_name: str) -> None:
        result[name] = source[source_name].astype(np.float32)

    def put_norm(name: str, source_name: str) -> None:
        put(f"{name}.weight", f"{source_name}/gamma")
        put(f"{name}.bias", f"{source_name}/beta")

    def put_linear(name: str, source_name: str) -> None:
        put(f"{name}.weight", f"{source_name}/weight")
        put(f"{name}.bias", f"{source_name}/bias")

    def put_fused(prefix: str, parts: str, source_name: str) -> None:
        weight = source[f"{source_name}/weight"].astype(np.float32)
        bias = source[f"{source_name}/bias"].astype(np.float32)
        width = weight.shape[0] // len(parts)
        for i, part in enumerate(parts):
            rows = slice(i * width, (i + 1) * width)
            result[f"{prefix}.{part}_proj.weight"] = weight[rows]
            if part != "k":  # Whisper's key projections have no bias; the fused one carries zeros there
                result[f"{prefix}.{part}_proj.bias"] = bias[rows]

    for side in ("encoder", "decoder"):
        out = f"model.{side}"
        put(f"{out}.embed_positions.weight", f"{side}/position_encodings/encodings")
        put_norm(f"{out}.layer_norm", f"{side}/layer_norm")
        layers = 1 + max(int(m.group(1)) for m in (re.match(rf"{side}/layer_(\d+)/", k) for k in source) if m)
        for i in range(layers):
            theirs, ours = f"{side}/layer_{i}", f"{out}.layers.{i}"
            put_fused(f"{ours}.self_attn", "qkv", f"{theirs}/self_attention/linear_0")
            put_linear(f"{ours}.self_attn.out_proj", f"{theirs}/self_attention/linear_1")
            put_norm(f"{ours}.self_attn_layer_norm", f"{theirs}/self_attention/layer_norm")
            put_linear(f"{ours}.fc1", f"{theirs}/ffn/linear_0")
            put_linear(f"{ours}.fc2", f"{theirs}/ffn/linear_1")
            put_norm(f"{ours}.final_layer_norm", f"{theirs}/ffn/layer_norm")
            if side == "decoder":
                put_linear(f"{ours}.encoder_attn.q_proj", f"{theirs}/attention/linear_0")
                put_fused(f"{ours}.encoder_attn", "kv", f"{theirs}/attention/linear_1")
                put_linear(f"{ours}.encoder_attn.out_proj", f"{theirs}/attention/linear_2")
                put_norm(f"{ours}.encoder_attn_layer_norm", f"{theirs}/attention/layer_norm")
    for conv in ("conv1", "conv2"):
        put_linear(f"model.encoder.{conv}", f"encoder/{conv}")
    put("model.decoder.embed_tokens.weight", "decoder/embeddings/weight")
    return Weights(result)


def from_ctranslate2_parts(parts: list[Path]) -> Weights:
    """A CTranslate2 model that is split over several files, joined in the given order."""
    if len(parts) == 1:
        return from_ctranslate2(parts[0])
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "model.bin"
        with whole.open("wb") as file:
            for part in parts:
                file.write(part.read_bytes())
        return from_ctranslate2(whole)


def from_safetensors(path: Path) -> Weights:
    """A fine-tuned checkpoint; half precision is widened."""
    from safetensors.numpy import load_file

    arrays = {name: value.astype(np.float32) for name, value in load_file(path).items() if name != "proj_out.weight"}
    return Weights(arrays)


def to_safetensors(weights: Weights, path: Path) -> None:
    """Writes a float16 checkpoint with transformers' names, the starting point of fine-tuning."""
    from safetensors.numpy import save_file

    save_file({name: np.ascontiguousarray(value.astype(np.float16)) for name, value in weights.arrays.items()}, path)
