"""Fills the pages on encoders, programs, privacy and diagnostics: reads files, asks the indexer, in the background."""

from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from desktop_rag.errors import DesktopRagError
from desktop_rag.gui.background import CommandQueue, StreamWorker
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.os_services import open_by_system
from desktop_rag.gui.privacy.sent_control import SentControl
from desktop_rag.gui.settings.programs_control import ProgramsControl
from desktop_rag.index.indexer_api import PartCheck
from desktop_rag.paths import data_home, log_folder
from desktop_rag.settings import chosen_encoder
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from desktop_rag.gui.search.search_control import SearchControl
    from desktop_rag.gui.settings.diagnostics import Installation
    from desktop_rag.gui.settings.encoder_page import EncoderChoice, FetchActivity
    from desktop_rag.gui.settings.settings_dialog import SettingsDialog
    from desktop_rag.gui.settings.settings_pages import History
    from desktop_rag.gui.viewer.open_documents import RecentDocuments
    from desktop_rag.gui.window.main_window import MainWindow
    from desktop_rag.gui.window.sessions import Session
    from desktop_rag.index.encoding.encoder_child import EncoderProgress


class InsightControl(QObject):
    """Serves the settings dialog that is open; the status bar shows an encoder's fetch that continues without it."""

    def __init__(
        self,
        session: Callable[[], "Session"],
        search: "SearchControl",
        documents: "RecentDocuments",
        status: ShownStatus,
        window: "MainWindow",
    ) -> None:
        super().__init__(window)
        self._session = session
        self._search, self._documents = search, documents
        self._status = status
        self._dialog: SettingsDialog | None = None
        self._programs = ProgramsControl(lambda: session().known, self)
        self._encoders = CommandQueue("encoders", self)
        self._fetcher: StreamWorker[EncoderProgress] = StreamWorker("encoder", self._on_fetched, self)
        self._fetcher.failed.connect(self._on_fetch_failed)
        self._fetcher.finished.connect(self._on_fetch_finished)
        self._fetching = self._fetch_trouble = ""
        self._fetched: EncoderProgress | None = None  # so far, while one is fetched
        self._window = window
        self._activity: FetchActivity | None = None
        self._sent = SentControl(self)
        self._reader: StreamWorker[Installation] = StreamWorker("installation", self._on_installation, self)
        self._checker: StreamWorker[PartCheck] = StreamWorker("check", self._on_part, self)
        self._checker.failed.connect(self._on_check_failed)
        self._checker.finished.connect(self._on_check_finished)

    def histories(self) -> "tuple[History, ...]":
        """Return what the open library remembers of the user's steps."""
        from desktop_rag.gui.settings.settings_pages import History

        return (
            History(self.tr("Recent searches"), self._search.recent_searches, self._search.clear_recent),
            History(
                self.tr("Recent documents"), lambda: len(self._documents.documents), self._documents.undoable_clear
            ),
        )

    def serve(self, dialog: "SettingsDialog") -> None:
        """Fill the pages of an opened dialog until it is destroyed."""
        self._dialog = dialog
        if self._fetched is not None:
            self._on_fetched(self._fetched)
        self._programs.serve(dialog.programs)
        self._encoders.run(_encoder_choices, self._on_encoders)
        dialog.encoders.fetch_requested.connect(self._on_fetch_requested)
        dialog.encoders.fetch_stopped.connect(self._fetcher.stop)
        dialog.privacy.sent_requested.connect(self._on_sent_requested)
        dialog.privacy.folder_requested.connect(self._on_folder_requested)
        dialog.diagnostics.refresh_requested.connect(self.read)
        dialog.diagnostics.check_requested.connect(self._on_check_requested)
        dialog.diagnostics.check_stopped.connect(self._checker.stop)
        dialog.diagnostics.show_health(self._status.current)
        self._status.changed.connect(dialog.diagnostics.show_health)
        dialog.destroyed.connect(self._on_destroyed)
        self.read()

    def close(self) -> None:
        """Stop the work and wait for it."""
        self._programs.close()
        self._encoders.close()
        self._fetcher.close()
        self._sent.close()
        self._reader.close()
        self._checker.close()

    @Slot()
    def read(self) -> None:
        """Read versions, sizes and logs."""
        home, logs = data_home(), (log_folder() / "window.log", self._session().known.library.log)

        def collect(stop: Stop) -> "Generator[Installation]":
            from desktop_rag.gui.settings.diagnostics import installation

            yield installation(home, logs, stop)

        self._reader.start(collect)

    def _on_encoders(self, choices: "list[EncoderChoice]") -> None:
        if self._dialog is not None:
            self._dialog.encoders.show_encoders(choices, self._status.current.sentences_total)

    @Slot(str)
    def _on_fetch_requested(self, name: str) -> None:
        from desktop_rag.gui.settings.encoder_page import FetchDialog
        from desktop_rag.index.encoding.installed_encoders import known_encoder

        dialog = FetchDialog(known_encoder(name), self._dialog)
        dialog.accepted.connect(partial(self.fetch_encoder, name))
        dialog.open()

    def fetch_encoder(self, name: str) -> None:
        """Fetch and convert an encoder; the user has agreed."""
        from desktop_rag.index.encoding.encoder_child import EncoderProgress, get_encoder

        def fetch(stop: Stop) -> "Generator[EncoderProgress]":
            yield EncoderProgress()
            yield from get_encoder(name, stop)

        self._fetching, self._fetch_trouble = name, ""
        self._fetcher.start(fetch)

    def _on_fetched(self, progress: "EncoderProgress") -> None:
        self._fetched = progress
        if self._activity is not None:
            self._activity.setVisible(self._dialog is None)
        if self._dialog is not None:
            self._dialog.encoders.show_progress(self._fetching, progress)
        else:
            self._shown_activity().show_progress(self._fetching, progress)

    def _shown_activity(self) -> "FetchActivity":
        from desktop_rag.gui.settings.encoder_page import FetchActivity

        if self._activity is None:
            self._activity = FetchActivity(self._window)
            self._activity.stopped.connect(self._fetcher.stop)
            self._window.statusBar().addPermanentWidget(self._activity)
        return self._activity

    @Slot(object)
    def _on_fetch_failed(self, error: DesktopRagError) -> None:
        self._fetch_trouble = sentence(error)

    @Slot()
    def _on_fetch_finished(self) -> None:
        def show(choices: "list[EncoderChoice]") -> None:
            self._fetched = None
            self._on_encoders(choices)
            added = any(choice.name == self._fetching for choice in choices)
            said = self._shown_activity().outcome(self._fetching, self._fetch_trouble, added=added)
            if self._dialog is not None:
                self._dialog.encoders.end_fetch(self._fetch_trouble)
            else:
                self._window.show_toast(said)

        self._encoders.run(_encoder_choices, show)

    def _on_installation(self, known: "Installation") -> None:
        if self._dialog is not None:
            self._dialog.privacy.show_size(known.size)
            self._dialog.diagnostics.show_installation(known)

    @Slot()
    def _on_check_requested(self) -> None:
        self._checker.start(self._session().library.client.check)

    def _on_part(self, part: PartCheck) -> None:
        if self._dialog is not None:
            self._dialog.diagnostics.show_part(part)

    @Slot(object)
    def _on_check_failed(self, error: DesktopRagError) -> None:
        if self._dialog is not None:
            self._dialog.diagnostics.end_check(sentence(error))

    @Slot()
    def _on_check_finished(self) -> None:
        if self._dialog is not None:
            self._dialog.diagnostics.end_check()

    @Slot()
    def _on_sent_requested(self) -> None:
        if self._dialog is not None:
            self._sent.open(self._dialog)

    @Slot()
    def _on_folder_requested(self) -> None:
        open_by_system(data_home())

    @Slot()
    def _on_destroyed(self) -> None:
        self._dialog = None
        if self._fetched is not None:
            self._on_fetched(self._fetched)
        self._reader.stop()
        self._checker.stop()


def _encoder_choices(_: Stop) -> "list[EncoderChoice]":
    from desktop_rag.gui.settings.encoder_page import EncoderChoice
    from desktop_rag.index.encoding.installed_encoders import encoder_at, installed_encoders

    known, chosen = installed_encoders(), chosen_encoder()
    if all(each.folder != chosen for each in known):  # a folder elsewhere, chosen by the command line
        known.append(encoder_at(chosen))
    return [
        EncoderChoice(
            "" if each.is_shipped else str(each.folder),
            each.name,
            each.description.languages or (("en",) if each.is_shipped else ()),
            each.description.bytes,
            each.description.sentences_per_second,
        )
        for each in known
    ]
