"""The golden transcripts: the messages to the model of each toolkit, verbatim, as readable text files.

    python -m tests.integration.agent.transcripts

rewrites `transcripts/<toolkit>.txt`; `test_transcripts.py` compares. A scripted endpoint plays the model over a
small library in memory: each file shows the instructions, the tools and every message of one run, and the answer with
its citations.
"""

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

from desktop_rag.agent.events import AgentEvent, Answered, LimitReached, Remark, Routed
from desktop_rag.agent.prompts import END_OF_DATA
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.baselines import oracle
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run, Toolkit
from desktop_rag.agent.tools.gold_passages import GoldPassage
from desktop_rag.index.records import ContentId
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.settings import Profile
from tests.endpoint import Call, Json, ScriptedEndpoint, SeenRequest, Turn
from tests.unit.agent.conftest import FakeRetriever, document, lease_document

FOLDER = Path(__file__).parent / "transcripts"
QUESTION = "When must the rent of Ada Byron's flat be paid, and what does it cost to be late?"
PLAN = Turn("1. When the rent of Ada Byron's flat is payable.\n2. What a late payment costs.")
WIDTH = 118


def library() -> FakeRetriever:
    """Return two documents."""
    manual = document("Boiler manual", "The boiler needs a service every twelve months.", "Late services cost more.")
    return FakeRetriever(("lease.txt", lease_document()), ("boiler.txt", manual))


def _call(name: str, **arguments: object) -> Call:
    return Call(name, json.dumps(arguments, ensure_ascii=False))


def _answer(name: str, *, lines: Sequence[str] = ("", ""), note: str = "") -> Turn:
    """Return an answer of two citations of a reference; `lines` follow its name, `note` precedes the quote."""
    first, second = (f"{name}{line}{note}" for line in lines)
    return Turn(
        f'On the third working day of the month [{first} "payable on the third working day of each month"]; '
        f'being late costs 15 euros [{second} "A late payment costs 15 euros"].'
    )


_SEARCH = _call("search", queries=["rent payable", "late payment"])
_BY_LINE = _answer("turn1search1", lines=(" L5", " L6"))
_FROM_ZERO = _answer("turn1search0", lines=(" L4", " L5"), note=" relevancy 0.9")
_AGENTIC = [
    Turn(calls=[_SEARCH]),
    Turn(calls=[_call("find", reference_id="turn1search0", patterns=["late", "cat"])]),
    Turn(calls=[_call("open", reference_id="turn1search0", line=3)]),
]
_SUMMARIZE = _call("summarize", summary="Third working day, 15 euros.", candidate_reference_ids=["turn1search0"])
_KEYWORDS = Turn(calls=[_call("keyword_search", keywords=["rent", "the cost of being late"], top_k=2)])
_MEANING = Turn(calls=[_call("semantic_search", query="late payment")])
_READ = Turn(calls=[_call("chunk_read", chunk_ids=["turn1search1", "turn1search1+1"])])
_READ_AGAIN = Turn(calls=[_call("chunk_read", chunk_ids=["turn1search2", "24"])])
_FAILED = Turn(calls=[_call("search", query='rent AND "penalty fee"', default_operator="AND")])
_LOGICAL = Turn(calls=[_call("search", query='"late payment" rent', max_results=3)])

_DECISION = {
    "route": "quick",
    "why": "Two facts of one lease.",
    "query": "rent payable late payment cost",
    "filters": {},
}

SCRIPTS: Mapping[str, Sequence[Turn]] = {
    "full": [
        Turn(
            calls=[
                _call("list_documents", query="lease of Ada Byron"),
                _call("search", queries=["rent payable", "late payment"], within=["turn1search1"], type="txt"),
            ]
        ),
        Turn(calls=[_call("read_chunks", references=["turn1search2"]), _call("calculate", expression="950 + 15")]),
        _answer("turn1search2", lines=(" L5", " L6")),
    ],
    "auto": [Turn(json.dumps(_DECISION)), _BY_LINE],
    "short": [Turn("On the third working day of the month [1]. Being late costs 15 euros [1].")],
    "quick": [_BY_LINE],
    "literal": [Turn(calls=[_call("search", queries=["rent payable", "late payment"], mode="keyword")]), _BY_LINE],
    "agentic-rag": [*_AGENTIC, Turn(calls=[_SUMMARIZE]), _FROM_ZERO],
    "agentic-rag-no-summarize": [*_AGENTIC, Turn(calls=[_SUMMARIZE]), _FROM_ZERO],
    "agentic-rag-no-semantic-find": [*_AGENTIC, _FROM_ZERO],
    "agentic-rag-single-query": [Turn(calls=[_call("search", query="rent payable")]), *_AGENTIC[1:], _FROM_ZERO],
    "agentic-rag-single-shot": [_FROM_ZERO],
    "a-rag": [_KEYWORDS, _MEANING, _READ, _READ_AGAIN, _answer("turn1search2")],
    "a-rag-naive": [
        Turn(calls=[_call("naive_embedding_search", query="late payment of rent", top_k=1)]),
        _READ,
        _answer("turn1search1"),
    ],
    "a-rag-no-keyword": [_MEANING, _READ, _answer("turn1search1")],
    "a-rag-no-semantic": [_KEYWORDS, _READ_AGAIN, _answer("turn1search2")],
    "a-rag-no-chunk-read": [_KEYWORDS, _MEANING, _answer("turn1search2")],
    "logical-rag": [PLAN, _FAILED, _LOGICAL, _BY_LINE],
    "logical-rag-no-operators": [PLAN, _FAILED, _LOGICAL, _BY_LINE],
    "logical-rag-syntax-only": [PLAN, _LOGICAL, _BY_LINE],
    "agentic-hybrid": [PLAN, _FAILED, Turn(calls=[_call("search", query="cost of a late payment")]), _BY_LINE],
    "single-shot": [_BY_LINE],
    "direct": [Turn("Usually in advance, at the beginning of the month.")],
    "oracle": [_BY_LINE],
}


