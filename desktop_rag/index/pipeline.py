"""The work of the indexer in small steps: scan, read, store, commit keywords, encode, tidy up.

Each step takes a fraction of a second and leaves everything in the catalog, so pausing, stopping or
killing the process between or inside steps loses nothing but the step itself.
"""

import contextlib
import os
import time
from pathlib import Path

from desktop_rag.errors import EncoderError, LibraryError
from desktop_rag.index.catalog import Catalog
from desktop_rag.index.intake import Intake
from desktop_rag.index.keyword_copy import KeywordCopy
from desktop_rag.index.ledger import Ledger
from desktop_rag.index.library import Library
from desktop_rag.index.messages import Phase
from desktop_rag.index.records import ChunkId, FolderId, FolderState
from desktop_rag.index.scanning import Scans
from desktop_rag.index.status import StatusBoard
from desktop_rag.index.vector_copy import VectorCopy
from desktop_rag.stop import Stop

PUBLISH_SECONDS = 3.0  # between two publications while encoding
RETENTION_SECONDS = 60.0  # how long a removed folder and an orphaned content can come back without work


class Pipeline:
    """All steps of one library; used by one thread."""

    def __init__(self, library: Library, encoder: Path, board: StatusBoard, stop: Stop) -> None:
        self._library = library
        self._board = board
        self._stop = stop
        self.catalog = Catalog.open(library.catalog)
        self._identity = _identity(library.catalog)
        self.catalog.dismiss_unfinished()
        ledger = Ledger(self.catalog.database)
        lineage = self.catalog.lineage()
        self.intake = Intake(library, self.catalog, board, self._look_again)
        self.scans = Scans(self.catalog, board, self.intake.scanned, stop)
        self._keywords = KeywordCopy(library.keywords, self.catalog, ledger, lineage)
        self._vectors = VectorCopy(library.vectors, encoder, ledger, lineage)
        self._encoder_trouble = ""
        self._tidy_at = 0.0
        self._publish_at = 0.0

    def close(self) -> None:
        """End the reader children and close the files."""
        self.scans.close()
        self.intake.close()
        self._vectors.close()
        with contextlib.suppress(LibraryError):
            self.catalog.gather()
        self.catalog.close()

    def is_at_home(self) -> bool:
        """Return whether the catalog that is open is still the one in the library's folder."""
        return _identity(self._library.catalog) == self._identity

    def rest(self) -> None:
        """Say that there is nothing to do just now."""
        states = {folder.state for folder in self.catalog.folders()}
        waiting = FolderState.PAUSED in states and FolderState.ACTIVE not in states
        self._board.say(phase=Phase.PAUSED if waiting else Phase.IDLE, current_file=b"", trouble=self._encoder_trouble)

    def wait_seconds(self) -> float:
        """Return how long there is surely nothing to do, unless something happens."""
        return min(self.scans.wait_seconds(), max(0.0, self._tidy_at - time.monotonic()))

    def commit_keywords(self, *, force: bool) -> bool:
        """Bring the keyword index nearer to the catalog; return whether it was behind."""
        behind, committed = self._keywords.follow(force=force)
        if committed:
            self._board.say(phase=Phase.READING)
            self._board.achieved()
        return behind

    def encode_some(self) -> bool:
        """Encode the newest sentences without vectors; return whether there were any."""
        try:
            done = self._vectors.encode_some(self._stop)
        except EncoderError as error:
            self._encoder_trouble = str(error)
            return False
        self._encoder_trouble = ""
        if done:
            self._board.sentences.add(done)
            self._board.say(phase=Phase.ENCODING, current_file=b"")
            self._board.achieved()
        return done > 0

    def keep_vectors(self, chunk: ChunkId, encoder: str, vectors: bytes) -> None:
        """Keep what the searcher encoded on demand."""
        self._vectors.keep(chunk, encoder, vectors)

    def follow_vectors(self, *, eager: bool) -> bool:
        """Let searchers see the vectors encoded so far, every few seconds or `eager`ly; return whether any were new."""
        now = time.monotonic()
        if not eager and now < self._publish_at:
            return False
        self._publish_at = now + PUBLISH_SECONDS
        return self._vectors.follow()

    def settle(self) -> bool:
        """Make searches faster while nobody waits for anything else; return whether there is more to do."""
        return self._keywords.settle()

    def tidy(self) -> bool:
        """Let go what has been removed or orphaned for a while, and erase a piece; return whether there may be more."""
        if time.monotonic() >= self._tidy_at:
            self._tidy_at = time.monotonic() + RETENTION_SECONDS
            before = time.time_ns() - int(RETENTION_SECONDS * 1e9)
            self.catalog.forget_removed(before)
            self.catalog.dismiss_orphans(before)
        return self.catalog.erase_some()

    def _look_again(self, folder: FolderId) -> None:
        self.scans.want(folder)


def _identity(catalog: Path) -> tuple[int, int] | None:
    try:
        facts = os.stat(catalog)  # noqa: PTH116
    except OSError:
        return None
    return facts.st_dev, facts.st_ino
