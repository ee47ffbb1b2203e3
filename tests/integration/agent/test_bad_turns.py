"""What the user reads of a model whose turns are bad, in several toolkits, over a real socket."""

import json
import re

import pytest

from desktop_rag.agent.events import AgentEvent, AnswerDelta, Answered, Thought, ToolCalled
from desktop_rag.agent.prompts import NOT_IN_DOCUMENTS
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits, Profile
from tests.endpoint import Call, ScriptedEndpoint, SeenRequest, Turn

KITS = ["auto", "quick", "full", "logical-rag", "a-rag"]
QUESTION = "When is the rent due?"
RENT = "The tenant pays the rent on the first day of each month."
SHOWN = f"{RENT} [1](cite:1)"
CITED = f"{RENT} [LEASE L3]"
MOST = 20  # requests of one run
QUERIES = '{"queries": ["rent due"], "query": "rent due"}'
CALLS = {
    "fence and sentence": '```python\nsearch(queries=["rent due"])\n```\nI am waiting for the results.',
    "fence and paragraph": f'I search.\n\n```json\n{{"name": "search", "arguments": {QUERIES}}}\n```\n\nPlease wait.',
    "within prose": 'I look this up with search(queries=["rent due"]) first. Then I can answer.',
    "tag and sentence": f'<tool_call>{{"name": "search", "arguments": {QUERIES}}}</tool_call>\nPlease wait.',
    "no tool": '{"name": "web_search", "arguments": {"query": "rent due"}}',
    "no tool, in a tag": '<tool_call>{"name": "google", "arguments": {"query": "rent due"}}</tool_call>',
    "two in a fence": f'```json\n{{"name": "search", "arguments": {QUERIES}}}\n{{"name": "open", "input": {{}}}}\n```',
}
NO_ANSWERS = {
    "nothing": Turn(text=""),
    "thinking used up": Turn(reasoning="hm " * 50, finish_reason="length"),
    "a web server's page": Turn(text="<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"),
    "a search's result": Turn(text=f'{{"results": [{{"title": "Lease", "lines": "{RENT}"}}]}}'),
    "the question": Turn(text=QUESTION),
    "a call of no tool": Turn(calls=[Call("web_search", '{"query": "rent"}')]),
    "a call that breaks off": Turn(calls=[Call("search", '{"queries": ["rent')]),
}
GREETED = {name: bad for name, bad in NO_ANSWERS.items() if name != "the question"}  # which may greet
WRAPPED = {
    "JSON": f'{{"answer": "{RENT}", "citations": ["LEASE L3"]}}',
    "JSON in a fence": f'```json\n{{"answer": "{CITED}", "confidence": 0.9}}\n```',
    "call that answers": f'{{"name": "final_answer", "arguments": {{"answer": "{CITED}"}}}}',
    "footnote": f"{RENT}[^1]\n\n[^1]: LEASE L3",
    "footnote with a file": f"{RENT} [1]\n\nSources:\n[1] lease.md, line 3",
    "superscript": f"{RENT}¹\n\n¹ LEASE, line 3",
    "twice": f"{CITED}\n\n{CITED}",
    "role": f"<|start_header_id|>assistant<|end_header_id|>\n\n{CITED}",
    "the user's next turn": f"{CITED}\n\nUser: And the deposit?\nAssistant: Two months' rent. [LEASE L8]",
}


def reference(request: SeenRequest) -> str:
    """Return the reference of the lease as the tools named it; empty before it was read."""
    texts = [str(each["content"]) for each in request.messages]
    before = next((text.partition(RENT)[0] for text in texts if RENT in text), "")
    names: list[str] = re.findall(r"\[(turn1\w+)", before)
    return names[-1] if names else ""


class Model:
    """Searches with the first tool it has; each of its turns is `bad` instead, or only the first after it has read."""

    def __init__(self, bad: Turn | str, *, always: bool) -> None:
        self._bad = bad
        self._always = always
        self._turns = 0

    def __call__(self, request: SeenRequest) -> Turn:
        self._turns += 1
        assert self._turns <= MOST
        lease = reference(request)
        if self._always or (lease and self._bad):
            bad, self._bad = self._bad, self._bad if self._always else ""
            return bad if isinstance(bad, Turn) else Turn(text=bad.replace("LEASE", lease))
        if lease or not request.tool_names:
            return Turn(text=CITED.replace("LEASE", lease) if lease else "[not found]")
        name = next(each for each in request.tool_names if "search" in each)
        return Turn(calls=[Call(name, '{"queries": ["rent"], "query": "rent", "keywords": ["rent"]}')])


