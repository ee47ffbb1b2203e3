"""The icon in the tray: opens the window, begins a question, pauses the reading, quits."""

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon, QWidget

from desktop_rag.gui.library_status import is_paused
from desktop_rag.gui.theme import icons
from desktop_rag.index.indexer_api import LibraryStatus


def tray_is_available() -> bool:
    """Return whether this desktop shows icons of programs."""
    return QSystemTrayIcon.isSystemTrayAvailable()


class TrayIcon(QObject):
    """Shown only where the user wants it; reports what was chosen in its menu."""

    open_requested = Signal()
    question_requested = Signal()
    pause_requested = Signal(object)  # of all folders: None
    resume_requested = Signal(object)
    quit_requested = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._icon: QSystemTrayIcon | None = None
        self._paused = False
        self.menu = QMenu(window)
        self.menu.addAction(self.tr("Open Desktop RAG")).triggered.connect(self.open_requested)
        self.menu.addAction(self.tr("New question")).triggered.connect(self.question_requested)
        self._pause = self.menu.addAction(self.tr("Pause reading"))
        self._pause.triggered.connect(self._on_pause)
        self.menu.addSeparator()
        self.menu.addAction(self.tr("Quit")).triggered.connect(self.quit_requested)

    def use(self, *, shown: bool) -> None:
        """Show or remove the icon."""
        if shown and self._icon is None and tray_is_available():
            self._icon = QSystemTrayIcon(icons.app_icon(), self)
            self._icon.setToolTip("Desktop RAG")
            self._icon.setContextMenu(self.menu)
            self._icon.activated.connect(self._on_activated)
            self._icon.show()
        elif not shown and self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None
        QApplication.setQuitOnLastWindowClosed(self._icon is None)

    def is_shown(self) -> bool:
        """Return whether the icon can be clicked: a hidden window can be opened again."""
        return self._icon is not None and self._icon.isVisible() and tray_is_available()

    @Slot(LibraryStatus)
    def note_status(self, status: LibraryStatus) -> None:
        """Offer to pause the reading, or to resume it."""
        self._paused = is_paused(status)
        self._pause.setText(self.tr("Resume reading") if self._paused else self.tr("Pause reading"))
        self._pause.setEnabled(bool(status.folders))

    @Slot()
    def _on_pause(self) -> None:
        (self.resume_requested if self._paused else self.pause_requested).emit(None)

    @Slot(QSystemTrayIcon.ActivationReason)
    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is QSystemTrayIcon.ActivationReason.Trigger:
            self.open_requested.emit()
