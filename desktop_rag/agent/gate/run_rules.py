"""The never-send rules while a run is going: looked at before each request, because rules and tags may change.

What a run has read cannot be taken out of the model's own words, so a run that has read what is never sent now ends.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypedDict, TypeVar

from desktop_rag.agent.conversations.history import NOT_SENT, earlier_sources
from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import RunEnd, ToolReturned
from desktop_rag.agent.gate.surroundings import SentLines, surroundings_of
from desktop_rag.agent.question import Question
from desktop_rag.agent.tools.tool import ToolContext
from desktop_rag.errors import SendingRefused
from desktop_rag.index.catalog.file_lookup import relative_to
from desktop_rag.index.records import ContentId, FolderId
from desktop_rag.llm.chat import (
    ChatEvent,
    ChatModel,
    ChatRequest,
    Message,
    ToolMessage,
    UserMessage,
    WrappedModel,
)
from desktop_rag.retrieval.api import DocumentQuery, Retriever, Scope
from desktop_rag.settings import Withheld, privacy
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, shorten
from desktop_rag.text.secrets import Surroundings


class Known(Protocol):
    """What names a document: a reference, or a source of a tool result."""

    @property
    def content(self) -> ContentId:
        """The content that was read."""

    @property
    def path(self) -> str:
        """Where its file was."""

    @property
    def title(self) -> str:
        """Its title."""


KnownT = TypeVar("KnownT", bound=Known)


class RunRules:
    """Applies the rules of the moment to a run; `tools` are its tools as soon as there are any."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever
        self.tools: ToolContext | None = None
        self._around: dict[SentLines, Surroundings] = {}

    def apply(self) -> None:
        """Restrict the run's tools to what may be sent now; raises `SettingsError`."""
        if self.tools is None:
            return
        withheld, scope = privacy().withheld(), self.tools.scope
        if withheld != scope.withheld:
            self.tools.scope = replace(scope, withheld=withheld)

    def check(self, stop: Stop) -> None:
        """Do the same before a request.

        Raises `SendingRefused` if the run has read or named something else, `SettingsError`, and as `Retriever`.
        """
        self.apply()
        if self.tools is None:
            return
        read, scope = self.tools.references.documents(), self.tools.scope
        for known in withheld_among(self._retriever, read.values(), scope.withheld, stop, scope.attached):
            name = shorten(one_line(known.title or known.path))
            raise SendingRefused(
                f"Nothing more was sent: this question had found “{name}” before it was marked as never sent. "
                "Ask again: the answer will do without it."
            )

    def surroundings(self, messages: Iterable[Message], stop: Stop) -> tuple[Surroundings, ...]:
        """Return the lines of documents in messages with what stands around them; raises as `Retriever`."""
        sent = dict.fromkeys(self._sent_lines(messages))
        unknown = tuple(each for each in sent if each not in self._around)
        self._around.update(surroundings_of(self._retriever, unknown, stop))
        return tuple(self._around[each] for each in sent if each in self._around)

    def _sent_lines(self, messages: Iterable[Message]) -> Iterator[SentLines]:
        for message in messages if self.tools is not None else ():
            for evidence in message.evidence if isinstance(message, UserMessage | ToolMessage) else ():
                reference = self.tools.references.get(evidence.reference) if self.tools else None
                if reference is not None and evidence.lines:
                    yield SentLines(reference.content, evidence.first_line, evidence.lines)


class RuledChat(WrappedModel):
    """A model that is asked only after the rules of the moment were applied to its run."""

    def __init__(self, model: ChatModel, rules: RunRules) -> None:
        super().__init__(model)
        self._rules = rules

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        """Stream the turn; raises as `RunRules.check` and as the model."""
        self._rules.check(stop)
        request = replace(request, surroundings=lambda: self._rules.surroundings(request.messages, stop))
        with closing(self._model.chat(request, stop)) as events:
            yield from events


class RuledModels(TypedDict):
    """The fields of a run whose models obey the rules."""

    model: ChatModel
    fast: ChatModel | None
    rules: RunRules


