"""A conversation store on disk, a run to save in it, and what damages its file."""

from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import AgentEvent, AnswerDelta
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
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
    """Reopen the file for each question, as after a restart of the program."""
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
