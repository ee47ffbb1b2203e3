"""Tools described in the prompt and called by JSON in the text of a model that calls none itself."""

import json
from collections.abc import Generator, Sequence

import pytest

from desktop_rag.errors import ToolsRefused
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatEvent,
    ChatRequest,
    SystemMessage,
    TextDelta,
    TokenUsage,
    ToolCall,
    ToolMessage,
    ToolSpec,
    TurnEnded,
    UserMessage,
)
from desktop_rag.llm.prompted_tools import PromptedTools, was_prompted
from desktop_rag.stop import Stop

QUERIES = '{"type":"object","properties":{"queries":{"type":"array"}},"required":["queries"]}'
SEARCH = ToolSpec("search", "Search.", QUERIES)
QUESTION = (SystemMessage("Cite."), UserMessage("When is the rent due?"))
CALL = '{"tool": "search", "arguments": {"queries": ["rent"]}}'


class Writer:
    """A model that writes scripted texts, a few characters at a time."""

    name, context_window, max_output = "small", 4_096, 512

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.requests: list[ChatRequest] = []

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        self.requests.append(request)
        text = self.texts.pop(0)
        for start in range(0, len(text), 3):
            yield TextDelta(text[start : start + 3])
        yield TurnEnded(AssistantMessage(text), TokenUsage(100, 10), "stop")


def turn(model: Writer, tools: Sequence[ToolSpec] = (SEARCH,)) -> tuple[str, TurnEnded]:
    """Return the shown text and the end of a turn."""
    *shown, ended = PromptedTools(model).chat(ChatRequest(QUESTION, tools), Stop())
    assert isinstance(ended, TurnEnded)
    return "".join(event.text for event in shown if isinstance(event, TextDelta)), ended


@pytest.mark.parametrize(
    "written",
    [
        CALL,
        f"```json\n{CALL}\n```",
        f"  {CALL}  I will wait for the result.",
        '{"name": "search", "arguments": "{\\"queries\\": [\\"rent\\"]}"}',
        '[{"tool": "search", "arguments": {"queries": ["rent"]}}]',
        f"I will search for it.\n{CALL}",
        f"Sure! {CALL}",
        f"Let me look:\n```json\n{CALL}\n```",
        '{"tool": "search", "arguments": {"queries": ["rent",],},}',
        "{'tool': 'search', 'arguments': {'queries': ['rent']}}",
        '{"thought": "What is the rent?", "tool": "search", "arguments": {"queries": ["rent"]}}',
        '{"thought": "Look {first}.", "action": "search", "args": {"queries": ["rent"]}}',
        '{"tool": "search", "queries": ["rent"]}',
        '<tool_call>{"name": "search", "arguments": {"queries": ["rent"]}}</tool_call>',
        'Action: search\nAction Input: {"queries": ["rent"]}',
    ],
)
def test_an_object_becomes_a_call_and_is_not_shown(written: str) -> None:
    shown, ended = turn(Writer(written))
    [call] = ended.message.tool_calls
    assert (shown, ended.reason, call.name) == ("", "tools", "search")
    assert json.loads(call.arguments) == {"queries": ["rent"]}
    assert was_prompted(call.id)


def test_request_describes_the_tools_and_asks_for_their_schema() -> None:
    model = Writer(CALL)
    turn(model)
    [request] = model.requests
    assert request.tools == ()
    assert "- search: Search." in request.messages[0].text
    call, answer = json.loads(request.schema)["anyOf"]
    assert call["properties"]["tool"] == {"const": "search"}
    assert call["properties"]["arguments"]["required"] == ["queries"]
    assert answer["properties"] == {"tool": {"const": "answer"}}


@pytest.mark.parametrize(
    "written", ['{"tool": "answer"}', '{"tool": "answer", "arguments": {}}', '{"answer": "On the"}']
)
def test_wish_to_answer_is_followed_by_the_answer_as_text(written: str) -> None:
    model = Writer(written, "On the first. [turn1search1 L3]")
    shown, ended = turn(model)
    assert shown == "On the first. [turn1search1 L3]"
    assert ended.message.text == shown
    assert (ended.usage.prompt, ended.usage.completion) == (200, 20)
    assert model.requests[1].schema == ""


def test_prose_is_the_answer_and_streams() -> None:
    shown, ended = turn(Writer("The rent is due on the first."))
    assert shown == ended.message.text == "The rent is due on the first."
    assert not ended.message.tool_calls


