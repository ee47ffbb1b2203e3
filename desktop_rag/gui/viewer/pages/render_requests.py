"""The queue of render requests: filled by the window, taken by the background job, most urgent first."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """A file with pages, as it was indexed: the boxes of its lines fit these bytes only."""

    path: Path
    sha256: str
    modified_ns: int


class Purpose(IntEnum):
    """What a page is requested for; smaller numbers are more urgent."""

    READING = 0
    GLYPHS = 1  # the positions of its glyphs
    THUMBNAIL = 2


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """A page to render at `scale` pixels per point, or to read the glyphs of."""

    number: int
    scale: float = 0.0
    purpose: Purpose = Purpose.READING
    dark: bool = False  # on dark paper


class RenderQueue:
    """Pending requests of one file; a new request replaces queued ones of the same purpose."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._file: PrintedFile | None = None
        self._to_open = False
        self._pages: dict[Purpose, list[RenderRequest]] = {}

    def open(self, file: PrintedFile) -> None:
        """Queue opening a file first, and drop the requests of another one."""
        with self._lock:
            self._file, self._to_open, self._pages = file, True, {}

    def put(self, file: PrintedFile, purpose: Purpose, pages: Sequence[RenderRequest]) -> None:
        """Queue requests in this order; those of another file are dropped."""
        with self._lock:
            if file != self._file:
                self._file, self._pages = file, {}
            self._pages[purpose] = list(pages)

    def clear(self) -> None:
        """Drop all requests."""
        with self._lock:
            self._file, self._to_open, self._pages = None, False, {}

    def pending(self) -> bool:
        """Return whether requests are pending."""
        with self._lock:
            return self._file is not None and (self._to_open or any(self._pages.values()))

    def file(self) -> PrintedFile | None:
        """Return the file of the pending requests."""
        with self._lock:
            return self._file

    def take(self) -> tuple[PrintedFile, RenderRequest | None] | None:
        """Remove and return the next request; None in place of a page: only open the file."""
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
