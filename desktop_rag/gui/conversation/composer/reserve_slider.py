"""The context as a bar whose boundary between evidence and answer can be dragged."""

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSlider, QWidget

from desktop_rag.agent.events import ContextUse
from desktop_rag.agent.run.context import FULL_SHARE, LARGEST_RESERVE, LEAST_RESERVE
from desktop_rag.gui import formatting
from desktop_rag.gui.theme.theme import current_colors
from desktop_rag.gui.theme.theme_colors import Colors
from desktop_rag.gui.widgets.row_painting import mirror_painter

_BAR = 10  # pixels high
_SETTLED_MS = 300  # after the last movement
_STEP = 256  # tokens


def meter_colors(colors: Colors) -> tuple[str, str, str, str]:
    """Return the colour of each part of the context, in the order of the bar."""
    return (colors.meter_instructions, colors.meter_history, colors.meter_evidence, colors.meter_answer)


def reserve_color() -> QColor:
    """Return the colour of the room kept for the answer."""
    color = QColor(current_colors().meter_answer)
    color.setAlphaF(0.45)
    return color


def paint_context(painter: QPainter, area: QRectF, parts: tuple[float, ...], limit: int, reserve: int) -> None:
    """Paint the parts of a context, the room kept for the answer, and the mark from which evidence is dropped."""
    colors = current_colors()
    path = QPainterPath()
    path.addRoundedRect(area, area.height() / 2, area.height() / 2)
    painter.save()
    painter.setClipPath(path)
    painter.fillRect(area, QColor(colors.track))
    scale = area.width() / max(1, limit)
    left = area.left()
    for amount, color in zip(parts, meter_colors(colors), strict=True):
        painter.fillRect(QRectF(left, area.top(), amount * scale, area.height()), QColor(color))
        left += amount * scale
    if reserve:
        width = reserve * scale
        painter.fillRect(QRectF(area.right() - width, area.top(), width, area.height()), reserve_color())
        mark = area.left() + (FULL_SHARE * limit - reserve) * scale
        painter.fillRect(QRectF(mark, area.top(), 1.5, area.height()), QColor(colors.muted))
    painter.restore()


class ReserveSlider(QSlider):
    """Its value is the boundary: the tokens of the context that are not kept for the answer."""

    reserve_chosen = Signal(int)  # keep so many tokens for the answer

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._context = ContextUse(0, 0, 0, 0, 1, estimated=True)
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(_SETTLED_MS)
        self._settled.timeout.connect(lambda: self.reserve_chosen.emit(self.reserve))
        self.setSingleStep(_STEP)
        self.setPageStep(4 * _STEP)
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self.setAccessibleName(self.tr("Boundary between evidence and answer"))
        self.valueChanged.connect(self._on_moved)

    @property
    def reserve(self) -> int:
        """Return the tokens kept for the answer."""
        return self._context.limit - self.value()

    def show_use(self, context: ContextUse) -> None:
        """Show the context of a run; what you are dragging stays."""
        if self.isSliderDown() or self._settled.isActive():
            return
        self._context = context
        with QSignalBlocker(self):
            self.setRange(context.limit - int(LARGEST_RESERVE * context.limit), context.limit - LEAST_RESERVE)
            self.setValue(context.limit - context.reserve)
        self.setEnabled(context.reserve > 0)
        self._describe()

    @Slot()
    def _on_moved(self) -> None:
        self._settled.start()
        self._describe()

    def _describe(self) -> None:
        kept = formatting.tokens(self.reserve)
        text = self.tr("{tokens} are kept for the answer; drag, or use the arrow keys").format(tokens=kept)
        self.setAccessibleDescription(text)
        self.setToolTip(formatting.tool_tip(text))
        self.update()

    def _bar(self) -> QRectF:
        return QRectF(4, (self.height() - _BAR) / 2, self.width() - 8, _BAR)

    def _drag(self, x: float) -> None:
        bar = self._bar()
        x = self.width() - x if self.isRightToLeft() else x
        tokens = (x - bar.left()) / bar.width() * self._context.limit
        self.setValue(self._context.limit - round((self._context.limit - tokens) / _STEP) * _STEP)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to drag the boundary."""
        self.setSliderDown(True)
        self._drag(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the boundary."""
        if self.isSliderDown():
            self._drag(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the boundary."""
        self.setSliderDown(False)

    def sizeHint(self) -> QSize:
        """Return the size of the bar with its handle."""
        return QSize(320, 26)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar and the handle at the boundary."""
        colors, context = current_colors(), self._context
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        mirror_painter(painter, self)
        bar = self._bar()
        parts = (context.instructions, context.history, context.evidence, context.answer)
        paint_context(painter, bar, parts, context.limit, self.reserve if context.reserve else 0)
        if context.reserve:
            x = bar.left() + bar.width() * self.value() / context.limit
            pen = QPen(QColor(colors.focus), 2) if self.hasFocus() else QPen(QColor(colors.outline), 1)
            painter.setPen(pen)
            painter.setBrush(QColor(colors.raised))
            painter.drawRoundedRect(QRectF(x - 4, bar.top() - 5, 8, bar.height() + 10), 4, 4)
