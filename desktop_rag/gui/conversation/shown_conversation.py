"""The conversation in the window: its turns, its run in progress, its scope and its draft."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.follow_up_topics import follow_up_topics
from desktop_rag.agent.conversations.transcript import (
    NEW,
    WHOLE_LIBRARY,
    ChosenScope,
    Conversation,
    ConversationId,
    Turn,
)
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    RunFailed,
    RunStopped,
)
from desktop_rag.gui.conversation.answer.code_colors import load_languages
from desktop_rag.gui.conversation.answer.formulas import load_formulas
from desktop_rag.gui.conversation.answer.markdown_blocks import load_parser
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.conversation_repository import ConversationRepository, Drafts
from desktop_rag.gui.conversation.conversations_panel import ConversationList
from desktop_rag.gui.conversation.run_pool import RunInProgress, RunPool
from desktop_rag.gui.conversation.sources.source_status import SourceNotes, SourceStatusChecker
from desktop_rag.stop import Stop
from desktop_rag.text.display import shown_name

_FIRST, _NEXT = 10, 25  # turns prepared before a conversation is shown, and then at a time
_CHECKED = 50  # turns whose sources are checked at once, those of others when all are prepared
_PAUSE_MS = 100
_AFTER_PAINT_MS = 1


class ShownConversation(QObject):
    """Shows one conversation at a time in the pane; a run in progress continues while another one is shown."""

    changed = Signal()  # another conversation is shown, or it has no run in progress any more
    refused = Signal(str)  # why files cannot be attached

    def __init__(
        self,
        pane: ConversationPane,
        repository: ConversationRepository,
        listed: ConversationList,
        runs: RunPool,
        sources: SourceStatusChecker,
        steerable: Callable[[], bool],
        suggests: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        """`steerable` tells whether the model of a new run takes feedback, `suggests` whether follow-ups are shown."""
        super().__init__(parent)
        self._pane = pane
        self._repository = repository
        self._listed = listed
        self._runs = runs
        self._sources = sources
        self._steerable = steerable
        self._suggests = suggests
        self._attached = False
        self._loading: ConversationId | None = None  # shown when it is loaded
        self._left: dict[ConversationId, int] = {}  # the turn that was at the top when it was shown last
        self.id: ConversationId | None = None  # None until its first question is stored
        self.turns: tuple[Turn, ...] = ()  # those that are stored
        self.run: RunInProgress | None = None  # its last run, unless it was loaded
        self._variants: tuple[tuple[int, ...], ...] = ()  # of each turn shown, that of the last run without a number
        self._drafts = Drafts(pane.composer, repository, listed.refresh, self)
        sources.checked.connect(self._on_sources_checked)
        sources.outdated.connect(self._on_sources_outdated)
        pane.view.rested.connect(self._on_rested)

    def attach(self) -> None:
        """Take over the pane, and show what was shown last unless the user begins something else before."""
        self._attached = True
        self._drafts.attach()
        self._repository.run(lambda store, _: (store.drafts(), store.shown()), self._restore)

    def _restore(self, stored: tuple[dict[ConversationId, str], tuple[ConversationId, int]]) -> None:
        drafts, (shown, turn) = stored
        if self._attached:
            self._drafts.load(drafts)
            idle = self.id is None and self._loading is None and self.run is None
            if shown != NEW and idle and not self._pane.composer.question:
                self.open(shown, turn)

    def detach(self) -> None:
        """Leave the pane, emptied, to another library."""
        self._attached = False
        self.begin_new()
        self._drafts.detach()

    def save_draft(self) -> None:
        """Store the text of the question field."""
        if self._attached:
            self._drafts.save()

    def is_running(self) -> bool:
        """Return whether the conversation has a run in progress or queued."""
        return self._runs.is_active(self.run)

    def all_turns(self) -> tuple[Turn, ...]:
        """Return the turns as they are shown, with that of the last run."""
        return (*self.run.earlier, self.run.turn()) if self.run else self.turns

    def asked(self, question: str) -> RunInProgress:
        """Return a run for the next question of the conversation."""
        turns = self.all_turns()
        variants = (*self._variants[: len(turns)], ())
        return RunInProgress(turns, question, time.time_ns(), self.id, follows=self.run, variants=variants)

    def variant(self, place: int, question: str) -> RunInProgress:
        """Return a run that asks turn `place` (from 1) again, perhaps in other words."""
        earlier, variants = self.all_turns()[: place - 1], self._variants[:place]
        return RunInProgress(earlier, question, time.time_ns(), self.id, follows=self.run, variants=variants)

    def begin(self, run: RunInProgress) -> None:
        """Show a run that has been started as the last turn."""
        self.run, self._loading = run, None
        self._pane.composer.withdraw_question(run.question)  # put back when it failed, and now asked again
        self._begin_turn(run)

    def _begin_turn(self, run: RunInProgress) -> None:
        elapsed = (time.time_ns() - run.started_ns) / 1e9 if run.started_ns else 0.0
        siblings = run.variants[-1] if run.variants else ()
        place = siblings.index(run.number) + 1 if run.number in siblings else len(siblings) + 1
        self._variants = run.variants
        self._pane.view.begin_turn(
            run.question,
            elapsed,
            steerable=self._steerable(),
            queued=not run.started_ns,
            variant=(place, max(place, len(siblings))),
        )

    def append(self, event: AgentEvent) -> None:
        """Show the next event of the run in progress."""
        self._pane.meter.append(event)
        self._pane.view.append(event)

    def end(self, run: RunInProgress) -> None:
        """Note that the run in progress has ended."""
        self.turns = (*run.earlier, run.turn())
        self._complete_last()
        if run.events and isinstance(run.events[-1], RunFailed):
            self._pane.composer.restore_question(run.question)

    def give_back(self, run: RunInProgress, note: str) -> None:
        """Make what the run did not read the draft of its conversation, below what is written there."""
        if run is self.run:
            composer = self._pane.composer
            composer.set_question("\n\n".join(filter(None, (composer.question.strip(), note))))
        elif run.conversation is not None:
            self._drafts.add(run.conversation, note)

    def _complete_last(self) -> None:
        """Check the sources of the last answers; suggest questions that follow, if the settings want it."""
        self._sources.check(self.turns[-_CHECKED:])
        topics = follow_up_topics(self.turns[-1]) if self.turns and self._suggests() else ()
        self._pane.view.show_follow_ups(topics)

    def note_saved(self, run: RunInProgress) -> None:
        """Note that the run is stored, in a new conversation perhaps."""
        if run is self.run and run.conversation is not None:
            if self.id is None:
                self._drafts.name(run.conversation)
            self.id = run.conversation
            if run.variants and run.number not in run.variants[-1]:
                run.variants = (*run.variants[:-1], (*run.variants[-1], run.number))
                self._variants = run.variants
            self._listed.set_current(run.conversation)
            self._remember()
        elif self.run is not None and self.run.follows is run:
            self._count_variant(self.run, run)

    def _count_variant(self, again: RunInProgress, saved: RunInProgress) -> None:
        """Count a run among the variants of one that asks the same turn again and began before it was stored."""
        same_turn = len(again.earlier) == len(saved.earlier) and again.variants
        if same_turn and saved.number not in again.variants[-1]:
            siblings = (*again.variants[-1], saved.number)
            again.variants = self._variants = (*again.variants[:-1], siblings)
            self._pane.view.show_last_variant(len(siblings) + 1, len(siblings) + 1)

    def show_before(self, run: RunInProgress) -> None:
        """Show only the turns before a run that is about to begin, and its conversation."""
        same = run.conversation == self.id and self.id is not None
        self._drafts.switch(run.conversation or NEW, self.run, has_turns=True)
        run.variants = run.variants or (*((turn.number,) for turn in run.earlier), ())
        self.id, self.turns, self.run = run.conversation, run.earlier, None
        self._pane.meter.clear()
        if same:
            self._pane.view.keep_turns(len(run.earlier))
        else:
            self._pane.view.show_turns(run.earlier)
        self._listed.set_current(run.conversation)

    def choose_variant(self, place: int, step: int) -> None:
        """Show the previous (-1) or next (1) variant of turn `place`, with the turns that followed it."""
        turns, shown = self.all_turns(), self.id
        numbers = self._variants[place - 1] if 0 < place <= len(self._variants) else ()
        own = turns[place - 1].number if 0 < place <= len(turns) else 0
        at = (numbers.index(own) if own in numbers else len(numbers)) + step  # one not stored yet is the last
        if shown is not None and 0 <= at < len(numbers):
            self._open_at(shown, numbers[at])

    def branch(self, place: int) -> None:
        """Copy the conversation up to turn `place` into a new one and show it."""
        turns, shown = self.all_turns(), self.id
        if shown is None or not 0 < place <= len(turns):
            return
        number = turns[place - 1].number

        def branched(copy: ConversationId) -> None:
            self._listed.refresh()
            if self._attached and self.id == shown:
                self.open(copy)

        self._repository.run(lambda store, _: store.branch(shown, number), branched)

    @Slot()
    def begin_new(self) -> None:
        """Show an empty conversation."""
        self._drafts.switch(NEW, self.run, has_turns=self._has_turns())
        self.id = self._loading = self.run = None
        self.turns = ()
        self._variants = ()
        self._remember()
        self._pane.view.clear()
        self._pane.meter.clear()
        self._pane.composer.scope_row.show_scope(WHOLE_LIBRARY)
        self.changed.emit()
        self._listed.set_current(None)
        self._pane.composer.setFocus()

    @Slot(object, int)
    def open(self, conversation: ConversationId, turn: int = 0) -> None:
        """Show a stored conversation at a turn, else where it was left or at its last question, with its run if any."""
        self._loading = None
        if conversation == self.id and not turn:
            return
        if run := self.run_in(conversation):
            if run is not self.run:
                self._show(run.conversation, Conversation(run.earlier, run.scope, run.variants[:-1]), run)
            numbers = [before.number for before in run.earlier]
            if turn in numbers:
                self._pane.view.reveal(numbers.index(turn) + 1)
            return
        self._open_at(conversation, turn)

    def _open_at(self, conversation: ConversationId, turn: int = 0) -> None:
        """Load a conversation, with the variants that lead to the turn with this number, and show it there."""
        self._loading = conversation

        def load(store: ConversationStore, stop: Stop) -> Conversation:
            if turn:
                store.choose_turn(conversation, turn)
            loaded = store.load(conversation)
            load_parser()
            numbers = [each.number for each in loaded.turns]
            at = numbers.index(turn) if turn in numbers else len(numbers)
            _prepare((*loaded.turns[-_FIRST:], *loaded.turns[at : at + _FIRST]), stop)
            return loaded

        def show(loaded: Conversation) -> None:
            if self._loading == conversation:
                self._loading = None
                numbers = [shown.number for shown in loaded.turns]
                if conversation != self.id or numbers != [shown.number for shown in self.all_turns()]:
                    self._show(conversation, loaded)
                left = turn or self._left.get(conversation, 0)
                if numbers:
                    self._pane.view.reveal(numbers.index(left) + 1 if left in numbers else len(numbers))
                self._prepare(conversation, loaded.turns[:-_FIRST])

        self._repository.run(load, show)

    def _prepare(self, shown: ConversationId, earlier: Sequence[Turn]) -> None:
        """Prepare earlier turns, the last ones first, and then check their sources, as long as they are shown."""
        before, prepared = earlier[:-_NEXT], earlier[-_NEXT:]

        def begin() -> None:
            if self._is_shown(shown):
                self._repository.run(lambda _, stop: _prepare(prepared, stop), lambda _: self._prepare(shown, before))

        if earlier:
            QTimer.singleShot(_PAUSE_MS, self, begin)  # Python in the background slows the window down
        elif len(self.turns) > _CHECKED and self._is_shown(shown):
            self._sources.check(self.turns)

    def _is_shown(self, conversation: ConversationId) -> bool:
        return self._attached and self.id == conversation

    def reload(self) -> None:
        """Load the conversation again after the store was changed."""
        shown, self.id = self.id, None
        if shown is not None:
            self.open(shown)

    def run_in(self, conversation: ConversationId) -> RunInProgress | None:
        """Return the run of a conversation that is in progress or queued."""
        return next((run for run in self._runs.active() if run.conversation == conversation), None)

    def _show(
        self, conversation: ConversationId | None, loaded: Conversation, run: RunInProgress | None = None
    ) -> None:
        """Show stored turns and, below them, the run in progress."""
        turns = loaded.turns
        self._drafts.switch(conversation or NEW, self.run, has_turns=self._has_turns())
        self._pane.composer.scope_row.show_scope(loaded.scope)
        self.id, self.turns, self.run = conversation, turns, run
        self._variants = loaded.variants
        self._remember()
        self._pane.meter.clear()
        pairs = zip(turns, loaded.variants, strict=False)
        self._pane.view.show_turns(turns, [(numbers.index(turn.number) + 1, len(numbers)) for turn, numbers in pairs])
        if run:
            self._begin_turn(run)
            for event in run.events:
                self._pane.view.append(event)
        else:
            QTimer.singleShot(_AFTER_PAINT_MS, self, partial(self._complete, turns))
        for event in run.events if run else turns[-1].events if turns else ():
            self._pane.meter.append(event)
        self.changed.emit()
        self._listed.set_current(conversation)

    def _complete(self, turns: Sequence[Turn]) -> None:
        """Add what can wait until the last turn is painted: suggestions, and what has changed about cited files."""
        if self._attached and self.turns is turns and self.run is None:
            self._complete_last()

    def choose(self, scope: ChosenScope) -> None:
        """Search there from now on, and in what is attached."""
        attached = self._pane.composer.scope_row.scope().attached
        self._pane.composer.scope_row.show_scope(replace(scope, attached=attached))
        self.store_scope()

    @Slot()
    def store_scope(self) -> None:
        """Store the scope of the composer; that of a new conversation is stored with its first question."""
        shown, scope = self.id, self._pane.composer.scope_row.scope()
        if shown is not None:
            self._repository.run(lambda store, _: store.save_scope(shown, scope))
            self._repository.report_attached()
        elif self.run is not None:
            self.run.scope = scope

    @Slot(object)
    def attach_files(self, paths: tuple[bytes, ...]) -> None:
        """Attach files and folders to the conversation, which is stored from now on."""
        shown, run, scope = self.id, self.run, self._pane.composer.scope_row.scope()

        def keep(store: ConversationStore) -> tuple[ConversationId | None, ChosenScope]:
            real = [path for path in map(os.path.realpath, paths) if os.access(path, os.R_OK)]
            added = replace(scope, attached=tuple(dict.fromkeys((*scope.attached, *real))))
            if not real:
                return None, scope
            stored = shown if shown is not None else run.conversation if run is not None else None
            conversation = stored if stored is not None else store.begin(", ".join(map(shown_name, added.attached)))
            store.save_scope(conversation, added)
            return conversation, added

        def kept(result: tuple[ConversationId | None, ChosenScope]) -> None:
            conversation, added = result
            if conversation is None:
                names = ", ".join(map(shown_name, paths))
                self.refused.emit(self.tr("“{0}” cannot be opened, and was not attached.").format(names))
                return
            if self.id in (shown, conversation) and self.run is run and self._attached:
                self._pane.composer.scope_row.show_scope(added)
                if self.id is None:
                    self._drafts.name(conversation)
                    self.id = conversation
                    self._remember()
            self._listed.refresh()
            self._listed.set_current(self.id)

        self._repository.run(lambda store, _: keep(store), kept)
        self._repository.report_attached()

    def undo_of_removal(self, path: bytes) -> Callable[[], None]:
        """Return what attaches a removed file again, to the conversation that is shown now."""
        shown = self.id

        def again() -> None:
            if shown is None or self.id == shown:
                self.attach_files((path,))
                return
            self._repository.run(lambda store, _: store.attach(shown, path))
            self._repository.report_attached()

        return again

    def drop(self, conversation: ConversationId) -> None:
        """Forget the draft of a deleted conversation."""
        self._drafts.drop(conversation)

    def _on_sources_checked(self, notes: SourceNotes) -> None:
        if self._attached:
            self._pane.view.show_source_notes(notes)

    def _on_sources_outdated(self) -> None:
        if self._attached:
            self._sources.check(self.all_turns()[-_CHECKED:])

    def _has_turns(self) -> bool:
        return bool(self.turns) or self.run is not None

    @Slot(int)
    def _on_rested(self, place: int) -> None:
        turns = self.all_turns()
        turn = turns[place - 1].number if 0 < place <= len(turns) else 0
        if self.id is not None:
            self._left[self.id] = turn
        self._remember(turn)

    def _remember(self, turn: int = 0) -> None:
        """Store which conversation is shown and the turn at its top, for the next start."""
        if self._attached:
            shown = self.id or NEW
            self._repository.run(lambda store, _: store.remember_shown(shown, turn))


def _prepare(turns: Sequence[Turn], stop: Stop) -> None:
    """Decode turns, and load what showing them needs; for a background thread."""
    for turn in turns:
        for event in turn.events:
            if isinstance(event, AnswerDelta | Answered | RunStopped | RunFailed):
                load_languages(event.text)
                load_formulas(event.text, stop)
