"""Keeps the vector files in step with the catalog: encodes what has no vector, replays what is missing."""

import logging
import shutil
from itertools import islice
from pathlib import Path

import numpy as np

from desktop_rag.errors import LibraryError
from desktop_rag.index.encoder import Encoder
from desktop_rag.index.ledger import Ledger
from desktop_rag.index.records import Chunk, ChunkId
from desktop_rag.index.vectors import VectorWriter
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

SENTENCES = 96  # a step: about half a second of one core
REPLAY_BATCH = 500  # changes a step when the files are behind the catalog


class VectorCopy:
    """The encoder and the vector files of one library; loads the encoder when the first sentence needs it."""

    def __init__(self, folder: Path, encoder: Path, ledger: Ledger, lineage: str, threads: int = 1) -> None:
        self._folder = folder
        self._encoder_folder = encoder
        self._ledger = ledger
        self._lineage = lineage
        self._threads = threads
        self._encoder: Encoder | None = None
        self._writer: VectorWriter | None = None

    def close(self) -> None:
        """Close the files; what was not published comes again."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def encode_some(self, stop: Stop) -> int:
        """Encode about `SENTENCES` sentences, newest chunks first; return how many; raises `EncoderError`."""
        chunks = _until(self._ledger.unencoded_chunks(32), SENTENCES)
        if not chunks:
            return 0
        encoder = self._ready_encoder()
        texts = [text for chunk in chunks for text in sentence_texts(chunk)]
        vectors = encoder.encode(texts, stop)
        rows = iter(vectors)
        self._ledger.store_vectors(
            encoder.id,
            [(chunk.id, np.stack(list(islice(rows, len(chunk.sentences)))).tobytes()) for chunk in chunks],
        )
        return len(texts)

    def keep(self, chunk: ChunkId, encoder: str, vectors: bytes) -> None:
        """Keep vectors that the searcher encoded on demand, if its encoder is ours."""
        ours = self._encoder.id if self._encoder is not None else self._ledger.encoder()
        if encoder == ours:
            self._ledger.store_vectors(encoder, [(chunk, vectors)])

    def follow(self) -> bool:
        """Bring the files nearer to the catalog and publish them; return whether they were behind."""
        writer = self._open_writer()
        if writer is None:
            return False
        changes = self._ledger.changes(writer.watermark.sequence, REPLAY_BATCH, "encoded")
        if changes.sequence == writer.watermark.sequence:
            return False
        try:
            writer.remove((*changes.removed, *changes.added))  # encoded again: old rows must not answer any more
            for chunk in changes.added:
                vectors = self._ledger.vectors(chunk)
                if vectors is not None:
                    writer.append([chunk] * len(vectors), list(range(len(vectors))), vectors)
            writer.publish(changes.sequence)
        except LibraryError:
            self.close()  # the files are opened afresh, or made anew if they are gone
            raise
        return True

    def _open_writer(self) -> VectorWriter | None:
        encoder = self._ledger.encoder()
        if self._writer is None and encoder is not None:
            writer = VectorWriter.open(self._folder, encoder, self._lineage)
            if writer.watermark.sequence > self._ledger.last_sequence():
                # The catalog lost its last changes with the power; their numbers will be given to others.
                writer.close()
                shutil.rmtree(self._folder, ignore_errors=True)
                writer = VectorWriter.open(self._folder, encoder, self._lineage)
            self._writer = writer
        return self._writer

    def _ready_encoder(self) -> Encoder:
        if self._encoder is None:
            encoder = Encoder.load(self._encoder_folder, self._threads)
            if self._ledger.encoder() not in (None, encoder.id):
                self._ledger.forget_vectors(encoder.id)
                self.close()
            self._encoder = encoder
        return self._encoder


def sentence_texts(chunk: Chunk) -> list[str]:
    """Return the sentences of a chunk."""
    offset = chunk.span.start
    return [chunk.text[start - offset : end - offset] for start, end in chunk.sentences]


def _until(chunks: list[Chunk], sentences: int) -> list[Chunk]:
    """Return the first chunks that together have about that many sentences, at least one chunk."""
    taken: list[Chunk] = []
    count = 0
    for chunk in chunks:
        if taken and count + len(chunk.sentences) > sentences:
            break
        taken.append(chunk)
        count += len(chunk.sentences)
    return taken
