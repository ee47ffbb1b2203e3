"""Streams one turn of the model to the user: numbers its citations, keeps both versions, cuts off endless output."""

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Literal

from desktop_rag.agent.citations.citation_stream import CitationStream
from desktop_rag.agent.citations.citation_syntax import LINK
from desktop_rag.agent.citations.citations import Citations, DroppedCitation
from desktop_rag.agent.citations.claims import find_claims
from desktop_rag.agent.citations.marks import with_judgment
from desktop_rag.agent.citations.written.files_by_name import NamedFiles
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    AnswerRestarted,
    Citation,
    Claim,
    Judgment,
    LimitReached,
    Thought,
    waiting,
)
from desktop_rag.agent.run.statements import StatementKey, statement_of
from desktop_rag.errors import ModelError, Stopped
from desktop_rag.llm.chat import (
    AssistantMessage,
    ChatEvent,
    ReasoningDelta,
    RetryDelayed,
    TextDelta,
    TokenUsage,
    TurnEnded,
    TurnProgress,
)
from desktop_rag.stop import Stop

NOT_FOUND = (
    "not found in your library",
    "not found in the part of your library",
    "no sentence that answers this was found",
)
QUESTIONS = ("?", "？", "؟")  # ends of an answer that asks back
_WORD = re.compile(r"[^\W_]")
_EMPTY_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]*$\n?", re.MULTILINE)
MAX_CHARACTERS = 100_000  # of the answer: more than anyone reads
MAX_THINKING = 200_000  # characters of one turn
MAX_BEFORE = 1_000  # characters before a citation that show which one of the same lines it is
PIECE = 2_000  # characters handled between two looks at Stop
REPEAT_WINDOW = 600  # characters at the end that must consist of at least four repetitions
REPEAT_CHECK = 100  # characters between two checks for repetition
Hold = Callable[[], Generator[AgentEvent]]  # waits while the run is paused
LATE = "The model's output took longer than the limit on seconds; it was cut off."


