"""Notices that the person works in the window, so that indexing steps back."""

from PySide6.QtCore import QEvent, QObject, QTimer, Signal

INTERVAL_MILLISECONDS = 2000  # between two reports, however much is typed

_SIGNS = (
    QEvent.Type.KeyPress,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.Wheel,
    QEvent.Type.InputMethod,
)


class UserActivity(QObject):
    """An event filter for a `QWindow`, which gets each sign once; it lets everything pass."""

    noticed = Signal()  # the person did something; at most every two seconds

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._quiet = QTimer(self, singleShot=True, interval=INTERVAL_MILLISECONDS)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look at an event and let it pass."""
        if event.type() in _SIGNS and not self._quiet.isActive():
            self._quiet.start()
            self.noticed.emit()
        return super().eventFilter(watched, event)
