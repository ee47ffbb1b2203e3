"""The nearest-neighbour tools ours is compared with, each behind one function; all compute on one thread.

Each builds its index of unit rows (n, dimensions), and returns a query function and the bytes per row.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from benchmarks.peer_tools import absent

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Search = Callable[[Floats], list[int]]
    Build = Callable[[Floats], tuple[Search, float]]

NEAREST = 10
MOST_IN_GRAPH = 100_000  # largest size for which a graph is built: about half a millisecond per row
SAMPLE = 20_000  # training rows for a quantiser


def missing() -> list[str]:
    """Return a sentence for each peer that is not installed."""
    return list(filter(None, (absent("usearch", "usearch"), absent("faiss", "faiss"))))


def builders(rows: int) -> "Mapping[str, Build]":
    """Return builders of the installed peers that suit this number of rows, by name."""
    found: dict[str, Build] = {"numpy float32": _numpy_search}
    if not absent("faiss", "faiss"):
        found |= {"faiss exact": _faiss_exact, "faiss 8 bits": _faiss_bytes}
    if not absent("usearch", "usearch"):
        found["usearch exact 8 bits"] = _usearch_exact
        if rows <= MOST_IN_GRAPH:
            found["usearch graph"] = _usearch_graph
    return found


def _numpy_search(floats: "Floats") -> "tuple[Search, float]":
    import numpy as np

    def search(query: "Floats") -> list[int]:
        scores = floats @ query
        top = np.argpartition(scores, -NEAREST)[-NEAREST:]
        rows: list[int] = top[np.argsort(-scores[top])].tolist()
        return rows

    return search, 4.0 * floats.shape[1]


def _faiss_exact(floats: "Floats") -> "tuple[Search, float]":
    import faiss

    faiss.omp_set_num_threads(1)
    index = faiss.IndexFlatIP(floats.shape[1])
    index.add(floats)
    return lambda query: index.search(query[None], NEAREST)[1][0].tolist(), 4.0 * floats.shape[1]


def _faiss_bytes(floats: "Floats") -> "tuple[Search, float]":
    import faiss

    faiss.omp_set_num_threads(1)
    kind = faiss.ScalarQuantizer.QT_8bit
    index = faiss.IndexScalarQuantizer(floats.shape[1], kind, faiss.METRIC_INNER_PRODUCT)
    index.train(floats[:SAMPLE])
    index.add(floats)
    return lambda query: index.search(query[None], NEAREST)[1][0].tolist(), 1.0 * floats.shape[1]


def _usearch_exact(floats: "Floats") -> "tuple[Search, float]":
    import numpy as np
    from usearch.index import MetricKind
    from usearch.index import search as compare

    largest = np.float32(127 / np.abs(floats[:SAMPLE]).max())

    def coded(some: "Floats") -> "npt.NDArray[np.int8]":
        codes: npt.NDArray[np.int8] = np.clip(np.rint(some * largest), -127, 127).astype(np.int8)
        return codes

    codes = np.concatenate([coded(floats[start : start + SAMPLE]) for start in range(0, len(floats), SAMPLE)])

    def search(query: "Floats") -> list[int]:
        found = compare(codes, coded(query), NEAREST, MetricKind.Cos, exact=True, threads=1)
        return [int(key) for key in found.keys]

    return search, 1.0 * floats.shape[1]


def _usearch_graph(floats: "Floats") -> "tuple[Search, float]":
    import numpy as np
    from usearch.index import Index

    index = Index(ndim=floats.shape[1], metric="cos", dtype="i8")
    index.add(np.arange(len(floats)), floats, threads=1)
    size = index.memory_usage / len(floats)
    return lambda query: [int(key) for key in index.search(query, NEAREST, threads=1).keys], size
