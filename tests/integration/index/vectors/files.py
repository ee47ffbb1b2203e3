"""Small vector files and their contents."""

from collections.abc import Callable
from pathlib import Path

from desktop_rag.index.records import ChunkId
from desktop_rag.index.vectors.vector_codes import dequantise, unpack_rows
from desktop_rag.index.vectors.vector_reader import VectorReader
from desktop_rag.index.vectors.vector_writer import VectorWriter
from tests.integration.index.vectors.rows import DIMENSIONS, Floats, rows_of

CAPACITY = 64  # rows of a shard


def open_writer(folder: Path, encoder: str = "encoder", lineage: str = "lineage") -> VectorWriter:
    return VectorWriter.open(folder, encoder, DIMENSIONS, lineage, CAPACITY)


def append(writer: VectorWriter, chunk: int, vectors: Floats) -> None:
    writer.append([(ChunkId(chunk), rows_of(vectors))])


def held(reader: VectorReader) -> dict[int, bytes]:
    """Return the vectors of every chunk."""
    return {chunk: dequantise(part.scales, part.codes).tobytes() for chunk, part in reader.all_rows()}


def as_kept(vectors: Floats) -> bytes:
    """Return the vectors of these rows."""
    return unpack_rows(rows_of(vectors), DIMENSIONS).tobytes()


Opens = Callable[..., VectorWriter]
