"""The parts of the model's context as a small table above the token meter."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStyle, QWidget

from desktop_rag.agent.events import ContextUse, RunUsage
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.composer.reserve_slider import ReserveSlider, meter_colors, reserve_color
from desktop_rag.gui.theme.theme import current_colors, text_font

_PAD = 14
_DOT = 9
_GAP = 6


class MeterLegend(QWidget):
    """A popup that closes on Esc or a click elsewhere."""

    reserve_chosen = Signal(int)  # keep so many tokens for the answer

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAccessibleName(self.tr("What the context holds"))
        self._rows: list[tuple[str, str, str]] = []  # colour, name, figures
        self._notes: list[str] = []
        self._slider = ReserveSlider(self)
        self._slider.reserve_chosen.connect(self.reserve_chosen)

    @staticmethod
    def parts(context: ContextUse) -> tuple[tuple[str, int], ...]:
        """Return name and token count of each part, in the order of the bar."""
        return (
            (QCoreApplication.translate("MeterLegend", "Instructions"), context.instructions),
            (QCoreApplication.translate("MeterLegend", "History"), context.history),
            (QCoreApplication.translate("MeterLegend", "Evidence"), context.evidence),
            (QCoreApplication.translate("MeterLegend", "Answer"), context.answer),
        )

    def show_use(
        self,
        context: ContextUse,
        usage: RunUsage | None,
        money: Sequence[tuple[str, str]] = (),
        warnings: Sequence[str] = (),
    ) -> None:
        """Show the figures of `context` and of the whole run; `money` are further names and amounts."""
        colors_of_parts = meter_colors(current_colors())
        rows = [
            (color, name, formatting.figures(count, estimated=context.estimated))
            for color, (name, count) in zip(colors_of_parts, self.parts(context), strict=True)
        ]
        if context.reserve:
            kept = formatting.figures(context.reserve)
            rows.append((reserve_color().name(QColor.NameFormat.HexArgb), self.tr("Kept for the answer"), kept))
        free = max(0, context.limit - context.used - context.reserve)
        rows.append((current_colors().track, self.tr("Free"), formatting.figures(free, estimated=context.estimated)))
        if usage is not None:
            input_tokens = formatting.figures(usage.prompt_tokens, estimated=usage.estimated)
            output_tokens = formatting.figures(usage.completion_tokens, estimated=usage.estimated)
            rows.append(("", self.tr("Input tokens of this run"), input_tokens))
            if usage.cached:
                rows.append(("", self.tr("Of these, from the server's cache"), formatting.figures(usage.cached)))
            rows.append(("", self.tr("Output tokens of this run"), output_tokens))
            if usage.reasoning:
                rows.append(("", self.tr("Of these, for thinking"), formatting.figures(usage.reasoning)))
            if usage.per_second:
                rows.append(("", self.tr("Speed of the last request"), formatting.speed(usage.per_second)))
            rows.append(("", self.tr("Requests"), formatting.number(usage.requests)))
        self._rows = [*rows, *(("", name, amount) for name, amount in money)]
        estimated = context.estimated or (usage is not None and usage.estimated)
        self._notes = list(warnings)
        if estimated:
            self._notes.append(self.tr("~ estimated: the model reports no token counts"))
        lines = (*(f"{name} {figures}" for _, name, figures in self._rows), *self._notes)
        self.setAccessibleDescription(", ".join(lines))
        self._slider.show_use(context)
        self.resize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of the table."""
        metrics = self.fontMetrics()
        names = max((metrics.horizontalAdvance(name) for _, name, _ in self._rows), default=0)
        figures = max((metrics.horizontalAdvance(text) for _, _, text in self._rows), default=0)
        small = QFontMetrics(text_font(-1))
        bar = self._slider.sizeHint()
        width = max(names + figures + 48, bar.width(), *map(small.horizontalAdvance, self._notes))
        lines = len(self._rows) + len(self._notes)
        return QSize(width + 2 * _PAD, bar.height() + _GAP + lines * self._step() + 2 * _PAD)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the bar over the whole width."""
        self._slider.setGeometry(_PAD, _PAD, self.width() - 2 * _PAD, self._slider.sizeHint().height())

    def showEvent(self, event: QShowEvent) -> None:
        """Take the keys: arrows move the boundary, Esc closes."""
        self._slider.setFocus(Qt.FocusReason.PopupFocusReason)

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
        y, step = _PAD + self._slider.sizeHint().height() + _GAP, self._step()
        figures_font = text_font(0, QFont.Weight.DemiBold)
        figures_font.setFeature(QFont.Tag("tnum"), 1)
        for color, name, figures in self._rows:
            row = QRect(_PAD, y, self.width() - 2 * _PAD, step)
            if color:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(color))
                dot = self._mirrored(QRect(row.left(), y + (step - _DOT) // 2, _DOT, _DOT))
                painter.drawRoundedRect(dot, 3, 3)
            painter.setFont(text_font(0))
            painter.setPen(QColor(colors.text if color else colors.muted))
            words = self._mirrored(row.adjusted(_DOT + 9, 0, 0, 0))
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)
            painter.setFont(figures_font)
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, figures)
            y += step
        painter.setFont(text_font(-1))
        painter.setPen(QColor(colors.muted))
        for note in self._notes:
            painter.drawText(_PAD, y, self.width() - 2 * _PAD, step, Qt.AlignmentFlag.AlignVCenter, note)
            y += step

    def _mirrored(self, area: QRect) -> QRect:
        """Return the position of `area` in the direction of the language; text alignment is mirrored by the painter."""
        return QStyle.visualRect(self.layoutDirection(), self.rect(), area)
