"""The query field with search mode, help, and recent and saved searches."""

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLineEdit, QMenu, QWidget

from desktop_rag.gui.search.mode_box import ModeBox
from desktop_rag.gui.search.query_field import QueryField
from desktop_rag.gui.search.saved_searches import RecentSearch, SavedSearch, SavedSearches
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, scaled, set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog
from desktop_rag.gui.widgets.plain_labels import button_text
from desktop_rag.retrieval.api import Mode
from desktop_rag.text.display import one_line, shorten

_SHOWN_RECENT = 12
_LONGEST = 60
_ONE_LINE = 580  # pixels in which 320 are left for the query beside the buttons


class SearchNameDialog(ActionDialog):
    """Asks for the name to save a search under."""

    named = Signal(str)  # the name, on one line

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(_tr("Save this search"), _tr("Save"), parent)
        self.act.setDefault(True)
        set_role(self.act, "primary")
        self._field = QLineEdit(name, self)
        self._field.setAccessibleName(self.tr("Name"))
        self._field.selectAll()
        self._field.textChanged.connect(self._on_text_changed)
        self.accepted.connect(self._on_accepted)
        self.arrange(self._field)
        self._field.setFocus()

    @Slot(str)
    def _on_text_changed(self, text: str) -> None:
        self.act.setEnabled(bool(text.strip()))

    @Slot()
    def _on_accepted(self) -> None:
        self.named.emit(one_line(self._field.text().strip()))


class QueryRow(QWidget):
    """The inputs of a search except the filters."""

    edited = Signal()  # the query or the mode has changed
    entered = Signal()  # another mode: search at once
    search_chosen = Signal(object)  # a RecentSearch to run again
    save_requested = Signal(str)  # save the current search under this name
    drop_requested = Signal(str)  # delete the saved search of this name
    help_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QueryField(self.tr("Search your documents"), self)
        self._mode = ModeBox(self)
        self.kept = icons.IconButton("clock", self.tr("Recent and saved searches"), self)
        self.kept.setObjectName("recent_searches")
        self.kept.clicked.connect(self.open_kept)
        self.help = icons.IconButton("info", self.tr("How to ask"), self)
        self.help.setObjectName("how_to_ask")
        self.help.clicked.connect(self.help_requested)
        self._rows = QGridLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(GRID // 2)
        self._rows.setColumnStretch(0, 1)
        self._folded: bool | None = None
        self._fold(folded=False)
        self.field.textEdited.connect(lambda _: self.edited.emit())
        self._mode.currentIndexChanged.connect(lambda _: self.entered.emit())
        self._searches = SavedSearches()
        self.setFocusProxy(self.field)

    def _fold(self, *, folded: bool) -> None:
        """Move the buttons beside the field below it, so that a query can be read in a narrow column."""
        if folded == self._folded:
            return
        self._folded = folded
        beside = (self._mode, self.kept, self.help)
        self._rows.addWidget(self.field, 0, 0, 1, 1 + len(beside) if folded else 1)
        for place, widget in enumerate(beside):
            at = (1, place) if folded else (0, place + 1)
            self._rows.addWidget(widget, *at, Qt.AlignmentFlag.AlignLeft if folded else Qt.AlignmentFlag(0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use a second line in a narrow column."""
        super().resizeEvent(event)
        self._fold(folded=self.width() < scaled(_ONE_LINE))

    def query(self) -> str:
        """Return the query."""
        return self.field.text().strip()

    def mode(self) -> Mode:
        """Return the search mode."""
        return self._mode.mode()

    def choose_mode(self, place: int) -> None:
        """Select a mode by its position in the list."""
        if 0 <= place < self._mode.count():
            self._mode.setCurrentIndex(place)

    def set_narrow(self, *, narrow: bool) -> None:
        """Use short names where there is little room."""
        self._mode.set_short(short=narrow)

    def set_search(self, search: RecentSearch) -> None:
        """Show another query and mode without emitting signals."""
        with QSignalBlocker(self.field), QSignalBlocker(self._mode):
            self.field.setText(search.query)
            self._mode.show_mode(search.mode)
        self.field.show_trouble(None)

    def show_kept(self, searches: SavedSearches) -> None:
        """List these searches in the menu."""
        self._searches = searches

    def kept_menu(self) -> QMenu:
        """Return the menu of recent and saved searches."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        save = menu.addAction(self.tr("Save this search…"))
        save.setEnabled(bool(self.query()))
        save.triggered.connect(self.ask_for_name)
        if self._searches.saved:
            _add_title(menu, self.tr("Saved"))
        for saved in self._searches.saved:
            self._add(menu, saved.search, saved.name)
        if self._searches.saved:
            dropping = menu.addMenu(self.tr("Delete a saved search"))
            for saved in self._searches.saved:
                self._add_dropping(dropping, saved)
        if self._searches.recent:
            _add_title(menu, self.tr("Recent"))
        for search in self._searches.recent[:_SHOWN_RECENT]:
            self._add(menu, search, search.query)
        return menu

    def _add(self, menu: QMenu, search: RecentSearch, name: str) -> None:
        action = QAction(button_text(shorten(one_line(name), _LONGEST)), menu)
        action.triggered.connect(lambda: self.search_chosen.emit(search))
        menu.addAction(action)

    def _add_dropping(self, menu: QMenu, saved: SavedSearch) -> None:
        action = QAction(button_text(shorten(one_line(saved.name), _LONGEST)), menu)
        action.triggered.connect(lambda: self.drop_requested.emit(saved.name))
        menu.addAction(action)

    @Slot()
    def open_kept(self) -> None:
        """Open the menu of recent and saved searches."""
        menu = self.kept_menu()
        menu.popup(self.kept.mapToGlobal(self.kept.rect().bottomLeft()))

    @Slot()
    def ask_for_name(self) -> None:
        """Ask for the name to save the search under."""
        if not self.query():
            return
        dialog = SearchNameDialog(shorten(one_line(self.query()), _LONGEST), self)
        dialog.named.connect(self.save_requested)
        dialog.open()


def _add_title(menu: QMenu, title: str) -> None:
    """Add a separator and a title; a style sheet does not show the title of a section."""
    menu.addSeparator()
    menu.addAction(title).setEnabled(False)


def _tr(text: str) -> str:
    return QCoreApplication.translate("SearchNameDialog", text)
