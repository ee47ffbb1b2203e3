"""The Qt application: its names, its language, and what macOS asks it to open."""

import logging
import logging.handlers
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEvent, QEventLoop, QObject, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rag import __version__
from desktop_rag.gui.catalogues import install_catalogues
from desktop_rag.gui.window.single_instance import InstanceRequest
from desktop_rag.log_format import LogFormatter
from desktop_rag.paths import log_folder, private_folder, private_opener
from desktop_rag.processes.serving import collect_if_due, postpone_full_collections
from desktop_rag.settings import usable_settings
from desktop_rag.text.desktop_links import is_link


class DesktopApplication(QApplication):
    """Reports what macOS asks a running program to open."""

    opened = Signal(object)  # an InstanceRequest

    def event(self, event: QEvent) -> bool:
        """Take a file, a folder or a link to open."""
        request = self.request_of(event) if isinstance(event, QFileOpenEvent) else None
        if request is None:
            return super().event(event)
        self.opened.emit(request)
        return True

    @staticmethod
    def request_of(event: QFileOpenEvent) -> InstanceRequest | None:
        """Return what an event asks to open, None if it is neither a link of ours nor a file."""
        link = event.url().toString(QUrl.ComponentFormattingOption.FullyEncoded)
        if is_link(link):
            return InstanceRequest(link=link)
        return InstanceRequest((os.fsencode(event.file()),)) if event.file() else None


def make_application(arguments: Sequence[str]) -> QApplication:
    """Return the QApplication, named for the desktop and the settings."""
    application = DesktopApplication(list(arguments))
    application.setApplicationName("desktop-rag")
    application.setApplicationDisplayName("Desktop RAG")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("desktop-rag")
    # Icons are the program's and Qt's own: one clear button of a field would look for files in thousands of places.
    QIcon.setThemeSearchPaths([":/icons"])
    QIcon.setFallbackSearchPaths([":/icons"])
    install_catalogues(application, usable_settings().language)
    return application


# Paints a new window before the work of the start: until then it would be black.

_MOST_MS = 300  # a desktop that takes longer to show a window shows it while the program goes on
_TURN_MS = 20


def show_painted(window: QWidget) -> None:
    """Show a window and paint it; what the user does meanwhile waits for the event loop."""
    window.show()
    handle, deadline = window.windowHandle(), QDeadlineTimer(_MOST_MS)
    while not (handle.isExposed() or deadline.hasExpired()):
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents, _TURN_MS)


# Collects Python's oldest garbage while the user does nothing: with a long conversation open it takes 30 ms.

# Notices that the user works in the window, so that indexing slows down.

INTERVAL_MILLISECONDS = 2000  # minimum interval between two reports
STILL_MILLISECONDS = 10_000  # after which the caret rests: each blink paints, all day long in a window left open
_OF_THE_DESKTOP = -1

_SIGNS = (
    QEvent.Type.KeyPress,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.Wheel,
    QEvent.Type.InputMethod,
)


class UserActivity(QObject):
    """An event filter for a `QWindow` (which gets each event once); it consumes nothing."""

    noticed = Signal()  # the user did something; at most every two seconds

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._quiet = QTimer(self, singleShot=True, interval=INTERVAL_MILLISECONDS)
        self._still = QTimer(self, singleShot=True, interval=STILL_MILLISECONDS)
        self._still.timeout.connect(self._rest_caret)
        self._still.start()

    def is_recent(self) -> bool:
        """Return whether the user did something within the last moments."""
        return self._quiet.isActive()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note the event and pass it on."""
        if event.type() in _SIGNS and not self._quiet.isActive():
            self._quiet.start()
            self._still.start()
            QApplication.setCursorFlashTime(_OF_THE_DESKTOP)
            self.noticed.emit()
        return super().eventFilter(watched, event)

    @Slot()
    def _rest_caret(self) -> None:
        QApplication.setCursorFlashTime(0)


CHECK_MILLISECONDS = 3000


class IdleCollection(QObject):
    """Makes the full collections that Python would make at any allocation, such as those of a dialog that opens."""

    def __init__(self, activity: UserActivity) -> None:
        super().__init__(activity)
        self._activity = activity
        postpone_full_collections()
        timer = QTimer(self, interval=CHECK_MILLISECONDS)
        timer.timeout.connect(self.collect_if_due)
        timer.start()

    @Slot()
    def collect_if_due(self) -> None:
        """Make a full collection if one is due and the user did nothing for some moments."""
        if not self._activity.is_recent():
            collect_if_due()


# The log file of the window's process; questions and texts are never logged.

logger = logging.getLogger(__name__)


def log_to_file() -> None:
    """Log to a file of bounded size, or to standard error if it cannot be written, also uncaught exceptions."""
    handler: logging.Handler = logging.StreamHandler()
    with suppress(OSError):
        file = private_folder(log_folder()) / "window.log"
        handler = _PrivateFile(file, maxBytes=1_000_000, backupCount=2, encoding="utf-8")
    handler.setFormatter(LogFormatter("%(asctime)s %(levelname)s %(name)s:%(lineno)d: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda failure: _log_uncaught(
        failure.exc_type, failure.exc_value or failure.exc_type(), failure.exc_traceback
    )


class _PrivateFile(logging.handlers.RotatingFileHandler):
    """Writes files that only their owner may read."""

    def _open(self) -> TextIOWrapper:
        file = open(self.baseFilename, "ab", opener=private_opener)  # noqa: SIM115
        return TextIOWrapper(file, encoding=self.encoding, errors=self.errors)


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    logger.critical("uncaught", exc_info=(kind, error, trace))
    sys.__excepthook__(kind, error, trace)
