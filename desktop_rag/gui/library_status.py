"""The status of the library in the window: one object, created by the window and handed down."""

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, QObject, Signal, Slot

from desktop_rag.gui.formatting import shown_moment
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


def moment_text(seconds: float) -> str:
    """Return a moment (seconds since the epoch) as a time, with the date unless it is today."""
    moment = QDateTime.fromSecsSinceEpoch(int(seconds))
    if moment.date() == QDateTime.currentDateTime().date():
        return QLocale().toString(moment.time(), QLocale.FormatType.ShortFormat)
    return shown_moment(moment)


def _tr(text: str) -> str:
    return QCoreApplication.translate("WorkMenu", text)