class AnswerStream:
    """The text of one turn: raw as the model wrote it, and shown with numbered citations."""

    def __init__(self, citations: Callable[[], Citations], stop: Stop, counts_from: int = 1) -> None:
        """`stop` ends also the checks, which may take seconds for a very long text: they raise `Stopped`."""
        self._new_citations = citations
        self._stop = stop
        self._counts_from = counts_from
        self.judgments: Mapping[StatementKey, Judgment] = {}  # of a second look
        self.restart()

    def restart(self) -> None:
        """Discard the text; citation numbers start again at 1."""
        self._citations = self._new_citations()
        self._files = NamedFiles(self._citations.references, self._counts_from)
        self._stream = CitationStream(self._citations.cite, self._counts_from, self._files)
        self._raw: list[str] = []
        self._shown: list[str] = []
        self._length = 0
        self._facts: tuple[int, tuple[Claim, ...]] | None = None  # the claims of a text of this length
        self._told: tuple[Claim, ...] | None = None  # these, judged
        self.is_repaired = False  # parts were replaced: citations of theirs may be left over
        self._all_withdrawn = False
        self._notes: list[tuple[int, int]] = []  # spans of the shown text that the program wrote

    def stream_turn(
        self, events: Generator[ChatEvent], step: int, hold: Hold, stop: Stop
    ) -> Generator[AgentEvent, None, TurnEnded]:
        """Forward a turn as it arrives and close `events`; raises `ModelError` if the turn never ends properly.

        A turn that its own `stop` ended while the run goes on has no time left: what came of it is kept.
        """
        ended: TurnEnded | None = None
        answer, thinking = _OutputGuard("answer", MAX_CHARACTERS), _OutputGuard("thinking", MAX_THINKING)
        cut_off = ""
        try:
            with closing(events):
                for event in events:
                    stop.check()
                    yield from hold()
                    if isinstance(event, TurnEnded):
                        ended = event
                    elif cut_off := (yield from self._forward(event, step, answer, thinking)):
                        break
        except Stopped:
            if self._stop.is_set() or not stop.is_set():
                raise
            cut_off = LATE
        if cut_off:
            yield LimitReached("output", cut_off)
            if (once := without_repetition(self.raw)) != self.raw:
                yield from self.exchange(once, step)
            reason: Literal["stop", "length"] = "stop" if self.raw else "length"
            ended = TurnEnded(AssistantMessage(self.raw), TokenUsage(0, 0, estimated=True), reason)
        if ended is None:
            raise ModelError("The model's answer broke off. Try again.")
        if not self.raw and ended.message.text:
            for piece in self._pieces(ended.message.text[:MAX_CHARACTERS]):
                yield from self.write(piece)
        yield from self._show(self._stream.end())
        return ended

    def _forward(
        self,
        event: TextDelta | ReasoningDelta | RetryDelayed | TurnProgress,
        step: int,
        answer: "_OutputGuard",
        thinking: "_OutputGuard",
    ) -> Generator[AgentEvent, None, str]:
        """Forward an event of a turn; return the reason to cut the turn off, or ""."""
        match event:
            case TextDelta(text, note):
                for piece in self._pieces(answer.within(text)):
                    yield from self.write(piece, note=note)
                return answer.add(text)
            case ReasoningDelta(text):
                for piece in self._pieces(thinking.within(text)):
                    yield Thought(step, piece)
                return thinking.add(text)
            case RetryDelayed() | TurnProgress():
                yield waiting(event, step)
                return ""

    def write(self, text: str, *, note: bool = False) -> Generator[AgentEvent]:
        """Take the next text of the model and show as much of it as can be shown; a `note` makes no claim."""
        self._raw.append(text)
        yield from self._show(self._stream.feed(text), note=note)

    def append(self, text: str, links: str = "", *, note: bool = True) -> Generator[AgentEvent]:
        """Add a paragraph after the model's text, with numbered citations, and `links` after it."""
        yield from self._show(self._stream.feed(f"\n\n{text}") + self._stream.end() + links, note=note)

    def replace(self, raw: str) -> None:
        """Replace the text by another one of the model's, with citations as it writes them."""
        self.restart()
        for piece in self._pieces(raw):
            for _ in self.write(piece):
                pass
        for _ in self._show(self._stream.end()):
            pass

    def exchange(self, raw: str, step: int) -> Generator[AgentEvent]:
        """Replace the text, and show it in this form."""
        text = self.text
        self.replace(raw)
        if text:
            yield AnswerRestarted(step)
        if self.text:
            yield AnswerDelta(self.text)

    def replace_parts(self, parts: Sequence[tuple[int, int, str]]) -> None:
        """Replace parts of the shown text, in order, by others as the model writes them; the rest stays as it is.

        The rest keeps its citations. An answer of which no word is left has found nothing.
        """
        text, pieces, end = self.text, list[str](), 0
        for start, stop, raw in parts:
            stream = CitationStream(self._citations.cite, self._counts_from, self._files)
            shown = (stream.feed(raw) + stream.end()).strip()
            goes_on = text[stop : stop + 2].lstrip()[:1] in (",", ";")
            pieces += (text[end:start], shown.rstrip(".") if goes_on else shown)
            end = stop
        new = _EMPTY_ITEM.sub("", "".join((*pieces, text[end:]))).strip()
        notes = ((new.find(note), len(note)) for note in (text[start:stop] for start, stop in self._notes))
        self._notes = [(at, at + length) for at, length in notes if at >= 0]
        self._all_withdrawn = not _WORD.search(LINK.sub("", new))
        self._shown, self._length, self._facts, self.is_repaired = [new] if new else [], len(new), None, True

    def as_written(self, start: int, end: int) -> str:
        """Return a part of the shown text with its citations as the model wrote them."""

        def written(link: re.Match[str]) -> str:
            before = self.text[max(0, start + link.start() - MAX_BEFORE) : start + link.start()]
            return self._citations.as_written(int(link[1]), LINK.sub("", before))

        return LINK.sub(written, self.text[start:end])

    def nearest(self, words: str) -> tuple[Citation, ...]:
        """Return citations of lines that support words without a source, for a look at them beside this answer."""
        apart = self._new_citations()
        apart.find_support(words)
        return apart.all()

    def supporting_links(self) -> str:
        """Return links to lines that support an answer without citations; empty if there are none."""
        return "".join(f" [{number}](cite:{number})" for number in self._citations.find_support(self.text))

    @property
    def raw(self) -> str:
        """The text as the model wrote it."""
        return "".join(self._raw)

    @property
    def text(self) -> str:
        """The text as shown to the user."""
        return "".join(self._shown)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations so far."""
        return self._citations.all()

    @property
    def dropped(self) -> tuple[DroppedCitation, ...]:
        """The citations that point at nothing that was read."""
        return self._citations.dropped()

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims of the text, each checked against the lines of its citations."""
        if self._facts is None or self._facts[0] != self._length:
            found = find_claims(self.text, self.citations, self._citations.check, self._stop, self._notes)
            self._facts = (self._length, tuple(map(self._with_unread_source, found)))
            self._told = None
        if self._told is None:
            self._told = tuple(map(self._judged, self._facts[1])) if self.judgments else self._facts[1]
        return self._told

    def judge(self, judgments: Mapping[StatementKey, Judgment]) -> None:
        """Give statements the model's judgments of a second look; nothing is compared again."""
        self.judgments, self._told = {**self.judgments, **judgments}, None

    def _judged(self, claim: Claim) -> Claim:
        judgment = self.judgments.get(statement_of(self.text, claim, self.citations).key)
        return with_judgment(claim, judgment) if judgment else claim

    def dropped_after(self, claim: Claim) -> DroppedCitation | None:
        """Return the citation of a claim without a source that points at nothing that was read."""
        said = self.text[claim.start : claim.end].rstrip(" .;,!?。")  # the citation stood before the full stop
        dropped = ((each, each.claim.strip()) for each in self.dropped if claim.mark == "uncited")
        return next((each for each, words in dropped if words and (words in said or said in words)), None)

    def _with_unread_source(self, claim: Claim) -> Claim:
        dropped = self.dropped_after(claim)
        return replace(claim, nowhere=dropped.location or dropped.citation) if dropped else claim

    @property
    def says_not_found(self) -> bool:
        """Whether the answer says that the library does not hold it."""
        return self._all_withdrawn or self._stream.not_found or self.text.lstrip(" *_#>").lower().startswith(NOT_FOUND)

    @property
    def has_words(self) -> bool:
        """Whether the text has a word beside links to sources."""
        return _WORD.search(LINK.sub("", self.text)) is not None

    @property
    def asks_back(self) -> bool:
        """Whether the text is a question to the user without any statement."""
        return not (self.citations or self.claims) and self.text.rstrip(" *_\n").endswith(QUESTIONS)

    @property
    def states_nothing(self) -> bool:
        """Whether the text is no answer for want of a statement: a refusal, a promise, a single word."""
        return not (self.citations or self.claims or self.says_not_found or self.asks_back)

    def _pieces(self, text: str) -> Iterator[str]:
        """Yield `text` in pieces, looking at Stop before each."""
        for start in range(0, len(text), PIECE):
            self._stop.check()
            yield text[start : start + PIECE]

    def _show(self, text: str, *, note: bool = False) -> Generator[AgentEvent]:
        if not self._shown:
            text = text.lstrip()
        if text:
            if note:
                self._notes.append((self._length, self._length + len(text)))
            self._shown.append(text)
            self._length += len(text)
            yield AnswerDelta(text)


