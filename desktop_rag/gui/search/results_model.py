"""The hits of a query as rows: each document once, its hits below it."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QDateTime,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QWidget

from desktop_rag.gui import formatting
from desktop_rag.gui.catalogues import exact_sentence, sentence
from desktop_rag.gui.formatting import counted, language_name, tool_tip
from desktop_rag.gui.quote_data import MIME_TYPES, QuotedPassage, quote_data
from desktop_rag.gui.snippet_text import Marks, copied_quote, set_apart, shown_snippet
from desktop_rag.index.catalog.file_lookup import relative_to
from desktop_rag.index.records import ContentId
from desktop_rag.index.team_status import ON_SERVER
from desktop_rag.retrieval.api import Hit, NamedFile
from desktop_rag.settings import NOTHING_WITHHELD, Withheld
from desktop_rag.text.display import one_line, shown_name, shown_path
from desktop_rag.text.normalize import has_tag

# The rows of a search: each document once, its best passages below it, further ones folded.

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


ROW_ROLE = Qt.ItemDataRole.UserRole.value + 1
NEVER_SENT_ROLE = Qt.ItemDataRole.UserRole.value + 2  # whether the file is kept from every endpoint
_MOST_PLACES = 12  # paths listed in a tooltip
_LAST = "\u2068{}\u2069"  # isolates a name of another text direction from the text around it

Index = QModelIndex | QPersistentModelIndex


class ResultsModel(QAbstractListModel):
    """Rows in the order of the best hit of each document."""

    rest_requested = Signal(object)  # find all passages of the document with this ContentId: it was unfolded

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Row, ...] = ()
        self._documents: dict[ContentId, FoundDocument] = {}
        self._opened: set[ContentId] = set()  # documents with all passages shown
        self._rest: dict[ContentId, tuple[Sequence[Hit], bool]] = {}  # more passages of capped documents; others left?
        self._per_document = 0
        self._withheld = NOTHING_WITHHELD

    def withhold(self, withheld: Withheld) -> None:
        """Mark the documents that are `withheld` as never sent."""
        if withheld != self._withheld:
            self._withheld = withheld
            if self._rows:
                self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def is_never_sent(self, row: Row) -> bool:
        """Return whether a row shows a document that is kept from every endpoint."""
        return bool(self._withheld) and (self._withheld_tag(row) != "" or self._is_below_path(row))

    def _is_below_path(self, row: Row) -> bool:
        if isinstance(row, HeadingRow | MoreRow | FoldRow):
            return False
        places = (row.file.path,) if isinstance(row, FileRow) else (row.hit.path, *row.hit.also)
        paths = self._withheld.paths
        return any(relative_to(path, os.fsencode(place)) is not None for path in paths for place in places)

    def _withheld_tag(self, row: Row) -> str:
        """Return the tag for which a document is never sent, empty if there is none."""
        if isinstance(row, HeadingRow | MoreRow | FoldRow):
            return ""
        tags = row.file.tags if isinstance(row, FileRow) else row.hit.tags
        return next((tag for tag in tags if has_tag((tag,), self._withheld.tags)), "")

    @property
    def rows(self) -> tuple[Row, ...]:
        """Return all rows."""
        return self._rows

    def has_more(self) -> bool:
        """Return whether a row offers more hits."""
        return any(isinstance(row, MoreRow) for row in self._rows)

    def show_hits(
        self,
        hits: Sequence[Hit],
        similar: Sequence[Hit] = (),
        named: Sequence[NamedFile] = (),
        *,
        more: bool = False,
        stay: bool = False,
        per_document: int = 0,
    ) -> None:
        """Replace the rows; `named` files and `similar` hits follow below headings, `more` adds the last row.

        With `stay` unfolded documents stay so. `per_document` is the most hits that one document has, 0 if there is no
        limit.
        """
        self.beginResetModel()
        if not stay:
            self._opened.clear()
            self._rest.clear()
        found, apart = (list(map(self._joined, documents_of(each))) for each in (hits, similar))
        self._documents = {each.row.hit.content: each for each in (*apart, *found)}
        self._per_document = per_document
        without = self.tr("Similar passages without your words")
        some = any(hit.why.by_words for hit in similar)
        heading = HeadingRow(self.tr("Similar passages that do not fulfil your query") if some else without)
        rows = [row for each in found for row in self._rows_of(each)]
        rows += [MoreRow()] if more else []
        rows += [HeadingRow(self.tr("Files without text, found by name")), *map(file_row, named)] if named else []
        rows += [heading, *(row for each in apart for row in self._rows_of(each))] if apart else []
        self._rows = tuple(rows)
        self.endResetModel()

    def _joined(self, document: FoundDocument) -> FoundDocument:
        rest = self._rest.get(document.row.hit.content)
        return document if rest is None else document.joined_by(*rest)

    def show_rest(self, content: ContentId, hits: Sequence[Hit], *, more: bool = False) -> None:
        """Add the passages of a document beyond those that the search gave; `more`: there are others."""
        if (before := self._documents.get(content)) is None or content in self._rest:
            return
        self._rest[content] = (hits, more)
        after = self._documents[content] = self._joined(before)
        head = next(
            at for at, row in enumerate(self._rows) if isinstance(row, DocumentRow) and row.hit is after.row.hit
        )
        folds = (at for at, row in enumerate(self._rows) if isinstance(row, FoldRow) and row.content == content)
        place = next(folds, -1)
        added = len(after.hits) - len(before.hits) if content in self._opened else 0
        if place >= 0:
            if added:
                self.beginInsertRows(QModelIndex(), place, place + added - 1)
            self._rows = (*self._rows[:head], *self._rows_of(after), *self._rows[place + 1 :])
            if added:
                self.endInsertRows()
            self.dataChanged.emit(self.index(head), self.index(place + added))

    def _rows_of(self, document: FoundDocument) -> list[Row]:
        if len(self._documents) == 1:
            return document.all_rows()
        is_open = document.row.hit.content in self._opened
        return document.rows(is_open=is_open, per_document=self._per_document)

    def set_open(self, content: ContentId, *, open_: bool) -> int:
        """Show or hide the further passages of a document; return the first row of them, or that which unfolds them.

        Return -1 if there are no such passages.
        """
        folds = ((at, row) for at, row in enumerate(self._rows) if isinstance(row, FoldRow) and row.content == content)
        place, fold = next(folds, (-1, None))
        if fold is None:
            return -1
        first = place - fold.count if fold.open else place
        if fold.open == open_:
            return first
        (self._opened.add if open_ else self._opened.discard)(content)
        *shown, changed = self._rows_of(self._documents[content])
        if open_:
            self.beginInsertRows(QModelIndex(), first, first + fold.count - 1)
            self._rows = (*self._rows[:first], *shown[-fold.count :], changed, *self._rows[place + 1 :])
            self.endInsertRows()
        else:
            self.beginRemoveRows(QModelIndex(), first, place - 1)
            self._rows = (*self._rows[:first], changed, *self._rows[place + 1 :])
            self.endRemoveRows()
        last = self.index(first + fold.count if open_ else first)
        self.dataChanged.emit(last, last)
        if open_ and fold.capped:
            self.rest_requested.emit(content)
        return first

    def reveal(self, hit: Hit) -> int:
        """Return the row of a passage, whose document is unfolded if need be; -1 if there is none."""
        document = self._documents.get(hit.content)
        if document is not None and (place := place_among(document.hits, hit)) >= BEST:
            hit = document.hits[place]
            self.set_open(hit.content, open_=True)
        return self._row_of(hit)

    def place_of(self, row: Row) -> int:
        """Return the new row of the same document or passage, -1 if it is gone."""
        if isinstance(row, HitRow):
            return self._row_of(row.hit)
        return next((place for place, other in enumerate(self._rows) if same_row(row, other)), -1)

    def _row_of(self, hit: Hit) -> int:
        rows = [(at, row.hit) for at, row in enumerate(self._rows) if isinstance(row, HitRow)]
        place = place_among([shown for _, shown in rows], hit)
        return rows[place][0] if place >= 0 else -1

    def row(self, index: Index) -> Row | None:
        """Return the row at an index."""
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of rows."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a row's text, its tooltip, or the row itself."""
        row = self.row(index)
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(row)
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip(self._tip(row)) if isinstance(row, DocumentRow | HitRow | FileRow) else None
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return self._described(row)
            case _ if role == NEVER_SENT_ROLE:
                return self.is_never_sent(row)
            case _:
                return row if role == ROW_ROLE else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Make every row selectable and draggable."""
        if not index.isValid() or isinstance(self.row(index), HeadingRow):
            return Qt.ItemFlag.NoItemFlags
        chosen = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return chosen | Qt.ItemFlag.ItemIsDragEnabled if isinstance(self.row(index), DocumentRow | HitRow) else chosen

    def mimeTypes(self) -> list[str]:
        """Return the MIME types of a dragged row."""
        return list(MIME_TYPES)

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the files of the rows, and their quotes as text."""
        rows = [row for index in indexes if isinstance(row := self.row(index), DocumentRow | HitRow)]
        return quote_data(_quoted(row.hit) for row in rows)

    def _spoken(self, row: Row) -> str:
        if isinstance(row, DocumentRow | FileRow) and self.is_never_sent(row):
            return f"{self._named(row)}, {never_sent_words()}"
        return self._named(row)

    def _named(self, row: Row) -> str:
        if isinstance(row, MoreRow):
            return self.tr("Show more")
        if isinstance(row, HeadingRow):
            return row.text
        if isinstance(row, FoldRow):
            return _LAST.format(row.name) + ", " + fold_words(row)
        if isinstance(row, FileRow):
            return ", ".join((row.name, self.tr("no text"), row.folder, row.date))
        if isinstance(row, DocumentRow):
            found = counted(self.tr("%Ln passage(s)", "", row.count), row.count)
            also = also_words(row.also)
            return ", ".join(filter(None, (_LAST.format(row.heading), found, row.folder, row.date, also)))
        return f"{row.place}: {row.snippet}"

    def _described(self, row: Row) -> str:
        """Return why a row has its rank, as accessible text."""
        return self._tip(row).replace("\n", ", ") if isinstance(row, HitRow) else ""

    def _tip(self, row: FoundRow | FileRow) -> str:
        if not self.is_never_sent(row):
            return self._about(row)
        never = self.tr("Never sent: found and read here, but no model gets its text or its name")
        tag = self._withheld_tag(row)
        why = self.tr("Because of its tag “{0}”").format(one_line(tag)) if tag else self.tr("Because of where it lies")
        return f"{self._about(row)}\n{never}\n{why}"

    def _about(self, row: FoundRow | FileRow) -> str:
        if isinstance(row, FileRow):
            return "\n".join(filter(None, (shown_path(str(row.file.path)), one_line(sentence(row.file.reason)))))
        if isinstance(row, DocumentRow):
            paths = [shown_path(str(path)) for path in (row.hit.path, *row.hit.also[:_MOST_PLACES])]
            unnamed = len(row.hit.also) - _MOST_PLACES
            return "\n".join((*paths, *([self.tr("and {0} more").format(unnamed)] if unnamed > 0 else ())))
        why = row.hit.why
        parts = [self.tr("Rank {0} in this search").format(row.hit.rank)]
        if why.keyword_rank is not None:
            parts.append(self.tr("Rank {0} by words").format(why.keyword_rank))
        if why.semantic_rank is not None:
            parts.append(self.tr("Rank {0} by meaning").format(why.semantic_rank))
        return "\n".join(parts)


