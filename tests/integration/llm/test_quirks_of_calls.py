"""Known deviations of endpoints called OpenAI-compatible, replayed over real sockets: tool calls and histories.

The numbers are those of the list of deviations that the client is written for.
"""

import json

import pytest

from desktop_rag.agent.tools.arguments import integer, parse_arguments
from desktop_rag.errors import (
    ToolsRefused,
)
from desktop_rag.llm.chat import (
    AssistantMessage,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from tests.endpoint import Call, CallStyle, ScriptedEndpoint, Turn
from tests.integration.llm.faults.fault import ARGUMENTS, CALLED, DONE, STOP, call, delta
from tests.integration.llm.quirk_turns import (
    QUESTION,
    RENT,
    calls,
    client,
    ended,
    history,
    refusing,
    roles,
    streamed,
)


def test_1_calls_without_an_index() -> None:
    turn = streamed(
        call('{"query"', index=None), call(': "rent"}', None, None, None), call("{}", "open", None, "b"), CALLED
    )
    assert calls(turn) == [RENT, ("open", {})]


def test_2_calls_that_all_have_index_zero() -> None:
    assert calls(streamed(call(ARGUMENTS), call("{}", "open", 0, "b"), CALLED)) == [RENT, ("open", {})]


def test_3_empty_names_and_ids_in_later_pieces() -> None:
    assert calls(streamed(call('{"query": '), call('"rent"}', "", 0, ""), CALLED)) == [RENT]


def test_4_a_whole_call_in_one_chunk_and_arguments_as_an_object() -> None:
    assert calls(streamed(call({"query": "rent"}), CALLED)) == [RENT]


def test_5_no_arguments_wrong_types_and_broken_arguments() -> None:
    assert calls(streamed(call(""), CALLED)) == [("search", {})]
    assert integer(parse_arguments('{"limit": "3"}', ["limit"]), ["limit"], 1, 1, 10) == 3
    broken = streamed(call('{"query": "re'), CALLED).message
    with ScriptedEndpoint([Turn(text="Monthly.")]) as endpoint:
        ended(client(endpoint.base_url), QUESTION, broken, ToolMessage(broken.tool_calls[0].id, "search", "Not JSON."))
        assert '"arguments": "{}"' in json.dumps(endpoint.requests[0].messages[1])


@pytest.mark.parametrize("reason", ["stop", "end", "function_call", "tool_calls", "eos"])
def test_6_any_finish_reason_with_calls(reason: str) -> None:
    assert streamed(call(ARGUMENTS), delta(reason), DONE).reason == "tools"


@pytest.mark.parametrize(
    "leaked",
    [
        f'<tool_call>{{"name": "search", "arguments": {ARGUMENTS}}}</tool_call>',
        f'[TOOL_CALLS][{{"name": "search", "arguments": {ARGUMENTS}}}]',
        f"search[ARGS]{ARGUMENTS}",
        "<function=search><parameter=query>rent</parameter></function>",
        f"<｜tool▁call▁begin｜>search<｜tool▁sep｜>{ARGUMENTS}<｜tool▁call▁end｜>",
        '<function_calls><invoke name="search"><parameter name="query">rent</parameter></invoke></function_calls>',
    ],
)
def test_7_calls_written_into_the_text(leaked: str) -> None:
    turn = streamed(*(delta(content=leaked[at : at + 5]) for at in range(0, len(leaked), 5)), STOP)
    assert calls(turn) == [RENT]
    assert not turn.message.text


def test_8_refused_tools_are_remembered_and_not_offered_again() -> None:
    refusal = Turn(status=400, body='{"error": {"message": "m does not support tools"}}')
    with ScriptedEndpoint([refusal, Turn(text="Monthly.")]) as endpoint:
        chat = client(endpoint.base_url)
        for _ in range(2):
            with pytest.raises(ToolsRefused, match="tools"):
                ended(chat)
        assert ended(chat, tools=()).message.text == "Monthly."
        assert len(endpoint.requests) == 2


def test_9_no_tool_choice_is_demanded() -> None:
    with ScriptedEndpoint([Turn(text="Monthly.")]) as endpoint:
        ended(client(endpoint.base_url))
        assert "tool_choice" not in endpoint.requests[0].body


def test_10_schemas_are_not_strict() -> None:
    with ScriptedEndpoint([Turn(text="Monthly.")]) as endpoint:
        ended(client(endpoint.base_url))
        assert "strict" not in json.dumps(endpoint.requests[0].body)


def test_11_call_ids_are_nine_letters_and_digits() -> None:
    turn = streamed(call(ARGUMENTS, call_id="toolu_01-not-ours-and-much-longer-than-forty-characters"), CALLED)
    (made,) = turn.message.tool_calls
    assert len(made.id) == 9
    assert made.id.isalnum()


@pytest.mark.parametrize(
    ("name", "words", "check"),
    [
        ("tool then user", "Unexpected role 'user' after role 'tool'", "order"),
        ("tools missing", "Requests which include `tool_use` blocks must define tools", "tools"),
        ("tools expected", "Anthropic expects the `tools=` param to be passed in", "tools"),
        ("name missing", "function_response.name: Name cannot be empty.", "name"),
        ("null content", "messages.2.content: Input should be a valid string", "content"),
    ],
)
def test_12_strict_histories_are_learned(name: str, words: str, check: str) -> None:
    refused = {
        "order": lambda r: "tool, user" in ", ".join(map(str, roles(r))),
        "tools": lambda r: not r.tool_names,
        "name": lambda r: any(m["role"] == "tool" and not m.get("name") for m in r.messages),
        "content": lambda r: any(m.get("content") is None for m in r.messages),
    }[check]
    with ScriptedEndpoint(refusing(refused, words)) as endpoint:
        chat = client(endpoint.base_url)
        for _ in range(2):
            assert ended(chat, *history(aside=True), tools=()).message.text == "Monthly.", name
        assert len(endpoint.requests) == 3  # refused once, then never
        assert "Answer now." in json.dumps(endpoint.requests[-1].messages)


def test_12_an_empty_message_of_the_model_is_not_sent() -> None:
    with ScriptedEndpoint([Turn(text="Monthly.")]) as endpoint:
        ended(client(endpoint.base_url), QUESTION, AssistantMessage(""), UserMessage("And?"))
        assert roles(endpoint.requests[0]) == ["user", "user"]


@pytest.mark.parametrize(
    ("words", "check"),
    [
        ("System role not supported", "system"),
        ("Developer instruction is not enabled for models/gemma-3", "system"),
        ("Conversation roles must alternate user/assistant/user/assistant/...", "alternate"),
    ],
)
def test_13_one_system_message_or_none_and_roles_in_turn(words: str, check: str) -> None:
    refused = {
        "system": lambda r: "system" in roles(r),
        "alternate": lambda r: any(a == b for a, b in zip(roles(r), roles(r)[1:], strict=False)),
    }[check]
    messages = (SystemMessage("Be brief."), SystemMessage("Cite."), UserMessage("Hello."), QUESTION)
    with ScriptedEndpoint(refusing(refused, words)) as endpoint:
        assert ended(client(endpoint.base_url), *messages).message.text == "Monthly."
        assert roles(endpoint.requests[0]) == ["system", "user", "user"]
        sent = json.dumps(endpoint.requests[-1].messages)
        assert all(part in sent for part in ("Be brief.", "Cite.", "Hello.", "When is"))


def test_14_parallel_calls_are_not_asked_for_and_all_come() -> None:
    made = [Call("search", ARGUMENTS), Call("open"), Call("search", ARGUMENTS)]
    with ScriptedEndpoint([Turn(calls=made, style=CallStyle.ALL_AT_ONCE)]) as endpoint:
        assert [name for name, _ in calls(ended(client(endpoint.base_url)))] == ["search", "open", "search"]
        assert "parallel_tool_calls" not in endpoint.requests[0].body
