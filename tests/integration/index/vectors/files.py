"""Small vector files and their contents."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from desktop_rag.index.records import ChunkId
from desktop_rag.index.vectors.vector_codes import row_type, signs_of
from desktop_rag.index.vectors.vector_reader import StoredRows, VectorReader
from desktop_rag.index.vectors.vector_writer import VectorWriter
from tests.integration.index.vectors.rows import DIMENSIONS, Floats, rows_of

CAPACITY = 64  # rows of a shard


def open_writer(folder: Path, encoder: str = "encoder", lineage: str = "lineage") -> VectorWriter:
    return VectorWriter.open(folder, encoder, DIMENSIONS, lineage, CAPACITY)


def append(writer: VectorWriter, chunk: int, vectors: Floats) -> None:
    writer.append([(ChunkId(chunk), rows_of(vectors))])


def stored(chunks: Mapping[int, Floats]) -> StoredRows:
    """Return what reads the rows of these chunks, as from a catalog."""
    return lambda _, wanted: {chunk: rows_of(chunks[chunk]) for chunk in wanted if chunk in chunks}


def held(reader: VectorReader) -> dict[int, bytes]:
    """Return what the files have of the vectors of every chunk."""
    found = {}
    for part, dead in zip(reader._shards.values(), reader._dead, strict=True):
        for chunk, first, count in part.runs[~dead].tolist():
            found[chunk] = part.signs[first : first + count].tobytes()
    return found


def as_kept(vectors: Floats) -> bytes:
    """Return what the files keep of these vectors."""
    return signs_of(np.frombuffer(rows_of(vectors), row_type(DIMENSIONS))["codes"]).tobytes()


Opens = Callable[..., VectorWriter]
