"""A short notification in place of the status bar, with an optional action; it disappears by itself."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QColor,
    QEnterEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.theme.theme import GRID, current_colors, set_role
from desktop_rag.gui.widgets.layouts import in_row
from desktop_rag.gui.widgets.plain_labels import Label
from desktop_rag.text.display import one_line

_SECONDS = 10
_SECONDS_TO_UNDO = 30


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True)
class _Note:
    """A text and an action; `otherwise` is called if the action is not used."""

    text: str
    action: str = ""
    act: Callable[[], None] = _nothing
    otherwise: Callable[[], None] = _nothing


class Toast(QWidget):
    """Shows one toast at a time in a row of its own, so that it covers nothing that is worked on.

    In one line it is as high as the status bar, which gives way to it: nothing moves under the pointer.

    It stays while the pointer or the focus is on it.
    """

    shown = Signal(bool)  # it appears (True), or goes
    offering = Signal(bool)  # the last action can be undone (True), or no longer

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._note: _Note | None = None
        self._waiting: list[_Note] = []
        self._earlier: list[_Note] = []  # what can be undone after the one that is shown, oldest first
        self._offers = False
        self._text = Label(parent=self)
        self._text.setWordWrap(True)
        self._action = QPushButton(self)
        set_role(self._action, "link")
        self._close = IconButton("close", self.tr("Close this note"), self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        in_row((self._text, 1), self._action, self._close, on=self, margins=(2 * GRID, 1, GRID, 0))
        self.hide()
        self._timer.timeout.connect(self._on_timeout)
        self._close.clicked.connect(self.finish)
        self._action.clicked.connect(self.act)

    def show_toast(self, text: str, action: str = "", act: Callable[[], None] | None = None) -> None:
        """Show `text`, with an optional button `action` that calls `act`; waits until a pending undo has expired."""
        note = _Note(text, action if act else "", act or _nothing)
        if self._offers:
            self._waiting.append(note)
        else:
            self._show(note)

    def offer(self, text: str, undo: Callable[[], None], otherwise: Callable[[], None] | None = None) -> None:
        """Show what was done with an Undo button; call `otherwise` if it is not pressed.

        What could be undone before can be undone after it, the last first.
        """
        if self._offers and self._note is not None:
            self._earlier.append(self._note)
            self._note = None
        self._offer(_Note(text, self.tr("Undo"), undo, otherwise or _nothing))

    @Slot()
    def finish(self) -> None:
        """Close the toast; a pending undo expires."""
        note = self._take()
        for each in (*self._earlier, note):
            if each is not None:
                each.otherwise()
        self._earlier.clear()
        self._show_next()

    @Slot()
    def act(self) -> None:
        """Run the action of the button, once."""
        if note := self._take():
            note.act()
        if self._earlier:
            self._offer(self._earlier.pop())
        else:
            self._show_next()

    def height_of_one_line(self) -> int:
        """Return the height of a note of one line with a button, in the style of the moment."""
        parts = (self._text, self._action, self._close)
        for part in parts:
            part.ensurePolished()
        return max(self._text.fontMetrics().height(), *(part.minimumSizeHint().height() for part in parts[1:])) + 1

    def _show(self, note: _Note) -> None:
        if before := self._take():
            before.otherwise()
        self._note = note
        self._text.setText(one_line(note.text))
        self._text.setAccessibleName(one_line(note.text))
        self.setAccessibleName(one_line(note.text))
        self._action.setText(note.action)
        self._action.setVisible(bool(note.action))
        self.shown.emit(True)  # noqa: FBT003 - a signal
        self.show()
        self._timer.start(_SECONDS * 1000)
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def _offer(self, note: _Note) -> None:
        self._show(note)
        self._timer.start(_SECONDS_TO_UNDO * 1000)
        self._set_offers(offers=True)

    def _take(self) -> _Note | None:
        note, self._note = self._note, None
        self._timer.stop()
        if not self.isHidden():
            self.hide()
            self.shown.emit(False)  # noqa: FBT003 - a signal
        self._set_offers(offers=False)
        return note

    def _show_next(self) -> None:
        if self._waiting and self._note is None:
            self._show(self._waiting.pop(0))

    def _set_offers(self, *, offers: bool) -> None:
        if offers != self._offers:
            self._offers = offers
            self.offering.emit(offers)

    def _on_timeout(self) -> None:
        if self._action.hasFocus() or self._close.hasFocus():
            self._timer.start()
        else:
            self.finish()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Stay while the pointer is on it."""
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        """Restart the timer."""
        if self.isVisible():
            self._timer.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar."""
        colors = current_colors()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colors.raised))
        painter.setPen(QColor(colors.outline))
        painter.drawLine(self.rect().topLeft(), self.rect().topRight())
        painter.end()


# Tells screen readers what happens, politely and not too often.

_PAUSE_MS = 3_000  # at least, between two announcements


def announce(widget: QWidget, text: str) -> None:
    """Let a screen reader say `text` when it has finished what it is saying."""
    event = QAccessibleAnnouncementEvent(widget, text)
    event.setPoliteness(QAccessible.AnnouncementPoliteness.Polite)
    QAccessible.updateAccessibility(event)


class Announcer(QTimer):
    """Announces the changing state of `widget`; what changes again within the pause is left out."""

    def __init__(self, widget: QWidget, say: Callable[[QWidget, str], None] = announce) -> None:
        super().__init__(widget)
        self._widget = widget
        self._say = say
        self._said = self._next = ""
        self.setSingleShot(True)
        self.setInterval(_PAUSE_MS)
        self.timeout.connect(self._on_timeout)

    def show(self, text: str) -> None:
        """Announce `text` now or after the pause, unless it was the last one."""
        self._next = text
        if not self.isActive():
            self._on_timeout()

    @Slot()
    def _on_timeout(self) -> None:
        if self._next and self._next != self._said:
            self._said = self._next
            self._say(self._widget, self._said)
            self.start()
