"""Forgets a folder after confirmation: shows what will be erased, erases it, reports when nothing is left on disk."""

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.agent.conversations.forgetting import ForgetPreview, forget, preview_forget
from desktop_rag.gui.conversation.conversation_control import ConversationControl
from desktop_rag.gui.formatting import counted, number
from desktop_rag.gui.library.library_dialogs import ForgetDialog
from desktop_rag.index.indexer_api import FolderStatus, LibraryStatus
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FolderId, FolderState
from desktop_rag.text.display import shown_name
from desktop_rag.work.work_store import erase_work


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
