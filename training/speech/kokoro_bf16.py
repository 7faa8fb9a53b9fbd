"""Kokoro about twice as fast on a processor with bfloat16 units (AMX): the 8-bit export multiplied out and run by OpenVINO.

    python kokoro_bf16.py --work WORK        # WORK/kokoro.onnx -> WORK/kokoro-{encoder,generator,wave}.onnx, once; needs openvino

8-bit convolutions are slow in onnxruntime, and so are float ones without matrix units. The graph is cut in three: what decides pace,
pitch and the phase of the voice's source stays in float32 (a phase summed up in bfloat16 is noise: voiced frames lose a fifth of their
harmonicity), the generator's convolutions run in bfloat16, the inverse transform in float32 again.
"""
from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

PARTS = {"encoder": "f32", "generator": "bf16", "wave": "f32"}
# names inside the export: the source's spectrum, and the last activation before the inverse transform
SOURCE, LAST = "/decoder/decoder/generator/Concat_3_output_0", "/decoder/decoder/generator/LeakyRelu_2"


def multiplied_out(model):
    """The same graph with float products instead of 8-bit ones; what recurrent layers hold in 8 bits stays."""
    from onnx import helper, numpy_helper

    graph = model.graph
    constants = {t.name: t for t in graph.initializer}
    value = lambda name: numpy_helper.to_array(constants[name]).astype(np.float32)
    maker = {o: n for n in graph.node for o in n.output}
    users: dict[str, list] = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    instead, weights = {}, []
    for node in graph.node:
        if node.op_type not in ("ConvInteger", "MatMulInteger"):
            continue
        quantise, bias = maker[node.input[0]], []
        after = users[node.output[0]][0]
        if after.op_type == "Add":  # the bias in whole numbers, itself made of the float one
            made = next(i for i in after.input if i != node.output[0])
            while maker[made].op_type != "Div":
                made = maker[made].input[0]
            bias = [maker[made].input[0]]
            after = users[after.output[0]][0]
        scaled = users[after.output[0]][0]
        scales = maker[next(i for i in scaled.input if i != after.output[0])]
        scale = value(next(i for i in scales.input if i != quantise.output[1]))
        rows, zero = value(node.input[1]), value(node.input[3])
        if node.op_type == "ConvInteger":  # a scale belongs to an output channel, which comes first
            scale, zero = (a.reshape((-1,) + (1,) * (rows.ndim - 1)) if a.size > 1 else a.reshape(()) for a in (scale, zero))
        name = f"multiplied_out_{len(weights)}"
        weights.append(numpy_helper.from_array(((rows - zero) * scale).astype(np.float32), name))
        product = helper.make_node("Conv" if node.op_type == "ConvInteger" else "MatMul", [quantise.input[0], name, *bias], [scaled.output[0]], name=f"{node.name}_float")
        product.attribute.extend(node.attribute)
        instead[id(scaled)] = product
    nodes = [instead.get(id(n), n) for n in graph.node]
    wanted = {o.name for o in graph.output}
    while True:
        used = wanted | {i for n in nodes for i in n.input}
        kept = [n for n in nodes if any(o in used for o in n.output)]
        if len(kept) == len(nodes):
            break
        nodes = kept
    constants_left = [t for t in graph.initializer if t.name in used] + weights
    del graph.node[:], graph.initializer[:]
    graph.node.extend(nodes)
    graph.initializer.extend(constants_left)
    return model


