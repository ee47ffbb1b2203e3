"""Tells screen readers what happens, politely and not too often."""

from collections.abc import Callable

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

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
