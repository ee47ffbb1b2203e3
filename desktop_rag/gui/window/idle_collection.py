"""Collects Python's oldest garbage while the user does nothing: with a long conversation open it takes 30 ms."""

from PySide6.QtCore import QObject, QTimer, Slot

from desktop_rag.gui.window.user_activity import UserActivity
from desktop_rag.processes.garbage import collect_if_due, postpone_full_collections

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
