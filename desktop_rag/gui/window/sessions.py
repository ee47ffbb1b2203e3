"""Which library the window shows, and the other libraries in which a run is still in progress."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.agent.conversations.bookmarks import Bookmark
from desktop_rag.agent.conversations.forgetting import ForgetPreview, forget, preview_forget
from desktop_rag.credentials import Credentials
from desktop_rag.errors import DesktopRagError, LibraryError, LibraryMissing
from desktop_rag.gui.conversation.conversation_control import ConversationControl
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.run_pool import RunInProgress
from desktop_rag.gui.formatting import counted, library_name, number
from desktop_rag.gui.library.library_control import LibraryControl
from desktop_rag.gui.library.library_dialogs import ForgetDialog
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.viewer.bookmark_dialogs import BookmarkControl
from desktop_rag.gui.viewer.tabs.viewer_panel import ViewerPanel
from desktop_rag.gui.window.main_window import MainWindow
from desktop_rag.gui.window.single_instance import InstanceRequest, WindowLock
from desktop_rag.index.indexer_api import FolderStatus, LibraryStatus
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FolderId, FolderState
from desktop_rag.retrieval.service.search_host import SearchHost
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.settings import Settings
from desktop_rag.text.display import shown_name
from desktop_rag.work.work_store import erase_work

if TYPE_CHECKING:
    from desktop_rag.gui.window.instance_server import InstanceServer


# Forgets a folder after confirmation: shows what will be erased, erases it, reports when nothing is left on disk.


class ForgetControl(QObject):
    """Forgets folders of one library, in the index and in stored conversations."""

    notified = Signal(str)  # a sentence about what was done
    erased = Signal(object)  # the paths (bytes) of folders that were erased

    def __init__(
        self, client: LibraryClient, conversations: ConversationControl, window: QWidget, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._conversations = conversations
        self._window = window
        self._overwriting = ""  # the name of the folder whose text is being overwritten
        self._folders: dict[FolderId, bytes] = {}  # the folders of the previous status

    @Slot(object)
    def ask(self, folder: FolderStatus) -> None:
        """Collect what forgetting `folder` would erase, and ask for confirmation."""

        def show(found: ForgetPreview) -> None:
            self._show(folder, found)

        self._conversations.repository.run(lambda store, stop: preview_forget(self._client, store, folder, stop), show)

    @Slot(object)
    def note(self, status: LibraryStatus) -> None:
        """Reload conversations when a folder was forgotten, and report when its text is overwritten."""
        if status.missing:
            return
        folders = {known.folder for known in status.folders}
        gone = tuple(path for folder, path in self._folders.items() if folder not in folders)
        if gone:  # also when a command in another process forgot them
            self._conversations.reload()
            self.erased.emit(gone)
        self._folders = {known.folder: known.path for known in status.folders if known.state is not FolderState.REMOVED}
        if self._overwriting and not status.forgetting:
            self.notified.emit(self.tr("Nothing of “{0}” is left in the library").format(self._overwriting))
            self._overwriting = ""

    def _show(self, folder: FolderStatus, found: ForgetPreview) -> None:
        documents = counted(self.tr("%Ln document(s)", "", found.documents), found.documents)
        if found.bookmarks:
            bookmarks = counted(self.tr("%Ln bookmark(s)", "", found.bookmarks), found.bookmarks)
            documents = self.tr("{0} and {1}").format(documents, bookmarks)
        dialog = ForgetDialog(shown_name(folder.path), documents, self._answers(found.turns), self._window)
        dialog.confirmed.connect(lambda quotes: self._forget(folder, quotes=quotes))
        dialog.open()

    def _answers(self, turns: int) -> str:
        if not turns:
            return self.tr("No stored answer quotes it now; older copies of your conversations may.")
        if turns == 1:
            return self.tr("1 stored answer uses it. If erased, its question stays.")
        return self.tr("{0} stored answers use it. If erased, their questions stay.").format(number(turns))

    def _forget(self, folder: FolderStatus, *, quotes: bool) -> None:
        def done(_: object) -> None:
            self._overwriting = shown_name(folder.path)
            self.notified.emit(self.tr("“{0}” is forgotten; its text is being overwritten").format(self._overwriting))

        self._conversations.repository.run(
            lambda store, stop: forget(self._client, store, folder, stop, quotes=quotes, erase_work=erase_work), done
        )


# Everything that works for one library while the window shows it, and a run that continues afterwards.


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


logger = logging.getLogger(__name__)

HANDOVER_SECONDS = 1.0  # for a window that already shows another library
_LATER = Qt.ConnectionType.QueuedConnection


@dataclass(frozen=True, slots=True)
class _Open:
    """A library that is open in this process; no other window may show it."""

    session: Session
    lock: WindowLock
    server: "InstanceServer"


class Sessions(QObject):
    """Switches between libraries; a library with a run in progress stays open until the run ends."""

    leaving = Signal()  # the open library is about to be left
    shown = Signal(object)  # the Session that is now shown
    trouble = Signal(str, str)  # a title and a sentence
    notified = Signal(str)  # a sentence for a toast
    second_started = Signal(object)  # the InstanceRequest of a second start for the shown library

    def __init__(
        self, make: Callable[[KnownLibrary], Session], libraries: Libraries, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._make = make
        self._libraries = libraries
        self._open: dict[Path, _Open] = {}
        self._current: Session | None = None

    @property
    def current(self) -> Session:
        """Return the shown session; `show` must have been called."""
        assert self._current is not None
        return self._current

    def show(self, known: KnownLibrary, lock: WindowLock | None = None) -> bool:
        """Show a library (with its `lock` if already held); return False if another window shows it."""
        if self._current is not None and self._current.known.folder == known.folder:
            return True
        lock = lock or WindowLock(known.library)
        if known.folder not in self._open and not (lock.acquire() or self._is_closed(known, lock)):
            return False
        known = self._used(known)
        self._leave()
        opened = self._open.get(known.folder) or self._opened(known, lock)
        self._current = opened.session
        opened.session.start()
        self.shown.emit(opened.session)
        return True

    def busy(self) -> tuple[Session, ...]:
        """Return the hidden sessions with a run in progress."""
        return tuple(opened.session for opened in self._open.values() if opened.session is not self._current)

    def close(self) -> None:
        """Stop all work in all libraries and wait for it."""
        for opened in tuple(self._open.values()):
            self._close(opened)

    def _opened(self, known: KnownLibrary, lock: WindowLock) -> _Open:
        from desktop_rag.gui.window.instance_server import (
            InstanceServer,  # imports Qt's network module, which the first paint does not need
        )

        opened = _Open(self._make(known), lock, InstanceServer(known.library, self))
        opened.server.second_started.connect(self._on_second_start)
        opened.server.open()
        opened.session.runs_finished.connect(self._on_runs_finished, _LATER)
        self._open[known.folder] = opened
        return opened

    def _used(self, known: KnownLibrary) -> KnownLibrary:
        """Create a library if allowed and remember it as the last used; a missing one is shown too."""
        try:
            return self._libraries.use(known)
        except LibraryMissing:
            logger.warning("a library is missing")
        except (LibraryError, OSError) as error:
            sentence = str(error) if isinstance(error, DesktopRagError) else _unwritable(known, error)
            self.trouble.emit(LibraryError.title, sentence)
        return known

    def _leave(self) -> None:
        before, self._current = self._current, None
        if before is None:
            return
        self.leaving.emit()
        before.leave()
        if before.conversations.is_busy():
            self.notified.emit(self.tr("“{0}” is still being answered").format(before.conversations.running_question()))
        else:
            self._close(self._open[before.known.folder])

    def _close(self, opened: _Open) -> None:
        del self._open[opened.session.known.folder]
        opened.server.close()
        opened.session.close()
        opened.lock.release()
        for part in (opened.server, opened.session):
            part.deleteLater()

    def _is_closed(self, known: KnownLibrary, lock: WindowLock) -> bool:
        """Raise the window that shows a library; return whether it was closed meanwhile, so that we hold its `lock`."""
        from desktop_rag.gui.window.instance_server import Handover, hand_over

        name = library_name(known.name)
        if hand_over(Handover(known.library), HANDOVER_SECONDS, lock.acquire):
            self.notified.emit(self.tr("“{0}” is open in another window").format(name))
            return False
        if lock.acquire():
            return True
        sentence = self.tr("“{0}” is open in another window, which does not answer.").format(name)
        self.trouble.emit(LibraryError.title, sentence)
        return False

    @Slot(object)
    def _on_runs_finished(self, session: Session) -> None:
        opened = self._open.get(session.known.folder)
        if session is not self._current and opened is not None and not session.conversations.is_busy():
            self._close(opened)

    @Slot(object)
    def _on_second_start(self, request: InstanceRequest) -> None:
        server = self.sender()
        opened = next((opened for opened in self._open.values() if opened.server is server), None)
        if opened is not None and self.show(opened.session.known):
            self.second_started.emit(request)


def _unwritable(known: KnownLibrary, error: OSError) -> str:
    return (
        f"The library in {known.folder} cannot be written ({error.strerror or error}). What is in it can be searched."
    )
