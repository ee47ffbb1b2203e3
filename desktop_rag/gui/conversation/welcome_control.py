"""Decides what an empty conversation shows from the status of the library, its start points and the settings."""

import os
from functools import cache

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.agent.extractive.built_in_model import BuiltInModel
from desktop_rag.agent.question import ExampleQuestion
from desktop_rag.gui.conversation.conversation_view import ConversationView
from desktop_rag.gui.conversation.welcome import Welcome
from desktop_rag.gui.files.file_wording import left_out_parts
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus, totals_text
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.gui.start_points import StartPoints, StartPointsReader
from desktop_rag.gui.viewer.recent_documents import RecentDocument, RecentDocuments
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.index.records import FolderState
from desktop_rag.paths import resources
from desktop_rag.retrieval.api import Retriever

_NOTHING = StartPoints()


@cache
def sample_questions() -> tuple[str, ...]:
    """Return the questions that the sample library answers; the demo asks the first one."""
    return tuple((resources() / "sample_questions.txt").read_text(encoding="utf-8").splitlines())


def welcome_for(
    status: LibraryStatus,
    *,
    has_model: bool,
    points: StartPoints = _NOTHING,
    opened: tuple[RecentDocument, ...] = (),
) -> Welcome:
    """Return what an empty conversation shows."""
    folders = [folder for folder in status.folders if folder.state is not FolderState.REMOVED]
    problems, pictures = sum(f.failed + f.skipped for f in folders), sum(f.pictures for f in folders)
    return Welcome(
        has_documents=any(folder.searchable for folder in folders),
        has_model=has_model,
        examples=tuple(map(ExampleQuestion, sample_questions())) if _is_sample(status) else points.examples,
        counted=totals_text(status) if points.parts or points.newest else "",
        left_out=left_out_parts(problems, pictures) if points.parts or points.newest else (),
        parts=points.parts,
        documents=opened or points.newest,
        opened=bool(opened),
        is_reading=any(folder.scanning or folder.found > folder.left_out for folder in folders),
        is_missing=status.missing,
        is_opening=status is UNKNOWN,
        is_held=status.phase is IndexingPhase.PAUSED,
    )


def _is_sample(status: LibraryStatus) -> bool:
    sample = os.fsencode(resources() / "sample")
    return [folder.path for folder in status.folders if folder.state is not FolderState.REMOVED] == [sample]


class WelcomeControl(QObject):
    """Keeps the welcome of the conversation view up to date; it is read while it is looked at and all words are."""

    changed = Signal(StartPoints)

    def __init__(
        self,
        view: ConversationView,
        status: ShownStatus,
        settings: SettingsControl,
        recent: RecentDocuments,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._status = status
        self._settings = settings
        self._recent = recent
        self.points = _NOTHING
        self._library: tuple[Retriever, BuiltInModel] | None = None
        self._read: tuple[tuple[bytes, int], ...] = ()  # of what the start points are, or are being read
        self._reader = StartPointsReader(self)
        self._reader.found.connect(self._on_found)
        status.changed.connect(self._refresh)
        settings.changed.connect(self._refresh)
        recent.changed.connect(self._refresh)
        view.emptied.connect(self._on_emptied)
        self._refresh()

    def show_library(self, retriever: Retriever, built_in: BuiltInModel) -> None:
        """Begin with another library."""
        self._reader.stop()
        self._library = retriever, built_in
        self._read = ()
        self._on_found(_NOTHING)

    def close(self) -> None:
        """Stop reading and wait for it."""
        self._reader.close()

    @Slot(object)
    def _on_found(self, points: StartPoints) -> None:
        self.points = points
        self.changed.emit(points)
        self._refresh()

    @Slot(bool)
    def _on_emptied(self, empty: bool) -> None:  # noqa: FBT001 - a slot
        if empty:
            self._refresh()
        elif not self.points.examples:  # a question comes first; what was not tried yet is tried later
            self._reader.stop()
            self._read = ()

    @Slot()
    def _refresh(self) -> None:
        if self._view.turns:
            return  # nobody sees it
        settings, status = self._settings.settings, self._status.current
        shown = welcome_for(  # who chose the built-in model beside others needs no advice
            status, has_model=bool(settings.profiles), points=self.points, opened=self._recent.documents
        )
        self._view.set_welcome(shown)
        if self._library is None or not shown.has_documents or status.not_added:
            return
        folders = [folder for folder in status.folders if folder.state is not FolderState.REMOVED]
        waits = any(folder.scanning or folder.searchable + folder.left_out < folder.found for folder in folders)
        wanted = tuple((folder.path, folder.searchable) for folder in folders)
        if wanted == self._read or (waits and status.phase is not IndexingPhase.PAUSED):
            return
        same = [path for path, *_ in self._read] == [path for path, _ in wanted]
        known = tuple(map(ExampleQuestion, sample_questions())) if _is_sample(status) else self.points.examples
        self._read = wanted
        self._reader.read(*self._library, known if same or _is_sample(status) else ())
