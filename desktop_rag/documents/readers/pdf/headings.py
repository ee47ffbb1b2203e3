"""Tells headings, items and table rows among the lines of printed pages, by their type and the outline."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Line, LineKind
from desktop_rag.documents.readers.pdf.printed import PrintedLine, PrintedPage

_LARGER = 1.12  # times the size of the running text
_MAX_LEVELS = 6
_MAX_CHARACTERS = 200
_MAX_BOLD_CHARACTERS = 100
_BULLET = re.compile(r"(?:[•‣◦▪●○■□➢✓]|[-–—*](?=\s)|\(?\d{1,2}[.)](?=\s)|\([a-z]\)(?=\s))\s*\S")
_LETTERS = re.compile(r"[^\W\d_].*?[^\W\d_]")
_RUN_ON = re.compile(r"[.,;:]$")
_NUMBER = re.compile(r"^[\dA-Z]{1,3}(?:\.\d{1,3})*\.?\s+")

Outline = Mapping[int, Sequence[tuple[int, str]]]


def assemble(pages: Sequence[PrintedPage], outline: Outline) -> DocumentBuilder:
    """Return a builder with all lines and pages; its title is the largest heading on the first page, if any."""
    builder = DocumentBuilder("pdf")
    kinds = _Kinds(pages, outline)
    before: PrintedLine | None = None
    for number, page in enumerate(pages, 1):
        builder.begin_page(page.width, page.height)
        titles = {_letters(title): level for level, title in outline.get(number, ())}
        alone = _stand_alone(page.lines)
        for line, is_alone in zip(page.lines, alone, strict=True):
            kind, level = kinds.of(line, titles, alone=is_alone)
            if before is not None and (line.gap or line is page.lines[0]) and not _goes_on(before, line):
                builder.add(Line("", LineKind.BLANK))
            builder.add(Line(line.text, kind, level, line.box))
            before = line
    builder.title = _title(pages, kinds.body)
    return builder


class _Kinds:
    """Knows the sizes of type in a document, and from them the kind of a line."""

    def __init__(self, pages: Sequence[PrintedPage], outline: Outline) -> None:
        sizes: Counter[float] = Counter()
        for page in pages:
            for line in page.lines:
                sizes[_rounded(line.size)] += len(line.text)
        self.body = max(sizes, key=lambda size: sizes[size], default=0.0)
        larger = {
            _rounded(line.size) for page in pages for line in page.lines if self._is_large(line) and _may_head(line)
        }
        self._levels = {size: min(rank, _MAX_LEVELS) for rank, size in enumerate(sorted(larger, reverse=True), 1)}
        self._bold_level = min(len(self._levels) + 1, _MAX_LEVELS)
        if outline:
            self._bold_level = max(
                self._bold_level, *(level + 1 for entries in outline.values() for level, _ in entries)
            )

    def of(self, line: PrintedLine, titles: Mapping[str, int], *, alone: bool) -> tuple[LineKind, int]:
        """Return the kind and level of a line; `titles` are the outline's entries for its page."""
        if titles and (level := titles.get(_letters(line.text)) or titles.get(_letters(_NUMBER.sub("", line.text)))):
            return LineKind.HEADING, level
        if line.cells > 1:
            return LineKind.ROW, 0
        if _may_head(line):
            if self._is_large(line):
                return LineKind.HEADING, self._levels[_rounded(line.size)]
            short = len(line.text) <= _MAX_BOLD_CHARACTERS and not _RUN_ON.search(line.text)
            if line.bold and alone and short and line.size > 0.9 * self.body:
                return LineKind.HEADING, self._bold_level
        if _BULLET.match(line.text):
            return LineKind.ITEM, 1
        return LineKind.PARAGRAPH, 0

    def _is_large(self, line: PrintedLine) -> bool:
        return line.size >= self.body * _LARGER


def _stand_alone(lines: Sequence[PrintedLine]) -> Iterator[bool]:
    """Yield for each line of a page whether it is a paragraph of its own."""
    for index, line in enumerate(lines):
        begins = index == 0 or line.gap
        yield begins and (index + 1 == len(lines) or lines[index + 1].gap)


def _may_head(line: PrintedLine) -> bool:
    return line.cells == 1 and len(line.text) <= _MAX_CHARACTERS and _LETTERS.search(line.text) is not None


def _goes_on(before: PrintedLine, line: PrintedLine) -> bool:
    """Return whether a paragraph goes on over the end of a page."""
    return not line.gap and before.text[-1:].isalnum() and line.text[:1].islower()


def _title(pages: Sequence[PrintedPage], body: float) -> str:
    lines = [line for line in pages[0].lines if _may_head(line) and line.box.y1 < 0.6 * pages[0].height]
    largest = max((line.size for line in lines), default=0.0)
    if largest < body * _LARGER:
        return ""
    title = " ".join(line.text for line in lines if line.size > largest - 0.5)
    return " ".join(title.split()) if 3 < len(title) <= _MAX_CHARACTERS else ""


def _rounded(size: float) -> float:
    return round(size * 2) / 2


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()
