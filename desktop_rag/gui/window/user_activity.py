"""Notices that the user works in the window, so that indexing slows down."""

from PySide6.QtCore import QEvent, QObject, QTimer, Signal

INTERVAL_MILLISECONDS = 2000  # minimum interval between two reports

_SIGNS = (
    QEvent.Type.KeyPress,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.Wheel,
    QEvent.Type.InputMethod,
)


class UserActivity(QObject):
    """An event filter for a `QWindow` (which gets each event once); it consumes nothing."""

    noticed = Signal()  # the user did something; at most every two seconds

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._quiet = QTimer(self, singleShot=True, interval=INTERVAL_MILLISECONDS)

    def is_recent(self) -> bool:
        """Return whether the user did something within the last moments."""
        return self._quiet.isActive()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note the event and pass it on."""
        if event.type() in _SIGNS and not self._quiet.isActive():
            self._quiet.start()
            self.noticed.emit()
        return super().eventFilter(watched, event)
