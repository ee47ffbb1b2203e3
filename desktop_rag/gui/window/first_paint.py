"""Paints a new window before the work of the start: until then it would be black."""

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEventLoop
from PySide6.QtWidgets import QWidget

_MOST_MS = 300  # a desktop that takes longer to show a window shows it while the program goes on
_TURN_MS = 20


def show_painted(window: QWidget) -> None:
    """Show a window and paint it; what the user does meanwhile waits for the event loop."""
    window.show()
    handle, deadline = window.windowHandle(), QDeadlineTimer(_MOST_MS)
    while not (handle.isExposed() or deadline.hasExpired()):
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents, _TURN_MS)
