"""Collects Python's oldest garbage while the user does nothing: with a long conversation open it takes 30 ms."""

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication

from desktop_rag.processes.serving import collect_if_due, postpone_full_collections

# Notices that the user works in the window, so that indexing slows down.

INTERVAL_MILLISECONDS = 2000  # minimum interval between two reports
STILL_MILLISECONDS = 10_000  # after which the caret rests: each blink paints, all day long in a window left open
_OF_THE_DESKTOP = -1

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
        self._still = QTimer(self, singleShot=True, interval=STILL_MILLISECONDS)
        self._still.timeout.connect(self._rest_caret)
        self._still.start()

    def is_recent(self) -> bool:
        """Return whether the user did something within the last moments."""
        return self._quiet.isActive()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note the event and pass it on."""
        if event.type() in _SIGNS and not self._quiet.isActive():
            self._quiet.start()
            self._still.start()
            QApplication.setCursorFlashTime(_OF_THE_DESKTOP)
            self.noticed.emit()
        return super().eventFilter(watched, event)

    @Slot()
    def _rest_caret(self) -> None:
        QApplication.setCursorFlashTime(0)


CHECK_MILLISECONDS = 3000


class IdleCollection(QObject):
    """Makes the full collections that Python would make at any allocation, such as those of a dialog that opens."""

    def __init__(self, activity: UserActivity) -> None:
        super().__init__(activity)
        self._activity = activity
        postpone_full_collections()
        timer = QTimer(self, interval=CHECK_MILLISECONDS)
        timer.timeout.connect(self.collect_if_due)
        timer.start()

    @Slot()
    def collect_if_due(self) -> None:
        """Make a full collection if one is due and the user did nothing for some moments."""
        if not self._activity.is_recent():
            collect_if_due()
