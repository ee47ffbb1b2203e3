"""Takes out of a conversation what its answers had from a folder that a person wants forgotten."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from desktop_rag.agent.citations.references import readable
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    Citation,
    Coverage,
    RunFailed,
    RunStarted,
    RunStopped,
    Source,
    ToolReturned,
)

ERASED = "*This answer quoted documents that have been forgotten since. It was erased with them.*"
SEARCHES = frozenset({"search", "keyword_search", "semantic_search", "list_documents"})  # they show, others read


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What is to be forgotten: the path of a root as bytes, and what only it holds (SHA-256 as hexadecimal text)."""

    folder: bytes
    contents: frozenset[str] = frozenset()

    def cites(self, citation: Citation) -> bool:
        """Return whether a citation is of something forgotten."""
        return citation.sha256 in self.contents or self.holds(citation.path)

    def holds(self, path: str) -> bool:
        """Return whether a path, as answers name it, lies in the folder."""
        folder = readable(os.fsdecode(self.folder))
        return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def citations_of(events: Iterable[AgentEvent]) -> tuple[Citation, ...]:
    """Return what the answer of a run cites."""
    last = [event for event in events if isinstance(event, Answered | RunStopped | RunFailed)]
    return last[-1].citations if last else ()


def without(turn: Turn, forgotten: Forgotten) -> Turn:
    """Return a turn without what it had from the folder.

    An answer that relied on it goes as a whole, for nobody can tell which of its words are quoted; the question
    stays. Of any other answer only the passages go that a search had shown.
    """
    if _relied_on(turn.events, forgotten):
        return replace(turn, events=tuple(_only_asked(turn.events)))
    return replace(turn, events=tuple(_blank(event, forgotten) for event in turn.events))


def _relied_on(events: Sequence[AgentEvent], forgotten: Forgotten) -> bool:
    read = (
        source
        for event in events
        if isinstance(event, ToolReturned) and event.name not in SEARCHES
        for source in event.sources
    )
    return any(map(forgotten.cites, citations_of(events))) or any(forgotten.holds(source.path) for source in read)


def _only_asked(events: Sequence[AgentEvent]) -> Iterable[AgentEvent]:
    for event in events:
        match event:
            case RunStarted():
                yield event
            case Answered():
                yield replace(event, text=ERASED, citations=(), claims=(), coverage=None)
            case RunStopped():
                yield replace(event, text=ERASED, citations=())
            case RunFailed():
                yield replace(event, text=ERASED, citations=())


def _blank(event: AgentEvent, forgotten: Forgotten) -> AgentEvent:
    if isinstance(event, Answered) and event.coverage:
        return replace(event, coverage=_report_without(event.coverage, forgotten))
    if not isinstance(event, ToolReturned):
        return event
    kept: tuple[Source, ...] = tuple(source for source in event.sources if not forgotten.holds(source.path))
    return event if kept == event.sources else replace(event, sources=kept)


def _report_without(report: Coverage, forgotten: Forgotten) -> Coverage:
    """Return the report of what was looked at without the names of what is forgotten."""
    return replace(
        report,
        read=tuple(each for each in report.read if not forgotten.holds(each.path)),
        unread=tuple(each for each in report.unread if not forgotten.holds(each.path)),
        offline=tuple(path for path in report.offline if not forgotten.holds(path)),
    )
