"""Exports a Whisper model to the folder that the recogniser loads.

    python training/export/export_model.py --ct2 model.bin --tokenizer tokenizer.json --out models/whisper-tiny.en
    python training/export/export_model.py --safetensors radio.safetensors --tokens radio.tokens.json \
        --tokenizer tokenizer.json --context follows-audio --out models/whisper-tiny-radio

Writes encoder.onnx, decoder.onnx (8-bit weights, or float32 with --precision fp32), vocab.json and config.json.
A CTranslate2 model in parts is given as `--ct2 part1 part2`: the parts are joined in that order.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch

from graphs import HEAD_SIZE, SAMPLE_RATE, Decoder, Encoder
from vocabulary import Vocabulary
from weights import Weights, from_ctranslate2_parts, from_safetensors

# Heads whose attention follows the words, published with OpenAI's models; (decoder layers, width, multilingual) → heads.
ALIGNMENT_HEADS = {
    (4, 384, False): [(1, 0), (2, 0), (2, 5), (3, 0), (3, 1), (3, 2), (3, 3), (3, 4)],
    (4, 384, True): [(2, 2), (3, 0), (3, 2), (3, 3), (3, 4), (3, 5)],
    (6, 512, False): [(3, 3), (4, 7), (5, 1), (5, 5), (5, 7)],
    (6, 512, True): [(3, 1), (4, 2), (4, 3), (4, 7), (5, 1), (5, 2), (5, 4), (5, 6)],
}
OPSET = 17


def alignment_heads(weights: Weights, multilingual: bool) -> list[tuple[int, int]]:
    layers = weights.layers("decoder")
    known = ALIGNMENT_HEADS.get((layers, weights.width, multilingual))
    # unknown sizes: all heads of the upper half, as OpenAI's own code does before the heads of a model are known
    return known or [(i, h) for i in range(layers // 2, layers) for h in range(weights.heads)]


def export_graphs(weights: Weights, heads: list[tuple[int, int]], folder: Path) -> None:
    """Writes float32 encoder.onnx and decoder.onnx into `folder`."""
    torch.set_grad_enabled(False)
    layers = range(weights.layers("decoder"))
    cross = [f"cross_{a}_{i}" for i in layers for a in "kv"]
    past = [f"past_{a}_{i}" for i in layers for a in "kv"]
    present = [f"present_{a}_{i}" for i in layers for a in "kv"]
    cross_axes = {name: {3 if name.startswith("cross_k") else 2: "positions"} for name in cross}
    encoder = Encoder(weights).eval()
    pcm = torch.randn(1, 4 * SAMPLE_RATE) * 0.1
    example = encoder(pcm)
    torch.onnx.export(
        encoder, (pcm,), str(folder / "encoder.onnx"), input_names=["pcm"], output_names=cross,
        dynamic_axes={"pcm": {1: "samples"}, **cross_axes}, opset_version=OPSET, dynamo=False,
    )
    decoder = Decoder(weights, heads).eval()
    empty = [torch.zeros(1, weights.heads, 2, HEAD_SIZE) for _ in past]
    torch.onnx.export(
        decoder, (torch.tensor([[0, 1]]), *empty, *example), str(folder / "decoder.onnx"),
        input_names=["tokens", *past, *cross], output_names=["logits", *present, "alignment"],
        dynamic_axes={
            "tokens": {1: "new"}, **{n: {2: "past"} for n in past}, **{n: {2: "total"} for n in present}, **cross_axes,
            "alignment": {1: "new", 2: "positions"},
        },
        opset_version=OPSET, dynamo=False,
    )  # fmt: skip


def halve_tables(path: Path, minimum: int) -> None:
    """Stores big float32 tables that are only sliced and added (position embeddings) as float16 and casts them back."""
    model = onnx.load(path)
    read_by: dict[str, list[onnx.NodeProto]] = {}
    for node in model.graph.node:
        for name in node.input:
            read_by.setdefault(name, []).append(node)
    for tensor in model.graph.initializer:
        if tensor.data_type != onnx.TensorProto.FLOAT or int(np.prod(tensor.dims)) < minimum:
            continue
        readers = read_by.get(tensor.name, [])
        if not readers or any(node.op_type != "Slice" for node in readers):
            continue
        half = onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(tensor).astype(np.float16), f"{tensor.name}_half")
        tensor.CopyFrom(half)
        for i, node in enumerate(readers):
            sliced = node.output[0]
            node.input[0], node.output[0] = half.name, f"{sliced}_half"
            at = list(model.graph.node).index(node)
            model.graph.node.insert(at + 1, onnx.helper.make_node("Cast", [f"{sliced}_half"], [sliced], f"{tensor.name}_widen_{i}", to=onnx.TensorProto.FLOAT))
    onnx.save(model, path)


def quantise(source: Path, target: Path) -> None:
    """8-bit weights with one scale a column; convolutions and the mel front end stay float32.

    Unsigned, since signed 8-bit products saturate on AVX2 without VNNI. One scale a matrix loses twice as many tokens.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic

    graph = onnx.load(source).graph
    # the mel filters span orders of magnitude: 8 bits would erase the narrow bands
    front = [n.name for n in graph.node if "/front/" in n.name]
    quantize_dynamic(
        source, target, weight_type=QuantType.QUInt8, per_channel=True,
        op_types_to_quantize=["MatMul", "Gather"], nodes_to_exclude=front,
    )  # fmt: skip