def never_sent_words() -> str:
    """Return the note on a document that is kept from every endpoint."""
    return QCoreApplication.translate("ResultsModel", "never sent")


def fold_words(row: FoldRow) -> str:
    """Return the text of the row that shows or hides the further passages of a document."""
    tr = QCoreApplication.translate
    if row.open:
        return tr("ResultsModel", "Show the best {0} only").format(formatting.number(BEST))
    text = (
        tr("ResultsModel", "The next %Ln in this document", "", row.count)
        if row.capped
        else tr("ResultsModel", "%Ln more in this document", "", row.count)
    )
    return counted(text, row.count)


def also_words(count: int) -> str:
    """Return "also in N other files", or ""."""
    tr = QCoreApplication.translate
    if count == 1:
        return tr("ResultsModel", "also in 1 other file")
    return tr("ResultsModel", "also in {0} other files").format(formatting.number(count)) if count else ""


def quotation(hit: Hit) -> str:
    """Return the snippet of a hit with its source, for the clipboard."""
    return _quoted(hit).text


def _quoted(hit: Hit) -> QuotedPassage:
    span = hit.snippet.span
    lines = (span.first_line, span.last_line)
    words = copied_quote(hit.snippet.text, hit.format)
    return QuotedPassage(words, hit.title, str(hit.path), hit.page, *lines, hit.sha256)
