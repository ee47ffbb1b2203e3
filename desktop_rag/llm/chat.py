"""The chat model protocol: messages in, a stream of typed events out."""

import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from desktop_rag.llm.json_value import as_object
from desktop_rag.stop import Nudge, Stop

if TYPE_CHECKING:  # the window imports this module while it starts
    from desktop_rag.text.secrets import Surroundings


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool offered to the model; `parameters` is a JSON Schema object as JSON text."""

    name: str
    description: str
    parameters: str

    def parameter_names(self) -> tuple[str, ...]:
        """Return the names of its parameters, in order."""
        return tuple(as_object(as_object(json.loads(self.parameters)).get("properties")))


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call of the model; `arguments` is JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """Numbered lines of a document in a tool result, for models and checks that read structure instead of text."""

    reference: str
    title: str
    first_line: int
    lines: tuple[str, ...]
    score: float = 0.0
    focus: str = ""  # the words that matched
    file: str = ""  # the file's name
    path: str = ""  # of the file, for the record of what was sent; it is not sent
    across: float = 0.0  # see `MatchReason`

    @property
    def label(self) -> str:
        """Return the names under which the model sees the document: of its file, then its title."""
        return document_label(self.file, self.title)


def document_label(file: str, title: str) -> str:
    """Return the file name, and the title where that says more: documents of one kind often share their title."""
    known = not title or title in (file, file.rpartition(".")[0])
    return (file or title) if known or not file else f"{file}: {title}"


@dataclass(frozen=True, slots=True)
class SystemMessage:
    """The instructions."""

    text: str


@dataclass(frozen=True, slots=True)
class GivenPassages:
    """The structure of a text with passages and a question; a `digest` of the passages answers it, with a `note`."""

    question: str
    digest: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class UserMessage:
    """A message of the user, or of the loop on the user's behalf.

    `evidence` are the passages in the text and `given` is its structure, for models that do not parse text; an `aside`
    is not the question.
    """

    text: str
    evidence: tuple[Evidence, ...] = ()
    aside: bool = False
    given: GivenPassages | None = None


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """A message of the model; `raw` is the provider's own JSON, sent back verbatim to the same provider."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""
    raw: str = ""


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """The result of one tool call: the text for the model and its structure; not `executed` if a limit forbade it."""

    call_id: str
    name: str
    text: str
    evidence: tuple[Evidence, ...] = ()
    executed: bool = True


Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next part of the answer; a `note` is the program's remark on it and makes no claim."""

    text: str
    note: bool = False


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """The next part of the model's visible thinking."""

    text: str


STILL_RUNNING = ReasoningDelta("")  # a turn has begun and goes on, perhaps without a word: its time can be looked at


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one request; `estimated` if the endpoint did not report them."""

    prompt: int
    completion: int
    cached: int = 0
    reasoning: int = 0
    estimated: bool = False
    per_second: float = 0.0  # completion tokens, as the server timed them; 0: unknown


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """Always the last event: the whole message, its tokens, and why the turn ended.

    `yes` is the probability of “yes” against “no” as its first word, if that was asked for and the server tells it.
    """

    message: AssistantMessage
    usage: TokenUsage
    reason: Literal["stop", "tools", "length", "filter"]
    yes: float | None = None


@dataclass(frozen=True, slots=True)
class RetryDelayed:
    """The request failed (`reason`, a title) and is repeated after `seconds`, which the endpoint may have `asked` for.

    It comes before any text of the turn.
    """

    seconds: float
    reason: str
    asked: bool
    until_ns: int  # when it is repeated


@dataclass(frozen=True, slots=True)
class TurnProgress:
    """What the server does before the first word: it loads the model, or reads the prompt; or after the last one.

    “writing”, once, ends the reading: what it writes may be a call, which is not shown before it is whole.

    `done` of `total`: bytes of the model or tokens of the prompt; `total` is 0 while the model is used by another turn,
    and while the server is asked to prove that the whole prompt arrived. `left` are the seconds until it is read, as
    fast as so far; 0: unknown.
    """

    stage: Literal["loading", "reading", "writing", "proving"]
    done: int
    total: int
    left: float = 0.0


StreamedEvent = TextDelta | ReasoningDelta | TurnProgress
ChatEvent = StreamedEvent | RetryDelayed | TurnEnded


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request for one turn; without `tools` the model must answer.

    `schema` is the JSON Schema that the text must follow, as JSON text, if the server can do that; "" for free text.
    `nudge` ends the wait before a request is repeated. `known` are tools that are not offered now: a written call of
    one is no answer. `surroundings` returns what stands around the lines of documents, to find secrets; it is not sent.
    `temperature` holds where the user set none. With `yes_no` the turn is one word, whose probability is asked for.
    """

    messages: Sequence[Message]
    tools: Sequence[ToolSpec] = field(default=())
    max_tokens: int = 2048
    schema: str = ""
    nudge: Nudge = field(default_factory=Nudge, compare=False)
    known: Sequence[ToolSpec] = field(default=())
    surroundings: Callable[[], "tuple[Surroundings, ...]"] = field(default=tuple, compare=False)
    temperature: float | None = None
    yes_no: bool = False


