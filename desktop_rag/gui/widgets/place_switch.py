"""‹ 2/3 ›: which one of several is shown, and the steps to the previous and the next."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.theme.theme import set_role
from desktop_rag.gui.widgets.plain_labels import Label


class PlaceSwitch(QWidget):
    """Buttons for the previous and the next of several variants; hidden if there is only one."""

    stepped = Signal(int)  # show the previous (-1) or the next (1)

    def __init__(self, name: str, previous: str, following: str, parent: QWidget | None = None) -> None:
        """`previous` and `following` name the buttons."""
        super().__init__(parent)
        self.setAccessibleName(name)
        back, forward = ("chevron-left", "chevron-right")[:: -1 if self.isRightToLeft() else 1]
        self.previous = IconButton(back, previous, self, 14)
        self.next = IconButton(forward, following, self, 14)
        self._place = Label(parent=self)
        set_role(self._place, "caption")
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(2)
        for part in (self.previous, self._place, self.next):
            self.row.addWidget(part)
        self.previous.clicked.connect(partial(self.stepped.emit, -1))
        self.next.clicked.connect(partial(self.stepped.emit, 1))
        self.hide()

    def show_place(self, place: int, count: int, name: str) -> None:
        """Show that number `place` (from 1) of `count` is shown; `name` says so in words."""
        self._place.setText(f"{place}/{count}")
        self._place.setAccessibleName(name)
        self.previous.setEnabled(place > 1)
        self.next.setEnabled(place < count)
        self.setVisible(count > 1)
