"""The field a query is typed into, how to search, help with the language, and the searches that are kept."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QInputDialog, QMenu, QWidget

from desktop_rag.gui import icons
from desktop_rag.gui.fields import FilterField
from desktop_rag.gui.foreign import one_line
from desktop_rag.gui.labels import button_text
from desktop_rag.gui.search.kept_searches import KeptSearches, SavedSearch, Search
from desktop_rag.gui.theme import GRID
from desktop_rag.retrieval.hits import Mode

_SHOWN_RECENT = 12
_LONGEST = 60
_NARROW_MODE = 112  # pixels
_WIDEST = 400


class QueryField(FilterField):
    """Enter searches at once, Down goes to what was found, Escape empties the field or leaves."""

    entered = Signal()
    went_down = Signal()
    dismissed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Search, move, leave, or type."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Down:
            self.went_down.emit()
        elif event.key() == Qt.Key.Key_Escape and not self.text():
            self.dismissed.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.textEdited.emit("")
        else:
            super().keyPressEvent(event)


class QueryRow(QWidget):
    """Everything that says what is asked for, but for the filters."""

    edited = Signal()  # the query or the mode is another one now
    entered = Signal()  # search at once
    search_chosen = Signal(object)  # a kept Search to run again
    save_requested = Signal(str)  # keep the present search under this name
    drop_requested = Signal(str)  # forget the saved search of this name
    help_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QueryField(self.tr("Search your documents"), self)
        self._mode = QComboBox(self)
        self._mode.setAccessibleName(self.tr("How to search"))
        for mode in Mode:
            self._mode.addItem(self._mode_name(mode), mode)
        self._mode.setCurrentIndex(self._mode.findData(Mode.HYBRID))
        self.kept = icons.IconButton("clock", self.tr("Recent and saved searches"), self)
        self.kept.clicked.connect(self._on_kept_clicked)
        self.help = icons.IconButton("info", self.tr("How to ask"), self)
        self.help.clicked.connect(self.help_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID // 2)
        row.addWidget(self.field, 1)
        for widget in (self._mode, self.kept, self.help):
            row.addWidget(widget)
        self.field.textEdited.connect(lambda _: self.edited.emit())
        self.field.entered.connect(self.entered)
        self._mode.currentIndexChanged.connect(lambda _: self.entered.emit())
        self._searches = KeptSearches()
        self.setFocusProxy(self.field)

    def query(self) -> str:
        """Return what is asked for."""
        return self.field.text().strip()

    def mode(self) -> Mode:
        """Return how to search."""
        return Mode(self._mode.currentData())

    def set_narrow(self, *, narrow: bool) -> None:
        """Leave the room to the query where there is little."""
        self._mode.setMaximumWidth(_NARROW_MODE if narrow else _WIDEST)

    def set_search(self, search: Search) -> None:
        """Show another query and mode; nobody is told."""
        with QSignalBlocker(self.field), QSignalBlocker(self._mode):
            self.field.setText(search.query)
            self._mode.setCurrentIndex(max(0, self._mode.findData(search.mode)))

    def show_kept(self, searches: KeptSearches) -> None:
        """Offer these searches in the menu."""
        self._searches = searches

    def kept_menu(self) -> QMenu:
        """Return the menu of kept searches as they are now."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        save = menu.addAction(self.tr("Save this search…"))
        save.setEnabled(bool(self.query()))
        save.triggered.connect(self._on_save_clicked)
        if self._searches.saved:
            menu.addSection(self.tr("Saved"))
        for saved in self._searches.saved:
            self._add(menu, saved.search, saved.name)
        if self._searches.saved:
            dropping = menu.addMenu(self.tr("Delete a saved search"))
            for saved in self._searches.saved:
                self._add_dropping(dropping, saved)
        if self._searches.recent:
            menu.addSection(self.tr("Recent"))
        for search in self._searches.recent[:_SHOWN_RECENT]:
            self._add(menu, search, search.query)
        return menu

    def _add(self, menu: QMenu, search: Search, name: str) -> None:
        action = QAction(button_text(_short(name)), menu)
        action.triggered.connect(lambda: self.search_chosen.emit(search))
        menu.addAction(action)

    def _add_dropping(self, menu: QMenu, saved: SavedSearch) -> None:
        action = QAction(button_text(_short(saved.name)), menu)
        action.triggered.connect(lambda: self.drop_requested.emit(saved.name))
        menu.addAction(action)

    def _mode_name(self, mode: Mode) -> str:
        names = {
            "hybrid": self.tr("Words and meaning"),
            "keyword": self.tr("Words"),
            "semantic": self.tr("Meaning"),
            "exact": self.tr("Exact letters"),
            "linked": self.tr("With related passages"),
        }
        return names.get(mode.value, mode.value)

    @Slot()
    def _on_kept_clicked(self) -> None:
        menu = self.kept_menu()
        menu.popup(self.kept.mapToGlobal(self.kept.rect().bottomLeft()))

    @Slot()
    def _on_save_clicked(self) -> None:
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Save this search"))
        dialog.setLabelText(self.tr("Name"))
        dialog.setTextValue(_short(self.query()))
        dialog.textValueSelected.connect(self._on_name_chosen)
        dialog.open()

    @Slot(str)
    def _on_name_chosen(self, name: str) -> None:
        if name.strip():
            self.save_requested.emit(one_line(name.strip()))


def _short(text: str) -> str:
    shown = one_line(text)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1].rstrip() + "…"
