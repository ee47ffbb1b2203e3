"""Adds a team's library: shows the dialog, and asks the server in the background."""

from collections.abc import Generator
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.credentials import Credentials
from desktop_rag.errors import DesktopRagError
from desktop_rag.gui.background.latest_worker import LatestOnlyWorker
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.library.team_dialog import TeamLibraryDialog, TeamRequest
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.stop import Stop


class TeamControl(QObject):
    """Opens the dialog; nothing is stored before the server has answered. Closing the dialog ends the check."""

    added = Signal(object)  # the KnownLibrary to open

    def __init__(self, libraries: Libraries, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._libraries = libraries
        self._window = window
        self._dialog: TeamLibraryDialog | None = None
        self._worker = LatestOnlyWorker[KnownLibrary]("team library", self._on_added, self)
        self._worker.failed.connect(self._on_failed)

    @Slot()
    def open(self) -> None:
        """Ask for the address."""
        self._dialog = TeamLibraryDialog(self._window)
        self._dialog.add_requested.connect(self._on_add_requested)
        self._dialog.finished.connect(self._on_dialog_finished)
        self._dialog.open()

    def close(self) -> None:
        """Stop the check and end the thread."""
        self._worker.close()

    @Slot(object)
    def _on_add_requested(self, request: TeamRequest) -> None:
        libraries = self._libraries

        def join(stop: Stop) -> Generator[KnownLibrary]:
            from desktop_rag.team.access.team_address import (
                TeamAddress,  # loaded when it is needed: the window starts without
            )
            from desktop_rag.team.access.team_joining import join_team_library
            from desktop_rag.team.access.team_mounts import mount_of

            address = TeamAddress(
                request.url,
                request.user,
                _at_home(request.ca_file),
                certificate=_at_home(request.certificate),
                token=request.token and bool(request.secret),
                mounts=(mount_of(request.mount),) if request.mount else (),
                files_url=request.store,
                files_key=request.store_key,
            )
            secrets = request.secret, request.store_secret if request.store else ""
            yield join_team_library(libraries, request.name, address, secrets[0], Credentials(), stop, secrets[1])

        if self._dialog is not None:
            self._dialog.show_checking()
            self._worker.ask(join)

    @Slot(int)
    def _on_dialog_finished(self) -> None:
        self._dialog = None
        self._worker.stop()

    def _on_added(self, library: KnownLibrary) -> None:
        if self._dialog is not None:
            self._dialog.accept()
            self.added.emit(library)

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        if self._dialog is not None:
            known = isinstance(error, DesktopRagError)
            self._dialog.show_failure(sentence(error) if known else self.tr("Something went wrong: {0}").format(error))


def _at_home(file: str) -> str:
    return str(Path(file).expanduser()) if file else ""
