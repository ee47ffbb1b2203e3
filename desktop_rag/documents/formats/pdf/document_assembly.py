"""Builds a document from laid-out pages: the running text, and headers, footers and comments between paragraphs."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import InlineMark, Line, LineKind, MarkKind
from desktop_rag.documents.formats.pdf.dehyphenation import join_hyphenated_words
from desktop_rag.documents.formats.pdf.line_classifier import HeadingEntry, LineClassifier, named_headings
from desktop_rag.documents.formats.pdf.page_layout import continues_sentence
from desktop_rag.documents.formats.pdf.printed_words import PrintedLine, PrintedPage, WebLink


def assemble(
    builder: DocumentBuilder, pages: Sequence[PrintedPage], entries: Sequence[HeadingEntry], labels: Sequence[str] = ()
) -> None:
    """Add all pages and the outline; the title is the largest heading on the first page, if any.

    Pages whose printed numbers are others have these `labels` as their sections.
    """
    _join_paragraphs_across_pages(pages)
    join_hyphenated_words([line for page in pages for line in page.lines])
    classifier = LineClassifier(pages, entries)
    by_page = {number: list(group) for number, group in groupby(sorted(entries, key=_page), key=_page)}
    assembly = _Assembly(builder, classifier)
    for number, page in enumerate(pages, 1):
        following = next((later.lines[0] for later in pages[number:] if later.lines), None)
        continues = following is not None and not following.gap
        if number <= len(labels):
            builder.begin_section(f"p. {labels[number - 1]}")
        assembly.add(page, by_page.get(number, ()), continues=continues)
    builder.title = classifier.title(pages[0]) if pages else ""


def _page(entry: HeadingEntry) -> int:
    return entry.page


def _join_paragraphs_across_pages(pages: Sequence[PrintedPage]) -> None:
    """Mark paragraphs that continue on the next page."""
    before: PrintedLine | None = None
    for page in pages:
        if page.lines:
            first = page.lines[0]
            first.gap = before is None or before.cells != 1 or first.cells != 1 or not continues_sentence(before, first)
            before = page.lines[-1]


class _Assembly:
    """Adds pages; headers, footers and comments are inserted at the nearest end of a paragraph."""

    def __init__(self, builder: DocumentBuilder, classifier: LineClassifier) -> None:
        self._builder = builder
        self._classifier = classifier

    def add(self, page: PrintedPage, entries: Sequence[HeadingEntry], *, continues: bool) -> None:
        """Add one page; `continues` if its last paragraph continues on the next one."""
        self._builder.begin_page(page.width, page.height, textless=page.is_picture)
        lines = page.lines
        named = named_headings(lines, entries)
        links = _links_by_line(page)
        numbers = []
        breaks = [index for index, line in enumerate(lines) if line.gap]
        if not continues or not breaks:
            breaks.append(len(lines))
        for index, (line, (kind, level)) in enumerate(zip(lines, self._classifier.classify(lines, named), strict=True)):
            self._add_margins(page, above=index == breaks[0], below=index == breaks[-1])
            if line.gap:
                self._builder.add_blank()
            numbers.append(len(self._builder) + 1)
            self._builder.add(Line(line.text, kind, level, line.box), links.get(index, ()))
        self._add_margins(page, above=breaks[0] == len(lines), below=breaks[-1] == len(lines))
        if page.is_picture and not lines:
            self._builder.add(Line("", LineKind.BLANK))  # an anchor for the lines that OCR inserts
        self._outline(lines, numbers, entries, {id(entry): index for index, entry in reversed(named.items())})

    def _add_margins(self, page: PrintedPage, *, above: bool, below: bool) -> None:
        for line in (*(page.headers if above else ()), *(page.footers if below else ())):
            self._builder.add(Line(line.text, LineKind.FIELD, 0, line.box))
        for comment in page.comments if below else ():
            self._builder.add(Line(comment.text, LineKind.QUOTE, 1, comment.box))

    def _outline(
        self,
        lines: Sequence[PrintedLine],
        numbers: Sequence[int],
        entries: Sequence[HeadingEntry],
        found: dict[int, int],
    ) -> None:
        heights = [line.box.y1 for line in lines]
        for entry in entries:
            index = found.get(id(entry))
            if index is None and entry.height is not None:
                index = next((at for at, height in enumerate(heights) if height > entry.height), None)
            line = numbers[index or 0] if numbers else None
            self._builder.add_outline_entry(entry.level, entry.title, line)


def _links_by_line(page: PrintedPage) -> dict[int, list[InlineMark]]:
    found: dict[int, list[InlineMark]] = {}
    for link in page.links:
        for index, mark in _marks(page.lines, link):
            found.setdefault(index, []).append(mark)
            break
    for marks in found.values():
        marks.sort(key=lambda mark: mark.start)
    return found


def _marks(lines: Sequence[PrintedLine], link: WebLink) -> Iterator[tuple[int, InlineMark]]:
    """Yield each line under a link with the mark of its words."""
    x, y = (link.box.x0 + link.box.x1) / 2, (link.box.y0 + link.box.y1) / 2
    for index, line in enumerate(lines):
        box = line.box
        if link.words and box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1:
            starts = _occurrences(line.text, link.words)
            if starts:
                share = (link.box.x0 - box.x0) / (box.x1 - box.x0)
                start = min(starts, key=lambda start: abs(start - share * len(line.text)))
                yield index, InlineMark(start, start + len(link.words), MarkKind.LINK, link.target)


def _occurrences(text: str, words: str) -> list[int]:
    starts = []
    start = text.find(words)
    while start >= 0:
        starts.append(start)
        start = text.find(words, start + 1)
    return starts
