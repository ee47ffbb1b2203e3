"""The rows of a search: each document once, its best passages below it, further ones folded."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QCoreApplication, QDateTime

from desktop_rag.gui import formatting
from desktop_rag.gui.catalogues import exact_sentence
from desktop_rag.gui.language_names import language_name
from desktop_rag.gui.snippet_text import Marks, set_apart, shown_snippet
from desktop_rag.index.records import ContentId
from desktop_rag.index.team_status import ON_SERVER
from desktop_rag.retrieval.api import Hit, NamedFile
from desktop_rag.text.display import one_line, shown_name, shown_path

BEST = 3  # passages of a document that are shown while it is folded


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A found document, its number of passages, and its number of other paths."""

    hit: Hit
    count: int
    title: str  # empty if the title only repeats the file name
    name: str
    folder: str  # after the language of the document, if the hits are in several
    date: str
    also: int = 0

    @property
    def heading(self) -> str:
        """Return the title and the file name."""
        return f"{self.title}  ·  {self.name}" if self.title else self.name


@dataclass(frozen=True, slots=True)
class HitRow:
    """One passage of the document above."""

    hit: Hit
    place: str
    snippet: str
    marks: tuple[tuple[int, int], ...] = field(default=())
    code: bool = False  # lines of source code, separated by U+2028


@dataclass(frozen=True, slots=True)
class MoreRow:
    """The last row of an incomplete list."""


@dataclass(frozen=True, slots=True)
class HeadingRow:
    """The heading of the rows below."""

    text: str


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file without text, found by its name."""

    file: NamedFile
    name: str
    folder: str
    date: str


@dataclass(frozen=True, slots=True)
class FoldRow:
    """The last row of a document with more passages than the best ones: shows the others, or hides them again.

    `capped`: the search gives no more passages of one document, so there may be others.
    """

    content: ContentId
    count: int  # passages that are hidden, or would be
    name: str
    open: bool = False
    capped: bool = False


FoundRow = DocumentRow | HitRow
Row = FoundRow | FoldRow | FileRow | HeadingRow | MoreRow


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A found document with its passages, best first."""

    row: DocumentRow
    hits: tuple[Hit, ...]
    whole: bool = False  # there are no others

    def joined_by(self, hits: Sequence[Hit], more: bool) -> "FoundDocument":  # noqa: FBT001 - joined by a pair
        """Return it with more of its passages, all unless there are `more`: those of `hits` that it lacks come last."""
        known = {hit.chunk for hit in self.hits}
        every = (*self.hits, *_places([hit for hit in hits if hit.chunk not in known]))
        return FoundDocument(replace(self.row, count=len(every)), every, whole=not more)

    def rows(self, *, is_open: bool, per_document: int) -> list[Row]:
        """Return its rows, further passages only if it `is_open`; a single further passage is never folded."""
        further = len(self.hits) - BEST
        shown = self.hits if is_open or further < 2 else self.hits[:BEST]
        rows: list[Row] = [self.row, *map(_hit_row, shown)]
        if further >= 2:
            capped = not self.whole and len({hit.chunk for hit in self.hits}) >= per_document > 0
            rows.append(FoldRow(self.row.hit.content, further, self.row.name, is_open, capped))
        return rows

    def all_rows(self) -> list[Row]:
        """Return its rows as of the only document: there is nothing to fold."""
        return [self.row, *map(_hit_row, self.hits)]


def documents_of(hits: Sequence[Hit]) -> list[FoundDocument]:
    """Group hits by document, in the order of the first hit of each."""
    documents: dict[ContentId, list[Hit]] = {}
    for hit in hits:
        documents.setdefault(hit.content, []).append(hit)
    several = len({hit.language for hit in hits} - {""}) > 1
    return [
        FoundDocument(_document_row(places, with_language=several), places)
        for places in map(_places, documents.values())
    ]


def _places(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return a hit for each place: the best of every chunk, then the further ones."""
    every = [hit.by_place() for hit in hits]
    return (*(best for best, *_ in every), *(hit for _, *further in every for hit in further))


def _document_row(hits: Sequence[Hit], *, with_language: bool) -> DocumentRow:
    first = hits[0]
    path = os.fsencode(first.path)
    name = shown_name(path)
    title = one_line(first.title)
    title = "" if title in (name, one_line(first.path.stem)) else title
    folder = _folder(first)
    if with_language and first.language:
        folder = f"{language_name(first.language)}  ·  {folder}"
    also = len({path for hit in hits for path in hit.also} - {hit.path for hit in hits})
    return DocumentRow(first, len(hits), title, name, folder, _day(first.dated_ns), also)


def same_row(row: Row, other: Row) -> bool:
    """Return whether two rows show the same document or anything else that is no passage."""
    if isinstance(row, DocumentRow) and isinstance(other, DocumentRow):
        return row.hit.content == other.hit.content
    if isinstance(row, FoldRow) and isinstance(other, FoldRow):
        return row.content == other.content
    if isinstance(row, HeadingRow | FileRow):
        return row == other
    return isinstance(row, MoreRow) and isinstance(other, MoreRow)


def place_among(hits: Sequence[Hit], wanted: Hit) -> int:
    """Return the index of the same excerpt, else of the same passage, -1 if there is none."""
    same = [at for at, hit in enumerate(hits) if hit.chunk == wanted.chunk]
    return next((at for at in same if hits[at].snippet.span == wanted.snippet.span), same[0] if same else -1)


def _hit_row(hit: Hit) -> HitRow:
    snippet = hit.snippet
    place = formatting.place(hit.page, snippet.span.first_line, snippet.span.last_line, hit.section)
    heading = one_line(hit.heading).removeprefix(f"{one_line(hit.title)} › ")  # the row above says it
    by_name = QCoreApplication.translate("ResultRows", "found by its name") if hit.why.by_name else ""
    parts = (place, heading if heading and heading not in (hit.title, hit.section) else "", by_name)
    named = "  ·  ".join(filter(None, parts))
    if "\n" in snippet.text:
        return HitRow(hit, named, *shown_code(snippet.text, snippet.marks), code=True)
    return HitRow(hit, named, *set_apart(*shown_snippet(snippet.text, snippet.marks, hit.format)))


def file_row(file: NamedFile) -> FileRow:
    """Return the row of a file without text."""
    return FileRow(file, shown_name(os.fsencode(file.path)), _folder(file), _day(file.dated_ns))


def _folder(found: Hit | NamedFile) -> str:
    """Return the folder of a file, and that it is on the team's server."""
    folder = shown_path(os.fsencode(found.path.parent))
    return f"{exact_sentence(ON_SERVER)}  ·  {folder}" if found.away else folder


def _day(moment_ns: int) -> str:
    moment = QDateTime.fromMSecsSinceEpoch(moment_ns // 1_000_000)
    return formatting.shown_day(moment.date())


def shown_code(text: str, marks: Sequence[tuple[int, int]]) -> tuple[str, Marks]:
    """Return lines of code without their common indentation, separated as Qt breaks lines, and the highlights."""
    lines = text.split("\n")
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    common = min(indents, default=0)
    kept: list[str] = []
    places: list[int] = []  # where each character of the text is shown
    for line in lines:
        for at, char in enumerate(line):
            places.append(len(kept))
            if at >= common:
                kept += "    " if char == "\t" else one_line(char)
        places.append(len(kept))
        kept.append("\u2028")
    places.append(len(kept))
    return "".join(kept[:-1]), tuple((places[start], places[stop]) for start, stop in marks)
