"""The tab bar of the open documents, hidden while there is only one."""

from itertools import zip_longest
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QContextMenuEvent, QGuiApplication, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QMenu, QStyle, QStyleOptionTab, QStylePainter, QTabBar, QToolButton, QWidget

from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, scaled
from desktop_rag.gui.widgets.plain_labels import button_text
from desktop_rag.text.display import has_italics, one_line

if TYPE_CHECKING:
    from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab

_WIDEST = 220
_NARROWEST = 150
_PALE = 0.7  # opacity
_ARROWS = {"ScrollLeftButton": "chevron-left", "ScrollRightButton": "chevron-right"}


class TabStrip(QTabBar):
    """File names elided in the middle, each with a close button; the name of the preview is italic."""

    close_requested = Signal(int)  # the index of the tab
    keep_requested = Signal()  # a double click on the preview: keep it

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.preview: DocumentTab | None = None  # replaced by the next document that is only looked at
        self.setAutoHide(True)
        self.setMovable(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUsesScrollButtons(True)
        self.setAccessibleName(self.tr("Open documents"))
        self._draw_arrows()

    def add(self, tab: "DocumentTab") -> int:
        """Add a tab at the end and return its index."""
        index = self.addTab("")
        self.setTabData(index, tab)
        button = icons.IconButton("close", self.tr("Close"), self, size=12)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(self._on_close_clicked)
        self.setTabButton(index, QTabBar.ButtonPosition.RightSide, button)
        self.rename(tab)
        return index

    def tabs(self) -> "list[DocumentTab]":
        """Return the documents from left to right."""
        data = (cast("DocumentTab | None", self.tabData(index)) for index in range(self.count()))
        return [tab for tab in data if tab is not None]

    def set_preview(self, tab: "DocumentTab | None") -> None:
        """Show the name of `tab` as that of the preview; None: every tab is permanent."""
        before, self.preview = self.preview, tab
        for each in (before, tab):
            if each is not None:
                self.rename(each)
        self.update()

    def rename(self, tab: "DocumentTab") -> None:
        """Update the name of a document."""
        for index, each in enumerate(self.tabs()):
            self.setTabText(index, button_text(self._told_apart(each)))
            if each is tab:
                hint = self.tr("Preview; double-click to keep it open") if tab is self.preview else ""
                self.setTabToolTip(index, tool_tip("\n".join(filter(None, (one_line(tab.path() or tab.name), hint)))))

    def _told_apart(self, tab: "DocumentTab") -> str:
        """Return the name of a document, and where others have the same the last folder that differs."""
        others = [each for each in self.tabs() if each is not tab and each.name == tab.name]
        folders = [PurePath(each.path()).parent.parts[::-1] for each in (tab, *others)]
        own = next((names[0] for names in zip_longest(*folders) if len(set(names)) > 1 and names[0]), "")
        return one_line(f"{own}/{tab.name}" if own and others else tab.name)

    def tabRemoved(self, index: int) -> None:
        """Name the others again, of which one may be the only one with its name now."""
        super().tabRemoved(index)
        for place, each in enumerate(self.tabs()):
            self.setTabText(place, button_text(self._told_apart(each)))

    def _draw_arrows(self) -> None:
        for name, arrow in _ARROWS.items():
            button = self.findChild(QToolButton, name)
            if button is not None:
                button.setArrowType(Qt.ArrowType.NoArrow)
                button.setIcon(icons.icon(arrow, 16))
                button.setIconSize(QSize(scaled(16), scaled(16)))
                button.raise_()  # above the cross of a tab that is shown in part

    @Slot()
    def _on_close_clicked(self) -> None:
        for index in range(self.count()):
            if self.tabButton(index, QTabBar.ButtonPosition.RightSide) is self.sender():
                self.close_requested.emit(index)
                return

    def tabSizeHint(self, index: int) -> QSize:
        """Limit the width of a tab."""
        hint = super().tabSizeHint(index)
        return QSize(min(hint.width(), _WIDEST), hint.height())

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Set the width below which the tab bar scrolls instead of shortening names."""
        hint = self.tabSizeHint(index)
        return QSize(min(hint.width(), _NARROWEST), hint.height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Close a tab with the middle button."""
        index = self.tabAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.MiddleButton and index >= 0:
            self.close_requested.emit(index)
        else:
            super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to close the tab under the pointer or all others, and to show its file elsewhere."""
        index = self.tabAt(event.pos())
        if index < 0:
            return
        tab = self.tabs()[index]
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Close")).triggered.connect(lambda: self._close({tab}))
        menu.addAction(self.tr("Close the others")).triggered.connect(lambda: self._close({*self.tabs()} - {tab}))
        menu.addSeparator()
        tab.actions_of.fill_elsewhere(menu)
        if path := tab.path():
            menu.addAction(self.tr("Copy path")).triggered.connect(lambda: QGuiApplication.clipboard().setText(path))
        menu.popup(event.globalPos())

    def _close(self, closed: "set[DocumentTab]") -> None:
        for index, tab in reversed([*enumerate(self.tabs())]):
            if tab in closed:
                self.close_requested.emit(index)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Keep the preview."""
        index = self.tabAt(event.position().toPoint())
        if index >= 0 and self.tabData(index) is self.preview:
            self.keep_requested.emit()
        else:
            super().mouseDoubleClickEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the name of the preview in italics, or paler if its letters have none."""
        super().paintEvent(event)
        index = next((place for place in range(self.count()) if self.tabData(place) is self.preview), -1)
        if self.preview is None or index < 0:
            return
        option = QStyleOptionTab()
        self.initStyleOption(option, index)
        painter = QStylePainter(self)
        font = painter.font()
        font.setItalic(has_italics(option.text))
        painter.setFont(font)
        painter.fillRect(option.rect, QColor(current_colors().surface))
        painter.setOpacity(1.0 if font.italic() else _PALE)
        painter.drawControl(QStyle.ControlElement.CE_TabBarTab, option)
        painter.end()

    def tabLayoutChange(self) -> None:
        """Restore our own arrow icons: every layout resets them to the style's."""
        super().tabLayoutChange()
        self._draw_arrows()

    def changeEvent(self, event: QEvent) -> None:
        """Redraw the arrows in the colours of the new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_arrows()
