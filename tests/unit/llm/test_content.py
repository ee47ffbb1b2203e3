import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.llm.chat import TextDelta
from desktop_rag.llm.content import ContentSplitter, leaked_calls


def split(*pieces: str, thinking: bool = False, tools: bool = False) -> tuple[str, str, str]:
    """Return text, reasoning and withheld text."""
    splitter = ContentSplitter(thinking=thinking, tools=tools)
    for piece in pieces:
        list(splitter.feed(piece))
    list(splitter.end())
    return splitter.text, splitter.reasoning, splitter.withheld


@pytest.mark.parametrize("tag", ["think", "thinking"])
def test_thinking_at_the_beginning_is_separated(tag: str) -> None:
    assert split(f"\n<{tag}>Look at the lease.</{tag}>\n\nMonthly.") == ("Monthly.", "Look at the lease.", "")


@given(st.lists(st.integers(0, 60), max_size=10))
def test_tags_may_be_split_anywhere(cuts: list[int]) -> None:
    whole = "<think>a < b</thin</think>It is 3 < 4, </th>"
    places = sorted({min(cut, len(whole)) for cut in cuts} | {0, len(whole)})
    pieces = [whole[a:b] for a, b in itertools.pairwise(places)]
    assert split(*pieces) == ("It is 3 < 4, </th>", "a < b</thin", "")


def test_an_answer_may_mention_the_tag() -> None:
    answer = "Write <think> before and nothing after."
    assert split(answer) == (answer, "", "")


def test_a_closing_tag_alone_makes_what_came_before_thinking() -> None:
    splitter = ContentSplitter()
    events = [*splitter.feed("Look at the lease.</think>Monthly."), *splitter.end()]
    assert (splitter.text, splitter.reasoning) == ("Monthly.", "Look at the lease.")
    assert splitter.closed_unopened
    assert events[-1] == TextDelta("Monthly.")


def test_a_template_that_opens_the_thinking_needs_only_its_end() -> None:
    assert split("Look.", "</think>Monthly.", thinking=True) == ("Monthly.", "Look.", "")


def test_unterminated_thinking_is_the_answer() -> None:
    assert split("Monthly.", thinking=True) == ("Monthly.", "", "")


def test_text_without_tags_is_passed_on_at_once() -> None:
    splitter = ContentSplitter(tools=True)
    assert list(splitter.feed("Rent is due")) == [TextDelta("Rent is due")]


def test_a_leaked_call_is_withheld() -> None:
    pieces = ("Searching.\n<tool", '_call>{"name": "search"}</tool_call>')
    assert split(*pieces, tools=True) == ("Searching.\n", "", '<tool_call>{"name": "search"}</tool_call>')
    assert split(*pieces) == ("".join(pieces), "", "")


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"name": "search", "arguments": {"query": "rent", "limit": 3}}\n</tool_call>',
        '<tool_call>{"name": "search", "arguments": {"query": "rent", "limit": 3}}',
        "<function=search>\n<parameter=query>\nrent\n</parameter>\n<parameter=limit>3</parameter>\n</function>",
        '<function=search>{"query": "rent", "limit": 3}</function>',
        '[TOOL_CALLS][{"name": "search", "arguments": {"query": "rent", "limit": 3}}]',
        '[TOOL_CALLS]search[ARGS]{"query": "rent", "limit": 3}',
        '[TOOL_CALLS]search{"query": "rent", "limit": 3}',
    ],
)
def test_known_shapes_of_leaked_calls_are_read(text: str) -> None:
    ((name, arguments),) = leaked_calls(text, {"search"})
    assert (name, json.loads(arguments)) == ("search", {"query": "rent", "limit": 3})


def test_a_tool_that_was_not_offered_is_no_call() -> None:
    assert leaked_calls('<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>', {"search"}) == []


@pytest.mark.parametrize("text", ["<tool_call>", "<tool_call>{", "[TOOL_CALLS]", "[ARGS]{}", '<tool_call>{"a": 1}'])
def test_an_unreadable_call_is_no_call(text: str) -> None:
    assert leaked_calls(text, {"search"}) == []
