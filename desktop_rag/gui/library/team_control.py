"""Adds a team's library or edits its address: shows the dialog, and asks the server in the background."""

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.credentials import Credentials
from desktop_rag.errors import DesktopRagError
from desktop_rag.gui.background.latest_worker import LatestOnlyWorker
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.library.team_dialog import TeamLibraryDialog, TeamRequest
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from desktop_rag.team.access.team_joining import TeamAddress

# Whether there is a keychain, the fields of a library to edit, or the library that was added or changed.
_Found = bool | TeamRequest | KnownLibrary


class TeamControl(QObject):
    """Opens the dialog; nothing is stored before the server has answered. Closing the dialog ends the check."""

    added = Signal(object)  # the KnownLibrary to open
    changed = Signal(object)  # the KnownLibrary whose address was changed
    trouble = Signal(object)  # the error why an address cannot be edited

    def __init__(self, libraries: Libraries, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._libraries = libraries
        self._window = window
        self._dialog: TeamLibraryDialog | None = None
        self._edited: KnownLibrary | None = None
        self._worker = LatestOnlyWorker[_Found]("team library", self._on_found, self)
        self._worker.failed.connect(self._on_failed)

    @Slot()
    def open(self) -> None:
        """Ask for the address of a library to add."""
        self._edited = None
        self._show(None)

        def look(stop: Stop) -> Generator[_Found]:
            yield _can_keep_secrets()

        self._worker.ask(look)

    def edit(self, library: KnownLibrary) -> None:
        """Let the address of a library be changed."""
        self._edited = library

        def read(stop: Stop) -> Generator[_Found]:
            from desktop_rag.team.access.team_joining import require_team_address  # the window starts without it

            yield _fields(library.name, require_team_address(library))
            yield _can_keep_secrets()

        self._worker.ask(read)

    def _show(self, filled: TeamRequest | None) -> None:
        self._dialog = TeamLibraryDialog(self._window, filled)
        self._dialog.add_requested.connect(self._on_add_requested)
        self._dialog.finished.connect(self._on_dialog_finished)
        self._dialog.open()

    def close(self) -> None:
        """Stop the check and end the thread."""
        self._worker.close()

    @Slot(object)
    def _on_add_requested(self, request: TeamRequest) -> None:
        libraries, edited = self._libraries, self._edited

        def join(stop: Stop) -> Generator[_Found]:
            from desktop_rag.team.access.team_joining import (
                TeamAddress,  # loaded when it is needed: the window starts without
                change_team_library,
                join_team_library,
                require_team_address,
            )

            before = TeamAddress("") if edited is None else require_team_address(edited)
            address = _address(request, before)
            secrets = request.secret, request.store_secret if request.store else ""
            if edited is None:
                yield join_team_library(libraries, request.name, address, secrets[0], Credentials(), stop, secrets[1])
                return
            change_team_library(edited, address, secrets[0], Credentials(), stop, secrets[1])
            yield edited

        if self._dialog is not None:
            self._dialog.show_checking()
            self._worker.ask(join)

    @Slot(int)
    def _on_dialog_finished(self) -> None:
        self._dialog = None
        self._worker.stop()

    def _on_found(self, found: _Found) -> None:
        match found:
            case bool():
                if self._dialog is not None and not found:
                    self._dialog.show_no_keychain()
            case KnownLibrary():
                if self._dialog is not None:
                    self._dialog.accept()
                    (self.added if self._edited is None else self.changed).emit(found)
            case _:
                self._show(found)

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        if self._dialog is not None:
            known = isinstance(error, DesktopRagError)
            self._dialog.show_failure(sentence(error) if known else self.tr("Something went wrong: {0}").format(error))
        elif isinstance(error, DesktopRagError):
            self.trouble.emit(error)


def _fields(name: str, address: "TeamAddress") -> TeamRequest:
    """Return an address as the dialog shows it."""
    return TeamRequest(
        name,
        address.url,
        "",
        user=address.user,
        ca_file=address.ca_file,
        certificate=address.certificate,
        token=address.token,
        mount=" = ".join(address.mounts[0]) if address.mounts else "",
        store=address.files_url,
        store_key=address.files_key,
    )


def _address(request: TeamRequest, before: "TeamAddress") -> "TeamAddress":
    """Return the address in the fields of the dialog; spaces and further drives, which it does not show, are kept."""
    from desktop_rag.team.access.file_store import mount_of

    mounts = (mount_of(request.mount),) if request.mount else ()
    return replace(
        before,
        url=request.url,
        user=request.user,
        ca_file=_at_home(request.ca_file),
        certificate=_at_home(request.certificate),
        token=request.token and (bool(request.secret) or before.token),
        mounts=(*mounts, *before.mounts[1:]),
        files_url=request.store,
        files_key=request.store_key,
    )


def _can_keep_secrets() -> bool:
    """Return whether there is a keychain, or the environment has the password."""
    from desktop_rag.team.access.team_joining import password_of_environment

    return password_of_environment() or Credentials().persistent


def _at_home(file: str) -> str:
    return str(Path(file).expanduser()) if file else ""
