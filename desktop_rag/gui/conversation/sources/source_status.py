"""Checks in the background whether the files cited by stored answers are changed, moved, gone or on a server."""

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot

from desktop_rag.agent.citations.references import readable
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import Citation, citations_of
from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.catalogues import exact_sentence
from desktop_rag.gui.viewer.document_loading import resolve
from desktop_rag.gui.viewer.tabs.freshness import CHECK_MS
from desktop_rag.gui.viewer.viewer_events import Staleness, target_of_citation
from desktop_rag.index.indexer_api import FolderStatus, LibraryStatus
from desktop_rag.index.team_status import ON_SERVER
from desktop_rag.retrieval.api import DocumentCard, Retriever
from desktop_rag.stop import Stop

SourceNotes = Mapping[tuple[str, str], str]  # a phrase by SHA-256 and path of the cited file


@dataclass(frozen=True, slots=True)
class SourcesChecked:
    """The cited files that are no longer as they were, or not on this computer."""

    notes: SourceNotes


def note_of(citation: Citation, notes: SourceNotes) -> str:
    """Return what is to be known of a cited file; empty if nothing is, or it is not checked yet."""
    return notes.get((citation.sha256, citation.path), "")


def check_sources(turns: Iterable[Turn], retriever: Retriever, stop: Stop) -> Generator[SourcesChecked]:
    """Look up each cited file once, then yield notes on those that have changed or are on a team's server."""
    cited = {(c.sha256, c.path): c for turn in turns for c in citations_of(turn.events) if c.sha256}
    notes: dict[tuple[str, str], str] = {}
    for key, citation in cited.items():
        stop.check()
        staleness, card = resolve(target_of_citation(citation), retriever, stop)
        if note := _note(citation, staleness, card):
            notes[key] = note
    yield SourcesChecked(notes)


def _note(citation: Citation, staleness: Staleness, card: DocumentCard | None) -> str:
    match staleness:
        case Staleness.CHANGED:
            return _tr("changed since this answer")
        case Staleness.GONE | Staleness.LOST:
            return _tr("no longer in your library")
        case Staleness.OFFLINE:
            return _tr("its folder is not connected")
        case Staleness.SAME:
            paths = [] if card is None or card.path is None else [readable(path) for path in (card.path, *card.also)]
            if paths and citation.path not in paths:
                return _tr("moved to {path}").format(path=paths[0])
            return exact_sentence(ON_SERVER) if card is not None and card.away else ""


def _tr(text: str) -> str:
    return QCoreApplication.translate("SourceStatus", text)


class SourceStatusChecker(QObject):
    """Checks the sources of the visible conversation; a new check replaces the one before."""

    checked = Signal(object)  # SourceNotes of the turns that were given last
    outdated = Signal()  # the library has changed: the shown turns need another check

    def __init__(self, retriever: Retriever, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._retriever = retriever
        self._folders: tuple[FolderStatus, ...] = ()
        self._noted = False  # whether the last check had notes
        self._timer = QTimer(self, singleShot=True, interval=CHECK_MS)
        self._timer.timeout.connect(self.outdated)
        self._worker = LatestOnlyWorker("sources", self._on_answered, self)

    def check(self, turns: tuple[Turn, ...]) -> None:
        """Check the sources of `turns`."""
        self._worker.ask(partial(check_sources, turns, self._retriever))

    def update(self, status: LibraryStatus) -> None:
        """Ask for another check if a folder came, went or was restored, or if missing files may have come back."""
        before, self._folders = self._folders, status.folders
        states, now = ({(folder.path, folder.state) for folder in folders} for folders in (before, status.folders))
        if before and (states != now or (self._noted and before != status.folders)) and not self._timer.isActive():
            self._timer.start()

    def close(self) -> None:
        """Stop the check and wait for its thread."""
        self._worker.close()

    @Slot(object)
    def _on_answered(self, event: SourcesChecked) -> None:
        self._noted = bool(event.notes)
        self.checked.emit(event.notes)
