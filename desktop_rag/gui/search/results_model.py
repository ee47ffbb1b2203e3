"""The hits of a query as rows: each document once, its hits below it."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QDateTime,
    QLocale,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtWidgets import QWidget

from desktop_rag.gui import formatting
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import counted, tool_tip
from desktop_rag.gui.quote_data import MIME_TYPES, QuotedPassage, quote_data
from desktop_rag.gui.widgets.snippet_text import Marks, shown_snippet
from desktop_rag.index.catalog.file_lookup import relative_to
from desktop_rag.retrieval.api import Hit, NamedFile
from desktop_rag.settings import NOTHING_WITHHELD, Withheld
from desktop_rag.text.display import one_line, shown_name, shown_path
from desktop_rag.text.tag_names import has_tag

ROW_ROLE = Qt.ItemDataRole.UserRole.value + 1
NEVER_SENT_ROLE = Qt.ItemDataRole.UserRole.value + 2  # whether the file is kept from every endpoint
_MOST_PLACES = 12  # paths listed in a tooltip
_LAST = "\u2068{}\u2069"  # isolates a name of another text direction from the text around it

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A found document, its number of passages, and its number of other paths."""

    hit: Hit
    count: int
    title: str  # empty if the title only repeats the file name
    name: str
    folder: str
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


FoundRow = DocumentRow | HitRow
Row = FoundRow | FileRow | HeadingRow | MoreRow


class ResultsModel(QAbstractListModel):
    """Rows in the order of the best hit of each document."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Row, ...] = ()
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
        if isinstance(row, HeadingRow | MoreRow):
            return False
        places = (row.file.path,) if isinstance(row, FileRow) else (row.hit.path, *row.hit.also)
        paths = self._withheld.paths
        return any(relative_to(path, os.fsencode(place)) is not None for path in paths for place in places)

    def _withheld_tag(self, row: Row) -> str:
        """Return the tag because of which a document is never sent, empty if there is none."""
        if isinstance(row, HeadingRow | MoreRow):
            return ""
        tags = row.file.tags if isinstance(row, FileRow) else row.hit.tags
        return next((tag for tag in tags if has_tag((tag,), self._withheld.tags)), "")

    @property
    def rows(self) -> tuple[Row, ...]:
        """Return all rows."""
        return self._rows

    def show_hits(
        self,
        hits: Sequence[Hit],
        similar: Sequence[Hit] = (),
        named: Sequence[NamedFile] = (),
        *,
        more: bool = False,
        divided: bool = False,
    ) -> None:
        """Replace the rows; `named` files and `similar` hits follow below headings, `more` adds the last row.

        `divided`: the documents at the end that were found by meaning only stand below a heading, too.
        """
        self.beginResetModel()
        files: tuple[Row, ...] = tuple(map(_file_row, named))
        if files:
            files = (HeadingRow(self.tr("Files without text, found by name")), *files)
        heading = HeadingRow(self.tr("Similar passages without your words"))
        apart = (heading, *_rows(similar)) if similar else ()
        rows = _rows(hits)
        if divided and 0 < (last := _end_of_words(rows)) < len(rows):
            rows.insert(last, heading)
        self._rows = (*rows, *((MoreRow(),) if more else ()), *files, *apart)
        self.endResetModel()

    def place_of(self, row: Row) -> int:
        """Return the new row of the same document or passage, -1 if it is gone."""
        return next((place for place, other in enumerate(self._rows) if _same(row, other)), -1)

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
        never = self.tr("Never sent: found and read here, but no endpoint gets its text or its name")
        tag = self._withheld_tag(row)
        why = self.tr("Because of its tag “{0}”").format(one_line(tag)) if tag else self.tr("Because of where it lies")
        return f"{self._about(row)}\n{never}\n{why}"

    def _about(self, row: FoundRow | FileRow) -> str:
        if isinstance(row, FileRow):
            return "\n".join(filter(None, (one_line(str(row.file.path)), one_line(sentence(row.file.reason)))))
        if isinstance(row, DocumentRow):
            paths = [one_line(str(path)) for path in (row.hit.path, *row.hit.also[:_MOST_PLACES])]
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
    return QuotedPassage(hit.snippet.text, hit.title, str(hit.path), hit.page, *lines, hit.sha256)


def _rows(hits: Sequence[Hit]) -> list[Row]:
    documents: dict[int, list[Hit]] = {}
    for hit in hits:
        documents.setdefault(hit.content, []).append(hit)
    rows: list[Row] = []
    for same in documents.values():
        first = same[0]
        path = os.fsencode(first.path)
        name = shown_name(path)
        title = one_line(first.title)
        title = "" if title == name else title
        folder = shown_path(os.fsencode(first.path.parent))
        also = len({path for hit in same for path in hit.also} - {hit.path for hit in same})
        rows.append(DocumentRow(first, len(same), title, name, folder, _day(first.dated_ns), also))
        rows += (_hit_row(hit) for hit in same)
    return rows


def _end_of_words(rows: Sequence[Row]) -> int:
    """Return the row of the first document from which on no passage has a searched word."""
    with_words = [
        place for place, row in enumerate(rows) if isinstance(row, HitRow) and row.hit.why.keyword_rank is not None
    ]
    after = range(with_words[-1] + 1, len(rows)) if with_words else range(0)
    return next((place for place in after if isinstance(rows[place], DocumentRow)), 0)


def _same(row: Row, other: Row) -> bool:
    if isinstance(row, HitRow) and isinstance(other, HitRow):
        return row.hit.chunk == other.hit.chunk
    if isinstance(row, DocumentRow) and isinstance(other, DocumentRow):
        return row.hit.content == other.hit.content
    if isinstance(row, HeadingRow | FileRow):
        return row == other
    return isinstance(row, MoreRow) and isinstance(other, MoreRow)


def _hit_row(hit: Hit) -> HitRow:
    snippet = hit.snippet
    place = formatting.place(hit.page, snippet.span.first_line, snippet.span.last_line, hit.section)
    heading = one_line(hit.heading)
    parts = (place, heading if heading and heading not in (hit.title, hit.section) else "")
    named = "  ·  ".join(filter(None, parts))
    if "\n" in snippet.text:
        return HitRow(hit, named, *shown_code(snippet.text, snippet.marks), code=True)
    return HitRow(hit, named, *shown_snippet(snippet.text, snippet.marks, hit.format))


def _file_row(file: NamedFile) -> FileRow:
    folder = shown_path(os.fsencode(file.path.parent))
    return FileRow(file, shown_name(os.fsencode(file.path)), folder, _day(file.dated_ns))


def _day(moment_ns: int) -> str:
    moment = QDateTime.fromMSecsSinceEpoch(moment_ns // 1_000_000)
    return QLocale().toString(moment.date(), QLocale.FormatType.ShortFormat)


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
