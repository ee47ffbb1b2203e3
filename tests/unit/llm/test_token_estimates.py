import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.llm import tokens
from desktop_rag.llm.chat import AssistantMessage, ToolCall, ToolMessage, ToolSpec, UserMessage

ENGLISH = "The tenant shall pay the monthly rent in advance, on or before the third working day of each month. "
CODE = "def area(self) -> float:\n    return self.width * self.height  # square metres\n"
CHINESE = "承租人应当按照约定的期限支付租金。"
GERMAN = "Der Mieter zahlt die Monatsmiete im Voraus, spätestens am dritten Werktag eines jeden Monats. "


@pytest.mark.parametrize(
    ("text", "o200k"),
    [(ENGLISH, 22), (CODE, 19), (CHINESE, 14), (GERMAN, 23)],
    ids=["English", "code", "Chinese", "German"],
)
def test_the_estimate_is_near_a_real_tokenizer(text: str, o200k: int) -> None:
    assert o200k * 0.8 <= tokens.estimate(text) <= o200k * 1.5


def test_no_text_has_no_tokens() -> None:
    assert tokens.estimate("") == 0


@given(st.text(min_size=1), st.text(min_size=1))
def test_more_text_never_has_fewer_tokens(first: str, second: str) -> None:
    assert 1 <= tokens.estimate(first) <= tokens.estimate(first + "\n" + second)


def test_tool_calls_and_tools_count() -> None:
    call = ToolCall("abcdefghi", "search", '{"query": "rent"}')
    assert tokens.of_message(AssistantMessage("Looking.", (call,))) > tokens.of_message(AssistantMessage("Looking."))
    assert tokens.of_message(ToolMessage("abcdefghi", "search", "")) > 0
    tool = ToolSpec("search", "Searches the library.", '{"type": "object"}')
    assert tokens.of_request([UserMessage("a")], [tool]) == tokens.of_request([UserMessage("a")]) + tokens.of_tools(
        [tool]
    )
