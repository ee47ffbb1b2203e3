"""Routes a question before the run: to one retrieval pass, to an agentic search, or off topic.

A cheap model classifies the question if there is one; rules are the fallback if it fails or times out.
"""

import re
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date

from desktop_rag.agent.events import AgentEvent, Remark, Route, Routed, RunUsage
from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.question import Question
from desktop_rag.agent.toolkits.route_rules import RouteGuess, route_by_rules
from desktop_rag.agent.toolkits.toolkit import Run, Toolkit
from desktop_rag.agent.tools.document_filter import FIELDS
from desktop_rag.errors import ModelError, QueryError, Stopped
from desktop_rag.llm.chat import ChatModel, ChatRequest, SystemMessage, TokenUsage, TurnEnded, UserMessage
from desktop_rag.llm.json_value import as_text, object_in
from desktop_rag.retrieval.api import DocumentQuery, Facet, Filter
from desktop_rag.retrieval.query.date_ranges import period
from desktop_rag.retrieval.query.tree import DATE_FIELDS, FileField
from desktop_rag.text.display import shorten

TIMEOUT = 8.0  # seconds for a decision that should take one
MAX_OUTPUT = 1_024  # tokens: some models think before they decide
FACET_VALUES = 8  # facet values of each kind shown to the model
NO_USAGE = RunUsage(0, 0, 0, estimated=False)
_ROUTES: Mapping[str, Route] = {"quick": "quick", "agentic": "agentic", "off-topic": "off-topic"}
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class RouteToolkits:
    """The factory of each route's toolkit, called with the query."""

    quick: Callable[[str], Toolkit]
    agentic: Callable[[str], Toolkit]
    off_topic: Callable[[str], Toolkit]

    def of(self, route: Route, query: str) -> Toolkit:
        """Return the toolkit of a route."""
        match route:
            case "quick":
                return self.quick(query)
            case "agentic":
                return self.agentic(query)
            case "off-topic":
                return self.off_topic(query)


@dataclass(frozen=True, slots=True)
class RouteDecision:
    """The route, the model that decided (empty for rules), its cost, and the reason for a fallback."""

    guess: RouteGuess
    by: str = ""
    usage: RunUsage = NO_USAGE
    fallback: str = ""  # why rules decided instead of the model


@dataclass(frozen=True, slots=True)
class QuestionRouter:
    """Routes a question to one of three toolkits."""

    toolkits: RouteToolkits
    timeout: float = TIMEOUT

    def route(self, question: Question, run: Run) -> Generator[AgentEvent, None, tuple[Question, Toolkit]]:
        """Report the route and the reason; return the question with the filters it states, and the toolkit."""
        started = time.monotonic()
        decided = self._decide(question, run)
        if decided.fallback:
            yield Remark(0, "route", decided.fallback)
        found = decided.guess
        filters = _applicable(found.filters, question, run) if found.route != "off-topic" else ()
        query = found.query.strip() or question.text
        yield Routed(found.route, found.why, query, filters, decided.by, decided.usage, time.monotonic() - started)
        return replace(question, filters=(*question.filters, *filters)), self.toolkits.of(found.route, query)

    def _decide(self, question: Question, run: Run) -> RouteDecision:
        ruled = route_by_rules(question.text)
        if run.fast is None:
            return RouteDecision(ruled)
        try:
            return _route_by_model(run.fast, question, run, self.timeout)
        except Stopped:
            run.stop.check()  # the user stopped the run; otherwise the timeout did
            reason = f"took more than {self.timeout:g} seconds to classify the question"
        except ModelError as error:
            reason = f"could not classify the question ({error})"
        except ValueError:
            reason = "returned no readable decision"
        return RouteDecision(ruled, fallback=f"{run.fast.name} {reason}. Rules decided instead.")


def _route_by_model(model: ChatModel, question: Question, run: Run, timeout: float) -> RouteDecision:
    """Ask the model; raises `ModelError`, `ValueError` for an unreadable answer, `Stopped` on timeout."""
    messages = (SystemMessage(load_prompt("classify")), UserMessage(_classification_input(question, run)))
    until = time.monotonic() + timeout  # after the library was opened and read: only the model is timed
    with (
        run.stop.within(lambda: until - time.monotonic()) as expiring,
        closing(model.chat(ChatRequest(messages, max_tokens=MAX_OUTPUT), expiring)) as events,
    ):
        ended = next((event for event in events if isinstance(event, TurnEnded)), None)
    if ended is None:
        raise ModelError("It sent no answer.")
    return RouteDecision(_read(ended.message.text, question.text), model.name, _usage(ended.usage))


def _classification_input(question: Question, run: Run) -> str:
    """Return the model's input: the library's facets, the previous question, and the question."""
    every = DocumentQuery(scope=question.scope, filters=question.filters, limit=0, with_facets=True)
    facets = run.retriever.documents(every, run.stop).facets
    lines = [f"The library: {facets.documents:,} documents."]
    for name, values in (("types", facets.types), ("folders", facets.folders), ("authors", facets.authors)):
        if values:
            lines.append(f"{name}: {_values(values)}")
    if question.conversation.turns:
        lines.append(f"Asked before: {shorten(question.conversation.turns[-1].question, 300)}")
    lines.append(f"Today: {date.today().isoformat()}")
    return "\n".join((*lines, f"Question: {question.text}"))


def _values(values: tuple[Facet, ...]) -> str:
    return ", ".join(f"{shorten(value.label, 40)} ({value.count})" for value in values[:FACET_VALUES])


def _read(text: str, question: str) -> RouteGuess:
    """Parse a model's decision; raises `ValueError`."""
    found = _OBJECT.search(text)
    value = object_in(found[0]) if found else {}
    route = as_text(value.get("route"))
    if route not in _ROUTES:
        raise ValueError(text)
    stated = value.get("filters")
    filters = tuple(
        Filter(FIELDS[name], text.strip())
        for name, text in (stated.items() if isinstance(stated, dict) else ())
        if name in FIELDS and isinstance(text, str) and text.strip()
    )
    query = value.get("query")
    why = value.get("why")
    return RouteGuess(
        _ROUTES[route],
        shorten(why if isinstance(why, str) and why.strip() else "The model gave no reason.", 200),
        shorten(query, 300) if isinstance(query, str) and query.strip() else question,
        filters,
    )


def _applicable(filters: tuple[Filter, ...], question: Question, run: Run) -> tuple[Filter, ...]:
    """Return the filters that match documents and do not conflict with the user's own."""
    used = {each.field for each in (*question.filters, *question.unwanted)}
    kept: list[Filter] = []
    for each in filters:
        wanted = replace(each, text=each.text.lstrip("*.").lower()) if each.field is FileField.EXT else each
        if wanted.field in used or (each.field in DATE_FIELDS and period(each.text, date.today()) is None):
            continue
        together = (*question.filters, *kept, wanted)
        try:
            asked = DocumentQuery(scope=question.scope, filters=together, limit=1)
            left = run.retriever.documents(asked, run.stop)
        except QueryError:
            continue
        if left.total:
            kept.append(wanted)
    return tuple(kept)


def _usage(usage: TokenUsage) -> RunUsage:
    return RunUsage(usage.prompt, usage.completion, 1, estimated=usage.estimated)
