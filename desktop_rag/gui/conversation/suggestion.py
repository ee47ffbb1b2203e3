"""A question one can ask with a click, drawn as a quiet card that wraps."""

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_rag.gui import icons
from desktop_rag.gui.foreign import one_line
from desktop_rag.gui.theme import current_colors

_PAD = 12
_ICON = 26


class SuggestionButton(QAbstractButton):
    """A question in full, over as many lines as it takes."""

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self._words = one_line(question)
        self.setAccessibleName(self._words)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def heightForWidth(self, width: int) -> int:
        """Return the height of the wrapped question."""
        room = QRect(0, 0, max(60, width - 2 * _PAD - _ICON), 10_000)
        return self.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, self._words).height() + 2 * _PAD - 2

    def sizeHint(self) -> QSize:
        """Return the size at the present width."""
        width = max(self.width(), 240)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Let the card be as narrow as the window."""
        return QSize(160, self.fontMetrics().height() + 2 * _PAD)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show that it can be pressed."""
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Go back to rest."""
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw card, question and arrow."""
        colors = current_colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self.hasFocus()
        painter.setPen(QPen(QColor(colors.focus if focused else colors.border), 1.5 if focused else 1))
        painter.setBrush(QColor(colors.hover if self.underMouse() else colors.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75), 8, 8)
        painter.setPen(QColor(colors.text))
        area = self.rect().adjusted(_PAD, 0, -_PAD - _ICON, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, self._words)
        icons.draw(painter, QRect(self.width() - _PAD - 16, 0, 16, self.height()), "arrow-right", colors.faint, 16)
