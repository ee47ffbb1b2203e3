"""A turn reads only what its own scope holds, also by references that an earlier turn made in a wider one."""

import json
import time
from collections.abc import Sequence

import pytest

from desktop_rag.agent.conversations.history import LEFT_OUT
from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import AgentEvent, Answered, ToolReturned
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Profile
from tests.endpoint import Call, ScriptedEndpoint, ScriptEntry, SeenRequest
from tests.endpoint import Turn as Reply
from tests.integration.retrieval.conftest import EVERYWHERE, SmallLibrary

QUESTION = "When is the rent due?"
SECRET = "first day of each month"  # in the lease, which the later turn must not read


def run(
    engine: SearchEngine,
    script: Sequence[ScriptEntry],
    earlier: Conversation,
    scope: Scope = EVERYWHERE,
    filters: tuple[Filter, ...] = (),
    kit: str = "full",
) -> tuple[tuple[AgentEvent, ...], list[SeenRequest]]:
    with ScriptedEndpoint(script) as endpoint:
        model = OpenAIChat(Profile("test", endpoint.base_url, "scripted"), "")
        asked = answer(Question(QUESTION, earlier, scope, filters=filters), Run(toolkit(kit), model, engine))
        return tuple(asked), endpoint.requests


@pytest.fixture
def whole_library_turn(engine: SearchEngine) -> tuple[Conversation, str]:
    """Return a conversation with one turn over the whole library, and its reference to the lease."""
    searched = Reply(calls=[Call("search", '{"queries": ["rent due first day of each month", "kitten"]}')])
    events, _ = run(engine, [searched, Reply(text="It is in the lease.")], Conversation())
    sources = [source for event in events if isinstance(event, ToolReturned) for source in event.sources]
    lease = next(source for source in sources if source.path.endswith("lease.md"))
    return Conversation((Turn(1, "Where is the rent?", events, time.time_ns()),)), lease.reference


CALLS = {
    "full": (
        ("open", {"reference": "NAME"}),
        ("find", {"reference": "NAME", "patterns": ["first day"]}),
        ("read_chunks", {"references": ["NAME"], "adjacent": 3}),
        ("search", {"queries": ["first day"], "within": ["NAME"]}),
        ("compare", {"references": ["NAME", "NAME"], "aspects": ["first day"]}),
    ),
    "a-rag": (("chunk_read", {"chunk_ids": ["NAME"]}),),
    "agentic-rag": (("open", {"reference": "NAME"}), ("find", {"reference": "NAME", "patterns": ["first day"]})),
}


@pytest.mark.parametrize(("kit", "name", "arguments"), [(kit, *call) for kit, calls in CALLS.items() for call in calls])
def test_earlier_references_do_not_lead_out_of_the_scope(
    kit: str,
    name: str,
    arguments: dict[str, object],
    engine: SearchEngine,
    library: SmallLibrary,
    whole_library_turn: tuple[Conversation, str],
) -> None:
    earlier, lease = whole_library_turn
    call = Call(name, json.dumps(arguments).replace("NAME", lease))
    citing = Reply(text=f'It is due then. [{lease} L3 "{SECRET}"]')
    cats = Scope(contents=(library.content("cats.md"),))
    events, requests = run(engine, [Reply(calls=[call]), citing, citing, citing], earlier, cats, kit=kit)
    sent = "".join(json.dumps(request.messages[-1]) for request in requests if request.messages[-1]["role"] == "tool")
    assert sent
    assert SECRET not in sent
    lease_content = library.content("papers/lease.md")
    assert all(
        source.content != lease_content
        for event in events
        if isinstance(event, ToolReturned)
        for source in event.sources
    )
    ended = events[-1]
    assert isinstance(ended, Answered)
    assert all(citation.verdict == "not found" for citation in ended.citations)


def test_refusal_names_the_choice_of_the_user(
    engine: SearchEngine, whole_library_turn: tuple[Conversation, str]
) -> None:
    earlier, lease = whole_library_turn
    opened = Reply(calls=[Call("open", json.dumps({"reference": lease}))])
    code = (Filter(FileField.EXT, "py"),)
    _, requests = run(engine, [opened, Reply(text="Nothing.")], earlier, filters=code)
    assert requests[1].last_text.endswith(
        "is not among the documents that the user chose for this question. Search again."
    )


@pytest.mark.parametrize("filtered", [False, True])
def test_earlier_references_within_the_scope_stay(
    filtered: bool, engine: SearchEngine, library: SmallLibrary, whole_library_turn: tuple[Conversation, str]
) -> None:
    earlier, lease = whole_library_turn
    opened = Reply(calls=[Call("open", json.dumps({"reference": lease}))])
    scope = EVERYWHERE if filtered else Scope(contents=(library.content("papers/lease.md"),))
    filters = (Filter(FileField.EXT, "md"),) if filtered else ()
    _, requests = run(engine, [opened, Reply(text="Read.")], earlier, scope, filters)
    assert SECRET in requests[1].last_text


def test_an_earlier_answer_is_left_out_if_its_run_read_what_is_not_chosen(
    engine: SearchEngine, library: SmallLibrary
) -> None:
    searched = Reply(calls=[Call("search", '{"queries": ["rent due first day of each month"]}')])
    told = "It is due on the first day."  # without a citation
    events, _ = run(engine, [searched, Reply(text=told)], Conversation())
    again, _ = run(engine, [Reply(text=f"As said: {told}")], Conversation())  # without a search, of the answer before
    turns = tuple(Turn(number, QUESTION, each, time.time_ns()) for number, each in enumerate((events, again), 1))
    end = Reply(text="Nothing.")
    for scope, left_out in (
        (EVERYWHERE, False),
        (Scope(contents=(library.content("cats.md"),)), True),
    ):
        _, requests = run(engine, [end, end, end], Conversation(turns), scope)
        sent = json.dumps([request.body for request in requests])
        assert (told in sent, LEFT_OUT in sent) == (not left_out, left_out)
        assert sent.count(QUESTION) >= 3 * len(requests)
