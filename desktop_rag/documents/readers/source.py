"""What a reader is given: the bytes of one file, its name, and how much may still be made of them."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document

MAX_CHARACTERS = 100_000_000
MAX_UNPACKED = 1024 * 1024 * 1024  # bytes out of containers, all members together
MAX_RATIO = 200  # unpacked to packed bytes, beyond the first few megabytes
MAX_ENTRIES = 20_000  # members of containers, all together
MAX_NESTING = 4  # a mail in an archive in a mail …
_HARMLESS = 16 * 1024 * 1024  # a ratio says nothing about less


class LimitReached(Exception):
    """No more of this file may be read; the text says why, as a sentence for the person."""


class Budget:
    """What is left for one file and everything inside it."""

    def __init__(self, seconds: float = float("inf")) -> None:
        self._deadline = time.monotonic() + seconds
        self._unpacked = 0
        self._entries = 0

    @property
    def seconds(self) -> float:
        """Return how long reading may still take."""
        return max(0.0, self._deadline - time.monotonic())

    def check(self, characters: int = 0) -> None:
        """Raise `LimitReached` when time is up or the text has become too long; cheap enough for every block."""
        if time.monotonic() > self._deadline:
            raise LimitReached("Reading this file takes too long; the rest of it was left out.")
        if characters > MAX_CHARACTERS:
            raise LimitReached("This file holds more text than can be read; the rest of it was left out.")

    def unpack(self, size: int, packed: int) -> None:
        """Raise `LimitReached` before `packed` bytes become more bytes than one file may become.

        Call it with the declared sizes before unpacking, and unpack no more than was declared.
        """
        self.check()
        self._entries += 1
        self._unpacked += size
        if self._entries > MAX_ENTRIES:
            raise LimitReached(f"This file has more than {MAX_ENTRIES:,} parts; the rest of them was left out.")
        if self._unpacked > MAX_UNPACKED or (size > _HARMLESS and size > MAX_RATIO * max(1, packed)):
            raise LimitReached("This file unpacks to far more than it is; the rest of it was left out.")


@dataclass(frozen=True, slots=True)
class Source:
    """One file, or one member of a container at `depth` > 0; `read` reads such members in turn."""

    name: str
    data: bytes
    budget: Budget
    read: "Callable[[Source], Document]"
    depth: int = 0

    def member(self, name: str, data: bytes) -> Document:
        """Return what a member says; raises `DocumentError` if nothing, `LimitReached` when nested too deep."""
        if self.depth >= MAX_NESTING:
            raise LimitReached("Files inside files inside files are not read any deeper.")
        return self.read(Source(name, data, self.budget, self.read, self.depth + 1))

    @contextmanager
    def keeping(self, builder: DocumentBuilder) -> Generator[None]:
        """Keep what the block has built when a limit is reached in it, and say why the rest is missing."""
        try:
            yield
        except LimitReached as limit:
            builder.partial = str(limit)
