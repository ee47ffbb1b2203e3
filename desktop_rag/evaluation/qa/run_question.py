"""Runs one question through the agent loop and extracts a record of its searches, passages, citations and cost."""

import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

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
from desktop_rag.evaluation.qa.question_records import Cited, Opened, QaSystem, Record, RecordedSearch
from desktop_rag.evaluation.qa.question_sets import Gold, QaQuestion
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import ChatModel
from desktop_rag.retrieval.api import ClauseCount, DocumentList, DocumentQuery, Retriever, SearchRequest, SearchResult
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits
from desktop_rag.stop import Stop

# The gold evidence of a question located in the library, and an engine that hides it.

LAST = 1 << 40  # a line beyond every document's end


@dataclass(frozen=True, slots=True)
class GoldPlace:
    """Lines of a content that are gold evidence."""

    content: ContentId
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class GoldEvidence:
    """The gold evidence of one question, by its number; None where the library does not have it."""

    places: tuple[GoldPlace | None, ...]

    def within(self, content: ContentId, first_line: int, last_line: int) -> tuple[int, ...]:
        """Return the numbers of the evidence that overlaps these lines."""
        return tuple(
            number
            for number, place in enumerate(self.places)
            if place and place.content == content and place.first_line <= last_line and first_line <= place.last_line
        )

    def documents(self, content: ContentId) -> tuple[int, ...]:
        """Return the numbers of the evidence anywhere in a content."""
        return self.within(content, 1, LAST)

    @property
    def missing(self) -> tuple[int, ...]:
        """The numbers of the evidence that the library does not have."""
        return tuple(number for number, place in enumerate(self.places) if place is None)

    @property
    def contents(self) -> frozenset[ContentId]:
        """The contents with any of the evidence."""
        return frozenset(place.content for place in self.places if place)


def locate(question: QaQuestion, retriever: Retriever, stop: Stop) -> GoldEvidence:
    """Locate the evidence of a question in the library, by the hashes of its files."""
    return GoldEvidence(tuple(_place(gold, retriever, stop) for gold in question.gold))


def _place(gold: Gold, retriever: Retriever, stop: Stop) -> GoldPlace | None:
    card = retriever.lookup(_sha256(gold.file), gold.file, stop)
    if card is None or not card.lines:
        return None
    if gold.first_line:
        return GoldPlace(card.content, gold.first_line, gold.last_line)
    if not gold.page:
        return GoldPlace(card.content, 1, LAST)
    pages = retriever.layout(card.content, stop).pages
    at = next((index for index, page in enumerate(pages) if page.number == gold.page), None)
    if at is None:
        return None
    last = pages[at + 1].first_line - 1 if at + 1 < len(pages) else LAST
    return GoldPlace(card.content, pages[at].first_line, last)


@lru_cache(maxsize=4096)
def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


class EngineWithoutEvidence(SearchEngine):
    """An engine that hides some contents: no search or list returns them, so the agent cannot open them."""

    hidden: frozenset[ContentId] = frozenset()

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        """Search for more hits and drop the hidden ones."""
        if not self.hidden:
            return super().search(request, stop)
        more = (request.per_file or request.limit) * len(self.hidden)  # at most this many hits are hidden
        result = super().search(replace(request, limit=request.limit + more), stop)
        left = [hit for hit in result.hits if hit.content not in self.hidden][: request.limit]
        return replace(result, hits=tuple(replace(hit, rank=rank) for rank, hit in enumerate(left, 1)))

    def clauses(self, request: SearchRequest, stop: Stop) -> tuple[ClauseCount, ...]:
        """Count the visible documents."""
        counted = super().clauses(request, stop)
        catalog = self._catalog()
        if not self.hidden or catalog is None:
            return counted
        left = catalog.files.visible_contents(request.scope.folders) - self.hidden
        if request.scope.contents:
            left &= frozenset(request.scope.contents)
        if not left:
            return tuple(replace(clause, documents=0) for clause in counted)
        return super().clauses(replace(request, scope=replace(request.scope, contents=tuple(left))), stop)

    def documents(self, query: DocumentQuery, stop: Stop) -> DocumentList:
        """List the visible documents."""
        found = super().documents(query, stop)
        left = [at for at, card in enumerate(found.cards) if card.content not in self.hidden]
        hidden = len(found.cards) - len(left)
        cards = tuple(found.cards[at] for at in left)
        fits = tuple(found.fits[at] for at in left if at < len(found.fits))
        return replace(found, total=found.total - hidden, cards=cards, fits=fits)


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
