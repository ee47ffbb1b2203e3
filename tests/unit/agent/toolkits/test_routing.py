"""The routing toolkit: how questions are classified, and what each route does."""

import json
from collections.abc import Generator
from dataclasses import replace

import pytest

from desktop_rag.agent.budget import stage_costs
from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import AgentEvent, Answered, LimitReached, Remark, Routed, RunUsage, ToolCalled
from desktop_rag.agent.toolkits.auto import QuestionRouter, route_by_rules
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.errors import ModelUnreachable
from desktop_rag.llm.chat import ChatEvent, ChatRequest, TokenUsage, ToolMessage, UserMessage
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel
from tests.unit.agent.run.test_loop import ANSWER, of

PDF = Filter(FileField.EXT, "pdf")


class Slow(ScriptedModel):
    """Thinks until it is stopped."""

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        stop.wait(60)
        yield from super().chat(request, stop)


def decision(route: str, **more: object) -> Says:
    usage = TokenUsage(210, 30)
    return Says(f"Here: {json.dumps({'route': route, 'why': 'It names one fact.', **more})}", usage=usage)


def asker(library: FakeRetriever, model: ScriptedModel, fast: ScriptedModel | None = None) -> Asker:
    return Asker(library, model, toolkit("auto"), fast=fast)


def called(events: list[AgentEvent]) -> list[str]:
    return [event.name for event in of(events, ToolCalled)]


@pytest.mark.parametrize(
    ("question", "route"),
    [
        ("When is the rent due?", "quick"),
        ("3M N95 respirator", "quick"),
        ("Wann ist die Miete fällig?", "quick"),
        ("DeWalt vs Milwaukee 20V drill", "agentic"),
        ("What PPE do I need for metal grinding?", "agentic"),
        ("List all contracts that end in 2027", "agentic"),
        ("Was ist der Unterschied zwischen den beiden Mietverträgen?", "agentic"),
        ("Résume ce dossier", "agentic"),
        ("Who signed the lease and when does it end?", "agentic"),
        ("Is the deposit paid? Who paid it?", "agentic"),
        ("Who wrote “Who paid? Nobody?”?", "quick"),
        ("What does 'who goes there?' mean?", "quick"),
        ("Who said “Why not?”?", "quick"),
        ("Is it Ada's flat? Who's the landlord's agent?", "agentic"),
        ("Hi, how are you?", "off-topic"),
        ("Moin!", "off-topic"),
        ("你好", "off-topic"),
        ("How much is it in total?", "agentic"),
        ("Hello!", "off-topic"),
        ("Vielen Dank!", "off-topic"),
        ("Thanks a lot", "off-topic"),
        ("???", "off-topic"),
        ("Thanks to whom does the preface go", "quick"),
        ("Hello World program", "quick"),
    ],
)
def test_rules_route_a_question(question: str, route: str) -> None:
    assert route_by_rules(question).route == route


@pytest.mark.parametrize(
    ("question", "query", "filters"),
    [
        ("When is the rent due in the pdf files?", "When is the rent due?", (PDF,)),
        ("Budget in Excel files", "Budget", (Filter(FileField.EXT, "xlsx"),)),
        ("Who signs in the folder “Old leases”?", "Who signs?", (Filter(FileField.FOLDER, "Old leases"),)),
        ("notes changed last month", "notes", (Filter(FileField.MODIFIED, "last month"),)),
        ("What was revenue in 2022?", "What was revenue in 2022?", ()),
        ("What is in it?", "What is in it?", ()),
    ],
)
def test_rules_extract_file_filters(question: str, query: str, filters: tuple[Filter, ...]) -> None:
    found = route_by_rules(question)
    assert (found.query, found.filters) == (query, filters)


def test_a_quick_question_takes_one_retrieval_pass(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(ANSWER)])
    events = asker(library, model).ask("When is rent payable?")
    [routed] = of(events, Routed)
    assert (routed.route, routed.by, routed.usage) == ("quick", "", RunUsage(0, 0, 0, estimated=False))
    assert called(events) == ["search", "read_chunks"]
    assert len(model.requests) == 1
    assert not model.requests[0].tools
    given = model.requests[0].messages[-1]
    assert isinstance(given, UserMessage)
    assert "5: Rent is payable on the third working day" in given.text
    assert given.text.endswith("Question: When is rent payable?")
    assert of(events, Answered)[0].citations[0].verdict == "verbatim"


def test_the_fast_model_decides_and_its_cost_is_counted_apart(library: FakeRetriever) -> None:
    fast = ScriptedModel([decision("quick", query="rent payable working day", filters={"type": ".pdf"})])
    model = ScriptedModel([Says(ANSWER, usage=TokenUsage(1_000, 100))])
    events = asker(library, model, fast).ask("When do I pay?")
    [routed] = of(events, Routed)
    assert (routed.query, routed.filters, routed.by) == ("rent payable working day", (PDF,), "scripted")
    assert library.searches[0].query == "rent payable working day"
    assert all(search.filters == (PDF,) for search in library.searches)
    profile = Profile("x", "http://x", "big", fast_model="small", price_in=3, price_out=15, fast_price_in=0.8)
    sorting, answering = stage_costs(events, profile)
    assert (sorting.tokens, answering.tokens) == (240, 1_100)
    assert sorting.money == pytest.approx(210 * 0.8e-6)
    assert answering.money == pytest.approx(0.0045)
    assert [cost.money for cost in stage_costs(events, None)] == [None, None]


