"""What a run does, step by step: one line that names the present act, and the whole story behind it."""

from time import monotonic

from PySide6.QtCore import QRect, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_rag.agent.events import AgentEvent
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.timeline.run_story import RunStory, StoryPhase
from desktop_rag.gui.conversation.timeline.timeline_rows import EntryRow, StoryRows
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, text_font
from desktop_rag.gui.widgets.painted_button import PaintedButton
from desktop_rag.text.display import one_line

_SPIN_MS = 66
_TURN = 14  # degrees a tick


class TimelineHeader(PaintedButton):
    """The present act with its seconds, or how the run ended; pressing it shows or hides the steps."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(text_font(0))
        self.setAccessibleDescription(self.tr("Shows or hides the steps of this run"))
        self._words, self._figures, self._phase = "", "", StoryPhase.THINKING
        self._angle = 0
        self._spin = QTimer(self)
        self._spin.setInterval(_SPIN_MS)
        self._spin.timeout.connect(self._on_spin)

    def tell(self, words: str, figures: str, phase: StoryPhase) -> None:
        """Show what happens (`words`) and how much of it (`figures`)."""
        self._words, self._figures, self._phase = one_line(words), figures, phase
        self.setAccessibleName(" · ".join(filter(None, (self._words, figures))))
        self._set_spinning()
        self.update()

    def _set_spinning(self) -> None:
        if self._phase.over or self._phase is StoryPhase.PAUSED or not self.isVisible():
            self._spin.stop()
        elif not self._spin.isActive():
            self._spin.start()

    @Slot()
    def _on_spin(self) -> None:
        self._angle = (self._angle + _TURN) % 360
        self.update(0, 0, self.height(), self.height())

    def sizeHint(self) -> QSize:
        """Return the height of one comfortable line."""
        return QSize(240, max(32, self.fontMetrics().height() + 14))

    def minimumSizeHint(self) -> QSize:
        """Return the least that still shows something."""
        return QSize(120, self.sizeHint().height())

    def showEvent(self, event: QShowEvent) -> None:
        """Let the sign turn only where somebody sees it."""
        self._set_spinning()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stand still while hidden."""
        self._spin.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw sign, words, figures and the arrow."""
        colors = current_colors()
        painter = self.begin_painting()
        self.draw_quiet_ground(painter)
        middle = self.height() / 2
        self._paint_sign(painter, QRectF(6, middle - 8, 16, 16))
        metrics = self.fontMetrics()
        left, right = 30, self.width() - 30
        figures = f"· {self._figures}" if self._phase.over and self._figures else self._figures
        room = right - left - metrics.horizontalAdvance(figures) - 14
        words = metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, max(40, room))
        painter.setFont(self.font())
        painter.setPen(QColor(colors.muted if self._phase.over else colors.text))
        width = metrics.horizontalAdvance(words)
        painter.drawText(left, 0, width + 2, self.height(), Qt.AlignmentFlag.AlignVCenter, words)
        painter.setPen(QColor(colors.faint))
        start = left + width + (5 if self._phase.over else 10)
        shown = metrics.elidedText(figures, Qt.TextElideMode.ElideRight, max(0, right - start))
        painter.drawText(start, 0, right - start, self.height(), Qt.AlignmentFlag.AlignVCenter, shown)
        arrow = "chevron-up" if self.isChecked() else "chevron-down"
        icons.draw(painter, QRect(self.width() - 24, 0, 16, self.height()), arrow, colors.faint, 16)

    def _paint_sign(self, painter: QPainter, area: QRectF) -> None:
        colors = current_colors()
        signs = {
            StoryPhase.ANSWERED: ("check", colors.success),
            StoryPhase.STOPPED: ("stop", colors.muted),
            StoryPhase.FAILED: ("warning", colors.danger),
            StoryPhase.PAUSED: ("pause", colors.muted),
        }
        if self._phase in signs:
            name, color = signs[self._phase]
            icons.draw(painter, area.toRect(), name, color, 16)
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
    """One run: a header that is always there, and under it the steps when they are wanted."""

    toggled = Signal(bool)  # the steps were shown (True) or hidden

    def __init__(self, requests: ConversationRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self.setAccessibleName(self.tr("Steps of this run"))
        self._story = RunStory()
        self._live = self._steered = False
        self._touched = False  # the user decided whether the steps are shown
        self._began = 0.0
        self._tick = QTimer(self)
        self._tick.setInterval(1000)
        self._tick.timeout.connect(self._tell)
        self._header = TimelineHeader(self)
        self._header.clicked.connect(self._on_header_clicked)
        self._rows: StoryRows | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(2)
        self._layout.addWidget(self._header)
        self._tell()

    @property
    def header(self) -> QAbstractButton:
        """Return the line that is always visible."""
        return self._header

    @property
    def expanded(self) -> bool:
        """Return whether the steps are shown."""
        return self._header.isChecked()

    def rows(self) -> list[EntryRow]:
        """Return the shown lines of the steps, oldest first."""
        return self._rows.rows() if self._rows else []

    def begin(self, seconds: float = 0.0, *, steered: bool = False) -> None:
        """Start the clock of a run that happens now, for `seconds` already; its steps are in view.

        A run that can be `steered` offers that with each source it brings.
        """
        self._live, self._steered = True, steered
        self._began = monotonic() - seconds
        self._tick.start()
        self.set_expanded(expanded=True)
        self._tell()

    def append(self, event: AgentEvent) -> None:
        """Tell the next event of the run."""
        guessed = self._story.estimated
        entry = self._story.take(event)
        if self._rows is not None:
            changed = self._story.entries if guessed != self._story.estimated else [entry] if entry else []
            for one in changed:
                self._rows.show_entry(one, estimated=self._story.estimated)
        if self._story.phase.over:
            self._tick.stop()
            if self._live and not self._touched:
                self.set_expanded(expanded=False)
            self._live = False
            if self._rows is not None:
                self._rows.set_steered(steered=False)
        self._tell()

    def leave_open(self) -> None:
        """Do not fold up at the end of the run."""
        self._touched = True

    def interrupt(self) -> None:
        """End a stored run whose last word is missing, because the program ended in the middle of it."""
        if not self._story.phase.over:
            self._story.phase = StoryPhase.STOPPED
            self._tell()

    def set_expanded(self, *, expanded: bool) -> None:
        """Show or hide the steps; they are built when they are first seen."""
        if expanded and self._rows is None:
            self._rows = StoryRows(self._requests, self)
            self._rows.set_steered(steered=self._live and self._steered)
            self._layout.addWidget(self._rows)
            for entry in self._story.entries:
                self._rows.show_entry(entry, estimated=self._story.estimated)
        if self._rows is not None:
            self._rows.setVisible(expanded)
        self._header.setChecked(expanded)

    @Slot()
    def _on_header_clicked(self) -> None:
        self._touched = True
        self.set_expanded(expanded=self._header.isChecked())
        self.toggled.emit(self._header.isChecked())

    @Slot()
    def _tell(self) -> None:
        story = self._story
        match story.phase:
            case StoryPhase.ANSWERED:
                words = self.tr("Worked for {time}").format(time=formatting.whole_seconds(max(1, story.seconds or 0)))
            case StoryPhase.STOPPED:
                words = self.tr("Stopped")
                if story.seconds is not None:
                    words = self.tr("Stopped after {time}").format(time=formatting.whole_seconds(max(1, story.seconds)))
            case StoryPhase.FAILED:
                words = self.tr("Failed")
            case StoryPhase.WRITING:
                words = self.tr("Writing the answer")
            case StoryPhase.ACTING:
                words = story.act
            case StoryPhase.THINKING:
                words = self.tr("Thinking")
            case StoryPhase.PAUSED:
                words = self.tr("Paused")
        if story.phase.over:
            figures = [formatting.steps(story.steps)] if story.steps else []
            if story.usage is not None:
                figures.append(formatting.run_tokens(story.usage))
            self._header.tell(words, " · ".join(figures), story.phase)
        else:
            counts = self._live and story.phase is not StoryPhase.PAUSED
            seconds = int(monotonic() - self._began) if counts else 0
            self._header.tell(words, formatting.whole_seconds(seconds) if seconds else "", story.phase)
