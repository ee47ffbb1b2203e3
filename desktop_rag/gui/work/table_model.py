"""The rows of a table as they are looked at: groups with a heading, documents, and sums at the end.

What a cell shows is worked out when it is first painted and kept until it changes: a thousand rows scroll at once.
"""

from collections.abc import Collection

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QDate,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QPixmap

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import claim, number, place, shown_day, tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors
from desktop_rag.text.display import one_line
from desktop_rag.work.arrangement import DOCUMENT, Arrangement, arranged, state_of, summaries
from desktop_rag.work.columns import Column, Kind
from desktop_rag.work.table import Cell, Place, Row, Table, TableId

# The words for kinds, states and sums of tables in the language of the window.


def _tr(text: str) -> str:
    return QCoreApplication.translate("TableWording", text)


def kind_name(kind: Kind) -> str:
    """Return the name of a kind of answers."""
    return {
        Kind.TEXT: _tr("Text"),
        Kind.DATE: _tr("Date"),
        Kind.AMOUNT: _tr("Amount"),
        Kind.YES_NO: _tr("Yes or no"),
        Kind.ONE_OF: _tr("One of"),
    }[kind]


def state_name(state: str) -> str:
    """Return a state of a cell in a word or two."""
    return {
        "waiting": _tr("not asked yet"),
        "asked": _tr("asking…"),
        "found": "",
        "absent": _tr("not in this document"),
        "unstated": _tr("not found without a model"),
        "failed": _tr("no answer"),
        "stale": _tr("the document has changed since"),
        "corrected": _tr("corrected by hand"),
        "gone": _tr("the document is gone"),
        "doubtful": _tr("doubtful"),
    }[state]


def short_state(state: str) -> str:
    """Return a state as it stands in a cell: the tooltip has the whole of it."""
    return _tr("not found") if state == "unstated" else state_name(state)


def shown_value(column: Column, cell: Cell) -> str:
    """Return a value as it is shown: dates and yes or no in the language of the window, all else as written."""
    normal = cell.shown_normal
    if column.kind is Kind.DATE and len(normal) == len("2024-01-31"):
        return shown_day(QDate(*map(int, normal.split("-"))))
    if column.kind is Kind.YES_NO and normal:
        return _tr("yes") if normal == "yes" else _tr("no")
    return one_line(cell.shown)


def cell_tip(table: Table, row: Row, column: Column) -> str:
    """Return what is known of a cell: its state, what was found beside a correction, and its proof."""
    cell = table.cell(row.number, column.id)
    parts = [state_name(state_of(table, row, column))]
    if cell.correction is not None and cell.value:
        parts.append(_tr("found: {0}").format(one_line(cell.value)))
    if cell.note:
        parts.append(sentence(cell.note))
    return "\n".join(filter(None, (*parts, proof_text(cell))))


def proof_text(cell: Cell) -> str:
    """Return the quotation of a cell with its place and its mark; empty without one."""
    if cell.proof is None:
        return ""
    cited = cell.proof.citation
    where = place(cited.page, cited.first_line, cited.last_line, cited.section)
    quoted = _tr("“{0}”").format(one_line(cited.quote))
    return f"{quoted} – {where}. {claim(cell.proof.claim)}"


def cells_text(done: int, of: int) -> str:
    """Return how many cells have a result."""
    return _tr("{0} of {1} cells").format(number(done), number(of))


