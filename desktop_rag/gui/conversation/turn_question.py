"""The question of a turn in a bubble, and the file filters that the agent read into it as chips."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.theme import current_colors, text_font
from desktop_rag.gui.widgets.chips import Chip, FlowRow
from desktop_rag.retrieval.api import Filter
from desktop_rag.retrieval.query.tree import FileField
from desktop_rag.text.display import one_line

_SIDE, _TOP = 14, 9
_WIDEST_SHARE = 0.86  # of the width


class QuestionBubble(QWidget):
    """A question as plain text that can be selected, as wide as it needs to be."""

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
        self._sizes: dict[int, QSize] = {}  # of the text, by width: a layout asks many times

    def _text_size(self, width: int) -> QSize:
        if width not in self._sizes:
            metrics = self._label.fontMetrics()
            most = max(80, int(width * _WIDEST_SHARE) - 2 * _SIDE)
            longest = max((metrics.horizontalAdvance(line) for line in self._label.text().split("\n")), default=0)
            text_width = min(most, longest + 6)
            self._sizes[width] = QSize(text_width, self._label.heightForWidth(text_width))
        return self._sizes[width]

    def heightForWidth(self, width: int) -> int:
        """Return the height of the wrapped question."""
        return self._text_size(width).height() + 2 * _TOP

    def sizeHint(self) -> QSize:
        """Return the size at the current width."""
        width = max(self.width(), 240)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Return a small width, so that the question can shrink with the window."""
        return QSize(160, self.fontMetrics().height() + 2 * _TOP)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Align the question to the right."""
        super().resizeEvent(event)
        self._place_label()

    def changeEvent(self, event: QEvent) -> None:
        """Lay out again in a new font or style."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._sizes.clear()
            self._place_label()

    def _place_label(self) -> None:
        size = self._text_size(self.width())
        self._label.setGeometry(self.width() - size.width() - _SIDE, _TOP, size.width(), size.height())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bubble."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(current_colors().bubble))
        text = QRectF(self._label.geometry())
        painter.drawRoundedRect(text.adjusted(-_SIDE, -_TOP, _SIDE, _TOP), 12, 12)


class FilterChip(Chip):
    """One filter on files."""

    def __init__(self, filter_: Filter, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, icon="close", parent=parent)
        self.filter = filter_
        self.setFont(text_font(-1))
        self.setAccessibleName(self.tr("Only in {0}; ask again without it").format(one_line(text)))
        self.setToolTip(tool_tip(self.tr("Ask again without this")))


class FilterChips(FlowRow):
    """The filters of a run in addition to those you chose; a click on one asks again without it."""

    dropped = Signal(Filter)  # ask again without this filter

    def __init__(self, filters: Sequence[Filter], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Files this question is limited to"))
        names = {
            FileField.EXT: self.tr("Type: {0}"),
            FileField.FOLDER: self.tr("Folder: {0}"),
            FileField.AUTHOR: self.tr("Author: {0}"),
            FileField.MODIFIED: self.tr("Changed: {0}"),
            FileField.DATE: self.tr("Date: {0}"),
        }
        chips = [FilterChip(each, names.get(each.field, "{0}").format(each.text), self) for each in filters]
        for chip in chips:
            chip.clicked.connect(self._on_clicked)
        self.set_items(chips)

    @Slot()
    def _on_clicked(self) -> None:
        chip = self.sender()
        if isinstance(chip, FilterChip):
            self.dropped.emit(chip.filter)
