"""The lists of the side panels: painted rows without a frame, with commands by menu and keyboard."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QAbstractItemModel, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QWidget

from desktop_rag.gui.command_parts import CommandPart, new_command
from desktop_rag.gui.theme.theme import set_role


class PanelList(QListView):
    """Shows `model`; its commands act on the current row, by key while the list has the focus, or by menu."""

    menu_closed = Signal()  # that of a right click, after its command was carried out

    def __init__(self, model: QAbstractItemModel, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._menu: tuple[QAction | None, ...] = ()
        set_role(self, "bare")
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setModel(model)  # last: what is set on a list with rows lays them all out

    def add_command(self, text: str, keys: str, act: Callable[[], None]) -> QAction:
        """Add a command for the current row; the settings know it by the name of `act`."""
        action = new_command(self, act.__name__.strip("_"), text, keys, act)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.addAction(action)
        return action

    def command_part(self, name: str, title: str, nothing_selected: str) -> CommandPart:
        """Return the commands of the current row; without one they are blocked by `nothing_selected`."""
        return CommandPart(
            name,
            title,
            tuple(self.actions()),
            blocked=lambda: "" if self.isVisible() and self.currentIndex().isValid() else nothing_selected,
        )

    def set_menu(self, actions: Sequence[QAction | None]) -> None:
        """Set the context menu of a row; None is a separator."""
        self._menu = tuple(actions)

    def open_menu(self, at: QPoint) -> QMenu | None:
        """Open the menu of the current row at a screen position, and return it; None without a row."""
        if not self.currentIndex().isValid():
            return None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action in self._menu:
            menu.addAction(action) if action is not None else menu.addSeparator()
        menu.popup(at)
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the row under the pointer, of the current row by keyboard; below the rows there is none."""
        position = event.pos()
        if event.reason() is not QContextMenuEvent.Reason.Mouse:
            position = self.visualRect(self.currentIndex()).center()
        index = self.indexAt(position)
        if index.isValid():
            self.setCurrentIndex(index)
            menu = self.open_menu(self.viewport().mapToGlobal(position))
            if menu is not None and event.reason() is QContextMenuEvent.Reason.Mouse:
                menu.aboutToHide.connect(lambda: QTimer.singleShot(0, self, self.menu_closed.emit))
