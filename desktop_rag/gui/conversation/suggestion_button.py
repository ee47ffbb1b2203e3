"""A question one can ask with a click, drawn as a quiet card that wraps."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors
from desktop_rag.gui.widgets.painted_button import PaintedButton
from desktop_rag.text.display import one_line

_PAD = 12
_ICON = 26


class SuggestionButton(PaintedButton):
    """A question in full, over as many lines as it takes."""

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self._words = one_line(question)
        self.setAccessibleName(self._words)
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

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw card, question and arrow."""
        colors = current_colors()
        painter = self.begin_painting()
        self.draw_card(painter, colors.border, colors.hover if self.underMouse() else colors.raised, 8)
        painter.setPen(QColor(colors.text))
        area = self.rect().adjusted(_PAD, 0, -_PAD - _ICON, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, self._words)
        icons.draw(painter, QRect(self.width() - _PAD - 16, 0, 16, self.height()), "arrow-right", colors.faint, 16)
