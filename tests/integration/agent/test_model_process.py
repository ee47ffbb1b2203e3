"""The built-in model in its own process: the same turns, replaced after a crash, ended with its client."""

import os
import signal
from collections.abc import Iterator

import pytest

from desktop_rag.agent.events import Answered, ToolCalled
from desktop_rag.agent.extractive.built_in_model import ExtractiveTurn
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.extractive.model_process import ExtractiveModelClient
from desktop_rag.errors import Stopped
from desktop_rag.llm.chat import ChatRequest, Message, ToolMessage, UserMessage
from desktop_rag.processes.child import Child
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import Asker
from tests.unit.agent.run.test_loop import of

QUESTION = "When is the rent payable?"


@pytest.fixture
def client() -> Iterator[ExtractiveModelClient]:
    model = ExtractiveModelClient()
    yield model
    model.close()


def test_a_run_equals_that_of_the_model_in_this_process(engine: SearchEngine, client: ExtractiveModelClient) -> None:
    here, there = (Asker(engine, model).ask(QUESTION) for model in (ExtractiveModel(), client))
    assert [(e.name, e.arguments) for e in of(here, ToolCalled)] == [
        (e.name, e.arguments) for e in of(there, ToolCalled)
    ]
    answers = [event for events in (here, there) for event in events if isinstance(event, Answered)]
    assert answers[0].text == answers[1].text
    assert answers[0].citations == answers[1].citations


class Recording(ExtractiveModel):
    """Keeps the messages of its last turn."""

    messages: tuple[Message, ...] = ()

    def turn(self, request: ChatRequest, stop: Stop) -> ExtractiveTurn:
        self.messages = tuple(request.messages)
        return super().turn(request, stop)


def test_quotations_for_other_models_are_those_of_this_process(
    engine: SearchEngine, client: ExtractiveModelClient
) -> None:
    here = Recording()
    Asker(engine, here).ask(QUESTION)
    messages = here.messages
    quoted = client.quotations(messages, Stop())
    assert quoted == ExtractiveModel().quotations(messages, Stop())
    assert "rent" in quoted.casefold()
    assert client.quotations([UserMessage(QUESTION)], Stop()) == ""
    evidence = [each for message in messages if isinstance(message, ToolMessage) for each in message.evidence]
    sentences = client.key_sentences(evidence, 2, Stop())
    assert sentences == ExtractiveModel().key_sentences(evidence, 2, Stop())
    assert len(sentences) == 2


def test_a_killed_process_is_replaced(client: ExtractiveModelClient, started_children: list[int]) -> None:
    client.start(Stop())
    os.kill(started_children[0], signal.SIGKILL)
    turn = client.turn(ChatRequest([UserMessage("Hello?")]), Stop())
    assert turn.parts
    assert len(started_children) == 2


def test_a_stopped_turn_raises(client: ExtractiveModelClient) -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        client.turn(ChatRequest([UserMessage(QUESTION)]), stop)


@pytest.fixture
def started_children(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    started: list[int] = []
    start = Child.start

    def noted(verb: str) -> Child:
        child = start(verb)
        started.append(child.pid)
        return child

    monkeypatch.setattr(Child, "start", noted)
    return started
