"""The lists of the side panels: painted rows without a frame, whose commands are a menu and keys alike."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QAbstractItemModel, QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QWidget

from desktop_rag.gui.theme.theme import set_role


class PanelList(QListView):
    """Shows `model`; its commands work on the current row, by key while the list has the focus, or by its menu."""

    def __init__(self, model: QAbstractItemModel, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._menu: tuple[QAction | None, ...] = ()
        set_role(self, "bare")
        self.setModel(model)
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu_requested)

    def add_command(self, text: str, keys: str, act: Callable[[], None]) -> QAction:
        """Add something that can be done with the current row."""
        action = QAction(text, self)
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(act)
        self.addAction(action)
        return action

    def set_menu(self, actions: Sequence[QAction | None]) -> None:
        """Offer these in the menu of a row; None is a line between them."""
        self._menu = tuple(actions)

    def open_menu(self, at: QPoint) -> None:
        """Open the menu of the current row at a place of the screen."""
        if not self.currentIndex().isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action in self._menu:
            menu.addAction(action) if action is not None else menu.addSeparator()
        menu.popup(at)

    def _on_menu_requested(self, position: QPoint) -> None:
        index = self.indexAt(position)
        if index.isValid():
            self.setCurrentIndex(index)
        else:  # asked for by key, or below the last row
            position = self.visualRect(self.currentIndex()).center()
        self.open_menu(self.viewport().mapToGlobal(position))
