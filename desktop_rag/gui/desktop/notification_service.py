"""The notifications of a Linux desktop: org.freedesktop.Notifications on the session bus, served on one thread."""

import html
import select
import socket
import threading
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from jeepney import Message
    from jeepney.io.blocking import DBusConnection

_NAME = "org.freedesktop.Notifications"
_PATH = "/org/freedesktop/Notifications"
_REPLY_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Notification:
    """What to show; the click on it is reported with its `key`."""

    key: int
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class NotificationClicked:
    """The user clicked it; `token` allows the window to take the focus."""

    key: int
    token: str = ""


@dataclass(frozen=True, slots=True)
class NotificationRefused:
    """The desktop shows no notifications."""

    notification: Notification


NotificationEvent = NotificationClicked | NotificationRefused


class Outbox:
    """The notifications to send: filled by the window, emptied by the thread of the service."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[Notification | None] = deque()
        self.reader, self._writer = socket.socketpair()

    def put(self, notification: Notification | None) -> None:
        """Send a notification; None withdraws those that are shown."""
        with self._lock:
            self._waiting.append(notification)
        self.wake()

    def wake(self) -> None:
        """Wake the thread."""
        self._writer.send(b"\0")

    def take(self) -> list[Notification | None]:
        """Return what has come since the last call."""
        with self._lock:
            taken = list(self._waiting)
            self._waiting.clear()
        return taken

    def close(self) -> None:
        """Close both ends; the thread has ended."""
        self.reader.close()
        self._writer.close()


def serve_notifications(outbox: Outbox, stop: Stop) -> Generator[NotificationEvent]:
    """Show what is put into `outbox` and yield the clicks, until stopped; refuse everything without a service."""
    from jeepney.io.blocking import open_dbus_connection

    with stop.interrupting(outbox.wake):
        try:
            with closing(open_dbus_connection(bus="SESSION")) as bus:
                yield from _Service(bus, outbox).run(stop)
        except (OSError, KeyError, ValueError):  # no bus, or it is gone
            while not stop.is_set():
                yield from (NotificationRefused(each) for each in outbox.take() if each is not None)
                outbox.reader.recv(1)


class _Service:
    """The connection with the notification service of the desktop."""

    def __init__(self, bus: "DBusConnection", outbox: Outbox) -> None:
        from jeepney import DBusAddress

        self._bus = bus
        self._outbox = outbox
        self._address = DBusAddress(_PATH, bus_name=_NAME, interface=_NAME)
        self._keys: dict[int, int] = {}  # of those that are shown, by the ids of the service
        self._tokens: dict[int, str] = {}
        self._markup: bool | None = None

    def run(self, stop: Stop) -> Iterator[NotificationEvent]:
        """Send, and wait for clicks."""
        from jeepney import MatchRule, message_bus

        rule = MatchRule(type="signal", interface=_NAME, path=_PATH)
        self._bus.send_and_get_reply(message_bus.AddMatch(rule), timeout=_REPLY_SECONDS)
        with self._bus.filter(rule, queue=deque()) as signals:
            while not stop.is_set():
                for each in self._outbox.take():
                    if each is None:
                        self._withdraw()
                    elif not self._show(each):
                        yield NotificationRefused(each)
                self._receive()  # clicks may have come along with a reply
                while signals:
                    yield from self._clicks(signals.popleft())
                ready, _, _ = select.select([self._bus.sock, self._outbox.reader], [], [])
                if self._outbox.reader in ready:
                    self._outbox.reader.recv(1)

    def _receive(self) -> None:
        """Take over everything that has arrived."""
        while True:
            try:
                self._bus.recv_messages(timeout=0)
            except TimeoutError:
                return

    def _show(self, notification: Notification) -> bool:
        text = html.escape(notification.text, quote=False) if self._takes_markup() else notification.text
        hints = {"desktop-entry": ("s", "desktop-rag")}
        body = ("Desktop RAG", 0, "desktop-rag", notification.title, text, ["default", ""], hints, -1)
        reply = self._call("Notify", "susssasa{sv}i", body)
        if reply is None:
            return False
        self._keys[reply.body[0]] = notification.key
        return True

    def _takes_markup(self) -> bool:
        if self._markup is None:
            reply = self._call("GetCapabilities")
            self._markup = reply is not None and "body-markup" in reply.body[0]
        return self._markup

    def _withdraw(self) -> None:
        for number in tuple(self._keys):
            self._call("CloseNotification", "u", (number,))
        self._keys.clear()

    def _clicks(self, signal: "Message") -> Iterator[NotificationClicked]:
        from jeepney import HeaderFields

        number = signal.body[0]
        match signal.header.fields.get(HeaderFields.member):
            case "ActivationToken":
                self._tokens[number] = str(signal.body[1])
            case "ActionInvoked" if number in self._keys:
                yield NotificationClicked(self._keys[number], self._tokens.pop(number, ""))
            case "NotificationClosed":
                self._keys.pop(number, None)
                self._tokens.pop(number, None)

    def _call(self, method: str, signature: str = "", body: tuple[object, ...] = ()) -> "Message | None":
        """Return the reply, None if there is no service or it refuses."""
        from jeepney import MessageType, new_method_call

        message = new_method_call(self._address, method, signature or None, body)
        try:
            reply = self._bus.send_and_get_reply(message, timeout=_REPLY_SECONDS)
        except TimeoutError:
            return None
        return None if reply.header.message_type is MessageType.error else reply
