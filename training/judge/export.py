"""Exports a trained encoder to the folder that the product loads: model.onnx (8-bit weights), vocab.json, config.json. Fits its confidence.

    python export.py --run WORK/run/small --out WORK/export/readback-judge-small --plot docs/results/confidence-readback-judge.svg

The float graph is compared with the 8-bit one on held-out pairs (`--check`). Logits are divided by one temperature, fitted by the log loss of
"right or wrong" and of the types on held-out pairs of one seed; the plot and the printed calibration error are those of another seed. The
folder gets a report.json with these figures.
"""
from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch

from nets import MINILM_WIDTH, Encoder, WordPieces
from pairs import LEVEL_OF, MARKS, SLOTS, TYPES, stream
from train import HELD_OUT_SEED, batch_of, measure
from words import FEATURES, LONGEST

OPSET = 17
FIT_SEED, PLOT_SEED = HELD_OUT_SEED + 1, HELD_OUT_SEED + 2
# the types that leave a readback right
RIGHT = np.array([level == 0 for level in LEVEL_OF])


def load(run: Path) -> tuple[Encoder, WordPieces, dict]:
    saved = torch.load(run / "average.pt", weights_only=True)
    vocabulary = json.loads((run / "vocabulary.json").read_text())
    width, layers = (MINILM_WIDTH, saved["layers"]) if saved["net"] == "encoder" else (saved["width"], saved["layers"])
    net = Encoder(len(vocabulary), width, layers, width // 32, 1536 if width == MINILM_WIDTH else 3 * width)
    net.load_state_dict(saved["weights"])
    net.eval()
    if width != MINILM_WIDTH:  # words and what narrows them are one table
        with torch.no_grad():
            folded = net.narrow(net.words.weight)
        net.words, net.narrow = torch.nn.Embedding.from_pretrained(folded), torch.nn.Identity()
    return net, WordPieces(vocabulary), saved


class Graph(torch.nn.Module):
    """One pair: ids, features, segments [1, N] → types [10], slots [S], marks [N, M]."""

    def __init__(self, net: Encoder) -> None:
        super().__init__()
        self.net = net

    def forward(self, ids: torch.Tensor, features: torch.Tensor, segments: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        types, slots, marks = self.net(ids, features, segments, torch.ones_like(ids))
        return types[0], slots[0], marks[0]


def write_graph(net: Encoder, path: Path) -> None:
    example = torch.ones(1, 12, dtype=torch.long)
    segments = torch.tensor([[0, 0, 1, 1, 1, 1, 0, 2, 2, 2, 2, 0]])
    torch.onnx.export(
        Graph(net), (example, example, segments), str(path), input_names=["ids", "features", "segments"], output_names=["types", "slots", "marks"],
        dynamic_axes={"ids": {1: "n"}, "features": {1: "n"}, "segments": {1: "n"}, "marks": {0: "n"}}, opset_version=OPSET, dynamo=False,
    )  # fmt: skip


def run_all(path: Path, words: WordPieces, seed: int, count: int, threads: int) -> tuple[np.ndarray, np.ndarray]:
    """Type logits [count, 10] and gold of held-out pairs."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    logits, gold = [], []
    for _, pair in zip(range(count), stream(seed, True)):
        e = words.encode(pair.instruction, pair.readback, pair.profile)
        put = lambda values: np.array([values], np.int64)  # noqa: E731
        logits.append(session.run(["types"], {"ids": put(e.ids), "features": put(e.features), "segments": put(e.segments)})[0])
        gold.append(TYPES.index(pair.error_type))
    return np.stack(logits), np.array(gold)


def probabilities(logits: np.ndarray, temperature: float) -> np.ndarray:
    z = logits / temperature
    z = np.exp(z - z.max(1, keepdims=True))
    return z / z.sum(1, keepdims=True)


def fit_temperature(logits: np.ndarray, gold: np.ndarray) -> float:
    def cost(t: float) -> float:
        p = probabilities(logits, t)
        right = p[:, RIGHT].sum(1)
        return float(-np.log(p[np.arange(len(gold)), gold] + 1e-9).mean() - np.log(np.where(RIGHT[gold], right, 1 - right) + 1e-9).mean())

    return round(min(np.arange(0.5, 6.0, 0.05), key=cost), 2)


def reliability(sure: np.ndarray, hit: np.ndarray, bins: int = 10) -> tuple[list[dict], float]:
    """By confidence: how many, how sure on average, how often right; and the expected calibration error."""
    rows, error = [], 0.0
    for low in np.linspace(0.5, 1, bins, endpoint=False):
        high = low + 0.5 / bins
        of = (sure >= low) & ((sure < high) | (high > 0.999))
        if of.any():
            rows.append({"from": round(float(low), 3), "of": int(of.sum()), "sure": round(float(sure[of].mean()), 4), "right": round(float(hit[of].mean()), 4)})
            error += of.sum() / len(sure) * abs(sure[of].mean() - hit[of].mean())
    return rows, float(error)


def plot(rows: list[dict], error: float, before: float, of: int) -> str:
    """Reliability as SVG: how sure, against how often right; the area of a dot is its share."""
    x = lambda v: 60 + (v - 0.5) * 2 * 300  # noqa: E731
    y = lambda v: 340 - (v - 0.5) * 2 * 300  # noqa: E731
    marks = "".join(f'<line x1="{x(v):.0f}" y1="340" x2="{x(v):.0f}" y2="345" stroke="#555"/><text x="{x(v):.0f}" y="360" text-anchor="middle">{v:.1f}</text><text x="52" y="{y(v) + 4:.0f}" text-anchor="end">{v:.1f}</text>' for v in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0))
    dots = "".join(f'<circle cx="{x(r["sure"]):.1f}" cy="{y(max(0.5, r["right"])):.1f}" r="{3 + 12 * (r["of"] / of) ** 0.5:.1f}" fill="#1565c0" fill-opacity=".55"><title>{r["of"]} pairs, sure {r["sure"]:.3f}, right {r["right"]:.3f}</title></circle>' for r in rows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400" font-family="sans-serif" font-size="12"><title>Reliability of the embedded judge: right or wrong readback</title><rect width="400" height="400" fill="#fff"/>'
        f'<rect x="60" y="40" width="300" height="300" fill="none" stroke="#999"/><line x1="60" y1="340" x2="360" y2="40" stroke="#999" stroke-dasharray="4 3"/>{marks}{dots}'
        f'<text x="210" y="24" text-anchor="middle">{of} synthetic pairs: calibration error {error:.3f} (before {before:.3f})</text><text x="210" y="382" text-anchor="middle">how sure that it is right, or wrong</text><text x="16" y="190" text-anchor="middle" transform="rotate(-90 16 190)">how often that holds</text></svg>\n'
    )


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--run", type=Path, required=True)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--plot", type=Path)
    p.add_argument("--check", type=int, default=1000, help="held-out pairs to compare float and 8 bit on")
    p.add_argument("--fit", type=int, default=2000, help="held-out pairs to fit the temperature on, and as many others to plot")
    p.add_argument("--threads", type=int, default=1)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    torch.set_grad_enabled(False)
    from onnxruntime.quantization import QuantType, quantize_dynamic

    net, words, saved = load(a.run)
    a.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "float.onnx"
        write_graph(net, plain)
        # unsigned: signed 8-bit products saturate on AVX2 without VNNI
        quantize_dynamic(plain, a.out / "model.onnx", weight_type=QuantType.QUInt8, per_channel=True, op_types_to_quantize=["MatMul", "Gather"])
        rows = [(pair, words.encode(pair.instruction, pair.readback, pair.profile)) for _, pair in zip(range(200), stream(HELD_OUT_SEED, True))]
        floats, gold = run_all(plain, words, HELD_OUT_SEED, a.check, a.threads)
    torch_figures = measure(net, rows)
    bits, _ = run_all(a.out / "model.onnx", words, HELD_OUT_SEED, a.check, a.threads)
    logits, fit_gold = run_all(a.out / "model.onnx", words, FIT_SEED, a.fit, a.threads)
    temperature = fit_temperature(logits, fit_gold)
    logits, plot_gold = run_all(a.out / "model.onnx", words, PLOT_SEED, a.fit, a.threads)

    def judged(t: float) -> tuple[np.ndarray, np.ndarray]:
        right = probabilities(logits, t)[:, RIGHT].sum(1)
        return np.maximum(right, 1 - right), (right >= 0.5) == RIGHT[plot_gold]

    table, error = reliability(*judged(temperature))
    _, before = reliability(*judged(1.0))
    if a.plot:
        a.plot.write_text(plot(table, error, before, a.fit))
    curve = [json.loads(line) for line in (a.run / "curve.jsonl").read_text().splitlines()]
    settings, last = curve[0], [c for c in curve if "seen" in c][-1]
    config = {
        "format": 1,
        "architecture": "pair-encoder",
        "name": a.out.name,
        "precision": "int8",
        "types": TYPES,
        "slots": SLOTS,
        "marks": MARKS,
        # longest match, numbers, forms: how a word's features make one number (words.py)
        "features": {"longest": LONGEST, "count": FEATURES},
        "maxPieces": 400,
        "profiles": {"paper": "[unused1]", "icao": "[unused2]"},
        "temperature": temperature,
        "trained": {"loss": settings["loss"], "pairs": last["seen"], "seed": settings["seed"]},
    }
    (a.out / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    (a.out / "vocab.json").write_text(json.dumps(words.vocabulary, ensure_ascii=False))
    report = {
        "held_out_float": {"of": a.check, "type_accuracy": round(float((floats.argmax(1) == gold).mean()), 4)},
        "held_out_8bit": {"of": a.check, "type_accuracy": round(float((bits.argmax(1) == gold).mean()), 4), "same_as_float": round(float((bits.argmax(1) == floats.argmax(1)).mean()), 4)},
        "torch_on_200": torch_figures,
        "temperature": temperature,
        "calibration": {"of": a.fit, "error": round(error, 4), "error_before": round(before, 4), "bins": table},
        "bytes": sum(f.stat().st_size for f in a.out.iterdir() if f.name != "report.json"),
    }
    (a.out / "report.json").write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