class _OutputGuard:
    """Detects output that is too long or only repeats itself."""

    def __init__(self, what: str, most: int) -> None:
        """`most` are the characters that are let through; `what` they are."""
        self.characters = 0
        self._what = what
        self._most = most
        self._tail = ""
        self._unchecked = 0

    def within(self, text: str) -> str:
        """Return as much of the next text as the limit leaves room for."""
        return text[: max(0, self._most - self.characters)]

    def add(self, text: str) -> str:
        """Count the next text; return the reason to cut the output off, or ""."""
        self.characters += len(text)
        self._unchecked += len(text)
        self._tail = (self._tail + text)[-REPEAT_WINDOW:]
        if self.characters > self._most:
            return f"The model's {self._what} did not end; it was cut off after {self._most:,} characters."
        if self._unchecked >= REPEAT_CHECK:
            self._unchecked = 0
            if repeated_size(self._tail):
                return "The model's output kept repeating itself; its answer was cut off."
        return ""


def without_repetition(text: str) -> str:
    """Return a text that ends in repetitions of one string with one of them."""
    if not (period := repeated_size(text[-REPEAT_WINDOW:])):
        return text
    start = len(text) - REPEAT_WINDOW
    while start and text[start - 1] == text[start - 1 + period]:
        start -= 1
    return text[: start + period]


def repeated_size(tail: str) -> int:
    """Return the size of the string of which a text of full window length has at least four repetitions, else 0."""
    if len(tail) < REPEAT_WINDOW or not any(character.isalnum() for character in tail):
        return 0
    return next((size for size in range(1, REPEAT_WINDOW // 4 + 1) if tail[size:] == tail[:-size]), 0)
