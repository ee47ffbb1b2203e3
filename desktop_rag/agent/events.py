"""The events of a run, in order: the one stream that timeline, token meter, transcript, command line and tests read.

Class and field names are the JSON and the format on disk: never rename them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.llm.chat import RetryDelayed, TurnProgress
from desktop_rag.retrieval.query.tree import Filter

BUILT_IN_MODEL = "Built-in (no language model)"


@dataclass(frozen=True, slots=True)
class Source:
    """A passage in a tool result, as the timeline shows it: reference, document and lines."""

    reference: str
    content: ContentId
    title: str
    path: str
    first_line: int
    last_line: int
    page: int | None
    preview: str
    chunk: ChunkId | None = None  # so that a later turn can read on from here
    section: str = ""  # the named part (slide, cells, chapter …) in which it begins
    gives_orders: bool = False  # it seems to give orders to a model


@dataclass(frozen=True, slots=True)
class ContextUse:
    """Tokens in the model's context by kind, and the limit; `estimated` figures are shown with "~".

    `reserve` tokens are kept for the answer; `dropped` counts the tool results that were removed to make room.
    """

    instructions: int
    history: int
    evidence: int
    answer: int
    limit: int
    estimated: bool
    reserve: int = 0
    dropped: int = 0

    @property
    def used(self) -> int:
        """Return the sum of the parts."""
        return self.instructions + self.history + self.evidence + self.answer


Verdict = Literal["verbatim", "paraphrase", "misattributed", "not found"]


@dataclass(frozen=True, slots=True)
class Citation:
    """A numbered citation: lines that the run read, the words relied on, and a copy of the text around them.

    The verdict says only where the words stand; whether they support a statement is a property of the `Claim`.
    """

    number: int
    reference: str
    content: ContentId
    sha256: str
    path: str
    title: str
    format: str
    page: int | None
    first_line: int
    last_line: int
    quote: str
    passage: str  # the cited lines with up to three lines before and after
    passage_first_line: int
    verdict: Verdict
    section: str = ""
    named: str = ""  # if misattributed: the location the model had named
    relevancy: float | None = None  # of the document to the question, on the model's own scale
    columns: str = ""  # of a table row: the header of its table, as it was read


# What is known of a statement, the strongest first; `citations.marks` says how each is told.
# quoted: it stands in the cited lines word for word. read, otherwise, silent: the model, shown these lines again, reads
# it there, reads something else, finds nothing. altered: the lines seem to say otherwise. computed: a figure is the
# result of a sum of theirs. missing: a name or figure is not written there. unchecked: cited, and nothing of that.
# uncited: it names no source. earlier: an earlier version checked it, by other means.
Mark = Literal[
    "quoted", "read", "otherwise", "silent", "altered", "computed", "missing", "unchecked", "uncited", "earlier"
]


@dataclass(frozen=True, slots=True)
class Alteration:
    """Words of a statement where the lines that it cites have others: `found`; empty if a quotation stands nowhere."""

    text: str
    found: str = ""


@dataclass(frozen=True, slots=True)
class Operand:
    """A number of a sum, as written, and the number of the citation whose lines write it."""

    text: str
    citation: int


@dataclass(frozen=True, slots=True)
class Judgment:
    """What the model, asked a second time, finds in the lines that a statement cites, and the words that decide."""

    says: Literal["says", "contradicts", "silent"]
    words: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of an answer, from `start` to `end` in its text, and what is known of it.

    `mark` follows from the other fields (`citations.marks.mark_of`). `missing` are names and figures, as written, that
    the lines of its citations, their row, headings and title do not have; `computed` is the sum of the cited `operands`
    that gives a figure; `nowhere` is what an uncited statement cites where nothing was read ("": it has no name).
    """

    start: int
    end: int
    mark: Mark
    citations: tuple[int, ...] = ()
    altered: Alteration | None = None
    missing: tuple[str, ...] = ()
    computed: str = ""
    operands: tuple[Operand, ...] = ()
    judgment: Judgment | None = None
    nowhere: str | None = None


@dataclass(frozen=True, slots=True)
class Phrasing:
    """A query of a run, its search mode, its number of results, and whether there are further ones."""

    query: str
    mode: str
    found: int
    more: bool = False


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document that a run read, and the number of lines read."""

    path: str
    title: str
    lines: int


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be read fully, and the reason."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """The search report of a run without a supported claim: what it searched and read, and what could not be searched.

    `unmatched` are words and phrases of the queries without a match; `waiting` to `scans` count files; `unread` names
    a few of them; `by_meaning` is the share of sentences with vectors.
    """

    phrasings: tuple[Phrasing, ...]
    unmatched: tuple[str, ...]
    documents: int
    read: tuple[ReadDocument, ...]
    by_meaning: float = 1.0
    waiting: int = 0
    skipped: int = 0
    failed: int = 0
    partial: int = 0
    scans: int = 0
    scan_pages: int = 0
    offline: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    scoped: bool = False  # the search was restricted to a part of the library


@dataclass(frozen=True, slots=True)
class RunUsage:
    """The cost of a whole run; `estimated` if the endpoint did not report it, `money` is None without prices."""

    prompt_tokens: int
    completion_tokens: int
    requests: int
    estimated: bool
    money: float | None = None
    cached: int = 0  # of the prompt tokens
    reasoning: int = 0  # of the completion tokens
    per_second: float = 0.0  # completion tokens of the last request, as the server timed them; 0: unknown

    @property
    def tokens(self) -> int:
        """Return input and output tokens together."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The run started."""

    question: str
    toolkit: str
    model: str
    turn: int

    @property
    def uses_model(self) -> bool:
        """Return whether a language model answers, whose tokens count; a replay without one has no name."""
        return self.model not in ("", BUILT_IN_MODEL)


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A step started: the model is asked for its next action; steps count from 1."""

    step: int
    of: int


@dataclass(frozen=True, slots=True)
class Thought:
    """The next part of the model's visible thinking, or of the plan it states before a tool call."""

    step: int
    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """An action of the run besides thinking and tool calls, or the user's feedback to it; `text` is for the user."""

    step: int
    kind: Literal[
        "plan", "note", "pin", "discard", "more", "extended", "paused", "resumed", "route", "check", "reading"
    ]
    text: str


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """The model called a tool; `summary` is for the user: Searching "rent increase"."""

    step: int
    call_id: str
    name: str
    arguments: str
    summary: str


