"""Adds the library's server to other programs from the settings dialog; their files are used in the background."""

import os
import shlex
from collections.abc import Callable
from subprocess import list2cmdline
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from desktop_rag.errors import DesktopRagError, SettingsError
from desktop_rag.gui.background import CommandQueue
from desktop_rag.gui.catalogues import sentence
from desktop_rag.stop import Stop

if TYPE_CHECKING:  # loaded when the settings are opened
    from desktop_rag.gui.settings.programs_page import ProgramsPage, ProgramState
    from desktop_rag.index.libraries import KnownLibrary
    from desktop_rag.mcp_server.client_entries import PlannedChange


class ProgramsControl(QObject):
    """Serves the page of the settings dialog that is open; `library` returns the library of the window."""

    def __init__(self, library: "Callable[[], KnownLibrary]", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._page: ProgramsPage | None = None
        self._commands = CommandQueue("other programs", self)
        self._commands.failed.connect(self._on_failed)

    def serve(self, page: "ProgramsPage") -> None:
        """Fill a page until it is destroyed."""
        self._page = page
        page.change_requested.connect(self._on_change_requested)
        page.destroyed.connect(self._on_destroyed)
        self._refresh()

    def close(self) -> None:
        """Finish the change that is being written."""
        self._commands.close()

    def _refresh(self) -> None:
        library = self._library()

        def read(_: Stop) -> "tuple[list[ProgramState], str, str]":
            from desktop_rag.gui.settings.programs_page import ProgramState
            from desktop_rag.mcp_server import client_entries as entries

            states = [
                ProgramState(name, client.title, entries.is_installed(name), entries.is_added(name))
                for name, client in entries.CLIENTS.items()
            ]
            trouble = ""
            try:
                entries.require_protocol()
            except SettingsError as error:
                trouble = sentence(error)
            command = entries.server_command(library)
            return states, list2cmdline(command) if os.name == "nt" else shlex.join(command), trouble

        self._commands.run(read, lambda found: self._page.show_programs(*found) if self._page is not None else None)

    @Slot(str, bool)
    def _on_change_requested(self, name: str, adds: bool) -> None:  # noqa: FBT001 - a signal's argument
        library = self._library()

        def plan(_: Stop) -> "PlannedChange":
            from desktop_rag.mcp_server.client_entries import plan_adding, plan_removing

            return plan_adding(name, library) if adds else plan_removing(name)

        self._commands.run(plan, lambda change: self._ask(change, adds=adds))

    def _ask(self, change: "PlannedChange", *, adds: bool) -> None:
        from desktop_rag.gui.settings.programs_page import ProgramChangeDialog

        if self._page is None:
            return
        if not change.changes:
            self._refresh()
            return
        dialog = ProgramChangeDialog(change, self._page.window(), adds=adds)
        dialog.accepted.connect(lambda: self._write(change))
        dialog.open()

    def _write(self, change: "PlannedChange") -> None:
        def write(_: Stop) -> None:
            from desktop_rag.mcp_server.client_entries import carry_out

            carry_out(change)

        def tell(_: None) -> None:
            if self._page is not None:
                said = self.tr("The settings of {0} are changed. They count from its next start.")
                self._page.say(said.format(change.client))
            self._refresh()

        self._commands.run(write, tell)

    @Slot(object)
    def _on_failed(self, error: DesktopRagError) -> None:
        if self._page is not None:
            self._page.say(sentence(str(error)), trouble=True)

    @Slot()
    def _on_destroyed(self) -> None:
        self._page = None
