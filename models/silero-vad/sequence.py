"""Makes silero_vad.onnx of this folder from silero_vad_v6.onnx of the npm package @ricky0123/vad-web, and compares the two.

    npm pack @ricky0123/vad-web@0.0.31        # and unpack it
    python sequence.py package/dist/silero_vad_v6.onnx silero_vad.onnx

Needs onnx, onnxruntime, numpy.
"""

import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

FRAME, CONTEXT, STATE = 512, 64, 128


def weights_16k(path):
    """The constants of the branch that the original takes at 16 kHz, by their own names."""
    graph = onnx.load(path).graph
    choice = next(node for node in graph.node if node.op_type == "If")
    branch = next(attribute.g for attribute in choice.attribute if attribute.name == "then_branch")
    return {
        node.output[0].split("Inline_0__")[1]: numpy_helper.to_array(node.attribute[0].t)
        for node in branch.node
        if node.op_type == "Constant"
    }


def onnx_gates(torch_gates):
    """PyTorch orders an LSTM's gates input, forget, cell, output; ONNX input, output, forget, cell."""
    i, f, c, o = np.split(torch_gates, 4, 0)
    return np.concatenate([i, o, f, c], 0)


def build(source, target):
    weights = weights_16k(source)
    nodes, initializers = [], []

    def constant(name, value):
        initializers.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def weight(name):
        return constant(name, weights[name].astype(np.float32))

    def op(kind, inputs, outputs, **attributes):
        outputs = outputs if isinstance(outputs, list) else [outputs]
        nodes.append(helper.make_node(kind, inputs, outputs, **attributes))
        return outputs[0]

    integers = lambda *values: np.array(values, np.int64)

    # short-time spectrum of each frame: magnitude of 129 bins, four columns
    x = op("Pad", ["frames", constant("padding", integers(0, 0, 0, 64))], "padded", mode="reflect")
    x = op("Unsqueeze", [x, constant("axis_1", integers(1))], "one_channel")
    x = op("Conv", [x, weight("stft.forward_basis_buffer")], "spectrum", strides=[128])
    real = op("Slice", [x, constant("zero", integers(0)), constant("bins", integers(129)), "axis_1"], "real")
    imaginary = op("Slice", [x, "bins", constant("twice_bins", integers(258)), "axis_1"], "imaginary")
    squares = op("Add", [op("Mul", [real, real], "real_2"), op("Mul", [imaginary, imaginary], "imaginary_2")], "power")
    x = op("Sqrt", [squares], "magnitude")
    # encoder: four columns to one
    for layer, stride in enumerate((1, 2, 2, 1)):
        name = f"encoder.{layer}.reparam_conv"
        x = op("Conv", [x, weight(f"{name}.weight"), weight(f"{name}.bias")], f"conv_{layer}", strides=[stride], pads=[1, 1])
        x = op("Relu", [x], f"relu_{layer}")
    # the frames, so far a batch, are the sequence of the LSTM
    x = op("Transpose", [x], "sequence", perm=[0, 2, 1])
    rnn = lambda name: onnx_gates(weights[f"decoder.rnn.{name}"].astype(np.float32))
    bias = np.concatenate([rnn("bias_ih"), rnn("bias_hh")])[None]
    op(
        "LSTM",
        [x, constant("W", rnn("weight_ih")[None]), constant("R", rnn("weight_hh")[None]), constant("B", bias), "", "hidden", "cell"],
        ["states", "hiddenN", "cellN"],
        hidden_size=STATE,
    )
    x = op("Relu", [op("Squeeze", ["states", "axis_1"], "states_1")], "states_relu")
    x = op("Transpose", [x], "columns", perm=[0, 2, 1])
    x = op("Conv", [x, weight("decoder.decoder.2.weight"), weight("decoder.decoder.2.bias")], "logit")
    op("Reshape", [op("Sigmoid", [x], "sigmoid"), constant("flat", integers(-1))], "probability")

    tensor = lambda name, shape: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    state = [1, 1, STATE]
    graph = helper.make_graph(
        nodes,
        "silero_vad_16k_sequence",
        [tensor("frames", ["count", CONTEXT + FRAME]), tensor("hidden", state), tensor("cell", state)],
        [tensor("probability", ["count"]), tensor("hiddenN", state), tensor("cellN", state)],
        initializers,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    onnx.save(model, target)


def compare(source, target, frames=2000, at_once=16):
    """Largest difference between the original, frame by frame, and this one, over noise that swells and fades."""
    original, sequence = onnxruntime.InferenceSession(source), onnxruntime.InferenceSession(target)
    random = np.random.default_rng(1)
    sound = random.standard_normal(frames * FRAME) * np.abs(np.sin(np.arange(frames * FRAME) / 3000)) * 0.1
    context, inputs, expected = np.zeros(CONTEXT, np.float32), [], []
    state = np.zeros((2, 1, STATE), np.float32)
    for start in range(0, len(sound), FRAME):
        frame = np.concatenate([context, sound[start : start + FRAME].astype(np.float32)])
        context = frame[-CONTEXT:]
        probability, state = original.run(None, {"input": frame[None], "state": state, "sr": np.array(16000, np.int64)})
        inputs.append(frame)
        expected.append(probability[0, 0])
    hidden = cell = np.zeros((1, 1, STATE), np.float32)
    got = []
    for start in range(0, frames, at_once):
        probability, hidden, cell = sequence.run(None, {"frames": np.stack(inputs[start : start + at_once]), "hidden": hidden, "cell": cell})
        got.extend(probability)
    return float(np.abs(np.array(expected) - np.array(got)).max())


if __name__ == "__main__":
    build(sys.argv[1], sys.argv[2])
    print("largest difference of a probability:", compare(sys.argv[1], sys.argv[2]))
