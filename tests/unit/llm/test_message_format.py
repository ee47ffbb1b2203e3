import json

from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.llm.chat import AssistantMessage, SystemMessage, ToolCall, ToolMessage, ToolSpec, UserMessage
from desktop_rag.llm.message_format import new_call_id, pack_raw, to_wire, tools_to_wire, wire_id

RAW = {"role": "assistant", "content": "Looking.", "reasoning": "Hm.", "tool_calls": [{"id": "abcdefghi", "x": 1}]}
SAID = AssistantMessage("Looking.", (ToolCall("abcdefghi", "search", "{}"),), raw=pack_raw("here", RAW))


def test_several_instructions_become_one_message_at_the_front() -> None:
    wire = to_wire([SystemMessage("Be brief."), UserMessage("When?"), SystemMessage("Cite.")], "here")
    assert wire == [{"role": "system", "content": "Be brief.\n\nCite."}, {"role": "user", "content": "When?"}]


def test_a_raw_message_goes_back_verbatim_to_its_origin() -> None:
    assert to_wire([SAID], "here") == [RAW]


def test_another_provider_gets_only_the_parsed_message() -> None:
    (wire,) = to_wire([SAID], "elsewhere")
    assert "reasoning" not in wire
    assert wire["tool_calls"] == [
        {"id": "abcdefghi", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    ]


def test_a_raw_message_with_changed_calls_is_not_sent() -> None:
    assert to_wire([AssistantMessage("Looking.", (), raw=SAID.raw)], "here") == [
        {"role": "assistant", "content": "Looking."}
    ]


def test_refused_reasoning_is_left_out() -> None:
    (wire,) = to_wire([SAID], "here", echo_reasoning=False)
    assert "reasoning" not in wire


def test_demanded_reasoning_is_added_empty() -> None:
    (wire,) = to_wire([AssistantMessage("Looking.")], "here", demand_reasoning=True)
    assert wire["reasoning_content"] == ""
    assert "reasoning_content" not in to_wire([SAID], "here", demand_reasoning=True)[0]


def test_an_empty_assistant_message_is_not_sent() -> None:
    assert to_wire([UserMessage("a"), AssistantMessage(""), UserMessage("b")], "here") == [
        {"role": "user", "content": "a"},
        {"role": "user", "content": "b"},
    ]


def test_foreign_ids_are_replaced_alike_in_call_and_result() -> None:
    call = ToolCall("toolu_01A09q90qw90lq917835lq9", "search", "")
    assistant, tool = to_wire([AssistantMessage("", (call,)), ToolMessage(call.id, "search", "Found.")], "here")
    assert assistant["content"] is None
    assert assistant["tool_calls"] == [
        {"id": tool["tool_call_id"], "type": "function", "function": {"name": "search", "arguments": "{}"}}
    ]


@given(st.text())
def test_every_id_on_the_wire_has_nine_letters_and_digits(call_id: str) -> None:
    for wire in (wire_id(call_id), new_call_id()):
        assert len(wire) == 9
        assert wire.isascii()
        assert wire.isalnum()
    assert wire_id(wire_id(call_id)) == wire_id(call_id)


def test_tools_are_offered_without_strictness() -> None:
    (tool,) = tools_to_wire([ToolSpec("search", "Searches.", '{"type": "object"}')])
    function = {"name": "search", "description": "Searches.", "parameters": {"type": "object"}}
    assert tool == {"type": "function", "function": function}
    assert "strict" not in json.dumps(tool)
