"""The side panel of a document: outline, guide, thumbnails, matches, bookmarks and notes."""

from enum import Enum

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, set_margins, set_role
from desktop_rag.gui.widgets.plain_labels import PlainLabel


class SidePage(Enum):
    """A page of the side panel; the value names its icon."""

    OUTLINE = "list"
    GUIDE = "info"
    PAGES = "grid"
    FOUND = "search"
    NOTES = "bookmark"


def _name(page: SidePage) -> str:
    words = {
        SidePage.OUTLINE: _tr("Outline"),
        SidePage.GUIDE: _tr("Guide"),
        SidePage.PAGES: _tr("Pages"),
        SidePage.FOUND: _tr("Matches"),
        SidePage.NOTES: _tr("Bookmarks and notes"),
    }
    return words[page]


def _tr(text: str) -> str:
    return QCoreApplication.translate("SidePanel", text)


class SidePanel(QWidget):
    """Shows one page at a time; an empty page shows a hint."""

    page_chosen = Signal(SidePage)
    closed = Signal()  # the user closed the panel

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buttons: dict[SidePage, icons.IconButton] = {}
        self._places: dict[SidePage, tuple[QStackedWidget, PlainLabel]] = {}
        self._group = QButtonGroup(self)
        self._stack = QStackedWidget(self)
        self._row = QHBoxLayout()
        set_margins(self._row, GRID, 4, 4, 4)
        self._row.setSpacing(2)
        for page in SidePage:
            self._add_button(page)
        self._row.addStretch(1)
        close = icons.IconButton("close", self.tr("Hide the side panel"), self, size=14)
        self._row.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._row)
        column.addWidget(self._stack, 1)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        set_role(self, "sidebar")
        close.clicked.connect(self.closed)
        self._group.buttonClicked.connect(self._on_button_clicked)

    def add(self, page: SidePage, widget: QWidget, nothing: str) -> None:
        """Set the widget of a page; `nothing` is the hint while it is empty."""
        place = QStackedWidget(self)
        label = PlainLabel(nothing, "muted", place)
        label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        label.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, GRID)
        place.addWidget(label)
        place.addWidget(widget)
        self._stack.addWidget(place)
        self._places[page] = (place, label)

    def fill(self, page: SidePage, *, filled: bool) -> None:
        """Show the widget of a page, or its hint if it is empty."""
        place, _ = self._places[page]
        place.setCurrentIndex(1 if filled else 0)

    def offer(self, page: SidePage, *, offered: bool) -> None:
        """Show or hide the button of a page: texts have no thumbnails."""
        self._buttons[page].setVisible(offered)
        if not offered and self.page() is page:
            self.choose(SidePage.OUTLINE)

    def choose(self, page: SidePage) -> None:
        """Show a page."""
        self._buttons[page].setChecked(True)
        self._stack.setCurrentWidget(self._places[page][0])

    def page(self) -> SidePage:
        """Return the page that is shown."""
        return next(page for page, (place, _) in self._places.items() if place is self._stack.currentWidget())

    def _add_button(self, page: SidePage) -> None:
        button = icons.IconButton(page.value, _name(page), self)
        button.setCheckable(True)
        self._buttons[page] = button
        self._group.addButton(button)
        self._row.addWidget(button)

    @Slot()
    def _on_button_clicked(self) -> None:
        chosen = next(page for page, button in self._buttons.items() if button.isChecked())
        self.choose(chosen)
        self.page_chosen.emit(chosen)
