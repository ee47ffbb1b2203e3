import itertools
from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.llm.chat import TextDelta
from desktop_rag.llm.content import ContentSplitter


def split(*pieces: str, thinking: bool = False, tools: Collection[str] = ()) -> tuple[str, str, str]:
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


@pytest.mark.parametrize(
    "end",
    [
        "<|im_end|>",
        "<|eot_id|></s>",
        "</s>\n<｜end▁of▁sentence｜> ",
        "<end_of_turn>\n<eos>\n",
        "</tools>",
        "</tool_response><|im_end|>",
    ],
)
@pytest.mark.parametrize("step", [1, 2, 5, 100])
def test_tokens_that_end_a_turn_are_not_shown(end: str, step: int) -> None:
    whole = f"Monthly.{end}"
    splitter = ContentSplitter(tools=("search",))
    shown = [e for at in range(0, len(whole), step) for e in splitter.feed(whole[at : at + step])]
    assert "".join(e.text for e in [*shown, *splitter.end()]) == splitter.text == "Monthly."


def test_an_answer_may_explain_a_token_that_ends_a_turn() -> None:
    answer = "ChatML ends a turn with <|im_end|> and BART a text with </s>, see <|im_"
    assert split(*answer) == split(answer) == (answer, "", "")


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
    splitter = ContentSplitter(tools=["search"])
    assert list(splitter.feed("Rent is due")) == [TextDelta("Rent is due")]


def test_a_written_call_is_withheld() -> None:
    pieces = ("Searching.\n<tool", '_call>{"name": "search"}</tool_call>')
    assert split(*pieces, tools=["search"]) == ("Searching.\n", "", '<tool_call>{"name": "search"}</tool_call>')
    assert split(*pieces) == ("".join(pieces), "", "")


CALLS = (
    '{"name": "search", "parameters": {"query": "rent"}}',
    '```json\n{"name": "search", "arguments": {"query": "rent"}}\n```',
    'search(query="rent")',
    '<|python_tag|>{"name": "search", "parameters": {}}',
    'Action: search\nAction Input: {"query": "rent"}',
)


@given(st.sampled_from(CALLS), st.lists(st.integers(0, 70), max_size=8))
def test_a_written_call_may_be_split_anywhere(call: str, cuts: list[int]) -> None:
    whole = f"I will search.\n\n{call}"
    places = sorted({min(cut, len(whole)) for cut in cuts} | {0, len(whole)})
    pieces = [whole[a:b] for a, b in itertools.pairwise(places)]
    text, _, withheld = split(*pieces, tools=["search"])
    assert (text.strip(), withheld.strip()) == ("I will search.", call)


@given(st.text(alphabet='search({[`"name:) \n*ActionJO,]}', max_size=80), st.lists(st.integers(0, 80), max_size=8))
def test_no_text_is_lost_or_reordered(whole: str, cuts: list[int]) -> None:
    places = sorted({min(cut, len(whole)) for cut in cuts} | {0, len(whole)})
    pieces = [whole[a:b] for a, b in itertools.pairwise(places)]
    text, _, withheld = split(*pieces, tools=["search"])
    assert text + withheld == whole.lstrip() or (text + withheld).strip() == whole.strip()


def test_a_list_and_a_citation_stream_at_once() -> None:
    splitter = ContentSplitter(tools=["search", "open"])
    for piece in ("* Rent is due", "\n1. The lease", "\n[turn1search1 L4]", "\nOpening hours", "\n{braces} in text"):
        assert list(splitter.feed(piece)) == [TextDelta(piece)]
