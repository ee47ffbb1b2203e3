"""What a run says while it works, in the order it happens.

The timeline, the token meter, the stored transcript, the command line and the tests all read this one stream.
"""

from dataclasses import dataclass
from typing import Literal

from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import Filter


@dataclass(frozen=True, slots=True)
class Source:
    """One thing a tool brought back, as the timeline shows it: a reference, its document and its lines."""

    reference: str
    content: ContentId
    title: str
    path: str
    first_line: int
    last_line: int
    page: int | None
    preview: str
    chunk: ChunkId | None = None  # lets a later turn read on from here
    section: str = ""  # the named part (slide, cells, chapter …) where it begins


@dataclass(frozen=True, slots=True)
class ContextUse:
    """Tokens in the model's context by what they are, against the limit; `estimated` figures are shown with "~"."""

    instructions: int
    history: int
    evidence: int
    answer: int
    limit: int
    estimated: bool

    @property
    def used(self) -> int:
        """Return the sum of the parts."""
        return self.instructions + self.history + self.evidence + self.answer


Verdict = Literal["verbatim", "paraphrase", "misattributed", "not found"]


@dataclass(frozen=True, slots=True)
class Citation:
    """A numbered claim's source: lines the run read, the words relied on, and the text around them as it was."""

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
    missing: tuple[str, ...] = ()  # figures of the claim that the cited lines do not hold: why it is "not found"
    named: str = ""  # of a misattributed one: the place the model had named
    relevancy: float | None = None  # how much the document has to do with the question, by the model's own scale


ClaimStanding = Literal["verified", "corrected", "unverified", "uncited"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of an answer, from `start` to `end` in its text, and how its citations (by number) bear it out.

    Corrected: its words stand elsewhere than the model said, and the citation leads there. Uncited: it names no source.
    """

    start: int
    end: int
    standing: ClaimStanding
    citations: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Phrasing:
    """A query of a run, how it was searched, and how many passages came of it."""

    query: str
    mode: str
    found: int


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document a run looked into, and how many lines of it."""

    path: str
    title: str
    lines: int


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be read, or only in part, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far a run looked that found nothing: what it searched and read, and what of the library nobody could see.

    `unmatched` are words and phrases of the queries that stand nowhere; `waiting` to `scans` count files; `unread`
    names a few of them; `by_meaning` is the share of sentences that search by meaning knew.
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
    scoped: bool = False  # only a part of the library was to be searched


@dataclass(frozen=True, slots=True)
class RunUsage:
    """What a whole run cost; `estimated` when the endpoint did not count for us."""

    prompt_tokens: int
    completion_tokens: int
    requests: int
    estimated: bool


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The question was taken up."""

    question: str
    toolkit: str
    model: str
    turn: int


@dataclass(frozen=True, slots=True)
class StepStarted:
    """The model is asked for its next move; steps count from 1."""

    step: int
    of: int


@dataclass(frozen=True, slots=True)
class Thought:
    """The next piece of the model's visible thinking, or of the plan it states before calling a tool."""

    step: int
    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """Something the run does beside thinking and calling tools, or that the person told it; `text` is for a person."""

    step: int
    kind: Literal["plan", "note", "pin", "discard", "more", "extended", "paused", "resumed", "route", "check"]
    text: str


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """The model asked for a tool; `summary` says it for a person: Searching "rent increase"."""

    step: int
    call_id: str
    name: str
    arguments: str
    summary: str


@dataclass(frozen=True, slots=True)
class ToolReturned:
    """A tool answered; `tokens` is what its answer adds to the context; `failed` results went to the model as text."""

    step: int
    call_id: str
    name: str
    summary: str
    sources: tuple[Source, ...]
    seconds: float
    tokens: int
    failed: bool
    whole: tuple[ChunkId, ...] = ()  # passages that are now whole in the model's context


@dataclass(frozen=True, slots=True)
class AnswerDelta:
    """The next piece of the answer: Markdown in which citations already read `[1](cite:1)`."""

    text: str


@dataclass(frozen=True, slots=True)
class AnswerRestarted:
    """What was streamed as an answer turned out to be a preamble to more work: clear it."""

    step: int


@dataclass(frozen=True, slots=True)
class ContextMeasured:
    """How full the model's context is now, and what the run cost so far."""

    context: ContextUse
    usage: RunUsage


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A limit ended the search; the answer that follows is made from what was gathered."""

    limit: str
    message: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The run is over: the final Markdown and its citations in order of number; `found` is False for "not found".

    `claims` are the statements of the text in their order; `coverage` says how far the run looked if it proved nothing.
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
    """The person stopped the run; what was written so far stands."""

    text: str
    citations: tuple[Citation, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class RunFailed:
    """The model or the library failed; title and message are for the person, the partial answer stands."""

    title: str
    message: str
    text: str
    citations: tuple[Citation, ...]


Route = Literal["quick", "agentic", "off-topic"]


@dataclass(frozen=True, slots=True)
class Routed:
    """The question was sorted before the work began: which way it takes and why, and what is searched, and where.

    `by` is the model that decided, empty for rules; `usage` is what that cost, apart from the run's own.
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
        """Say for a person which way was taken and why, and in which files it looks."""
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
    | Answered
    | RunStopped
    | RunFailed
    | Remark
    | Routed
)
