"""Models that write calls as prose, send nothing, refuse, promise or repair badly, over a real socket.

Each case is a script of turns after which stands what the user must be told.
"""

import json
from collections.abc import Callable, Sequence

import pytest

from desktop_rag.agent.events import AgentEvent, Answered, Claim, ToolCalled
from desktop_rag.agent.prompts import NO_ANSWER_FOUND, NO_SOURCE, NO_STATEMENT, NOT_IN_DOCUMENTS
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits, Profile
from tests.endpoint import Call, ScriptedEndpoint, ScriptEntry, SeenRequest, Turn

QUERIES = '{"queries": ["rent due"]}'
SEARCH = Turn(calls=[Call("search", '{"queries": ["rent due", "deposit"]}')])
RENT = "The tenant pays the rent on the first day of each month."
GOOD = f'{RENT} [LEASE L3 "The tenant pays the rent on the first day of each month"]'
WRONG = 'The rent is due on the fifteenth day of each month. [LEASE L3 "due on the fifteenth day of a month"]'
DEPOSIT = "The deposit is two months' rent. [LEASE L8]"
SHOWN = f"{RENT} [1](cite:1)"
WRITTEN_CALLS = {
    "name and object": f"search: {QUERIES}",
    "name, blank, object": f"search {QUERIES}",
    "bold name": f"**search**: {QUERIES}",
    "element with attributes": '<search queries="rent due"/>',
    "element with elements": '<search>\n<queries>["rent due"]</queries>\n</search>',
    "recipient": f'{{"recipient_name": "functions.search", "parameters": {QUERIES}}}',
    "parallel use": f'{{"tool_uses": [{{"recipient_name": "functions.search", "parameters": {QUERIES}}}]}}',
    "fence between prose": f'Checking.\n```json\n{{"tool": "search", "args": {QUERIES}}}\n```\nThe rent is due.',
    "half an answer before": f'Perhaps it is due soon. Let me see:\n\n{{"name": "search", "parameters": {QUERIES}}}',
    "tag": f'<tool_call>{{"name": "search", "arguments": {QUERIES}}}</tool_call>',
    "bare arguments": QUERIES,
    "bare arguments in a fence": f"```json\n{QUERIES}\n```",
    "flat": '{"tool": "search", "queries": ["rent due"]}',
    "announced": f"Calling search with {QUERIES}",
    "labels": f"Tool: search\nArguments: {QUERIES}",
    "assignment": 'result = search(queries=["rent due"])',
    "name above the object": f"search\n```json\n{QUERIES}\n```",
    "tags": f"<tool_call>\n<name>search</name>\n<arguments>{QUERIES}</arguments>\n</tool_call>",
    "Mistral with an id": f"[TOOL_CALLS]search[CALL_ID]abcdefghi[ARGS]{QUERIES}",
}
NEVER_CALLED = {  # tools that the run has not used when it must answer
    "list": 'list_documents(query="lease")',
    "object": '{"tool": "open", "reference": "turn1search1", "lines": 20}',
    "tag": "<function=open><parameter=reference>turn1search1</parameter></function>",
}
NO_WORDS = {
    "blanks": Turn(text="  \n\n "),
    "invisible characters": Turn(text="\u200b\ufeff"),
    "dots": Turn(text="..."),
    "empty fence": Turn(text="```\n```"),
    "only a citation": Turn(text='[turn1search1 L3 "first day of each month"]'),
    "only thinking": Turn(text="<think>The rent is due on the first.</think>"),
    "thinking without end": Turn(text="<think>The rent is due on", finish_reason="length"),
    "reasoning used up": Turn(reasoning="hm " * 50, finish_reason="length"),
    "reasoning and nothing": Turn(reasoning="I know it.", finish_reason="stop"),
    "a native call": Turn(calls=[Call("search", QUERIES)]),
}
NO_STATEMENTS = [
    "Let me open the lease to verify this.",
    "I will now search for the due date.",
    "I'm sorry, but I can't assist with that request.",
    "As an AI language model, I do not have access to your documents.",
    "Monthly.",
]


def turn(text: str) -> Callable[[SeenRequest], Turn]:
    """Return an answer that names the passage of the lease as the tool did."""

    def written(request: SeenRequest) -> Turn:
        read = [str(each["content"]) for each in request.messages if "first day of each month" in str(each["content"])]
        name = next((line[1 : line.index("]")] for line in read[0].splitlines() if line.startswith("[turn")), "")
        return Turn(text=text.replace("LEASE", name))

    return written


def run(engine: SearchEngine, script: Sequence[ScriptEntry], steps: int = 6) -> tuple[Answered, list[AgentEvent]]:
    with ScriptedEndpoint(script) as endpoint:
        model = OpenAIChat(Profile("test", endpoint.base_url, "m"), "")
        used = Run(toolkit("full"), model, engine, limits=Limits(steps=steps))
        events = list(answer(Question("When is the rent due?"), used))
        assert endpoint.script == [], "turns that were never asked for"
    assert isinstance(events[-1], Answered), events[-1]
    return events[-1], events


def marks(answered: Answered) -> list[tuple[str, str]]:
    def said(claim: Claim) -> str:
        return answered.text[claim.start : claim.end]

    return [(said(claim), claim.mark) for claim in answered.claims]


@pytest.mark.parametrize("text", WRITTEN_CALLS.values(), ids=WRITTEN_CALLS)
def test_a_call_written_after_the_first_search_is_run(engine: SearchEngine, text: str) -> None:
    answered, events = run(engine, [SEARCH, Turn(text=text), turn(GOOD)])
    assert [event.name for event in events if isinstance(event, ToolCalled)] == ["search", "search"]
    assert answered.text == SHOWN