def ruled(model: ChatModel, fast: ChatModel | None, retriever: Retriever) -> RuledModels:
    """Return the models of a run so that they are asked under the rules of the moment only, and these rules."""
    rules = RunRules(retriever)
    return {"model": RuledChat(model, rules), "fast": RuledChat(fast, rules) if fast else None, "rules": rules}


def withheld_among(
    retriever: Retriever,
    known: Iterable[KnownT],
    withheld: Withheld,
    stop: Stop,
    attached: tuple[FolderId, ...] = (),
) -> tuple[KnownT, ...]:
    """Return those documents that are withheld, as they are now: a file may have got a tag since it was read.

    Of a file that is gone, nothing is known. Raises as `Retriever`.
    """
    by_content: Mapping[ContentId, KnownT] = {each.content: each for each in known}
    if not withheld or not by_content:
        return ()
    sendable = _sendable(retriever, tuple(by_content), withheld, attached, stop)
    found: list[KnownT] = []
    for content, each in by_content.items():
        if content in sendable:
            continue
        card = retriever.describe(content, stop)
        if card is None or card.path is None:  # the file has changed: what it holds now counts
            card = retriever.lookup("", Path(each.path), stop) if each.path else None
        current = card is not None and card.path is not None
        if card is not None and current and not _sendable(retriever, (card.content,), withheld, attached, stop):
            found.append(each)
    return tuple(found)


def _sendable(
    retriever: Retriever,
    contents: tuple[ContentId, ...],
    withheld: Withheld,
    attached: tuple[FolderId, ...],
    stop: Stop,
) -> frozenset[ContentId]:
    scope = Scope(contents=contents, attached=attached, withheld=withheld)
    asked = DocumentQuery(scope=scope, limit=len(contents))
    return frozenset(card.content for card in retriever.documents(asked, stop).cards)


# Takes never-send documents out of a question: out of its scope, and out of what earlier turns said about them.


def withhold(question: Question, withheld: Withheld, retriever: Retriever, stop: Stop) -> Question:
    """Return a question that cannot read what is `withheld`, nor name it as attached; raises as `Retriever`."""
    earlier = frozenset(source.content for source in earlier_sources(question.conversation))
    scope = replace(question.scope, withheld=withheld)
    if earlier:
        own = Scope(contents=tuple(earlier), attached=scope.attached, withheld=withheld)
        cards = retriever.documents(DocumentQuery(scope=own, limit=len(earlier)), stop).cards
        kept = _without(question.conversation, earlier - {card.content for card in cards})
        question = replace(question, conversation=kept)
    named = (each for each in question.attached if all(relative_to(path, each) is None for path in withheld.paths))
    attached = tuple(each for each in named if not _has_only_withheld(each, withheld, retriever, stop))
    return replace(question, scope=scope, attached=attached)


def _has_only_withheld(path: bytes, withheld: Withheld, retriever: Retriever, stop: Stop) -> bool:
    """Return whether nothing in an attached file or folder may be sent, because of tags."""
    if not withheld.tags:
        return False
    folders = tuple(each.folder for each in retriever.attachments((path,), stop) if each.folder is not None)
    contents = retriever.attached_contents(folders, stop)
    if not contents:
        return True  # not read yet, so its tags are not known
    scope = Scope(contents=contents, attached=folders, withheld=withheld)
    return not retriever.documents(DocumentQuery(scope=scope, limit=1), stop).cards


def _without(conversation: Conversation, contents: frozenset[ContentId]) -> Conversation:
    return replace(conversation, turns=tuple(_cleaned(turn, contents) for turn in conversation.turns))


def _cleaned(turn: Turn, contents: frozenset[ContentId]) -> Turn:
    """Return the turn without its answer if its run has read one of these contents."""
    if not contents.intersection(_read(turn.events)):
        return turn
    events = tuple(
        replace(event, text=NOT_SENT, citations=()) if isinstance(event, RunEnd) else event for event in turn.events
    )
    return replace(turn, events=events)


def _read(events: Iterable[object]) -> Iterable[ContentId]:
    for event in events:
        if isinstance(event, ToolReturned):
            yield from (source.content for source in event.sources)
