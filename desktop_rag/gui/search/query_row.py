"""The query field with search mode, help, and recent and saved searches."""

from PySide6.QtCore import QCoreApplication, QPointF, QRect, QRectF, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QColor,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QTextLayout,
    QTextLine,
)
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QMenu, QStyle, QStyleOptionComboBox, QWidget

from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.search.search_events import RecentSearch, SavedSearch, SavedSearches
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, scaled, set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog
from desktop_rag.gui.widgets.fields import FilterField
from desktop_rag.gui.widgets.plain_labels import button_text
from desktop_rag.gui.widgets.text_offsets import to_qt
from desktop_rag.retrieval.api import Mode
from desktop_rag.text.display import one_line, shorten

# The selector of the search mode.

OFFERED = (Mode.HYBRID, Mode.BEST, Mode.KEYWORD, Mode.SEMANTIC, Mode.EXACT)  # BEST is also LINKED and RERANKED
_WIDE = 1_000  # pixels: wider than any name
_MARGIN = 8  # pixels: styles draw a name with a little room around it


def names_of(mode: Mode) -> tuple[str, str]:
    """Return the name of a mode in the window, and its one-word form."""
    names = {
        "hybrid": (_tr("Words and meaning"), _tr("Words, meaning")),
        "linked+rerank": (_tr("Best, a little slower"), _tr("Best")),
        "keyword": (_tr("Words"), _tr("Words")),
        "semantic": (_tr("Meaning"), _tr("Meaning")),
        "exact": (_tr("Exact letters"), _tr("Letters")),
    }
    return names.get(mode.value, (mode.value, mode.value))


class ModeBox(QComboBox):
    """Offers the modes by name; uses short names where there is little room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._short = False
        self.view().setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setAccessibleName(self.tr("How to search"))
        for mode in OFFERED:
            self.addItem(names_of(mode)[0], mode)
        self.show_mode(Mode.HYBRID)
        self.currentIndexChanged.connect(self._explain)

    def mode(self) -> Mode:
        """Return the selected mode."""
        return Mode(self.currentData())

    def show_mode(self, mode: Mode) -> None:
        """Select a mode, `BEST` for one that is not offered, such as that of an older saved search."""
        self.setCurrentIndex(self.findData(mode if mode in OFFERED else Mode.BEST))

    def set_short(self, *, short: bool) -> None:
        """Switch between short and full names, sized for the longest of them."""
        self._short = short
        self._explain()
        self.setFixedWidth(self._longest(int(short)) + self._beside_text())

    def showPopup(self) -> None:
        """Show full names in the list, which may be wider than the box."""
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 2 * self.view().frameWidth() + _MARGIN)
        super().showPopup()

    @Slot()
    def _explain(self) -> None:
        self.setToolTip(tool_tip(names_of(self.mode())[0]) if self._short else "")

    def _longest(self, which: int) -> int:
        return max(self.fontMetrics().horizontalAdvance(names_of(mode)[which]) for mode in OFFERED)

    def _beside_text(self) -> int:
        """Return the width of frame, padding and arrow."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.rect = QRect(0, 0, _WIDE, self.sizeHint().height())
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self)
        return _WIDE - room.width() + _MARGIN

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Draw the name that fits."""
        super().initStyleOption(option)
        if self._short:
            option.currentText = names_of(self.mode())[1]


# The query field; it underlines the part of a query that cannot be parsed.

_WAVE = 2.0  # height and half a period of the wave, in pixels


class QueryField(FilterField):
    """Enter searches at once, Down goes to the results, Escape clears the field or leaves."""

    entered = Signal()
    went_down = Signal()
    dismissed = Signal()
    accepted = Signal()  # accept the suggestion

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(label, parent)
        self._trouble: tuple[int, int] | None = None
        self.textChanged.connect(lambda _: self.show_trouble(None))

    def show_trouble(self, position: int | None, sentence: str = "") -> None:
        """Underline the word at the position of a parse error; None for no error."""
        self._trouble = None if position is None else _word_at(self.text(), position)
        self.setAccessibleDescription(sentence if position is not None else "")
        self.update()

    def trouble(self) -> str | None:
        """Return the underlined range, None without an error."""
        return None if self._trouble is None else self.text()[slice(*self._trouble)]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a wave below the error."""
        super().paintEvent(event)
        if self._trouble is None:
            return
        layout = QTextLayout(self.text(), self.font())
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        if not line.isValid():
            return
        cursor = self.cursorRect()
        origin = cursor.center().x() - _x(line, self.cursorPosition())
        ends = sorted(origin + _x(line, to_qt(self.text(), place)) for place in self._trouble)
        area = QRectF(self.contentsRect()).adjusted(4, 0, -4, 0)
        left, right = max(ends[0], area.left()), min(max(ends[1], ends[0] + 6), area.right())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(current_colors().danger), 1.3))
        base = min(cursor.bottom() - 1.0, area.bottom() - 2)
        count = max(0, int((right - left) / _WAVE))
        painter.drawPolyline(
            QPolygonF([QPointF(left + _WAVE * step, base + (_WAVE if step % 2 else 0.0)) for step in range(count + 1)])
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Search, move, leave, or type."""
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.accepted.emit()
        elif is_enter:
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


def _x(line: QTextLine, place: int) -> float:
    """Return the x coordinate of a character; the binding returns it with the position."""
    found = line.cursorToX(place)
    assert isinstance(found, tuple)
    return float(found[0])


def _word_at(text: str, position: int) -> tuple[int, int]:
    """Return the range of the word at a position; the last character for the end of the text."""
    start = min(max(0, position), max(0, len(text) - 1))
    end = start
    while end < len(text) and not text[end].isspace():
        end += 1
    return start, max(end, min(start + 1, len(text)))


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
    return QCoreApplication.translate("QueryRow", text)
