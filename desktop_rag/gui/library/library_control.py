"""Connects the library panel with the library: gestures become commands, progress comes back."""

import logging
import os
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.errors import DesktopRagError
from desktop_rag.gui.commands import Commands
from desktop_rag.gui.foreign import shown_name
from desktop_rag.gui.library.library_panel import LibraryPanel
from desktop_rag.gui.worker import StreamWorker
from desktop_rag.index.client import LibraryClient
from desktop_rag.index.messages import FoldersAdded, LibraryStatus, Problems
from desktop_rag.index.records import FolderId, FolderRules
from desktop_rag.paths import resources

logger = logging.getLogger(__name__)


class LibraryControl(QObject):
    """Carries out what the library panel asks for."""

    status_changed = Signal(object)  # the LibraryStatus, at most five times a second
    trouble = Signal(str, str)  # a title and a sentence: a command could not be carried out

    def __init__(self, client: LibraryClient, panel: LibraryPanel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._client = client
        self._panel = panel
        self._commands = Commands("library", self)
        self._commands.failed.connect(self._on_failed)
        self._status = StreamWorker("status", self)
        self._status.yielded.connect(self._on_status)
        self._status.failed.connect(self._on_failed)
        panel.folders_dropped.connect(self.add)
        panel.pause_requested.connect(self._on_pause)
        panel.resume_requested.connect(self._on_resume)
        panel.rescan_requested.connect(self._on_rescan)
        panel.remove_requested.connect(self._on_remove)
        panel.restore_requested.connect(self._on_restore)
        panel.rules_changed.connect(self._on_rules)
        panel.problems_requested.connect(self._on_problems)
        panel.sample_requested.connect(self.add_sample)

    def start(self) -> None:
        """Begin to follow the progress; starts the indexer if nobody has."""
        self._status.start(self._client.follow)

    def close(self) -> None:
        """Stop following and leave the indexer."""
        self._status.close()
        self._commands.close()
        self._client.close()

    @Slot(object)
    def add(self, paths: tuple[bytes, ...]) -> None:
        """Index dropped or chosen folders and files."""
        given = tuple(Path(os.fsdecode(path)) for path in paths)
        self._commands.run(lambda stop: self._client.add(given, stop), self._show_added)

    @Slot()
    def add_sample(self) -> None:
        """Index the sample library that comes with the program."""
        self.add((os.fsencode(resources() / "sample"),))

    def _show_added(self, added: object) -> None:
        if isinstance(added, FoldersAdded) and added.refused:
            path, reason = added.refused[0]
            self.trouble.emit(self.tr("“{0}” was not added").format(shown_name(path)), reason)

    @Slot(object)
    def _on_status(self, status: object) -> None:
        if isinstance(status, LibraryStatus):
            self.status_changed.emit(status)

    @Slot(object)
    def _on_pause(self, folder: FolderId | None) -> None:
        self._commands.run(lambda stop: self._client.pause(folder, stop))

    @Slot(object)
    def _on_resume(self, folder: FolderId | None) -> None:
        self._commands.run(lambda stop: self._client.resume(folder, stop))

    @Slot(object)
    def _on_rescan(self, folder: FolderId | None) -> None:
        self._commands.run(lambda stop: self._client.rescan(folder, stop))

    @Slot(object)
    def _on_remove(self, folder: FolderId) -> None:
        self._commands.run(lambda stop: self._client.remove(folder, stop))

    @Slot(object)
    def _on_restore(self, folder: FolderId) -> None:
        self._commands.run(lambda stop: self._client.restore(folder, stop))

    @Slot(object, object)
    def _on_rules(self, folder: FolderId, rules: FolderRules) -> None:
        self._commands.run(lambda stop: self._client.change_rules(folder, rules, stop))

    @Slot(object)
    def _on_problems(self, folder: FolderId) -> None:
        def show(found: object) -> None:
            if isinstance(found, Problems):
                self._panel.show_problems(folder, found)

        self._commands.run(lambda stop: self._client.problems(folder, 1000, stop), show)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        title = error.title if isinstance(error, DesktopRagError) else self.tr("Something went wrong")
        logger.error("library: %s: %s", title, error)
        self.trouble.emit(title, str(error))
