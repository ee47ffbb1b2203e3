"""The progress of a run: a header with the current activity, and below it the steps."""

import math
import time
from collections.abc import Mapping
from time import monotonic

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QSlider, QWidget

from desktop_rag.agent.events import AgentEvent, StepStarted
from desktop_rag.gui import formatting
from desktop_rag.gui.answer_methods import method_name
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.timeline.run_story import RunStory, StepCost, StoryPhase
from desktop_rag.gui.conversation.timeline.timeline_rows import EntryRow, StoryRows
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.theme.theme import (
    GRID,
    current_colors,
    motion_is_reduced,
    scaled,
    set_role,
    text_font,
)
from desktop_rag.gui.widgets.layouts import in_column, in_row
from desktop_rag.gui.widgets.painted_button import FoldHeader
from desktop_rag.gui.widgets.plain_labels import ElidedLabel
from desktop_rag.gui.widgets.toast import Announcer
from desktop_rag.text.display import one_line

# Goes back through the steps of a finished run: which step is shown, what it took, and a new run from there.

SEPARATOR = " · "


class FiguresLabel(ElidedLabel):
    """What a step took; figures that do not fit are left out as a whole, from the last one on."""

    def _fit(self) -> None:
        metrics, parts = QFontMetrics(self.font()), self._whole.split(SEPARATOR)
        self.setMinimumWidth(metrics.horizontalAdvance(parts[0]) + 1)  # what a label wants of itself
        while len(parts) > 1 and metrics.horizontalAdvance(SEPARATOR.join(parts)) > self.width():
            parts.pop()
        shown = SEPARATOR.join(parts)
        self.setText(shown)
        self.setToolTip(tool_tip(self._whole) if shown != self._whole else "")


class StepSlider(QWidget):
    """A slider over the steps; at its right end the run is shown as it ended."""

    step_shown = Signal(int)  # show the run as it was after this step; the last one: as it ended
    fork_requested = Signal(int)  # ask again from this step

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._costs: Mapping[int, StepCost] = {}
        self._uses_model = False
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # like the controls of a player in every language
        self._back = IconButton("chevron-left", self.tr("Show the step before"), self)
        self._forward = IconButton("chevron-right", self.tr("Show the next step"), self)
        self._slider = QSlider(Qt.Orientation.Horizontal, self)
        self._slider.setMinimum(1)
        self._slider.setPageStep(5)
        self._slider.setMinimumWidth(60)
        self._slider.setMaximumWidth(160)
        self._slider.setAccessibleName(self.tr("Step shown"))
        self._label = FiguresLabel(self)
        set_role(self._label, "caption")
        self._fork = QPushButton(self.tr("Ask again from here…"), self)
        set_role(self._fork, "link")
        layout = in_row(
            *(self._back, self._slider, self._forward),
            GRID,
            (self._label, 1),
            self._fork,
            on=self,
            spacing=GRID // 2,
            margins=(0, 0, 4, 0),
        )
        layout.addStrut(self._fork.sizeHint().height())  # the row keeps its height
        self._slider.valueChanged.connect(self._on_moved)
        self._back.clicked.connect(lambda: self._slider.setValue(self.step - 1))
        self._forward.clicked.connect(lambda: self._slider.setValue(self.step + 1))
        self._fork.clicked.connect(lambda: self.fork_requested.emit(self.step))

    @property
    def step(self) -> int:
        """Return the step shown."""
        return self._slider.value()

    @property
    def text(self) -> str:
        """Return Step 2 of 5 · 3.1 s · 2,190 tokens."""
        return self._label.accessibleName()

    def minimumSizeHint(self) -> QSize:
        """Return a small width: the turn is laid out at the least width of its parts."""
        return QSize(160, super().minimumSizeHint().height())

    def show_run(self, steps: int, costs: Mapping[int, StepCost], *, uses_model: bool) -> None:
        """Offer the steps of a run and show its end; `uses_model`: tokens mean something."""
        self._costs, self._uses_model = costs, uses_model
        with QSignalBlocker(self._slider):
            self._slider.setMaximum(max(1, steps))
            self._slider.setValue(steps)
        self._show_step()

    def show_end(self) -> None:
        """Show the run as it ended."""
        self._slider.setValue(self._slider.maximum())

    def _figures(self, step: int) -> list[str]:
        cost = self._costs.get(step)
        if cost is None:
            return []
        figures = [formatting.duration(cost.seconds)] if cost.seconds else []
        if self._uses_model:
            figures.append(formatting.tokens(cost.tokens, estimated=cost.estimated))
            figures += [self.tr("{0} cached").format(formatting.number(cost.cached))] if cost.cached > 0 else []
            figures += [self.tr("{0} thinking").format(formatting.number(cost.reasoning))] if cost.reasoning > 0 else []
            figures += [formatting.speed(cost.per_second)] if cost.per_second else []
        return [*figures, formatting.money(cost.money)] if cost.money is not None else figures

    @Slot()
    def _on_moved(self) -> None:
        self._show_step()
        self.step_shown.emit(self.step)

    def _show_step(self) -> None:
        step, last = self.step, self._slider.maximum()
        place = self.tr("Step {number} of {count}").format(
            number=formatting.number(step), count=formatting.number(last)
        )
        text = SEPARATOR.join((place, *self._figures(step)))
        self._label.show_text(text)
        self._slider.setAccessibleDescription(text)
        self._back.setEnabled(step > 1)
        self._forward.setEnabled(step < last)
        self._fork.setVisible(step < last)


