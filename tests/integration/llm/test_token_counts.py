"""What an endpoint counts corrects the estimates of later requests."""

import pytest

from desktop_rag.llm import token_estimates
from desktop_rag.llm.chat import ChatRequest, TokenUsage, TurnEnded, UserMessage
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.endpoint import ScriptedEndpoint, Turn


def usage_of(chat: OpenAIChat, question: UserMessage) -> TokenUsage:
    *_, last = chat.chat(ChatRequest((question,)), Stop())
    assert isinstance(last, TurnEnded)
    return last.usage


def test_estimates_follow_the_counts_of_the_endpoint() -> None:
    long = UserMessage("The rent is due on the first day of each month. " * 60)
    estimated = token_estimates.of_request((long,))
    counted = Turn(text=["Yes."], usage=(round(estimated * 1.4), 2))
    with ScriptedEndpoint([counted, Turn(text=["Yes."], usage=None)]) as endpoint:
        chat = OpenAIChat(Profile("test", endpoint.base_url, "scripted"), "")
        before = chat.count_tokens(long.text)
        usage_of(chat, long)
        assert chat.count_tokens(long.text) == pytest.approx(before * 1.4, rel=0.02)
        usage = usage_of(chat, long)
    assert usage.estimated
    assert usage.prompt == pytest.approx(estimated * 1.4, rel=0.02)
