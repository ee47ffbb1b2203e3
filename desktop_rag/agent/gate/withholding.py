"""Takes never-send documents out of a question: out of its scope, and out of what earlier turns said about them."""

from collections.abc import Iterable
from dataclasses import replace

from desktop_rag.agent.conversations.history import NOT_SENT, earlier_sources
from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import Answered, RunFailed, RunStopped, ToolReturned
from desktop_rag.agent.question import Question
from desktop_rag.index.catalog.file_lookup import relative_to
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentQuery, Retriever, Scope
from desktop_rag.settings import Withheld
from desktop_rag.stop import Stop


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
        replace(event, text=NOT_SENT, citations=()) if isinstance(event, Answered | RunStopped | RunFailed) else event
        for event in turn.events
    )
    return replace(turn, events=events)


def _read(events: Iterable[object]) -> Iterable[ContentId]:
    for event in events:
        if isinstance(event, ToolReturned):
            yield from (source.content for source in event.sources)
