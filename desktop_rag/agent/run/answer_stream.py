"""One turn of a model on its way to the person: citations numbered, what was shown kept, endless turns cut."""

from collections.abc import Callable, Generator
from contextlib import closing

from desktop_rag.agent.citations.citation_stream import CitationStream
from desktop_rag.agent.citations.citations import CitationFailure, Citations
from desktop_rag.agent.citations.claims import judge
from desktop_rag.agent.events import AgentEvent, AnswerDelta, Citation, Claim, LimitReached, Thought
from desktop_rag.agent.extractive.answer import KNOWS_NOTHING, NO_MODEL, NOTE
from desktop_rag.agent.prompts import FROM_MEMORY, NO_SOURCE, NOTHING_FITS, QUOTED, UNNAMED
from desktop_rag.errors import ModelError
from desktop_rag.llm.chat import AssistantMessage, ChatEvent, ReasoningDelta, TextDelta, TokenUsage, TurnEnded
from desktop_rag.stop import Stop

NOT_FOUND = "not found in your library"
LONGEST = 200_000  # characters of one turn
OWN_WORDS = (FROM_MEMORY, NO_SOURCE, UNNAMED, QUOTED, NOTHING_FITS, NOTE, NO_MODEL, KNOWS_NOTHING)  # no model said them
ROUND = 600  # characters at the end that say the same at least four times
EVERY = 100  # characters after which that is looked at again


class AnswerStream:
    """Collects what a turn says, raw for the model and numbered for the person."""

    def __init__(self, citations: Callable[[], Citations], counts_from: int = 1) -> None:
        self._new_citations = citations
        self._counts_from = counts_from
        self.restart()

    def restart(self) -> None:
        """Forget what was said; numbering begins again at 1."""
        self._citations = self._new_citations()
        self._stream = CitationStream(self._citations.resolve, self._counts_from)
        self._raw: list[str] = []
        self._shown: list[str] = []

    def hear(self, events: Generator[ChatEvent], step: int, stop: Stop) -> Generator[AgentEvent, None, TurnEnded]:
        """Pass on a turn as it comes and close `events`; raises `ModelError` if it ends without a word."""
        ended: TurnEnded | None = None
        said, thought = _Length(), _Length()
        with closing(events):
            for event in events:
                stop.check()
                match event:
                    case TextDelta(text):
                        yield from self.say(text)
                        endless = said.add(text)
                    case ReasoningDelta(text):
                        yield Thought(step, text)
                        endless = thought.add(text)
                    case TurnEnded():
                        ended, endless = event, ""
                if endless:
                    yield LimitReached("output", endless)
                    ended = TurnEnded(AssistantMessage(self.raw), _estimate(said, thought), "stop")
                    break
        if ended is None:
            raise ModelError("The model's answer ended without a word. Try again.")
        if not self.raw and ended.message.text:
            yield from self.say(ended.message.text)
        yield from self._show(self._stream.end())
        return ended

    def say(self, text: str) -> Generator[AgentEvent]:
        """Take the next piece of the model's text and show what can be shown of it now."""
        self._raw.append(text)
        yield from self._show(self._stream.feed(text))

    def add(self, text: str, links: str = "") -> Generator[AgentEvent]:
        """Put a text behind what the model said, its citations numbered too, and links behind that."""
        yield from self._show(self._stream.feed(f"\n\n{text}") + self._stream.end() + links)

    def proofs(self) -> str:
        """Return links to lines that say what an answer without citations says; empty if there are none."""
        return "".join(f" [{number}](cite:{number})" for number in self._citations.prove(self.text))

    @property
    def raw(self) -> str:
        """The text as the model wrote it."""
        return "".join(self._raw)

    @property
    def text(self) -> str:
        """The text as it has been shown."""
        return "".join(self._shown)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations so far."""
        return self._citations.all()

    @property
    def failures(self) -> tuple[CitationFailure, ...]:
        """The citations that prove nothing."""
        return self._citations.failures()

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The statements of the text, and how their citations bear them out."""
        return judge(self.text, self.citations, self._citations.bear_out, OWN_WORDS)

    @property
    def says_not_found(self) -> bool:
        """Whether the answer is that the library does not hold it."""
        return self._stream.said_not_found or self.text.lstrip(" *_#>").lower().startswith(NOT_FOUND)

    def _show(self, text: str) -> Generator[AgentEvent]:
        if not self._shown:
            text = text.lstrip()
        if text:
            self._shown.append(text)
            yield AnswerDelta(text)


class _Length:
    """How long a text has grown, and whether its end only says the same again."""

    def __init__(self) -> None:
        self.characters = 0
        self._tail = ""
        self._fresh = 0

    def add(self, text: str) -> str:
        """Take the next piece; return why the rest should not be waited for, or nothing."""
        self.characters += len(text)
        self._fresh += len(text)
        self._tail = (self._tail + text)[-ROUND:]
        if self.characters > LONGEST:
            return "The model did not come to an end; its answer was cut."
        if self._fresh >= EVERY:
            self._fresh = 0
            if goes_round(self._tail):
                return "The model began to repeat itself; its answer was cut."
        return ""


def goes_round(tail: str) -> bool:
    """Return whether a long enough text says the same at least four times and nothing else."""
    if len(tail) < ROUND or not any(character.isalnum() for character in tail):
        return False
    return any(tail[period:] == tail[:-period] for period in range(1, ROUND // 4 + 1))


def _estimate(*lengths: _Length) -> TokenUsage:
    return TokenUsage(0, sum(length.characters for length in lengths) // 4, estimated=True)
