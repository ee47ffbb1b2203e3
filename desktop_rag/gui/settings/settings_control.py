"""Connects the settings dialog with the settings file, the keychain and the connection test."""

from collections.abc import Generator, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.credentials import Credentials
from desktop_rag.errors import DesktopRagError, SettingsError
from desktop_rag.gui.background import CommandQueue, StreamWorker
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.command_palette import PaletteEntry
from desktop_rag.gui.command_parts import Commands
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.settings.folders_page import FolderRequests
from desktop_rag.gui.settings.page_titles import MODELS, page_titles, topics
from desktop_rag.gui.settings.settings_exchange import ImportedSettings, SettingsFiles
from desktop_rag.gui.theme.theme import resume_updates
from desktop_rag.paths import endpoints_file
from desktop_rag.settings import Profile, Settings, Theme, load, merged, save
from desktop_rag.stop import Stop

if TYPE_CHECKING:  # `Preloader` imports them once the window is shown
    from desktop_rag.gui.settings.settings_dialog import SettingsDialog
    from desktop_rag.gui.settings.settings_pages import History
    from desktop_rag.llm.local_servers import LocalServer
    from desktop_rag.llm.probe import ProbeResult

_NEXT_TURN = 1  # ms: two timers of 0 ms can expire in one turn of the event loop


class Insight(Protocol):
    """Fills pages with what the library knows."""

    def histories(self) -> "tuple[History, ...]":
        """Return what the open library remembers of the user's steps."""

    def serve(self, dialog: "SettingsDialog") -> None:
        """Fill the pages of an opened dialog until it is destroyed."""

    def close(self) -> None:
        """Stop the work and wait for it."""


