"""A notice inside a conversation: what happened, in a sentence, and buttons for what you can do about it."""

from enum import StrEnum

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.density import set_margins
from desktop_rag.gui.theme.theme import current_colors, scaled
from desktop_rag.gui.widgets.chips import FlowRow
from desktop_rag.gui.widgets.plain_labels import PlainLabel, button_text
from desktop_rag.gui.widgets.row_painting import mirrored
from desktop_rag.text.display import one_line

_ICON = 20  # pixels beside text of the usual size


class NoticeTone(StrEnum):
    """How urgent a notice is."""

    CALM = "calm"
    CAUTION = "caution"
    TROUBLE = "trouble"


class NoticeCard(QWidget):
    """Title, sentence and buttons on a tinted background."""

    def __init__(
        self, tone: NoticeTone, title: str, sentence: str, icon: str = "info", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._tone, self._icon, self._title = tone, icon, title
        self.setAccessibleName(f"{one_line(title)}. {one_line(sentence)}")
        row = QHBoxLayout(self)
        set_margins(row, scaled(_ICON) + 24, 12, 16, 12)
        self._column = QVBoxLayout()
        self._column.setSpacing(4)
        row.addLayout(self._column, 1)
        self._column.addWidget(PlainLabel(one_line(title), "heading"))
        if sentence.strip():
            text = PlainLabel(sentence.strip(), "muted")
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._column.addWidget(text)
        self._buttons: list[QPushButton] = []
        self._flow: FlowRow | None = None

    def is_about(self, title: str) -> bool:
        """Return whether the card has this title."""
        return self._title == title

    def add_widget(self, widget: QWidget) -> None:
        """Add `widget` below the sentence."""
        self._column.addWidget(widget)

    def add_button(self, text: str) -> QPushButton:
        """Add a button below the sentence and return it."""
        button = QPushButton(button_text(text))
        if self._flow is None:
            self._flow = FlowRow(self)
            self._column.addSpacing(4)
            self._column.addWidget(self._flow)
        self._buttons.append(button)
        self._flow.set_items(self._buttons)
        return button

    def minimumSizeHint(self) -> QSize:
        """Return a small width, so that the card can shrink with the window."""
        return QSize(180, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint background and icon."""
        colors = current_colors()
        shades = {
            NoticeTone.CALM: (colors.window if not colors.dark else colors.raised, colors.border, colors.muted),
            NoticeTone.CAUTION: (colors.warning_soft, colors.warning_soft, colors.warning),
            NoticeTone.TROUBLE: (colors.danger_soft, colors.danger_soft, colors.danger),
        }
        background, border, foreground = shades[self._tone]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(border), 1))
        painter.setBrush(QColor(background))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        side = scaled(_ICON)
        icons.draw(painter, mirrored(QRect(14, 12, side, side), self.rect()), self._icon, foreground, _ICON)
