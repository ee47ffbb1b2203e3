"""A library in memory and a scripted model: the agent is tested by its list of events."""

import re
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from desktop_rag.agent.budget import Purse
from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import AgentEvent, Answered, ContextMeasured, RunStopped, ToolReturned
from desktop_rag.agent.feedback import Feedback
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run, Toolkit
from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, Line, Span, span_of
from desktop_rag.errors import DesktopRagError, QueryError
from desktop_rag.index.records import ChunkId, ContentId, DocumentLayout, FolderId
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatEvent,
    ChatModel,
    ChatRequest,
    ReasoningDelta,
    TextDelta,
    TokenUsage,
    ToolCall,
    TurnEnded,
)
from desktop_rag.retrieval.api import (
    Attachment,
    Change,
    ChunkText,
    ClauseCount,
    DocumentCard,
    DocumentDiff,
    DocumentGuide,
    DocumentList,
    DocumentQuery,
    Facet,
    Facets,
    Hit,
    LibraryFacts,
    LineWindow,
    MatchReason,
    Mode,
    Passage,
    Retriever,
    Scope,
    SearchRequest,
    SearchResult,
    Snippet,
)
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.settings import Limits, Unsourced
from desktop_rag.stop import Stop

MODIFIED_NS = 1_700_000_000_000_000_000  # 2023-11-14
CHUNK_LINES = 4


def document(*lines: str, title: str = "", pages: Sequence[int] = ()) -> Document:
    """Build a document of these lines; `pages` are the first lines of its pages."""
    builder = DocumentBuilder("pdf" if pages else "txt")
    builder.title = title
    for number, line in enumerate(lines, 1):
        if number in pages:
            builder.begin_page(600, 800)
        builder.add(Line(line))
    return builder.build()


