"""Opens the dialog of the first start once, counts folders and looks for servers for it, and does what was chosen."""

from collections.abc import Callable, Generator
from dataclasses import replace

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.background.latest_worker import LatestOnlyWorker
from desktop_rag.gui.first_run.first_folders_page import suggested_folders
from desktop_rag.gui.first_run.first_run_dialog import FirstChoices, FirstRunDialog
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.index.folders.folder_survey import FolderSurvey, survey
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.llm.local_servers import LocalServer, find_servers
from desktop_rag.llm.probe import ProbeResult, probe
from desktop_rag.settings import Profile, Settings
from desktop_rag.stop import Stop

Surveyed = tuple[bytes, FolderSurvey]


class FirstRunControl(QObject):
    """Shows the dialog of the first start to a user who has neither settings nor folders."""

    folders_chosen = Signal(object)  # absolute paths as bytes: add them
    sample_chosen = Signal()  # add the sample library
    tour_chosen = Signal()  # show the tour

    def __init__(
        self,
        settings: SettingsControl,
        status: ShownStatus,
        window: QWidget,
        suggested: Callable[[], tuple[bytes, ...]] = suggested_folders,
        search: Callable[[Stop], Generator[LocalServer]] = find_servers,
    ) -> None:
        super().__init__(window)
        self._settings = settings
        self._status = status
        self._window = window
        self._suggested = suggested
        self._search = search
        self._dialog: FirstRunDialog | None = None
        self._is_offering = False
        self._surveys = LatestOnlyWorker[Surveyed]("survey", self._on_surveyed, self)
        self._servers = LatestOnlyWorker[LocalServer]("servers", self._on_server_found, self)
        self._listing = LatestOnlyWorker[ProbeResult]("first models", self._on_listed, self)
        self._servers.finished.connect(self._on_search_ended)
        self._servers.failed.connect(self._on_search_failed)

    def offer(self) -> None:
        """Open the dialog as soon as the library proves to be empty, if there were no settings at the start."""
        if self._settings.is_new and not self._settings.settings.introduced:
            self._is_offering = True
            self._status.changed.connect(self._on_status)

    def close(self) -> None:
        """Stop counting and searching, and wait for it."""
        for worker in (self._surveys, self._servers, self._listing):
            worker.close()

    @Slot(LibraryStatus)
    def _on_status(self, status: LibraryStatus) -> None:
        if status is UNKNOWN or not self._is_offering:
            return
        self._is_offering = False
        self._status.changed.disconnect(self._on_status)
        if not (status.folders or status.missing or status.trouble):
            self.open()

    def open(self) -> FirstRunDialog:
        """Open the dialog."""
        dialog = self._dialog = FirstRunDialog(self._suggested(), self._window)
        dialog.folders.survey_asked.connect(self._survey)
        dialog.model.search_requested.connect(self._on_search_requested)
        dialog.model.list_requested.connect(self._on_list_requested)
        dialog.finished_with.connect(self._on_finished)
        dialog.finished.connect(self._on_closed)
        self._survey(dialog.folders.uncounted())
        dialog.open()
        return dialog

    @Slot(tuple)
    def _survey(self, paths: tuple[bytes, ...]) -> None:
        def count(stop: Stop) -> Generator[Surveyed]:
            for path in paths:
                for found in survey(path, stop):
                    yield path, found

        self._surveys.ask(count)

    @Slot(object)
    def _on_surveyed(self, found: Surveyed) -> None:
        if self._dialog is not None:
            self._dialog.folders.show_survey(*found)

    @Slot()
    def _on_search_requested(self) -> None:
        self._servers.ask(self._search)

    @Slot(object)
    def _on_server_found(self, server: LocalServer) -> None:
        if self._dialog is not None:
            self._dialog.model.add_server(server)

    @Slot()
    def _on_search_ended(self) -> None:
        if self._dialog is not None:
            self._dialog.model.end_search()

    @Slot(Exception)
    def _on_search_failed(self, error: Exception) -> None:
        if self._dialog is not None:
            self._dialog.model.end_search(str(error))

    @Slot(Profile, str)
    def _on_list_requested(self, profile: Profile, key: str) -> None:
        def ask(stop: Stop) -> Generator[ProbeResult]:
            yield probe(profile, key, stop)

        self._listing.ask(ask)

    @Slot(object)
    def _on_listed(self, result: ProbeResult) -> None:
        if self._dialog is not None:
            self._dialog.model.show_models(result)

    @Slot(object)
    def _on_finished(self, choices: FirstChoices) -> None:
        settings: Settings = replace(self._settings.settings, introduced=True)
        if choices.profile is not None:
            if choices.key:
                self._settings.store_key(choices.profile.name, choices.key)
            settings = replace(settings.with_profile(choices.profile), active_profile=choices.profile.name)
        self._settings.use(settings)
        if choices.folders:
            self.folders_chosen.emit(choices.folders)
        if choices.sample:
            self.sample_chosen.emit()
        if choices.tour:
            self.tour_chosen.emit()

    @Slot()
    def _on_closed(self) -> None:
        self._dialog = None
        for worker in (self._surveys, self._servers, self._listing):
            worker.stop()
        self._settings.use(replace(self._settings.settings, introduced=True))
