"""Keeps the start at login as the settings want it, and the settings as the desktop has it."""

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.errors import DesktopRagError
from desktop_rag.gui.background.command_queue import CommandQueue
from desktop_rag.gui.desktop.login_start import set_start_at_login, starts_at_login
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.settings import Settings

_LATER_MS = 3_000  # after the start, which has more urgent work


class LoginControl(QObject):
    """Writes or removes the entry when the setting changes; one that was removed elsewhere switches the setting off."""

    trouble = Signal(str, str)  # a title and a sentence

    def __init__(self, settings: SettingsControl, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._on = settings.settings.desktop.start_at_login
        self._commands = CommandQueue("start at login", self)
        self._commands.failed.connect(self._on_failed)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_LATER_MS)
        self._later.timeout.connect(self.compare)
        settings.changed.connect(self._on_changed)

    @Slot()
    def start(self) -> None:
        """Compare later: the program may have moved, or the entry been removed by a tool of the desktop."""
        if self._on:
            self._later.start()

    @Slot()
    def compare(self) -> None:
        """Write the entry again if it is there, else switch the setting off."""

        def look() -> bool:
            there = starts_at_login()
            if there:
                set_start_at_login(on=True)
            return there

        self._commands.run(lambda _: look(), self._on_compared)

    def close(self) -> None:
        """Finish and wait for the thread."""
        self._later.stop()
        self._commands.close()

    def _on_compared(self, there: bool) -> None:  # noqa: FBT001 - the result of a command
        if not there and self._on:
            self._on = False
            settings = self._settings.settings
            self._settings.use(replace(settings, desktop=replace(settings.desktop, start_at_login=False)))

    @Slot(Settings)
    def _on_changed(self, settings: Settings) -> None:
        on = settings.desktop.start_at_login
        if on != self._on:
            self._on = on
            self._commands.run(lambda _: set_start_at_login(on=on))

    @Slot(object)
    def _on_failed(self, error: DesktopRagError) -> None:
        self.trouble.emit(error.title, str(error))
