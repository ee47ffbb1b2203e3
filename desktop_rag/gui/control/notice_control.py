"""Notices on the desktop, while another program is used, of long runs and of a new library."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication

from desktop_rag.agent.events import Answered, LimitAsked, RunFailed
from desktop_rag.gui import formatting
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.conversation.run_pool import RunInProgress
from desktop_rag.gui.desktop.notifications import Notifications
from desktop_rag.gui.formatting import counted, whole_seconds
from desktop_rag.gui.library.library_model import readable_count
from desktop_rag.gui.library_status import UNKNOWN
from desktop_rag.index.indexer_api import FolderStatus, LibraryStatus
from desktop_rag.index.records import FolderId, FolderState
from desktop_rag.settings import DesktopOptions
from desktop_rag.text.display import shorten

LONG_SECONDS = 15.0  # what took less is not worth a notice


def _is_active() -> bool:
    return QGuiApplication.applicationState() is Qt.ApplicationState.ApplicationActive


class NoticeControl(QObject):
    """Decides what is worth a notice; a notice contains no text of a document."""

    run_requested = Signal(object, RunInProgress)  # show this run of this session
    window_requested = Signal()  # show the window

    def __init__(
        self,
        options: Callable[[], DesktopOptions],
        parent: QObject | None = None,
        is_active: Callable[[], bool] = _is_active,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(parent)
        self._options = options
        self._is_active = is_active
        self._now = now
        self._notifications = Notifications(self)
        self._new_since: dict[FolderId, float] = {}  # folders whose first files are being read
        self._known: set[FolderId] = set()

    def close(self) -> None:
        """Stop and wait for the thread."""
        self._notifications.close()

    @Slot(object, RunInProgress)
    def note_run(self, session: object, run: RunInProgress) -> None:
        """Tell of a run that has ended, or that asks about a limit."""
        seconds = self._now() - run.started_ns / 1e9 if run.started_ns else 0.0
        title = self._ending(run)
        if title and seconds >= LONG_SECONDS:
            last = run.events[-1]
            text = sentence(last.title) if isinstance(last, RunFailed) else self._after(seconds)
            if self._options().notify_question:
                text = shorten(run.question)
            self._tell(title, text, lambda: self.run_requested.emit(session, run))

    @Slot(str, str)
    def note_news(self, question: str, text: str) -> None:
        """Tell that a standing question has news."""
        shown = question if self._options().notify_question else ""
        self._tell(text, shown, self.window_requested.emit)

    @Slot(LibraryStatus)
    def note_status(self, status: LibraryStatus) -> None:
        """Tell when every word of a new folder can be searched."""
        if status is UNKNOWN:
            self._new_since.clear()
            self._known.clear()
            return
        folders = {folder.folder: folder for folder in status.folders if folder.state is not FolderState.REMOVED}
        for number, folder in folders.items():
            if number not in self._known and not folder.searchable:
                self._new_since[number] = self._now()
        self._known = set(folders)
        since = min(self._new_since.values(), default=0.0)
        done = [number for number in self._new_since if number in folders and _all_words(folders[number])]
        for number in (*done, *(self._new_since.keys() - folders.keys())):
            del self._new_since[number]
        if done and not self._new_since and self._now() - since >= LONG_SECONDS:
            files, found = (sum(getattr(each, name) for each in folders.values()) for name in ("searchable", "found"))
            some = self.tr("{0} of {1} files; the library lists the others").format(
                *map(formatting.number, (files, found))
            )
            text = some if files < found else counted(self.tr("%Ln file(s)", "", files), files)
            self._tell(self.tr("The words of your documents can be searched"), text, self.window_requested.emit)

    @Slot(Qt.ApplicationState)
    def note_state(self, state: Qt.ApplicationState) -> None:
        """Withdraw what is still shown when the user comes back."""
        if state is Qt.ApplicationState.ApplicationActive:
            self._notifications.withdraw()

    def _ending(self, run: RunInProgress) -> str:
        """Return how a run ended as a title; empty if that is no news."""
        match run.events[-1] if run.events else None:
            case Answered(found=True):
                return self.tr("Your answer is ready")
            case Answered():
                return self.tr("No answer was found in your library")
            case RunFailed():
                return self.tr("A question could not be answered")
            case LimitAsked():
                return self.tr("A question has reached a limit and asks whether to go on")
        return ""

    def _after(self, seconds: float) -> str:
        return self.tr("After {0}").format(whole_seconds(seconds))

    def _tell(self, title: str, text: str, act: Callable[[], None]) -> None:
        if self._options().notify and not self._is_active():
            self._notifications.show(title, text, act)


def _all_words(folder: FolderStatus) -> bool:
    return 0 < folder.searchable >= readable_count(folder) and not folder.scanning
