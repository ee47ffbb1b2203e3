"""Connects the library panel with the indexer: gestures become commands, progress comes back."""

import logging
import os
from collections.abc import Callable, Generator
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot

from desktop_rag.errors import DesktopRagError
from desktop_rag.gui.background import CommandQueue, LatestOnlyWorker, StreamWorker
from desktop_rag.gui.formatting import number
from desktop_rag.gui.library.library_panel import LibraryPanel
from desktop_rag.index.folders.rules import RuleDecision
from desktop_rag.index.indexer_api import FoldersAdded, LibraryStatus, Relocated, RulePreview
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FolderId, FolderRules
from desktop_rag.paths import resources
from desktop_rag.stop import Stop
from desktop_rag.text.display import shown_name

logger = logging.getLogger(__name__)


class LibraryControl(QObject):
    """Carries out the commands of the library panel while it shows this library."""

    status_changed = Signal(object)  # the LibraryStatus, at most five times a second
    trouble = Signal(str, str)  # a title and a sentence: a command failed
    notified = Signal(str)  # a sentence about what a command did

    def __init__(self, client: LibraryClient, panel: LibraryPanel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.client = client  # its methods block: call them in the background only
        self._panel = panel
        self._shown = False
        self._commands = CommandQueue("library", self)
        self._commands.failed.connect(self._on_failed)
        self._look_ups = CommandQueue(
            "look-ups", self
        )  # local disk work, which may be slow and must not delay commands
        self._look_ups.failed.connect(self._on_failed)
        self._previews = LatestOnlyWorker[tuple[FolderRules, RulePreview]]("rules", self._on_preview, self)
        self._previews.failed.connect(self._on_failed)
        self._status = StreamWorker("status", self._on_status, self)
        self._status.failed.connect(self._on_failed)
        self._wires: tuple[tuple[SignalInstance, Callable[..., None]], ...] = (
            (panel.folders_dropped, self.add),
            (panel.pause_requested, partial(self._run, client.pause)),
            (panel.resume_requested, partial(self._run, client.resume)),
            (panel.schedule_chosen, partial(self._run, client.set_schedule)),
            (panel.rescan_requested, partial(self._run, client.rescan)),
            (panel.retry_requested, partial(self._run, client.try_again)),
            (panel.remove_requested, partial(self._run, client.remove)),
            (panel.restore_requested, partial(self._run, client.restore)),
            (panel.rules_changed, partial(self._run, client.change_rules)),
            (panel.path_asked, self._on_path_asked),
            (panel.preview_asked, self._on_preview_asked),
            (panel.sample_requested, self.add_sample),
        )
        self._take_panel()

    def start(self) -> None:
        """Follow the progress in the panel, also again after `leave`; start the indexer if it is not running."""
        if not self._shown:
            self._take_panel()
        self._status.start(self.client.follow)

    def _take_panel(self) -> None:
        self._shown = True
        for signal, slot in self._wires:
            signal.connect(slot)

    def leave(self) -> None:
        """Stop following the progress and taking commands from the panel."""
        self._shown = False
        for signal, slot in self._wires:
            signal.disconnect(slot)
        self._status.stop()

    def close(self) -> None:
        """Stop following and disconnect from the indexer."""
        self._status.close()
        self._previews.close()
        self._commands.close()
        self._look_ups.close()
        self.client.close()

    @Slot(object)
    def add(self, paths: tuple[bytes, ...]) -> None:
        """Index dropped or chosen folders and files."""
        given = tuple(Path(os.fsdecode(path)) for path in paths)
        self._commands.run(lambda stop: self.client.add(given, stop), self._show_added)

    @Slot(object)
    def keep_cited(self, contents: tuple[bytes, ...]) -> None:
        """Keep the contents that stored answers cite."""
        self._send(lambda stop: self.client.keep_cited(contents, stop))

    @Slot(object)
    def keep_attached(self, paths: tuple[bytes, ...]) -> None:
        """Index what conversations have attached; what cannot be attached is said."""

        def show(added: FoldersAdded) -> None:
            for path, reason in added.refused[:1]:
                self.notified.emit(self.tr("“{0}” was not attached. {1}").format(shown_name(path), reason))

        self._commands.run(lambda stop: self.client.keep_attached(paths, stop), show)

    @Slot(object, object)
    def relocate(self, old: bytes, new: bytes) -> None:
        """Move a folder of the library to its new location."""

        def show(moved: Relocated) -> None:
            known, files = number(moved.known), number(moved.files)
            message = self.tr("Found “{0}” again; {1} of {2} files did not need to be read again")
            self.notified.emit(message.format(shown_name(new), known, files))

        self._commands.run(lambda stop: self.client.relocate(old, new, stop), show)

    @Slot()
    def note_activity(self) -> None:
        """Slow indexing down while the user works in the window."""
        self._send(self.client.user_is_active)

    def _send(self, say: Callable[[Stop], None]) -> None:
        """Send the indexer a command the user did not ask for; errors show in the status."""

        def tell(stop: Stop) -> None:
            with suppress(DesktopRagError):
                say(stop)

        self._look_ups.run(tell)

    @Slot()
    def add_sample(self) -> None:
        """Index the bundled sample library."""
        self.add((os.fsencode(resources() / "sample"),))

    def _show_added(self, added: FoldersAdded) -> None:
        if added.refused:
            path, reason = added.refused[0]
            self.trouble.emit(self.tr("“{0}” was not added").format(shown_name(path)), reason)

    @Slot(object)
    def _on_status(self, status: LibraryStatus) -> None:
        if self._shown:  # the worker delivers late events after `leave`
            self.status_changed.emit(status)

    def _run(self, command: Callable[..., object], *arguments: object) -> None:
        """Send the indexer a command of the panel."""
        self._commands.run(lambda stop: command(*arguments, stop))

    @Slot(object, object, object)
    def _on_path_asked(self, root: bytes, rules: FolderRules, path: bytes) -> None:
        def look_up(_: Stop) -> RuleDecision | None:
            from desktop_rag.index.folders.path_explanation import decide  # reads the catalog, which the start does not

            return decide(root, rules, path)

        self._look_ups.run(look_up, self._panel.show_decision)

    @Slot(object, object)
    def _on_preview_asked(self, folder: FolderId, rules: FolderRules) -> None:
        def count(stop: Stop) -> Generator[tuple[FolderRules, RulePreview]]:
            for counted in self.client.preview_rules(folder, rules, stop):
                yield rules, counted

        self._previews.ask(count)

    @Slot(object)
    def _on_preview(self, counted: tuple[FolderRules, RulePreview]) -> None:
        self._panel.show_preview(*counted)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        title = error.title if isinstance(error, DesktopRagError) else self.tr("Something went wrong")
        logger.error("library: %s: %s", title, error)
        self.trouble.emit(title, str(error))