_ICON = 16  # pixels beside text of the usual size
SILENT_SECONDS = 5.0  # without a word of the model, before the header says that it waits
_SPIN_MS = 66
_SPIN_DEGREES = 14  # a tick
_STILL = (StoryPhase.QUEUED, StoryPhase.PAUSED, StoryPhase.WAITING, StoryPhase.ASKING)


class TimelineHeader(FoldHeader):
    """The current activity with its seconds, or how the run ended; a click shows or hides the steps."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Shows the steps of this run"), self.tr("Hides the steps of this run"), parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(text_font(0))
        self._text, self._figures, self._phase = "", "", StoryPhase.THINKING
        self._angle = 0
        self._spin = QTimer(self)
        self._spin.setInterval(_SPIN_MS)
        self._spin.timeout.connect(self._on_spin)

    def show_status(self, text: str, figures: str, phase: StoryPhase) -> None:
        """Show the activity or outcome and, less prominent, its `figures`."""
        self._text, self._figures, self._phase = one_line(text), figures, phase
        self.setAccessibleName(" · ".join(filter(None, (self._text, figures))))
        self._set_spinning()
        self.update()

    def _set_spinning(self) -> None:
        if self._phase.over or self._phase in _STILL or not self.isVisible() or motion_is_reduced():
            self._spin.stop()
        elif not self._spin.isActive():
            self._spin.start()

    @Slot()
    def _on_spin(self) -> None:
        self._angle = (self._angle + _SPIN_DEGREES) % 360
        self.update(self.column(0, self.height()))

    def sizeHint(self) -> QSize:
        """Return the size of one line with padding."""
        return QSize(240, max(32, self.fontMetrics().height() + 14))

    def minimumSizeHint(self) -> QSize:
        """Return a small width, so that the header can shrink with the window."""
        return QSize(120, self.sizeHint().height())

    def showEvent(self, event: QShowEvent) -> None:
        """Spin while visible."""
        self._set_spinning()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop spinning while hidden."""
        self._spin.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint icon, text, figures and the arrow."""
        colors = current_colors()
        painter = self.begin_painting()
        self.draw_quiet_ground(painter)
        middle, icon = self.height() / 2, scaled(_ICON)
        self._paint_icon(painter, QRectF(self.column(6, icon)).adjusted(0, middle - icon / 2, 0, icon / 2 - middle))
        metrics = self.fontMetrics()
        left, right = icon + 14, self.width() - icon - 14
        text = metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, right - left)
        painter.setFont(self.font())
        painter.setPen(QColor(colors.muted if self._phase.over else colors.text))
        width = metrics.horizontalAdvance(text)
        painter.drawText(self.column(left, width + 2), Qt.AlignmentFlag.AlignVCenter, text)
        painter.setPen(QColor(colors.faint))
        start = left + width + (5 if self._phase.over else 10)
        figures = self.figures_within(right - start)
        painter.drawText(self.column(start, right - start), Qt.AlignmentFlag.AlignVCenter, figures)
        icons.draw(painter, self.column(self.width() - icon - 8, icon), self.arrow, colors.faint, _ICON)

    def figures_within(self, room: int) -> str:
        """Return as many of the figures as have room beside the text, which is never cut for them."""
        lead, parts = "· " if self._phase.over else "", self._figures.split(" · ")
        while parts and self.fontMetrics().horizontalAdvance(lead + " · ".join(parts)) > room:
            parts.pop()
        return lead + " · ".join(parts) if any(parts) else ""

    def _paint_icon(self, painter: QPainter, area: QRectF) -> None:
        colors = current_colors()
        phase_icons = {
            StoryPhase.ANSWERED: ("check", colors.success),
            StoryPhase.STOPPED: ("stop", colors.muted),
            StoryPhase.FAILED: ("warning", colors.danger),
            StoryPhase.PAUSED: ("pause", colors.muted),
            StoryPhase.QUEUED: ("clock", colors.muted),
            StoryPhase.WAITING: ("clock", colors.warning),
            StoryPhase.ASKING: ("clock", colors.warning),
        }
        if self._phase in phase_icons:
            name, color = phase_icons[self._phase]
            icons.draw(painter, area.toRect(), name, color, _ICON)
            return
        ring = area.adjusted(1.5, 1.5, -1.5, -1.5)
        pen = QPen(QColor(colors.track), 2)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(ring)
        pen.setColor(QColor(colors.accent))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawArc(ring, -self._angle * 16, 100 * 16)


class Timeline(QWidget):
    """The progress of one run: a header, and the steps while expanded."""

    toggled = Signal(bool)  # the steps were shown (True) or hidden
    step_shown = Signal(int)  # show the run as it was after this step; 0: as it ended
    fork_requested = Signal(int)  # ask again from this step

    def __init__(self, requests: ConversationRequests, parent: QWidget | None = None, *, by_step: bool = True) -> None:
        """`by_step`: a finished run can be looked at step by step, and asked again from one."""
        super().__init__(parent)
        self._requests = requests
        self._by_step = by_step
        self.setAccessibleName(self.tr("Steps of this run"))
        self._story = RunStory()
        self._live = self._steerable = False
        self._touched = False  # the user expanded or collapsed the steps: leave them
        self._began = 0.0
        self._paused = 0.0  # when the run was paused last
        self._asked = 0.0  # when the model was asked last
        self._tick = QTimer(self)
        self._tick.setInterval(1000)
        self._tick.timeout.connect(self._update_header)
        self.header = TimelineHeader(self)
        self.header.folded.connect(self._on_header_folded)
        self._announcer = Announcer(self.header)
        self._rows: StoryRows | None = None
        self._slider: StepSlider | None = None
        self._layout = in_column(self.header, on=self, spacing=2)
        self._update_header()

    @property
    def expanded(self) -> bool:
        """Return whether the steps are shown."""
        return self.header.is_open

    def rows(self) -> list[EntryRow]:
        """Return the rows of the steps built so far, oldest first; none before they are first expanded."""
        return self._rows.rows() if self._rows else []

    def begin(self, seconds: float = 0.0, *, steerable: bool = False, queued: bool = False) -> None:
        """Start the clock of a run that began `seconds` ago or is `queued`, and expand its steps.

        A `steerable` run takes feedback on each source it finds.
        """
        self._story.phase = StoryPhase.QUEUED if queued else self._story.phase
        self._live, self._steerable = True, steerable
        self._began = monotonic() - seconds
        self._tick.start()
        self.set_expanded(expanded=True)
        self._update_header()

    def append(self, event: AgentEvent) -> None:
        """Show the next event of the run."""
        if self._story.phase is StoryPhase.QUEUED:
            self._began = monotonic()
        if isinstance(event, StepStarted):
            self._asked = monotonic()
        was = self._story.phase
        entry = self._story.apply(event)
        self._count_pause(was)
        if self._rows is not None and entry is not None:
            self._rows.show_entry(entry)
        if self._live:
            self._announce()
        if self._story.phase.over:
            self._tick.stop()
            if self._live and not self._touched:
                self.set_expanded(expanded=False)
            self._live = False
            if self._rows is not None:
                self._rows.set_steerable(steerable=False)
                self._show_end()
        self._update_header()

    def _count_pause(self, was: StoryPhase) -> None:
        """Leave the time that the run was paused out of the seconds shown."""
        if self._story.phase is not was:
            if self._story.phase is StoryPhase.PAUSED:
                self._paused = monotonic()
            elif was is StoryPhase.PAUSED:
                self._began += monotonic() - self._paused

    def _announce(self) -> None:
        story = self._story
        asking = self.tr("Waiting for your decision") if story.phase is StoryPhase.ASKING else ""
        waiting = sentence(story.retry.reason) if story.phase is StoryPhase.WAITING and story.retry else ""
        if story.phase is not StoryPhase.PREPARING:  # every percent read aloud would be a nuisance
            self._announcer.show(asking or waiting or self._status_text())

    def keep_expanded(self) -> None:
        """Do not collapse the steps at the end of the run."""
        self._touched = True

    def interrupt(self) -> None:
        """Show a stored run without a last event as stopped: the program ended during it."""
        if not self._story.phase.over:
            self._story.phase = StoryPhase.STOPPED
            self._update_header()
            if self._rows is not None:
                self._show_end()

    def set_expanded(self, *, expanded: bool) -> None:
        """Show or hide the steps; they are built when first shown."""
        if expanded and self._rows is None:
            self._rows = StoryRows(self._story, self._requests, self)
            self._rows.set_steerable(steerable=self._live and self._steerable)
            self._layout.addWidget(self._rows)
            self._rows.show_all()
            if self._story.phase.over:
                self._show_end()
        if self._rows is not None:
            self._rows.setVisible(expanded)
        if self._slider is not None:
            self._slider.setVisible(expanded)
            if not expanded:
                self._slider.show_end()
        self.header.set_open(opened=expanded)

    def _show_end(self) -> None:
        """Offer the steps of a finished run one by one, and show below them how it was made."""
        story = self._story
        if self._rows is not None:
            self._rows.show_summary(" · ".join(self._summary()))
        if self._by_step and story.steps > 1 and self._slider is None:
            self._slider = StepSlider(self)
            self._slider.step_shown.connect(self._on_step_shown)
            self._slider.fork_requested.connect(self.fork_requested)
            self._slider.show_run(story.steps, story.costs, uses_model=story.uses_model)
            self._slider.setVisible(self.expanded)
            self._layout.insertWidget(1, self._slider)

    def _summary(self) -> list[str]:
        story = self._story
        parts = [method_name(story.toolkit)] if story.toolkit else []
        parts += [one_line(story.model)] if story.model else []
        if story.uses_model and story.usage is not None:
            parts.append(formatting.run_tokens(story.usage))
            parts.append(formatting.requests(story.usage.requests))
            parts += [formatting.money(story.usage.money)] if story.usage.money is not None else []
        return parts

    @Slot(int)
    def _on_step_shown(self, step: int) -> None:
        shown = step if step < self._story.steps else None
        if self._rows is not None:
            self._rows.show_until(shown)
        self.step_shown.emit(shown or 0)

    @Slot(bool)
    def _on_header_folded(self, expanded: bool) -> None:  # noqa: FBT001 - a slot
        self._touched = True
        self.set_expanded(expanded=expanded)
        self.toggled.emit(expanded)

    def _status_text(self) -> str:
        story = self._story
        seconds = formatting.whole_seconds(max(1, story.seconds or 0))
        match story.phase:
            case StoryPhase.ANSWERED if story.found or not story.searched:
                return self.tr("Answered in {time}").format(time=seconds)
            case StoryPhase.ANSWERED:
                return self.tr("Searched for {time}").format(time=seconds)
            case StoryPhase.STOPPED if story.seconds is not None:
                return self.tr("Stopped after {time}").format(time=seconds)
            case StoryPhase.ACTING:
                return story.activity
            case StoryPhase.WAITING:
                return self._wait_text()
            case StoryPhase.PREPARING:
                return self._progress_text()
            case StoryPhase.ASKING:
                return self._question_text()
        return {
            StoryPhase.QUEUED: self.tr("Queued: begins when another answer is finished"),
            StoryPhase.WRITING: self.tr("Writing the answer"),
            StoryPhase.COMPARING: self.tr("Comparing with the cited lines"),
            StoryPhase.THINKING: self._thinking_text(),
            StoryPhase.PAUSED: self.tr("Paused"),
            StoryPhase.STOPPED: self.tr("Stopped"),
            StoryPhase.FAILED: self.tr("Failed"),
        }[story.phase]

    @Slot()
    def _update_header(self) -> None:
        story, text = self._story, self._status_text()
        if story.phase.over:
            figures = [formatting.steps(story.steps)] if story.steps else []
            figures += [formatting.documents(len(story.documents))] if story.documents else []
            self.header.show_status(text, " · ".join(figures), story.phase)
        else:
            counts = self._live and story.phase not in _STILL
            seconds = int(monotonic() - self._began) if counts else 0
            self.header.show_status(text, formatting.whole_seconds(seconds) if seconds else "", story.phase)

    def _thinking_text(self) -> str:
        """Return what a run does between its events; a server may take minutes before it sends a word."""
        waits = self._live and self._story.silent and monotonic() - self._asked >= SILENT_SECONDS
        return self.tr("Waiting for the model's first words") if waits else self.tr("Thinking")

    def _progress_text(self) -> str:
        """Return what the server does before the first word, and how far it is."""
        progress = self._story.progress
        if progress is not None and progress.stage == "proving":
            return self.tr("Checking whether the server read the whole question")
        if progress is None or not progress.total:
            return self.tr("Waiting: the model is writing another answer")
        share = formatting.percent(progress.done / progress.total)
        if progress.stage == "loading":
            return self.tr("Loading the model: {0}").format(share)
        tokens = formatting.tokens(progress.total)
        if progress.left >= 1:
            left = formatting.whole_seconds(progress.left)
            text = self.tr("The model reads the question and what was found: {0} of {1}, about {2} left")
            return text.format(share, tokens, left)
        return self.tr("The model reads the question and what was found: {0} of {1}").format(share, tokens)

    def _wait_text(self) -> str:
        """Return why the run waits, and for how many more seconds."""
        retry = self._story.retry
        left = _seconds_until(retry.until_ns) if retry and self._live else 0
        if retry is None or left <= 0:
            return self.tr("Trying again")
        text = self.tr("The model asks to wait: {0}") if retry.asked else self.tr("{1}. Trying again in {0}")
        return text.format(formatting.whole_seconds(left), sentence(retry.reason))

    def _question_text(self) -> str:
        """Return that the run waits for a decision, and for how many more seconds."""
        asked = self._story.asked
        left = _seconds_until(asked.until_ns) if asked and asked.until_ns else 0
        if left <= 0:
            return self.tr("Waiting for your decision")
        return self.tr("Waiting for your decision: {0}").format(formatting.whole_seconds(left))


def _seconds_until(moment_ns: int) -> int:
    return math.ceil((moment_ns - time.time_ns()) / 1e9)
