"""Lets a second start of the program reach the open window: it hands over its folders or its link, and ends."""

import logging
import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from enum import Enum

import msgspec
import psutil
from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rag.decoding import decode_json
from desktop_rag.gui.theme.theme import Look, set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog
from desktop_rag.gui.window.single_instance import InstanceRequest, WindowLock, address_of
from desktop_rag.index.library import Library
from desktop_rag.settings import usable_settings

logger = logging.getLogger(__name__)

LOOK_MILLISECONDS = 100
LONGEST_MESSAGE = 1 << 20
TOKENS = ("XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID")  # the right to take the focus, passed on by the launcher
ACKNOWLEDGED = b"heard"


class InstanceServer(QObject):
    """Listens for second starts while this process shows the library."""

    second_started = Signal(object)  # the InstanceRequest of a second start

    def __init__(self, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_new_connection)

    def open(self) -> None:
        """Start listening; the library's `WindowLock` must be held."""
        try:
            address = address_of(self._library)
        except OSError as error:
            logger.warning("a second window cannot reach this one: %s", error)
            return
        QLocalServer.removeServer(address)  # left over from a killed process
        if not self._server.listen(address):
            logger.warning("a second window cannot reach this one: %s", self._server.errorString())

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    @Slot()
    def _on_new_connection(self) -> None:
        while (line := self._server.nextPendingConnection()) is not None:
            line.readyRead.connect(self._on_ready_read)
            line.disconnected.connect(line.deleteLater)

    @Slot()
    def _on_ready_read(self) -> None:
        line = self.sender()
        if not isinstance(line, QLocalSocket):
            return
        if line.bytesAvailable() > LONGEST_MESSAGE:
            line.abort()
            return
        data = bytes(line.peek(LONGEST_MESSAGE).data())
        if not data.endswith(b"\n"):
            return
        line.readAll()
        try:
            request = decode_json(data, InstanceRequest)
        except (msgspec.DecodeError, ValueError):
            line.abort()
            return
        line.write(ACKNOWLEDGED)
        line.flush()
        line.disconnectFromServer()
        self.second_started.emit(replace(request, tokens=tuple(filter(_is_activation, request.tokens))))


class Handover:
    """A request on its way to the window that shows a library; it is sent again only where that window hangs up."""

    def __init__(self, library: Library, request: InstanceRequest | None = None) -> None:
        tokens = tuple((name, value) for name in TOKENS if (value := os.environ.get(name)))
        self._message = msgspec.json.encode(replace(request or InstanceRequest(), tokens=tokens)) + b"\n"
        self._address = address_of(library)
        self._line = QLocalSocket()

    def answered(self, milliseconds: int = 0) -> bool:
        """Return whether the window has taken the request, after waiting up to this long."""
        line = self._line
        if not line.bytesAvailable():  # the window hangs up after its answer, which can still be read then
            if line.state() != QLocalSocket.LocalSocketState.ConnectedState:
                line.abort()
                line.connectToServer(self._address)
                if not line.waitForConnected(milliseconds):
                    return False
                line.write(self._message)
                line.flush()
            line.waitForReadyRead(milliseconds)
        return bytes(line.readAll().data()) == ACKNOWLEDGED


def hand_over(handover: Handover, seconds: float, closed: Callable[[], bool]) -> bool:
    """Return whether the window that shows the library took the request within this time.

    A window that is being closed answers no more, but holds its lock until its work has ended: give up once `closed`.
    """
    deadline = time.monotonic() + seconds
    while not handover.answered(LOOK_MILLISECONDS):
        if closed() or time.monotonic() > deadline:
            return False
        time.sleep(LOOK_MILLISECONDS / 1000)
    return True


def _is_activation(token: tuple[str, str]) -> bool:
    """Return whether `token` may enter the environment: any other variable could change what this process runs."""
    name, value = token
    return name in TOKENS and "\0" not in value


# A second start hands its request to the window that shows the library; one that does not answer may be ended.

PATIENCE_SECONDS = 4.0  # before the user is told; the dialog goes away when the window answers after all
_LOOK_MILLISECONDS = 500


class WindowState(Enum):
    """What has become of the other window."""

    SILENT = "it does not answer"
    ANSWERED = "it has taken the request"
    CLOSED = "it has released the library"


class HungWindowDialog(ActionDialog):
    """Stays until the user leaves it or the other window answers or ends; `state` is then what `look` said last.

    `holder` is the process of the other window, None if it is not known: then it cannot be ended from here.
    """

    def __init__(
        self, look: Callable[[], WindowState], holder: psutil.Process | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(self.tr("Desktop RAG does not answer"), self.tr("End it and start anew"), parent)
        self.state = WindowState.SILENT
        self._look, self._holder = look, holder
        self.arrange(
            self.words(self.tr("The library is open in another window, which does not answer. It may be busy.")),
            self.words(
                self.tr(
                    "Wait a moment: this start goes on when it answers. Or end it: questions in progress stop, "
                    "everything that was stored stays."
                ),
                "muted",
            ),
        )
        self.act.clicked.disconnect(self.accept)
        self.act.clicked.connect(self._on_act_clicked)
        self.act.setVisible(holder is not None)
        set_role(self.act, "danger")
        timer = QTimer(self)
        timer.timeout.connect(self._on_look)
        timer.start(_LOOK_MILLISECONDS)

    @Slot()
    def _on_look(self) -> None:
        self.state = self._look()
        if self.state is not WindowState.SILENT:
            self.accept()

    @Slot()
    def _on_act_clicked(self) -> None:
        self.act.setEnabled(False)
        if self._holder is not None and self._holder.is_running():  # never another process with its number
            self._holder.kill()


def leave_to_other_window(
    application: QApplication, library: Library, request: InstanceRequest, lock: WindowLock
) -> int | None:
    """Hand the folders and the link to the window that already shows the library; return the exit code.

    Return None once that window is closed: this process then holds the `lock` and shows the library itself.
    """
    handover = Handover(library, request)
    if hand_over(handover, PATIENCE_SECONDS, lock.acquire):
        return 0
    if lock.acquire():
        return None
    logger.warning("the other window does not answer")

    def look() -> WindowState:
        if handover.answered():
            return WindowState.ANSWERED
        return WindowState.CLOSED if lock.acquire() else WindowState.SILENT

    settings, holder = usable_settings(), lock.holder()
    dialog = HungWindowDialog(look, psutil.Process(holder) if holder else None)
    Look(application, dialog).use(settings.theme, settings.font_percent, settings.density, settings.desktop)
    dialog.exec()  # and it is deleted, with its look
    match dialog.state:
        case WindowState.ANSWERED:
            return 0
        case WindowState.CLOSED:
            return None
    sys.stderr.write(f"The library in {library.folder} is open in another window, which does not answer.\n")
    return 1
