"""What it would bring to read several pieces of a recording at once: milliseconds a piece by size of the batch, with the shipped 8-bit graphs.

    python batching.py ../../models/whisper-base-radio --truth ../../fixtures/asr-held-out/MANIFEST --threads 2

The graphs are made for a batch of one. Here their inputs, outputs and reshapes get a leading B in memory; nothing is written. The numbers that
come out are those of B equal pieces, which is all that timing needs (8-bit inputs of a layer share one scale over the batch, so a shipped batch would
have to be checked for accuracy too). Pieces of one batch are filled up to the longest: `--lengths`, seconds of one piece a line, says what that costs
when pieces are sorted by length within windows of 32.
"""
from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

RATE = 16_000


def widened(path: Path, batch: int) -> bytes:
    model = onnx.load(path)
    for value in [*model.graph.input, *model.graph.output]:
        first = value.type.tensor_type.shape.dim[0]
        if first.dim_value == 1:
            first.dim_value = batch
    del model.graph.value_info[:]
    reshapes = {n.input[1] for n in model.graph.node if n.op_type == "Reshape"}

    def wide(array: np.ndarray) -> np.ndarray | None:
        return np.array([batch, *array[1:]], np.int64) if array.ndim == 1 and len(array) > 2 and array[0] == 1 else None

    for node in model.graph.node:
        if node.op_type == "Constant" and node.output[0] in reshapes:
            new = wide(numpy_helper.to_array(node.attribute[0].t))
            if new is not None:
                node.attribute[0].t.CopyFrom(numpy_helper.from_array(new))
    for i, tensor in enumerate(model.graph.initializer):
        if tensor.name in reshapes:
            new = wide(numpy_helper.to_array(tensor))
            if new is not None:
                model.graph.initializer[i].CopyFrom(numpy_helper.from_array(new, tensor.name))
    return model.SerializeToString()


def session(path: Path, batch: int, threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(widened(path, batch), options, ["CPUExecutionProvider"])


def read(encoder, decoder, batch: int, samples: int, tokens: int) -> tuple[float, float]:
    """Seconds in the encoder and in the decoder for one batch whose texts all have `tokens` tokens."""
    names = [o.name for o in encoder.get_outputs()]
    pcm = np.random.default_rng(1).normal(0, 0.1, (batch, samples)).astype(np.float32)
    begun = time.perf_counter()
    cross = dict(zip(names, encoder.run(None, {"pcm": pcm}), strict=True))
    heard = time.perf_counter()
    outputs = [o.name for o in decoder.get_outputs() if o.name != "alignment"]
    past = {i.name: np.zeros((batch, i.shape[1], 0, i.shape[3]), np.float32) for i in decoder.get_inputs() if i.name.startswith("past")}
    given = np.ones((batch, 2), np.int64)
    for _ in range(tokens):
        out = dict(zip(outputs, decoder.run(outputs, {"tokens": given, **past, **cross}), strict=True))
        past = {name.replace("present", "past"): value for name, value in out.items() if name.startswith("present")}
        given = out["logits"].argmax(-1).reshape(batch, 1)
    return heard - begun, time.perf_counter() - heard


def filled_up(lengths: list[float], batch: int, window: int = 32) -> float:
    """Seconds computed for one second of speech, when each window is sorted by length and cut into batches."""
    padded = 0.0
    for at in range(0, len(lengths), window):
        some = sorted(lengths[at : at + window])
        padded += sum(max(some[i : i + batch]) * len(some[i : i + batch]) for i in range(0, len(some), batch))
    return padded / sum(lengths)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("model", type=Path, help="a model folder of the product")
    p.add_argument("--lengths", type=Path, help="file with the seconds of one piece a line")
    p.add_argument("--batches", type=int, nargs="+", default=[1, 2, 4, 8])
    p.add_argument("--seconds", type=float, default=4.5)
    p.add_argument("--tokens", type=int, default=18)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--repeat", type=int, default=7)
    a = p.parse_args()
    lengths = [float(line) for line in a.lengths.read_text().split()] if a.lengths else []
    print("| batch | encoder, ms a piece | decoder, ms a piece | together | against one | computed for a second of speech |")
    print("|---|---|---|---|---|---|")
    alone = None
    for batch in a.batches:
        encoder = session(a.model / "encoder.onnx", batch, a.threads)
        # one token of one piece is too little for two threads; of several it is not
        best = None
        for threads in sorted({1, a.threads}):
            decoder = session(a.model / "decoder.onnx", batch, threads)
            runs = [read(encoder, decoder, batch, int(a.seconds * RATE), a.tokens) for _ in range(a.repeat)][1:]
            e, d = (float(np.median([r[k] for r in runs])) * 1000 / batch for k in (0, 1))
            if best is None or d < best[1]:
                best = e, d
        e, d = best
        alone = alone or e + d
        fill = f"{filled_up(lengths, batch):.2f}" if lengths else "–"
        print(f"| {batch} | {e:.0f} | {d:.0f} | {e + d:.0f} | {alone / (e + d):.2f} | {fill} |", flush=True)


if __name__ == "__main__":
    main()
