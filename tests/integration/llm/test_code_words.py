"""A prompt that a server cuts off without a sign: found out by code words, told, and asked again within the window."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_rag.errors import PromptTruncated, Stopped
from desktop_rag.llm.chat import ChatEvent, ChatRequest, SystemMessage, ToolSpec, TurnEnded, TurnProgress, UserMessage
from desktop_rag.llm.endpoint_traits import EndpointMemory
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.endpoint import Call, ScriptedEndpoint, SeenRequest, Turn

_CODE = re.compile(r"Code ([ABC]) is (\d{6})")
SEARCH = ToolSpec("search", "Searches the library.", '{"type": "object", "properties": {}}')
LINE = "The rent of the flat is due on the third day of each month, in advance. "


def kept(request: SeenRequest, characters: int) -> str:
    """Return the instructions and as much of the end of the other messages as a server keeps, as Ollama does."""
    first, *others = (str(message["content"]) for message in request.messages)
    return first + "\n".join(others)[-characters:]


def server(characters: int, usage: tuple[int, int] | None = None) -> Callable[[SeenRequest], Turn]:
    """Return a model that repeats the code words it sees, else answers."""

    def turn(request: SeenRequest) -> Turn:
        if "Three codes stand" not in request.last_text:
            return Turn(text="The third.", usage=usage)
        return Turn(text=", ".join(word for _, word in _CODE.findall(kept(request, characters))), usage=usage)

    return turn


def request(lines: int) -> ChatRequest:
    return ChatRequest((SystemMessage("Answer."), UserMessage(LINE * lines + "When?")), (SEARCH,), 500)


def ask(model: OpenAIChat, lines: int) -> list[ChatEvent]:
    return list(model.chat(request(lines), Stop()))


def profile(endpoint: ScriptedEndpoint) -> Profile:
    return Profile("test", endpoint.base_url, "m", context_window=32_768)


def test_a_prompt_that_is_cut_without_a_count_is_found_out(tmp_path: Path) -> None:
    memory = EndpointMemory(tmp_path / "endpoints.json")
    with ScriptedEndpoint([server(4_000)] * 3) as endpoint:
        model = OpenAIChat(profile(endpoint), "", memory=memory)
        with pytest.raises(PromptTruncated, match="does not know what stood at the beginning of about") as raised:
            ask(model, 200)
        assert "OLLAMA_CONTEXT_LENGTH" in str(raised.value)
        assert len(endpoint.requests) == 2
        asked = endpoint.requests[1]
        assert "tools" not in asked.body
        assert "Searches the library." in str(asked.messages[0]["content"]), "the prompt is as long as before"
        assert model.context_window == 2_048
        assert isinstance(ask(model, 200)[-1], TurnEnded), "the same is not asked twice a day"
        assert len(endpoint.requests) == 3
        assert memory.recall(profile(endpoint)).context_window == 2_048


def test_a_prompt_that_arrives_whole_is_proved_once_for_its_size(tmp_path: Path) -> None:
    memory = EndpointMemory(tmp_path / "endpoints.json")
    with ScriptedEndpoint([server(1_000_000)] * 8) as endpoint:
        model = OpenAIChat(profile(endpoint), "", memory=memory)
        events = ask(model, 200)
        assert [each.stage for each in events if isinstance(each, TurnProgress)] == ["proving"]
        assert isinstance(events[-1], TurnEnded)
        assert events[-1].message.text == "The third."
        again = OpenAIChat(profile(endpoint), "", memory=memory)
        ask(again, 200)
        ask(again, 100)
        assert len(endpoint.requests) == 4
        ask(again, 400)  # beyond 4,096 tokens
        assert len(endpoint.requests) == 6
    assert memory.recall(profile(endpoint)).whole_prompt > 4_096


@pytest.mark.parametrize(
    "reply",
    [
        Turn(text="I like codes.", usage=None),
        Turn(status=500, body='{"error": "busy"}'),
        Turn(calls=[Call("search")], usage=None),
        Turn(text="", usage=None, cut=True),
    ],
    ids=["no codes", "an error", "a call", "cut off"],
)
def test_a_model_that_proves_nothing_is_left_in_peace(reply: Turn) -> None:
    with ScriptedEndpoint([server(1_000), reply, server(1_000)]) as endpoint:
        model = OpenAIChat(profile(endpoint), "")
        assert isinstance(ask(model, 200)[-1], TurnEnded)
        assert isinstance(ask(model, 300)[-1], TurnEnded)
        assert len(endpoint.requests) == 3


def test_a_count_that_stays_while_the_prompt_grows_is_in_doubt() -> None:
    counted = (2_900, 5)
    with ScriptedEndpoint([server(4_000, counted)] * 4) as endpoint:
        model = OpenAIChat(profile(endpoint), "")
        ask(model, 170)
        assert len(endpoint.requests) == 1
        with pytest.raises(PromptTruncated):
            ask(model, 240)
        assert model.context_window == 2_900


@pytest.mark.parametrize("usage", [(3_500, 5), (100, 5)], ids=["plausible", "absurd"])
def test_no_request_is_spent_without_doubt(usage: tuple[int, int]) -> None:
    with ScriptedEndpoint([server(1_000, usage)] * 2) as endpoint:
        model = OpenAIChat(profile(endpoint), "")
        ask(model, 200)
        ask(model, 210)
        assert len(endpoint.requests) == 2


def test_a_count_of_the_size_of_a_context_is_in_doubt() -> None:
    """Ollama's count of a prompt that it cut off is its context: 4,096 of 5,500 tokens, which is no small share."""
    with ScriptedEndpoint([server(12_000, (4_096, 5))] * 2) as endpoint:
        model = OpenAIChat(profile(endpoint), "")
        with pytest.raises(PromptTruncated):
            ask(model, 330)
        assert model.context_window == 4_096
        assert model.traits.token_ratio == 0.0  # what was cut off tells nothing about the tokenizer


