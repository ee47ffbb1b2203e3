"""Looks in the background at what became of the files that stored answers cite, and says it in words."""

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from desktop_rag.agent.citations.references import readable
from desktop_rag.agent.conversations.erasing import citations_of
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import Citation
from desktop_rag.gui.background.latest_worker import LatestOnlyWorker
from desktop_rag.gui.viewer.document_loading import resolve
from desktop_rag.gui.viewer.target import target_of_citation
from desktop_rag.gui.viewer.viewer_events import Staleness
from desktop_rag.retrieval.api import DocumentCard, Retriever
from desktop_rag.stop import Stop

Notes = Mapping[tuple[str, str], str]  # by hash and path of what was cited


@dataclass(frozen=True, slots=True)
class SourcesChecked:
    """What became of the cited files that are not as they were."""

    notes: Notes = field(default_factory=dict)


def note_of(citation: Citation, notes: Notes) -> str:
    """Return what became of a cited file; empty when it is as it was, or not known yet."""
    return notes.get((citation.sha256, citation.path), "")


def check_sources(turns: Iterable[Turn], retriever: Retriever, stop: Stop) -> Generator[SourcesChecked]:
    """Look each cited file up once, and say what became of those that are not as they were."""
    cited = {(c.sha256, c.path): c for turn in turns for c in citations_of(turn.events) if c.sha256}
    found: dict[tuple[str, str], str] = {}
    for key, citation in cited.items():
        stop.check()
        standing, card = resolve(target_of_citation(citation), retriever, stop)
        if said := _said(citation, standing, card):
            found[key] = said
    yield SourcesChecked(found)


def _said(citation: Citation, standing: Staleness, card: DocumentCard | None) -> str:
    match standing:
        case Staleness.CHANGED:
            return _tr("changed since this answer")
        case Staleness.GONE | Staleness.LOST:
            return _tr("no longer in your library")
        case Staleness.OFFLINE:
            return _tr("its folder is not connected")
        case Staleness.SAME:
            places = [] if card is None or card.path is None else [card.path, *card.also]
            paths = [readable(path) for path in places]
            return _tr("moved to {path}").format(path=paths[0]) if paths and citation.path not in paths else ""


def _tr(text: str) -> str:
    return QCoreApplication.translate("SourceWatch", text)


class SourceWatch(QObject):
    """Checks the sources of the conversation that is shown."""

    checked = Signal(object)  # Notes: what became of the cited files

    def __init__(self, retriever: Retriever, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._retriever = retriever
        self._asker = LatestOnlyWorker("sources", self)
        self._asker.answered.connect(self._on_answered)

    def look(self, turns: tuple[Turn, ...]) -> None:
        """Look at the sources of these turns, in place of others."""
        self._asker.ask(partial(check_sources, turns, self._retriever))

    def close(self) -> None:
        """Let go of the job."""
        self._asker.close()

    @Slot(object)
    def _on_answered(self, event: object) -> None:
        if isinstance(event, SourcesChecked):
            self.checked.emit(event.notes)
