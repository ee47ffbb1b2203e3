"""The page of tables: one table with its bar of commands, and the proof of the chosen cell below it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, QTimer, Signal, SignalInstance, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHeaderView,
    QMenu,
    QPushButton,
    QTableView,
    QWidget,
)

from desktop_rag.gui.command_parts import CommandPart, new_command
from desktop_rag.gui.theme.theme import GRID, row_height, set_role
from desktop_rag.gui.widgets.fields import ElidedComboBox, FilterField
from desktop_rag.gui.widgets.layouts import in_row
from desktop_rag.gui.widgets.plain_labels import PlainLabel, button_text
from desktop_rag.gui.work.sections_page import WorkPage
from desktop_rag.gui.work.table_model import TableModel, cell_tip
from desktop_rag.text.display import one_line
from desktop_rag.work.arrangement import Arrangement
from desktop_rag.work.table import Place, Table, TableHead, TableId

_TYPING_MS = 150  # debounce of typing in the filter
_ROW = 30  # pixels
_WIDTHS = (260, 170)  # of the documents, of a question
_ONLY = ((), ("waiting", "failed"), ("absent", "unstated"), ("doubtful",), ("stale",), ("corrected",))


class TablePage(WorkPage):
    """Shows a table and reports gestures; `TableControl` does the work."""

    fill_requested = Signal()
    stop_requested = Signal()
    again_requested = Signal(object)  # the places (a tuple) to ask again
    correct_requested = Signal(object)  # the place to correct by hand
    restore_requested = Signal(object)  # the places whose correction is taken back
    open_requested = Signal(object)  # the place, or the Row, whose lines to show
    columns_requested = Signal()
    note_requested = Signal(object)  # the place whose proof to save to the notes
    remove_requested = Signal(object)  # the numbers (a tuple) of rows to remove
    rename_requested = Signal()
    export_requested = Signal(str)  # a format

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("New table…"), self.tr("Tables"), parent)
        self.model = TableModel(self)
        self.view = QTableView(self)
        self.filter = FilterField(self.tr("Filter the rows"), self)
        self.only = QComboBox(self)
        self.group = ElidedComboBox(self)
        self.fill = QPushButton(self.tr("Fill"), self)
        self._proof = PlainLabel("", "muted", self)
        self._filling = False
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._add_commands()
        self._arrange()
        self._connect()
        self.show_tables((), None)

    def show_tables(self, heads: Sequence[TableHead], current: TableId | None) -> None:
        """List the tables; without any, offer to make one."""
        parts = (self.filter, self.only, self.group, self.fill)
        self._show_kept([(head.id, head.name) for head in heads], current, *parts)
        if not heads:
            self.placeholder.show_words(
                self.tr("Ask the same questions of many documents"),
                self.tr("Rows are documents, columns are your questions; each value is proven by its line."),
                self.tr("New table…"),
            )
            self._proof.setText("")
            self.show_said("")

    def show_table(self, table: Table) -> None:
        """Show a table in the order that was chosen for it."""
        same = table.id == self.model.table.id
        widths = [column.id for column in self.model.table.columns] == [column.id for column in table.columns]
        how = self.model.how if same else Arrangement()
        scrolled = self.view.verticalScrollBar().value()
        self.model.show_table(table, how)
        with QSignalBlocker(self.group):
            self.group.clear()
            self.group.addItem(self.tr("No groups"), None)
            for column in table.columns:
                self.group.addItem(button_text(self.tr("By {0}").format(one_line(column.name))), column.id)
            self.group.setCurrentIndex(max(0, self.group.findData(how.group)))
        if not same:
            with QSignalBlocker(self.filter), QSignalBlocker(self.only):
                self.filter.setText("")
                self.only.setCurrentIndex(0)
        if not (same and widths):
            for place in range(self.model.columnCount()):
                self.view.setColumnWidth(place, _WIDTHS[min(place, 1)])
        self._span_headings()
        self.view.verticalScrollBar().setValue(scrolled if same else 0)

    def show_filling(self, *, filling: bool) -> None:
        """Offer to fill the table, or to stop."""
        self._filling = filling
        self.fill.setText(self.tr("Stop") if filling else self.tr("Fill"))
        set_role(self.fill, "" if filling else "primary")
        if not filling:
            self.model.note_ended()

    def show_said(self, text: str) -> None:
        """Tell how far the table is."""
        self._said.setText(text)

    def places(self) -> tuple[Place, ...]:
        """Return the selected cells."""
        found = (self.model.place_of(index) for index in self.view.selectedIndexes())
        return tuple(sorted({place for place in found if place is not None}))

    def commands(self) -> CommandPart:
        """Return the commands on selected cells."""
        none = self.tr("No cell is selected")
        return CommandPart(
            "table",
            self.tr("On a table"),
            self._actions,
            blocked=lambda: "" if self.view.isVisible() and self.places() else none,
        )

    def _add_commands(self) -> None:
        def command(name: str, text: str, keys: str, act: Callable[[], object]) -> QAction:
            action = new_command(self.view, name, text, keys, act)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            self.view.addAction(action)
            return action

        self._actions = (
            command("open_line", self.tr("Open the line"), "Return", self._on_open),
            command("correct", self.tr("Correct…"), "F2", lambda: self._emit_first(self.correct_requested)),
            command(
                "restore",
                self.tr("Take the correction back"),
                "Shift+F2",
                lambda: self._emit_all(self.restore_requested),
            ),
            command("again", self.tr("Ask again"), "F5", lambda: self._emit_all(self.again_requested)),
            command("note", self.tr("Save to notes"), "Ctrl+Shift+J", lambda: self._emit_first(self.note_requested)),
            command("remove", self.tr("Remove from the table"), "Del", self._on_remove),
        )

    def _arrange(self) -> None:
        view = self.view
        view.setModel(self.model)
        view.setAccessibleName(self.tr("Table"))
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        rows, head = view.verticalHeader(), view.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(row_height(_ROW))
        head.setSectionsClickable(True)
        head.setHighlightSections(False)
        head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        view.setSortingEnabled(True)
        for text in (
            self.tr("All rows"),
            self.tr("Not answered"),
            self.tr("Not found"),
            self.tr("Doubtful"),
            self.tr("Changed since"),
            self.tr("Corrected"),
        ):
            self.only.addItem(text)
        self.only.setAccessibleName(self.tr("Which rows"))
        self.group.setAccessibleName(self.tr("Groups"))
        choices = in_row((self.filter, 2), self.only, (self.group, 1), spacing=None, margins=(2 * GRID, 0, 2 * GRID, 0))
        self._lay_out(view, (self.fill,), choices, said=(self._proof, self._said))
        stops = (self.placeholder.button, view, self.kept, self.filter, self.only, self.group)
        for before, after in pairwise((*stops, self.new, self.fill, self._more, self._back)):
            self.setTabOrder(before, after)

    def _connect(self) -> None:
        self.fill.clicked.connect(self._on_fill_clicked)
        self._more.clicked.connect(self._on_more)
        self.filter.textChanged.connect(lambda _: self._typing.start())
        self._typing.timeout.connect(self._on_choices)
        self.only.activated.connect(self._on_choices)
        self.group.activated.connect(self._on_choices)
        self.model.order_asked.connect(self._on_order_asked)
        self.view.clicked.connect(self._on_open)
        self.view.customContextMenuRequested.connect(self._on_menu)
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)

    @Slot()
    def _on_choices(self) -> None:
        only = frozenset(_ONLY[max(0, self.only.currentIndex())])
        how = replace(self.model.how, words=self.filter.text(), only=only, group=self.group.currentData())
        self._use(how)

    @Slot(object)
    def _on_order_asked(self, order: tuple[int | None, bool]) -> None:
        if self.model.table.columns:
            self._use(replace(self.model.how, sort=order[0], descending=order[1]))

    def _use(self, how: Arrangement) -> None:
        if how != self.model.how:
            self.model.arrange(how)
            self._span_headings()

    def _span_headings(self) -> None:
        self.view.clearSpans()
        if self.model.how.group is not None:
            for at in range(self.model.rowCount()):
                if self.model.row_at(self.model.index(at, 0)) is None and at < self.model.rowCount() - 1:
                    self.view.setSpan(at, 0, 1, self.model.columnCount())

    @Slot()
    def _on_current_changed(self) -> None:
        index = self.view.currentIndex()
        place, row = self.model.place_of(index), self.model.row_at(index)
        column = next((each for each in self.model.table.columns if place and each.id == place[1]), None)
        tip = cell_tip(self.model.table, row, column) if row and column else ""
        self._proof.setText(tip.replace("\n", " "))

    @Slot()
    def _on_open(self) -> None:
        index = self.view.currentIndex()
        place, row = self.model.place_of(index), self.model.row_at(index)
        if place is not None and self.model.table.cell(*place).proof is not None:
            self.open_requested.emit(place)
        elif row is not None and index.column() == 0:
            self.open_requested.emit(row)

    @Slot()
    def _on_fill_clicked(self) -> None:
        (self.stop_requested if self._filling else self.fill_requested).emit()

    @Slot()
    def _on_remove(self) -> None:
        rows = (self.model.row_at(index) for index in self.view.selectedIndexes())
        if numbers := tuple(sorted({row.number for row in rows if row is not None})):
            self.remove_requested.emit(numbers)

    def _emit_first(self, signal: SignalInstance) -> None:
        if places := self.places():
            signal.emit(places[0])

    def _emit_all(self, signal: SignalInstance) -> None:
        if places := self.places():
            signal.emit(places)

    @Slot(QPoint)
    def _on_menu(self, at: QPoint) -> None:
        if self.model.row_at(self.view.indexAt(at)) is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(list(self._actions))
        menu.popup(self.view.viewport().mapToGlobal(at))

    @Slot()
    def _on_more(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, kind in (
            (self.tr("Export as Excel workbook…"), "xlsx"),
            (self.tr("Export as CSV…"), "csv"),
            (self.tr("Export as Markdown…"), "md"),
        ):
            menu.addAction(text).triggered.connect(lambda _=False, kind=kind: self.export_requested.emit(kind))
        menu.addSeparator()
        menu.addAction(self.tr("Change the columns…")).triggered.connect(self.columns_requested)
        menu.addAction(self.tr("Rename…")).triggered.connect(self.rename_requested)
        menu.addAction(self.tr("Delete the table…")).triggered.connect(self.delete_requested)
        menu.popup(self._more.mapToGlobal(QPoint(0, self._more.height())))
