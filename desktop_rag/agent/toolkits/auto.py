"""The routing toolkit: a cheap classification sends each question to one retrieval pass, to steps, or to neither."""

import re
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date

from desktop_rag.agent.events import AgentEvent, Remark, Route, Routed, RunUsage
from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.question import Question
from desktop_rag.agent.small_talk import is_small_talk
from desktop_rag.agent.toolkits.full import full
from desktop_rag.agent.toolkits.toolkit import UNBOUND, AnswerAtOnce, PreparedRun, Run, Toolkit, question_with_passages
from desktop_rag.agent.tools.chunk_passages import ReadChunksTool
from desktop_rag.agent.tools.narrowed_search import FIELDS, NarrowedSearchTool
from desktop_rag.agent.tools.tool import Tool
from desktop_rag.errors import ModelError, QueryError, Stopped
from desktop_rag.llm.chat import (
    ChatModel,
    ChatRequest,
    GivenPassages,
    SystemMessage,
    TokenUsage,
    TurnEnded,
    UserMessage,
)
from desktop_rag.llm.json_value import as_text, object_in
from desktop_rag.retrieval.api import DocumentQuery, Facet
from desktop_rag.retrieval.query.date_ranges import period
from desktop_rag.retrieval.query.tree import DATE_FIELDS, FileField, Filter
from desktop_rag.text.display import shorten

# Routes a question by rules, in a few languages; in doubt it chooses the thorough route.

MAX_QUICK_WORDS = 14  # words of a question for the quick route

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|‘[^’]*’|(?<!\w)'[^']*'(?!\w)")
_WORDS: tuple[tuple[str, str], ...] = (  # why a question needs several steps, and the words that show it
    (
        "It compares",
        r"compar(?:e[ds]?|ison|ing)|versus|vs\.?|differ(?:s|ence|ences|ent)?|better|cheaper|changed?|changes"
        r"|vergleich\w*|unterschied\w*|geändert|besser|différen\w+|diferencia\w*|differenz\w*|confront\w+",
    ),
    (
        "It asks for a whole list or a summary",
        r"list|all|every|each|summar\w+|overview|outline|alle[rsn]?|jede[rsnm]?|liste|zusammenfass\w*|fasse?|überblick"
        r"|tous|toutes|chaque|résum\w+|todos|todas|resum\w+|tutti|tutte|riassum\w+",
    ),
    (
        "It asks for reasons or advice",
        r"why|how (?:do|does|did|can|should|could)|explain|recommend\w*|should|plan|need|warum|weshalb|wieso|erkläre?"
        r"|sollte[nst]*|brauche|pourquoi|expli\w+|por qué|perché|perche",
    ),
    (
        "It has several parts",
        r"and (?:who|what|when|where|which|how|why|did|does|is|was|were)|who .{3,60} (?:who|that|which)"
        r"|und (?:wer|was|wann|wo|welche\w*|wie|warum)|as well as|sowohl|et (?:qui|que|quand|où|comment)",
    ),
    ("It needs a calculation", r"total|sum|average|per ?cent\w*|calculate|insgesamt|summe|durchschnitt\w*|berechne\w*"),
)
_STEPS = tuple((why, re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)) for why, words in _WORDS)
_TYPES = "pdf docx doc xlsx xls pptx ppt odt ods md txt html csv epub eml msg py"
_KINDS = {"word": "docx", "excel": "xlsx", "powerpoint": "pptx", "markdown": "md", "spreadsheets": "xlsx"}
_TYPE = re.compile(
    rf"\b(?:in|from|only|aus|dans|en)\s+(?:the\s+|my\s+|den\s+|les\s+)?({'|'.join((*_TYPES.split(), *_KINDS))})s?\b"
    rf"(?:[ -]?(?:files?|documents?|dateien?|fichiers?))?(?=\s|[?.,!]|$)",
    re.IGNORECASE,
)
_FOLDER = re.compile(
    r"\b(?:in|from|aus|dans)\s+(?:the\s+|my\s+|dem\s+|le\s+)?(?:folder|ordner|dossier)\s+"
    r"[\"“„«]?([\w .-]{1,60}?)[\"”“»]?(?=[?.,!]|\s+(?:is|are|was|what|who|how)\b|$)",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:changed|modified|edited|saved|geändert|bearbeitet)\s+(?:in\s+|on\s+|since\s+)?"
    r"(today|yesterday|(?:this|last) (?:week|month|quarter|year)|\d{4}(?:-\d{2}){0,2})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class RouteGuess:
    """The route of a question, the reason, the query, and the filters it states."""

    route: Route
    why: str
    query: str
    filters: tuple[Filter, ...] = ()


def route_by_rules(question: str) -> RouteGuess:
    """Route a question by its words."""
    text = " ".join(question.split())
    if not any(letter.isalnum() for letter in text) or is_small_talk(text):
        return RouteGuess("off-topic", "It asks nothing about documents.", text)
    query, filters = _split_filters(text)
    asked = _QUOTED.sub(" ", query)
    if why := next((why for why, words in _STEPS if words.search(asked)), ""):
        return RouteGuess("agentic", f"{why}.", query, filters)
    if asked.count("?") > 1:
        return RouteGuess("agentic", "It asks several questions.", query, filters)
    if len(query.split()) > MAX_QUICK_WORDS:
        return RouteGuess("agentic", "It is a long question.", query, filters)
    return RouteGuess("quick", "It is a short question about one thing.", query, filters)


