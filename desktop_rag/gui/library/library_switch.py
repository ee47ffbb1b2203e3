"""The library's name in the panel's header; its menu lists the other libraries and the commands."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QColor, QFont, QFontMetrics, QPaintEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from desktop_rag.gui.command_parts import CommandPart, new_command
from desktop_rag.gui.formatting import library_name, tool_tip
from desktop_rag.gui.library.library_footer import WorkMenu
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, scaled, text_font
from desktop_rag.gui.widgets.painted_button import PaintedButton
from desktop_rag.gui.widgets.plain_labels import button_text
from desktop_rag.index.libraries import KnownLibrary
from desktop_rag.text.display import one_line, shown_path

_ARROW = 14


class LibrarySwitch(PaintedButton):
    """Shows the open library; its menu is also used in the menu bar."""

    library_chosen = Signal(object)  # the KnownLibrary to open
    create_requested = Signal()  # create a library
    open_requested = Signal()  # add an existing library to the list
    team_requested = Signal()  # add a team's library to the list
    team_edit_requested = Signal()  # change the address of the open team library
    rename_requested = Signal()  # rename the open library
    remove_requested = Signal()  # remove the open library from the list
    delete_requested = Signal()  # delete the open library
    opened = Signal()  # the menu is about to be shown

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.menu = QMenu(self.tr("Libraries"), self)
        self._group = QActionGroup(self)
        self._places: list[QAction] = []
        self._name = self.tr("Library")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        line = self.menu.addSeparator()
        self._new = self._add("new", self.tr("New library…"), "Ctrl+J, N", self.create_requested.emit)
        self._open = self._add("open", self.tr("Open library…"), "Ctrl+J, O", self.open_requested.emit)
        self._team = self._add("team", self.tr("Add team library…"), "Ctrl+J, T", self.team_requested.emit)
        edit = self.tr("Edit team library…")
        self._edit = self._add("edit-team", edit, "Ctrl+J, E", self.team_edit_requested.emit)
        self.menu.addSeparator()
        self._rename = self._add("rename", self.tr("Rename…"), "Ctrl+J, R", self.rename_requested.emit)
        self._remove = self._add("remove", self.tr("Remove from this list…"), "Ctrl+J, X", self.remove_requested.emit)
        self._delete = self._add("delete", self.tr("Delete…"), "Ctrl+J, Del", self.delete_requested.emit)
        self._line = line
        self.menu.addSeparator()
        self.work = WorkMenu(self)
        self.menu.addMenu(self.work)
        self.menu.aboutToShow.connect(self.opened)
        self.clicked.connect(self._on_clicked)
        self.show_libraries((), None)
        self.offer_editing(is_team=False)

    def commands(self) -> CommandPart:
        """Return the commands for the open library."""
        actions = (self._new, self._open, self._team, self._edit, self._rename, self._remove, self._delete)
        return CommandPart("library", self.tr("Library"), (*actions, *self.work.commands()), everywhere=True)

    def places(self) -> tuple[QAction, ...]:
        """Return an action for every library, which opens it."""
        return tuple(self._places)

    def show_libraries(self, libraries: Sequence[tuple[KnownLibrary, bool]], current: KnownLibrary | None) -> None:
        """List these libraries, each with whether it is missing; `current` is the open one."""
        for action in self._places:
            self.menu.removeAction(action)
            action.deleteLater()
        self._places = [self._place(library, missing=missing, current=current) for library, missing in libraries]
        for action in (self._rename, self._remove, self._delete):
            action.setEnabled(current is not None)
        for action in (self._remove, self._delete):
            action.setEnabled(len(libraries) > 1)
            action.setWhatsThis(self.tr("There is only this library"))
        if current is not None:
            self._name = one_line(library_name(current.name))
            self.setToolTip(tool_tip(shown_path(bytes(current.folder))))
        self.setAccessibleName(self.tr("Library “{0}”: switch to another one").format(self._name))
        self.updateGeometry()
        self.update()

    def offer_editing(self, *, is_team: bool) -> None:
        """Offer to edit the address of the open library if it is a team's."""
        self._edit.setEnabled(is_team)
        self._edit.setWhatsThis("" if is_team else self.tr("Only a team library has an address"))

    def _place(self, library: KnownLibrary, *, missing: bool, current: KnownLibrary | None) -> QAction:
        name = button_text(one_line(library_name(library.name)))
        action = QAction(self.tr("{0} (not connected)").format(name) if missing else name, self.menu)
        action.setCheckable(True)
        action.setChecked(current is not None and library.folder == current.folder)
        action.setToolTip(tool_tip(shown_path(bytes(library.folder))))
        action.triggered.connect(partial(self._choose, library))
        self._group.addAction(action)
        self.menu.insertAction(self._line, action)
        return action

    def _choose(self, library: KnownLibrary) -> None:
        self.library_chosen.emit(library)

    def _add(self, name: str, text: str, keys: str, act: Callable[[], None]) -> QAction:
        action = new_command(self.menu, name, text, keys, act)
        self.menu.addAction(action)
        return action

    @Slot()
    def _on_clicked(self) -> None:
        self.menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))
        if (checked := self._group.checkedAction()) is not None:
            self.menu.setActiveAction(checked)

    def _font(self) -> QFont:
        return text_font(-1, QFont.Weight.DemiBold)

    def sizeHint(self) -> QSize:
        """Return the size for the name and the arrow."""
        metrics = QFontMetrics(self._font())
        return QSize(metrics.horizontalAdvance(self._name) + scaled(_ARROW) + 2 * GRID + 4, metrics.height() + GRID + 4)

    def minimumSizeHint(self) -> QSize:
        """Return a size that still shows part of the name."""
        return QSize(min(80, self.sizeHint().width()), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the name and an arrow."""
        colors = current_colors()
        painter = self.begin_painting()
        self.draw_quiet_ground(painter)
        painter.setFont(self._font())
        painter.setPen(QColor(colors.muted))
        arrow = scaled(_ARROW)
        room = self.width() - 2 * GRID - arrow
        words = QFontMetrics(self._font()).elidedText(self._name, Qt.TextElideMode.ElideRight, room)
        painter.drawText(self.column(GRID, room), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        icons.draw(painter, self.column(GRID + room + 2, arrow), "chevron-down", colors.muted, _ARROW)
