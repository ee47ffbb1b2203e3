"""Runs and conversations in the pane and the list, with the real agent, store and a scripted endpoint."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import WHOLE_LIBRARY, ChosenScope, Conversation, ConversationId
from desktop_rag.agent.events import Answered, RunFailed, RunStopped
from desktop_rag.gui.conversation.answer.coverage_card import CoverageCard
from desktop_rag.gui.conversation.composer.composer import QuestionField
from desktop_rag.gui.conversation.composer.scope_row import DocumentsChip
from desktop_rag.gui.conversation.conversation_control import ConversationControl
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.conversation_requests import RunAction
from desktop_rag.gui.conversation.conversations_model import CONVERSATION_ROLE, MARK_ROLE
from desktop_rag.gui.conversation.conversations_panel import ConversationsPanel
from desktop_rag.gui.conversation.timeline.comparison_dialog import ComparisonDialog
from desktop_rag.gui.conversation.timeline.fork_dialog import ForkDialog
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Profile, Settings
from tests.endpoint import Call, ScriptedEndpoint, ScriptEntry, SeenRequest, Turn
from tests.integration.retrieval.conftest import LEASE, SmallLibrary


class Table:
    """A conversation pane and the list of conversations, with everything behind them."""

    def __init__(self, folder: Path, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
        profile = Profile("local", endpoint.base_url, "scripted")
        self.settings = Settings((profile,), "local")
        self.pane = ConversationPane(ViewerRequests(), ShownStatus())
        self.panel = ConversationsPanel()
        self.library = SmallLibrary(folder)
        self.library.add({"lease.md": LEASE})
        self.engine = SearchEngine(self.library.layout.folder)
        self.store = self.library.layout.conversations
        self.control = self._new_control()
        for widget in (self.pane, self.panel):
            qtbot.addWidget(widget)
        self.pane.resize(700, 600)
        self.pane.show()
        self.control.start()
        self._qtbot = qtbot
        self._open = True

    def _new_control(self) -> ConversationControl:
        return ConversationControl(self.pane, self.panel, self.engine, self.store, lambda: self.settings, self.pane)

    def restart(self) -> None:
        """Close the conversations and open them again, as a new window does."""
        self.control.close()
        self.control.leave()
        self.control = self._new_control()
        self.control.start()

    def close(self) -> None:
        if self._open:
            self._open = False
            self.control.close()
            self.engine.close()
            self.library.close()
            self.pane.hide()

    def ask(self, question: str) -> None:
        self.pane.composer.set_question(question)
        QTest.keyClick(self.pane.findChildren(QuestionField)[0], Qt.Key.Key_Return)

    def shown(self) -> list[tuple[str, str]]:
        """Return each question with the first paragraph of its answer, without the agent's remarks below it."""
        return [(turn.question, turn.answer.markdown.split("\n\n")[0]) for turn in self.pane.view.turns]

    def wait_until_shown(self, *turns: tuple[str, str]) -> None:
        self._qtbot.waitUntil(lambda: self.shown() == list(turns), timeout=60_000)

    def wait_until_listed(self, *titles: str) -> list[ConversationId]:
        numbers = [ConversationId(number) for number in range(1, 10)]
        self._qtbot.waitUntil(
            lambda: sorted(filter(None, map(self.panel.title_of, numbers))) == sorted(titles), timeout=60_000
        )
        return [number for title in titles for number in numbers if self.panel.title_of(number) == title]

    def marks(self) -> dict[ConversationId, str]:
        """Return the marks in the list by conversation."""
        view = self.panel.findChildren(PanelList)[0]
        indexes = [view.model().index(row, 0) for row in range(view.model().rowCount())]
        rows = [(index.data(CONVERSATION_ROLE), index.data(MARK_ROLE)) for index in indexes]
        return {summary.id: str(mark) for summary, mark in rows if summary and mark}

    def stored(self, conversation: ConversationId) -> Conversation:
        store = ConversationStore(self.store)
        try:
            return store.load(conversation)
        finally:
            store.close()


