"""The names of the pages of the settings, one below the other."""

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import QFrame, QListWidget, QTabWidget, QWidget

from desktop_rag.gui.theme.theme import GRID, set_role


class PageList(QListWidget):
    """Replaces the tab bar of `pages`: it shows the names of all pages at any size, and scrolls if it must."""

    def __init__(self, pages: QTabWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages = pages
        self.setAccessibleName(self.tr("Pages"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_role(self, "pages")
        pages.tabBar().hide()
        pages.currentChanged.connect(self._on_page_changed)
        self.currentRowChanged.connect(pages.setCurrentIndex)

    def show_names(self) -> None:
        """Show the names of the pages that are offered."""
        with QSignalBlocker(self):
            self.clear()
            for place in range(self._pages.count()):
                self.addItem(self._pages.tabText(place))
                self.item(place).setHidden(not self._pages.isTabVisible(place))
            self._on_page_changed(self._pages.currentIndex())
        self._fit()

    @Slot(int)
    def _on_page_changed(self, place: int) -> None:
        with QSignalBlocker(self):
            self.setCurrentRow(place)

    def _fit(self) -> None:
        self.setFixedWidth(self.sizeHintForColumn(0) + 3 * GRID)

    def changeEvent(self, event: QEvent) -> None:
        """Fit the width to the names in the new font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.count():
            self._fit()
