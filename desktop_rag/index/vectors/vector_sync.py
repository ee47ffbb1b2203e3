"""Syncs the vector files with the catalog: encodes sentences without a vector, replays the change log."""

import logging
import shutil
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from desktop_rag.errors import LibraryError
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.sentence_vectors import EncoderRow, sentence_hash, sentence_texts
from desktop_rag.index.encoding.encoder import Encoder, return_memory
from desktop_rag.index.records import ChunkId
from desktop_rag.index.vectors.available_encoders import encoder_name, folder_of
from desktop_rag.index.vectors.shards import CAPACITY
from desktop_rag.index.vectors.vector_codes import pack_rows
from desktop_rag.index.vectors.vector_reader import VectorReader
from desktop_rag.index.vectors.vector_writer import VectorWriter
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

SENTENCES = 256  # a step, about 0.5 s of one core; smaller ones waste more on padding (9 % at 96, 5 % at 256)
CHUNKS = 16  # chunks considered in a step, for each thread
ERASED_AT_ONCE = 64  # chunks whose vectors of an obsolete encoder are deleted in a step
REPLAY_BATCH = 256  # changes replayed in a step
RELEASE_SECONDS = 60.0  # without a sentence to encode, before a large encoder gives its memory back


class VectorSync:
    """The encoder and the vector files of one library; loads the encoder lazily."""

    def __init__(self, folder: Path, encoder: Path, catalog: Catalog, lineage: str) -> None:
        self._folder = folder
        self._encoder_folder = encoder
        self._catalog = catalog
        self._lineage = lineage
        self._encoder: Encoder | None = None
        self._used = 0.0  # on the monotonic clock
        self._row: EncoderRow | None = None  # of the encoder, in the catalog
        self._writer: VectorWriter | None = None
        self._replaced = self._is_replaced()
        self._drop_if_ahead()

    def rebuild(self) -> None:
        """Delete the files, so that they are rebuilt from the catalog."""
        self.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def close(self) -> None:
        """Close the files; unpublished changes are replayed later."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def encode_some(self, stop: Stop, threads: int = 1) -> int:
        """Encode about `SENTENCES` sentences for each thread, newest chunks first; may raise `EncoderError`.

        Return how many sentences received a vector, including those of equal sentences elsewhere.
        """
        if self._replaced:
            self._ready_encoder()
        chunks = self._catalog.chunks.waiting_for_vectors(CHUNKS * threads)
        if not chunks:
            self._catalog.encoders.promote()
            self._release()
            return 0
        self._used = time.monotonic()
        encoder, row = self._ready_encoder()
        texts = [{sentence_hash(text): text for text in sentence_texts(chunk)} for chunk in chunks]
        rows = self._catalog.vectors.rows_by_hash(row, (digest for hashes in texts for digest in hashes))
        taken = _fitting([sum(digest not in rows for digest in hashes) for hashes in texts], SENTENCES * threads)
        missing = {digest: text for hashes in texts[:taken] for digest, text in hashes.items() if digest not in rows}
        if missing:
            rows |= pack_rows(missing, encoder.encode(list(missing.values()), stop, threads))
        self._open_writer()  # files that are missing when the catalog has vectors are damage
        self._catalog.vectors.store_rows(row, chunks[:taken], rows)
        return sum(len(chunk.sentences) for chunk in chunks[:taken])

    def keep(self, chunk: ChunkId, encoder: str, rows: bytes) -> None:
        """Store vectors of a chunk's sentences that the searcher encoded on demand; may raise `EncoderError`."""
        if self._row is None and encoder == encoder_name(self._encoder_folder):
            self._ready_encoder()  # registers an encoder that has made no vectors yet
            self._open_writer()
        self._catalog.vectors.store_blob(encoder, chunk, rows)

    def follow(self) -> bool:
        """Replay a batch of the change log and publish it; return whether the files were behind."""
        writer = self._open_writer()
        if writer is None:
            return False
        changes = self._catalog.change_log.changes(writer.watermark.sequence, REPLAY_BATCH, "encoded")
        try:
            if changes.sequence == writer.watermark.sequence:
                return writer.publish_rebuild()
            self._catalog.change_log.sync_to_disk(changes.sequence)
            writer.remove((*changes.removed, *changes.added))  # added again: remove the old rows
            vectors = self._catalog.vectors.complete(changes.added)
            writer.append([(chunk, vectors[chunk]) for chunk in changes.added if chunk in vectors])
            writer.publish(changes.sequence)
        except LibraryError:
            self.close()  # the next call reopens the files, or rebuilds them if they are missing
            raise
        return True

    def purge(self, sequence: int) -> bool:
        """Erase the bytes of everything removed up to a change; return False if the files are not that far."""
        writer = self._open_writer()
        if writer is None:
            shutil.rmtree(self._folder, ignore_errors=True)  # there are no vectors any more
            return True
        return writer.watermark.sequence >= sequence and writer.zero_removed()

    def settle(self) -> bool:
        """Take a step of idle-time maintenance; return whether there is more to do.

        Deletes the vectors of older encoders, verifies the files once, and compacts those with many removed rows.
        """
        if self._catalog.vectors.erase_obsolete(ERASED_AT_ONCE):
            return True
        if self._writer is None:
            return False
        verified = self._writer.verify_some()
        if verified is not None:
            if not verified:
                logger.warning("the vector files are damaged; rebuilding them from the catalog")
                self._writer.begin_rebuild()
            return True
        try:
            return self._writer.compact_some()
        except LibraryError:
            self.close()
            raise

    def _open_writer(self) -> VectorWriter | None:
        encoder = self._catalog.encoders.serving()
        if self._writer is not None and encoder is not None and self._writer.encoder != encoder.name:
            self.close()
        if self._writer is None and encoder is not None:
            name, dimensions = encoder.name, encoder.dimensions
            self._writer = VectorWriter.open(self._folder, name, dimensions, self._lineage, CAPACITY)
        return self._writer

    def _drop_if_ahead(self) -> None:
        """Delete files that are ahead of the catalog: it will reuse the numbers of its lost changes for others."""
        with closing(VectorReader.open(self._folder)) as reader:
            ahead = reader.watermark.sequence > self._catalog.change_log.last_sequence()
        if ahead:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _is_replaced(self) -> bool:
        """Return whether the configured encoder is not the one that made the vectors, without loading it."""
        serving, name = self._catalog.encoders.serving(), encoder_name(self._encoder_folder)
        return serving is not None and name not in ("", serving.name)

    def _release(self) -> None:
        if self._encoder is None or not self._encoder.is_heavy:
            return
        if time.monotonic() - self._used > RELEASE_SECONDS:
            self._encoder = None
            return_memory()

    def _ready_encoder(self) -> tuple[Encoder, EncoderRow]:
        if self._encoder is None or self._row is None:
            encoder = Encoder.load(self._encoder_folder)
            serving = self._catalog.encoders.serving()
            beside = serving is not None and folder_of(serving.name, self._encoder_folder) is not None
            self._row = self._catalog.encoders.switch_to(encoder.id, encoder.dimensions, beside=beside)
            self._encoder = encoder
            self._replaced = False
        return self._encoder, self._row


def _fitting(counts: Sequence[int], sentences: int) -> int:
    """Return how many of the first chunks (at least one) have about `sentences` to encode in total."""
    total = 0
    for taken, count in enumerate(counts):
        if taken and total + count > sentences:
            return taken
        total += count
    return len(counts)