def test_thinking_of_which_only_the_end_is_marked_is_not_read_for_calls() -> None:
    class Thinker(Writer):
        def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
            yield TextDelta('Is it {"tool": "open"}? ')
            yield TurnEnded(AssistantMessage(CALL, (), 'Is it {"tool": "open"}? '), TokenUsage(100, 10), "stop")

    shown, ended = turn(Thinker())
    assert (shown, ended.message.tool_calls[0].name) == ("", "search")


def test_words_before_the_wish_to_answer_are_not_part_of_the_answer() -> None:
    shown, ended = turn(Writer('I have read enough.\n{"tool": "answer"}', "On the first."))
    assert shown == ended.message.text == "On the first."


def test_an_answer_in_an_object_is_shown_without_it() -> None:
    shown, ended = turn(Writer('{"tool": "answer"}', '{"answer": "On the first."}'))
    assert shown == ended.message.text == "On the first."


@pytest.mark.parametrize("text", ['Set {"rent": 950} there.', "If a < b, use `f`.", "See [turn1search1 L3]."])
def test_an_answer_with_the_signs_of_an_object_is_shown_whole(text: str) -> None:
    for written in ((text,), ('{"tool": "answer"}', text)):
        shown, ended = turn(Writer(*written))
        assert shown == ended.message.text == text


def test_a_long_answer_streams_though_an_object_was_asked_for() -> None:
    text = "The rent is due on the first day of the month. " * 20
    model = PromptedTools(Writer(text))
    pieces = [e.text for e in model.chat(ChatRequest(QUESTION, (SEARCH,)), Stop()) if isinstance(e, TextDelta)]
    assert len(pieces) > 100
    assert "".join(pieces) == text


def test_an_object_without_end_is_cut_off_and_asked_for_once_more() -> None:
    model = Writer('{"tool": "search", "arguments": {"queries": [' + '"rent", ' * 5_000, CALL)
    _, ended = turn(model)
    assert ended.message.tool_calls[0].name == "search"
    assert ended.usage.estimated
    assert len(model.requests[1].messages[-2].text) < 2_100
    assert model.requests[0].max_tokens == ChatRequest(QUESTION).max_tokens  # room to think before the object


def test_unreadable_object_is_asked_for_once_more() -> None:
    model = Writer('{"tool": "serch", "arguments"', CALL)
    _, ended = turn(model)
    assert ended.message.tool_calls[0].name == "search"
    assert "of this list: search, answer" in model.requests[1].messages[-1].text
    with pytest.raises(ToolsRefused, match="wrote no tool call"):
        turn(Writer("{", '{"tool": 5}'))


@pytest.mark.parametrize("text", ["", "[" * 100_000, '{"tool": ' + '{"a": ' * 50_000, "{\ud800}"])
def test_hostile_text_ends_as_refused_tools_or_an_answer(text: str) -> None:
    with pytest.raises(ToolsRefused):
        turn(Writer(text, text))


def test_calls_and_results_are_text_and_roles_alternate() -> None:
    messages = (
        *QUESTION,
        AssistantMessage("Let me look.", (ToolCall("1", "search", '{"queries": ["rent"]}'),), raw="{}"),
        ToolMessage("1", "search", "[turn1search1] Lease"),
        UserMessage("Three calls are left.", aside=True),
    )
    model = Writer(CALL)
    list(PromptedTools(model).chat(ChatRequest(messages, (SEARCH,)), Stop()))
    sent = model.requests[0].messages
    assert [type(message) for message in sent[2:]] == [UserMessage, AssistantMessage, UserMessage]
    assert sent[3].text.endswith('{"tool": "search", "arguments": {"queries": ["rent"]}}')
    assert sent[4].text == "Result of search:\n[turn1search1] Lease\n\nThree calls are left."


def test_call_written_instead_of_the_demanded_answer_is_not_shown() -> None:
    messages = (
        *QUESTION,
        AssistantMessage("", (ToolCall("1", "search", "{}"),)),
        ToolMessage("1", "search", "Nothing."),
    )
    *shown, ended = PromptedTools(Writer(CALL)).chat(ChatRequest(messages, known=(SEARCH,)), Stop())
    assert shown == []
    assert isinstance(ended, TurnEnded)
    assert ended.message.tool_calls


def test_json_answer_without_tools_is_shown() -> None:
    shown, _ = turn(Writer('{"rent": 950}'), ())
    assert shown == '{"rent": 950}'
