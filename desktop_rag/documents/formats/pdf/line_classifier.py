"""Classifies the lines of PDF pages as headings, items, rows or text, by font and outline."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.documents.document import LineKind
from desktop_rag.documents.formats.pdf.printed_words import PrintedLine, PrintedPage

_LARGER = 1.12  # times the font size of the running text
_MAX_LEVELS = 6
_MAX_CHARACTERS = 200
_MAX_BOLD_CHARACTERS = 100
_MAX_LINES = 4  # per heading
_BULLET = re.compile(r"(?:[•‣◦▪●○■□➢✓]|[-–—*](?=\s)|\(?\d{1,2}[.)](?=\s)|\([a-z]\)(?=\s))\s*\S")
_LETTERS = re.compile(r"[^\W\d_].*?[^\W\d_]")
_RUN_ON = re.compile(r"[.,;:]$")
_NUMBER = re.compile(r"^[\dA-Z]{1,3}(?:\.\d{1,3})*\.?\s+")
_AMOUNT = re.compile(r"(?!(?:19|20)\d\d$)\W*\d")  # a year is a column name, not an amount


@dataclass(frozen=True, slots=True)
class HeadingEntry:
    """An entry of a file's table of contents; `height` is the target position on its page, if it has one."""

    page: int
    level: int
    title: str
    height: float | None


class LineClassifier:
    """Classifies lines relative to the font sizes of a document."""

    def __init__(self, pages: Sequence[PrintedPage], entries: Sequence[HeadingEntry]) -> None:
        exact: Counter[float] = Counter()
        for page in pages:
            for line in page.lines:
                exact[line.size] += len(line.text)
        sizes: Counter[float] = Counter()
        for size, characters in exact.items():
            sizes[_rounded(size)] += characters
        self._body = max(sizes, key=sizes.__getitem__, default=0.0)
        self._large = self._body * _LARGER
        larger = {
            _rounded(line.size)
            for page in pages
            for line in page.lines
            if line.size >= self._large and _may_be_heading(line)
        }
        self._levels = {size: min(rank, _MAX_LEVELS) for rank, size in enumerate(sorted(larger, reverse=True), 1)}
        self._bold_level = max(len(self._levels) + 1, *(entry.level + 1 for entry in entries), 1)
        self._bold_level = min(self._bold_level, _MAX_LEVELS)

    def classify(
        self, lines: Sequence[PrintedLine], named: Mapping[int, HeadingEntry]
    ) -> Iterator[tuple[LineKind, int]]:
        """Yield kind and level of each line of a page; `named` are the headings in the outline by line index."""
        row_before = False
        for index, line in enumerate(lines):
            if entry := named.get(index):
                yield LineKind.HEADING, min(entry.level, _MAX_LEVELS)
            elif line.cells > 1:
                following = lines[index + 1] if index + 1 < len(lines) else None
                begins = not row_before or line.gap
                yield LineKind.ROW, int(begins and following is not None and _is_header_row(line, following))
            else:
                yield self._of_text(lines, index)
            row_before = line.cells > 1

    def title(self, page: PrintedPage) -> str:
        """Return the largest heading in the upper part of the first page, or an empty text."""
        lines = [line for line in page.lines if _may_be_heading(line) and line.box.y1 < 0.6 * page.height]
        largest = max((line.size for line in lines), default=0.0)
        if largest < self._large:
            return ""
        title = " ".join(line.text for line in lines if line.size > largest - 0.5)
        return " ".join(title.split()) if 3 < len(title) <= _MAX_CHARACTERS else ""

    def _of_text(self, lines: Sequence[PrintedLine], index: int) -> tuple[LineKind, int]:
        line = lines[index]
        is_large = line.size >= self._large
        if (is_large or line.bold) and _may_be_heading(line):
            if is_large:
                return LineKind.HEADING, self._levels[_rounded(line.size)]
            short = len(line.text) <= _MAX_BOLD_CHARACTERS and not _RUN_ON.search(line.text)
            if short and line.size > 0.9 * self._body and _is_single_line(lines, index):
                return LineKind.HEADING, self._bold_level
        if _BULLET.match(line.text):
            return LineKind.ITEM, 1
        return LineKind.PARAGRAPH, 0


def named_headings(lines: Sequence[PrintedLine], entries: Sequence[HeadingEntry]) -> dict[int, HeadingEntry]:
    """Return the outline entry of each line that is a heading named in the outline, by index; headings may wrap."""
    named: dict[int, HeadingEntry] = {}
    letters = [_letters(line.text) for line in lines] if entries else []
    bare = [_letters(_NUMBER.sub("", line.text)) for line in lines] if entries else []
    for entry in entries:
        if title := _letters(entry.title):
            for index, (line, unnumbered) in enumerate(zip(letters, bare, strict=True)):
                if not ((line and title.startswith(line)) or (unnumbered and title.startswith(unnumbered))):
                    continue
                following = letters[index + 1 : index + _MAX_LINES]
                count = _title_lines(title, [line, *following]) or _title_lines(title, [unnumbered, *following])
                if count and not any(at in named for at in range(index, index + count)):
                    named.update(dict.fromkeys(range(index, index + count), entry))
                    break
    return named


def _title_lines(title: str, letters: Sequence[str]) -> int:
    """Return how many of these lines form the title, or 0."""
    text = ""
    for count, line in enumerate(letters if letters[0] else (), 1):
        text += line
        if text == title:
            return count
    return 0


def _is_header_row(line: PrintedLine, following: PrintedLine) -> bool:
    """Return whether the first row of a table contains column names."""
    names = line.text.split("\t")
    if line.cells != following.cells or following.gap or not all(names[1:]) or len(set(names)) < len(names):
        return False  # it is not certain which column a name is of
    return not _has_amounts(line) and (_has_amounts(following) or (line.bold and not following.bold))


def _has_amounts(line: PrintedLine) -> bool:
    return any(_AMOUNT.match(cell) for cell in line.text.split("\t")[1:])


def _is_single_line(lines: Sequence[PrintedLine], index: int) -> bool:
    """Return whether a line is a paragraph by itself."""
    begins = index == 0 or lines[index].gap
    return begins and (index + 1 == len(lines) or lines[index + 1].gap)


def _may_be_heading(line: PrintedLine) -> bool:
    return line.cells == 1 and len(line.text) <= _MAX_CHARACTERS and _LETTERS.search(line.text) is not None


def _rounded(size: float) -> float:
    return round(size * 2) / 2


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()