class FakeRetriever:
    """Ranks chunks of four lines by the words they share with the query."""

    def __init__(self, *named: tuple[str, Document], coverage: float = 1.0, files: int | None = None) -> None:
        self._documents = {ContentId(i): found for i, (_, found) in enumerate(named, 1)}
        self._names = {ContentId(i): name for i, (name, _) in enumerate(named, 1)}
        self._chunks: dict[ChunkId, tuple[ContentId, int, Span]] = {}
        self._coverage = coverage
        self._files = len(named) if files is None else files
        self.searches: list[SearchRequest] = []
        self.listings: list[DocumentQuery] = []
        self.holds: Callable[[tuple[Filter, ...]], bool] = lambda filters: True
        self.fault: DesktopRagError | None = None
        self.note = ""
        self.missing: set[ContentId] = set()
        for content, found in self._documents.items():
            for ordinal, first in enumerate(range(1, found.line_count + 1, CHUNK_LINES), 1):
                last = min(first + CHUNK_LINES - 1, found.line_count)
                start = found.line_starts[first - 1]
                end = found.line_starts[last] - 1 if last < found.line_count else len(found.text)
                chunk = ChunkId(len(self._chunks) + 1)
                self._chunks[chunk] = (content, ordinal, Span(first, last, start, end))

    def search(self, request: SearchRequest, stop: Stop) -> SearchResult:
        self._check(stop)
        self.searches.append(request)
        if request.query.endswith(" AND"):
            raise QueryError("AND needs a word behind it", suggestion="leave AND out")
        terms = _terms(request)
        scored = [
            (score, chunk)
            for chunk, (content, _, span) in self._chunks.items()
            if content not in self.missing
            and (not request.scope.contents or content in request.scope.contents)
            and (score := _score(self._documents[content].text_at(span).lower(), terms, request))
        ]
        scored.sort(key=lambda found: (-found[0], found[1]))
        hits = (self._hit(rank, chunk, float(score), terms) for rank, (score, chunk) in enumerate(scored, 1))
        return SearchResult(
            request.query, Mode(request.mode), 1.0, tuple(hits)[: request.limit], self._coverage, self.note
        )

    def clauses(self, request: SearchRequest, stop: Stop) -> tuple[ClauseCount, ...]:
        self._check(stop)
        texts = [found.text.lower() for found in self._documents.values()]
        return tuple(ClauseCount(term, sum(term in text for text in texts)) for term in _terms(request))

    def find(self, content: ContentId, patterns: tuple[str, ...], per_pattern: int, stop: Stop) -> tuple[Passage, ...]:
        self._check(stop)
        found = self._documents[content]
        passages: list[Passage] = []
        for pattern in patterns:
            lines = [n for n in range(1, found.line_count + 1) if pattern.lower() in found.line(n).text.lower()]
            for number in lines[:per_pattern]:
                text = found.line(number).text
                start = text.lower().index(pattern.lower())
                marks = ((number, start, start + len(pattern)),)
                passages.append(Passage(content, pattern, number, (text,), found.page_of(number), marks))
        return tuple(passages)

    def read_lines(self, content: ContentId, first: int, count: int, stop: Stop) -> LineWindow:
        self._check(stop)
        found = self._documents[content]
        lines = tuple(found.line(n).text for n in range(first, min(first + count, found.line_count + 1)))
        return LineWindow(content, first, lines, found.line_count)

    def read_windows(self, places: tuple[tuple[ContentId, int, int], ...], stop: Stop) -> tuple[LineWindow, ...]:
        return tuple(self.read_lines(*place, stop) for place in places)

    def read_chunks(self, chunks: tuple[ChunkId, ...], stop: Stop) -> tuple[ChunkText, ...]:
        self._check(stop)
        return tuple(self._chunk(c) for c in chunks if c in self._chunks and self._chunks[c][0] not in self.missing)

    def describe(self, content: ContentId, stop: Stop) -> DocumentCard | None:
        self._check(stop)
        if content not in self._documents or content in self.missing:
            return None
        found = self._documents[content]
        return DocumentCard(
            content=content,
            sha256=f"{content:064x}",
            path=Path("/library") / self._names[content],
            also=(),
            format=found.format,
            title=found.title or self._names[content],
            author="",
            created="",
            language="",
            modified_ns=MODIFIED_NS,
            lines=found.line_count,
            words=len(found.text.split()),
            pages=len(found.pages),
            partial="",
            offline=False,
        )

    def lookup(self, sha256: str, path: Path | None, stop: Stop) -> DocumentCard | None:
        return self.describe(ContentId(int(sha256, 16)), stop)

    def layout(self, content: ContentId, stop: Stop) -> DocumentLayout:
        self._check(stop)
        found = self._documents[content]
        return DocumentLayout(found.kinds, found.pages, found.boxes)

    def facets(self, request: SearchRequest, stop: Stop) -> Facets:
        self._check(stop)
        kinds = Counter(found.format for found in self._documents.values())
        facets = (Facet(f".{kind}", count, Filter(FileField.EXT, kind)) for kind, count in kinds.items())
        return Facets(len(self._documents), types=tuple(facets))

    def documents(self, query: DocumentQuery, stop: Stop) -> DocumentList:
        self._check(stop)
        self.listings.append(query)
        words = query.words.lower().split()
        fits = {
            content: sum(word in f"{self._names[content]} {found.title}".lower() for word in words) / max(1, len(words))
            for content, found in self._documents.items()
            if (not query.scope.contents or content in query.scope.contents) and self.holds(query.filters)
        }
        found = sorted((c for c in fits if fits[c] or not words), key=lambda c: (-fits[c], c))
        page = found[query.skip : query.skip + query.limit]
        cards = tuple(card for content in page if (card := self.describe(content, stop)))
        shares = tuple(fits[card.content] for card in cards)
        return DocumentList(len(found), cards, self.facets(SearchRequest(""), stop), shares)

    def guide(self, content: ContentId, stop: Stop) -> DocumentGuide:
        return DocumentGuide((), whole=True)

    def difference(self, one: ContentId, other: ContentId, most: int, stop: Stop) -> DocumentDiff:
        self._check(stop)
        mine, theirs = (self._documents[content].text.split("\n") for content in (one, other))
        changes = [
            Change(a + 1 if b > a else 0, tuple(mine[a:b]), c + 1 if d > c else 0, tuple(theirs[c:d]))
            for kind, a, b, c, d in SequenceMatcher(None, mine, theirs).get_opcodes()
            if kind != "equal"
        ]
        return DocumentDiff(tuple(changes[:most]), len(changes), 0.5)

    def attachments(self, paths: tuple[bytes, ...], stop: Stop) -> tuple[Attachment, ...]:
        self._check(stop)
        return tuple(map(Attachment, paths))

    def attached_contents(self, attached: tuple[FolderId, ...], stop: Stop) -> tuple[ContentId, ...]:
        self._check(stop)
        return ()

    def file_copy(self, sha256: str, stop: Stop) -> Path | None:
        return None

    def facts(self, scope: Scope, stop: Stop) -> LibraryFacts:
        self._check(stop)
        return LibraryFacts(self._files, len(self._documents), len(self._chunks), self._coverage)

    def _check(self, stop: Stop) -> None:
        stop.check()
        if self.fault:
            raise self.fault

    def _hit(self, rank: int, chunk: ChunkId, score: float, terms: Sequence[str]) -> Hit:
        content, _, span = self._chunks[chunk]
        found = self._documents[content]
        texts = {n: found.line(n).text for n in range(span.first_line, span.last_line + 1)}
        line = next((n for n, text in texts.items() if any(term in text.lower() for term in terms)), span.first_line)
        start = found.line_starts[line - 1]
        snippet = Snippet(texts[line], (), span_of(found.line_starts, start, start + len(texts[line])))
        return Hit(
            rank=rank,
            chunk=chunk,
            content=content,
            sha256=f"{content:064x}",
            path=Path("/library") / self._names[content],
            also=(),
            format=found.format,
            title=found.title or self._names[content],
            dated_ns=MODIFIED_NS,
            size=1_000,
            page=found.page_of(span.first_line),
            heading="",
            span=span,
            score=score,
            snippet=snippet,
            why=MatchReason(keyword_rank=rank),
        )

    def _chunk(self, chunk: ChunkId) -> ChunkText:
        content, ordinal, span = self._chunks[chunk]
        found = self._documents[content]
        total = sum(1 for other, _, _ in self._chunks.values() if other == content)
        lines = tuple(found.text_at(span).split("\n"))
        return ChunkText(chunk, content, ordinal, total, span, "", found.page_of(span.first_line), lines)


