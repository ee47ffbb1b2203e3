"""The tabs over the documents; a single document needs none."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QTabBar, QWidget

from desktop_rag.gui import icons
from desktop_rag.gui.conversation.plain_text import button_text
from desktop_rag.gui.foreign import one_line, tool_tip

if TYPE_CHECKING:
    from desktop_rag.gui.viewer.document_tab import DocumentTab

_WIDEST = 200
_NARROWEST = 110


class TabStrip(QTabBar):
    """File names, shortened in the middle, each with its own button to close it."""

    close_requested = Signal(int)  # this tab can go

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoHide(True)
        self.setMovable(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUsesScrollButtons(True)
        self.setAccessibleName(self.tr("Open documents"))

    def add(self, tab: "DocumentTab") -> int:
        """Add a tab at the end and return its index."""
        index = self.addTab("")
        self.setTabData(index, tab)
        button = icons.IconButton("close", self.tr("Close"), self)
        button.setIconSize(QSize(12, 12))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(self._on_close_clicked)
        self.setTabButton(index, QTabBar.ButtonPosition.RightSide, button)
        self.rename(tab)
        return index

    def rename(self, tab: "DocumentTab") -> None:
        """Show the name of a document."""
        for index in range(self.count()):
            if self.tabData(index) is tab:
                self.setTabText(index, button_text(one_line(tab.name)))
                self.setTabToolTip(index, tool_tip(one_line(tab.name)))

    @Slot()
    def _on_close_clicked(self) -> None:
        for index in range(self.count()):
            if self.tabButton(index, QTabBar.ButtonPosition.RightSide) is self.sender():
                self.close_requested.emit(index)
                return

    def tabSizeHint(self, index: int) -> QSize:
        """Keep long names from pushing the others out."""
        hint = super().tabSizeHint(index)
        return QSize(min(hint.width(), _WIDEST), hint.height())

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Rather scroll than shorten names until nothing can be read."""
        hint = self.tabSizeHint(index)
        return QSize(min(hint.width(), _NARROWEST), hint.height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Close with the middle button."""
        index = self.tabAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.MiddleButton and index >= 0:
            self.close_requested.emit(index)
        else:
            super().mouseReleaseEvent(event)
