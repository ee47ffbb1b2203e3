"""The background check of the whole library after an unclean end.

It reads on its own thread with its own connections; the indexer's loop repairs the damage it finds.
"""

import contextlib
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from desktop_rag.errors import LibraryDamaged, LibraryError, Stopped
from desktop_rag.index.integrity_check import IntegrityChecker, IntegrityFinding
from desktop_rag.index.library import Library
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.stop import Stop

logger = logging.getLogger(__name__)

# Without I1: scans compare the files anyway. What cannot be repaired automatically is left to `check`.
CHECKED = frozenset({"I0", "I2", "I3", "I4", "I5", "I6"})
_OF_KEYWORDS, _OF_VECTORS = {"I3", "I6"}, {"I4", "I5", "I6"}


@dataclass(frozen=True, slots=True)
class IntegrityDamage:
    """The parts of a library to rebuild, read or encode again."""

    keywords: bool = False
    vectors: bool = False
    contents: frozenset[ContentId] = frozenset()
    encodings: frozenset[ChunkId] = frozenset()


class IntegrityScan:
    """One check of a library; the indexer's loop starts it and takes the result, `wake` is called on another thread."""

    def __init__(self, library: Library, wake: Callable[[], None]) -> None:
        self._library = library
        self._wake = wake
        self._stop = Stop()
        self._thread: threading.Thread | None = None
        self._found: IntegrityDamage | None = None
        self._catalog_error: LibraryDamaged | None = None

    def start(self) -> None:
        """Start the check, unless it was started before."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._check, name="integrity-scan", daemon=True)
            self._thread.start()

    def is_running(self) -> bool:
        """Return whether the check is running."""
        return self._thread is not None and self._thread.is_alive()

    def take(self) -> IntegrityDamage | None:
        """Return the damage found, once; raises `LibraryDamaged` if the catalog itself is damaged."""
        if self.is_running():
            return None
        if self._catalog_error is not None:
            raise self._catalog_error
        found, self._found = self._found, None
        return found

    def close(self) -> None:
        """Stop the check and wait for its thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _check(self) -> None:
        try:
            self._found = find_damage(self._library, self._stop)
        except LibraryDamaged as error:
            self._catalog_error = error
        except (LibraryError, MemoryError, Stopped) as error:
            logger.warning("the library could not be checked: %s", error)
        finally:
            self._wake()


def find_damage(library: Library, stop: Stop) -> IntegrityDamage:
    """Return the damage found; raises `LibraryDamaged` if the catalog itself is damaged."""
    with contextlib.closing(IntegrityChecker(library)) as checker:
        wrong: list[IntegrityFinding] = []
        for finding in checker.run(deep=True, stop=stop, only=CHECKED):
            if not finding.holds:
                logger.warning("%s: %s", finding.meaning, finding.detail)
                wrong.append(finding)
        names = {finding.invariant for finding in wrong}
        if "I0" in names:
            raise LibraryDamaged(wrong[0].detail)
        contents = checker.broken_contents() if "I2" in names else frozenset()
        encodings = checker.wrong_vectors(stop) if "I5" in names else frozenset()
    return IntegrityDamage(bool(names & _OF_KEYWORDS), bool(names & _OF_VECTORS), contents, encodings)