def _terms(request: SearchRequest) -> list[str]:
    """Return words and phrases of a query, whatever joins them."""
    parts = re.findall(r'"([^"]*)"|([^\s"?()]+)', request.query)
    return [(phrase or word).lower() for phrase, word in parts if word not in ("AND", "OR", "NOT")]


def _score(text: str, terms: Sequence[str], request: SearchRequest) -> int:
    if (request.default_and or " AND " in request.query) and not all(term in text for term in terms):
        return 0
    weight = len if request.mode is Mode.EXACT else bool
    return sum(text.count(term) * int(weight(term)) for term in terms)


@dataclass(frozen=True, slots=True)
class Says:
    """One scripted turn: pieces of text, thinking, calls as (name, arguments), or an error after the text."""

    text: str | tuple[str, ...] = ()
    thinking: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    reason: str = ""
    usage: TokenUsage | None = None
    error: DesktopRagError | None = None
    before: Callable[[], None] | None = None


@dataclass
class ScriptedModel:
    """Replays scripted turns and records the requests."""

    turns: Sequence[Says]
    window: int = 32_000
    output: int = 2_048
    requests: list[ChatRequest] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "scripted"

    @property
    def context_window(self) -> int:
        return self.window

    @property
    def max_output(self) -> int:
        return self.output

    def count_tokens(self, text: str) -> int:
        return len(text) // 4 + 1

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        turn = self.turns[min(len(self.requests), len(self.turns) - 1)]
        self.requests.append(request)
        if turn.before:
            turn.before()
        stop.check()
        if turn.thinking:
            yield ReasoningDelta(turn.thinking)
        pieces = (turn.text,) if isinstance(turn.text, str) else turn.text
        for piece in pieces:
            yield TextDelta(piece)
        if turn.error:
            raise turn.error
        step = len(self.requests)
        calls = tuple(ToolCall(f"call{step}_{i}", *call) for i, call in enumerate(turn.calls, 1))
        usage = turn.usage or TokenUsage(0, 0, estimated=True)
        message = AssistantMessage("".join(pieces), calls)
        reason = "tools" if calls else "length" if turn.reason == "length" else "stop"
        if reason == "tools":
            yield TurnEnded(message, usage, "tools")
        elif reason == "length":
            yield TurnEnded(message, usage, "length")
        else:
            yield TurnEnded(message, usage, "stop")


