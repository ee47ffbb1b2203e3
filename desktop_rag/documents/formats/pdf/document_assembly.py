"""Builds a document from laid-out pages: the running text, and headers, footers and comments between paragraphs."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import InlineMark, Line, LineKind, MarkKind
from desktop_rag.documents.formats.pdf.line_classifier import HeadingEntry, LineClassifier, named_headings
from desktop_rag.documents.formats.pdf.page_layout import continues_sentence
from desktop_rag.documents.formats.pdf.printed_words import PrintedLine, PrintedPage, WebLink
from desktop_rag.text.figure_names import spelled_numbers

# Joins words that are hyphenated at the end of a line, so that every kind of search finds them.
#
# The whole word moves to the line where it starts; if it is all of the second line, it moves there. The rectangles of
# the lines do not change. Where the hyphen may belong to the word or not, an invisible word joiner stands in its place
# or behind it: the word is then found in both forms.

_STEM = re.compile(r"(?:^|(?<=[\s(\[{\"'“‘„«‹–—\u2010-]))([^\W\d_]+)([-\u2010\u00ad])$")
_REST = re.compile(r"([^\W\d_]+)\S*")
_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_JOINER = "\u2060"


def join_hyphenated_words(lines: Sequence[PrintedLine]) -> None:
    """Join the words hyphenated between adjacent `lines`, the running text of a document."""
    hyphenated = [
        (before, line)
        for before, line in pairwise(lines)
        if before.text[-1:] in ("-", "\u2010", "\u00ad") and line.text[:1].islower() and _may_join(before, line)
    ]
    if not hyphenated:
        return
    ends, begins = {id(before) for before, _ in hyphenated}, {id(line) for _, line in hyphenated}
    half = ends | begins
    known = _known_words(
        _whole(line.text, ends=id(line) in ends, begins=id(line) in begins) if id(line) in half else line.text
        for line in lines
    )
    for before, line in hyphenated:
        _join(before, line, known)


def _may_join(before: PrintedLine, line: PrintedLine) -> bool:
    return not line.gap and before.cells <= 1 and line.cells <= 1


def _whole(text: str, *, ends: bool, begins: bool) -> str:
    """Return a line without the half words at its end (`ends`) and start (`begins`)."""
    if begins:
        text = text.partition(" ")[2]
    return text.rpartition(" ")[0] if ends else text


def _known_words(texts: Iterable[str]) -> set[str]:
    """Return the lower-case words of a document; compounds with hyphens are single words."""
    parts: set[str] = set()  # most words recur: each is looked at once
    for text in texts:
        parts.update(text.split())
    tokens = set(" ".join(parts).replace("\u2010", "-").replace("\u00ad", "").lower().split())
    whole = set(filter(str.isalpha, tokens))
    return whole.union(_WORDS.findall(" ".join(tokens - whole)))


def _join(before: PrintedLine, line: PrintedLine, known: set[str]) -> None:
    stem, rest = _STEM.search(before.text), _REST.match(line.text)
    if stem is None or rest is None:
        return
    hyphen = "" if stem[2] == "\u00ad" else _hyphen(stem[1].lower(), rest[1].lower(), known)
    word = f"{stem[1]}{hyphen}{rest[0]}"
    if rest.end() < len(line.text):
        before.text = before.text[: stem.start(1)] + word
        line.text = line.text[rest.end() :].lstrip()
    elif stem.start(1) > 0:
        before.text = before.text[: stem.start(1)].rstrip()
        line.text = word


def _hyphen(stem: str, rest: str, known: set[str]) -> str:
    """Return what stands between the halves of a word, by the other words of the document."""
    if stem + rest in known:
        return ""
    if f"{stem}-{rest}" in known or (_is_number(stem) and _is_number(rest)):
        return "-"
    words = sum(half in known or _is_number(half) for half in (stem, rest) if len(half) > 2 or half is rest)
    return ("", _JOINER, f"-{_JOINER}")[words]


def _is_number(word: str) -> bool:
    return any(number.end - number.start == len(word) for number in spelled_numbers(word))


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
        add = self._builder.add
        breaks = [index for index, line in enumerate(lines) if line.gap]
        if not continues or not breaks:
            breaks.append(len(lines))
        for index, (line, (kind, level)) in enumerate(zip(lines, self._classifier.classify(lines, named), strict=True)):
            if index in (breaks[0], breaks[-1]):
                self._add_margins(page, above=index == breaks[0], below=index == breaks[-1])
            if line.gap:
                self._builder.add_blank()
            numbers.append(len(self._builder) + 1)
            add(Line(line.text, kind, level, line.box), links.get(index, ()))
        self._add_margins(page, above=breaks[0] == len(lines), below=breaks[-1] == len(lines))
        if page.is_picture and not lines:
            self._builder.add(Line("", LineKind.BLANK))  # an anchor for the lines that OCR inserts
        if entries:
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
        for entry in entries:
            index = found.get(id(entry))
            if index is None and entry.height is not None:
                index = next((at for at, line in enumerate(lines) if line.box.y1 > entry.height), None)
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