def transcript(name: str) -> str:
    """Return the messages that the scripted run of a toolkit sent to its model, and the answer."""
    kit = oracle([GoldPassage(ContentId(1), 5, 6)]) if name == "oracle" else toolkit(name)
    with ScriptedEndpoint(SCRIPTS[name]) as endpoint:
        model = OpenAIChat(Profile("scripted", endpoint.base_url, "scripted"), "")
        fast = model if kit.router else None
        run = answer(Question(QUESTION), Run(kit, model, library(), fast=fast))
        events = list(run)
        text = "\n".join((*_opening(kit), *_requests(endpoint.requests), *_ending(events))) + "\n"
        text = re.sub(rf"{END_OF_DATA.format(code='')}[0-9a-f]{{8}}", END_OF_DATA.format(code="01234567"), text)
        text = re.sub(r"Today is \w+, [\d-]{10}", "Today is Saturday, 2026-01-31", text)
        return text.replace(f"Today: {date.today().isoformat()}", "Today: 2026-01-31")


def _opening(kit: Toolkit) -> Iterator[str]:
    yield f"{kit.name}: {kit.summary}"


def _requests(requests: Sequence[SeenRequest]) -> Iterator[str]:
    told: list[dict[str, Json]] = []
    offered: Json = None
    for number, request in enumerate(requests, 1):
        yield f"\n==== request {number}"
        tools = request.body.get("tools")
        if tools != offered or number == 1:
            yield from _tools(tools)
            offered = tools
        for place, message in enumerate(request.messages):
            if place >= len(told):
                yield from _message(message)
            elif message != told[place]:
                yield f"\n---- message {place + 1} is now"
                yield from _message(message)
        told = request.messages


def _tools(tools: Json) -> Iterator[str]:
    if not isinstance(tools, list) or not tools:
        yield "(no tools)"
        return
    for tool in tools:
        function = tool.get("function") if isinstance(tool, dict) else None
        if isinstance(function, dict):
            yield f"\n---- tool {function['name']}"
            yield textwrap.fill(str(function["description"]), WIDTH)
            yield from _parameters(function["parameters"])


def _parameters(schema: Json) -> Iterator[str]:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required") if isinstance(schema, dict) else None
    for name, told in (properties if isinstance(properties, dict) else {}).items():
        must = " (required)" if isinstance(required, list) and name in required else ""
        text = f"{name}{must}: {json.dumps(told, ensure_ascii=False)}"
        yield textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="    ")


def _message(message: Mapping[str, Json]) -> Iterator[str]:
    yield f"\n---- {message['role']}"
    if message.get("content"):
        yield str(message["content"])
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            yield f"calls {function['name']} {function['arguments']}"


def _ending(events: Sequence[AgentEvent]) -> Iterator[str]:
    for event in events:
        if isinstance(event, LimitReached):
            yield f"\n==== limit: {event.message}"
        if isinstance(event, Routed):
            yield f"\n==== route\n{event.summary}"
        if isinstance(event, Remark):
            yield f"\n==== {event.kind}\n{event.text}"
    last = events[-1]
    yield "\n==== answer"
    if not isinstance(last, Answered):
        yield str(last)
        return
    yield last.text
    for citation in last.citations:
        relevancy = f", relevancy {citation.relevancy}" if citation.relevancy is not None else ""
        lines = f"lines {citation.first_line}–{citation.last_line}"
        yield f"[{citation.number}] {citation.reference} {lines} “{citation.quote}” ({citation.verdict}{relevancy})"


def main() -> None:
    """Rewrite every transcript."""
    FOLDER.mkdir(exist_ok=True)
    for name in SCRIPTS:
        (FOLDER / f"{name}.txt").write_text(transcript(name), encoding="utf-8")


if __name__ == "__main__":
    main()