def describe(weights: Weights, vocabulary: Vocabulary, args: argparse.Namespace) -> dict[str, object]:
    """config.json: all that the recogniser must know and cannot read from the graphs."""
    eos = vocabulary.row("<|endoftext|>")
    names = ["<|startoftranscript|>", "<|en|>", "<|transcribe|>", "<|notimestamps|>"] if args.multilingual else ["<|startoftranscript|>", "<|notimestamps|>"]
    prompt = [vocabulary.row(name) for name in names]
    if eos is None or None in prompt:
        raise ValueError(f"the vocabulary lacks a special token: end {eos}, prompt {prompt}")
    return {
        "format": 1,
        "architecture": "whisper",
        "name": args.name or args.out.name,
        "precision": args.precision,
        "sampleRate": SAMPLE_RATE,
        "layers": weights.layers("decoder"),
        "heads": weights.heads,
        "headSize": HEAD_SIZE,
        "vocabulary": weights.vocabulary,
        "textPositions": weights.text_positions,
        "prompt": prompt,
        "eos": eos,
        "noSpeech": vocabulary.row("<|nospeech|>", "<|nocaptions|>"),
        # full: the model only knows windows of 30 s, shorter audio is filled with silence; follows-audio: it was trained on short ones
        "context": args.context,
        "padding": {"peak": 0.7, "appendSeconds": 0.5, "multipleSeconds": 0.5, "maxSeconds": 30},
        # longer audio is cut at a quiet point into windows of at most this length, silence not counted
        "bestSeconds": args.best_seconds or (28.0 if args.context == "full" else 14.0),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--ct2", type=Path, nargs="+", help="CTranslate2 model.bin, or its parts in order")
    source.add_argument("--safetensors", type=Path, help="checkpoint with transformers' parameter names")
    parser.add_argument("--tokenizer", type=Path, required=True, help="tokenizer.json of the original model")
    parser.add_argument("--tokens", type=Path, help="JSON list: original id of each kept token, for a reduced vocabulary")
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    parser.add_argument("--name", help="model id in config.json (default: name of the folder)")
    parser.add_argument("--context", choices=["full", "follows-audio"], default="full", help="how long the encoder's window is (default full: stock models)")
    parser.add_argument("--best-seconds", type=float, help="longest window to use (default 28 for full, 14 for follows-audio: the longest that was trained on)")
    parser.add_argument("--precision", choices=["int8", "fp32"], default="int8")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as scratch_name:
        scratch = Path(scratch_name)
        weights = from_ctranslate2_parts(args.ct2) if args.ct2 else from_safetensors(args.safetensors)
        kept = json.loads(args.tokens.read_text()) if args.tokens else None
        vocabulary = Vocabulary(args.tokenizer, weights.vocabulary, kept)
        # the multilingual tokenizer has one more ordinary token, which moves <|endoftext|>
        args.multilingual = vocabulary.id_of("<|endoftext|>") == 50257
        args.out.mkdir(parents=True, exist_ok=True)
        export_graphs(weights, alignment_heads(weights, args.multilingual), scratch)
        for name in ("encoder.onnx", "decoder.onnx"):
            halve_tables(scratch / name, minimum=100_000)
            if args.precision == "int8":
                quantise(scratch / name, args.out / name)
            else:
                onnx.save(onnx.load(scratch / name), args.out / name)
        (args.out / "vocab.json").write_text(vocabulary.to_json(), encoding="utf-8")
        (args.out / "config.json").write_text(json.dumps(describe(weights, vocabulary, args), indent=2) + "\n", encoding="utf-8")
    total = 0
    for file in sorted(args.out.iterdir()):
        total += file.stat().st_size
        print(f"{file.name:14} {file.stat().st_size / 1e6:8.2f} MB")
    print(f"{'total':14} {total / 1e6:8.2f} MB")


if __name__ == "__main__":
    main()
