"""Instructions that a model on this computer reads while the window opens: the beginning of what it is sent later."""

import json
import socket
import threading

import pytest

from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.run.warm_up import warm_up
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.errors import Stopped
from desktop_rag.llm.chat import ToolUse
from desktop_rag.llm.endpoint_traits import EndpointMemory, EndpointTraits
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.paths import endpoints_file
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.endpoint import ScriptedEndpoint, Turn

KNOWN = {
    "calls tools": EndpointTraits(),
    "writes calls": EndpointTraits().with_tool_use(ToolUse.PROMPTED),
    "small": EndpointTraits(parameters=1_500_000_000),
    "small window": EndpointTraits().with_window(4_096),
}


@pytest.mark.parametrize(
    ("known", "kit"), [*((known, "full") for known in KNOWN), ("small", "auto"), ("small window", "auto")]
)
def test_the_first_request_begins_with_what_was_read(known: str, kit: str, engine: SearchEngine) -> None:
    memory = EndpointMemory(endpoints_file())
    with ScriptedEndpoint([Turn("Nobody knows.")] * 9) as endpoint:
        profile = Profile("test", endpoint.base_url, "scripted")
        memory.keep(profile, KNOWN[known])
        warm_up(profile, "", toolkit(kit), Stop())
        run = Run(toolkit(kit), OpenAIChat(profile, "", memory=memory), engine)
        tuple(answer(Question("When is the rent due?"), run))
        [ahead] = endpoint.read_ahead
    first = endpoint.requests[0]
    assert ahead.messages[0] == first.messages[0]
    assert ahead.body.get("tools") == first.body.get("tools")
    assert "rent" not in json.dumps(ahead.messages)


@pytest.mark.parametrize("kind", ["remote", "file"])
def test_a_remote_server_is_sent_nothing_and_no_file_is_loaded(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **_: asked.append(args))
    file = "/models/small.gguf" if kind == "file" else ""
    address = "http://127.0.0.1:9/v1" if kind == "file" else "https://models.example/v1"
    warm_up(Profile("test", address, "m", model_file=file), "", toolkit("full"), Stop())
    assert not asked


def test_a_question_ends_it_at_once() -> None:
    stop, ended = Stop(), list[BaseException]()

    def run(profile: Profile) -> None:
        try:
            warm_up(profile, "", toolkit("full"), stop)
        except Stopped as error:
            ended.append(error)

    with ScriptedEndpoint(read_ahead_holds=True) as endpoint:
        thread = threading.Thread(target=run, args=(Profile("test", endpoint.base_url, "scripted"),))
        thread.start()
        assert endpoint.reads_ahead.wait(60)
        stop.set()
        thread.join(60)
        assert endpoint.disconnected.wait(60)
    assert len(ended) == 1
