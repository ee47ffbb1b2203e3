"""Sentence vectors of a passage as the server keeps them beside its graph: int8 codes, one row each, in base64."""

import base64

import numpy as np

from desktop_rag.index.vectors.vector_codes import Codes
from desktop_rag.retrieval.retrievers.on_demand_encoding import Floats

MOST = 127


def packed_codes(codes: Codes) -> str:
    """Return rows of codes for a field of the server, with their length before them."""
    return base64.b64encode(codes.shape[1].to_bytes(2, "little") + codes.tobytes()).decode()


def unit_rows(packed: str) -> Floats:
    """Return packed rows as unit vectors; zero rows stay zero."""
    data = base64.b64decode(packed + "==")  # the server leaves out the padding of a doc value
    dimensions = int.from_bytes(data[:2], "little")
    return _units(np.frombuffer(data, np.int8, offset=2).reshape(-1, dimensions))


def mean_of(codes: Codes) -> Codes:
    """Return the direction of the mean of the unit vectors of these rows, as one row of codes."""
    return codes_of(_units(codes).sum(axis=0))[None]


def codes_of(vector: Floats) -> Codes:
    """Return the codes nearest to the direction of a vector."""
    return np.asarray(np.rint(vector / max(float(np.abs(vector).max()), 1e-9) * MOST), np.int8)


def _units(codes: Codes) -> Floats:
    rows = codes.astype(np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float32)
