"""The hits of a query as rows: each document once, with all its hits below it."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import (
    QAbstractListModel,
    QDateTime,
    QLocale,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    QUrl,
)
from PySide6.QtWidgets import QWidget

from desktop_rag.gui import wording
from desktop_rag.gui.foreign import one_line, shown_name, shown_path, tool_tip
from desktop_rag.retrieval.hits import Hit

ROW_ROLE = Qt.ItemDataRole.UserRole.value + 1
_LAST = "\u2068{}\u2069"  # a name in another direction does not turn the words around it

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document that was found, and how many of its passages."""

    hit: Hit
    count: int
    name: str
    folder: str
    date: str


@dataclass(frozen=True, slots=True)
class HitRow:
    """One passage of the document above."""

    hit: Hit
    place: str
    snippet: str
    marks: tuple[tuple[int, int], ...] = field(default=())


Row = DocumentRow | HitRow


class ResultsModel(QAbstractListModel):
    """Rows in the order of the best hit of each document."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Row, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """Return all rows."""
        return self._rows

    def show_hits(self, hits: Sequence[Hit]) -> None:
        """Replace the rows."""
        self.beginResetModel()
        self._rows = tuple(_rows(hits))
        self.endResetModel()

    def row(self, index: Index) -> Row | None:
        """Return the row at an index."""
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def rowCount(self, parent: Index | None = None) -> int:
        """Return how many rows there are."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a row's words, its tool tip, or the row itself."""
        row = self.row(index)
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(row)
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip(self._tip(row))
            case _:
                return row if role == ROW_ROLE else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let every row be chosen and dragged out."""
        chosen = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled
        return chosen if index.isValid() else Qt.ItemFlag.NoItemFlags

    def mimeTypes(self) -> list[str]:
        """Return what a dragged row carries."""
        return ["text/uri-list", "text/plain"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the files of the rows, and their quotes as text."""
        rows = [row for index in indexes if (row := self.row(index)) is not None]
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in dict.fromkeys(row.hit.path for row in rows)])
        data.setText("\n\n".join(quotation(row.hit) for row in rows))
        return data

    def _spoken(self, row: Row) -> str:
        if isinstance(row, DocumentRow):
            found = self.tr("1 passage") if row.count == 1 else self.tr("{0} passages").format(row.count)
            return f"{_LAST.format(row.name)}, {found}, {row.folder}, {row.date}"
        return f"{row.place}: {row.snippet}"

    def _tip(self, row: Row) -> str:
        if isinstance(row, DocumentRow):
            return "\n".join(map(str, (row.hit.path, *row.hit.also)))
        why = row.hit.why
        parts = [self.tr("Place {0} of this search").format(row.hit.rank)]
        if why.keyword_rank is not None:
            parts.append(self.tr("Place {0} by its words").format(why.keyword_rank))
        if why.semantic_rank is not None:
            parts.append(self.tr("Place {0} by its meaning").format(why.semantic_rank))
        return "\n".join(parts)


def quotation(hit: Hit) -> str:
    """Return the snippet of a hit with its source, for a clipboard."""
    span = hit.snippet.span
    return wording.quotation(hit.snippet.text, hit.title, str(hit.path), hit.page, span.first_line, span.last_line)


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
        shown = name if not title or title == name else f"{title}  ·  {name}"
        rows.append(
            DocumentRow(first, len(same), shown, shown_path(os.fsencode(first.path.parent)), _day(first.modified_ns))
        )
        rows += (_hit_row(hit) for hit in same)
    return rows


def _hit_row(hit: Hit) -> HitRow:
    snippet = hit.snippet
    place = wording.place(hit.page, snippet.span.first_line, snippet.span.last_line, hit.section)
    heading = one_line(hit.heading)
    parts = (place, heading if heading and heading not in (hit.title, hit.section) else "")
    return HitRow(hit, "  ·  ".join(filter(None, parts)), one_line(snippet.text), snippet.marks)


def _day(moment_ns: int) -> str:
    moment = QDateTime.fromMSecsSinceEpoch(moment_ns // 1_000_000)
    return QLocale().toString(moment.date(), QLocale.FormatType.ShortFormat)