def cut(model) -> dict:
    """The three parts, by name. Tensors between them keep their names; their ranks come from one run of the whole."""
    import onnx
    import onnxruntime
    from onnx import helper

    nodes = list(model.graph.node)
    maker = {o: i for i, n in enumerate(nodes) for o in n.output}

    def before(names) -> set[int]:
        seen, left = set(), [maker[n] for n in names if n in maker]
        while left:
            at = left.pop()
            if at not in seen:
                seen.add(at)
                left += [maker[n] for n in nodes[at].input if n in maker]
        return seen

    encoder = before([SOURCE]) | {i for i, n in enumerate(nodes) if n.name.startswith("/encoder")}
    encoder |= before([o for i in encoder for o in nodes[i].output])
    wave, reached = set(), set()
    for i, node in enumerate(nodes):
        if node.name == LAST or reached & set(node.input):
            wave.add(i)
            reached |= set(node.output)
    members = {"encoder": encoder, "generator": set(range(len(nodes))) - encoder - wave, "wave": wave}
    constants = {t.name for t in model.graph.initializer}
    borders = {}
    for part, inside in members.items():
        made = {o for i in inside for o in nodes[i].output}
        needed = {n for i in inside for n in nodes[i].input if n} - made - constants
        asked = {n for i in set(range(len(nodes))) - inside for n in nodes[i].input} | {o.name for o in model.graph.output}
        borders[part] = (sorted(needed), sorted(made & asked))
    known = {v.name: v for v in [*model.graph.input, *model.graph.output]}
    between = sorted({n for ins, _ in borders.values() for n in ins} - set(known))
    probe = onnx.ModelProto()
    probe.CopyFrom(model)
    probe.graph.output.extend(helper.make_tensor_value_info(n, 1, None) for n in between)
    run = onnxruntime.InferenceSession(probe.SerializeToString(), providers=["CPUExecutionProvider"])
    found = run.run(between, {"tokens": np.array([[0, 50, 83, 54, 156, 31, 0]]), "style": np.full((1, 256), 0.05, np.float32), "speed": np.ones(1, np.float32)})
    for name, array in zip(between, found):
        # the last axis is time; channels stay fixed, and so does the style, which has no time (128)
        shape = [*array.shape[:-1], array.shape[-1] if array.ndim == 2 and array.shape[-1] == 128 else f"time of {name}"]
        known[name] = helper.make_tensor_value_info(name, 1, shape)
    parts = {}
    for part, (needed, made) in borders.items():
        inside = [nodes[i] for i in sorted(members[part])]
        used = {n for node in inside for n in node.input}
        graph = helper.make_graph(inside, part, [known[n] for n in needed], [known[n] for n in made], [t for t in model.graph.initializer if t.name in used])
        parts[part] = helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)
    return parts


class Session:
    """Stands where kokoro_onnx has its onnxruntime session: `run` by OpenVINO, everything else of the session itself."""

    def __init__(self, work: Path, session, threads: int = 1) -> None:
        import openvino

        core, self.session, self.parts = openvino.Core(), session, []
        if "BF16" not in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES"):
            raise SystemExit("This processor has no bfloat16 units; leave --bf16 out.")
        for part, precision in PARTS.items():
            path = work / f"kokoro-{part}.onnx"
            if not path.exists():
                raise SystemExit(f"{path.name} is missing in {work}; make it with: python kokoro_bf16.py --work {work}")
            # every length is a shape of its own: without a limit, what is made ready for each is kept, 4 GB after a hundred sentences
            compiled = core.compile_model(core.read_model(str(path)), "CPU", {"INFERENCE_PRECISION_HINT": precision, "INFERENCE_NUM_THREADS": threads, "CPU_RUNTIME_CACHE_CAPACITY": 64})
            self.parts.append((compiled.create_infer_request(), [i.get_any_name() for i in compiled.inputs], [o.get_any_name() for o in compiled.outputs]))

    def run(self, _, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        known = dict(inputs)
        for request, needed, made in self.parts:
            found = request.infer({n: known[n] for n in needed})
            known.update({n: np.array(found[i]) for i, n in enumerate(made)})
        return [known["audio"]]

    def __getattr__(self, name: str):
        return getattr(self.session, name)


def main() -> None:
    import onnx

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    work = parser.parse_args().work
    for part, model in cut(multiplied_out(onnx.load(work / "kokoro.onnx"))).items():
        onnx.save(model, work / f"kokoro-{part}.onnx")
        print(f"kokoro-{part}.onnx", len(model.graph.node), "operations")


if __name__ == "__main__":
    main()
