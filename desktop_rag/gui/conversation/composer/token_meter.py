"""Shows how full the model's context is, with what, and how many tokens the run has used."""

from PySide6.QtCore import QEasingCurve, QPoint, QRectF, QSize, Qt, QVariantAnimation, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rag.agent.budget.spending import Spent
from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    ContextMeasured,
    ContextUse,
    LimitReached,
    RunStarted,
    RunUsage,
)
from desktop_rag.agent.run.context import FULL_SHARE
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.composer.meter_legend import MeterLegend
from desktop_rag.gui.conversation.composer.reserve_slider import paint_context
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, motion_is_reduced, scaled, text_font
from desktop_rag.gui.widgets.painted_button import PaintedButton
from desktop_rag.gui.widgets.row_painting import mirror_painter
from desktop_rag.settings import MoneyLimits

_BAR = 6  # pixels high
_ANIMATION_MS = 280
_LEAST_ANIMATED = 10  # tokens; smaller changes are not animated


class TokenMeter(PaintedButton):
    """A bar in four colours with figures; a click shows the parts."""

    reserve_chosen = Signal(int)  # keep so many tokens for the answer, from now on

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context: ContextUse | None = None
        self._usage: RunUsage | None = None
        self._parts = [0.0, 0.0, 0.0, 0.0]
        self._from = [0.0, 0.0, 0.0, 0.0]
        self._cut_off = False  # the endpoint ended the answer for its length
        self._counts = False  # whether a language model runs
        self._spent = Spent(0.0, 0.0)
        self._money = MoneyLimits()
        self._dated = ""
        self._legend: MeterLegend | None = None
        self._motion = QVariantAnimation(self)
        self._motion.setDuration(_ANIMATION_MS)
        self._motion.setStartValue(0.0)
        self._motion.setEndValue(1.0)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.valueChanged.connect(self._on_moved)
        self.setFont(text_font(-1))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Tokens"))
        self.clicked.connect(self._on_clicked)
        self._update()

    @property
    def warns(self) -> bool:
        """Return whether less than a tenth of the context is free, or something was cut off."""
        return bool(self._warnings())

    @property
    def context_text(self) -> str:
        """Return 3,412 / 32,768."""
        context = self._context
        if context is None:
            return ""
        return f"{formatting.figures(context.used, estimated=context.estimated)} / {formatting.figures(context.limit)}"

    @property
    def usage_text(self) -> str:
        """Return 12,904 tokens."""
        usage = self._usage
        if usage is None:
            return ""
        money = f" · {formatting.money(usage.money)}" if usage.money is not None else ""
        return f"{formatting.run_tokens(usage)}{money}"

    def append(self, event: AgentEvent) -> None:
        """Show what the next event of a run tells; a run without a language model has no figures."""
        if isinstance(event, RunStarted):
            self._counts, self._cut_off = event.uses_model, False
            if not self._counts:
                self.clear()
        elif isinstance(event, ContextMeasured | Answered) and self._counts:
            self.show_use(event.context, event.usage)
        elif isinstance(event, LimitReached) and event.limit == "length":
            self._cut_off = True
            self._update()

    def show_spent(self, spent: Spent, limits: MoneyLimits, dated: str = "") -> None:
        """Show what was spent today and this month, and the date of the prices; used with the next figures."""
        if (spent, limits, dated) != (self._spent, self._money, self._dated):
            self._spent, self._money, self._dated = spent, limits, dated
            self._update()

    def show_use(self, context: ContextUse, usage: RunUsage | None) -> None:
        """Show new figures; the bar is animated."""
        target = [float(part) for part in (context.instructions, context.history, context.evidence, context.answer)]
        moved = max(abs(new - old) for new, old in zip(target, self._parts, strict=True))
        self._context, self._usage = context, usage
        self._from = list(self._parts)
        self._motion.stop()
        if moved > _LEAST_ANIMATED and self.isVisible() and not motion_is_reduced():
            self._motion.start()
        else:
            self._parts = target
        self._update()

    def clear(self) -> None:
        """Remove the figures."""
        self._motion.stop()
        self._context = self._usage = None
        self._cut_off = False
        self._parts = [0.0] * 4
        self._update()

    def _update(self) -> None:
        lines = self._legend_lines()
        self.setAccessibleDescription(". ".join(lines))
        self.setToolTip(tool_tip("\n".join(lines)))
        if self._legend is not None and self._legend.isVisible() and self._context is not None:
            self._legend.show_use(self._context, self._usage, self._money_rows(), self._warnings())
        self.setEnabled(self._context is not None)
        self.updateGeometry()
        self.update()

    def _legend_lines(self) -> list[str]:
        context = self._context
        if context is None:
            return [self.tr("No run yet")]
        lines = [self.tr("Context: {used}").format(used=self.context_text)]
        for name, count in MeterLegend.parts(context):
            lines.append(f"{name}: {formatting.figures(count, estimated=context.estimated)}")
        if self._usage is not None:
            lines.append(self.tr("This run: {tokens}").format(tokens=formatting.run_tokens(self._usage)))
            lines += [f"{name}: {amount}" for name, amount in self._money_rows()]
        if context.estimated:
            lines.append(self.tr("~ means estimated: the model reports no token counts"))
        return [*lines, *self._warnings()]

    def _warnings(self) -> list[str]:
        context = self._context
        if context is None:
            return []
        found = [self.tr("The answer was cut off: the room kept for it was full")] if self._cut_off else []
        if context.dropped:
            text = self.tr("%Ln result(s) left the context to make room", "", context.dropped)
            found.append(formatting.counted(text, context.dropped))
        if context.limit > 0 and context.used + context.reserve >= FULL_SHARE * context.limit:
            found.append(self.tr("The context is nearly full"))
        if self._dated and self._money_rows():
            found.append(self._dated)
        return found

    def _money_rows(self) -> list[tuple[str, str]]:
        """Return the money of run, day and month with the limits; none without prices."""
        usage, spent, limits = self._usage, self._spent, self._money
        if usage is None or usage.money is None:
            return []
        rows = []
        for name, amount, limit in (
            (self.tr("Money of this run"), usage.money, limits.run),
            (self.tr("Money today"), spent.day, limits.day),
            (self.tr("Money this month"), spent.month, limits.month),
        ):
            of_limit = self.tr("{amount} of {limit}") if limit else "{amount}"
            rows.append((name, of_limit.format(amount=formatting.money(amount), limit=formatting.money(limit))))
        return rows

    @Slot(object)
    def _on_moved(self, share: float) -> None:
        context = self._context
        if context is None:
            return
        target = (context.instructions, context.history, context.evidence, context.answer)
        self._parts = [old + (new - old) * share for old, new in zip(self._from, target, strict=True)]
        self.update()

    @Slot()
    def _on_clicked(self) -> None:
        if self._context is None:
            return
        if self._legend is None:
            self._legend = MeterLegend(self)
            self._legend.reserve_chosen.connect(self.reserve_chosen)
        self._legend.show_use(self._context, self._usage, self._money_rows(), self._warnings())
        size = self._legend.sizeHint()
        place, room = self.mapToGlobal(QPoint(0, -size.height() - 6)), self.screen().availableGeometry()
        self._legend.move(max(room.left(), min(place.x(), room.right() - size.width())), max(room.top(), place.y()))
        self._legend.show()

    def sizeHint(self) -> QSize:
        """Return the size of the bar and both figures."""
        metrics = self.fontMetrics()
        text_width = metrics.horizontalAdvance(self.context_text) + metrics.horizontalAdvance(self.usage_text)
        return QSize(150 + text_width + 30, metrics.height() + 10)

    def minimumSizeHint(self) -> QSize:
        """Return the size of a short bar and the figures of the context."""
        metrics = self.fontMetrics()
        return QSize(48 + metrics.horizontalAdvance(self.context_text) + 20, metrics.height() + 10)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint bar and figures; without room the total of the run is left out."""
        colors = current_colors()
        if self._context is None:
            return
        painter = self.begin_painting()
        self.draw_quiet_ground(painter)
        metrics = QFontMetrics(self.font())
        right = self.width() - 8
        total, context = metrics.horizontalAdvance(self.usage_text), metrics.horizontalAdvance(self.context_text)
        centre = Qt.AlignmentFlag.AlignVCenter
        if total and right - total - context - 30 >= 60:
            painter.setPen(QColor(colors.faint))
            painter.drawText(self.column(right - total, total + 2), centre, self.usage_text)
            right -= total + 14
        painter.setPen(QColor(colors.warning if self.warns else colors.muted))
        painter.drawText(self.column(right - context, context + 2), centre, self.context_text)
        right -= context + 10
        if self.warns:
            sign = scaled(14)
            icons.draw(painter, self.column(right - sign, sign), "warning", colors.warning, 14)
            right -= sign + 6
        area = QRectF(8, (self.height() - _BAR) / 2, max(0, right - 8), _BAR)
        mirror_painter(painter, self)
        paint_context(painter, area, tuple(self._parts), self._context.limit, self._context.reserve)
