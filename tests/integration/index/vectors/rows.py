"""Vectors for tests, in the form the catalog stores."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.sentence_vectors import sentence_hash, sentence_hashes
from desktop_rag.index.records import ChunkId
from desktop_rag.index.vectors.vector_codes import pack_rows

DIMENSIONS = 24
Floats = npt.NDArray[np.float32]


def random_vectors(count: int, seed: int = 1, dimensions: int = DIMENSIONS) -> Floats:
    rows = np.random.default_rng(seed).standard_normal((count, dimensions)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def rows_of(vectors: Floats) -> bytes:
    """Return the rows of sentences that say their numbers."""
    return b"".join(pack_rows([sentence_hash(str(number)) for number in range(len(vectors))], vectors).values())


def give_vectors(catalog: Catalog, chunks: Iterable[ChunkId], name: str = "encoder", *, beside: bool = False) -> None:
    """Give every sentence of these chunks a vector of this encoder, the same to the same sentence."""
    encoder = catalog.encoders.switch_to(name, DIMENSIONS, beside=beside)
    for chunk in catalog.chunks.by_id(chunks).values():
        hashes = sentence_hashes(chunk)
        seeds = [int.from_bytes(digest[:4]) for digest in hashes]
        vectors = np.concatenate([random_vectors(1, seed) for seed in seeds])
        catalog.vectors.store_rows(encoder, [chunk], pack_rows(hashes, vectors) if hashes else {})
