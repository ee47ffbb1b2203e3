"""The graph of a network whose weights stay in the file they are in: `graph.onnx` beside `model.onnx`.

onnxruntime maps such weights instead of copying them twice, so that a search by a new process starts in less time and
shares their memory with the other processes. `encoder.json` has the checksum of both files.
"""

import onnx
from onnx import TensorProto

LEAST_BYTES = 1024  # of a weight; smaller ones stay in the graph


def mapped_graph(model: bytes, location: str) -> bytes:
    """Return the network of `model` with its weights referring to the file `location`, which holds `model`."""
    network = onnx.load_from_string(model)
    place = 0
    for tensor in network.graph.initializer:
        weights = tensor.raw_data
        if len(weights) < LEAST_BYTES:
            continue
        place = model.index(weights, place)
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", location), ("offset", str(place)), ("length", str(len(weights)))):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, value
        place += len(weights)
    graph: bytes = network.SerializeToString(deterministic=True)
    return graph
