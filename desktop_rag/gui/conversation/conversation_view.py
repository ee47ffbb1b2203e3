"""The conversation as a scrolling column of turns, or the welcome view while it is empty."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QScrollArea, QStackedLayout, QVBoxLayout, QWidget
from shiboken6 import isValid

from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import AgentEvent, RunStarted
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.sources.source_status import SourceNotes
from desktop_rag.gui.conversation.turn_view import TurnView
from desktop_rag.gui.conversation.welcome import Welcome, WelcomeView
from desktop_rag.gui.theme.icons import icon
from desktop_rag.gui.theme.theme import current_colors

_WIDEST = 780  # pixels of an answer's lines
_SIDE_MARGIN = 20
_NEAR = 24  # pixels from the bottom at which the view still follows new text
_AT_ONCE = 2  # stored turns built before the first paint; the older ones follow one by one


class _TurnColumn(QWidget):
    """Holds the turns; its height is what they need at its width."""

    def minimumSizeHint(self) -> QSize:
        """Return no height, since the layout would add up wrapped texts at their narrowest."""
        return QSize(240, 0)


class ConversationView(QWidget):
    """Shows turns, and follows new text until the user scrolls away."""

    def __init__(self, requests: ConversationRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self._turns: list[TurnView] = []
        self._older: list[Turn] = []
        self._variants: list[tuple[int, int]] = []  # of each turn: which one is shown (from 1), and of how many
        self._notes: SourceNotes = {}
        self._follows = True
        self._revealed = 0  # the turn to scroll to, until you scroll or new text comes
        self._held: tuple[QWidget, int] | None = None  # a widget that must not move, and its place in the viewport
        self._from_end: int | None = None  # the scroll position to restore after a turn is inserted above
        self._welcome = WelcomeView(requests, self)
        self._column = _TurnColumn()
        self._layout = QVBoxLayout(self._column)
        self._layout.setSpacing(32)
        self._layout.addStretch(1)
        self._scroll = QScrollArea(self)
        self._scroll.setAccessibleName(self.tr("Conversation"))
        self._scroll.setWidget(self._column)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.viewport().setAutoFillBackground(False)
        self._column.setAutoFillBackground(False)
        self._scroll.viewport().installEventFilter(self)
        bar = self._scroll.verticalScrollBar()
        bar.rangeChanged.connect(self._on_range_changed)
        bar.valueChanged.connect(self._on_scrolled)
        self._jump = QPushButton(self.tr("Jump to latest"), self)
        self._jump.setCursor(Qt.CursorShape.PointingHandCursor)
        self._jump.setIcon(icon("chevron-down"))
        self._jump.clicked.connect(self.jump_to_latest)
        self._jump.hide()
        self._build = QTimer(self)
        self._build.setInterval(0)
        self._build.timeout.connect(self._on_build)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._welcome)
        self._pages.addWidget(self._scroll)

    @property
    def turns(self) -> tuple[TurnView, ...]:
        """Return the turns shown, oldest first."""
        return tuple(self._turns)

    def set_welcome(self, welcome: Welcome) -> None:
        """Set what an empty conversation shows."""
        self._welcome.show_welcome(welcome)

    def clear(self) -> None:
        """Remove all turns and show the welcome view."""
        self._build.stop()
        self._older.clear()
        for turn in self._turns:
            self._remove(turn)
        self._turns.clear()
        self._variants.clear()
        self._revealed = 0
        self._notes = {}
        self._follows = True
        self._pages.setCurrentWidget(self._welcome)
        self._place_jump()

    def show_turns(self, turns: Sequence[Turn], variants: Sequence[tuple[int, int]] = ()) -> None:
        """Show a stored conversation from its end; older turns are built while the window stays responsive.

        `variants` are, for each turn, the place of its variant (from 1) and their number.
        """
        self.clear()
        self._variants = list(variants)
        if not turns:
            return
        self._pages.setCurrentWidget(self._scroll)
        self._older = list(turns[:-_AT_ONCE])
        for turn in turns[-_AT_ONCE:]:
            self._add_turn(turn.question, len(self._turns)).replay(turn.events)
        if self._older:
            self._build.start()

    def keep_turns(self, count: int) -> None:
        """Remove all but the first `count` turns."""
        while self._turns and len(self._older) + len(self._turns) > count:
            self._remove(self._turns.pop())
        del self._older[count:]
        del self._variants[count:]

    def _remove(self, turn: TurnView) -> None:
        self._layout.removeWidget(turn)
        turn.hide()
        turn.deleteLater()

    @Slot(object)
    def show_source_notes(self, notes: SourceNotes) -> None:
        """Show notes on changed files in all turns, also in those built later."""
        self._notes = notes
        for turn in self._turns:
            turn.show_source_notes(notes)

    def begin_turn(
        self,
        question: str,
        seconds: float = 0.0,
        *,
        steerable: bool = False,
        queued: bool = False,
        variant: tuple[int, int] = (1, 1),
    ) -> None:
        """Add the turn of a run that began `seconds` ago or is `queued`, and scroll to it.

        It is `steerable` if it takes feedback; `variant` is its place among its variants and their number.
        """
        self._variants += [(1, 1)] * (len(self._older) + len(self._turns) - len(self._variants))
        self._variants.append(variant)
        self._pages.setCurrentWidget(self._scroll)
        self._add_turn(question, len(self._turns)).begin(seconds, steerable=steerable, queued=queued)
        self.jump_to_latest()

    def append(self, event: AgentEvent) -> None:
        """Show the next event of the run in progress."""
        if not self._turns:
            if not isinstance(event, RunStarted):
                return
            self.begin_turn(event.question)
        turn = self._turns[-1]
        if not self._follows and turn.y() < self._scroll.verticalScrollBar().value():
            turn.timeline.keep_expanded()  # collapsing steps above the viewport would move the text being read
        self._hold()
        turn.append(event)

    def _hold(self) -> None:
        """Keep what is at the top of the viewport there, whatever grows above it, while you read."""
        if self._follows or self._revealed:
            return
        top = self._scroll.verticalScrollBar().value()
        for below in range(1, self._scroll.viewport().height(), _NEAR):
            child = self._column.childAt(QPoint(self._column.width() // 2, top + below))
            if child is not None and not isinstance(child, TurnView):
                self._held = (child, self._place(child))
                return

    def _place(self, child: QWidget) -> int:
        return child.mapTo(self._column, QPoint(0, 0)).y() - self._scroll.verticalScrollBar().value()

    def reveal(self, number: int) -> None:
        """Scroll to the question of turn `number`, as soon as it is built."""
        self._revealed = number
        self._scroll_to_revealed()

    def _scroll_to_revealed(self) -> None:
        place = self._revealed - len(self._older) - 1
        if 0 <= place < len(self._turns):
            self._follows = False
            bar = self._scroll.verticalScrollBar()
            bar.setValue(min(bar.maximum(), max(0, self._turns[place].y() - _SIDE_MARGIN)))
            self._place_jump()

    @Slot()
    def jump_to_latest(self) -> None:
        """Scroll to the end and follow new text."""
        self._revealed = 0
        self._follows = True
        bar = self._scroll.verticalScrollBar()
        bar.setValue(bar.maximum())
        self._place_jump()

    def _add_turn(self, question: str, position: int) -> TurnView:
        turn = TurnView(len(self._older) + position + 1, question, self._requests, self._column)
        turn.timeline.toggled.connect(self._on_steps_toggled)
        turn.show_source_notes(self._notes)
        number = len(self._older) + position
        if number < len(self._variants):
            turn.show_variants(*self._variants[number])
        self._turns.insert(position, turn)
        self._layout.insertWidget(position, turn)
        before: QWidget = self._turns[position - 1].tab_stops()[-1] if position else self._scroll
        for stop in turn.tab_stops():
            QWidget.setTabOrder(before, stop)
            before = stop
        return turn

    @Slot()
    def _on_steps_toggled(self) -> None:
        self._follows = False  # the clicked header stays under the pointer

    @Slot()
    def _on_build(self) -> None:
        if not self._older:
            self._build.stop()
            return
        stored = self._older.pop()
        bar = self._scroll.verticalScrollBar()
        self._from_end = bar.maximum() - bar.value()  # inserting above must not move the visible text
        self._add_turn(stored.question, 0).replay(stored.events)

    @Slot(int, int)
    def _on_range_changed(self, _least: int, most: int) -> None:
        if self._revealed:
            self._scroll_to_revealed()
        elif self._follows:
            self._scroll.verticalScrollBar().setValue(most)
        elif self._from_end is not None:
            self._scroll.verticalScrollBar().setValue(most - self._from_end)
        elif self._held is not None and isValid(self._held[0]) and self._held[0].isVisible():
            bar = self._scroll.verticalScrollBar()
            bar.setValue(bar.value() + self._place(self._held[0]) - self._held[1])
        self._from_end = None
        self._place_jump()

    @Slot(int)
    def _on_scrolled(self, value: int) -> None:
        self._follows = value >= self._scroll.verticalScrollBar().maximum() - _NEAR
        self._place_jump()

    def _place_jump(self) -> None:
        shown = bool(self._turns) and not self._follows
        self._jump.setVisible(shown)
        if shown:
            size = self._jump.sizeHint()
            self._jump.setGeometry(
                (self.width() - size.width()) // 2, self.height() - size.height() - 14, *size.toTuple()
            )
            self._jump.raise_()

    def _place_column(self) -> None:
        side = max(_SIDE_MARGIN, (self._scroll.viewport().width() - _WIDEST) // 2)
        margins = self._layout.contentsMargins()
        if margins.left() != side:
            self._layout.setContentsMargins(side, 24, side, 28)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Centre the column when the width changes."""
        if event.type() == QEvent.Type.Resize:
            self._place_column()
        elif event.type() in (QEvent.Type.Wheel, QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress):
            self._revealed = 0
            self._held = None
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the jump button at the bottom."""
        super().resizeEvent(event)
        self._place_jump()

    def changeEvent(self, event: QEvent) -> None:
        """Draw the jump button's icon in the colours of the new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_jump"):
            self._jump.setIcon(icon("chevron-down"))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the background."""
        QPainter(self).fillRect(event.rect(), QColor(current_colors().surface))
