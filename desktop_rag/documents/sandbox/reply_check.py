"""Checks that what a reader child replied is one document: types alone would let it point outside of its own text.

Everything behind the indexer (catalog, searcher, viewer) relies on it. All checks are linear in the size of the reply.
"""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from desktop_rag.documents.chunking import DraftChunk
from desktop_rag.documents.document import Document, LineKind, MailHeader, MarkKind, Message, Span, Structure
from desktop_rag.documents.sandbox.reader_messages import DocumentRead

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
        and all(_is_chunk(chunk, lines, characters) for chunk in read.chunks)
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


def _is_chunk(chunk: DraftChunk, lines: int, characters: int) -> bool:
    if len(chunk.packed) % (4 * _PAIR_NUMBERS) or not _is_span(chunk.span, lines, characters):
        return False
    offsets = np.frombuffer(chunk.packed, np.int32)
    return not len(offsets) or bool(offsets.min() >= 0 and offsets.max() <= characters)


def _is_span(span: Span, lines: int, characters: int) -> bool:
    return 1 <= span.first_line <= span.last_line <= lines and 0 <= span.start <= span.end <= characters


def _are_lines(numbers: Iterable[int], last: int) -> bool:
    return all(1 <= number <= last for number in numbers)
