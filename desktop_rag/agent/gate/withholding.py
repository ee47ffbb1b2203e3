"""Takes never-send documents out of a run: out of its scope, and out of what earlier turns said about them."""

from collections.abc import Iterable
from dataclasses import replace

from desktop_rag.agent.conversations.history import NOT_SENT, earlier_sources
from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import Answered, RunFailed, RunStopped, ToolReturned
from desktop_rag.agent.toolkits.toolkit import Task
from desktop_rag.index.catalog.file_lookup import relative_to
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentQuery, Scope
from desktop_rag.settings import Withheld
from desktop_rag.text.display import shown_name


def withhold(task: Task, withheld: Withheld, attached: Iterable[bytes] = ()) -> Task:
    """Return a task that cannot read what is `withheld`, nor name it among `attached`; raises as `Retriever`."""
    earlier = frozenset(source.content for source in earlier_sources(task.conversation))
    if earlier:
        scope = Scope(contents=tuple(earlier), attached=task.scope.attached, withheld=withheld)
        asked = DocumentQuery(scope=scope, limit=len(earlier))
        sendable = {card.content for card in task.retriever.documents(asked, task.stop).cards}
        task = replace(task, conversation=_without(task.conversation, earlier - sendable))
    named = (each for each in attached if all(relative_to(path, each) is None for path in withheld.paths))
    task = replace(task, scope=replace(task.scope, withheld=withheld))
    return replace(task, attached=tuple(shown_name(each) for each in named if not _has_only_withheld(task, each)))


def _has_only_withheld(task: Task, path: bytes) -> bool:
    """Return whether nothing in an attached file or folder may be sent, because of tags."""
    if not task.scope.withheld.tags:
        return False
    folders = [each.folder for each in task.retriever.attachments((path,), task.stop) if each.folder is not None]
    contents = task.retriever.attached_contents(tuple(folders), task.stop)
    if not contents:
        return True  # not read yet, so its tags are not known
    scope = Scope(contents=contents, attached=tuple(folders), withheld=task.scope.withheld)
    return not task.retriever.documents(DocumentQuery(scope=scope, limit=1), task.stop).cards


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
