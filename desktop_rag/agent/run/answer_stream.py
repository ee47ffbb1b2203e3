"""Streams one turn of the model to the user: numbers its citations, keeps both versions, cuts off endless output."""

import math
import time
from collections.abc import Callable, Generator
from contextlib import closing

from desktop_rag.agent.citations.citation_stream import CitationStream
from desktop_rag.agent.citations.citations import Citations, DroppedCitation
from desktop_rag.agent.citations.claims import LINK, find_claims
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Citation,
    Claim,
    LimitReached,
    Thought,
    waiting,
)
from desktop_rag.errors import ModelError
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

NOT_FOUND = ("not found in your library", "not found in the part of your library")
MAX_CHARACTERS = 200_000  # of one turn
REPEAT_WINDOW = 600  # characters at the end that must consist of at least four repetitions
REPEAT_CHECK = 100  # characters between two checks for repetition


class AnswerStream:
    """The text of one turn: raw as the model wrote it, and shown with numbered citations."""

    def __init__(self, citations: Callable[[], Citations], counts_from: int = 1) -> None:
        self._new_citations = citations
        self._counts_from = counts_from
        self.restart()

    def restart(self) -> None:
        """Discard the text; citation numbers start again at 1."""
        self._citations = self._new_citations()
        self._stream = CitationStream(self._citations.cite, self._counts_from)
        self._raw: list[str] = []
        self._shown: list[str] = []
        self._length = 0
        self._checked: tuple[int, tuple[Claim, ...]] | None = None  # the claims of a text of this length
        self._notes: list[tuple[int, int]] = []  # spans of the shown text that the program wrote

    def stream_turn(
        self, events: Generator[ChatEvent], step: int, stop: Stop, seconds: float = math.inf
    ) -> Generator[AgentEvent, None, TurnEnded]:
        """Forward a turn as it arrives and close `events`; raises `ModelError` if the turn never ends properly.

        It is cut off `seconds` after its first words.
        """
        ended: TurnEnded | None = None
        deadline: float | None = None
        text_guard, reasoning_guard = _OutputGuard(), _OutputGuard()
        with closing(events):
            for event in events:
                stop.check()
                match event:
                    case TextDelta(text, note):
                        yield from self.write(text_guard.within(text), note=note)
                        cut_off = text_guard.add(text)
                    case ReasoningDelta(text):
                        yield Thought(step, reasoning_guard.within(text))
                        cut_off = reasoning_guard.add(text)
                    case RetryDelayed() | TurnProgress():
                        yield waiting(event, step)
                        cut_off = ""
                    case TurnEnded():
                        ended, cut_off = event, ""
                if isinstance(event, TextDelta | ReasoningDelta):
                    deadline = time.monotonic() + seconds if deadline is None else deadline
                    if not cut_off and time.monotonic() > deadline:
                        cut_off = "The model's output took longer than the limit on seconds; it was cut off."
                if cut_off:
                    yield LimitReached("output", cut_off)
                    ended = TurnEnded(AssistantMessage(self.raw), _estimate(text_guard, reasoning_guard), "stop")
                    break
        if ended is None:
            raise ModelError("The model's answer broke off. Try again.")
        if not self.raw and ended.message.text:
            yield from self.write(ended.message.text[:MAX_CHARACTERS])
        yield from self._show(self._stream.end())
        return ended

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
        for _ in self.write(raw):
            pass
        for _ in self._show(self._stream.end()):
            pass

    def as_written(self, start: int, end: int) -> str:
        """Return a part of the shown text with its citations as the model wrote them."""
        return LINK.sub(lambda link: self._citations.as_written(int(link[1])), self.text[start:end])

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
        if self._checked is None or self._checked[0] != self._length:
            found = find_claims(self.text, self.citations, self._citations.check, self._notes)
            self._checked = (self._length, found)
        return self._checked[1]

    @property
    def says_not_found(self) -> bool:
        """Whether the answer says that the library does not hold it."""
        return self._stream.not_found or self.text.lstrip(" *_#>").lower().startswith(NOT_FOUND)

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

    def __init__(self) -> None:
        self.characters = 0
        self._tail = ""
        self._unchecked = 0

    def within(self, text: str) -> str:
        """Return as much of the next text as the limit leaves room for."""
        return text[: max(0, MAX_CHARACTERS - self.characters)]

    def add(self, text: str) -> str:
        """Count the next text; return the reason to cut the output off, or ""."""
        self.characters += len(text)
        self._unchecked += len(text)
        self._tail = (self._tail + text)[-REPEAT_WINDOW:]
        if self.characters > MAX_CHARACTERS:
            return "The model's output did not end; its answer was cut off."
        if self._unchecked >= REPEAT_CHECK:
            self._unchecked = 0
            if is_repetitive(self._tail):
                return "The model's output kept repeating itself; its answer was cut off."
        return ""


def is_repetitive(tail: str) -> bool:
    """Return whether a text of full window length consists of at least four repetitions of one string."""
    if len(tail) < REPEAT_WINDOW or not any(character.isalnum() for character in tail):
        return False
    return any(tail[period:] == tail[:-period] for period in range(1, REPEAT_WINDOW // 4 + 1))


def _estimate(*guards: _OutputGuard) -> TokenUsage:
    return TokenUsage(0, sum(guard.characters for guard in guards) // 4, estimated=True)
