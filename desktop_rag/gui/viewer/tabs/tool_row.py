"""The row of tools over a document: from citation to citation, page, size, wrapping, finding, page or text."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.viewer.tabs.tool_parts import CitationSteps, PageField, PlaceSteps, ViewChoice, ZoomTools
from desktop_rag.gui.viewer.view_modes import ViewMode

_NARROW, _NARROWER, _NARROWEST = 560, 440, 370


class ToolRow(QWidget):
    """Shows the tools that make sense for what is shown."""

    wrap_toggled = Signal(bool)  # break long lines, or not
    find_wanted = Signal()  # look for a word
    side_toggled = Signal(bool)  # show what stands beside the document, or not

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._side = icons.IconButton("sidebar-left", self.tr("Outline, pages, found places, bookmarks (F9)"), self)
        self._side.setCheckable(True)
        self.places = PlaceSteps(self)
        self.citations = CitationSteps(self)
        self.page = PageField(self)
        self.zoom = ZoomTools(self)
        self._wrap = icons.IconButton("wrap", self.tr("Wrap long lines"), self)
        self._wrap.setCheckable(True)
        self._find = icons.IconButton("search", self.tr("Find in this document (Ctrl+F)"), self)
        self.views = ViewChoice(self)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(GRID + 4, 0, GRID, 4)
        row.setSpacing(GRID)
        for first in (self._side, self.places, self.citations, self.page):
            row.addWidget(first)
        row.addStretch(1)
        for widget in (self.zoom, self._wrap, self._find, self.views):
            row.addWidget(widget)
        self._side.toggled.connect(self.side_toggled)
        self._wrap.toggled.connect(self.wrap_toggled)
        self._find.clicked.connect(self.find_wanted)
        self.citations.show_place(0, 0)
        self.show_ways((ViewMode.TEXT,), ViewMode.TEXT, "")

    def show_ways(self, ways: Sequence[ViewMode], way: ViewMode, kind: str) -> None:
        """Offer the ways in which a document of this format can be shown, and what belongs to the present one."""
        pages = way is ViewMode.PRINTED
        self.page.setVisible(pages)
        self.zoom.allow_fits(allowed=pages)
        self._wrap.setVisible(way is ViewMode.TEXT)
        self.views.setVisible(len(ways) > 1)
        self.views.show_choice(ways, way, kind)

    def show_wrap(self, *, wrap: bool) -> None:
        """Say whether long lines are broken."""
        with QSignalBlocker(self._wrap):
            self._wrap.setChecked(wrap)

    def show_side(self, *, shown: bool) -> None:
        """Say whether something stands beside the document."""
        with QSignalBlocker(self._side):
            self._side.setChecked(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave something out where there is little room."""
        super().resizeEvent(event)
        width = self.width()  # what is left out, the keys and the wheel still do
        self.zoom.show_narrow(narrow=width < _NARROW)
        self.zoom.setVisible(width >= _NARROWER)
        self.places.setVisible(width >= _NARROWEST)
        self._side.setVisible(width >= _NARROWEST)
        self._row.setSpacing(GRID if width >= _NARROW else GRID // 2)