class ChatModel(Protocol):
    """A model for the loop: an endpoint, the built-in extractive model, a scripted one."""

    @property
    def name(self) -> str:
        """Return the name shown to the user."""

    @property
    def context_window(self) -> int:
        """Return the tokens of prompt and answer together that fit."""

    @property
    def max_output(self) -> int:
        """Return the maximum tokens of one turn, thinking included."""

    def count_tokens(self, text: str) -> int:
        """Return the tokens of `text`, estimated if the model's tokenizer is not available."""

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        """Stream the turn, `TurnEnded` last; raises `ModelError` or `Stopped`."""


class ToolUse(StrEnum):
    """The ways in which a model's searches are made, the best first; the values are stored."""

    NATIVE = "native"  # its own tool calls
    PROMPTED = "prompted"  # JSON objects in its text
    NONE = "none"  # calls chosen on its behalf


@runtime_checkable
class RemembersToolUse(Protocol):
    """A model whose way of searching is remembered beyond a run."""

    def tool_use(self) -> ToolUse | None:
        """Return the way that was found out not long ago; None if none was, or if it calls tools."""

    def note_tool_use(self, way: ToolUse) -> None:
        """Remember the way in which this model can search."""

    def judges(self) -> bool | None:
        """Return whether its yes and no to a statement can be used; None if that was not tried."""

    def note_judges(self, *, well: bool) -> None:
        """Remember whether its yes and no can be used."""

    def find_size(self, stop: Stop) -> Generator[TurnProgress]:
        """Find out once how large the model is, if its server is near and tells it; raises as `ChatModel.chat`."""


class WrappedModel:
    """Base of a `ChatModel` around another one, whose name, limits and counts it has."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return self._model.name

    @property
    def context_window(self) -> int:
        """Return the context window of the model."""
        return self._model.context_window

    @property
    def max_output(self) -> int:
        """Return the maximum output of the model."""
        return self._model.max_output

    def count_tokens(self, text: str) -> int:
        """Return the tokens of `text` as the model counts them."""
        return self._model.count_tokens(text)

    def tool_use(self) -> ToolUse | None:
        """Return how the model can be made to search, if that is remembered."""
        return self._model.tool_use() if isinstance(self._model, RemembersToolUse) else None

    def note_tool_use(self, way: ToolUse) -> None:
        """Have the model remember how it can be made to search."""
        if isinstance(self._model, RemembersToolUse):
            self._model.note_tool_use(way)

    def judges(self) -> bool | None:
        """Return whether the model's yes and no can be used, if that is remembered."""
        return self._model.judges() if isinstance(self._model, RemembersToolUse) else None

    def note_judges(self, *, well: bool) -> None:
        """Have the model remember whether its yes and no can be used."""
        if isinstance(self._model, RemembersToolUse):
            self._model.note_judges(well=well)

    def find_size(self, stop: Stop) -> Generator[TurnProgress]:
        """Have the model find out its size."""
        if isinstance(self._model, RemembersToolUse):
            yield from self._model.find_size(stop)