class SettingsControl(QObject):
    """Holds the current settings and writes every change."""

    changed = Signal(Settings)  # the new settings, before they are written
    folder_requested = Signal(Path)  # show this file in the file manager
    trouble = Signal(str, str)  # a title and a sentence: something could not be read or stored

    def __init__(
        self,
        file: Path,
        credentials: Credentials,
        status: ShownStatus,
        window: QWidget,
        commands: Commands | None = None,
        insight: Insight | None = None,
    ) -> None:
        super().__init__(window)
        self._file = file
        self._credentials = credentials
        self._status = status
        self._window = window
        self._commands_of_window = commands or Commands(())
        self._insight = insight
        self._dialog: SettingsDialog | None = None
        self._commands = CommandQueue("settings", self)
        self._commands.failed.connect(self._on_failed)
        self.folders = FolderRequests(self)
        self.files = SettingsFiles(self._commands, self)
        self.files.imported.connect(self._on_imported)
        self.files.saved.connect(self._on_saved)
        self._probe = StreamWorker("probe", self._on_probed, self)
        self._search = StreamWorker("servers", self._on_server_found, self)
        self._search.finished.connect(self._on_search_ended)
        self._load_error = ""
        self.is_new = not file.exists()  # there were no settings when the program started
        try:
            self._settings = load(file)
        except SettingsError as error:
            self._settings = Settings()
            self._load_error = str(error)

    @property
    def settings(self) -> Settings:
        """Return the current settings."""
        return self._settings

    def start(self) -> None:
        """Report if the settings file could not be read."""
        if self._load_error:
            self.trouble.emit(SettingsError.title, self._load_error)

    def close(self) -> None:
        """Finish writing, and stop the connection test."""
        self._probe.close()
        self._search.close()
        if self._insight is not None:
            self._insight.close()
        self._commands.close()

    def use(self, settings: Settings) -> None:
        """Apply and write `settings`; an unreadable file is renamed, not overwritten."""
        if settings == self._settings:
            return
        base, self._settings = self._settings, settings
        unreadable, self._load_error = bool(self._load_error), ""
        self._commands.run(
            lambda _: _write(self._file, base, settings, keep_old=unreadable), partial(self._on_written, settings)
        )
        self.changed.emit(settings)

    def _on_written(self, settings: Settings, stored: Settings) -> None:
        """Take over what another process has changed, unless the user has already made another change here."""
        if stored != settings and self._settings == settings:
            self._settings = stored
            self.changed.emit(stored)

    @Slot(object)
    def choose_theme(self, theme: Theme) -> None:
        """Use `theme`."""
        self.use(replace(self._settings, theme=theme))

    @Slot(str)
    def choose_toolkit(self, name: str) -> None:
        """Use the toolkit `name`."""
        self.use(replace(self._settings, toolkit=name))

    @Slot(str)
    def choose_profile(self, name: str) -> None:
        """Use the profile `name`; "" is the built-in model."""
        self.use(replace(self._settings, active_profile=name))

    @Slot(str)
    def confirm_host(self, host: str) -> None:
        """Remember that the user allows sending to `host`."""
        privacy = self._settings.privacy
        hosts = (*(each for each in privacy.confirmed_hosts if each != host), host)
        self.use(replace(self._settings, privacy=replace(privacy, confirmed_hosts=hosts)))

    @Slot(Path)
    def choose_notes(self, folder: Path) -> None:
        """Save notes to `folder` from now on."""
        self.use(replace(self._settings, notes=str(folder)))

    @Slot(int)
    def choose_reserve(self, tokens: int) -> None:
        """Keep `tokens` of the context for answers of the active profile."""
        chosen = self._settings.active_profile
        profiles = tuple(
            replace(each, max_output=tokens) if each.name == chosen else each for each in self._settings.profiles
        )
        self.use(replace(self._settings, profiles=profiles))

    @Slot()
    def open_models(self) -> None:
        """Open the settings dialog where models are connected."""
        self.open_dialog(page_titles()[MODELS])

    @Slot()
    def open_dialog(self, page: str = "") -> None:
        """Open the settings dialog, perhaps at the page with this title."""
        from desktop_rag.gui.settings.settings_dialog import SettingsDialog

        folders = self._status.current.folders
        histories = self._insight.histories() if self._insight is not None else ()
        commands = self._commands_of_window
        dialog = SettingsDialog(self._settings, folders, self._window, commands, histories, self.folders, at_once=False)
        self._dialog = dialog
        dialog.settings_changed.connect(self.use)
        dialog.key_changed.connect(self._on_key_changed)
        dialog.profile_renamed.connect(self._on_profile_renamed)
        dialog.finished.connect(self._search.stop)
        dialog.export_requested.connect(self._on_export_requested)
        dialog.import_requested.connect(self._on_import_requested)
        dialog.folder_requested.connect(self.folder_requested)
        dialog.destroyed.connect(self._on_dialog_destroyed)
        QTimer.singleShot(_NEXT_TURN, dialog, partial(self._build, dialog, dialog.build(), page))

    def _build(self, dialog: "SettingsDialog", parts: Iterator[None], page: str) -> None:
        """Build the rest of the dialog and show it, each part in an event of its own: all together take a while."""
        for _ in parts:
            QTimer.singleShot(_NEXT_TURN, dialog, partial(self._build, dialog, parts, page))
            return
        models = dialog.profiles
        models.probe_requested.connect(self._on_probe_requested)
        models.probe_stopped.connect(self._probe.stop)
        models.examination_requested.connect(self._on_examination_requested)
        models.learned_requested.connect(self._on_learned_requested)
        models.search_requested.connect(self._on_search_requested)
        models.file_requested.connect(self._on_file_requested)
        if self._insight is not None:
            self._insight.serve(dialog)
        names = tuple(profile.name for profile in self._settings.profiles)
        self._commands.run(lambda _: self._stored(names), self._show_keys)
        self._status.changed.connect(dialog.show_status)
        dialog.show_page(page)
        QTimer.singleShot(_NEXT_TURN, dialog, partial(self._open, dialog))

    def _open(self, dialog: "SettingsDialog") -> None:
        """Lay the dialog out, and paint it in the next event."""
        dialog.setUpdatesEnabled(False)
        dialog.open()
        QTimer.singleShot(_NEXT_TURN, dialog, partial(resume_updates, dialog))

    def palette_entries(self) -> Iterator[PaletteEntry]:
        """Yield an entry for every page, and for some settings on them."""
        for title in page_titles():
            yield PaletteEntry(f"settings {title}", title, self.tr("Settings"), partial(self.open_dialog, title))
        for topic, title in topics():
            part = f"{self.tr('Settings')} · {title}"
            yield PaletteEntry(f"settings {topic}", topic, part, partial(self.open_dialog, title))

    def _stored(self, names: tuple[str, ...]) -> tuple[frozenset[str], str]:
        with_key = frozenset(name for name in names if self._credentials.get(name))
        return with_key, self._credentials.notice

    def _show_keys(self, found: tuple[frozenset[str], str]) -> None:
        if self._dialog is not None:
            self._dialog.profiles.show_keys(found[0], sentence(found[1]))

    @Slot()
    def _on_dialog_destroyed(self) -> None:
        self._dialog = None
        self._probe.stop()

    def store_key(self, name: str, key: str) -> None:
        """Keep the key of a profile in the keychain."""
        self._on_key_changed(name, key)

    @Slot()
    def _on_export_requested(self) -> None:
        self.files.ask_export(self._settings, self._dialog or self._window)

    @Slot()
    def _on_import_requested(self) -> None:
        self.files.ask_import(self._settings, self._dialog or self._window)

    @Slot(object)
    def _on_imported(self, imported: ImportedSettings) -> None:
        for name in imported.added:  # a key that was left behind under this name is not for the new address
            self._on_key_changed(name, "")
        self.use(imported.settings)
        if self._dialog is not None:
            self._dialog.reject()

    @Slot(str, Path)
    def _on_saved(self, text: str, path: Path) -> None:
        if self._dialog is not None:
            self._dialog.show_saved(text, path)

    @Slot(str, str)
    def _on_key_changed(self, name: str, key: str) -> None:
        if key:
            self._commands.run(lambda _: self._credentials.set(name, key))
        else:
            self._commands.run(lambda _: self._credentials.delete(name))

    @Slot(str, str)
    def _on_profile_renamed(self, old: str, new: str) -> None:
        def move(_: Stop) -> None:
            key = self._credentials.get(old)
            if key:
                self._credentials.set(new, key)
                self._credentials.delete(old)

        self._commands.run(move)

    @Slot(object, str)
    def _on_probe_requested(self, profile: Profile, key: str) -> None:
        def test(stop: Stop) -> Generator["ProbeResult"]:
            from desktop_rag.llm.endpoint_traits import EndpointMemory
            from desktop_rag.llm.probe import probe

            memory = EndpointMemory(endpoints_file())
            yield probe(profile, key or self._credentials.get(profile.name), stop, memory)

        self._probe.start(test)

    @Slot()
    def _on_search_requested(self) -> None:
        from desktop_rag.llm.local_servers import find_servers

        self._search.start(find_servers)

    @Slot()
    def _on_file_requested(self) -> None:
        from desktop_rag.gui.settings.endpoint.model_files_dialog import ModelFilesDialog

        if self._dialog is not None:
            dialog = ModelFilesDialog(self._dialog)
            dialog.chosen.connect(self._dialog.profiles.add_profile)
            dialog.open()
            dialog.start()

    @Slot(object)
    def _on_server_found(self, server: "LocalServer") -> None:
        if self._dialog is not None:
            self._dialog.profiles.add_server(server)

    @Slot()
    def _on_search_ended(self) -> None:
        if self._dialog is not None:
            self._dialog.profiles.end_search()

    @Slot(Profile, str)
    def _on_examination_requested(self, profile: Profile, key: str) -> None:
        from desktop_rag.gui.settings.endpoint.examination_dialog import ExaminationDialog

        dialog = ExaminationDialog(profile, self._dialog)
        dialog.open()
        dialog.start(key, self._credentials)

    @Slot(Profile)
    def _on_learned_requested(self, profile: Profile) -> None:
        from desktop_rag.gui.settings.endpoint.examination_dialog import LearnedDialog
        from desktop_rag.llm.endpoint_traits import EndpointMemory

        dialog = LearnedDialog(profile, EndpointMemory(endpoints_file()), self._dialog)
        dialog.open()
        dialog.read()

    @Slot(object)
    def _on_probed(self, result: "ProbeResult") -> None:
        if self._dialog is not None:
            self._dialog.profiles.show_probe(result)

    @Slot(object)
    def _on_failed(self, error: DesktopRagError) -> None:
        if self._dialog is not None:
            self._dialog.show_note(sentence(str(error)), trouble=True)
        self.trouble.emit(error.title, str(error))


def _write(file: Path, base: Settings, settings: Settings, *, keep_old: bool) -> Settings:
    """Write what changed from `base` to `settings` over what the file holds by now; return what it holds then."""
    if keep_old and file.exists():
        file.replace(file.with_suffix(".unreadable.json"))
    try:
        stored = merged(load(file) if file.exists() else base, base, settings)
    except SettingsError:  # it was broken since the start; the window's settings are whole
        stored = settings
    save(file, stored)
    return stored
