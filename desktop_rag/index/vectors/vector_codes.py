"""Quantisation of sentence vectors: a hash of the text, a scale, and an int8 code for each dimension.

A row is 16 bytes of hash, a float32 and the codes; the vector is the codes times the scale. The scale normalises it to
length one, so that the dot product with a query is the cosine.
"""

from collections.abc import Iterable
from functools import cache

import numpy as np
import numpy.typing as npt

from desktop_rag.index.catalog.sentence_vectors import HASH_BYTES, sentence_hashes
from desktop_rag.index.records import Chunk

LARGEST = 127  # largest absolute value of a code

Floats = npt.NDArray[np.float32]
Codes = npt.NDArray[np.int8]
Signs = npt.NDArray[np.uint64]  # of (n, dimensions / 64), a bit for each positive code


@cache
def row_type(dimensions: int) -> np.dtype[np.void]:
    """Return the layout of a row in memory and in the catalog."""
    return np.dtype([("hash", f"V{HASH_BYTES}"), ("scale", "<f4"), ("codes", "i1", (dimensions,))])


def quantise(vectors: Floats) -> tuple[Floats, Codes]:
    """Return scales (n,) and codes (n, dimensions) of vectors of any length; zero vectors stay zero."""
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    codes = np.rint(vectors / np.where(largest > 0, largest, 1)[:, None] * LARGEST).astype(np.int8)
    return _scales(codes), codes


def dequantise(scales: Floats, codes: Codes) -> Floats:
    """Return the vectors (n, dimensions) of scales and codes."""
    vectors = codes.astype(np.float32)  # faster than a product of two types
    vectors *= scales[:, None]
    return vectors


def signs_of(values: Codes | Floats) -> Signs:
    """Return the signs of codes or of vectors (n, dimensions)."""
    packed = np.packbits(values > 0, axis=1)
    return np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view("<u8")


def pack_rows(hashes: Iterable[bytes], vectors: Floats) -> dict[bytes, bytes]:
    """Return a row for each hash; `vectors` is (n, dimensions)."""
    scales, codes = quantise(vectors)
    heads = (scale.tobytes() for scale in scales.astype("<f4", copy=False))
    rows = zip(hashes, heads, codes, strict=True)
    return {digest: digest + head + row.tobytes() for digest, head, row in rows}


def unpack_rows(data: bytes, dimensions: int) -> Floats:
    """Return the vectors of concatenated rows; raise ValueError if the last is incomplete."""
    rows = np.frombuffer(data, row_type(dimensions))
    return dequantise(rows["scale"], rows["codes"])


def belong_to(chunk: Chunk, data: bytes, dimensions: int) -> bool:
    """Return whether rows belong to sentences of a chunk, in order, with scales that match their codes."""
    if len(data) % row_type(dimensions).itemsize:
        return False
    rows = np.frombuffer(data, row_type(dimensions))
    sentences = iter(sentence_hashes(chunk))
    if not all(any(digest.tobytes() == other for other in sentences) for digest in rows["hash"]):
        return False
    return np.array_equal(rows["scale"], _scales(np.ascontiguousarray(rows["codes"])))


def _scales(codes: Codes) -> Floats:
    squares = np.einsum("ij,ij->i", codes, codes, dtype=np.int64, casting="unsafe")
    lengths = np.sqrt(squares.astype(np.float32))  # of exact integers: equal codes have equal scales
    return np.asarray(np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0), np.float32)
