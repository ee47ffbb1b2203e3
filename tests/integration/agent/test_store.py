import os
import stat
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from desktop_rag.agent.events import AgentEvent, AnswerDelta, Answered, RunStarted, ToolReturned
from desktop_rag.agent.extractive.model import ExtractiveModel
from desktop_rag.agent.store import ConversationStore
from desktop_rag.agent.transcript import Conversation, Turn
from desktop_rag.errors import ConversationError
from tests.unit.agent.conftest import Asker, FakeRetriever, document


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "private" / "conversations.sqlite"


@pytest.fixture
def turn() -> Turn:
    library = FakeRetriever(("lease.txt", document("The lease ends on 31 July 2027.", title="Lease")))
    events: list[AgentEvent] = Asker(library, ExtractiveModel()).ask("When does the lease end?")
    return Turn(1, "When does the lease end?", tuple(events), 17)


def fill(path: Path, *questions: str) -> None:
    """Open the file anew for each question, as if the program had been started that often."""
    for question in questions:
        with closing(ConversationStore(path)) as store:
            store.save(store.begin(question), Turn(1, question, (AnswerDelta("yes"),), 1))


def titles(path: Path) -> list[str]:
    with closing(ConversationStore(path)) as store:
        return [summary.title for summary in store.summaries()]


def damage(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\x5a" * (len(data) - 100))
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def test_a_real_run_comes_back_as_it_was(path: Path, turn: Turn) -> None:
    with closing(ConversationStore(path)) as store:
        conversation = store.begin(turn.question)
        store.save(conversation, turn)
    with closing(ConversationStore(path)) as store:
        [summary] = store.summaries()
        assert (summary.title, summary.turns) == ("When does the lease end?", 1)
        [kept] = store.load(summary.id).turns
    assert isinstance(kept.events[-1], Answered)
    assert kept.events[-1] == turn.events[-1]
    assert [e for e in kept.events if isinstance(e, RunStarted | ToolReturned)] == [
        e for e in turn.events if isinstance(e, RunStarted | ToolReturned)
    ]
    assert (kept.number, kept.question, kept.asked_ns) == (1, turn.question, 17)


def test_saving_a_turn_again_replaces_it(path: Path, turn: Turn) -> None:
    with closing(ConversationStore(path)) as store:
        conversation = store.begin("q")
        store.save(conversation, Turn(1, "q", (AnswerDelta("a"),), 1))
        store.save(conversation, turn)
        assert len(store.load(conversation).turns) == 1
        assert len(store.load(conversation).turns[0].events) > 1


def test_the_conversation_spoken_in_last_stands_first(path: Path, turn: Turn) -> None:
    with closing(ConversationStore(path)) as store:
        first, second = store.begin("first"), store.begin("second\n question")
        assert [summary.title for summary in store.summaries()] == ["second question", "first"]
        store.save(first, turn)
        assert [summary.id for summary in store.summaries()] == [first, second]


def test_a_conversation_is_renamed_and_deleted(path: Path, turn: Turn) -> None:
    with closing(ConversationStore(path)) as store:
        conversation = store.begin("q")
        store.save(conversation, turn)
        store.rename(conversation, " Rent  of\nthe flat ")
        store.rename(conversation, "  ")
        assert store.summaries()[0].title == "Rent of the flat"
        store.delete(conversation)
        assert store.summaries() == ()
        assert store.load(conversation) == Conversation()


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_nobody_else_can_read_it(path: Path) -> None:
    fill(path, "one", "two")
    with closing(ConversationStore(path)) as store:
        store.begin("three")
        files = [file for file in path.parent.iterdir() if file.is_file()]
        assert len(files) >= 4
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_three_copies_are_kept_and_none_is_made_without_a_change(path: Path) -> None:
    fill(path, *(f"question {n}" for n in range(6)))
    copies = sorted(path.parent.glob("*.backup"))
    assert len(copies) == 3
    assert titles(path)[0] == "question 5"
    newest = sorted(path.parent.glob("*.backup"))
    assert len(newest) == 3
    titles(path)
    assert sorted(path.parent.glob("*.backup")) == newest


def test_conversations_open_even_where_no_copy_can_be_kept(path: Path) -> None:
    fill(path, "one")
    path.with_name("conversations.sqlite.unfinished").mkdir()
    with closing(ConversationStore(path)) as store:
        assert store.notice.startswith("No copy of the conversations could be kept")
        assert [summary.title for summary in store.summaries()] == ["one"]


def test_a_damaged_file_gives_way_to_the_newest_good_copy(path: Path) -> None:
    fill(path, "one", "two", "three")
    titles(path)
    damage(path)
    with closing(ConversationStore(path)) as store:
        assert "restored from the last good copy" in store.notice
        assert [summary.title for summary in store.summaries()] == ["three", "two", "one"]
    assert path.with_name("conversations.sqlite.damaged-1").exists()
    with closing(ConversationStore(path)) as store:
        assert store.notice == ""


def test_a_damaged_copy_is_passed_over(path: Path) -> None:
    fill(path, "one", "two", "three")
    damage(path)
    damage(max(path.parent.glob("*.backup")))
    with closing(ConversationStore(path)) as store:
        assert "restored" in store.notice
        assert [summary.title for summary in store.summaries()] == ["one"]


def test_without_a_good_copy_a_new_file_begins_and_says_so(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"this is no database" * 1000)
    with closing(ConversationStore(path)) as store:
        assert "there is no good copy" in store.notice
        assert store.summaries() == ()
    assert path.with_name("conversations.sqlite.damaged-1").read_bytes().startswith(b"this is no")


def test_an_event_of_another_version_is_left_out(path: Path, turn: Turn) -> None:
    with closing(ConversationStore(path)) as store:
        conversation = store.begin("q")
        store.save(conversation, turn)
        expected = len(store.load(conversation).turns[0].events)
    with closing(apsw.Connection(str(path))) as db:
        db.execute("UPDATE event SET data = x'ff00' WHERE number = 2")
    with closing(ConversationStore(path)) as store:
        assert len(store.load(conversation).turns[0].events) == expected - 1


def test_a_place_that_cannot_be_written_is_an_error_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ConversationError, match="could not be opened"):
        ConversationStore(tmp_path / "file" / "conversations.sqlite")
