"""Windows that never leave the screen: the base of all dialogs, and the function that keeps any window on it."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QWidget


class BoundedDialog(QDialog):
    """A dialog that is never larger than its screen, and is deleted when it is closed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def sizeHint(self) -> QSize:
        """Return a size with the height the texts need, if the width is fixed."""
        layout, width = self.layout(), self.minimumWidth()
        if layout is None or width != self.maximumWidth():
            return super().sizeHint()
        return QSize(width, layout.totalHeightForWidth(width))

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the dialog to the screen."""
        super().showEvent(event)
        keep_on_screen(self)


def keep_on_screen(window: QWidget) -> None:
    """Shrink and move a top-level window, with its frame, into the usable area of its screen."""
    if window.isMaximized() or window.isFullScreen():
        return
    room = window.screen().availableGeometry()
    frame = window.frameGeometry().size() - window.geometry().size()
    most = room.size() - frame
    if window.minimumWidth() > most.width() or window.minimumHeight() > most.height():
        window.setMinimumSize(window.minimumSize().boundedTo(most))
    if window.width() > most.width() or window.height() > most.height():
        window.resize(window.size().boundedTo(most))
    outer = window.frameGeometry()
    left = max(room.left(), min(outer.left(), room.right() + 1 - outer.width()))
    top = max(room.top(), min(outer.top(), room.bottom() + 1 - outer.height()))
    if (left, top) != (outer.left(), outer.top()):
        window.move(left, top)
