"""Runs one question through the agent loop and extracts a record of its searches, passages, citations and cost."""

import json
import re
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import msgspec

from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    Citation,
    ContextMeasured,
    LimitReached,
    Remark,
    RunFailed,
    RunStopped,
    Source,
    StepStarted,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.agent.extractive.answer import split_notes
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.baselines import oracle
from desktop_rag.agent.toolkits.registry import ORACLE, toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.agent.tools.gold_passages import GoldPassage
from desktop_rag.errors import Stopped
from desktop_rag.evaluation.qa.gold_evidence import EngineWithoutEvidence, GoldEvidence, locate
from desktop_rag.evaluation.qa.question_records import Cited, Opened, QaSystem, Record, RecordedSearch
from desktop_rag.evaluation.qa.question_sets import QaQuestion
from desktop_rag.llm.chat import ChatModel
from desktop_rag.settings import Limits
from desktop_rag.stop import Stop

FIRST_LINES = 200  # of a passage; evidence there is read soon after opening
_LINK = re.compile(r" ?\[\d+\]\(cite:\d+\)")
_QUERIES = ("queries", "query", "q", "keywords", "search_query")


@dataclass(frozen=True, slots=True)
class QuestionRun:
    """The record of a question, and all events of its run."""

    record: Record
    events: tuple[AgentEvent, ...]


def ask(
    question: QaQuestion, system: QaSystem, model: ChatModel, limits: Limits, engine: EngineWithoutEvidence, stop: Stop
) -> QuestionRun:
    """Run a question to its end; raises `Stopped`."""
    engine.hidden = frozenset()
    evidence = locate(question, engine, stop)
    if system.without_gold:
        engine.hidden = evidence.contents
    run_limits = replace(limits, steps=system.steps or limits.steps)
    chosen = oracle(_gold_passages(evidence)) if system.toolkit == ORACLE else toolkit(system.toolkit)
    run = answer(Question(question.text), Run(chosen, model, engine, stop, run_limits))
    began, first_words, events = time.monotonic(), 0.0, list[AgentEvent]()
    with closing(run) as running:
        for event in running:
            events.append(event)
            if isinstance(event, AnswerRestarted):
                first_words = 0.0
            elif isinstance(event, AnswerDelta) and not first_words:
                first_words = time.monotonic() - began
    if events and isinstance(events[-1], RunStopped):
        raise Stopped
    record = msgspec.structs.replace(record_of(question, events, evidence), first_words=round(first_words, 3))
    return QuestionRun(record, tuple(events))


def _gold_passages(evidence: GoldEvidence) -> tuple[GoldPassage, ...]:
    return tuple(GoldPassage(each.content, each.first_line, each.last_line) for each in evidence.places if each)


def record_of(question: QaQuestion, events: Sequence[AgentEvent], evidence: GoldEvidence) -> Record:
    """Return the record of a run."""
    calls = [event for event in events if isinstance(event, ToolCalled)]
    returned = [event for event in events if isinstance(event, ToolReturned)]
    answered = next((event for event in events if isinstance(event, Answered)), None)
    failed = next((event for event in events if isinstance(event, RunFailed)), None)
    measured = [event for event in events if isinstance(event, ContextMeasured)]
    usage = answered.usage if answered else measured[-1].usage if measured else None
    limits = [event.limit for event in events if isinstance(event, LimitReached)]
    ended = answered or failed
    return Record(
        question=question.id,
        text=_LINK.sub("", _without_notes(ended.text)).strip() if ended else "",
        found=answered.found if answered else False,
        error="" if answered else f"{failed.title}: {failed.message}" if failed else "The run ended without an answer.",
        limit=limits[0] if limits else "",
        citations=tuple(_cited(citation, evidence) for citation in (ended.citations if ended else ())),
        searches=tuple(_search(event, _queries(calls, event), evidence) for event in returned if searches(event.name)),
        opened=tuple(_opened(source, evidence) for event in returned for source in opened_by(event)),
        calls=dict(Counter(call.name for call in calls)),
        steps=max((event.step for event in events if isinstance(event, StepStarted)), default=0),
        retrieved_tokens=sum(event.tokens for event in returned),
        prompt_tokens=usage.prompt_tokens if usage else 0,
        completion_tokens=usage.completion_tokens if usage else 0,
        estimated=usage.estimated if usage else True,
        seconds=round(answered.seconds, 3) if answered else 0.0,
        missing=evidence.missing,
        plan=tuple(line for event in events if isinstance(event, Remark) for line in _planned(event)),
        repairs=sum(isinstance(event, Remark) and event.kind == "check" for event in events),
        repair_tokens=_repair_tokens(events),
    )


def _repair_tokens(events: Sequence[AgentEvent]) -> int:
    """Return the tokens spent after the check of the answer."""
    spent = [0, 0]  # before and after the check
    checked = False
    for event in events:
        checked = checked or (isinstance(event, Remark) and event.kind == "check")
        if isinstance(event, ContextMeasured):
            spent[checked] = event.usage.tokens
    return max(spent[1] - spent[0], 0)


def _without_notes(text: str) -> str:
    """Return an answer without the built-in model's notes: "No language model wrote this" answers no question."""
    return "".join(part for part, note in split_notes(text) if not note)


def _planned(event: Remark) -> list[str]:
    return [line.strip() for line in event.text.splitlines() if line.strip()] if event.kind == "plan" else []


def searches(tool: str) -> bool:
    """Return whether a tool searches the library; its results count as found, not as read."""
    return "search" in tool


def opened_by(event: ToolReturned) -> tuple[Source, ...]:
    """Return the passages that a call gave the model to read; for a search, those returned in full."""
    if event.name.startswith("list"):
        return ()
    if searches(event.name):
        return tuple(source for source in event.sources if source.chunk in event.whole)
    return event.sources


def _search(event: ToolReturned, queries: str, evidence: GoldEvidence) -> RecordedSearch:
    results = tuple(f"{source.content}:{source.chunk or source.first_line}" for source in event.sources)
    gold = {number for source in event.sources for number in _of_chunk(source, evidence)}
    return RecordedSearch(event.step, queries, results, tuple(sorted(gold)))


def _of_chunk(source: Source, evidence: GoldEvidence) -> tuple[int, ...]:
    return evidence.within(source.content, source.first_line, source.last_line)


def _opened(source: Source, evidence: GoldEvidence) -> Opened:
    gold = evidence.within(source.content, source.first_line, source.last_line)
    soon = evidence.within(
        source.content, source.first_line, min(source.last_line, source.first_line + FIRST_LINES - 1)
    )
    return Opened(source.path, source.first_line, source.last_line, gold, evidence.documents(source.content), soon)


def _cited(citation: Citation, evidence: GoldEvidence) -> Cited:
    gold = evidence.within(citation.content, citation.first_line, citation.last_line)
    return Cited(citation.path, citation.verdict, citation.relevancy or 0.0, gold, evidence.documents(citation.content))


def _queries(calls: Sequence[ToolCalled], event: ToolReturned) -> str:
    """Return the queries of a search call, joined by “ | ”."""
    text = next((call.arguments for call in calls if call.call_id == event.call_id), "")
    try:
        arguments: object = json.loads(text)
    except ValueError:
        return text
    if not isinstance(arguments, dict):
        return str(arguments)
    found = [arguments[name] for name in _QUERIES if name in arguments]
    queries = [str(query) for value in found for query in (value if isinstance(value, list) else [value])]
    return " | ".join(queries) or text