def test_the_fast_model_knows_the_library_and_what_was_asked_before(library: FakeRetriever) -> None:
    fast = ScriptedModel([decision("quick")])
    talk = Conversation((Turn(1, "Who lives in Mill Lane 7?", (), 0),))
    replace(asker(library, ScriptedModel([Says(ANSWER)]), fast), conversation=talk).ask("And what does she pay?")
    told = fast.requests[0].messages[-1]
    assert isinstance(told, UserMessage)
    assert "2 documents" in told.text
    assert "types: .txt (1), .pdf (1)" in told.text
    assert "Asked before: Who lives in Mill Lane 7?" in told.text
    assert told.text.endswith("Question: And what does she pay?")


def test_a_filter_without_documents_is_dropped(library: FakeRetriever) -> None:
    library.holds = lambda filters: all(each.text != "klingon" for each in filters)
    conditions = {"type": "klingon", "folder": "library", "date": "someday", "planet": "Mars"}
    fast = ScriptedModel([decision("quick", filters=conditions)])
    [routed] = of(asker(library, ScriptedModel([Says(ANSWER)]), fast).ask("When is rent payable?"), Routed)
    assert routed.filters == (Filter(FileField.FOLDER, "library"),)


def test_a_filter_the_user_removed_does_not_come_back(library: FakeRetriever) -> None:
    fast = ScriptedModel([decision("quick", filters={"type": "pdf", "author": "Ada"})])
    person = replace(asker(library, ScriptedModel([Says(ANSWER)]), fast), unwanted=(PDF,))
    [routed] = of(person.ask("When is rent payable?"), Routed)
    assert routed.filters == (Filter(FileField.AUTHOR, "Ada"),)


def test_the_users_own_filters_stay(library: FakeRetriever) -> None:
    fast = ScriptedModel([decision("quick", filters={"type": "txt"})])
    chosen = replace(asker(library, ScriptedModel([Says(ANSWER)]), fast), filters=(PDF,))
    [routed] = of(chosen.ask("When is rent payable?"), Routed)
    assert routed.filters == ()
    assert library.searches[0].filters == (PDF,)


def test_small_talk_calls_no_tool(library: FakeRetriever) -> None:
    model = ScriptedModel([Says("Hello! Ask me about your documents.")])
    events = asker(library, model).ask("Hello!")
    assert called(events) == []
    assert not library.searches
    assert not model.requests[0].tools


def test_the_agentic_route_ends_after_five_calls(library: FakeRetriever) -> None:
    searches = [Says(calls=(("search", f'{{"queries": ["rent {n}"]}}'),)) for n in range(9)]
    model = ScriptedModel([*searches[:5], Says(ANSWER)])
    events = asker(library, model).ask("Why is the rent payable so late?")
    assert of(events, Routed)[0].route == "agentic"
    assert called(events) == ["search"] * 5
    assert [limit.limit for limit in of(events, LimitReached)] == ["tool calls"]
    assert not model.requests[-1].tools
    results = [m for m in model.requests[-1].messages if isinstance(m, ToolMessage)]
    assert len(results) == 5


def test_the_agentic_route_has_thirty_seconds() -> None:
    router = toolkit("auto").router
    assert isinstance(router, QuestionRouter)
    kit = router.toolkits["agentic"]("drills")
    assert (kit.limits.tool_calls, kit.limits.seconds) == (5, 30)
    assert "“drills”" in kit.prompt


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Says("I think it is quick."), "returned no readable decision"),
        (Says('{"route": "sideways"}'), "returned no readable decision"),
        (Says("{" * 500), "returned no readable decision"),
        (
            Says(error=ModelUnreachable("Nothing answers at h.")),
            "could not classify the question (Nothing",
        ),
    ],
)
def test_rules_decide_when_the_fast_model_fails(library: FakeRetriever, fault: Says, words: str) -> None:
    events = asker(library, ScriptedModel([Says(ANSWER)]), ScriptedModel([fault])).ask("When is rent payable?")
    [remark] = of(events, Remark)
    assert (remark.kind, words in remark.text) == ("route", True)
    assert of(events, Routed)[0].by == ""
    assert called(events) == ["search", "read_chunks"]


def test_rules_decide_when_the_fast_model_times_out(library: FakeRetriever) -> None:
    person = asker(library, ScriptedModel([Says(ANSWER)]), Slow([decision("agentic")]))
    router = toolkit("auto").router
    assert isinstance(router, QuestionRouter)
    person.toolkit = replace(toolkit("auto"), router=replace(router, timeout=0.01))
    events = person.ask("When is rent payable?")
    assert "took more than 0.01 seconds" in of(events, Remark)[0].text
    assert of(events, Routed)[0].route == "quick"