def _split_filters(text: str) -> tuple[str, tuple[Filter, ...]]:
    """Split a question into the query and the file filters it states."""
    filters: list[Filter] = []
    query = text
    for pattern, field in ((_TYPE, FileField.EXT), (_FOLDER, FileField.FOLDER), (_CHANGED, FileField.MODIFIED)):
        found = pattern.search(query)
        if not found:
            continue
        value = found[1].strip().lower() if field is not FileField.FOLDER else found[1].strip()
        if field is FileField.MODIFIED and period(value, date.today()) is None:
            continue
        filters.append(Filter(field, _KINDS.get(value, value)))
        query = f"{query[: found.start()]} {query[found.end() :]}"
    query = re.sub(r"\s+([?.!,])", r"\1", " ".join(query.split()))
    return query if any(letter.isalnum() for letter in query) else text, tuple(filters)


# Routes a question before the run: to one retrieval pass, to an agentic search, or off topic.
#
# A cheap model classifies the question if there is one; rules are the fallback if it fails or times out.

TIMEOUT = 8.0  # seconds for a decision that should take one
MAX_OUTPUT = 1_024  # tokens: some models think before they decide
FACET_VALUES = 8  # facet values of each kind shown to the model
NO_USAGE = RunUsage(0, 0, 0, estimated=False)
_ROUTES: Mapping[str, Route] = {"quick": "quick", "agentic": "agentic", "off-topic": "off-topic"}
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class RouteDecision:
    """The route, the model that decided (empty for rules), its cost, and the reason for a fallback."""

    guess: RouteGuess
    by: str = ""
    usage: RunUsage = NO_USAGE
    fallback: str = ""  # why rules decided instead of the model


@dataclass(frozen=True, slots=True)
class QuestionRouter:
    """Routes a question to one of three toolkits, which are made for its query."""

    toolkits: Mapping[Route, Callable[[str], Toolkit]]
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
        return replace(question, filters=(*question.filters, *filters)), self.toolkits[found.route](query)

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


CALLS, SECONDS = 5, 30  # limits of the agentic route, as in the paper (section 6)
READ = 6  # passages of the quick route
SHARE = 0.6  # of the context, for these passages

_NAME = "auto"
_SUMMARY = "Sorts each question first: a quick look for simple ones, a search in steps for the others."


@dataclass(frozen=True, slots=True)
class QuickLook:
    """One retrieval pass: a hybrid search, then the best passages as a whole."""

    query: str = ""  # besides the question

    def prepare(self, steps: PreparedRun) -> Generator[AgentEvent, None, bool]:
        """Search, read, and put the passages before the question."""
        question = steps.question.text
        queries = list(dict.fromkeys((shorten(self.query or question, 300), shorten(question, 300))))
        found = yield from steps.call("search", {"queries": queries, "limit": READ + 2})
        names = list(dict.fromkeys(evidence.reference for evidence in found.evidence))[:READ]
        read = (yield from steps.call("read_chunks", {"references": names})) if names else found
        steps.replace_question(question_with_passages(GivenPassages(question), read.text, read.evidence))
        return False


def auto() -> Toolkit:
    """Return the router to a quick look, the default toolkit with tight limits, or no search at all."""
    return Toolkit(
        _NAME,
        _SUMMARY,
        (),
        load_prompt("full"),
        router=QuestionRouter({"quick": _quick, "agentic": _agentic, "off-topic": _off_topic}),
        short="small",
        needs_library=False,
    )


def quick() -> Toolkit:
    """Return the quick look by itself: one search, one answer."""
    return Toolkit(
        "quick",
        "One search, and one answer from the best passages it brings: fast and cheap.",
        (),
        load_prompt("passages"),
        result_share=SHARE,
        pre_step=QuickLook(),
        pre_step_tools=_looking(),
        short="small",
    )


def _quick(query: str) -> Toolkit:
    return replace(quick(), name=_NAME, summary=_SUMMARY, pre_step=QuickLook(query), thorough=_agentic(query))


def _agentic(query: str) -> Toolkit:
    whole = full()
    limits = replace(UNBOUND, tool_calls=CALLS, seconds=SECONDS)
    hint = f"\n\nA good first query: “{shorten(query, 200)}”."
    prompt = whole.prompt + hint
    return replace(whole, name=_NAME, summary=_SUMMARY, limits=limits, prompt=prompt)


def _off_topic(_query: str) -> Toolkit:
    return Toolkit(
        *(_NAME, _SUMMARY, (), load_prompt("off-topic")),
        pre_step=AnswerAtOnce(),
        pre_step_tools=_looking(),  # a written call of one is no answer
        needs_library=False,
    )


def _looking() -> tuple[Tool, ...]:
    return NarrowedSearchTool(), ReadChunksTool()
