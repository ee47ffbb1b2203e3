"""Sorts a question before the work begins: a quick look, a search in steps, or nothing to do with the documents.

A cheap model decides where there is one; rules decide without it, and when it fails or takes too long.
"""

import json
import re
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date

from desktop_rag.agent.events import AgentEvent, Remark, Route, Routed, RunUsage
from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.toolkits.route_rules import RouteGuess, by_rules
from desktop_rag.agent.toolkits.toolkit import Task, Toolkit
from desktop_rag.agent.tools.document_filter import FIELDS
from desktop_rag.errors import ModelError, QueryError, Stopped
from desktop_rag.llm.chat import ChatModel, ChatRequest, SystemMessage, TokenUsage, TurnEnded, UserMessage
from desktop_rag.retrieval.api import DocumentQuery, Facet, Filter
from desktop_rag.retrieval.query.date_ranges import period
from desktop_rag.retrieval.query.tree import FileField
from desktop_rag.stop import Stop
from desktop_rag.text.display import shorten

PATIENCE = 8.0  # seconds for a decision that should take one
OUTPUT = 1_024  # tokens: some models think before they decide
SHOWN = 8  # values of each kind the model is told of
NOTHING = RunUsage(0, 0, 0, estimated=False)
_ROUTES: Mapping[str, Route] = {"quick": "quick", "agentic": "agentic", "off-topic": "off-topic"}
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class RouteToolkits:
    """What makes the toolkit for each way a question may take, from the question as the search should see it."""

    quick: Callable[[str], Toolkit]
    agentic: Callable[[str], Toolkit]
    off_topic: Callable[[str], Toolkit]

    def of(self, route: Route, query: str) -> Toolkit:
        """Return the toolkit for a way."""
        match route:
            case "quick":
                return self.quick(query)
            case "agentic":
                return self.agentic(query)
            case "off-topic":
                return self.off_topic(query)


@dataclass(frozen=True, slots=True)
class RouteDecision:
    """What was decided, by whom, and at what cost."""

    sorted: RouteGuess
    by: str = ""
    usage: RunUsage = NOTHING
    fallback: str = ""  # why rules had to decide in place of the model


@dataclass(frozen=True, slots=True)
class QuestionRouter:
    """Sorts a question and hands it over to the toolkit for its way."""

    ways: RouteToolkits
    patience: float = PATIENCE

    def route(self, task: Task) -> Generator[AgentEvent, None, Task]:
        """Say which way the question takes and why; return the task to carry out."""
        started = time.monotonic()
        decided = self._decide(task)
        if decided.fallback:
            yield Remark(0, "route", decided.fallback)
        found = decided.sorted
        filters = _usable(found.filters, task) if found.route != "off-topic" else ()
        query = found.query.strip() or task.question
        yield Routed(found.route, found.why, query, filters, decided.by, decided.usage, time.monotonic() - started)
        return replace(task, toolkit=self.ways.of(found.route, query), filters=(*task.filters, *filters))

    def _decide(self, task: Task) -> RouteDecision:
        ruled = by_rules(task.question)
        if task.fast is None:
            return RouteDecision(ruled)
        try:
            return _by_model(task.fast, task, self.patience)
        except Stopped:
            task.stop.check()  # the person stopped, or else patience ended
            reason = f"took more than {self.patience:g} seconds to sort the question"
        except ModelError as error:
            reason = f"could not sort the question ({error})"
        except ValueError:
            reason = "gave no decision that could be read"
        return RouteDecision(ruled, fallback=f"{task.fast.name} {reason}. Rules decided instead.")


def _by_model(model: ChatModel, task: Task, patience: float) -> RouteDecision:
    """Ask the model; raises `ModelError`, `ValueError` for an answer that is none, `Stopped` when patience ends."""
    patient = Stop()
    timer = threading.Timer(patience, patient.set)
    with task.stop.interrupting(patient.set):
        timer.start()
        try:
            messages = (SystemMessage(load_prompt("classify")), UserMessage(_described(task, patient)))
            with closing(model.chat(ChatRequest(messages, max_tokens=OUTPUT), patient)) as events:
                ended = next((event for event in events if isinstance(event, TurnEnded)), None)
        finally:
            timer.cancel()
    if ended is None:
        raise ModelError("It said nothing.")
    return RouteDecision(_read(ended.message.text, task.question), model.name, _usage(ended.usage))


def _described(task: Task, stop: Stop) -> str:
    """Lay out what the model needs to decide: what the library holds, what was asked before, and the question."""
    facets = task.retriever.documents(DocumentQuery(scope=task.scope, filters=task.filters, limit=0), stop).facets
    lines = [f"The library: {facets.documents:,} documents."]
    for name, values in (("types", facets.types), ("folders", facets.folders), ("authors", facets.authors)):
        if values:
            lines.append(f"{name}: {_values(values)}")
    if task.conversation.turns:
        lines.append(f"Asked before: {shorten(task.conversation.turns[-1].question, 300)}")
    lines.append(f"Today: {date.today().isoformat()}")
    return "\n".join((*lines, f"Question: {task.question}"))


def _values(values: tuple[Facet, ...]) -> str:
    return ", ".join(f"{shorten(value.label, 40)} ({value.count})" for value in values[:SHOWN])


def _read(text: str, question: str) -> RouteGuess:
    """Return what a model decided; raises `ValueError` if that cannot be read."""
    found = _OBJECT.search(text)
    value: object = json.loads(found[0]) if found else None
    if not isinstance(value, dict) or value.get("route") not in _ROUTES:
        raise ValueError(text)
    told = value.get("filters")
    filters = tuple(
        Filter(FIELDS[name], text.strip())
        for name, text in (told.items() if isinstance(told, dict) else ())
        if name in FIELDS and isinstance(text, str) and text.strip()
    )
    query = value.get("query")
    why = value.get("why")
    return RouteGuess(
        _ROUTES[str(value["route"])],
        shorten(why if isinstance(why, str) and why.strip() else "The model gave no reason.", 200),
        shorten(query, 300) if isinstance(query, str) and query.strip() else question,
        filters,
    )


def _usable(filters: tuple[Filter, ...], task: Task) -> tuple[Filter, ...]:
    """Return the filters that leave something to search, and that the person has not chosen otherwise."""
    taken = {each.field for each in task.filters} | {each.field for each in task.unwanted}
    kept: list[Filter] = []
    for each in filters:
        wanted = replace(each, text=each.text.lstrip("*.").lower()) if each.field is FileField.EXT else each
        if wanted.field in taken or (each.field is FileField.MODIFIED and period(each.text, date.today()) is None):
            continue
        together = (*task.filters, *kept, wanted)
        try:
            left = task.retriever.documents(DocumentQuery(scope=task.scope, filters=together, limit=1), task.stop)
        except QueryError:
            continue
        if left.total:
            kept.append(wanted)
    return tuple(kept)


def _usage(usage: TokenUsage) -> RunUsage:
    return RunUsage(usage.prompt, usage.completion, 1, estimated=usage.estimated)