@dataclass(frozen=True, slots=True)
class ToolReturned:
    """A tool returned; `tokens` is the size of its result in the context; `failed` results are error texts."""

    step: int
    call_id: str
    name: str
    summary: str
    sources: tuple[Source, ...]
    seconds: float
    tokens: int
    failed: bool
    whole: tuple[ChunkId, ...] = ()  # chunks that are now completely in the model's context


@dataclass(frozen=True, slots=True)
class AnswerDelta:
    """The next part of the answer: Markdown with citations as `[1](cite:1)`."""

    text: str


@dataclass(frozen=True, slots=True)
class AnswerRestarted:
    """The streamed text was not the answer but a preamble to tool calls: clear it."""

    step: int


@dataclass(frozen=True, slots=True)
class RetryAnnounced:
    """A request to the model failed (`reason`, a title); it is repeated after `seconds`.

    `asked`: the endpoint asked for that wait, because of a rate limit or while it loads the model.
    """

    step: int
    seconds: float
    reason: str
    asked: bool
    until_ns: int  # when it is repeated


@dataclass(frozen=True, slots=True)
class ModelProgress:
    """The model is loaded or reads the prompt: `done` of `total`, as in `TurnProgress`; it is not stored."""

    step: int
    stage: Literal["loading", "reading", "writing", "proving"]
    done: int
    total: int
    left: float = 0.0


@dataclass(frozen=True, slots=True)
class ContextMeasured:
    """The use of the model's context, the cost of the run so far, and the seconds since its start."""

    context: ContextUse
    usage: RunUsage
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class LimitAsked:
    """The run waits for the user's decision whether to raise a limit by `more`; without one it ends at `until_ns`."""

    step: int
    limit: str
    message: str
    more: int
    until_ns: int


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A limit ended the search; the answer that follows uses the evidence so far.

    `truncated`: the endpoint cut a request off without a word; it is asked again within the window that it has.
    """

    limit: str
    message: str


@dataclass(frozen=True, slots=True)
class AnswerWritten:
    """The answer is complete, and its statements have the marks of the facts: a look at it may add judgments.

    `Answered`, which follows, has all of it; this event passes by, and is not stored.
    """

    text: str
    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """The run is over: the final Markdown and its citations by number; `found` is False for "not found".

    `claims` are the statements of the text in order; `coverage` is the search report if no claim is supported.
    """

    text: str
    citations: tuple[Citation, ...]
    context: ContextUse
    usage: RunUsage
    seconds: float
    steps: int
    found: bool
    claims: tuple[Claim, ...] = ()
    coverage: Coverage | None = None


@dataclass(frozen=True, slots=True)
class RunStopped:
    """The user stopped the run; the text so far is kept."""

    text: str
    citations: tuple[Citation, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class RunFailed:
    """The model or the library failed; title and message are for the user, the partial answer is kept."""

    title: str
    message: str
    text: str
    citations: tuple[Citation, ...]


RunEnd = Answered | RunStopped | RunFailed


def end_of(events: "Sequence[AgentEvent]") -> RunEnd | None:
    """Return how a run ended, None if it did not."""
    return next((event for event in reversed(events) if isinstance(event, RunEnd)), None)


def citations_of(events: "Sequence[AgentEvent]") -> tuple[Citation, ...]:
    """Return the citations of a run's answer."""
    end = end_of(events)
    return end.citations if end else ()


Route = Literal["quick", "agentic", "off-topic"]


@dataclass(frozen=True, slots=True)
class Routed:
    """The question was routed before the run: route and reason, query and filters.

    `by` is the model that decided, empty for rules; `usage` is the cost of that, apart from the run's own.
    """

    route: Route
    why: str
    query: str
    filters: tuple[Filter, ...]
    by: str
    usage: RunUsage
    seconds: float

    @property
    def summary(self) -> str:
        """Return route, reason and filters as text for the user."""
        way = {"quick": "A quick look", "agentic": "A search in steps", "off-topic": "Not about your documents"}
        where = ", ".join(each.text for each in self.filters)
        return f"{way[self.route]}: {self.why}" + (f" Only in: {where}." if where else "")


AgentEvent = (
    RunStarted
    | StepStarted
    | Thought
    | ToolCalled
    | ToolReturned
    | AnswerDelta
    | AnswerRestarted
    | ContextMeasured
    | LimitReached
    | AnswerWritten
    | Answered
    | RunStopped
    | RunFailed
    | Remark
    | Routed
    | RetryAnnounced
    | ModelProgress
    | LimitAsked
)


def waiting(event: RetryDelayed | TurnProgress, step: int) -> RetryAnnounced | ModelProgress:
    """Return the event of the run that tells why a turn has not begun."""
    if isinstance(event, TurnProgress):
        return ModelProgress(step, event.stage, event.done, event.total, event.left)
    return RetryAnnounced(step, event.seconds, event.reason, event.asked, event.until_ns)
