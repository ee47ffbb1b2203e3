"""One turn of a conversation: the question, the run's steps, the answer, what went wrong, and the sources."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    Citation,
    Claim,
    Coverage,
    LimitReached,
    Routed,
    RunFailed,
    RunStopped,
    ToolCalled,
)
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.answer.coverage_card import CoverageCard
from desktop_rag.gui.conversation.answer.notice_card import NoticeCard, NoticeTone
from desktop_rag.gui.conversation.composer.filter_chips import FilterChips
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests, RunAction
from desktop_rag.gui.conversation.question_bubble import QuestionBubble
from desktop_rag.gui.conversation.sources.source_status import SourceNotes
from desktop_rag.gui.conversation.sources.sources_list import SourcesList
from desktop_rag.gui.conversation.timeline.timeline import Timeline
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.retrieval.api import Filter


class TurnView(QWidget):
    """Grows with the events of its run."""

    def __init__(
        self, number: int, question: str, requests: ConversationRequests, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._number = number  # in its conversation, from 1
        self._question = question
        self._requests = requests
        self._cards: list[NoticeCard] = []
        self._stepped = False  # something was looked up
        self._timeline = Timeline(requests, self)
        self._answer = AnswerView(requests.viewer, self)
        self._sources = SourcesList(requests.viewer, self)
        self._answer.hide()
        self._copy = IconButton("copy", self.tr("Copy the answer"), self)
        self._again = IconButton("refresh", self.tr("Ask this question again"), self)
        self._more = IconButton("more", self.tr("More about this run"), self)
        self._actions = self._make_actions()
        self._actions.hide()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(12)
        self._layout.addWidget(QuestionBubble(question, self))
        self._layout.addWidget(self._timeline)
        self._layout.addWidget(self._answer)
        self._layout.addWidget(self._sources)
        self._layout.addWidget(self._actions)

    @property
    def question(self) -> str:
        """Return what was asked."""
        return self._question

    @property
    def timeline(self) -> Timeline:
        """Return the run's steps."""
        return self._timeline

    @property
    def answer(self) -> AnswerView:
        """Return the answer."""
        return self._answer

    @property
    def sources(self) -> SourcesList:
        """Return the list of cited sources."""
        return self._sources

    def stops(self) -> tuple[QWidget, ...]:
        """Return what Tab reaches, from top to bottom."""
        return (
            self._timeline.header,
            self._answer,
            self._sources.view,
            self._sources.more,
            self._copy,
            self._again,
            self._more,
        )

    def show_source_notes(self, notes: SourceNotes) -> None:
        """Say what became of cited files since."""
        self._answer.set_source_notes(notes)
        self._sources.show_source_notes(notes)

    def cards(self) -> tuple[NoticeCard, ...]:
        """Return the notices shown, in order."""
        return tuple(self._cards)

    def begin(self, seconds: float = 0.0, *, steered: bool = False) -> None:
        """Start the clock: the run happens now, for `seconds` already, and perhaps can be steered."""
        self._timeline.begin(seconds, steered=steered)

    def replay(self, events: Sequence[AgentEvent]) -> None:
        """Show a stored run as it ended; the answer is set once, not streamed again."""
        ended = bool(events) and isinstance(events[-1], Answered | RunStopped | RunFailed)
        for event in events:
            if not (ended and isinstance(event, AnswerDelta | AnswerRestarted)):
                self.append(event)
        if not ended:
            self._answer.show_answer(self._answer.markdown)
            self._timeline.interrupt()
            words = self.tr("The program ended before the answer was complete.")
            card = self._add_card(NoticeTone.CALM, self.tr("Interrupted"), words, "stop")
            self._add_go_on(card, self.tr("Go on"))
            card.add_button(self.tr("Ask again")).clicked.connect(self._on_retry_clicked)

    def append(self, event: AgentEvent) -> None:
        """Show the next event of the run."""
        self._timeline.append(event)
        match event:
            case ToolCalled():
                self._stepped = True
            case Routed(filters=filters) if filters:
                self._add_filters(filters)
            case AnswerDelta():
                self._answer.show()
                self._answer.feed(event.text)
            case AnswerRestarted():
                self._answer.clear_answer()
            case LimitReached():
                words = event.message or self.tr("The answer is made from what was found until then.")
                card = self._add_card(
                    NoticeTone.CAUTION, self.tr("A limit ended the search"), words, "clock", above=True
                )
                self._add_go_on(card, self.tr("Search on"))
            case Answered():
                self._end(event.text, event.citations, event.claims)
                if not event.found:
                    self._add_not_found(event)
                elif event.coverage:
                    self._add_unproven(event.coverage)
            case RunStopped():
                self._end(event.text, event.citations)
                self._add_stopped(has_text=bool(event.text.strip()))
            case RunFailed():
                self._end(event.text, event.citations)
                self._add_failed(event)
            case _:
                pass  # the timeline tells it

    def _add_filters(self, filters: Sequence[Filter]) -> None:
        chips = FilterChips(filters, self)
        chips.dropped.connect(self._on_filter_dropped)
        self._layout.insertWidget(self._layout.indexOf(self._timeline) + 1, chips)

    def _end(self, text: str, citations: Sequence[Citation], claims: Sequence[Claim] = ()) -> None:
        self._answer.setVisible(bool(text.strip()))  # an empty answer takes no room, not even the gap around it
        self._answer.show_answer(text, citations, claims)
        self._sources.show_citations(citations, claims)
        self._actions.setVisible(bool(text.strip()))

    def _add_card(self, tone: NoticeTone, title: str, sentence: str, icon: str, *, above: bool = False) -> NoticeCard:
        return self._keep_card(NoticeCard(tone, title, sentence, icon, self), above=above)

    def _keep_card(self, card: NoticeCard, *, above: bool = False) -> NoticeCard:
        self._cards.append(card)
        self._layout.insertWidget(self._layout.indexOf(self._answer if above else self._sources), card)
        return card

    def _add_unproven(self, report: Coverage) -> None:
        words = self.tr("Nothing that was read bears this answer out.")
        self._keep_card(CoverageCard(self.tr("Not proved by your library"), report, self, words))

    def _add_not_found(self, event: Answered) -> None:
        title = self.tr("Not found in your library")
        if event.coverage:
            card = self._keep_card(CoverageCard(title, event.coverage, self))
        else:
            words = self.tr("The documents that were searched do not answer this. Other words may help.")
            card = self._add_card(NoticeTone.CALM, title, words, "search")
        card.add_button(self.tr("Ask again")).clicked.connect(self._on_retry_clicked)
        card.add_button(self.tr("Add a folder…")).clicked.connect(self._requests.folder_requested)

    def _add_stopped(self, *, has_text: bool) -> None:
        words = self.tr("What was written so far stands.") if has_text else self.tr("Nothing was written yet.")
        card = self._add_card(NoticeTone.CALM, self.tr("You stopped this run"), words, "stop")
        self._add_go_on(card, self.tr("Go on"))
        card.add_button(self.tr("Ask again")).clicked.connect(self._on_retry_clicked)

    def _add_failed(self, event: RunFailed) -> None:
        card = self._add_card(NoticeTone.TROUBLE, event.title, event.message, "warning")
        if self._stepped:
            self._add_go_on(card, self.tr("Go on from here"))
        card.add_button(self.tr("Try again")).clicked.connect(self._on_retry_clicked)
        card.add_button(self.tr("Open settings")).clicked.connect(self._requests.settings_requested)

    def _make_actions(self) -> QWidget:
        row = QWidget(self)
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        menu = QMenu(self._copy)
        menu.addAction(self.tr("Copy as Markdown")).triggered.connect(self._answer.copy_as_markdown)
        menu.addAction(self.tr("Copy as plain text")).triggered.connect(self._answer.copy_as_plain_text)
        self._copy.setMenu(menu)
        self._copy.setPopupMode(IconButton.ToolButtonPopupMode.InstantPopup)
        self._again.clicked.connect(self._on_retry_clicked)
        layout.addWidget(self._copy)
        layout.addWidget(self._again)
        layout.addWidget(self._more)
        layout.addStretch(1)
        self._more.setMenu(self._make_menu())
        self._more.setPopupMode(IconButton.ToolButtonPopupMode.InstantPopup)
        return row

    def _make_menu(self) -> QMenu:
        menu = QMenu(self._more)
        acts = (
            (self.tr("Ask again from a step…"), RunAction.FORK),
            (self.tr("Search again, without the model"), RunAction.REPLAY),
            (self.tr("Compare with another run…"), RunAction.COMPARE),
        )
        for words, act in acts:
            menu.addAction(words).triggered.connect(partial(self._request, act))
        return menu

    def _add_go_on(self, card: NoticeCard, words: str) -> None:
        card.add_button(words).clicked.connect(partial(self._request, RunAction.CONTINUE))

    def _request(self, action: RunAction) -> None:
        self._requests.action_requested.emit(self._number, action)

    @Slot(object)
    def _on_filter_dropped(self, filter_: Filter) -> None:
        self._requests.filter_dropped.emit(self._question, filter_)

    @Slot()
    def _on_retry_clicked(self) -> None:
        self._requests.question_asked.emit(self._question)
