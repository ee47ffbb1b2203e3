"""Collects Python's oldest garbage while the user does nothing: with a long conversation open it takes 30 ms."""

import gc

from PySide6.QtCore import QObject, QTimer, Slot

from desktop_rag.gui.window.user_activity import UserActivity

CHECK_MILLISECONDS = 3000
DUE = 10  # collections of the middle generation after which Python makes a full one …
LATEST = 100  # … and after which it still does if the user never rests


class IdleCollection(QObject):
    """Makes the full collections that Python would make at any allocation, such as those of a dialog that opens."""

    def __init__(self, activity: UserActivity) -> None:
        super().__init__(activity)
        self._activity = activity
        gc.set_threshold(*gc.get_threshold()[:2], LATEST)
        timer = QTimer(self, interval=CHECK_MILLISECONDS)
        timer.timeout.connect(self.collect_if_due)
        timer.start()

    @Slot()
    def collect_if_due(self) -> None:
        """Make a full collection if one is due and the user did nothing for some moments."""
        if gc.isenabled() and gc.get_count()[2] > DUE and not self._activity.is_recent():
            gc.collect()
