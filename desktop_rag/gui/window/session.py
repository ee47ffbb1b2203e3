"""Everything that works for one library while the window shows it, and a run that continues afterwards."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot

from desktop_rag.agent.conversations.bookmarks import Bookmark
from desktop_rag.credentials import Credentials
from desktop_rag.gui.conversation.conversation_control import ConversationControl
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.run_pool import RunInProgress
from desktop_rag.gui.library.library_control import LibraryControl
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.viewer.bookmarks.bookmark_control import BookmarkControl
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.gui.window.forget_control import ForgetControl
from desktop_rag.gui.window.main_window import MainWindow
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.index.libraries import KnownLibrary
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.retrieval.service.search_host import SearchHost
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.settings import Settings


class Session(QObject):
    """One open library: its indexer client, searcher, bookmarks and conversations."""

    finished_elsewhere = Signal(object, RunInProgress)  # this Session, and a run that ended or asks out of sight
    run_noticed = Signal(object, RunInProgress)  # this Session, and a run that ended or asks, in sight or not
    runs_finished = Signal(object)  # this Session: its run has ended and is stored

    def __init__(
        self,
        known: KnownLibrary,
        pane: ConversationPane,
        viewer: ViewerPanel,
        window: MainWindow,
        status: ShownStatus,
        settings: Callable[[], Settings],
        credentials: Credentials,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.known = known
        library = known.library
        self.retriever = SearcherClient(library.folder)  # for runs
        self._search_host = SearchHost(library, self.retriever)  # for the command line
        self.urgent_retriever = self.retriever.asker(urgent=True)  # for what the user looks at; same processes
        self.library = LibraryControl(LibraryClient(library, must_exist=known.made), window.library, self)
        self.conversations = ConversationControl(
            pane,
            window.conversations,
            self.retriever,
            library.conversations,
            settings,
            self,
            credentials,
            library.exists,
        )
        self.bookmarks = BookmarkControl(library.bookmarks, library.exists, self)
        self._viewer = viewer
        self._window = window
        self._status = status
        self._forgetting = ForgetControl(self.library.client, self.conversations, window, self)
        self._shown = False
        self._listed = False
        self._connect()

    def start(self) -> None:
        """Take over the window: follow the library and list its conversations."""
        self._shown = True
        for signal, slot in self._requests():
            signal.connect(slot)
        self.library.start()
        if self.known.library.exists():
            self._list()

    def leave(self) -> None:
        """Release the window to another library; a running answer continues."""
        self._shown = self._listed = False
        for signal, slot in self._requests():
            signal.disconnect(slot)
        self.library.leave()
        self._status.reset()
        self.conversations.leave()

    def close(self) -> None:
        """Stop all work and wait for it, dependents first."""
        self.conversations.close()
        self.bookmarks.close()
        self.library.close()
        self._search_host.close()
        self.retriever.close()

    def _requests(self) -> tuple[tuple[SignalInstance, Callable[..., None]], ...]:
        """Return what the window asks of the library it shows."""
        viewer, bookmarks = self._viewer, self.bookmarks
        return (
            (self._window.library.forget_requested, self._forgetting.ask),
            (self._window.folder_relocated, self.library.relocate),
            (self._window.asked_about, self.conversations.limit_to),
            (viewer.bookmarking.added, bookmarks.add),
            (viewer.bookmarking.note_changed, bookmarks.write_note),
            (viewer.bookmarking.export_requested, bookmarks.export),
            (viewer.requests.delete_requested, bookmarks.delete),
        )

    def _connect(self) -> None:
        library, conversations, bookmarks, window = self.library, self.conversations, self.bookmarks, self._window
        library.status_changed.connect(self._on_status)
        library.status_changed.connect(conversations.sources.update)
        for trouble in (library.trouble, conversations.repository.trouble, bookmarks.trouble):
            trouble.connect(window.show_trouble)
        for notified in (library.notified, self._forgetting.notified, bookmarks.notified):
            notified.connect(window.show_toast)
        conversations.refused.connect(window.show_toast)
        conversations.notified.connect(window.show_toast)
        conversations.undoable.connect(window.offer_undo)
        for saved in (conversations.saved, bookmarks.saved):
            saved.connect(self._on_saved)
        conversations.feedback_given.connect(window.show_toast)
        conversations.repository.cited_changed.connect(library.keep_cited)
        conversations.repository.attached_changed.connect(library.keep_attached)
        conversations.add_requested.connect(library.add)
        conversations.finished_elsewhere.connect(self._on_finished_elsewhere)
        conversations.run_noticed.connect(partial(self.run_noticed.emit, self))
        conversations.runs_finished.connect(self._on_runs_finished)
        self._forgetting.erased.connect(bookmarks.load)
        self._forgetting.erased.connect(self._viewer.close_folders)
        bookmarks.changed.connect(self._on_bookmarks_changed)
        bookmarks.removed.connect(self._on_bookmark_removed)

    def _list(self) -> None:
        self._listed = True
        self.conversations.start()
        self.bookmarks.load()

    @Slot(object)
    def _on_status(self, status: LibraryStatus) -> None:
        if self._shown and not self._listed and not status.missing and not status.trouble:
            self._list()  # its disk has been connected
        self._forgetting.note(status)
        self._status.update(status)

    @Slot(tuple)
    def _on_bookmarks_changed(self, bookmarks: tuple[Bookmark, ...]) -> None:
        if self._shown:
            self._viewer.show_bookmarks(bookmarks)

    @Slot(Bookmark)
    def _on_bookmark_removed(self, bookmark: Bookmark) -> None:
        self._window.offer_undo(self.tr("Bookmark deleted"), partial(self.bookmarks.restore, bookmark))

    @Slot(str, Path)
    def _on_saved(self, text: str, path: Path) -> None:
        show = partial(self._viewer.requests.folder_requested.emit, path)
        self._window.show_toast(text, self.tr("Show in folder"), show)

    @Slot(object)
    def _on_finished_elsewhere(self, run: RunInProgress) -> None:
        self.finished_elsewhere.emit(self, run)

    @Slot()
    def _on_runs_finished(self) -> None:
        self.runs_finished.emit(self)