def test_a_window_that_the_server_tells_is_learned_with_the_first_long_prompt(tmp_path: Path) -> None:
    """Ollama drops whole messages, too: then its count has no tell-tale size."""
    pages = {"/api/ps": json.dumps({"models": [{"name": "m:latest", "context_length": 4_096}]})}
    memory = EndpointMemory(tmp_path / "endpoints.json")
    with ScriptedEndpoint([server(12_000, (3_900, 5))] * 3, pages=pages) as endpoint:
        model = OpenAIChat(profile(endpoint), "", memory=memory)
        assert isinstance(ask(model, 10)[-1], TurnEnded)
        assert model.context_window == 32_768  # nothing is asked for short ones
        with pytest.raises(PromptTruncated):
            ask(model, 330)
        assert memory.recall(profile(endpoint)).context_window == 4_096
        pages_asked = [seen.path for seen in endpoint.all_requests if seen.path == "/api/ps"]
        assert len(pages_asked) <= 2


def test_a_count_that_is_the_window_just_told_needs_no_proof() -> None:
    """The real Ollama with a context of 256 tokens: SmolLM2 repeats no codes, and the count says it all."""
    pages = {"/api/ps": json.dumps({"models": [{"name": "m:latest", "context_length": 256}]})}
    with ScriptedEndpoint([Turn(text="This.", usage=(256, 4))], pages=pages) as endpoint:
        with pytest.raises(PromptTruncated, match="read 256 of about"):
            ask(OpenAIChat(profile(endpoint), ""), 160)
        assert len(endpoint.requests) == 1


def test_a_server_that_does_not_tell_its_window_is_asked_once_a_day(tmp_path: Path) -> None:
    memory = EndpointMemory(tmp_path / "endpoints.json")
    with ScriptedEndpoint([server(1_000_000, (3_000, 5))] * 3) as endpoint:
        for _ in range(2):
            ask(OpenAIChat(profile(endpoint), "", memory=memory), 170)
        assert [seen.path for seen in endpoint.all_requests].count("/api/ps") == 1


def test_short_prompts_are_not_in_doubt() -> None:
    with ScriptedEndpoint([server(10)]) as endpoint:
        assert isinstance(ask(OpenAIChat(profile(endpoint), ""), 50)[-1], TurnEnded)


def test_stop_ends_the_proof(tmp_path: Path) -> None:
    stop = Stop()

    def stopping(_: SeenRequest) -> Turn:
        stop.set()
        return Turn(text="1", usage=None)

    with ScriptedEndpoint([server(10), stopping]) as endpoint:
        memory = EndpointMemory(tmp_path / "endpoints.json")
        model = OpenAIChat(profile(endpoint), "", memory=memory)
        with pytest.raises(Stopped):
            list(model.chat(request(200), stop))
        assert not memory.recall(profile(endpoint)).recall_failed_at


def test_the_code_words_are_new_each_time() -> None:
    with ScriptedEndpoint([server(1_000_000)] * 4) as endpoint:
        for _ in range(2):
            ask(OpenAIChat(profile(endpoint), ""), 200)
        codes = [set(_CODE.findall(json.dumps(seen.body))) for seen in endpoint.requests[1::2]]
    assert all(len(each) == 3 for each in codes)
    assert not codes[0] & codes[1]
