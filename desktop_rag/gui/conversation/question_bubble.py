"""The person's own question, set apart from the answer and as wide as it needs to be."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from desktop_rag.gui.theme.theme import current_colors, text_font

_SIDE, _TOP = 14, 9
_SHARE = 0.86  # of the width at most


class QuestionBubble(QWidget):
    """A question in plain text; it can be selected and copied."""

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setWordWrap(True)
        self._label.setFont(text_font(0.5))
        self._label.setText(question)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._label.setAccessibleName(question)
        self.setAccessibleName(self.tr("Question"))

    def _text_size(self, width: int) -> QSize:
        metrics = self._label.fontMetrics()
        most = max(80, int(width * _SHARE) - 2 * _SIDE)
        longest = max((metrics.horizontalAdvance(line) for line in self._label.text().split("\n")), default=0)
        wide = min(most, longest + 6)
        return QSize(wide, self._label.heightForWidth(wide))

    def heightForWidth(self, width: int) -> int:
        """Return the height of the wrapped question."""
        return self._text_size(width).height() + 2 * _TOP

    def sizeHint(self) -> QSize:
        """Return the size at the present width."""
        width = max(self.width(), 240)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Let the question be as narrow as the window."""
        return QSize(160, self.fontMetrics().height() + 2 * _TOP)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the words at the right."""
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a new font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._place()

    def _place(self) -> None:
        size = self._text_size(self.width())
        self._label.setGeometry(self.width() - size.width() - _SIDE, _TOP, size.width(), size.height())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bubble."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(current_colors().bubble))
        words = QRectF(self._label.geometry())
        painter.drawRoundedRect(words.adjusted(-_SIDE, -_TOP, _SIDE, _TOP), 12, 12)
