"""What a reader is given: the bytes of one file, its name, and how much may still be made of them."""

import errno
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document

MAX_CHARACTERS = 100_000_000
FREE_CHARACTERS = 8_000_000  # of every file, about five thousand pages; beyond that …
CHARACTERS_A_BYTE = 12  # … text is no more often repeated in a file than this
MAX_UNPACKED = 1024 * 1024 * 1024  # bytes out of containers, all members together
MAX_RATIO = 200  # unpacked to packed bytes, beyond the first few megabytes
MAX_ENTRIES = 20_000  # members of containers, all together
MAX_NESTING = 4  # a mail in an archive in a mail …
_HARMLESS = 16 * 1024 * 1024  # a ratio says nothing about less
_FIRST_LOOK = 0.001  # seconds; and then after each hundredth of the time so far

TOO_DEEP = "Files inside files inside files are not read any deeper."
NOT_ENOUGH_MEMORY = "Reading on needs more memory than is allowed; the rest of this file was left out."


class ReadLimitReached(Exception):
    """No more of this file may be read; the text says why, as a sentence for the person."""


@dataclass(frozen=True, slots=True)
class StepReached:
    """Reading has come so far, and `why` it comes no further; told now and then.

    What a reader does with a file is the same each time: after a crash the next child knows where to stop.
    """

    step: int
    why: str = ""


def max_characters(size: int) -> int:
    """Return how much text may be made of a file of `size` bytes."""
    return min(MAX_CHARACTERS, max(FREE_CHARACTERS, CHARACTERS_A_BYTE * size))


class ReadBudget:
    """What is left for one file and everything inside it.

    Each `check` is a step. `report` is told of them, at most a hundredth of the time so far apart; the step `until`
    raises `ReadLimitReached` for its reason: there an earlier reading of the same file was lost. Time is that of the
    processor: what is kept of a file does not depend on what else the machine does.
    """

    def __init__(
        self,
        seconds: float = float("inf"),
        characters: int = MAX_CHARACTERS,
        until: StepReached | None = None,
        report: Callable[[StepReached], None] | None = None,
    ) -> None:
        self._began = self._look_at = time.monotonic()
        self._deadline = time.process_time() + seconds
        self._characters = characters
        self._until = until
        self._report = report
        self._step = 0
        self._unpacked = 0
        self._entries = 0

    @property
    def seconds(self) -> float:
        """Return how much time of the processor reading may still take."""
        return max(0.0, self._deadline - time.process_time())

    def check(self, characters: int = 0) -> None:
        """Raise `ReadLimitReached` when time is up or the text has become too long; cheap enough for every block."""
        self._step += 1
        if self._until is not None and self._step >= self._until.step:
            raise ReadLimitReached(self._until.why)
        if characters > self._characters:
            raise ReadLimitReached("This file holds more text than can be read; the rest of it was left out.")
        now = time.monotonic()
        if now < self._look_at:
            return  # asking for the processor's time is slow on a busy machine
        if time.process_time() > self._deadline:
            raise ReadLimitReached("Reading this file takes too long; the rest of it was left out.")
        if self._report is not None:
            self._report(StepReached(self._step))
        self._look_at = now + max(_FIRST_LOOK, (now - self._began) / 100)

    def count_unpacked(self, size: int, packed: int) -> None:
        """Raise `ReadLimitReached` before `packed` bytes become more bytes than one file may become.

        Call it with the declared sizes before unpacking, and unpack no more than was declared.
        """
        self.check()
        self._entries += 1
        self._unpacked += size
        if self._entries > MAX_ENTRIES:
            raise ReadLimitReached(f"This file has more than {MAX_ENTRIES:,} parts; the rest of them was left out.")
        if self._unpacked > MAX_UNPACKED or (size > _HARMLESS and size > MAX_RATIO * max(1, packed)):
            raise ReadLimitReached("This file unpacks to far more than it is; the rest of it was left out.")

    def unpacked_allowance(self, packed: int) -> int:
        """Return to how many bytes `packed` bytes may still unpack, where no size is declared."""
        return max(0, min(MAX_UNPACKED - self._unpacked, max(_HARMLESS, MAX_RATIO * packed)))


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file, or one member of a container at `depth` > 0; `read` reads such members in turn.

    `place` is what the containers around a member call it: the beginning of the names of its own parts.
    """

    name: str
    data: bytes
    budget: ReadBudget
    read: "Callable[[SourceFile], Document]"
    depth: int = 0
    label_prefix: str = ""

    def read_member(self, name: str, data: bytes, label_prefix: str = "") -> Document:
        """Return what a member says; raises `DocumentError` if nothing, `ReadLimitReached` when nested too deep."""
        if self.depth >= MAX_NESTING:
            raise ReadLimitReached(TOO_DEEP)
        return self.read(SourceFile(name, data, self.budget, self.read, self.depth + 1, label_prefix))

    @contextmanager
    def keep_partial(self, builder: DocumentBuilder) -> Generator[None]:
        """Keep what the block has built when a limit is reached in it, and say why the rest is missing."""
        try:
            yield
        except ReadLimitReached as limit:
            builder.partial = str(limit)
        except MemoryError:
            builder.partial = NOT_ENOUGH_MEMORY
        except OSError as error:
            if error.errno != errno.ENOMEM:  # what cannot be mapped is memory too
                raise
            builder.partial = NOT_ENOUGH_MEMORY
