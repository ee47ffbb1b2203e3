"""The lists of the side panels: painted rows without a frame, with commands by menu and keyboard."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractItemModel, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QColor, QContextMenuEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QSizePolicy, QWidget

from desktop_rag.gui.command_parts import CommandPart, new_command
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, scaled, set_role
from desktop_rag.gui.widgets.layouts import in_column
from desktop_rag.gui.widgets.painted_button import PaintedButton
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.text.display import one_line


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


# Rows of pages that have nothing else to show yet: a heading, and below it what to begin with.

_LEAST_NAME = 120  # pixels that a name keeps beside its detail


@dataclass(frozen=True, slots=True)
class StartRow:
    """Something to begin with: a name and, less prominent, where it is from; `act` opens it."""

    icon: str
    name: str
    act: Callable[[], object]
    detail: str = ""
    tip: str = ""


class StartButton(PaintedButton):
    """Paints one row."""

    def __init__(self, row: StartRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row = row
        self._name, self._detail = one_line(row.name), one_line(row.detail)
        self.setAccessibleName(", ".join(filter(None, (self._name, self._detail))))
        self.setToolTip(tool_tip(row.tip) if row.tip else "")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda: row.act())

    def sizeHint(self) -> QSize:
        """Return one comfortable line."""
        return QSize(240, self.fontMetrics().height() + GRID + 2)

    def minimumSizeHint(self) -> QSize:
        """Let the window be narrow."""
        return QSize(100, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint icon, name and detail."""
        colors, metrics = current_colors(), self.fontMetrics()
        painter = self.begin_painting()
        self.draw_quiet_ground(painter)
        icons.draw(painter, self.column(GRID, scaled(16)), self.row.icon, colors.muted, 16)
        left = 2 * GRID + scaled(16)
        room = self.width() - left - GRID
        wanted = min(metrics.horizontalAdvance(self._name) + 1, room)
        detail_room = room - max(wanted, min(_LEAST_NAME, room)) - 2 * GRID if self._detail else 0
        detail = metrics.elidedText(self._detail, Qt.TextElideMode.ElideMiddle, max(detail_room, 0))
        painter.setPen(QColor(colors.text))
        name = metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, wanted)
        painter.drawText(self.column(left, wanted), Qt.AlignmentFlag.AlignVCenter, name)
        if detail_room > 3 * GRID:
            painter.setPen(QColor(colors.faint))
            painter.drawText(self.column(left + wanted + GRID, detail_room), Qt.AlignmentFlag.AlignVCenter, detail)


class StartRows(QWidget):
    """A heading and its rows; hidden without any."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = PlainLabel(title, "section")
        self._column = in_column(self._title, on=self, spacing=2, margins=(0, GRID, 0, 0))
        self._buttons: list[StartButton] = []
        self.hide()

    @property
    def buttons(self) -> tuple[StartButton, ...]:
        """Return the rows in order."""
        return tuple(self._buttons)

    def show_rows(self, rows: Sequence[StartRow], title: str = "") -> None:
        """Replace the rows, and the heading by `title` if there is one."""
        if title:
            self._title.setText(title)
        for button in self._buttons:
            self._column.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = [StartButton(row, self) for row in rows]
        for button in self._buttons:
            self._column.addWidget(button)
        self.setVisible(bool(rows))
