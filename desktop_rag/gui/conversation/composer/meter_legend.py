"""The parts of the model's context as a small table above the token meter."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from desktop_rag.agent.events import ContextUse, RunUsage
from desktop_rag.gui import formatting
from desktop_rag.gui.theme.theme import current_colors, text_font
from desktop_rag.gui.theme.theme_colors import Colors

_PAD = 14
_DOT = 9


class MeterLegend(QWidget):
    """A popup that closes on Esc or a click elsewhere."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAccessibleName(self.tr("What the context holds"))
        self._rows: list[tuple[str, str, str]] = []  # colour, name, figures
        self._note = ""

    @staticmethod
    def parts(context: ContextUse) -> tuple[tuple[str, int], ...]:
        """Return name and token count of each part, in the order of the bar."""
        return (
            (QCoreApplication.translate("MeterLegend", "Instructions"), context.instructions),
            (QCoreApplication.translate("MeterLegend", "History"), context.history),
            (QCoreApplication.translate("MeterLegend", "Evidence"), context.evidence),
            (QCoreApplication.translate("MeterLegend", "Answer"), context.answer),
        )

    @staticmethod
    def colors(colors: Colors) -> tuple[str, str, str, str]:
        """Return the colour of each part."""
        return (colors.meter_instructions, colors.meter_history, colors.meter_evidence, colors.meter_answer)

    def show_use(self, context: ContextUse, usage: RunUsage | None, money: Sequence[tuple[str, str]] = ()) -> None:
        """Show the figures of `context` and of the whole run; `money` are further names and amounts."""
        colors_of_parts = self.colors(current_colors())
        rows = [
            (color, name, formatting.figures(count, estimated=context.estimated))
            for color, (name, count) in zip(colors_of_parts, self.parts(context), strict=True)
        ]
        free = max(0, context.limit - context.used)
        rows.append((current_colors().track, self.tr("Free"), formatting.figures(free, estimated=context.estimated)))
        if usage is not None:
            input_tokens = formatting.figures(usage.prompt_tokens, estimated=usage.estimated)
            output_tokens = formatting.figures(usage.completion_tokens, estimated=usage.estimated)
            rows.append(("", self.tr("Input tokens of this run"), input_tokens))
            rows.append(("", self.tr("Output tokens of this run"), output_tokens))
            rows.append(("", self.tr("Requests"), formatting.number(usage.requests)))
        self._rows = [*rows, *(("", name, amount) for name, amount in money)]
        estimated = context.estimated or (usage is not None and usage.estimated)
        self._note = self.tr("~ estimated: the endpoint reports no token counts") if estimated else ""
        self.setAccessibleDescription(", ".join(f"{name} {figures}" for _, name, figures in self._rows))
        self.resize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of the table."""
        metrics = self.fontMetrics()
        names = max((metrics.horizontalAdvance(name) for _, name, _ in self._rows), default=0)
        figures = max((metrics.horizontalAdvance(text) for _, _, text in self._rows), default=0)
        width = max(names + figures + 48, QFontMetrics(text_font(-1)).horizontalAdvance(self._note))
        lines = len(self._rows) + (1 if self._note else 0)
        return QSize(width + 2 * _PAD, lines * self._step() + 2 * _PAD)

    def _step(self) -> int:
        return self.fontMetrics().height() + 6

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the card and its rows."""
        colors = current_colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colors.outline), 1))
        painter.setBrush(QColor(colors.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        y, step = _PAD, self._step()
        figures_font = text_font(0, QFont.Weight.DemiBold)
        figures_font.setFeature(QFont.Tag("tnum"), 1)
        for color, name, figures in self._rows:
            left = _PAD
            if color:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(color))
                painter.drawRoundedRect(QRectF(left, y + (step - _DOT) / 2, _DOT, _DOT), 3, 3)
            left += _DOT + 9
            painter.setFont(text_font(0))
            painter.setPen(QColor(colors.text if color else colors.muted))
            painter.drawText(left, y, self.width(), step, Qt.AlignmentFlag.AlignVCenter, name)
            painter.setFont(figures_font)
            right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(_PAD, y, self.width() - 2 * _PAD, step, right, figures)
            y += step
        if self._note:
            painter.setFont(text_font(-1))
            painter.setPen(QColor(colors.faint))
            painter.drawText(_PAD, y, self.width() - 2 * _PAD, step, Qt.AlignmentFlag.AlignVCenter, self._note)
