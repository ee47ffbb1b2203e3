"""Sentence vectors as the server has them: int8 codes, all of one length, so that their inner product is a cosine.

For a cosine of vectors of any length the server would compute three products, for this it computes one.
"""

import base64
from collections.abc import Sequence

import numpy as np

from desktop_rag.index.vectors.vector_codes import Codes
from desktop_rag.retrieval.retrievers.on_demand_encoding import Floats

_MOST = 127
_WIDEST = 0.35  # of a component of a unit vector; what is beyond is cut off
_LENGTH = _MOST / _WIDEST


def packed_codes(codes: Codes) -> str:
    """Return rows of codes for a field of the server, with their length before them."""
    return base64.b64encode(codes.shape[1].to_bytes(2, "little") + codes.tobytes()).decode()


def unit_rows(packed: Sequence[str]) -> Floats:
    """Return the rows of several packed ones as unit vectors; zero rows stay zero."""
    data = [base64.b64decode(each + "==") for each in packed]  # the server leaves out the padding of a doc value
    dimensions = int.from_bytes(data[0][:2], "little") if data else 1
    return _units(np.frombuffer(b"".join(each[2:] for each in data), np.int8).reshape(-1, dimensions))


def mean_of(codes: Codes) -> Codes:
    """Return the direction of the mean of the unit vectors of these rows, as one row of codes."""
    return codes_of(_units(codes).sum(axis=0)[None])


def codes_of(vectors: Floats | Codes, chance: int | None = None) -> Codes:
    """Return the codes of vectors by their directions, one row each; zero rows stay zero.

    With a seed `chance` they are rounded up or down by chance. A sentence of many passages, such as the end of every
    mail, then has codes that differ a little: equal ones are linked to each other only, and a search that comes to one
    of them finds little else.
    """
    cut = _units(np.clip(_units(vectors), -_WIDEST, _WIDEST)) * _LENGTH
    whole = np.rint(cut) if chance is None else np.floor(cut + np.random.default_rng(chance).random(cut.shape))
    return np.asarray(np.clip(whole, -_MOST, _MOST), np.int8)


def cosine_of(score: float) -> float:
    """Return the cosine for a score of the server: 1 more than the inner product p, for a negative one 1/(1 - p)."""
    product = score - 1 if score >= 1 else 1 - 1 / max(score, 1e-9)
    return product / _LENGTH**2


def _units(rows: Codes | Floats) -> Floats:
    rows = rows.astype(np.float32)
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float32)
