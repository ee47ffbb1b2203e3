"""One turn of a conversation: the question, the steps of the run, the answer, notices and sources."""

import time
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QMenu, QWidget

from desktop_rag.agent.citations.marks import REFUSED
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    AnswerWritten,
    Citation,
    Claim,
    Coverage,
    LimitAsked,
    LimitReached,
    RetryAnnounced,
    Routed,
    RunFailed,
    RunStarted,
    RunStopped,
    ToolCalled,
)
from desktop_rag.agent.prompts import KNOWS_NOTHING, NEEDS_MODEL, NOT_FOUND_CHOSEN, NOT_FOUND_OPENING, NOT_IN_DOCUMENTS
from desktop_rag.errors import PromptTruncated
from desktop_rag.gui import formatting
from desktop_rag.gui.catalogues import sentence as translated
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.answer.markdown_blocks import closed
from desktop_rag.gui.conversation.answer.notice_card import CoverageCard, NoticeCard, NoticeTone
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests, RunAction
from desktop_rag.gui.conversation.sources.source_status import SourceNotes
from desktop_rag.gui.conversation.sources.sources_list import SourcesList
from desktop_rag.gui.conversation.sources.sources_model import uncited_files
from desktop_rag.gui.conversation.timeline.run_story import StepState, state_after
from desktop_rag.gui.conversation.timeline.timeline import Timeline
from desktop_rag.gui.conversation.turn_question import FilterChips, QuestionRow
from desktop_rag.gui.formatting import counted, limit_extension
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.theme.theme import fit_density
from desktop_rag.gui.widgets.layouts import STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.retrieval.query.tree import Filter

LEAST_WAIT_NS = 3_000_000_000  # for which it is worth offering to repeat a request at once


