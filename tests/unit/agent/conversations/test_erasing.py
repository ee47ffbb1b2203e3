import os
from dataclasses import replace

import pytest

from desktop_rag.agent.conversations.erasing import ERASED, Forgotten, erase_from_turn
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import AgentEvent, Answered, RunStarted, RunStopped, Thought, ToolReturned
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from tests.unit.agent.conftest import Asker, FakeRetriever, document

posix_only = pytest.mark.skipif(os.name != "posix", reason="the paths are POSIX")


def asked() -> Turn:
    """A run over two documents whose answer quotes one."""
    library = FakeRetriever(
        ("lease.txt", document("The lease ends on 31 July 2027.", title="Lease")),
        ("boat.txt", document("The lease of the boat never came to be.", title="Boat")),
    )
    events: list[AgentEvent] = Asker(library, ExtractiveModel()).ask("When does the lease end?")
    return Turn(1, "When does the lease end?", tuple(events), 17)


def cited(turn: Turn) -> str:
    [answered] = [event for event in turn.events if isinstance(event, Answered)]
    return answered.citations[0].path


def shown(turn: Turn) -> set[str]:
    return {source.path for event in turn.events if isinstance(event, ToolReturned) for source in event.sources}


def test_an_answer_that_cites_a_forgotten_file_is_erased() -> None:
    turn = asked()
    left = erase_from_turn(turn, Forgotten(os.fsencode(cited(turn))))
    assert (left.question, left.asked_ns) == (turn.question, 17)
    assert [type(event) for event in left.events] == [RunStarted, Answered]
    last = left.events[-1]
    assert isinstance(last, Answered)
    assert (last.text, last.citations) == (ERASED, ())


def test_an_answer_that_only_saw_a_forgotten_file_in_a_list_of_hits_stays() -> None:
    turn = asked()
    [other] = shown(turn) - {cited(turn)}
    searched = replace(turn, events=tuple(only_searches(turn)))
    left = erase_from_turn(searched, Forgotten(os.fsencode(other)))
    assert shown(left) == {cited(turn)}
    assert left.events[-1] == turn.events[-1]


def only_searches(turn: Turn) -> list[AgentEvent]:
    """Return the events as if nothing had been opened."""
    return [replace(event, name="search") if isinstance(event, ToolReturned) else event for event in turn.events]


def test_an_unrelated_answer_is_not_changed() -> None:
    turn = asked()
    assert erase_from_turn(turn, Forgotten(b"/elsewhere", frozenset({"00" * 32}))) == turn


def test_a_stopped_run_is_erased_too() -> None:
    turn = asked()
    [answered] = [event for event in turn.events if isinstance(event, Answered)]
    stopped = replace(
        turn, events=(Thought(1, "It says 2027."), RunStopped("It ends in 2027", answered.citations, 1.0))
    )
    left = erase_from_turn(stopped, Forgotten(os.fsencode(cited(turn))))
    assert left.events == (RunStopped(ERASED, (), 1.0),)


@posix_only
@pytest.mark.parametrize(
    ("folder", "path", "holds"),
    [
        (b"/a/b", "/a/b/c.txt", True),
        (b"/a/b", "/a/b", True),
        (b"/a/b/", "/a/b/c.txt", True),
        (b"/a/b", "/a/bc/d.txt", False),
        (b"/a/b", "/a", False),
        (b"/a/\xff", "/a/\ufffd/c.txt", True),
        (b"/", "/a", True),
    ],
)
def test_folder_membership_is_decided_by_path(folder: bytes, path: str, *, holds: bool) -> None:
    assert Forgotten(folder).contains(path) is holds
