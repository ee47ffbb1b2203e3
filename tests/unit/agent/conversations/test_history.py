"""History keeps the newest turns whole and truncates older ones."""

from desktop_rag.agent.conversations.history import SHORTENED, earlier_messages
from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import Answered, ContextUse, RunUsage
from desktop_rag.llm.chat import AssistantMessage, UserMessage

CONTEXT = ContextUse(0, 0, 0, 0, 1, estimated=True)
USAGE = RunUsage(0, 0, 0, estimated=True)


def turn(number: int, text: str) -> Turn:
    answered = Answered(text, (), CONTEXT, USAGE, 0.0, 1, found=True)
    return Turn(number, f"Question {number}?", (answered,), 0)


def said(conversation: Conversation, budget: int) -> list[str]:
    messages = earlier_messages(conversation, budget, len)
    assert [type(m) for m in messages[:2]] == [UserMessage, AssistantMessage][: len(messages)]
    return [message.text for message in messages if isinstance(message, AssistantMessage)]


def test_older_turns_are_shortened_before_they_are_dropped() -> None:
    long = "The first sentence says it. " + "Details follow in many words. " * 100
    conversation = Conversation(tuple(turn(number, f"{number}: {long}") for number in range(1, 5)))
    texts = said(conversation, 2 * len(long))
    assert texts[-1].startswith("4: ")
    assert len(texts[-1]) > len(long)
    assert [text[:2] for text in texts] == ["1:", "2:", "3:", "4:"]
    assert all(text.endswith("words. […]") and len(text) <= SHORTENED + 4 for text in texts[:-1])


def test_turns_that_do_not_fit_are_dropped_oldest_first() -> None:
    conversation = Conversation(tuple(turn(number, "x" * 5_000) for number in range(1, 9)))
    texts = said(conversation, 1_300)
    assert len(texts) == 3
    assert all(len(text) <= SHORTENED + 4 for text in texts)


def test_short_conversations_stay_as_they_are() -> None:
    conversation = Conversation((turn(1, "Yes."), turn(2, "No.")))
    assert said(conversation, 1_000) == ["Yes.", "No."]
    assert said(conversation, 0) == []
