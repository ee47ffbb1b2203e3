"""The input of a reader: the name and bytes of one file, and the budget of time, text and unpacked bytes."""

import errno
import struct
import time
import zlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document
from desktop_rag.errors import DocumentError, ProblemKind

MAX_CHARACTERS = 100_000_000
FREE_CHARACTERS = 8_000_000  # allowed for every file, about five thousand pages; beyond that …
CHARACTERS_A_BYTE = 12  # … this many per byte of the file
MAX_UNPACKED = 1024 * 1024 * 1024  # unpacked bytes of all members of containers together
MAX_RATIO = 200  # compression ratio, beyond the first few megabytes
MAX_ENTRIES = 20_000  # members of all containers together
MAX_NESTING = 4  # a mail in an archive in a mail …
_RATIO_IGNORED = 16 * 1024 * 1024  # unpacked bytes below which the ratio is ignored
_PIECE = 65_536  # bytes that are inflated at once
_FIRST_INTERVAL = 0.02  # seconds, as each report wakes the indexer; later ones are a hundredth of the elapsed time

TOO_DEEP = "Files nested this deeply in other files are not read."
NESTED_TOO_DEEPLY = "This file is nested too deeply; the rest of it was left out."
END_DAMAGED = "The end of this file is damaged and was left out."
NOT_ENOUGH_MEMORY = "Reading further needs more memory than is allowed; the rest of this file was left out."

# What damaged bytes raise: offsets and sizes that lead nowhere, and `olefile`.
BROKEN = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError, struct.error)


class ReadLimitReached(Exception):
    """A limit for this file, or damage in it, is reached; the message is a sentence for the user."""

    def __init__(self, message: str, kind: ProblemKind = ProblemKind.LIMIT) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class StepReached:
    """The progress of reading in steps, and `why` reading must stop there, if it must.

    Reading is deterministic: after a crash the next child can stop just before the step that caused it.
    """

    step: int
    why: str = ""


def max_characters(size: int) -> int:
    """Return the maximum length of the text of a file of `size` bytes."""
    return min(MAX_CHARACTERS, max(FREE_CHARACTERS, CHARACTERS_A_BYTE * size))


class ReadBudget:
    """The remaining limits for one file and everything embedded in it.

    Each `check` is one step. `report` is called with the current step, at intervals of a hundredth of the elapsed
    time or a little more. The step `until`, where an earlier attempt crashed, raises `ReadLimitReached` with its
    reason. Time is CPU time, so that the result does not depend on the load of the machine.
    """

    def __init__(
        self,
        seconds: float = float("inf"),
        characters: int = MAX_CHARACTERS,
        until: StepReached | None = None,
        report: Callable[[StepReached], None] | None = None,
    ) -> None:
        self._began = self._next_look = time.monotonic()
        self._deadline = time.process_time() + seconds
        self._characters = characters
        self._until = until
        self._report = report
        self._step = 0
        self._unpacked = 0
        self._entries = 0

    @property
    def seconds(self) -> float:
        """Return the remaining CPU time."""
        return max(0.0, self._deadline - time.process_time())

    def check(self, characters: int = 0) -> None:
        """Raise `ReadLimitReached` if time is up or the text is too long; cheap enough to call for every block."""
        self._step += 1
        if self._until is not None and self._step >= self._until.step:
            raise ReadLimitReached(self._until.why, ProblemKind.CRASHED)
        if characters > self._characters:
            raise ReadLimitReached("This file contains more text than can be read; the rest of it was left out.")
        now = time.monotonic()
        if now < self._next_look:
            return  # reading the CPU time is slow on a busy machine
        if time.process_time() > self._deadline:
            raise ReadLimitReached("Reading this file takes too long; the rest of it was left out.")
        if self._report is not None:
            self._report(StepReached(self._step))
        self._next_look = now + max(_FIRST_INTERVAL, (now - self._began) / 100)

    def count_unpacked(self, size: int, packed: int) -> None:
        """Count a member of `size` unpacked bytes; raises `ReadLimitReached` if a file may not unpack to so much.

        Call it with the declared sizes before unpacking, and unpack no more than declared.
        """
        self.check()
        self._entries += 1
        self._unpacked += size
        if self._entries > MAX_ENTRIES:
            raise ReadLimitReached(f"This file has more than {MAX_ENTRIES:,} parts; the rest was left out.")
        if self._unpacked > MAX_UNPACKED or (size > _RATIO_IGNORED and size > MAX_RATIO * max(1, packed)):
            raise ReadLimitReached("This file unpacks to far more than its size; the rest of it was left out.")

    def inflated(self, packed: bytes | memoryview, limit: int | None = None, bits: int = -zlib.MAX_WBITS) -> bytes:
        """Return what a deflated stream holds up to its first damage: `limit` bytes, by default as many as it may."""
        inflating, found = zlib.decompressobj(bits), bytearray()
        limit = self.unpacked_allowance(len(packed)) if limit is None else limit
        for start in range(0, len(packed), _PIECE):
            self.check()
            try:
                found += inflating.decompress(packed[start : start + _PIECE], max(1, limit - len(found)))
            except zlib.error:
                break
            if len(found) >= limit or inflating.eof:
                break
        return bytes(found[:limit])

    def unpacked_allowance(self, packed: int) -> int:
        """Return how many bytes `packed` bytes may unpack to where no size is declared."""
        return max(0, min(MAX_UNPACKED - self._unpacked, max(_RATIO_IGNORED, MAX_RATIO * packed)))


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file, or at `depth` > 0 a member of a container; `read` is the function that reads such members.

    `label_prefix` is the section label of a member in its container, the prefix of the labels of its own sections.
    """

    name: str
    data: bytes
    budget: ReadBudget
    read: "Callable[[SourceFile], Document]"
    depth: int = 0
    label_prefix: str = ""

    def read_member(self, name: str, data: bytes, label_prefix: str = "") -> Document:
        """Return the document of an embedded file; raises `DocumentError`, or `ReadLimitReached` if nested too deep."""
        if self.depth >= MAX_NESTING:
            raise ReadLimitReached(TOO_DEEP)
        return self.read(SourceFile(name, data, self.budget, self.read, self.depth + 1, label_prefix))

    @contextmanager
    def keep_partial(self, builder: DocumentBuilder, damaged: str = "") -> Generator[None]:
        """Keep what the block has built when it reaches a limit, and set `partial` to the reason.

        So it is with damage if the sentence `damaged` is given, the `DocumentError` where nothing was built.
        """
        try:
            yield
        except ReadLimitReached as limit:
            builder.leave_out(str(limit), limit.kind)
        except RecursionError:
            builder.leave_out(NESTED_TOO_DEEPLY, ProblemKind.LIMIT)
        except MemoryError:
            builder.leave_out(NOT_ENOUGH_MEMORY, ProblemKind.LIMIT)
        except BROKEN as error:
            if isinstance(error, OSError) and error.errno == errno.ENOMEM:  # a failed mmap is lack of memory too
                builder.leave_out(NOT_ENOUGH_MEMORY, ProblemKind.LIMIT)
            elif not damaged:
                raise
            elif not len(builder):
                raise DocumentError(damaged, ProblemKind.DAMAGED) from error
            elif not builder.partial:
                builder.leave_out(END_DAMAGED, ProblemKind.DAMAGED)
