"""Shows the privacy ledger: the lines sent to each host, with their file and question."""

import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QDateTime, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from desktop_rag.agent.gate.sent_ledger import SentRow
from desktop_rag.gui.formatting import counted, shown_moment, tool_tip
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.fields import close_button
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.widgets.layouts import in_column, in_row
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.text.display import one_line, shorten, shown_name

MOST_SHOWN = 500
_TYPING = 200  # milliseconds
_LONGEST = 200  # characters of a cell
_DOCUMENT, _QUESTION = 2, 4  # columns


class _Names(QStyledItemDelegate):
    """Elides names in the middle, since their end is their type; sentences are elided at the end."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideMiddle


class SentDialog(BoundedDialog):
    """The record with a search field; the control fills it and carries out the rest."""

    search_requested = Signal(str)
    export_requested = Signal(object)  # a Path that ends with .csv or .json
    clear_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("What was sent"))
        self.resize(860, 560)
        self._field = QLineEdit(self)
        self._field.setClearButtonEnabled(True)
        self._field.setPlaceholderText(self.tr("A folder, file, host or question"))
        self._field.setAccessibleName(self.tr("Search what was sent"))
        self._typing = QTimer(self, singleShot=True, interval=_TYPING)
        self._field.textChanged.connect(self._typing.start)
        self._typing.timeout.connect(self.search)
        titles = (self.tr("When"), self.tr("Host"), self.tr("Document"), self.tr("Lines"), self.tr("Question"))
        self._model = QStandardItemModel(0, len(titles), self)
        self._model.setHorizontalHeaderLabels(list(titles))
        self._table = QTableView(self)
        self._table.setModel(self._model)
        self._table.setItemDelegateForColumn(_DOCUMENT, _Names(self._table))
        self._table.setAccessibleName(self.windowTitle())
        self._table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self._table.verticalHeader().hide()
        self._table.setShowGrid(False)
        self._table.setWordWrap(False)
        header = self._table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for column in (_DOCUMENT, _QUESTION):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self._note = PlainLabel("", "muted", self)
        self._export = QPushButton(self.tr("Export…"), self)
        self._export.clicked.connect(self._on_export)
        self._clear = QPushButton(self.tr("Erase this record"), self)
        set_role(self._clear, "danger")
        self._clear.clicked.connect(self.clear_requested)
        self._arrange()

    def _arrange(self) -> None:
        buttons = in_row((self._note, 1), *(self._clear, self._export, close_button(self, self.tr("Close"))))
        in_column(self._field, (self._table, 1), buttons, on=self, margins=2 * GRID)

    @Slot()
    def search(self) -> None:
        """Ask for what fits the words in the field."""
        self.search_requested.emit(self._field.text())

    def show_rows(self, rows: Sequence[SentRow]) -> None:
        """Show the newest rows."""
        self._model.removeRows(0, self._model.rowCount())
        for row in rows[:MOST_SHOWN]:
            self._model.appendRow(self._items(row))
        self._export.setEnabled(bool(rows))
        self._clear.setEnabled(bool(rows) or bool(self._field.text()))
        if not rows:
            self.show_note(
                self.tr("Nothing like that was sent.") if self._field.text() else self.tr("Nothing was sent.")
            )
        elif len(rows) > MOST_SHOWN:
            self.show_note(self.tr("The newest {0} are shown; the export has all.").format(MOST_SHOWN))
        else:
            self.show_note(counted(self.tr("%Ln row(s)", "", len(rows)), len(rows)))

    def show_note(self, text: str) -> None:
        """Show a sentence beside the buttons."""
        self._note.setText(text)

    def _items(self, row: SentRow) -> list[QStandardItem]:
        when = QDateTime.fromString(row.sent, Qt.DateFormat.ISODate).toLocalTime()
        texts = [
            shown_moment(when),
            one_line(row.host),
            shown_name(os.fsencode(row.path)) if row.path else self._without_document(row),
            _lines(row) if row.path else "",
            one_line(row.question),
        ]
        items = [QStandardItem(shorten(text, _LONGEST)) for text in texts]
        items[_DOCUMENT].setToolTip(tool_tip(one_line(row.path)))
        items[_QUESTION].setToolTip(tool_tip(texts[_QUESTION]))
        return items

    def _without_document(self, row: SentRow) -> str:
        return self.tr("no document") if row.characters else self.tr("not sent: no connection")

    @Slot()
    def _on_export(self) -> None:
        dialog = FileDialog(self, self.tr("Export what was sent"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(["CSV (*.csv)", "JSON (*.json)"])
        dialog.setDefaultSuffix("csv")
        dialog.fileSelected.connect(lambda name: self.export_requested.emit(Path(name)))
        dialog.open()


def _lines(row: SentRow) -> str:
    one = row.first_line == row.last_line
    return str(row.first_line) if one else f"{row.first_line}–{row.last_line}"
