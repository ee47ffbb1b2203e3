"""Reads what the card of a citation shows: the paragraph, the heading above it, and its place on a printed page."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.quoted_rows import labelled_row
from desktop_rag.agent.events import Citation
from desktop_rag.documents.document import Box, LineKind, box_of, page_of
from desktop_rag.gui.snippet_text import Marks, shown_snippet
from desktop_rag.gui.viewer.document_loading import resolve
from desktop_rag.gui.viewer.pages.render_service import PrintedFile
from desktop_rag.gui.viewer.target import target_of_citation
from desktop_rag.gui.viewer.viewer_events import PRINTED, Staleness
from desktop_rag.index.records import DocumentLayout
from desktop_rag.retrieval.api import DocumentCard, Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.locate import mark_quote

_AROUND = 12  # lines of a paragraph above and below the cited ones
_CITED = 60  # lines shown
_GAP = 0.9  # of the height of a line: a wider one separates paragraphs
_LONGEST = 2_000  # characters of a line
_ALONE = (LineKind.HEADING, LineKind.ROW, LineKind.ITEM, LineKind.BLANK)  # kinds of lines that are no paragraph's part


@dataclass(frozen=True, slots=True)
class CardLine:
    """A displayed line of a passage, with the quoted words as (start, end)."""

    text: str
    cited: bool
    marks: Marks


@dataclass(frozen=True, slots=True)
class PagePart:
    """Cited lines on a printed page."""

    file: PrintedFile
    page: int
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class CitedPassage:
    """The paragraph of a citation; `flowing` if the ends of its lines are those of a printed page."""

    lines: tuple[CardLine, ...]
    flowing: bool = False
    heading: str = ""
    part: PagePart | None = None


def read_cited_passage(citation: Citation, retriever: Retriever, stop: Stop) -> Generator[CitedPassage]:
    """Yield the passage stored with the citation, then the library's, unless the file has changed."""
    flowing = citation.format in PRINTED
    stored = citation.passage.split("\n")
    yield CitedPassage(_shown(citation, stored, citation.passage_first_line), flowing)
    staleness, card = resolve(target_of_citation(citation), retriever, stop)
    if card is None or staleness is Staleness.CHANGED:
        return
    layout = retriever.layout(card.content, stop)
    first, last = citation.first_line, min(citation.last_line, citation.first_line + _CITED - 1)
    start = max(1, first - _AROUND)
    window = retriever.read_lines(card.content, start, last - start + 1 + _AROUND, stop).lines
    begin, end = _paragraph(layout, start, window, first, last)
    heading = _heading(card, layout, begin, retriever, stop)
    lines = _shown(citation, window[begin - start : end - start + 1], begin)
    yield CitedPassage(lines, flowing, heading, _page_part(card, staleness, layout, first, last))


def _shown(citation: Citation, lines: Sequence[str], first: int) -> tuple[CardLine, ...]:
    texts = {number: line[:_LONGEST] for number, line in enumerate(lines[: _CITED + 2 * _AROUND], first)}
    cited = {n: text for n, text in texts.items() if citation.first_line <= n <= citation.last_line}
    marks: dict[int, list[tuple[int, int]]] = {}
    for number, start, end in mark_quote(citation.quote, cited):
        marks.setdefault(number, []).append((start, end))
    spaced = ((n, *_with_dots(text, marks.get(n, ()))) for n, text in texts.items())
    shown = ((n, *shown_snippet(text, places, citation.format)) for n, text, places in spaced)
    columns = labelled_row(citation.columns) if citation.columns not in texts.values() else ""
    head = (CardLine(columns, cited=False, marks=()),) if columns else ()
    return (*head, *(CardLine(text, n in cited, places) for n, text, places in shown))


def _with_dots(line: str, marks: Sequence[tuple[int, int]]) -> tuple[str, Marks]:
    """Return a row with dots between its cells, and its marks moved accordingly."""
    moved = ((start + 2 * line.count("\t", 0, start), end + 2 * line.count("\t", 0, end)) for start, end in marks)
    return line.replace("\t", " · "), tuple(moved)


def _paragraph(layout: DocumentLayout, start: int, lines: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Return the first and last line of the paragraph around the cited lines; `lines` begin with line `start`."""
    kinds = layout.kinds

    def joined(line: int, neighbour: int) -> bool:
        if not (0 < neighbour <= len(kinds) and 0 <= neighbour - start < len(lines)):
            return False
        both = (kinds[line - 1] & 15, kinds[neighbour - 1] & 15)
        alike = both[0] == both[1] and both[0] not in _ALONE and bool(lines[neighbour - start].strip())
        return alike and _adjoining(layout, min(line, neighbour), max(line, neighbour))

    last = min(last, len(kinds))
    while joined(first, first - 1):
        first -= 1
    while joined(last, last + 1):
        last += 1
    return first, last


def _adjoining(layout: DocumentLayout, above: int, below: int) -> bool:
    """Return whether two lines follow each other closely on a page; lines without a place do."""
    upper, lower = box_of(layout.boxes, above), box_of(layout.boxes, below)
    if upper is None or lower is None:
        return True
    return -upper.y1 + lower.y0 < _GAP * (upper.y1 - upper.y0) and lower.y0 >= upper.y0


def _heading(card: DocumentCard, layout: DocumentLayout, first: int, retriever: Retriever, stop: Stop) -> str:
    """Return the nearest heading above a line, or the section it begins in."""
    headings = (bytes((level << 4 | LineKind.HEADING,)) for level in range(16))
    line = max(layout.kinds.rfind(heading, 0, first - 1) for heading in headings) + 1
    section = layout.structure.section_of(first)
    if not line:
        return section
    text = "".join(retriever.read_lines(card.content, line, 1, stop).lines)[:_LONGEST]
    return " ".join(shown_snippet(text, (), card.format)[0].split()) or section


def _page_part(
    card: DocumentCard, staleness: Staleness, layout: DocumentLayout, first: int, last: int
) -> PagePart | None:
    """Return the cited lines of the first page that has any; None if no page can be rendered."""
    page = page_of(layout.pages, first)
    if page is None or card.path is None or card.format not in PRINTED or staleness is not Staleness.SAME:
        return None
    lines = (line for line in range(first, last + 1) if page_of(layout.pages, line) == page)
    boxes = tuple(box for line in lines if (box := box_of(layout.boxes, line)) is not None)
    return PagePart(PrintedFile(card.path, card.sha256, card.modified_ns), page, boxes) if boxes else None
