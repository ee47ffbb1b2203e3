"""A library of its own data folder, and runs over it with a scripted endpoint: what the tests of the gate share."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import AgentEvent
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.run.model_choice import chat_model
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.chat import ChatModel
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Profile
from tests.endpoint import ScriptedEndpoint, ScriptEntry, SeenRequest
from tests.integration.retrieval.conftest import SmallLibrary


@contextmanager
def library_of(files: Mapping[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallLibrary]:
    """Yield an indexed and encoded library of these files, whose settings are in the temporary folder."""
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "data"))
    library = SmallLibrary(tmp_path)
    library.add(dict(files))
    library.encode()
    yield library
    library.close()


def answers(
    engine: SearchEngine, model: ChatModel, question: str, earlier: Conversation | None = None
) -> list[AgentEvent]:
    """Return the events of a run."""
    asked = answer(Question(question, earlier or Conversation()), Run(toolkit("full"), model, engine))
    return list(asked)


def asked(
    engine: SearchEngine, script: Sequence[ScriptEntry], question: str, earlier: Conversation | None = None
) -> tuple[list[AgentEvent], list[SeenRequest]]:
    """Ask with a scripted model; return the events, and the requests that came."""
    with ScriptedEndpoint(script) as endpoint:
        model = chat_model(Profile("test", endpoint.base_url, "scripted"), "", remembered=False)
        return answers(engine, model, question, earlier), endpoint.requests
