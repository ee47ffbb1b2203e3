"""A real model of 1 to 3 billion parameters answers from the sample; `DESKTOP_RAG_SMALL_MODEL` names its GGUF file."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.agent.events import AnswerDelta, Answered, Thought
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.cli.index_command import is_settled
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.llm.local_model.local_server import running
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.paths import encoder_folder, resources
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits
from desktop_rag.stop import Stop

MODEL = os.environ.get("DESKTOP_RAG_SMALL_MODEL", "")
pytestmark = [pytest.mark.slow, pytest.mark.processes, pytest.mark.skipif(not MODEL, reason="no model file is named")]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    library, stop = Library(tmp_path_factory.mktemp("sample")), Stop()
    with closing(LibraryClient(library)) as client:
        client.add([resources() / "sample"], stop)
        with closing(client.follow(stop)) as statuses:
            assert any(is_settled(status) for status in statuses)
    with closing(SearchEngine(library.folder, encoder_folder())) as engine:
        yield engine


def test_a_small_model_answers_from_few_lines_and_shows_nothing_raw(sample: SearchEngine) -> None:
    with running(Path(MODEL), Stop(), 4_096) as served:
        model = OpenAIChat(served.profile, served.key)
        run = Run(toolkit("full"), model, sample, limits=Limits(seconds=1_800))
        events = list(answer(Question("Who has to fix a leaking roof?"), run))
    answered = events[-1]
    assert isinstance(answered, Answered)
    assert "landlord" in answered.text
    assert answered.usage.prompt_tokens <= 1_000
    written = [event.text for event in events if isinstance(event, Thought | AnswerDelta)]
    assert not any("<tool" in text for text in (*written, answered.text))
