"""A shipped model folder back to a checkpoint that training can start from.

    python training/export/read_export.py --model models/whisper-base-radio --tokenizer tokenizer.json --out WORK/start.safetensors --tokens WORK/start.tokens.json

8-bit weights are multiplied out, so the result is the shipped model to within half a step of its 8 bits: as a start of fine-tuning as good
as the checkpoint that it was made from. Works on folders of export_model.py (8 bits or float32).
"""
from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from vocabulary import Vocabulary
from weights import HEAD_SIZE, Weights, to_safetensors

NORMS = {"norm": "self_attn_layer_norm", "self_norm": "self_attn_layer_norm", "cross_norm": "encoder_attn_layer_norm", "mlp.norm": "final_layer_norm"}
BIASES = {"mlp.up": "fc1", "mlp.down": "fc2"}


class Graph:
    def __init__(self, path: Path) -> None:
        self.graph = onnx.load(path).graph
        self.tensors = {t.name: t for t in self.graph.initializer}

    def array(self, name: str) -> np.ndarray:
        return numpy_helper.to_array(self.tensors[name]).astype(np.float32)

    def matrices(self) -> list[np.ndarray]:
        """Constant factors of all matrix products, in the order of the graph: [in, out]."""
        out = []
        for node in self.graph.node:
            if node.op_type == "MatMulInteger" and node.input[1] in self.tensors:
                name = node.input[1].removesuffix("_quantized")
                zero, scale = self.array(f"{name}_zero_point"), self.array(f"{name}_scale")
                out.append((self.array(node.input[1]) - zero) * scale)
            elif node.op_type == "MatMul" and node.input[1] in self.tensors:
                out.append(self.array(node.input[1]))
        return out


def read(folder: Path) -> Weights:
    """@raises ValueError when the graphs are not laid out as export_model.py does it"""
    encoder, decoder = Graph(folder / "encoder.onnx"), Graph(folder / "decoder.onnx")
    out: dict[str, np.ndarray] = {}
    scale = HEAD_SIZE**0.5  # the query was given the scale of the attention

    def small(graph: Graph, side: str) -> None:
        """Everything that is one row: norms and biases."""
        for name in graph.tensors:
            parts = name.split(".")
            if parts[0] == "cross":
                out[f"model.decoder.layers.{parts[1]}.encoder_attn.v_proj.bias"] = graph.array(name)
            elif parts[0] in ("conv1", "conv2"):
                out[f"model.encoder.{name}"] = graph.array(name)
            elif name in ("norm.weight", "norm.bias"):
                out[f"model.{side}.layer_norm.{parts[1]}"] = graph.array(name)
            elif parts[0] == "layers":
                inner, kind, at = ".".join(parts[2:-1]), parts[-1], f"model.{side}.layers.{parts[1]}"
                if inner in NORMS:
                    out[f"{at}.{NORMS[inner]}.{kind}"] = graph.array(name)
                elif inner in BIASES:
                    out[f"{at}.{BIASES[inner]}.{kind}"] = graph.array(name)
                elif inner in ("attention.whole", "self_attention.whole"):
                    query, _, value = np.split(graph.array(name), 3)  # keys have no bias
                    out[f"{at}.self_attn.q_proj.bias"], out[f"{at}.self_attn.v_proj.bias"] = query * scale, value
                elif kind == "bias":
                    where, what = inner.split(".")
                    block = "encoder_attn" if where == "cross_attention" else "self_attn"
                    out[f"{at}.{block}.{'q_proj' if what == 'query' else 'out_proj'}.bias"] = graph.array(name) * (scale if what == "query" else 1)

    small(encoder, "encoder")
    small(decoder, "decoder")
    layers = 1 + max(int(n.split(".")[3]) for n in out if n.startswith("model.decoder.layers."))
    heard, said = encoder.matrices(), decoder.matrices()
    if len(heard) != 6 * layers or len(said) != 6 * layers + 1:
        raise ValueError(f"{folder}: {len(heard)} and {len(said)} matrices instead of {6 * layers} and {6 * layers + 1}; was it made by export_model.py?")

    def put(at: str, names: tuple[str, ...], matrices: list[np.ndarray]) -> None:
        """One matrix of each projection; "whole" is query, key and value side by side."""
        for name, matrix in zip(names, matrices):
            if name == "whole":
                query, key, value = np.split(matrix.T, 3)
                for letter, part in (("q", query * scale), ("k", key), ("v", value)):
                    out[f"{at}.self_attn.{letter}_proj.weight"] = part
            else:
                out[f"{at}.{name}.weight"] = matrix.T * (scale if name.endswith("q_proj") else 1)

    for i in range(layers):
        put(f"model.encoder.layers.{i}", ("whole", "self_attn.out_proj", "fc1", "fc2"), heard[4 * i : 4 * i + 4])
        put(f"model.decoder.layers.{i}", ("encoder_attn.k_proj", "encoder_attn.v_proj"), heard[4 * layers + 2 * i :][:2])
        names = ("whole", "self_attn.out_proj", "encoder_attn.q_proj", "encoder_attn.out_proj", "fc1", "fc2")
        put(f"model.decoder.layers.{i}", names, said[6 * i : 6 * i + 6])
    out["model.decoder.embed_tokens.weight"] = said[-1].T
    for graph, side in ((encoder, "encoder"), (decoder, "decoder")):
        table = "positions_half" if "positions_half" in graph.tensors else "positions"
        out[f"model.{side}.embed_positions.weight"] = graph.array(table)
    return Weights({name: np.ascontiguousarray(value, np.float32) for name, value in out.items()})


def kept_tokens(folder: Path, tokenizer: Path) -> list[int]:
    """Ids of the original tokenizer for every row of vocab.json.

    @raises ValueError when a row is no token of that tokenizer
    """
    whole = Vocabulary(tokenizer, len(json.loads(tokenizer.read_text())["model"]["vocab"]), None)
    ids = {token: i for i, token in enumerate(whole.tokens) if token is not None}
    config = json.loads((folder / "config.json").read_text())
    end = whole.id_of("<|endoftext|>")
    names = ["<|startoftranscript|>", "<|en|>", "<|transcribe|>", "<|notimestamps|>"] if len(config["prompt"]) == 4 else ["<|startoftranscript|>", "<|notimestamps|>"]
    special = dict(zip(config["prompt"], map(whole.id_of, names))) | {config["eos"]: end}
    out = []
    for row, entry in enumerate(json.loads((folder / "vocab.json").read_text())):
        token = bytes(entry["bytes"]) if isinstance(entry, dict) else None if entry is None else entry.encode()
        found = special.get(row) if token is None else ids.get(token)
        if found is None:
            raise ValueError(f"row {row} of {folder / 'vocab.json'} ({entry!r}) is no token of {tokenizer}: is that the tokenizer of the original model?")
        out.append(found)
    return out


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--model", type=Path, required=True, help="folder with encoder.onnx, decoder.onnx, vocab.json, config.json")
    p.add_argument("--tokenizer", type=Path, required=True, help="tokenizer.json of the original model")
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--tokens", type=Path, required=True, help="file to write the kept tokens to")
    a = p.parse_args()
    weights = read(a.model)
    to_safetensors(weights, a.out)
    a.tokens.write_text(json.dumps(kept_tokens(a.model, a.tokenizer)))
    print(f"{a.out}: {weights.vocabulary} tokens, {sum(v.size for v in weights.arrays.values()) / 1e6:.1f} M parameters")


if __name__ == "__main__":
    main()
