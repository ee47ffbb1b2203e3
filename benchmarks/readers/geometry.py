"""Checks that the rectangles of printed lines contain exactly their words, by extracting the text under each rectangle.

A word hyphenated at a line end belongs as a whole to one of its two lines (`readers/pdf/hyphens.py`); it counts as
equal if the other line shows the rest of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Box, Document, LineKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.pdf.open_pdf import open_pdf
from desktop_rag.documents.render.painter import runs_of
from desktop_rag.documents.render.painter_messages import PrintedText
from desktop_rag.errors import DocumentError

_HYPHENS = ("-", "\u2010", "\u00ad")
_FURTHEST = 40  # lines between the two halves of a word: page footer and next page header


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A line whose rectangle contains other words than its text."""

    file: str
    page: int
    line: int
    cited: str
    shown: str
    overprinted: bool = False  # the page overprints characters there


@dataclass(slots=True)
class Geometry:
    """The number of compared lines, and the mismatches."""

    pages: int = 0
    lines: int = 0
    mismatches: list[Mismatch] = field(default_factory=list)

    def add(self, other: "Geometry") -> None:
        """Add the counts of another comparison."""
        self.pages += other.pages
        self.lines += other.lines
        self.mismatches += other.mismatches


def check_folder(folder: Path) -> Geometry:
    """Compare all readable PDF files below a folder."""
    total = Geometry()
    for path in sorted(folder.rglob("*.pdf")):
        data = path.read_bytes()
        try:
            document = read_document(path.name, data)
        except DocumentError:
            continue
        total.add(check_document(path.name, document, data))
    return total


def check_document(name: str, document: Document, data: bytes) -> Geometry:
    """Compare each line of a PDF with the page text under its rectangle; comments are not printed."""
    geometry = Geometry()
    halves = _Halves()
    with open_pdf(data) as file:
        for page, numbers in _printed_lines(document):
            characters = _Characters(runs_of(file[page - 1]))
            geometry.pages += 1
            for number in numbers:
                line = document.line(number)
                assert line.box is not None
                geometry.lines += 1
                cited = _bare(line.text)
                shown = list(characters.under(line.box))
                if not halves.explain(number, cited, shown):
                    geometry.mismatches.append(
                        Mismatch(name, page, number, cited, shown[0], characters.overlap(line.box))
                    )
    geometry.mismatches += (Mismatch(name, document.page_of(at) or 0, at, rest, "") for at, rest in halves.open)
    return geometry


def _printed_lines(document: Document) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield each page with the numbers of its lines that have a rectangle."""
    ends = [page.first_line for page in document.pages[1:]] + [document.line_count + 1]
    for page, end in zip(document.pages, ends, strict=True):
        numbers = [
            number
            for number in range(page.first_line, end)
            if document.box(number) is not None and document.line(number).kind is not LineKind.QUOTE
        ]
        if numbers:
            yield page.number, numbers


class _Characters:
    """The characters of one page with the centres of their boxes, in the runs in which the file draws them."""

    def __init__(self, runs: Iterable[PrintedText]) -> None:
        letters: list[str] = []
        run_of: list[int] = []
        boxes: list[npt.NDArray[np.float32]] = [np.zeros((0, 4), np.float32)]
        for number, run in enumerate(runs):
            letters += run.text
            run_of += [number] * len(run.text)
            boxes.append(np.frombuffer(run.boxes, np.float32).reshape(-1, 4))
        self._letters = letters
        self._runs = np.array(run_of, np.int64)
        self._places = np.concatenate(boxes)
        self._x, self._y = self._places[:, ::2].mean(axis=1), self._places[:, 1::2].mean(axis=1)

    def overlap(self, box: Box) -> bool:
        """Return whether characters of different runs overlap under a rectangle."""
        at = self._inside(box)
        x0, y0, x1, y1 = self._places[at].T
        across = np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0)
        down = np.minimum(y1[:, None], y1) - np.maximum(y0[:, None], y0)
        over = (across > 0.2 * (x1 - x0)) & (down > 0.2 * (y1 - y0))
        return bool((over & (self._runs[at][:, None] != self._runs[at])).any())

    def under(self, box: Box) -> Iterator[str]:
        """Yield the words under a rectangle in each reading direction: right, left, down and up."""
        at = self._inside(box)
        runs = [at[self._runs[at] == run] for run in np.unique(self._runs[at])]
        for along, sign in ((self._x, 1), (self._x, -1), (self._y, 1), (self._y, -1)):
            runs.sort(key=lambda run: float((sign * along[run]).min()))
            yield self._text(runs)

    def _inside(self, box: Box) -> npt.NDArray[np.int64]:
        return np.flatnonzero((self._x > box.x0) & (self._x < box.x1) & (self._y > box.y0) & (self._y < box.y1))

    def _text(self, runs: Sequence[npt.NDArray[np.int64]]) -> str:
        """Return the text, without characters drawn twice at one place."""
        seen: dict[tuple[str, int, int], int] = {}
        letters = []
        for at in (int(at) for run in runs for at in run):
            drawn = (self._letters[at], round(2 * float(self._x[at])), round(2 * float(self._y[at])))
            if seen.setdefault(drawn, int(self._runs[at])) == self._runs[at]:
                letters.append(self._letters[at])
        return _bare("".join(letters))


class _Halves:
    """Hyphenated words whose other half has not been met yet."""

    def __init__(self) -> None:
        self.open: list[tuple[int, str]] = []  # a line with only the first half, and the rest of the word
        self._stem: str | None = None  # a first half whose word belongs to the line of the second

    def explain(self, number: int, cited: str, shown: Sequence[str]) -> bool:
        """Return whether a line has the words it shows, apart from hyphenated ones."""
        return any(self._explain(number, cited, text) for text in shown)

    def _explain(self, number: int, cited: str, shown: str) -> bool:
        for index, (at, rest) in enumerate(self.open):
            if number - at <= _FURTHEST and shown.startswith(rest) and self._is(number, cited, shown[len(rest) :]):
                del self.open[index]
                return True
        if self._stem is not None and cited in (self._stem + shown, f"{self._stem}-{shown}"):
            self._stem = None
            return True
        return self._is(number, cited, shown)

    def _is(self, number: int, cited: str, shown: str) -> bool:
        if cited == shown:
            return True
        if not shown.endswith(_HYPHENS):
            return False
        if cited.startswith(shown[:-1]):
            self.open.append((number, cited[len(shown) - 1 :].lstrip("-")))
            return True
        if shown.startswith(cited):
            self._stem = shown[len(cited) : -1]
            return True
        return False


def _bare(text: str) -> str:
    """Return a text without whitespace, word joiners, and characters that no reader can extract."""
    return "".join(clean(text).replace("\ufffd", "").replace("\u2060", "").split())