@pytest.mark.parametrize("text", WRITTEN_CALLS.values(), ids=WRITTEN_CALLS)
def test_a_call_written_in_the_last_turn_is_never_shown(engine: SearchEngine, text: str) -> None:
    assert run(engine, [SEARCH, Turn(text=text), turn(GOOD)], steps=1)[0].text == SHOWN
    stubborn, _ = run(engine, [SEARCH, Turn(text=text), Turn(text=text)], steps=1)
    assert stubborn.text.startswith(NO_ANSWER_FOUND)
    assert RENT in stubborn.text
    assert "queries" not in stubborn.text


@pytest.mark.parametrize("text", NEVER_CALLED.values(), ids=NEVER_CALLED)
def test_a_call_of_a_tool_not_used_before_is_never_shown(engine: SearchEngine, text: str) -> None:
    assert run(engine, [SEARCH, Turn(text=text), turn(GOOD)], steps=1)[0].text == SHOWN


@pytest.mark.parametrize("last", NO_WORDS.values(), ids=NO_WORDS)
def test_a_model_that_never_says_a_word_is_answered_for(engine: SearchEngine, last: Turn) -> None:
    answered, _ = run(engine, [SEARCH, last, last], steps=1)
    assert answered.text.startswith(NO_ANSWER_FOUND)
    assert f"> {RENT}" in answered.text
    assert json.dumps(QUERIES) not in answered.text


@pytest.mark.parametrize("text", NO_STATEMENTS)
def test_a_promise_or_refusal_is_asked_again_and_is_no_answer(engine: SearchEngine, text: str) -> None:
    assert run(engine, [SEARCH, Turn(text=text), turn(GOOD)])[0].text == SHOWN
    stubborn, _ = run(engine, [SEARCH, Turn(text=text), Turn(text=text)])
    assert stubborn.text.startswith(f"{text}\n\n{NO_STATEMENT if ' ' in text else NO_SOURCE}")
    assert not stubborn.claims


def test_a_question_to_the_user_is_no_answer_without_a_source(engine: SearchEngine) -> None:
    assert run(engine, [SEARCH, Turn(text="Which lease do you mean?")])[0].text == "Which lease do you mean?"


@pytest.mark.parametrize("marker", ["[not found]", "**[not found]**", "`[not found]`", "_[Not Found]_"])
def test_a_bare_marker_is_told_with_what_was_searched(engine: SearchEngine, marker: str) -> None:
    answered, _ = run(engine, [SEARCH, Turn(text=marker)])
    assert answered.text == f"{NOT_IN_DOCUMENTS} Searched for “rent due”, “deposit”. Read passages of 2 documents."
    assert not answered.found


def test_a_marker_after_a_cited_statement_is_about_a_part(engine: SearchEngine) -> None:
    answered, _ = run(engine, [SEARCH, turn(f"{GOOD}\n\nThe name of the landlord: [not found]")])
    assert answered.found
    assert answered.text.endswith("The name of the landlord: not found")
    assert marks(answered) == [(RENT, "quoted")]


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("[not found] The rent is 5,000 euros. [LEASE L3]", "missing"),
        ("The rent is 5,000 euros.\n\n[not found]", "uncited"),
    ],
)
def test_a_false_statement_beside_the_marker_is_told_of(engine: SearchEngine, text: str, mark: str) -> None:
    answered, _ = run(engine, [SEARCH, turn(text)])
    assert not answered.found
    assert marks(answered) == [("The rent is 5,000 euros.", mark)]


@pytest.mark.parametrize(
    "reply",
    [
        f"```\n1. {GOOD}\n```",
        f"Here is the corrected statement:\n\n1. {GOOD}",
        f"**1.** {GOOD}",
        f"1. {GOOD}\n   Wrong: the lines say “first”, not “fifteenth”.",
    ],
)
def test_a_repair_is_read_whatever_stands_around_it(engine: SearchEngine, reply: str) -> None:
    answered, _ = run(engine, [SEARCH, turn(f"{DEPOSIT} {WRONG}"), turn(reply)])
    assert answered.text == "The deposit is two months' rent. [1](cite:1) " + SHOWN.replace("1](cite:1", "2](cite:2")
    assert [mark for _, mark in marks(answered)] == ["quoted", "quoted"]


@pytest.mark.parametrize(
    "reply",
    ["I'm sorry for the mistake.", "1. The rent is due on the 20th.", "You are right.", "...", f"search: {QUERIES}"],
)
def test_a_repair_that_states_nothing_better_is_dropped(engine: SearchEngine, reply: str) -> None:
    answered, _ = run(engine, [SEARCH, turn(WRONG), turn(reply)])
    assert [mark for _, mark in marks(answered)] == ["altered"]


@pytest.mark.parametrize("reply", ["1. -", "-", "1. leave out", "[not found]"])
def test_an_answer_whose_only_statement_is_taken_back_was_not_found(engine: SearchEngine, reply: str) -> None:
    answered, _ = run(engine, [SEARCH, turn(WRONG), Turn(text=reply)])
    assert not answered.found
    assert answered.text.startswith(NOT_IN_DOCUMENTS)
    assert "fifteenth" not in answered.text


def test_not_found_with_a_new_false_statement_is_no_repair(engine: SearchEngine) -> None:
    answered, _ = run(engine, [SEARCH, turn(WRONG), turn("[not found] The rent is 900 euros. [LEASE L3]")])
    assert answered.found
    assert "900" not in answered.text
