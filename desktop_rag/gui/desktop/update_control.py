"""Looks for a newer version when the user presses the button for it."""

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.errors import UpdateError
from desktop_rag.gui.background import StreamWorker
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop

if TYPE_CHECKING:  # the window starts without them
    from desktop_rag.gui.desktop.update_dialog import UpdateDialog
    from desktop_rag.releases import Release


class UpdateControl(QObject):
    """Opens the dialog, keeps its address in the settings, and asks it."""

    def __init__(self, settings: Callable[[], Settings], use: Callable[[Settings], None], window: QWidget) -> None:
        super().__init__(window)
        self._settings = settings
        self._use = use
        self._window = window
        self._dialog: UpdateDialog | None = None
        self._worker: StreamWorker[Release] = StreamWorker("updates", self._on_answered, self)
        self._worker.failed.connect(self._on_failed)

    def close(self) -> None:
        """Stop asking and wait for the thread."""
        self._worker.close()

    @Slot()
    def open(self) -> None:
        """Open the dialog; nothing is asked yet."""
        from desktop_rag.gui.desktop.update_dialog import UpdateDialog

        dialog = self._dialog = UpdateDialog(self._settings().update_address, self._window)
        dialog.check_requested.connect(self._on_check_requested)
        dialog.destroyed.connect(self._on_closed)
        dialog.open()

    @Slot(str)
    def _on_check_requested(self, address: str) -> None:
        from desktop_rag.releases import newest_release, usable_address

        try:
            usable = usable_address(address)  # an address with a password is not stored
        except UpdateError as error:
            self._on_failed(error)
            return
        self._use(replace(self._settings(), update_address=usable))

        def ask(stop: Stop) -> "Generator[Release]":
            yield newest_release(usable, stop)

        self._worker.start(ask)

    @Slot(object)
    def _on_answered(self, release: "Release") -> None:
        if self._dialog is not None:
            self._dialog.show_release(release)

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        if self._dialog is not None:
            self._dialog.show_error(error)

    @Slot()
    def _on_closed(self) -> None:
        self._dialog = None
        self._worker.stop()
