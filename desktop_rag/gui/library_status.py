"""The status of the library in the window: one object, created by the window and handed down."""

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus

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
