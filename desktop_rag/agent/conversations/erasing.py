"""Erases from a conversation everything that came from a forgotten folder."""

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
    citations_of,
)

ERASED = "*This answer quoted documents that have been forgotten since. It was erased with them.*"
SEARCHES = frozenset(
    {"search", "keyword_search", "semantic_search", "list_documents"}
)  # these list passages; all other tools read


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A folder to forget: its path as bytes, and the contents only it has (SHA-256 as hexadecimal text)."""

    folder: bytes
    contents: frozenset[str] = frozenset()

    def cites(self, citation: Citation) -> bool:
        """Return whether a citation refers to the folder."""
        return citation.sha256 in self.contents or self.contains(citation.path)

    def contains(self, path: str) -> bool:
        """Return whether a path, as written in answers, is in the folder."""
        folder = readable(os.fsdecode(self.folder))
        return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def erase_from_turn(turn: Turn, forgotten: Forgotten) -> Turn:
    """Return a turn without anything from the folder.

    An answer that relied on the folder is erased as a whole, because its quoted words cannot be told apart; the
    question stays. Any other answer loses only the passages that a search had shown.
    """
    if _relied_on(turn.events, forgotten):
        return replace(turn, events=tuple(_question_only(turn.events)))
    return replace(turn, events=tuple(_erase_sources(event, forgotten) for event in turn.events))


def _relied_on(events: Sequence[AgentEvent], forgotten: Forgotten) -> bool:
    read = (
        source
        for event in events
        if isinstance(event, ToolReturned) and event.name not in SEARCHES
        for source in event.sources
    )
    return any(map(forgotten.cites, citations_of(events))) or any(forgotten.contains(source.path) for source in read)


def _question_only(events: Sequence[AgentEvent]) -> Iterable[AgentEvent]:
    for event in events:
        match event:
            case RunStarted():
                yield event
            case Answered():
                yield replace(event, text=ERASED, citations=(), claims=(), coverage=None)
            case RunStopped() | RunFailed():
                yield replace(event, text=ERASED, citations=())


def _erase_sources(event: AgentEvent, forgotten: Forgotten) -> AgentEvent:
    if isinstance(event, Answered) and event.coverage:
        return replace(event, coverage=_erase_from_report(event.coverage, forgotten))
    if not isinstance(event, ToolReturned):
        return event
    kept: tuple[Source, ...] = tuple(source for source in event.sources if not forgotten.contains(source.path))
    return event if kept == event.sources else replace(event, sources=kept)


def _erase_from_report(report: Coverage, forgotten: Forgotten) -> Coverage:
    """Return a search report without the names of documents in the folder."""
    return replace(
        report,
        read=tuple(each for each in report.read if not forgotten.contains(each.path)),
        unread=tuple(each for each in report.unread if not forgotten.contains(each.path)),
        offline=tuple(path for path in report.offline if not forgotten.contains(path)),
    )
