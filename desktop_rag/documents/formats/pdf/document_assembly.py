"""Makes a document of printed pages: the running text, and between its paragraphs what stands beside it."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import InlineMark, Line, LineKind, MarkKind
from desktop_rag.documents.formats.pdf.dehyphenation import join_hyphenated_words
from desktop_rag.documents.formats.pdf.line_classifier import HeadingEntry, Kinds, named_headings
from desktop_rag.documents.formats.pdf.page_layout import continues_sentence
from desktop_rag.documents.formats.pdf.printed_words import PrintedLine, PrintedPage, WebLink


def assemble(builder: DocumentBuilder, pages: Sequence[PrintedPage], entries: Sequence[HeadingEntry]) -> None:
    """Add all pages with their lines and the outline; the title is the largest heading on the first page, if any."""
    _join_pages(pages)
    join_hyphenated_words([line for page in pages for line in page.lines])
    kinds = Kinds(pages, entries)
    by_page = {number: list(group) for number, group in groupby(sorted(entries, key=_page), key=_page)}
    assembly = _Assembly(builder, kinds)
    for number, page in enumerate(pages, 1):
        following = next((later.lines[0] for later in pages[number:] if later.lines), None)
        runs_out = following is not None and not following.gap
        assembly.add(page, by_page.get(number, ()), runs_out=runs_out)
    builder.title = kinds.title(pages[0]) if pages else ""


def _page(entry: HeadingEntry) -> int:
    return entry.page


def _join_pages(pages: Sequence[PrintedPage]) -> None:
    """Mark where a paragraph goes on over the end of a page."""
    before: PrintedLine | None = None
    for page in pages:
        if page.lines:
            first = page.lines[0]
            first.gap = before is None or before.cells != 1 or first.cells != 1 or not continues_sentence(before, first)
            before = page.lines[-1]


class _Assembly:
    """The pages so far; headers, footers and comments wait for the next end of a paragraph."""

    def __init__(self, builder: DocumentBuilder, kinds: Kinds) -> None:
        self._builder = builder
        self._kinds = kinds

    def add(self, page: PrintedPage, entries: Sequence[HeadingEntry], *, runs_out: bool) -> None:
        """Add one page; `runs_out` tells that its last paragraph goes on on the next one."""
        self._builder.begin_page(page.width, page.height, textless=page.is_picture)
        lines = page.lines
        named = named_headings(lines, entries)
        links = _links_by_line(page)
        numbers = []
        breaks = [index for index, line in enumerate(lines) if line.gap]
        if not runs_out or not breaks:
            breaks.append(len(lines))
        for index, (line, (kind, level)) in enumerate(zip(lines, self._kinds.of(lines, named), strict=True)):
            self._beside(page, above=index == breaks[0], below=index == breaks[-1])
            if line.gap:
                self._builder.add_blank()
            numbers.append(len(self._builder) + 1)
            self._builder.add(Line(line.text, kind, level, line.box), links.get(index, ()))
        self._beside(page, above=breaks[0] == len(lines), below=breaks[-1] == len(lines))
        if page.is_picture and not lines:
            self._builder.add(Line("", LineKind.BLANK))  # a place for what may be recognised in it
        self._outline(lines, numbers, entries, {id(entry): index for index, entry in reversed(named.items())})

    def _beside(self, page: PrintedPage, *, above: bool, below: bool) -> None:
        for line in (*(page.above if above else ()), *(page.below if below else ())):
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
    """Yield the lines under a link with the words it stands on."""
    x, y = (link.box.x0 + link.box.x1) / 2, (link.box.y0 + link.box.y1) / 2
    for index, line in enumerate(lines):
        box = line.box
        if link.words and box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1:
            starts = _places(line.text, link.words)
            if starts:
                share = (link.box.x0 - box.x0) / (box.x1 - box.x0)
                start = min(starts, key=lambda start: abs(start - share * len(line.text)))
                yield index, InlineMark(start, start + len(link.words), MarkKind.LINK, link.target)


def _places(text: str, words: str) -> list[int]:
    starts = []
    start = text.find(words)
    while start >= 0:
        starts.append(start)
        start = text.find(words, start + 1)
    return starts
