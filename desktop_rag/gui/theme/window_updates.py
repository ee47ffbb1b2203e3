"""Painting of a window that was suspended for a turn of the event loop."""

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget


def resume_updates(window: QWidget) -> None:
    """Let a window paint again after `setUpdatesEnabled(False)`.

    Qt asks a window once to paint and waits until it has; a request that arrives while updates are disabled, as when a
    menu closes, is dropped, and Qt would wait for ever. So it is asked once more.
    """
    window.setUpdatesEnabled(True)
    QCoreApplication.postEvent(window, QEvent(QEvent.Type.UpdateRequest))
