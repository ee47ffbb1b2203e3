"""Shows how full the model's context is, with what, and how many tokens the run has used."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QCoreApplication,
    QEasingCurve,
    QPoint,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    QTimer,
    QVariantAnimation,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QSizePolicy, QSlider, QStyle, QWidget

from desktop_rag.agent.budget import Spent
from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    ContextMeasured,
    ContextUse,
    LimitReached,
    RunStarted,
    RunUsage,
)
from desktop_rag.agent.run.context import FULL_SHARE, LARGEST_RESERVE, LEAST_RESERVE
from desktop_rag.gui import formatting
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, motion_is_reduced, scaled, text_font
from desktop_rag.gui.theme.theme_colors import Colors
from desktop_rag.gui.widgets.painted_button import PaintedButton, mirror_painter
from desktop_rag.settings import MoneyLimits

# The context as a bar whose boundary between evidence and answer can be dragged.

_SLIDER_BAR = 10  # pixels high
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
        return QRectF(4, (self.height() - _SLIDER_BAR) / 2, self.width() - 8, _SLIDER_BAR)

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


# The parts of the model's context as a small table above the token meter.

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