def answers(*turns: Turn) -> list[ScriptEntry]:
    """Search before each answer, as a model that calls tools does."""
    search = Turn(calls=[Call("search", '{"queries": ["rent"], "mode": "keyword"}')])
    return [entry for turn in turns for entry in (search, turn)]


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as endpoint:
        yield endpoint


@pytest.fixture
def table(tmp_path: Path, endpoint: ScriptedEndpoint, qtbot: QtBot) -> Iterator[Table]:
    table = Table(tmp_path, endpoint, qtbot)
    yield table
    table.close()


@pytest.fixture
def held() -> threading.Event:
    return threading.Event()


def test_a_question_is_listed_and_on_disk_before_it_is_answered(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event
) -> None:
    endpoint.script = answers(Turn(text=["Yes", ", monthly."], hold=held))
    table.ask("Is the rent due?")
    (number,) = table.wait_until_listed("Is the rent due?")
    assert [turn.question for turn in table.stored(number).turns] == ["Is the rent due?"]
    held.set()
    table.wait_until_shown(("Is the rent due?", "Yes, monthly."))


def test_a_run_continues_in_its_conversation_while_a_new_one_is_begun(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    endpoint.script = answers(Turn(text=["Slow", "ly."], hold_text=held), Turn(text="Second."))
    table.ask("First?")
    table.wait_until_shown(("First?", "Slow"))
    table.control.begin_new()
    with qtbot.waitSignal(table.control.finished_elsewhere, timeout=60_000) as elsewhere:
        held.set()
    assert elsewhere.args[0].question == "First?"
    assert table.shown() == []
    table.ask("Second?")
    table.wait_until_shown(("Second?", "Second."))
    first, second = table.wait_until_listed("First?", "Second?")
    table.control.open(first)
    table.wait_until_shown(("First?", "Slowly."))
    table.control.open(second)
    table.wait_until_shown(("Second?", "Second."))


def test_a_reopened_conversation_shows_its_run_in_progress(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    endpoint.script = answers(Turn(text="One."), Turn(text=["Two", " and more."], hold_text=held))
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("First?")
    (number,) = table.wait_until_listed("First?")
    table.ask("And then?")
    table.wait_until_shown(("First?", "One."), ("And then?", "Two"))
    table.control.begin_new()
    assert table.shown() == []
    table.control.open(number)
    table.wait_until_shown(("First?", "One."), ("And then?", "Two"))
    held.set()
    table.wait_until_shown(("First?", "One."), ("And then?", "Two and more."))


def test_a_note_reaches_the_run_in_progress(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    search = Turn(calls=[Call("search", '{"queries": ["rent"], "mode": "keyword"}')], hold=held)
    endpoint.script = [search, Turn(text="Done.")]
    table.ask("First?")
    qtbot.waitUntil(lambda: len(endpoint.requests) == 1, timeout=60_000)
    with qtbot.waitSignal(table.control.feedback_given):
        table.ask("Only this year.")
    assert table.pane.composer.question == ""
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        held.set()
    assert "Only this year." in endpoint.requests[1].last_text
    assert [row.accessibleName() for row in table.pane.view.turns[0].timeline.rows()][-1] == "Only this year."


def test_without_a_model_the_next_question_stays_in_the_field_with_a_reason(table: Table, qtbot: QtBot) -> None:
    table.settings = Settings()
    table.pane.composer.set_question("Second?")
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.control.ask("When is the rent due?")
        with qtbot.waitSignal(table.control.refused):
            QTest.keyClick(table.pane.findChildren(QuestionField)[0], Qt.Key.Key_Return)
    assert table.pane.composer.question == "Second?"


def test_two_questions_are_answered_at_once_and_a_third_is_queued(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    def reply(request: SeenRequest) -> Turn:
        if request.messages[-1]["role"] == "user":
            return Turn(calls=[Call("search", '{"queries": ["rent"], "mode": "keyword"}')])
        asked = next(name for name in ("First", "Second", "Third") if f"{name}?" in str(request.messages))
        return Turn(text=f"{asked}.", hold=held)

    endpoint.script = [reply] * 20
    table.ask("First?")
    table.control.begin_new()
    table.ask("Second?")
    table.control.begin_new()
    table.ask("Third?")
    (turn,) = table.pane.view.turns
    assert turn.timeline.header.accessibleName() == "Queued: begins when another answer is finished"
    first, second, third = table.wait_until_listed("First?", "Second?", "Third?")
    qtbot.waitUntil(lambda: table.marks() == {first: "running", second: "running", third: "queued"}, timeout=60_000)
    table.control.begin_new()
    table.ask("Fourth?")
    fourth = table.wait_until_listed("First?", "Second?", "Third?", "Fourth?")[-1]
    table.pane.composer.stop_requested.emit()
    assert "You stopped this run" in [card.accessibleName()[:20] for card in table.pane.view.turns[0].cards()]
    held.set()
    qtbot.waitUntil(lambda: not table.control.is_busy(), timeout=60_000)
    qtbot.waitUntil(lambda: set(table.marks().values()) == {"unread"}, timeout=60_000)
    assert fourth not in table.marks()
    table.control.open(third)
    table.wait_until_shown(("Third?", "Third."))
    qtbot.waitUntil(lambda: third not in table.marks(), timeout=60_000)
    table.control.open(first)
    table.wait_until_shown(("First?", "First."))
    table.control.open(second)
    table.wait_until_shown(("Second?", "Second."))


def test_a_paused_run_resumes(table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot) -> None:
    search = Turn(calls=[Call("search", '{"queries": ["rent"], "mode": "keyword"}')], hold=held)
    endpoint.script = [search, Turn(text="Done.")]
    table.ask("First?")
    qtbot.waitUntil(lambda: len(endpoint.requests) == 1, timeout=60_000)
    pause = next(b for b in table.pane.composer.findChildren(IconButton) if b.isCheckable())
    pause.click()
    held.set()
    timeline = table.pane.view.turns[0].timeline
    qtbot.waitUntil(lambda: "Paused" in [row.accessibleName() for row in timeline.rows()], timeout=60_000)
    assert len(endpoint.requests) == 1
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        pause.click()
    assert not pause.isVisible()


def test_a_rate_limit_is_shown_with_its_seconds_and_stop_ends_the_wait(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    endpoint.script = [Turn(status=429, body="{}", headers={"Retry-After": "60"})]
    table.ask("First?")
    qtbot.waitUntil(lambda: bool(table.pane.view.turns), timeout=60_000)
    header = table.pane.view.turns[0].timeline.header
    qtbot.waitUntil(lambda: header.accessibleName().startswith("The endpoint asks to wait: "), timeout=60_000)
    with qtbot.waitSignal(table.control.answered, timeout=5_000) as ended:
        table.pane.composer.stop_requested.emit()
    assert isinstance(ended.args[0], RunStopped)


def test_a_stopped_run_is_continued_where_it_ended(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    endpoint.script = [*answers(Turn(text=["Half", " of it"], hold_text=held)), Turn(text="All.")]
    table.ask("First?")
    table.wait_until_shown(("First?", "Half"))
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.pane.composer.stop_requested.emit()
    held.set()
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.pane.requests.action_requested.emit(1, RunAction.CONTINUE)
    table.wait_until_shown(("First?", "All."))
    assert len(endpoint.requests) == 3  # the search was done again without asking the model
    (number,) = table.wait_until_listed("First?")
    qtbot.waitUntil(
        lambda: any(isinstance(event, Answered) for event in table.stored(number).turns[0].events), timeout=60_000
    )


def test_a_run_is_forked_into_a_new_conversation(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    endpoint.script = [*answers(Turn(text="One.")), *answers(Turn(text="Two.")), Turn(text="Another.")]
    for question in ("First?", "Second?"):
        with qtbot.waitSignal(table.control.answered, timeout=60_000):
            table.ask(question)
    table.pane.requests.action_requested.emit(2, RunAction.FORK)
    dialog = table.pane.findChildren(ForkDialog)[0]
    words = dialog.findChildren(QPlainTextEdit)[0]
    assert words.toPlainText() == "rent"
    words.setPlainText("deposit\nnotice")
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        next(b for b in dialog.findChildren(QPushButton) if b.isDefault()).click()
    table.wait_until_shown(("First?", "One."), ("Second?", "Another."))
    assert '"deposit"' in str(endpoint.requests[-1].messages[-2])
    first, second = sorted(set(table.wait_until_listed("First?", "First?")))
    assert {len(table.stored(number).turns) for number in (first, second)} == {2}


def test_a_run_is_replayed_and_compared(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    endpoint.script = [*answers(Turn(text="One.")), *answers(Turn(text="Other."))]
    for _ in range(2):
        with qtbot.waitSignal(table.control.answered, timeout=60_000):
            table.ask("First?")
    table.pane.requests.action_requested.emit(1, RunAction.REPLAY)
    qtbot.waitUntil(lambda: len(table.pane.findChildren(ComparisonDialog)) == 1, timeout=60_000)
    table.pane.requests.action_requested.emit(1, RunAction.COMPARE)
    qtbot.waitUntil(lambda: len(table.pane.findChildren(ComparisonDialog)) == 2, timeout=60_000)
    words = [label.text() for label in table.pane.findChildren(ComparisonDialog)[1].findChildren(QLabel)]
    assert "Both (1):\n• rent" in words
    assert any("Other." in text for text in words)
    names = [
        label.accessibleDescription() for label in table.pane.findChildren(ComparisonDialog)[1].findChildren(QLabel)
    ]
    assert any(name.startswith("Only here: One.") for name in names)
    assert any(name.startswith("Only here: Other.") for name in names)
    assert len(endpoint.requests) == 4


def test_a_comparison_of_two_questions_shows_both(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    endpoint.script = answers(Turn(text="One."), Turn(text="Two."))
    for question in ("First?", "Second?"):
        with qtbot.waitSignal(table.control.answered, timeout=60_000):
            table.ask(question)
    table.pane.requests.action_requested.emit(2, RunAction.COMPARE)
    qtbot.waitUntil(lambda: bool(table.pane.findChildren(ComparisonDialog)), timeout=60_000)
    labels = table.pane.findChildren(ComparisonDialog)[0].findChildren(QLabel)
    assert [label.accessibleName() for label in labels if label.accessibleName().startswith("Question")] == [
        "Question: Second?",
        "Question: First?",
    ]


def test_deleting_a_conversation_stops_its_run_and_is_final(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    endpoint.script = answers(Turn(text="Done.", hold=held))
    table.ask("First?")
    (number,) = table.wait_until_listed("First?")
    with (
        qtbot.assertNotEmitted(table.control.repository.trouble),
        qtbot.waitSignal(table.control.answered, timeout=60_000),
    ):
        table.panel.delete_requested.emit(number)
        table.panel.delete_confirmed.emit(number)
    table.close()
    assert table.stored(number).turns == ()


def test_a_partial_answer_is_stored_when_the_program_ends(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event
) -> None:
    endpoint.script = answers(Turn(text=["The beginning", " of an answer"], hold_text=held))
    table.ask("Tell me everything.")
    table.wait_until_shown(("Tell me everything.", "The beginning"))
    (number,) = table.wait_until_listed("Tell me everything.")
    table.close()
    (turn,) = table.stored(number).turns
    assert turn.question == "Tell me everything."
    assert "The beginning" in str(turn.events)


def test_a_failed_question_is_restored_only_in_its_own_conversation(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    endpoint.script = [Turn(status=401, body="{}", hold=held), Turn(status=401, body="{}")]
    table.ask("First?")
    table.control.begin_new()
    with qtbot.waitSignal(table.control.answered, timeout=60_000) as ended:
        held.set()
    assert isinstance(ended.args[0], RunFailed)
    assert table.pane.composer.question == ""
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("Second?")
    assert table.pane.composer.question == "Second?"


def test_an_opened_conversation_shows_what_its_last_answer_used(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    endpoint.script = answers(Turn(text="Done.", usage=(4_321, 10)))
    with qtbot.waitSignal(table.control.answered, timeout=60_000) as ended:
        table.ask("First?")
    assert isinstance(ended.args[0], Answered)
    (number,) = table.wait_until_listed("First?")
    table.control.begin_new()
    assert table.pane.meter.context_text == ""
    table.control.open(number)
    qtbot.waitUntil(lambda: "4,441" in table.pane.meter.usage_text, timeout=60_000)


def test_an_opened_conversation_says_which_cited_file_has_changed(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    line = "The tenant pays the rent on the first day of each month."
    endpoint.script = answers(Turn(text=f'On the first. [turn1search1 L3 "{line}"]'))
    with qtbot.waitSignal(table.control.answered, timeout=60_000) as ended:
        table.ask("When is the rent due?")
    (number,) = table.wait_until_listed("When is the rent due?")
    path = Path(ended.args[0].citations[0].path)
    table.control.begin_new()
    path.write_text(LEASE.replace("first day", "last day"), encoding="utf-8")
    folder = table.library.catalog.folders.all()[0].id
    table.library.put(folder, str(path.relative_to(table.library.files / "home")), path)
    table.control.open(number)

    def note_is_shown() -> bool:
        turns = table.pane.view.turns
        model = turns[0].sources.view.model() if turns else None
        text = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) if model and model.rowCount() else ""
        return "(changed since this answer)" in text

    qtbot.waitUntil(note_is_shown, timeout=60_000)


def test_a_scope_belongs_to_its_conversation(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    composer = table.pane.composer
    lease = table.library.catalog.contents.by_id([table.library.content("lease.md")]).popitem()[1].sha256.hex()
    chosen = ChosenScope(documents=(lease,), about="rent")
    endpoint.script = answers(Turn("It is due."), Turn("Other."))
    table.control.choose(chosen)
    table.ask("When is it due?")
    (first,) = table.wait_until_listed("When is it due?")
    qtbot.waitUntil(lambda: not table.control.is_busy(), timeout=60_000)
    assert table.stored(first).scope == chosen
    table.control.begin_new()
    assert composer.scope() == WHOLE_LIBRARY
    table.ask("And what else?")
    table.wait_until_listed("And what else?", "When is it due?")
    qtbot.waitUntil(lambda: not table.control.is_busy(), timeout=60_000)
    table.control.open(first)
    qtbot.waitUntil(lambda: composer.scope() == chosen, timeout=60_000)
    composer.findChildren(DocumentsChip)[-1].click()
    assert composer.scope() == WHOLE_LIBRARY
    qtbot.waitUntil(lambda: table.stored(first).scope == WHOLE_LIBRARY, timeout=60_000)


@pytest.mark.parametrize("gone", [False, True])
def test_not_found_names_the_scope_and_offers_the_whole_library(gone: bool, table: Table, qtbot: QtBot) -> None:
    table.settings = Settings()
    table.library.add({"boat.md": "# Boat\n\nThe mast of the boat is made of spruce.\n"}, root="water")
    lease = table.library.catalog.contents.by_id([table.library.content("lease.md")]).popitem()[1].sha256.hex()
    table.control.choose(ChosenScope(documents=("ab" * 32 if gone else lease,), about="rent"))
    table.ask("Of which wood is the mast made?")
    qtbot.waitUntil(lambda: bool(table.pane.findChildren(CoverageCard) or gone), timeout=60_000)
    qtbot.waitUntil(lambda: not table.control.is_busy(), timeout=60_000)
    if gone:
        assert "spruce" not in table.pane.view.turns[-1].answer.markdown
        return
    (card,) = table.pane.findChildren(CoverageCard)
    assert "Not in the 1 document chosen" in [label.text() for label in card.findChildren(QLabel)]
    next(button for button in card.findChildren(QPushButton) if button.text() == "Search all documents").click()
    assert table.pane.composer.scope() == WHOLE_LIBRARY
    qtbot.waitUntil(lambda: "spruce" in table.pane.view.turns[-1].answer.markdown, timeout=60_000)


def test_each_conversation_keeps_its_own_draft(
    table: Table, endpoint: ScriptedEndpoint, held: threading.Event, qtbot: QtBot
) -> None:
    endpoint.script = [*answers(Turn(text="One.")), Turn(text="Two.", hold=held)]
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("First?")
    (first,) = table.wait_until_listed("First?")
    composer = table.pane.composer
    composer.set_question("about the first")
    table.control.begin_new()
    assert composer.question == ""
    table.ask("Second?")
    _, second = table.wait_until_listed("First?", "Second?")
    composer.set_question("a note for the second")
    table.control.open(first)
    qtbot.waitUntil(lambda: composer.question == "about the first", timeout=60_000)
    table.control.open(second)
    assert composer.question == "a note for the second"
    table.control.begin_new()
    composer.set_question("never asked")
    table.control.begin_new()
    assert composer.question == ""
    (unasked,) = table.wait_until_listed("never asked", "First?", "Second?")[:1]
    qtbot.waitUntil(lambda: table.marks().get(unasked) == "draft", timeout=60_000)
    table.control.open(unasked)
    qtbot.waitUntil(lambda: composer.question == "never asked", timeout=60_000)
    composer.set_question("")
    table.control.begin_new()
    table.wait_until_listed("First?", "Second?")


def test_conversation_and_drafts_are_back_after_a_restart(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot, tmp_path: Path
) -> None:
    endpoint.script = answers(Turn(text="One."))
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("First?")
    table.wait_until_listed("First?")
    table.pane.composer.set_question("and then")
    table.restart()
    table.wait_until_shown(("First?", "One."))
    qtbot.waitUntil(lambda: table.pane.composer.question == "and then", timeout=60_000)
    table.control.begin_new()
    table.pane.composer.set_question("something new")
    table.restart()
    qtbot.waitUntil(lambda: table.pane.composer.question == "something new", timeout=60_000)
    assert table.shown() == []


def test_words_of_an_answer_open_its_turn(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    endpoint.script = answers(Turn(text="The zephyr blows."), Turn(text="Two."))
    for question in ("First?", "Second?"):
        with qtbot.waitSignal(table.control.answered, timeout=60_000):
            table.ask(question)
    (number,) = table.wait_until_listed("First?")
    table.control.begin_new()
    field = table.panel.findChildren(QLineEdit)[0]
    field.setText("zeph")
    qtbot.waitUntil(lambda: table.panel.title_of(number) == "First?", timeout=60_000)
    with qtbot.waitSignal(table.panel.conversation_chosen) as chosen:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert chosen.args == [number, 1]
    table.wait_until_shown(("First?", "The zephyr blows."), ("Second?", "Two."))


def test_a_question_asked_before_its_conversation_is_stored_belongs_to_it(
    table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot
) -> None:
    endpoint.script = answers(Turn(text="One."), Turn(text="Two."))
    slow_disk = threading.Event()
    table.control.repository.run(lambda store, stop: slow_disk.wait(20))
    for question in ("First?", "Second?"):
        with qtbot.waitSignal(table.control.answered, timeout=60_000):
            table.ask(question)
    slow_disk.set()
    (number,) = table.wait_until_listed("First?")
    qtbot.waitUntil(lambda: len(table.stored(number).turns) == 2, timeout=60_000)


def test_without_another_run_no_comparison_opens(table: Table, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
    endpoint.script = answers(Turn(text="One."))
    with qtbot.waitSignal(table.control.answered, timeout=60_000):
        table.ask("First?")
    with qtbot.waitSignal(table.control.refused, timeout=60_000) as refused:
        table.pane.requests.action_requested.emit(1, RunAction.COMPARE)
    assert refused.args[0].startswith("There is no other run to compare with.")
    assert table.pane.findChildren(ComparisonDialog) == []
