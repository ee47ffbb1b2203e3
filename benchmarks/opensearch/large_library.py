"""Builds a large library in this process: real texts and sentences; their vectors too, or real ones plus noise."""

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Protocol

import numpy as np

from benchmarks.corpus import SEED, Corpus
from benchmarks.libraries.filling import REAL, noisy
from benchmarks.libraries.folders import write_folder
from desktop_rag.documents.chunking import split
from desktop_rag.documents.format_registry import read_document
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.sentence_vectors import HASH_BYTES, sentence_hashes, sentence_texts
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.keywords.columnar.columnar_keywords import ColumnarKeywordWriter
from desktop_rag.index.keywords.keyword_engine import KeywordDocument
from desktop_rag.index.library import Library
from desktop_rag.index.records import Chunk, ChunkId, FileStat, FolderId, Watermark
from desktop_rag.index.vectors.vector_codes import pack_rows, row_type
from desktop_rag.index.vectors.vector_sync import VectorSync
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop

FILES_OF = 36  # passages in a file, on average
_BATCH = 20  # files of a transaction

Say = Callable[[str], None]


class _Vectors(Protocol):
    def rows(self, chunks: Sequence[Chunk]) -> Mapping[ChunkId, bytes]:
        """Return the rows of the sentences of each chunk."""


class _NoisyVectors:
    """Vectors that are real ones plus noise: they cost nothing, but lie otherwise than those of sentences."""

    def __init__(self, encoder: Encoder, corpus: Corpus) -> None:
        self._real = encoder.encode(list(islice(corpus.sentences(), REAL)))
        self._chance = np.random.default_rng(SEED)

    def rows(self, chunks: Sequence[Chunk]) -> Mapping[ChunkId, bytes]:
        """Return the rows of the sentences of each chunk."""
        return {chunk.id: self._rows(sentence_hashes(chunk)) for chunk in chunks}

    def _rows(self, hashes: Sequence[bytes]) -> bytes:
        return b"".join(pack_rows(hashes, noisy(self._real, len(hashes), self._chance)).values())


class _RealVectors:
    """The vectors of the sentences themselves, kept in a file, so that no later run encodes them again."""

    def __init__(self, encoder: Encoder, kept: Path) -> None:
        self._encoder = encoder
        size = row_type(encoder.dimensions).itemsize
        data = kept.read_bytes() if kept.exists() else b""
        rows = (data[first : first + size] for first in range(0, len(data) // size * size, size))
        self._known = {row[:HASH_BYTES]: row for row in rows}
        self._kept = kept

    def rows(self, chunks: Sequence[Chunk]) -> Mapping[ChunkId, bytes]:
        """Return the rows of the sentences of each chunk."""
        texts = {chunk.id: dict(zip(sentence_hashes(chunk), sentence_texts(chunk), strict=True)) for chunk in chunks}
        new = {digest: text for each in texts.values() for digest, text in each.items() if digest not in self._known}
        if new:
            vectors = self._encoder.encode(list(new.values()), Stop(), os.cpu_count())
            rows = pack_rows(new, vectors)
            self._known |= rows
            with self._kept.open("ab") as file:
                file.write(b"".join(rows.values()))
        return {chunk: b"".join(self._known[digest] for digest in each) for chunk, each in texts.items()}


def large_library(folder: Path, corpus: Corpus, say: Say, *, real: bool = False) -> Path:
    """Return a library of all passages with vectors, keyword and vector index; what a folder has of it is kept.

    `real`: every sentence is encoded, else the vectors are a few real ones plus noise.
    """
    documents, library = folder / "documents", Library(folder / "library")
    if not library.catalog.exists():
        write_folder(documents, corpus.passages, max(20, len(corpus.passages) // FILES_OF))
    with closing(Catalog.open(library.catalog)) as catalog:
        root = catalog.folders.add(os.fsencode(documents), is_file=False)
        known = catalog.files.of_folder(root)
        every = sorted(path for path in documents.rglob("*") if path.is_file())
        files = [path for path in every if os.fsencode(path.relative_to(documents)) not in known]
        encoder = Encoder.load(encoder_folder(), threads=1)
        vectors = VectorSync(library.vectors, encoder_folder(), catalog, catalog.lineage())
        if files:
            made: _Vectors = _RealVectors(encoder, folder / "vectors.rows") if real else _NoisyVectors(encoder, corpus)
            keywords = ColumnarKeywordWriter.open(library.keywords, catalog.lineage())
        for first in range(0, len(files), _BATCH):
            with catalog.transaction():
                chunks = [
                    chunk
                    for path in files[first : first + _BATCH]
                    for chunk in add_file(catalog, root, documents, path)
                ]
                for chunk, rows in made.rows(list(catalog.chunks.by_id(chunks).values())).items():
                    vectors.keep(chunk, encoder.id, rows)
            _searchable(catalog, keywords)
            say(f"{min(len(files), first + _BATCH):,} of {len(files):,} files")
        while vectors.follow():
            pass
        vectors.close()
    return library.folder


def add_file(catalog: Catalog, root: FolderId, base: Path, path: Path) -> Sequence[ChunkId]:
    """Add a file below `base` to the catalog; return its chunks, without vectors."""
    name, data, stat = os.fsencode(path.relative_to(base)), path.read_bytes(), path.stat()
    catalog.files.queue(root, name, FileStat(stat.st_size, stat.st_mtime_ns, stat.st_ino, stat.st_dev))
    document = read_document(path.name, data)
    content = catalog.contents.store(hashlib.sha256(data).digest(), document, split(document))
    catalog.files.link(catalog.files.of_folder(root)[name].id, content)
    return catalog.chunks.ids_of_content(content)


def _searchable(catalog: Catalog, keywords: ColumnarKeywordWriter) -> None:
    changes = catalog.change_log.changes(keywords.watermark.sequence, 1_000_000, "added")
    chunks = catalog.chunks.by_id(changes.added)
    titles = catalog.contents.by_id({chunk.content for chunk in chunks.values()})
    documents = [
        KeywordDocument(each.id, each.content, titles[each.content].title, each.heading, each.text)
        for each in chunks.values()
    ]
    keywords.apply(documents, changes.removed, Watermark(changes.sequence, catalog.lineage()))
    catalog.change_log.mark_searchable(changes.sequence)
