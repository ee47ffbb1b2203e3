"""Inserts recognised lines into a document and shifts everything that points into it."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from desktop_rag.documents.document import Box, Document, Line, LineKind, Structure, line_starts
from desktop_rag.documents.picture_notes import is_note_of_scans, note_of_scans
from desktop_rag.processes.wire import Wire

MIN_CONFIDENCE = 0.3  # of a line; below it is texture, not text
DOTS_PER_INCH = 300  # engines are trained on scanner resolution
_BOX_BYTES = 16
_NOWHERE = Box(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """One line from an OCR engine; the box is in points on the page, `begins` marks the start of a paragraph."""

    text: str
    box: Box
    begins: bool = False


def with_recognised(document: Document, pages: Mapping[int, Sequence[RecognisedLine]]) -> Document:
    """Return the document with the recognised lines at the start of their pages, which are no longer textless."""
    added = [_lines(pages.get(page.number, ())) for page in document.pages]
    shift = _LineShift([page.first_line for page in document.pages], [len(lines) for lines in added])
    text, kinds, boxes = _inserted(document, added)
    placed = document.boxes or any(added)
    return replace(
        document,
        text=text,
        kinds=kinds,
        boxes=boxes if placed else b"",
        pages=tuple(
            replace(page, first_line=page.first_line + before)
            for page, before in zip(document.pages, shift.before_pages, strict=True)
        ),
        partial=_note(document, frozenset(pages)),
        structure=_shifted_structure(document, shift, text, frozenset(pages)),
    )


def _note(document: Document, recognised: frozenset[int]) -> str:
    """Return `partial` with the pages that are still without text."""
    notes = [note for note in document.partial.split("; ") if note]
    others = [note for note in notes if not is_note_of_scans(note)]
    left = [number for number in document.structure.textless if number not in recognised]
    if left and len(others) < len(notes):
        others.append(note_of_scans(left, len(document.pages)))
    return "; ".join(others)


class _LineShift:
    """Maps old line numbers to new ones after lines were inserted at the start of each page."""

    def __init__(self, first_lines: Sequence[int], counts: Sequence[int]) -> None:
        self._first_lines = first_lines
        self._sums = [0, *accumulate(counts)]
        self.before_pages = self._sums[:-1]

    def line(self, number: int) -> int:
        """Return the new number of the old line `number`."""
        return number + self._sums[bisect_right(self._first_lines, number)]

    def start(self, number: int) -> int:
        """Return the new first line of what started at the old line `number`; lines inserted there belong to it."""
        return number + self._sums[bisect_left(self._first_lines, number)]


def _lines(recognised: Sequence[RecognisedLine]) -> list[Line]:
    lines: list[Line] = []
    for one in recognised:
        if one.begins and lines:
            lines.append(Line("", LineKind.BLANK))
        lines.append(Line(" ".join(one.text.split()), LineKind.PARAGRAPH, box=one.box))
    return lines


def _inserted(document: Document, added: Sequence[Sequence[Line]]) -> tuple[str, bytes, bytes]:
    """Return text, kinds and boxes with the added lines at the beginning of their pages."""
    old = document.text.split("\n") if document.line_count else []
    old_boxes = document.boxes or bytes(_BOX_BYTES * len(old))
    texts: list[str] = []
    kinds, boxes = bytearray(), bytearray()
    done = 0
    for page, lines in zip(document.pages, added, strict=True):
        first = page.first_line - 1
        texts += old[done:first]
        kinds += document.kinds[done:first]
        boxes += old_boxes[done * _BOX_BYTES : first * _BOX_BYTES]
        done = first
        for line in lines:
            box = line.box or _NOWHERE
            texts.append(line.text)
            kinds.append(line.kind)
            boxes += array("f", (box.x0, box.y0, box.x1, box.y1)).tobytes()
    texts += old[done:]
    return "\n".join(texts), bytes(kinds + document.kinds[done:]), bytes(boxes + old_boxes[done * _BOX_BYTES :])


def _shifted_structure(document: Document, shift: _LineShift, text: str, recognised: frozenset[int]) -> Structure:
    structure = document.structure
    return replace(
        structure,
        sections=tuple(replace(section, first_line=shift.start(section.first_line)) for section in structure.sections),
        outline=tuple(replace(entry, line=shift.start(entry.line)) for entry in structure.outline),
        marks=_shifted_marks(document, shift, text),
        messages=tuple(
            replace(mail, first_line=shift.start(mail.first_line), last_line=shift.line(mail.last_line))
            for mail in structure.messages
        ),
        mails=tuple(
            replace(mail, first_line=shift.start(mail.first_line), last_line=shift.line(mail.last_line))
            for mail in structure.mails
        ),
        textless=tuple(number for number in structure.textless if number not in recognised),
    )


def _shifted_marks(document: Document, shift: _LineShift, text: str) -> bytes:
    """Return the marks with their offsets in the new text."""
    marks = array("i", document.structure.marks)
    old, new = document.line_starts, line_starts(text)
    for index in range(0, len(marks), 4):
        line = bisect_right(old, marks[index])
        by = new[shift.line(line) - 1] - old[line - 1]
        marks[index] += by
        marks[index + 1] += by
    return marks.tobytes()


# The messages between the indexer and the OCR child.


@dataclass(frozen=True, slots=True)
class RecognisePage:
    """Recognise the text of a page whose RGB pixels follow as a blob: `height` rows of `stride` bytes."""

    width: int
    height: int
    stride: int
    scale: float  # pixels per point


@dataclass(frozen=True, slots=True)
class PageRecognised:
    """The lines of the page in reading order."""

    lines: tuple[RecognisedLine, ...]


@dataclass(frozen=True, slots=True)
class RecognitionFailed:
    """The page cannot be recognised; `reason` is a sentence for the user."""

    reason: str


RECOGNISER_REQUESTS = Wire(RecognisePage)
RECOGNISER_REPLIES = Wire(PageRecognised, RecognitionFailed)
