"""Lets a second start of the program reach the open window: it hands over its folders or its link, and ends."""

import logging
import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import msgspec
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from desktop_rag.decoding import decode_json
from desktop_rag.gui.window.single_instance import InstanceRequest, WindowLock, address_of
from desktop_rag.index.library import Library

logger = logging.getLogger(__name__)

HANDOVER_SECONDS = 10.0  # to wait for a window that is just being opened or closed
LOOK_SECONDS = 0.1
PATIENCE_MILLISECONDS = 2000
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


def hand_over(
    library: Library,
    request: InstanceRequest | None = None,
    seconds: float = HANDOVER_SECONDS,
    closed: Callable[[], bool] = lambda: False,
) -> bool:
    """Raise the window that shows `library` and hand it `request`; return whether it answered.

    A window that is being closed answers no more, but holds its lock until its work has ended: give up once `closed`.
    """
    tokens = tuple((name, value) for name in TOKENS if (value := os.environ.get(name)))
    message = msgspec.json.encode(replace(request or InstanceRequest(), tokens=tokens)) + b"\n"
    deadline = time.monotonic() + seconds
    while True:
        if _send(address_of(library), message):
            return True
        if closed() or time.monotonic() > deadline:
            return False
        time.sleep(LOOK_SECONDS)


def leave_to_other_window(library: Library, request: InstanceRequest, lock: WindowLock) -> int | None:
    """Hand the folders and the link to the window that already shows the library; return the exit code.

    Return None once that window is closed: this process then holds the `lock` and shows the library itself.
    """
    if hand_over(library, request, closed=lock.acquire):
        return 0
    if lock.acquire():
        return None
    logger.error("the other window does not answer")
    sys.stderr.write(f"The library in {library.folder} is open in another window, which does not answer.\n")
    return 1


def _is_activation(token: tuple[str, str]) -> bool:
    """Return whether `token` may enter the environment: any other variable could change what this process runs."""
    name, value = token
    return name in TOKENS and "\0" not in value


def _send(address: str, message: bytes) -> bool:
    line = QLocalSocket()
    line.connectToServer(address)
    if not line.waitForConnected(PATIENCE_MILLISECONDS):
        return False
    line.write(message)
    answered = line.waitForReadyRead(PATIENCE_MILLISECONDS) and bytes(line.readAll().data()) == ACKNOWLEDGED
    line.close()
    return answered