ICON = 14
_SUMS_MS = 400  # after a cell has come, before sums are told anew
_NO_TABLE = Table(TableId(0), "", (), ())
_ICONS = {"corrected": ("edit", "muted"), "stale": ("clock", "warning"), "doubtful": ("warning", "warning")}
_TICKED = ("quoted", "read")  # marks that say that the value stands there

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class TableModel(QAbstractTableModel):
    """Entries are rows, headings of groups (a text), or the sums (None)."""

    order_asked = Signal(object)  # the Arrangement that a click on a heading asks for

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table = _NO_TABLE
        self.how = Arrangement()
        self._cells: dict[Place, Cell] = {}
        self._entries: list[Row | str | None] = []
        self._at: dict[int, int] = {}  # the entry of each row by its number
        self._texts: dict[Place, tuple[str, str]] = {}  # what a cell shows, and its state
        self._asked: set[Place] = set()
        self._sums: dict[int, str] = {}
        self._summing = QTimer(self, singleShot=True, interval=_SUMS_MS)
        self._summing.timeout.connect(self._on_summing)

    def show_table(self, table: Table, how: Arrangement) -> None:
        """Show a table in this order."""
        self.beginResetModel()
        self._cells = dict(table.cells)
        self.table = Table(table.id, table.name, table.columns, table.rows, self._cells)
        self.how = how
        self._texts.clear()
        self._asked.clear()
        groups = arranged(self.table, how)
        entries: list[Row | str | None] = []
        for group in groups:
            entries += [group.label or "–"] if how.group is not None else []
            entries += group.rows
        self._sums = summaries(self.table, self.rows_of(entries), self.tr("({0} left out)"))
        self._entries = [*entries, *([None] if any(self._sums.values()) else [])]
        self._at = {entry.number: at for at, entry in enumerate(self._entries) if isinstance(entry, Row)}
        self.endResetModel()

    def arrange(self, how: Arrangement) -> None:
        """Show the same table in another order."""
        asked = set(self._asked)
        self.show_table(self.table, how)
        self._asked = asked

    @staticmethod
    def rows_of(entries: Collection[Row | str | None]) -> tuple[Row, ...]:
        """Return the documents among entries."""
        return tuple(entry for entry in entries if isinstance(entry, Row))

    @property
    def rows(self) -> tuple[Row, ...]:
        """The documents in the order in which they are looked at."""
        return self.rows_of(self._entries)

    def put(self, place: Place, cell: Cell) -> None:
        """Show a cell that has come; the order stays until it is asked for."""
        self._cells[place] = cell
        self._asked.discard(place)
        self._changed(place)
        self._summing.start()

    def note_asked(self, place: Place) -> None:
        """Show that a cell is being asked."""
        self._asked.add(place)
        self._changed(place)

    def note_ended(self) -> None:
        """Show no cell as being asked any more."""
        for cell in tuple(self._asked):
            self._asked.discard(cell)
            self._changed(cell)

    def place_of(self, index: Index) -> Place | None:
        """Return row and column of an index, None for headings, sums and the names of documents."""
        row = self.row_at(index)
        return (row.number, self.table.columns[index.column() - 1].id) if row and index.column() > 0 else None

    def row_at(self, index: Index) -> Row | None:
        """Return the document of an index."""
        entry = self._entries[index.row()] if 0 <= index.row() < len(self._entries) else None
        return entry if isinstance(entry, Row) else None

    def _changed(self, place: Place) -> None:
        self._texts.pop(place, None)
        at = self._at.get(place[0])
        column = next((n for n, each in enumerate(self.table.columns, 1) if each.id == place[1]), None)
        if at is not None and column is not None:
            self.dataChanged.emit(self.index(at, column), self.index(at, column))

    def _on_summing(self) -> None:
        self._sums = summaries(self.table, self.rows, self.tr("({0} left out)"))
        last = len(self._entries) - 1
        if last >= 0 and self._entries[last] is None:
            self.dataChanged.emit(self.index(last, 0), self.index(last, self.columnCount() - 1))
        elif any(self._sums.values()):
            self.beginInsertRows(_ROOT, last + 1, last + 1)
            self._entries.append(None)
            self.endInsertRows()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Return the number of entries."""
        return 0 if parent.isValid() else len(self._entries)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Return the documents and the questions."""
        return 0 if parent.isValid() or not self.table.columns else 1 + len(self.table.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return that documents can be chosen, headings and sums not."""
        usual = Qt.ItemFlag.ItemIsEnabled
        return usual | Qt.ItemFlag.ItemIsSelectable if self.row_at(index) else usual

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Report the order that is asked for."""
        by = DOCUMENT if column <= 0 else self.table.columns[column - 1].id if self.table.columns else None
        self.order_asked.emit((by, order is Qt.SortOrder.DescendingOrder))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the question of a column; its tooltip has the kind."""
        if orientation is Qt.Orientation.Vertical or not 0 <= section < self.columnCount():
            return None
        column = self.table.columns[section - 1] if section else None
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(column.name) if column else self.tr("Document")
        if role == Qt.ItemDataRole.ToolTipRole and column:
            return tool_tip(f"{column.name}\n{kind_name(column.kind)} {', '.join(column.options)}".strip())
        return _alignment(column) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what a cell shows."""
        entry = self._entries[index.row()] if index.row() < len(self._entries) else None
        if not isinstance(entry, Row):
            return self._data_apart(entry, index.column(), role)
        if index.column() == 0:
            return self._data_of_document(entry, role)
        column = self.table.columns[index.column() - 1]
        text, state = self._shown(entry, column)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return text
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(column)
            case Qt.ItemDataRole.DecorationRole:
                return self._picture(entry, column, state)
            case Qt.ItemDataRole.ForegroundRole:
                return None if state in ("found", "corrected", "doubtful", "stale") else QColor(current_colors().muted)
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip(cell_tip(self.table, entry, column))
            case Qt.ItemDataRole.AccessibleTextRole:
                told = state_name(state)
                return text if not told or told == text else f"{text}, {told}"
        return None

    def _shown(self, row: Row, column: Column) -> tuple[str, str]:
        place = (row.number, column.id)
        if place in self._asked:
            return state_name("asked"), "waiting"
        if place not in self._texts:
            state = state_of(self.table, row, column)
            value = shown_value(column, self.table.cell(*place))
            self._texts[place] = value or ("" if state == "waiting" else short_state(state)), state
        return self._texts[place]

    def _picture(self, row: Row, column: Column, state: str) -> QPixmap | None:
        name, color = _ICONS.get(state, ("", ""))
        proof = self.table.cell(row.number, column.id).proof
        if state == "found" and proof and proof.claim.mark in _TICKED:
            name, color = "check", "success"
        return icons.pixmap(name, getattr(current_colors(), color), ICON) if name else None

    def _data_of_document(self, row: Row, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return one_line(row.title)
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip(f"{row.path}\n{state_name('gone') if row.gone else ''}".strip())
            case Qt.ItemDataRole.ForegroundRole if row.gone:
                return QColor(current_colors().muted)
        return None

    def _data_apart(self, entry: str | None, column: int, role: int) -> object:
        """Return what headings of groups and sums show."""
        match role:
            case Qt.ItemDataRole.DisplayRole if entry is not None:
                return entry if column == 0 else ""
            case Qt.ItemDataRole.DisplayRole:
                rows = len(self.rows)
                return number(rows) if column == 0 else self._sums.get(self.table.columns[column - 1].id, "")
            case Qt.ItemDataRole.FontRole:
                font = QFont()
                font.setBold(True)
                return font
            case Qt.ItemDataRole.TextAlignmentRole if column:
                return _alignment(self.table.columns[column - 1])
        return None


def _alignment(column: Column | None) -> Qt.AlignmentFlag:
    right = column is not None and column.kind is Kind.AMOUNT
    return (Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft) | Qt.AlignmentFlag.AlignVCenter
