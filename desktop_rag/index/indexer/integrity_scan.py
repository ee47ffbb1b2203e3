"""Looks through the whole library in the background after an unclean end, and says what has to be mended.

It reads with connections of its own, on a thread of its own; the indexer's loop acts on what it finds.
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

# What the scan does not see to anyway: the files (I1). What nobody can mend by itself is left to `check` as well.
_LOOKED_AT = frozenset({"I0", "I2", "I3", "I4", "I5", "I6"})
_OF_KEYWORDS, _OF_VECTORS = {"I3", "I6"}, {"I4", "I5", "I6"}


@dataclass(frozen=True, slots=True)
class IntegrityDamage:
    """What has to be built, read or encoded again."""

    keywords: bool = False
    vectors: bool = False
    contents: frozenset[ContentId] = frozenset()
    encodings: frozenset[ChunkId] = frozenset()


class IntegrityScan:
    """One look through a library; `begin` and `take` are called by the indexer's loop, `wake` on another thread."""

    def __init__(self, library: Library, wake: Callable[[], None]) -> None:
        self._library = library
        self._wake = wake
        self._stop = Stop()
        self._thread: threading.Thread | None = None
        self._injuries: IntegrityDamage | None = None
        self._damage: LibraryDamaged | None = None

    def begin(self) -> None:
        """Begin to look, if that has not been done."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._look, name="scrub", daemon=True)
            self._thread.start()

    def is_going_on(self) -> bool:
        """Return whether it has begun and is not at its end."""
        return self._thread is not None and self._thread.is_alive()

    def take(self) -> IntegrityDamage | None:
        """Return what was found, once; raises `LibraryDamaged` when the catalog itself has to be mended."""
        if self.is_going_on():
            return None
        if self._damage is not None:
            raise self._damage
        found, self._injuries = self._injuries, None
        return found

    def close(self) -> None:
        """Stop looking and wait for it."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _look(self) -> None:
        try:
            self._injuries = injuries(self._library, self._stop)
        except LibraryDamaged as error:
            self._damage = error
        except (LibraryError, Stopped) as error:
            logger.warning("the library could not be looked through: %s", error)
        finally:
            self._wake()


def injuries(library: Library, stop: Stop) -> IntegrityDamage:
    """Return what has to be mended; raises `LibraryDamaged` when the catalog itself has to be."""
    with contextlib.closing(IntegrityChecker(library)) as checker:
        wrong: list[IntegrityFinding] = []
        for finding in checker.run(deep=True, stop=stop, only=_LOOKED_AT):
            if not finding.holds:
                logger.warning("%s: %s", finding.meaning, finding.detail)
                wrong.append(finding)
        names = {finding.invariant for finding in wrong}
        if "I0" in names:
            raise LibraryDamaged(wrong[0].detail)
        contents = checker.broken_contents() if "I2" in names else frozenset()
        as_written = "I5" in names and "I4" not in names
        encodings = checker.wrong_vectors(stop) if as_written else frozenset()
    return IntegrityDamage(bool(names & _OF_KEYWORDS), bool(names & _OF_VECTORS), contents, encodings)
