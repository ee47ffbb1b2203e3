"""Everything that works for one library while the window shows it, and a run that continues afterwards."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.agent.conversations.transcript import ConversationId
from desktop_rag.credentials import Credentials
from desktop_rag.gui.conversation.conversation_control import ConversationControl
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.library.forget_control import ForgetControl
from desktop_rag.gui.library.library_control import LibraryControl
from desktop_rag.gui.viewer.bookmarks.bookmark_control import BookmarkControl
from desktop_rag.gui.window.main_window import MainWindow
from desktop_rag.index.indexer_api import FolderStatus, LibraryStatus
from desktop_rag.index.libraries import KnownLibrary
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.settings import Settings


class Session(QObject):
    """One open library: its indexer client, searcher, bookmarks and conversations."""

    status_changed = Signal(object)  # the LibraryStatus, at most five times a second
    trouble = Signal(str, str)  # a title and a sentence
    folders_erased = Signal(object)  # the paths (bytes) of folders that were erased
    notified = Signal(str)  # a sentence for a toast
    finished_elsewhere = Signal(object, str, object)  # this Session, an answered question, and its ConversationId
    runs_finished = Signal(object)  # this Session: its run has ended and is stored

    def __init__(
        self,
        known: KnownLibrary,
        pane: ConversationPane,
        window: MainWindow,
        settings: Callable[[], Settings],
        credentials: Credentials,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.known = known
        library = known.library
        self.retriever = SearcherClient(library.folder)
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
        self._panel = window.library
        self._forgetting = ForgetControl(self.library.client, self.conversations, window, self)
        self._shown = False
        self._listed = False
        self._connect()

    def start(self) -> None:
        """Take over the window: follow the library and list its conversations."""
        self._shown = True
        self._panel.forget_requested.connect(self._on_forget_requested)
        self.library.start()
        if self.known.library.exists():
            self._list()

    def leave(self) -> None:
        """Release the window to another library; a running answer continues."""
        self._shown = self._listed = False
        self._panel.forget_requested.disconnect(self._on_forget_requested)
        self.library.leave()
        self.conversations.leave()

    def close(self) -> None:
        """Stop all work and wait for it, dependents first."""
        self.conversations.close()
        self.bookmarks.close()
        self.library.close()
        self.retriever.close()

    def _connect(self) -> None:
        library, conversations = self.library, self.conversations
        library.status_changed.connect(self._on_status)
        library.trouble.connect(self.trouble)
        library.notified.connect(self.notified)
        conversations.repository.trouble.connect(self.trouble)
        conversations.refused.connect(self.notified)
        conversations.feedback_given.connect(self.notified)
        conversations.repository.cited_changed.connect(library.keep_cited)
        conversations.finished_elsewhere.connect(self._on_finished_elsewhere)
        conversations.runs_finished.connect(self._on_runs_finished)
        self._forgetting.notified.connect(self.notified)
        self._forgetting.erased.connect(self.bookmarks.load)
        self._forgetting.erased.connect(self.folders_erased)
        self.bookmarks.trouble.connect(self.trouble)
        self.bookmarks.notified.connect(self.notified)

    def _list(self) -> None:
        self._listed = True
        self.conversations.start()
        self.bookmarks.load()

    @Slot(object)
    def _on_status(self, status: LibraryStatus) -> None:
        if self._shown and not self._listed and not status.missing and not status.trouble:
            self._list()  # its disk has been connected
        self._forgetting.note(status)
        self.status_changed.emit(status)

    @Slot(object)
    def _on_forget_requested(self, folder: FolderStatus) -> None:
        self._forgetting.ask(folder)

    @Slot(str, object)
    def _on_finished_elsewhere(self, question: str, conversation: ConversationId | None) -> None:
        self.finished_elsewhere.emit(self, question, conversation)

    @Slot()
    def _on_runs_finished(self) -> None:
        self.runs_finished.emit(self)
