"""The first tab: filters above the table, and a sentence where there is no row to show."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QPushButton, QSizePolicy, QStackedWidget, QWidget

from desktop_rag.gui.files.file_wording import kind_name, problem_title, state_name
from desktop_rag.gui.files.files_model import FilesModel
from desktop_rag.gui.files.files_table import FilesTable
from desktop_rag.gui.formatting import counted, number
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.widgets.chips import Chip, FlowRow
from desktop_rag.gui.widgets.fields import FilterField
from desktop_rag.gui.widgets.layouts import CENTER, STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.file_rows import PROBLEMS, FileColumn, FileQuery, ListedState, Tally
from desktop_rag.text.display import shown_name, shown_path

_TYPING_MS = 120  # debounce of typing in the filter
_MOST_KINDS = 60


class FilesPlaceholder(QWidget):
    """A heading, a sentence and perhaps a button, in place of the rows."""

    acted = Signal()  # the button was pressed

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = PlainLabel("", "heading", self)
        self._sentence = PlainLabel("", "muted", self)
        self.button = QPushButton(self)
        for label in (self._title, self._sentence):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        in_column(
            STRETCH,
            self._title,
            self._sentence,
            GRID // 2,
            (self.button, CENTER),
            (STRETCH, 2),
            on=self,
            margins=(4 * GRID, 2 * GRID, 4 * GRID, 2 * GRID),
        )
        self.button.clicked.connect(self.acted)

    def show_words(self, title: str, sentence: str = "", act: str = "") -> None:
        """Show a state of the list; `act` names the button, none if empty."""
        self._title.setText(title)
        self._sentence.setText(sentence)
        self.button.setText(act)
        self.button.setVisible(bool(act))

    def words(self) -> str:
        """Return the heading and the sentence."""
        return f"{self._title.text()} {self._sentence.text()}".strip()


class FilesList(QWidget):
    """Filters and table; reports the query to run."""

    queried = Signal(object)  # the FileQuery to show, without a revision

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.query = FileQuery()
        self.model = FilesModel(self)
        self.table = FilesTable(self.model, self)
        self.placeholder = FilesPlaceholder(self)
        self.filter = FilterField(self.tr("Filter by name or folder"), self)
        self.states = QComboBox(self)
        self.kinds = QComboBox(self)
        self._folder = b""  # path of the root folder that is listed alone
        self._choices = FlowRow(self)
        self._said = PlainLabel("", "caption", self)
        self._stack = QStackedWidget(self)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._fill()
        self._arrange()
        self._connect()

    def set_query(self, query: FileQuery, folder: bytes = b"") -> None:
        """Show a query in the filters and run it; `folder` is the path of its root folder."""
        self.filter.setText(query.words)  # not blocked: its clear button follows the signal
        self._typing.stop()
        with QSignalBlocker(self.states), QSignalBlocker(self.kinds):
            self.states.setCurrentIndex(max(0, self._state_choice(query)))
            self._choose_kind(query.kind)
        with QSignalBlocker(self.model):
            self.table.show_order(query.column, descending=query.descending)
        self._folder = folder or self._folder
        chips: list[QWidget] = []
        if query.folder is not None:
            name = shown_name(self._folder) + (f"/{shown_path(query.inside)}" if query.inside else "")
            chips.append(self._chip(name, lambda: replace(self.query, folder=None, inside=b"")))
        if query.problem is not None:
            chips.append(self._chip(problem_title(query.problem), lambda: replace(self.query, problem=None)))
        self._choices.set_items((self.states, self.kinds, *chips))
        self._run(query)

    def _chip(self, name: str, without: Callable[[], FileQuery]) -> Chip:
        chip = Chip(name, icon="close", parent=self)
        chip.setToolTip(self.tr("Remove this filter"))
        chip.clicked.connect(lambda: self.set_query(without()))
        return chip

    def show_kinds(self, kinds: Sequence[Tally]) -> None:
        """Offer these types, the most frequent first."""
        with QSignalBlocker(self.kinds):
            self.kinds.clear()
            self.kinds.addItem(self.tr("All types"), "")
            for tally in kinds[:_MOST_KINDS]:
                self.kinds.addItem(f"{kind_name(tally.name)} ({number(tally.files)})", tally.name)
            self._choose_kind(self.query.kind)

    def show_rows(self) -> None:
        """Show the table, or that nothing matches."""
        total = self.model.rowCount()
        self._said.setText(counted(self.tr("%Ln file(s)", "", total), total))
        if total:
            self._stack.setCurrentWidget(self.table)
        elif self.is_filtered():
            self.show_words(
                self.tr("No file matches"), self.tr("Try fewer words or another filter."), self.tr("Clear filters")
            )
        else:
            self.show_words(self.tr("No files yet"), self.tr("Files appear here as your folders are looked through."))

    def show_words(self, title: str, sentence: str = "", act: str = "") -> None:
        """Show a sentence in place of the rows."""
        self.placeholder.show_words(title, sentence, act)
        self._stack.setCurrentWidget(self.placeholder)

    def is_filtered(self) -> bool:
        """Return whether a filter is set."""
        query = self.query
        return bool(query.words or query.states or query.kind or query.problem) or query.folder is not None

    @Slot()
    def clear_filters(self) -> None:
        """Show all files in the same order."""
        self.set_query(FileQuery(column=self.query.column, descending=self.query.descending))

    def _choose_kind(self, kind: str) -> None:
        if kind and self.kinds.findData(kind) < 0:
            self.kinds.addItem(kind_name(kind), kind)
        self.kinds.setCurrentIndex(max(0, self.kinds.findData(kind)))

    def _state_choice(self, query: FileQuery) -> int:
        choices = (self.states.itemData(row) for row in range(self.states.count()))
        return next((row for row, data in enumerate(choices) if tuple(data) == query.states), 0)

    def _run(self, query: FileQuery) -> None:
        self.query = query
        self.table.make_room_for_problems(wanted=query.states == PROBLEMS or query.problem is not None)
        self.queried.emit(query)

    def _fill(self) -> None:
        self.states.setAccessibleName(self.tr("Found by"))
        self.states.addItem(self.tr("All files"), [])
        self.states.addItem(self.tr("With a problem"), list(PROBLEMS))
        for state in ListedState:
            self.states.addItem(state_name(state), [state])
        self.kinds.setAccessibleName(self.tr("Type"))
        self.kinds.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContentsOnFirstShow)
        self.kinds.setMinimumContentsLength(14)
        self.show_kinds(())
        self._said.setWordWrap(False)
        self._said.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._choices.set_items((self.states, self.kinds))

    def _arrange(self) -> None:
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.placeholder)
        head = in_column(in_row((self.filter, 1), self._said), self._choices, margins=(2 * GRID, GRID, 2 * GRID, 0))
        in_column(head, (self._stack, 1), on=self)

    def _connect(self) -> None:
        self.filter.textChanged.connect(self._typing.start)
        self.filter.returnPressed.connect(self._on_entered)
        self._typing.timeout.connect(self._on_typed)
        self.states.currentIndexChanged.connect(self._on_state_chosen)
        self.kinds.currentIndexChanged.connect(self._on_kind_chosen)
        self.model.sort_requested.connect(self._on_sort_requested)

    @Slot()
    def _on_typed(self) -> None:
        self._typing.stop()
        words = self.filter.text().strip()
        if words != self.query.words:
            self._run(replace(self.query, words=words))

    @Slot()
    def _on_entered(self) -> None:
        self._on_typed()
        self._enter_table()

    def _enter_table(self) -> None:
        if self.model.rowCount() and not self.table.currentIndex().isValid():
            self.table.selectRow(0)
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_state_chosen(self) -> None:
        self._run(replace(self.query, states=tuple(ListedState(state) for state in self.states.currentData())))

    @Slot()
    def _on_kind_chosen(self) -> None:
        self._run(replace(self.query, kind=self.kinds.currentData()))

    @Slot(object, bool)
    def _on_sort_requested(self, column: FileColumn, descending: bool) -> None:  # noqa: FBT001 - a slot
        if (column, descending) != (self.query.column, self.query.descending):
            self._run(replace(self.query, column=column, descending=descending))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from the filter into the rows with the Down key."""
        if event.key() == Qt.Key.Key_Down and self.filter.hasFocus():
            self._enter_table()
            return
        super().keyPressEvent(event)