class TurnView(QWidget):
    """Shows the events of one run as they arrive."""

    def __init__(
        self, number: int, question: str, requests: ConversationRequests, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._number = number  # in its conversation, from 1
        self.question = question
        self._requests = requests
        self._cards: list[NoticeCard] = []
        self._events: list[AgentEvent] = []
        self._question_card: NoticeCard | None = None  # shown while the run waits for a decision
        self._has_steps = False  # a tool was called
        self._asked = QuestionRow(question, self)
        self._asked.edited.connect(partial(requests.edited.emit, number))
        self._asked.variants.stepped.connect(partial(requests.variant_chosen.emit, number))
        self.timeline = Timeline(requests, self)
        self.timeline.step_shown.connect(self._on_step_shown)
        self.timeline.fork_requested.connect(self._on_fork_requested)
        self._step = PlainLabel("", "muted", self)  # how far the run was at the step shown
        self._step.hide()
        self.answer = AnswerView(requests.viewer, self, question)
        self.sources = SourcesList(requests.viewer, self)
        self.answer.hide()
        self._copy = IconButton("copy", self.tr("Copy the answer"), self)
        self._ask_again = IconButton("refresh", self.tr("Answer again"), self)
        self._more = IconButton("more", self.tr("More about this run"), self)
        self._actions = self._make_actions()
        self._actions.hide()
        self._layout = in_column(
            self._asked, self.timeline, self._step, self.answer, self.sources, self._actions, on=self, spacing=12
        )
        fit_density(self)

    @property
    def is_complete(self) -> bool:
        """Return whether the run has ended."""
        return bool(self._events) and isinstance(self._events[-1], Answered | RunStopped | RunFailed)

    def request(self, action: RunAction) -> None:
        """Request an action on the run."""
        self._requests.action_requested.emit(self._number, action)

    def tab_stops(self) -> tuple[QWidget, ...]:
        """Return the widgets that Tab reaches, from top to bottom."""
        return (
            *self._asked.tab_stops(),
            self.timeline.header,
            self.answer,
            self.sources.view,
            self.sources.more,
            self._copy,
            self._ask_again,
            self._more,
        )

    def show_variants(self, place: int, count: int) -> None:
        """Show that variant `place` (from 1) of `count` is shown."""
        self._asked.variants.show_variants(place, count)

    def show_source_notes(self, notes: SourceNotes) -> None:
        """Show notes on cited files that have changed."""
        self.answer.show_source_notes(notes)
        self.sources.show_source_notes(notes)

    def cards(self) -> tuple[NoticeCard, ...]:
        """Return the notices shown, in order."""
        return tuple(self._cards)

    def begin(self, seconds: float = 0.0, *, steerable: bool = False, queued: bool = False) -> None:
        """Start the clock of a run that began `seconds` ago or is `queued`; `steerable` if it takes feedback."""
        self.timeline.begin(seconds, steerable=steerable, queued=queued)

    def replay(self, events: Sequence[AgentEvent]) -> None:
        """Show a stored run; a complete answer is rendered once, without its deltas."""
        ended = bool(events) and isinstance(events[-1], Answered | RunStopped | RunFailed)
        for event in events:
            if ended and isinstance(event, AnswerDelta | AnswerRestarted):
                self._events.append(event)
            else:
                self.append(event)
        if not ended:
            self._drop_question()
            self.answer.show_answer(closed(self.answer.markdown))
            self.timeline.interrupt()
            text = self.tr("The program ended before the answer was complete.")
            if not events:
                text = self.tr("The program ended before this question was asked.")
            card = self._add_card(NoticeTone.CALM, self.tr("Interrupted"), text, "stop")
            self._add_continue_button(card, self.tr("Continue") if events else self.tr("Ask now"))
            if not events:
                return
            card.add_button(self.tr("Ask again")).clicked.connect(self._on_retry_clicked)

    def append(self, event: AgentEvent) -> None:
        """Show the next event of the run."""
        self._events.append(event)
        self.timeline.append(event)
        self._drop_question()
        match event:
            case LimitAsked() | RetryAnnounced():
                self._offer(event)
            case ToolCalled():
                self._has_steps = True
            case Routed(filters=filters) if filters:
                self._add_filters(filters)
            case AnswerDelta() | AnswerRestarted() | AnswerWritten():
                self._write(event)
            case LimitReached():
                self._add_limit(event)
            case Answered():
                self._end(_shown_text(event), event.citations, event.claims)
                if NEEDS_MODEL in event.text:
                    self._offer_model()
                elif not event.found:
                    self._add_not_found(event)
                elif event.coverage and event.claims:
                    self._add_unsupported(event.coverage, event.claims)
            case RunStopped():
                self._end(_shown_text(event), event.citations)
                self._add_stopped(has_text=bool(event.text.strip()))
            case RunFailed():
                self._end(_shown_text(event), event.citations)
                self._add_failed(event)
            case _:
                pass  # shown by the timeline only

    def _write(self, event: AnswerDelta | AnswerRestarted | AnswerWritten) -> None:
        match event:
            case AnswerDelta():
                self.answer.show()
                self.answer.feed(event.text)
            case AnswerRestarted():
                self.answer.clear_answer()
                self.sources.hide()
            case AnswerWritten():
                compared = any(claim.citations for claim in event.claims)
                self._show(event.text, event.citations, event.claims, comparing=compared)

    @Slot(int)
    def _on_step_shown(self, step: int) -> None:
        """Show answer and evidence as they were after `step`; 0: as the run ended."""
        for card in self._cards:
            card.setVisible(not step)
        self._step.setVisible(bool(step))
        last = self._events[-1] if self._events else None
        if not step and isinstance(last, Answered | RunStopped | RunFailed):
            claims = last.claims if isinstance(last, Answered) else ()
            self._end(_shown_text(last), last.citations, claims)
            return
        state = state_after(self._events, step)
        self.answer.show_answer(state.text)
        self.answer.setVisible(bool(state.text.strip()))
        self.sources.hide()
        self._actions.hide()
        self._step.setText(self._step_text(state))

    def _step_text(self, state: StepState) -> str:
        passages = counted(self.tr("%Ln passage(s) read", "", state.passages), state.passages)
        seen = self.tr("After this step: {passages}, {documents}.").format(
            passages=passages, documents=formatting.documents(state.documents)
        )
        return seen if state.text.strip() else self.tr("{0} Nothing was written yet.").format(seen)

    @Slot(int)
    def _on_fork_requested(self, step: int) -> None:
        self._requests.fork_requested.emit(self._number, step)

    def _offer(self, event: LimitAsked | RetryAnnounced) -> None:
        """Offer what the user may do while the run waits; the next event of the run removes the offer."""
        if isinstance(event, LimitAsked):
            self._ask(event)
        else:
            self._offer_retry(event)

    def _ask(self, asked: LimitAsked) -> None:
        """Ask whether to raise a limit."""
        money = asked.limit == "money"
        title = self.tr("Spend more than your limit?") if money else self.tr("Search further?")
        card = self._question_card = NoticeCard(NoticeTone.CAUTION, title, translated(asked.message), "clock", self)
        go_on = self.tr("Go on") if money else limit_extension(asked.limit, asked.more)
        answer = self.tr("Quote what was found") if money else self.tr("Answer now")
        card.add_button(go_on).clicked.connect(partial(self._decide, allowed=True))
        card.add_button(answer).clicked.connect(partial(self._decide, allowed=False))
        self._layout.insertWidget(self._layout.indexOf(self.answer), card)

    def _offer_retry(self, announced: RetryAnnounced) -> None:
        """Offer to repeat the request at once, as long as the run waits; the timeline counts down."""
        left = announced.until_ns - time.time_ns()
        if left < LEAST_WAIT_NS:
            return
        text = self.tr("The request is repeated by itself when the time is over.")
        card = self._question_card = NoticeCard(NoticeTone.CALM, translated(announced.reason), text, "clock", self)
        card.add_button(self.tr("Retry now")).clicked.connect(self._on_retry_now_clicked)
        self._layout.insertWidget(self._layout.indexOf(self.answer), card)
        QTimer.singleShot(left // 1_000_000, card, self._drop_question)

    @Slot()
    def _on_retry_now_clicked(self) -> None:
        self._drop_question()
        self._requests.retry_requested.emit()

    def _add_limit(self, reached: LimitReached) -> None:
        if reached.limit == "length":
            self._add_cut_off()
            return
        if reached.limit == "truncated":
            title = translated(PromptTruncated.title)
            card = self._add_card(NoticeTone.CAUTION, title, translated(reached.message), "warning", above=True)
            card.add_button(self.tr("Open settings")).clicked.connect(self._requests.settings_requested)
            return
        text = translated(reached.message) if reached.message else self.tr("The answer uses what was found until then.")
        card = self._add_card(NoticeTone.CAUTION, self.tr("A limit ended the search"), text, "clock", above=True)
        self._add_continue_button(card, self.tr("Continue searching"))

    def _add_cut_off(self) -> None:
        text = self.tr("The room kept for it was full, so the model could not end it.")
        card = self._add_card(NoticeTone.CAUTION, self.tr("The answer was cut off"), text, "warning")
        card.add_button(self.tr("Ask again with twice the room")).clicked.connect(self._on_more_room_clicked)

    @Slot()
    def _on_more_room_clicked(self) -> None:
        last = self._events[-1]
        if isinstance(last, Answered) and last.context.reserve:
            self._requests.reserve_requested.emit(2 * last.context.reserve)
        self.request(RunAction.ANSWER_AGAIN)

    def _decide(self, *, allowed: bool) -> None:
        self._drop_question()
        self._requests.limit_decided.emit(allowed)

    def _drop_question(self) -> None:
        if self._question_card is not None:
            self._question_card.hide()
            self._question_card.deleteLater()
            self._question_card = None

    def _add_filters(self, filters: Sequence[Filter]) -> None:
        chips = FilterChips(filters, self)
        chips.dropped.connect(self._on_filter_dropped)
        self._layout.insertWidget(self._layout.indexOf(self.timeline) + 1, chips)

    def _end(self, text: str, citations: Sequence[Citation], claims: Sequence[Claim] = ()) -> None:
        self._show(text, citations, claims)
        self._actions.setVisible(bool(text.strip()))

    def _show(
        self, text: str, citations: Sequence[Citation], claims: Sequence[Claim], *, comparing: bool = False
    ) -> None:
        self.answer.setVisible(bool(text.strip()))  # hidden, an empty answer adds no spacing either
        self.answer.show_answer(text, citations, claims)
        uncited = uncited_files(self._events, citations)
        quoting = any(isinstance(event, RunStarted) and not event.uses_model for event in self._events)
        self.sources.show_citations(citations, claims, uncited, comparing=comparing, quoting=quoting)

    def _add_card(self, tone: NoticeTone, title: str, sentence: str, icon: str, *, above: bool = False) -> NoticeCard:
        return self._insert_card(NoticeCard(tone, title, sentence, icon, self), above=above)

    def _insert_card(self, card: NoticeCard, *, above: bool = False) -> NoticeCard:
        self._cards.append(card)
        self._layout.insertWidget(self._layout.indexOf(self.answer if above else self.sources), card)
        return card

    def _add_unsupported(self, report: Coverage, claims: Sequence[Claim]) -> None:
        title, text = self.tr("No source named"), self.tr("The model named no source for this answer.")
        marks = {claim.mark for claim in claims}
        if not marks.isdisjoint(REFUSED):
            title = self.tr("Not found in the cited lines")
            if "silent" not in marks:
                title = self.tr("The cited lines seem to say otherwise")
            text = self.tr("Compare the marked statements with the lines that they cite.")
        self._insert_card(CoverageCard(title, report, self, text))

    def _offer_model(self) -> None:
        """Offer to connect a model for what quotations cannot do."""
        text = self.tr("The built-in model only quotes your documents.")
        card = self._add_card(NoticeTone.CALM, self.tr("A language model can do this"), text, "endpoint")
        card.add_button(self.tr("Connect a model…")).clicked.connect(self._requests.settings_requested)

    def _add_not_found(self, event: Answered) -> None:
        if KNOWS_NOTHING in event.text and event.coverage and not event.coverage.phrasings:
            return  # the answer to a greeting: nothing was looked for
        title = self.tr("No answer found in your library")
        scoped = event.coverage is not None and event.coverage.scoped
        if event.coverage and scoped:
            count = event.coverage.documents
            title = counted(self.tr("No answer found in the %Ln document(s) chosen", "", count), count)
        if event.coverage:
            card = self._insert_card(CoverageCard(title, event.coverage, self))
        else:
            text = self.tr("The documents that were searched do not answer this. Try other words.")
            card = self._add_card(NoticeTone.CALM, title, text, "search")
        if scoped:
            card.add_button(self.tr("Search all documents")).clicked.connect(self._on_whole_library_clicked)
        card.add_button(self.tr("Ask again")).clicked.connect(self._on_retry_clicked)
        card.add_button(self.tr("Add a folder…")).clicked.connect(self._requests.folder_requested)

    def _add_stopped(self, *, has_text: bool) -> None:
        text = self.tr("What was written so far is kept.") if has_text else self.tr("Nothing was written yet.")
        card = self._add_card(NoticeTone.CALM, self.tr("You stopped this run"), text, "stop")
        self._add_continue_button(card, self.tr("Continue"))
        card.add_button(self.tr("Ask again")).clicked.connect(self._on_retry_clicked)

    def _add_failed(self, event: RunFailed) -> None:
        for notice in [card for card in self._cards if card.is_about(translated(event.title))]:
            self._cards.remove(notice)  # the failure says it again
            notice.hide()
            notice.deleteLater()
        card = self._add_card(NoticeTone.TROUBLE, translated(event.title), translated(event.message), "warning")
        if self._has_steps or event.text.strip():
            self._add_continue_button(card, self.tr("Continue from here"))
        card.add_button(self.tr("Try again")).clicked.connect(self._on_retry_clicked)
        if any(isinstance(event, RunStarted) and event.uses_model for event in self._events):
            quote = card.add_button(self.tr("Answer with the built-in passages"))
            quote.clicked.connect(lambda: self.request(RunAction.QUOTE))
        card.add_button(self.tr("Open settings")).clicked.connect(self._requests.settings_requested)

    def _make_actions(self) -> QWidget:
        row = QWidget(self)
        menu = QMenu(self._copy)
        menu.addAction(self.tr("Copy as Markdown")).triggered.connect(self.answer.copy_as_markdown)
        menu.addAction(self.tr("Copy as plain text")).triggered.connect(self.answer.copy_as_plain_text)
        self._copy.setMenu(menu)
        self._copy.setPopupMode(IconButton.ToolButtonPopupMode.InstantPopup)
        self._ask_again.clicked.connect(self._on_retry_clicked)
        in_row(self._copy, self._ask_again, self._more, STRETCH, on=row, spacing=2)
        self._more.setMenu(self._make_menu())
        self._more.setPopupMode(IconButton.ToolButtonPopupMode.InstantPopup)
        return row

    def _make_menu(self) -> QMenu:
        menu = QMenu(self._more)
        actions = (
            (self.tr("Save to notes"), RunAction.NOTE),
            (self.tr("Branch from here"), RunAction.BRANCH),
            (self.tr("Ask again from a step…"), RunAction.FORK),
            (self.tr("Search again, without the model"), RunAction.REPLAY),
            (self.tr("Compare with another run…"), RunAction.COMPARE),
        )
        for text, action in actions:
            menu.addAction(text).triggered.connect(partial(self.request, action))
        return menu

    def _add_continue_button(self, card: NoticeCard, text: str) -> None:
        card.add_button(text).clicked.connect(partial(self.request, RunAction.CONTINUE))

    @Slot(object)
    def _on_filter_dropped(self, filter_: Filter) -> None:
        self._requests.filter_dropped.emit(self._number, filter_)

    @Slot()
    def _on_retry_clicked(self) -> None:
        self.request(RunAction.ANSWER_AGAIN)

    @Slot()
    def _on_whole_library_clicked(self) -> None:
        self._requests.whole_library_requested.emit(self._number)


def _shown_text(ended: Answered | RunStopped | RunFailed) -> str:
    """Return the text of an answer without the sentence that the title of its card says too."""
    if isinstance(ended, Answered) and not ended.found and not ended.claims:
        for sentence in (NOT_FOUND_OPENING, NOT_FOUND_CHOSEN, NOT_IN_DOCUMENTS):
            if ended.text.startswith(sentence):
                return ended.text.removeprefix(sentence).lstrip()
    return ended.text if isinstance(ended, Answered) else closed(ended.text)
