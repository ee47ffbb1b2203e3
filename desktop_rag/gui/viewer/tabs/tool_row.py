"""The tool row above a document: history, citations, page, zoom, wrapping, search and view mode."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.viewer.tabs.tool_parts import CitationButtons, HistoryButtons, PageField, ViewChoice, ZoomTools
from desktop_rag.gui.viewer.view_modes import ViewMode

_NARROW, _NARROWER, _NARROWEST = 560, 440, 370


class ToolRow(QWidget):
    """Shows the tools that apply to the current view mode."""

    wrap_toggled = Signal(bool)
    find_requested = Signal()  # open the find bar
    side_toggled = Signal(bool)  # show or hide the side panel

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._side = icons.IconButton("sidebar-left", self.tr("Outline, pages, matches, bookmarks (F9)"), self)
        self._side.setCheckable(True)
        self.history = HistoryButtons(self)
        self.citations = CitationButtons(self)
        self.page = PageField(self)
        self.zoom = ZoomTools(self)
        self._wrap = icons.IconButton("wrap", self.tr("Wrap long lines"), self)
        self._wrap.setCheckable(True)
        self._find = icons.IconButton("search", self.tr("Find in this document (Ctrl+F)"), self)
        self.views = ViewChoice(self)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(GRID + 4, 0, GRID, 4)
        row.setSpacing(GRID)
        for first in (self._side, self.history, self.citations, self.page):
            row.addWidget(first)
        row.addStretch(1)
        for widget in (self.zoom, self._wrap, self._find, self.views):
            row.addWidget(widget)
        self._side.toggled.connect(self.side_toggled)
        self._wrap.toggled.connect(self.wrap_toggled)
        self._find.clicked.connect(self.find_requested)
        self.citations.show_place(0, 0)
        self.show_modes((ViewMode.TEXT,), ViewMode.TEXT, "")

    def show_modes(self, modes: Sequence[ViewMode], mode: ViewMode, kind: str) -> None:
        """Offer these view modes for a document of this format, and show the tools of the current one."""
        pages = mode is ViewMode.PRINTED
        self.page.setVisible(pages)
        self.zoom.allow_fits(allowed=pages)
        self._wrap.setVisible(mode is ViewMode.TEXT)
        self.views.setVisible(len(modes) > 1)
        self.views.show_choice(modes, mode, kind)

    def show_wrap(self, *, wrap: bool) -> None:
        """Set the state of the wrap button."""
        with QSignalBlocker(self._wrap):
            self._wrap.setChecked(wrap)

    def show_side(self, *, shown: bool) -> None:
        """Set the state of the side panel button."""
        with QSignalBlocker(self._side):
            self._side.setChecked(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the less important tools in a narrow row."""
        super().resizeEvent(event)
        width = self.width()  # what is hidden is still on the keyboard and the wheel
        self.zoom.show_narrow(narrow=width < _NARROW)
        self.zoom.setVisible(width >= _NARROWER)
        self.history.setVisible(width >= _NARROWEST)
        self._side.setVisible(width >= _NARROWEST)
        self._row.setSpacing(GRID if width >= _NARROW else GRID // 2)
