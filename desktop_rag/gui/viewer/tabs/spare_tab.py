"""Makes the next document tab while the user looks at a preview, so that showing a hit takes half as long."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

if TYPE_CHECKING:
    from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab

_PAUSE = 120  # ms after a preview was shown; the hit itself is painted first


class SpareTab(QObject):
    """Holds at most one tab, made by `make`, that shows nothing yet."""

    def __init__(self, make: "Callable[[], DocumentTab]", parent: QObject) -> None:
        super().__init__(parent)
        self._make = make
        self._tab: DocumentTab | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE)
        self._timer.timeout.connect(self._on_timeout)

    def take(self, *, another: bool) -> "DocumentTab":
        """Return a new tab; with `another`, the next one is made soon."""
        tab, self._tab = self._tab, None
        if another:
            self._timer.start()
        return tab or self._make()

    def discard(self) -> None:
        """Forget the tab: it was made with settings that have changed."""
        tab, self._tab = self._tab, None
        if tab is not None:
            tab.deleteLater()

    @Slot()
    def _on_timeout(self) -> None:
        if self._tab is None:
            self._tab = self._make()
            self._tab.hide()
