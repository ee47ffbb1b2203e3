"""What the painter is to do next: written by the window, read by the background job, the most urgent first."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """A file with pages, as the library knows it: only these very bytes fit the places of the cited lines."""

    path: Path
    sha256: str
    modified_ns: int


class Purpose(IntEnum):
    """What a page is wanted for; the smaller number comes first."""

    READING = 0
    LETTERS = 1  # which letters stand where
    THUMBNAIL = 2


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """A page to be painted at `scale` pixels a point, or to be read."""

    number: int
    scale: float = 0.0
    purpose: Purpose = Purpose.READING


class RenderQueue:
    """The wishes for one file; what is wished anew for a purpose replaces what was not begun."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._file: PrintedFile | None = None
        self._to_open = False
        self._pages: dict[Purpose, list[RenderRequest]] = {}

    def open(self, file: PrintedFile) -> None:
        """Open a file before all else, and forget what was wished of another."""
        with self._lock:
            self._file, self._to_open, self._pages = file, True, {}

    def want(self, file: PrintedFile, purpose: Purpose, pages: Sequence[RenderRequest]) -> None:
        """Do this of `file`; wishes for the pages of another file are forgotten."""
        with self._lock:
            if file != self._file:
                self._file, self._pages = file, {}
            self._pages[purpose] = list(pages)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._file, self._to_open, self._pages = None, False, {}

    def pending(self) -> bool:
        """Return whether something is left to do."""
        with self._lock:
            return self._file is not None and (self._to_open or any(self._pages.values()))

    def file(self) -> PrintedFile | None:
        """Return the file that is wished for."""
        with self._lock:
            return self._file

    def take(self) -> tuple[PrintedFile, RenderRequest | None] | None:
        """Return what to do next: a page, or None for a file that is only to be opened."""
        with self._lock:
            if self._file is None:
                return None
            if self._to_open:
                self._to_open = False
                return self._file, None
            for purpose in Purpose:
                if pages := self._pages.get(purpose):
                    return self._file, pages.pop(0)
            return None