@dataclass
class Asker:
    """Asks one question of a library with a model and keeps everything a test may want to look at."""

    retriever: Retriever
    model: ChatModel
    toolkit: Toolkit = field(default_factory=lambda: toolkit("full"))
    limits: Limits = field(default_factory=Limits)
    scope: Scope = field(default_factory=Scope)
    conversation: Conversation = field(default_factory=Conversation)
    stop: Stop = field(default_factory=Stop)
    feedback: Feedback | None = None
    fast: ChatModel | None = None
    filters: tuple[Filter, ...] = ()
    unwanted: tuple[Filter, ...] = ()
    unsourced: Unsourced = Unsourced.MARK
    second_look: bool = False
    purse: Purse | None = None

    def events(self, question: str) -> Generator[AgentEvent]:
        return answer(
            Question(question, self.conversation, self.scope, filters=self.filters, unwanted=self.unwanted),
            Run(
                self.toolkit,
                self.model,
                self.retriever,
                self.stop,
                self.limits,
                feedback=self.feedback,
                fast=self.fast,
                unsourced=self.unsourced,
                second_look=self.second_look,
                purse=self.purse,
            ),
        )

    def ask(self, question: str) -> list[AgentEvent]:
        return [timeless(event) for event in self.events(question)]

    def answer(self, question: str) -> Answered:
        last = self.ask(question)[-1]
        assert isinstance(last, Answered), last
        return last


TIMED = ToolReturned | Answered | RunStopped | ContextMeasured


def timeless(event: AgentEvent) -> AgentEvent:
    """Return an event without the seconds it took."""
    return replace(event, seconds=0.0) if isinstance(event, TIMED) else event


def lease_document() -> Document:
    """Return a lease of eight lines."""
    return document(
        "Lease",
        "",
        "The flat in Mill Lane 7 is let to Ada Byron.",
        "The monthly rent is 950 euros.",
        "Rent is payable on the third working day of each month.",
        "A late payment costs 15 euros.",
        "Pets are allowed with written consent.",
        "",
        "The lease ends on 31 July 2027.",
        title="Lease Mill Lane",
    )


@pytest.fixture
def lease() -> Document:
    return lease_document()


@pytest.fixture
def manual() -> Document:
    return document(
        "Boiler manual",
        "The boiler needs a service every twelve months.",
        "The safety valve opens at three bar.",
        "Keep the pressure between one and two bar.",
        "Order part 4711 for a new valve.",
        pages=(1, 4),
    )


@pytest.fixture
def library(lease: Document, manual: Document) -> FakeRetriever:
    return FakeRetriever(("lease.txt", lease), ("boiler.pdf", manual))
