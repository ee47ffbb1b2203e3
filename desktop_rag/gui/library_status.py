"""The status of the library in the window: one object, created by the window and handed down."""

from PySide6.QtCore import QCoreApplication, QDateTime, QObject, Signal, Slot

from desktop_rag.gui.formatting import counted, number, shown_moment, shown_time
from desktop_rag.index.indexer_api import Hold, IndexingPhase, LibraryStatus
from desktop_rag.index.records import FolderState

UNKNOWN = LibraryStatus((), IndexingPhase.IDLE)  # until the indexer of the library has answered; compare with `is`


class ShownStatus(QObject):
    """Holds the latest status; each part that shows it connects itself with `changed`."""

    changed = Signal(LibraryStatus)  # at most five times a second; `UNKNOWN` when another library opens

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.current = UNKNOWN

    @Slot(LibraryStatus)
    def update(self, status: LibraryStatus) -> None:
        """Replace the status."""
        self.current = status
        self.changed.emit(status)

    def reset(self) -> None:
        """Forget the status: the library is left."""
        self.update(UNKNOWN)


def is_paused(status: LibraryStatus) -> bool:
    """Return whether the reading is paused as a whole; the folders are paused before the work is."""
    listed = [folder for folder in status.folders if folder.state is not FolderState.REMOVED]
    all_paused = bool(listed) and all(folder.state is FolderState.PAUSED for folder in listed)
    return status.phase is IndexingPhase.PAUSED or all_paused


def waiting_for(status: LibraryStatus) -> str:
    """Return what the work of a library waits for, as a sentence without its end; empty if for nothing."""
    match status.hold:
        case Hold.PAUSED:
            return _tr("Paused until {0}").format(moment_text(status.schedule.paused_until))
        case Hold.IDLE:
            return _tr("Waiting until the computer is idle")
        case Hold.MAINS:
            return _tr("Waiting for mains power")
    return ""


def totals_text(status: LibraryStatus) -> str:
    """Return how many files of the library can be searched; the same words everywhere."""
    if status is UNKNOWN:
        return ""
    if status.missing:
        return _tr("This library is missing")
    shown = [folder for folder in status.folders if folder.state is not FolderState.REMOVED]
    if not shown:
        return _tr("Your library is empty")
    searchable, found = sum(f.searchable for f in shown), sum(folder.found for folder in shown)
    readable = found - sum(folder.left_out for folder in shown)
    if searchable == readable and (found > searchable or status.phase is IndexingPhase.IDLE):
        if found > searchable:  # as many as the page of all files has
            return _tr("{0} of {1} files can be searched").format(number(searchable), number(found))
        return counted(QCoreApplication.translate("WorkMenu", "%Ln file(s)", "", searchable), searchable)
    return _tr("Words: {0} of {1} files").format(number(searchable), number(found))


def moment_text(seconds: float) -> str:
    """Return a moment (seconds since the epoch) as a time, with the date unless it is today."""
    moment = QDateTime.fromSecsSinceEpoch(int(seconds))
    if moment.date() == QDateTime.currentDateTime().date():
        return shown_time(moment.time())
    return shown_moment(moment)


def _tr(text: str) -> str:
    return QCoreApplication.translate("WorkMenu", text)
