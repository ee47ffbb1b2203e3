"""The parent's side of a reader child: sends it one file after another and replaces it when it is lost."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import BinaryIO

import numpy as np

from desktop_rag.documents.document import Document, LineKind, MailHeader, MarkKind, Message, Span, Structure
from desktop_rag.documents.file_types import MAX_FILE_BYTES
from desktop_rag.documents.format_registry import too_large_reason
from desktop_rag.documents.formats.source_file import StepReached
from desktop_rag.documents.sandbox.limited_child import NO_MEMORY, ChildLost, LimitedChild
from desktop_rag.documents.sandbox.reader_child import MEMORY_MEGABYTES
from desktop_rag.documents.sandbox.reader_messages import (
    READER_REPLIES,
    READER_REQUESTS,
    DocumentRead,
    DocumentRefused,
    ReadRequest,
    longest_reply,
)
from desktop_rag.errors import DocumentError, ProblemKind, ProcessError
from desktop_rag.paths import valid_text
from desktop_rag.stop import Stop

# Checks that what a reader child replied is one document: types alone would let it point outside of its own text.
#
# Everything behind the indexer (catalog, searcher, viewer) relies on it. All checks are linear in the size of the
# reply.

_KINDS = bytes(value for value in range(256) if value & 15 <= max(LineKind))
_BOX_BYTES, _MARK_NUMBERS, _PAIR_NUMBERS = 16, 4, 2
_LARGEST = 2**31 - 1  # of any number: they are stored as int32, or as rows of SQLite


def is_consistent(read: DocumentRead) -> bool:
    """Return whether every line, page, offset and kind in a reply lies within its document."""
    document = read.document
    lines, characters = document.line_count, len(document.text)
    return (
        _has_lines(document)
        and _has_pages(document, lines)
        and _is_inside(document.structure, lines, characters)
        and all(_is_span(chunk.span, lines, characters) for chunk in read.chunks)
        and _are_pairs([chunk.packed for chunk in read.chunks], characters)
    )


def _has_lines(document: Document) -> bool:
    lines = document.text.count("\n") + 1 if document.kinds or document.text else 0
    return (
        document.line_count == lines
        and not document.kinds.translate(None, _KINDS)
        and len(document.boxes) in (0, lines * _BOX_BYTES)
    )


def _has_pages(document: Document, lines: int) -> bool:
    pages = document.pages
    return (
        _are_lines((page.first_line for page in pages), lines + 1)
        and all(first.first_line <= second.first_line for first, second in pairwise(pages))
        and all(1 <= page.number <= _LARGEST for page in pages)
        and all(0 <= size < _LARGEST for page in pages for size in (page.width, page.height))
    )


def _is_inside(structure: Structure, lines: int, characters: int) -> bool:
    placed: tuple[Message | MailHeader, ...] = (*structure.messages, *structure.mails)
    return (
        _are_lines((section.first_line for section in structure.sections), lines + 1)
        and _are_lines((entry.line for entry in structure.outline), lines + 1)
        and all(0 <= entry.level <= _LARGEST for entry in structure.outline)
        and all(1 <= page <= _LARGEST for page in structure.textless)
        and all(1 <= each.first_line <= lines + 1 and 0 <= each.last_line <= lines for each in placed)
        and _are_marks(structure, characters)
    )


def _are_marks(structure: Structure, characters: int) -> bool:
    if not structure.marks:
        return True
    if len(structure.marks) % (4 * _MARK_NUMBERS):
        return False
    start, end, kind, link = np.frombuffer(structure.marks, np.int32).reshape(-1, _MARK_NUMBERS).T
    return bool(
        np.all((start >= 0) & (start <= end) & (end <= characters))
        and np.all((kind >= 0) & (kind <= max(MarkKind)) & (link >= -1) & (link < len(structure.links)))
    )


def _are_pairs(packed: Sequence[bytes], characters: int) -> bool:
    if any(len(pairs) % (4 * _PAIR_NUMBERS) for pairs in packed):
        return False
    offsets = np.frombuffer(b"".join(packed), np.int32)
    return not len(offsets) or bool(offsets.min() >= 0 and offsets.max() <= characters)


def _is_span(span: Span, lines: int, characters: int) -> bool:
    return 1 <= span.first_line <= span.last_line <= lines and 0 <= span.start <= span.end <= characters


def _are_lines(numbers: Iterable[int], last: int) -> bool:
    return all(1 <= number <= last for number in numbers)


FILES_PER_CHILD = 5000
_FILES_PER_LOOK = 16  # at the memory of a child: one look costs as much as reading a small file
_KEPT_MEGABYTES = 300  # a child whose resident memory stays above this is replaced
_MIN_SECONDS, _MAX_SECONDS = 30.0, 180.0


def seconds_for(size: int) -> float:
    """Return the CPU time allowed for reading a file of `size` bytes."""
    return min(_MAX_SECONDS, _MIN_SECONDS + size / 1024**2)


class ReaderLost(DocumentError):
    """The reader process was lost on this file; `reached` is where the next attempt must stop, and why."""

    def __init__(self, lost: ChildLost) -> None:
        ended = f"Reading this file {lost.why}" if lost.why else "This file crashed the reader"
        super().__init__(f"{ended}; it is damaged, or too complex to read.", ProblemKind.CRASHED)
        self.reached = StepReached(lost.step, f"{ended}; the rest of the file was left out.")


class ReaderInterrupted(ProcessError):
    """The reader process was ended from outside; the file is not the cause and can be read again."""

    def __init__(self, lost: ChildLost) -> None:
        super().__init__(f"Reading this file was interrupted: {lost.why}. It is tried again later.")


class ReaderChild:
    """Reads files in a child process; use it from one thread and close it at the end."""

    def __init__(self, verb: str = "_reader", files_per_child: int = FILES_PER_CHILD) -> None:
        self._child = LimitedChild(verb, READER_REQUESTS, READER_REPLIES, MEMORY_MEGABYTES)
        self._files_per_child = files_per_child
        self._files = 0

    @property
    def pid(self) -> int | None:
        """Return the process id of the child, if it is running."""
        return self._child.pid

    def start(self) -> None:
        """Start the child now, so that the first file is read sooner; raises `ProcessError`."""
        self._child.start()

    def read(self, file: BinaryIO, name: str, size: int, stop: Stop, seconds: float | None = None) -> Document:
        """Return the document in the next `size` bytes of `file`; raises what `read_in_chunks` raises."""
        return self.read_in_chunks(file, name, size, stop, seconds).document

    def read_in_chunks(
        self,
        file: BinaryIO,
        name: str,
        size: int,
        stop: Stop,
        seconds: float | None = None,
        until: StepReached | None = None,
    ) -> DocumentRead:
        """Return the document in the next `size` bytes of `file`, with its chunks; reading stops at the step `until`.

        Raises `DocumentError` with the reason to show, `ReaderLost` if the child was lost, `ReaderInterrupted` if
        it was ended from outside or memory is short, `Stopped`, or `ProcessError` if no child can be started.
        """
        if size > MAX_FILE_BYTES:
            raise DocumentError(too_large_reason(size), ProblemKind.TOO_LARGE)
        if size == 0:
            raise DocumentError("This file is empty.", ProblemKind.EMPTY)
        allowed = seconds if seconds is not None else seconds_for(size)
        request = ReadRequest(valid_text(name), size, allowed, until)
        try:
            reply = self._child.ask(request, (file, size), allowed, stop, longest_reply(size))
        except ChildLost as lost:
            if lost.silent:
                lost.why = "its process ended before it could begin"
            raise (ReaderInterrupted(lost) if lost.from_outside or lost.silent else ReaderLost(lost)) from lost
        except OSError as error:
            raise DocumentError(f"This file cannot be read: {error.strerror or error}.", ProblemKind.ACCESS) from error
        if isinstance(reply, (DocumentRead, DocumentRefused)) and reply.short:
            greedy = self._child.is_greedy(self._child.resident_bytes())
            self._child.end()  # a module may be imported in part
            if not greedy:
                raise ReaderInterrupted(ChildLost(NO_MEMORY, 0, from_outside=True))
        self._replace_if_worn()
        if isinstance(reply, DocumentRefused):
            raise DocumentError(reply.reason, reply.kind)
        read = self._child.expect(reply, DocumentRead)
        if not is_consistent(read):
            raise self._child.distrust()
        return read

    def close(self) -> None:
        """End the child."""
        self._child.end()

    def _replace_if_worn(self) -> None:
        self._files += 1
        is_large = self._files % _FILES_PER_LOOK == 0 and self._child.resident_bytes() > _KEPT_MEGABYTES * 1024**2
        if is_large or self._files >= self._files_per_child:
            self._child.end()
            self._files = 0