def run(engine: SearchEngine, kit: str, bad: Turn | str, *, always: bool) -> tuple[Answered, list[AgentEvent]]:
    model = Model(bad, always=always)
    with ScriptedEndpoint([model] * MOST) as endpoint:
        chat = OpenAIChat(Profile("test", endpoint.base_url, "m"), "")
        events = list(answer(Question(QUESTION), Run(toolkit(kit), chat, engine, limits=Limits(steps=6))))
    assert isinstance(events[-1], Answered), events[-1]
    return events[-1], events


@pytest.mark.parametrize("kit", ["auto", "quick", "full", "logical-rag"])
@pytest.mark.parametrize("text", CALLS.values(), ids=CALLS)
def test_a_model_that_only_writes_calls_is_answered_for(engine: SearchEngine, kit: str, text: str) -> None:
    answered, _ = run(engine, kit, text, always=True)
    assert RENT in answered.text
    for word in ("search(", "tool_call", "queries", "web_search", "wait"):
        assert word not in answered.text


@pytest.mark.parametrize("kit", KITS)
@pytest.mark.parametrize("bad", NO_ANSWERS.values(), ids=NO_ANSWERS)
def test_a_model_that_never_answers_is_answered_for(engine: SearchEngine, kit: str, bad: Turn) -> None:
    answered, _ = run(engine, kit, bad, always=True)
    assert RENT in answered.text
    for word in ("nginx", "results", QUESTION + "\n"):
        assert word not in answered.text


@pytest.mark.parametrize("kit", ["auto", "quick", "full"])
@pytest.mark.parametrize("text", (CALLS | WRAPPED).values(), ids=CALLS | WRAPPED)
def test_one_bad_turn_does_not_change_the_answer(engine: SearchEngine, kit: str, text: str) -> None:
    answered, _ = run(engine, kit, text, always=False)
    assert answered.text == SHOWN
    assert [claim.mark for claim in answered.claims] == ["quoted"]


def test_a_call_after_the_quick_look_leads_to_the_thorough_search(engine: SearchEngine) -> None:
    _, events = run(engine, "auto", CALLS["within prose"], always=False)
    assert [event.name for event in events if isinstance(event, ToolCalled)] == ["search", "read_chunks", "search"]


@pytest.mark.parametrize(
    "text", ["[not found]", "I cannot read files.", "<tools>", "<tool_response>\n</tool_response>"]
)
def test_a_run_that_read_nothing_has_not_answered(engine: SearchEngine, text: str) -> None:
    answered, events = run(engine, "full", text, always=True)
    assert answered.found
    assert RENT in answered.text
    written = [event.text for event in events if isinstance(event, Thought | AnswerDelta)]
    assert not any("<tool" in text for text in (*written, answered.text))


@pytest.mark.parametrize("kit", ["auto", "quick"])
@pytest.mark.parametrize("text", ["Not found.", "[nicht gefunden]", "> [not found]", 'The answer is "[not found]".'])
def test_nothing_found_is_told_in_one_way(engine: SearchEngine, kit: str, text: str) -> None:
    answered, events = run(engine, kit, text, always=True)
    assert not answered.found
    assert answered.text.startswith(NOT_IN_DOCUMENTS)
    assert not any("[not found]" in event.text.lower() for event in events if isinstance(event, Thought))


def test_a_call_that_is_refused_again_and_again_ends_the_search(engine: SearchEngine) -> None:
    chosen = json.dumps({"queries": 5})
    _, events = run(engine, "full", Turn(calls=[Call("search", chosen)]), always=True)
    refused = [event for event in events if isinstance(event, ToolCalled) and event.arguments == chosen]
    assert len(refused) == 4


@pytest.mark.parametrize("bad", [*CALLS.values(), *GREETED.values()], ids=[*CALLS, *GREETED])
def test_a_greeting_is_asked_again_after_a_bad_turn(engine: SearchEngine, bad: Turn | str) -> None:
    def greeted(request: SeenRequest) -> Turn:
        return Turn(text="Hello! Ask me about your documents.") if "no answer" in request.last_text else first

    first = bad if isinstance(bad, Turn) else Turn(text=bad)
    with ScriptedEndpoint([greeted, greeted]) as endpoint:
        chat = OpenAIChat(Profile("test", endpoint.base_url, "m"), "")
        used = Run(toolkit("auto"), chat, engine, limits=Limits(steps=6))
        answered = list(answer(Question("Hello"), used))[-1]
    assert isinstance(answered, Answered), answered
    assert answered.text == "Hello! Ask me about your documents."
