"""The conversation as a scrolling column of turns, or the welcome view while it is empty."""

from collections.abc import Sequence
from time import monotonic

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QScrollArea, QStackedLayout, QWidget
from shiboken6 import isValid

from desktop_rag.agent.answer_notes import note_language
from desktop_rag.agent.conversations.follow_up_topics import FollowUpTopic, TopicKind
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import AgentEvent, AnswerDelta, Answered, RunStarted
from desktop_rag.gui.catalogues import translation
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.sources.source_status import SourceNotes
from desktop_rag.gui.conversation.turn_view import TurnView
from desktop_rag.gui.conversation.welcome import Welcome, WelcomeView
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.icons import IconButton, icon
from desktop_rag.gui.theme.theme import current_colors, scaled, set_margins, text_font
from desktop_rag.gui.widgets.chips import Chip, FlowRow
from desktop_rag.gui.widgets.layouts import STRETCH, TOP, in_column, in_row
from desktop_rag.gui.widgets.painted_button import mirrored

# Suggestions for the next question below the last answer.


class FollowUpChip(Chip):
    """One suggestion."""

    def __init__(self, question: str, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(question, parent=parent)
        self.question = question
        self.setFont(text_font(-1))
        self.setToolTip(tool_tip(f"{question}\n{hint}"))

    def sizeHint(self) -> QSize:
        """Return the size of the whole question."""
        return QSize(self.fontMetrics().horizontalAdvance(self._name) + 26, super().sizeHint().height())


class FollowUpWording:
    """Words suggestions in the language of the question asked if the program has it, else in that of the window."""

    def __init__(self, asked: str) -> None:
        self._language = note_language(asked)

    def question(self, topic: FollowUpTopic) -> str:
        """Return a topic as a question."""
        match topic.kind:
            case TopicKind.SECTION:
                text = self.tr("What does “{topic}” in {document} say?")
            case TopicKind.NAME:
                text = self.tr("What else is said about {topic}?")
            case TopicKind.COMPARE:
                text = self.tr("Compare {topic} with {document}")
        return text.format(topic=topic.text, document=topic.other)

    def tr(self, english: str) -> str:
        """Return a text in that language."""
        context = type(self).__name__
        known = translation(self._language, context, english) if self._language else ""
        return known or QCoreApplication.translate(context, english)


class FollowUpRow(QWidget):
    """Chips that put a question into the field; with Ctrl they ask it. The cross takes them away."""

    dismissed = Signal()
    chosen = Signal(str, bool)  # a question; ask it at once (True)

    def __init__(self, topics: Sequence[FollowUpTopic], asked: str, parent: QWidget | None = None) -> None:
        """The suggestions are in the language of the question that was asked, if the program has it."""
        super().__init__(parent)
        self.setAccessibleName(self.tr("Suggestions for the next question"))
        hint = self.tr("Click to edit it first, Ctrl+click to ask it")
        wording = FollowUpWording(asked)
        self.chips = [FollowUpChip(wording.question(topic), hint, self) for topic in topics]
        for chip in self.chips:
            chip.clicked.connect(self._on_clicked)
        flow = FlowRow(self)
        flow.set_items(self.chips)
        self.close_button = IconButton("close", self.tr("Hide these suggestions"), self, 14)
        self.close_button.clicked.connect(self.dismissed)
        in_row((flow, 1), (self.close_button, TOP), on=self, spacing=None)

    @Slot()
    def _on_clicked(self) -> None:
        chip = self.sender()
        if isinstance(chip, FollowUpChip):
            held = QGuiApplication.keyboardModifiers()
            self.chosen.emit(chip.question, bool(held & Qt.KeyboardModifier.ControlModifier))


_WIDEST = 780  # pixels of an answer's lines
_SIDE_MARGIN, _JUMP_MARGIN = 20, 40  # the latter at the right: the button that leads to the end covers no text
_NEAR = 24  # pixels from the bottom at which the view still follows new text
_AROUND_JUMP, _BESIDE_JUMP = 8, 5  # pixels beside the button that leads to the end, and beside its arrow alone
_FAR = 180  # … at which a button leads there; it never covers the suggestions, the last thing of all
_AT_ONCE = 1  # stored turns built before the first paint; others follow one by one
_AHEAD = 2  # heights of the viewport that are built above and below it
_KEPT = _AHEAD + 1  # heights beyond which turns are removed
_MOST = 12  # turns below which none is removed
_SECONDS_TO_READ = 3.0  # an answer that is written faster is shown from its question on
_REST_MS = 700  # after the last scrolling


class _TurnColumn(QWidget):
    """Holds the turns; its height is what they need at its width."""

    def minimumSizeHint(self) -> QSize:
        """Return no height, since the layout would add up wrapped texts at their narrowest."""
        return QSize(240, 0)


class ConversationView(QWidget):
    """Shows turns, and follows new text until the user scrolls away."""

    rested = Signal(int)  # after scrolling: the turn at the top (from 1), 0 at the end
    emptied = Signal(bool)  # the welcome is shown (True), or turns are

    def __init__(self, requests: ConversationRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self._turns: list[TurnView] = []
        self._follow_ups: FollowUpRow | None = None
        self._older: list[Turn] = []  # stored turns above and below the built ones
        self._newer: list[Turn] = []
        self._stored: dict[TurnView, Turn] = {}  # the built ones that can be built again
        self._variants: list[tuple[int, int]] = []  # of each turn: which one is shown (from 1), and of how many
        self._notes: SourceNotes = {}
        self._follows = True
        self._unseen = False  # something came below the viewport while you read above
        self._answering = 0.0  # when the answer of the last run began (`monotonic`)
        self._complete = False  # the last answer is complete and stays in sight, until you scroll
        self._revealed = 0  # the turn to scroll to, until you scroll or new text comes
        self._held: tuple[QWidget, int] | None = None  # a widget that must not move, and its place in the viewport
        self._settles = False  # the bar moves because of a layout
        self._welcome = WelcomeView(requests, self)
        self._column = _TurnColumn()
        self._layout = in_column(STRETCH, on=self._column, spacing=32, margins=None)
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
        self._jump.setAccessibleName(self._jump.text())
        self._jump.setToolTip(self.tr("Jump to latest"))  # of the arrow alone
        self._jump_size = self._jump.sizeHint()
        self._jump.setCursor(Qt.CursorShape.PointingHandCursor)
        self._jump.setIcon(icon("chevron-down"))
        self._jump.clicked.connect(self.jump_to_latest)
        self._jump.hide()
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._on_rest)
        self._build = QTimer(self)
        self._build.setInterval(0)
        self._build.timeout.connect(self._on_build)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._welcome)
        self._pages.addWidget(self._scroll)
        self._pages.currentChanged.connect(lambda page: self.emptied.emit(page == 0))

    @property
    def turns(self) -> tuple[TurnView, ...]:
        """Return the turns shown, oldest first."""
        return tuple(self._turns)

    def turn_in_sight(self) -> TurnView | None:
        """Return the last turn that begins in the upper half of the viewport or above it; None without turns."""
        middle = self._scroll.verticalScrollBar().value() + self._scroll.viewport().height() // 2
        return next((turn for turn in reversed(self._turns) if turn.y() < middle), next(iter(self._turns), None))

    def set_welcome(self, welcome: Welcome) -> None:
        """Set what an empty conversation shows."""
        self._welcome.show_welcome(welcome)

    def clear(self) -> None:
        """Remove all turns and show the welcome view."""
        self._build.stop()
        self._scroll.viewport().setUpdatesEnabled(True)
        self._rest.stop()
        self._older.clear()
        self.show_follow_ups(())
        self._newer.clear()
        self._remove_all()
        self._variants.clear()
        self._revealed = 0
        self._notes = {}
        self._follows, self._complete, self._unseen = True, False, False
        self._pages.setCurrentWidget(self._welcome)
        self._place_jump()

    def show_turns(self, turns: Sequence[Turn], variants: Sequence[tuple[int, int]] = ()) -> None:
        """Show a stored conversation from its end; only turns near the viewport are built, one at a time.

        `variants` are, for each turn, the place of its variant (from 1) and their number.
        """
        self.clear()
        self._variants = list(variants)
        if not turns:
            return
        self._pages.setCurrentWidget(self._scroll)
        self._show_around(turns, len(turns) - _AT_ONCE)

    def _show_around(self, turns: Sequence[Turn], first: int) -> None:
        """Build stored turns from number `first` (from 0) on, and the others when they come near the viewport."""
        self._remove_all()
        self._held = None
        first = max(0, first)
        self._older, self._newer = list(turns[:first]), list(turns[first + _AT_ONCE :])
        for turn in turns[first : first + _AT_ONCE]:
            self._add_stored(turn, len(self._turns))

    def _add_stored(self, turn: Turn, position: int) -> None:
        view = self._add_turn(turn.question, position)
        self._stored[view] = turn
        view.replay(turn.events)
        self._paint_apart()

    def _paint_apart(self) -> None:
        """Lay out what is added now, and paint it in an event of its own."""
        self._scroll.viewport().setUpdatesEnabled(False)
        self._build.start()

    def _all_stored(self) -> list[Turn]:
        return [*self._older, *(self._stored[turn] for turn in self._turns if turn in self._stored), *self._newer]

    def _show_end(self) -> None:
        """Build the last turns in place of those in the middle."""
        if self._newer:
            turns = self._all_stored()
            self._show_around(turns, len(turns) - _AT_ONCE)

    def keep_turns(self, count: int) -> None:
        """Remove all but the first `count` turns."""
        self.show_follow_ups(())
        self._show_end()
        while self._turns and len(self._older) + len(self._turns) > count:
            self._remove(self._turns.pop())
        del self._older[count:]
        del self._variants[count:]

    def _remove_all(self) -> None:
        for turn in self._turns:
            self._remove(turn)
        self._turns.clear()

    def _remove(self, turn: TurnView) -> None:
        self._stored.pop(turn, None)
        self._layout.removeWidget(turn)
        turn.hide()
        turn.deleteLater()

    def show_follow_ups(self, topics: Sequence[FollowUpTopic] = ()) -> None:
        """Suggest questions below the last answer, instead of those before."""
        if self._follow_ups is not None:
            self._layout.removeWidget(self._follow_ups)
            self._follow_ups.hide()
            self._follow_ups.deleteLater()
            self._follow_ups = None
        if topics and self._turns:
            self._follow_ups = FollowUpRow(topics, self._turns[-1].question, self._column)
            self._follow_ups.chosen.connect(self._requests.follow_up_chosen)
            self._follow_ups.dismissed.connect(self.show_follow_ups)
            self._layout.insertWidget(len(self._turns), self._follow_ups)
            before: QWidget = self._turns[-1].tab_stops()[-1]
            for stop in (*self._follow_ups.chips, self._follow_ups.close_button):
                QWidget.setTabOrder(before, stop)
                before = stop

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
        self._show_end()
        self.show_follow_ups(())
        self._variants += [(1, 1)] * (len(self._older) + len(self._turns) - len(self._variants))
        self._variants.append(variant)
        self._answering, self._complete = 0.0, False
        self._pages.setCurrentWidget(self._scroll)
        self._paint_apart()
        self._add_turn(question, len(self._turns)).begin(seconds, steerable=steerable, queued=queued)
        self.jump_to_latest()

    def show_last_variant(self, place: int, count: int) -> None:
        """Show that variant `place` (from 1) of `count` of the last turn is shown."""
        self._variants[-1:] = [(place, count)]
        self._turns[-1].show_variants(place, count)

    def append(self, event: AgentEvent) -> None:
        """Show the next event of the run in progress."""
        if not self._turns:
            if not isinstance(event, RunStarted):
                return
            self.begin_turn(event.question)
        turn = self._turns[-1]
        self._unseen = self._unseen or not self._follows
        if not self._follows and turn.y() < self._scroll.verticalScrollBar().value():
            turn.timeline.keep_expanded()  # collapsing steps above the viewport would move the text being read
        if isinstance(event, Answered):
            self._paint_apart()
            if self._follows:
                self._stop_following()
        self._keep_held()
        self._hold()
        turn.append(event)
        if isinstance(event, AnswerDelta) and not self._answering:
            self._answering = monotonic()
        QTimer.singleShot(0, self, self._keep_held)  # inner layouts settle after the range of the scroll bar

    def _stop_following(self) -> None:
        """Keep the answer in sight that is complete now: the list of its sources must not push it out."""
        self._follows, self._complete = False, True
        if monotonic() - self._answering < _SECONDS_TO_READ:  # nobody can have read on to its end
            self.reveal(len(self._older) + len(self._turns))

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

    @Slot()
    def _keep_held(self) -> None:
        if self._held is None or self._follows or self._revealed or not isValid(self._held[0]):
            return
        if self._held[0].isVisible() and (moved := self._place(self._held[0]) - self._held[1]):
            bar = self._scroll.verticalScrollBar()
            self._settles = True
            bar.setValue(bar.value() + moved)
            self._settles = False

    def _place(self, child: QWidget) -> int:
        return child.mapTo(self._column, QPoint(0, 0)).y() - self._scroll.verticalScrollBar().value()

    def reveal(self, number: int) -> None:
        """Scroll to the question of turn `number` once its widget is built."""
        self._revealed = number
        built = range(len(self._older) + 1, len(self._older) + len(self._turns) + 1)
        if number not in built and len(self._stored) == len(self._turns):
            self._show_around(self._all_stored(), number - 1)
        self._build.start()
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
        self._show_end()
        self._revealed = 0
        self._follows, self._complete, self._unseen = True, False, False
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
    def _on_rest(self) -> None:
        top = self._scroll.verticalScrollBar().value() + _NEAR
        begun = [place for place, turn in enumerate(self._turns, len(self._older) + 1) if turn.y() <= top]
        self.rested.emit(0 if self._follows or not begun else begun[-1])

    @Slot()
    def _on_steps_toggled(self) -> None:
        self._follows = False  # the clicked header stays under the pointer

    def _is_near(self, pixels: int) -> bool:
        return pixels < _AHEAD * self._scroll.viewport().height()

    @Slot()
    def _on_build(self) -> None:
        """Paint what was built, or build the next turn above or below the viewport and remove those far from it."""
        bar, viewport = self._scroll.verticalScrollBar(), self._scroll.viewport()
        far = _KEPT * viewport.height()
        if not viewport.updatesEnabled():
            viewport.setUpdatesEnabled(True)
        elif self._older and (self._is_near(bar.value()) or 0 < self._revealed <= len(self._older)):
            self._add_stored(self._older.pop(), 0)
            while len(self._turns) > _MOST and self._turns[-1].y() > bar.value() + far:
                if self._turns[-1] not in self._stored:
                    break
                self._newer.insert(0, self._stored[self._turns[-1]])
                self._remove(self._turns.pop())
        elif self._newer and self._is_near(bar.maximum() - bar.value()):
            self._add_stored(self._newer.pop(0), len(self._turns))
            while len(self._turns) > _MOST and self._turns[0].geometry().bottom() < bar.value() - far:
                self._older.append(self._stored[self._turns[0]])
                self._remove(self._turns.pop(0))
        else:
            self._build.stop()
            self._place_jump()
        if self._follow_ups is not None:
            self._follow_ups.setVisible(not self._newer)  # they stand below the last turn only

    @Slot(int, int)
    def _on_range_changed(self, _least: int, most: int) -> None:
        self._settles = True
        if self._revealed:
            self._scroll_to_revealed()
        elif self._follows:
            self._scroll.verticalScrollBar().setValue(most)
        self._settles = False
        self._keep_held()
        self._place_jump()

    @Slot(int)
    def _on_scrolled(self, value: int) -> None:
        most = self._scroll.verticalScrollBar().maximum()
        at_end = value >= most - _NEAR and not self._newer
        self._follows = at_end and not self._complete
        self._unseen = self._unseen and not at_end
        self._rest.start()
        if not self._settles:
            self._held = None
            if self._older or self._newer:
                self._hold()  # layouts settle in steps, long after a turn is built
        if (self._older and self._is_near(value)) or (self._newer and self._is_near(most - value)):
            self._build.start()
        self._place_jump()

    def _place_jump(self) -> None:
        """Offer the way to the end where a later turn or new text is out of sight, not just the rest of an answer."""
        bar = self._scroll.verticalScrollBar()
        end = bar.value() + self._scroll.viewport().height()
        later = bool(self._turns) and self._turns[-1].y() > end
        far = bar.maximum() - bar.value() > scaled(_FAR)
        below = bool(self._newer) or (far and (later or self._unseen))
        settled = not self._build.isActive() and not (self._revealed and self._complete)
        shown = bool(self._turns) and below and settled and not self._follows
        self._jump.setVisible(shown)
        if shown:
            if self._jump.text():
                self._jump_size = self._jump.sizeHint()
            size, margin = self._jump_size, self._layout.contentsMargins().right()
            beside = margin - 2 * _AROUND_JUMP >= size.width()  # where it covers no text; else only its arrow
            self._jump.setText(self._jump.accessibleName() if beside else "")
            if not beside:
                side = min(size.height(), _JUMP_MARGIN - 2 * _BESIDE_JUMP)
                size = QSize(side, side)
            gap = _AROUND_JUMP if beside else 0
            left = self._scroll.viewport().width() - size.width() - gap - (0 if beside else _BESIDE_JUMP)
            place = QRect(left, self.height() - size.height() - 14, *size.toTuple())
            self._jump.setGeometry(mirrored(place, self.rect()))
            self._jump.raise_()

    def _place_column(self) -> None:
        middle = (self._scroll.viewport().width() - _WIDEST) // 2
        left, right = max(_SIDE_MARGIN, middle), max(_JUMP_MARGIN, middle)
        margins = self._layout.contentsMargins()
        if (margins.left(), margins.right()) != (left, right):
            set_margins(self._layout, left, 24, right, 28)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Centre the column when the width changes."""
        if event.type() == QEvent.Type.Resize:
            self._place_column()
        elif event.type() in (QEvent.Type.Wheel, QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress):
            self._revealed, self._complete = 0, False
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
