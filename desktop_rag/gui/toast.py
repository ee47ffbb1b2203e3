"""A short note over the window that offers to undo what was just done; never in the way, gone by itself."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QAccessible, QAccessibleEvent, QColor, QEnterEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from desktop_rag.gui.foreign import one_line
from desktop_rag.gui.icons import IconButton
from desktop_rag.gui.theme import GRID, current_colors, set_role

_SECONDS = 10


class Toast(QWidget):
    """Shows one note at a time at the upper edge of its parent; waits while the pointer or the focus is on it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._act: Callable[[], None] | None = None
        self._otherwise: Callable[[], None] | None = None
        self._text = QLabel(self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._action = QPushButton(self)
        set_role(self._action, "link")
        self._close = IconButton("close", self.tr("Close this note"), self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SECONDS * 1000)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, GRID, GRID)
        layout.setSpacing(GRID)
        layout.addWidget(self._text)
        layout.addWidget(self._action)
        layout.addWidget(self._close)
        self.hide()
        parent.installEventFilter(self)
        self._timer.timeout.connect(self._on_timeout)
        self._close.clicked.connect(self.finish)
        self._action.clicked.connect(self.act)

    def say(
        self,
        text: str,
        action: str = "",
        act: Callable[[], None] | None = None,
        otherwise: Callable[[], None] | None = None,
    ) -> None:
        """Show `text` with a button named `action` that calls `act`; gone unused, the note calls `otherwise`."""
        self.finish()
        self._act, self._otherwise = act, otherwise
        self._text.setText(one_line(text))
        self._text.setAccessibleName(one_line(text))
        self.setAccessibleName(one_line(text))
        self._action.setText(action)
        self._action.setVisible(act is not None)
        self.show()
        self._place()
        self.raise_()
        self._timer.start()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def can_act(self) -> bool:
        """Return whether there is something to undo."""
        return self.isVisible() and self._act is not None

    @Slot()
    def finish(self) -> None:
        """Let the note go unused; an offer can no longer be taken."""
        otherwise, self._otherwise, self._act = self._otherwise, None, None
        self._timer.stop()
        self.hide()
        if otherwise is not None:
            otherwise()

    @Slot()
    def act(self) -> None:
        """Do what the button offers, once."""
        act, self._act, self._otherwise = self._act, None, None
        self.finish()
        if act is not None:
            act()

    def _on_timeout(self) -> None:
        if self._action.hasFocus() or self._close.hasFocus():
            self._timer.start()
        else:
            self.finish()

    def _place(self) -> None:
        room = self._window.rect()
        self.setMaximumWidth(room.width() - 4 * GRID)
        self.adjustSize()
        self.move((room.width() - self.width()) // 2, 5 * GRID)  # below it lies the question field

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the middle of the window."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def enterEvent(self, event: QEnterEvent) -> None:
        """Stay while the pointer rests here."""
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        """Count the seconds anew."""
        if self.isVisible():
            self._timer.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card."""
        colors = current_colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colors.outline), 1))
        painter.setBrush(QColor(colors.raised))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), GRID, GRID)
        painter.end()
