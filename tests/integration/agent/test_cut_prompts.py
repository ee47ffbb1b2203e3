"""A server that drops the beginning of long prompts without an error is noticed while it answers."""

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import Answered, ContextMeasured, LimitReached
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.llm import token_estimates
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits, Profile
from desktop_rag.stop import Stop
from tests.endpoint import Call, ScriptedEndpoint, SeenRequest, Turn

WINDOW = 2_048


def cutting(request: SeenRequest) -> Turn:
    """Open every document found, over and over, and count at most `WINDOW` tokens of a prompt."""
    sent = token_estimates.estimate(str(request.messages)) + token_estimates.estimate(
        str(request.body.get("tools", ""))
    )
    usage = (min(sent, WINDOW), 10)
    asked = len([message for message in request.messages if message["role"] == "tool"])
    if asked > 3 or not request.tool_names:
        return Turn(text="I do not know.", usage=usage)
    padding = " ".join(f"word{asked}x{number}" for number in range(400))
    return Turn(text=padding, calls=[Call("search", f'{{"queries": ["rent {asked}"]}}')], usage=usage)


def test_silent_truncation_is_said_once_and_later_requests_fit(engine: SearchEngine) -> None:
    with ScriptedEndpoint([cutting] * 20) as endpoint:
        profile = Profile("test", endpoint.base_url, "scripted", context_window=32_768)
        model = OpenAIChat(profile, "")
        events = list(answer("Rent?", Conversation(), toolkit("full"), model, engine, Limits(), Scope(), Stop()))
    said = [event for event in events if isinstance(event, LimitReached) and event.limit == "window"]
    assert len(said) == 1
    assert "below 2,048 tokens" in said[0].message
    assert [event.context.limit for event in events if isinstance(event, ContextMeasured)][-1] == WINDOW
    assert isinstance(events[-1], Answered)
