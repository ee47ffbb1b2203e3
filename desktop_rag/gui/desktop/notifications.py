"""Notifications of the desktop: by its message bus where it has one, else by an icon in the tray."""

import html
import itertools
import os
import queue
import sys
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import InvalidStateError
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QSystemTrayIcon

from desktop_rag.gui.background import StreamWorker
from desktop_rag.gui.theme import icons
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from jeepney import Message
    from jeepney.io.threading import DBusRouter

    Inbox = queue.Queue["Notification | Message | None"]  # None withdraws those that are shown


# The notifications of a Linux desktop: org.freedesktop.Notifications on the session bus, served on one thread.

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


def serve_notifications(inbox: "Inbox", stop: Stop) -> Generator[NotificationEvent]:
    """Show what comes and yield the clicks, until stopped; refuse everything without a service."""
    from jeepney.io.common import RouterClosed
    from jeepney.io.threading import DBusRouter, open_dbus_connection

    class SignalRouter(DBusRouter):
        def _receiver(self) -> None:
            with suppress(OSError, InvalidStateError):  # the bus is gone: calls say so, one may just have its reply
                super()._receiver()

    with stop.interrupting(lambda: inbox.put(None)):
        try:
            with open_dbus_connection(bus="SESSION") as connection, SignalRouter(connection) as bus:
                yield from _Service(bus).run(inbox, stop)
        except (OSError, KeyError, ValueError, RouterClosed):  # no bus, or it is gone
            while not stop.is_set():
                if isinstance(each := inbox.get(), Notification):
                    yield NotificationRefused(each)


class _Service:
    """The connection with the notification service of the desktop."""

    def __init__(self, bus: "DBusRouter") -> None:
        from jeepney import DBusAddress

        self._bus = bus
        self._address = DBusAddress(_PATH, bus_name=_NAME, interface=_NAME)
        self._keys: dict[int, int] = {}  # of those that are shown, by the ids of the service
        self._tokens: dict[int, str] = {}
        self._markup: bool | None = None

    def run(self, inbox: "Inbox", stop: Stop) -> Iterator[NotificationEvent]:
        """Send what comes; clicks come the same way."""
        from jeepney import MatchRule, message_bus

        rule = MatchRule(type="signal", interface=_NAME, path=_PATH)
        self._bus.send_and_get_reply(message_bus.AddMatch(rule), timeout=_REPLY_SECONDS)
        with self._bus.filter(rule, queue=inbox):
            while True:
                each = inbox.get()
                if stop.is_set():
                    return
                if each is None:
                    self._withdraw()
                elif not isinstance(each, Notification):
                    yield from self._clicks(each)
                elif not self._show(each):
                    yield NotificationRefused(each)

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
        from jeepney.io.common import RouterClosed

        message = new_method_call(self._address, method, signature or None, body)
        try:
            reply = self._bus.send_and_get_reply(message, timeout=_REPLY_SECONDS)
        except (OSError, RouterClosed):  # OSError: also no answer in time
            return None
        return None if reply.header.message_type is MessageType.error else reply


_SHOWN_MS = 15_000  # of an icon that is only there for its message


class Notifications(QObject):
    """Shows notifications and calls what belongs to the one that was clicked."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = itertools.count(1)
        self._acts: dict[int, Callable[[], None]] = {}
        self._inbox: Inbox | None = None
        self._worker: StreamWorker[NotificationEvent] = StreamWorker("notifications", self._on_event, self)
        self._icon: QSystemTrayIcon | None = None
        self._last: Callable[[], None] = lambda: None
        self._hide = QTimer(self, interval=_SHOWN_MS, singleShot=True)
        self._hide.timeout.connect(self._hide_icon)

    def show(self, title: str, text: str, act: Callable[[], None]) -> None:
        """Show a notification; a click on it calls `act`."""
        notification = Notification(next(self._numbers), title, text)
        self._acts[notification.key] = act
        if sys.platform != "linux":
            self._show_by_icon(notification)
            return
        if self._inbox is None:
            inbox: Inbox = queue.Queue()
            self._inbox = inbox
            self._worker.start(lambda stop: serve_notifications(inbox, stop))
        self._inbox.put(notification)

    def withdraw(self) -> None:
        """Remove the notifications that are still shown: the user is looking at the window."""
        if self._acts:
            self._acts.clear()
            self._hide_icon()
            if self._inbox is not None:
                self._inbox.put(None)

    def close(self) -> None:
        """Stop and wait for the thread."""
        self._worker.close()
        self._hide_icon()
        self._inbox = None

    @Slot(object)
    def _on_event(self, event: NotificationEvent) -> None:
        match event:
            case NotificationClicked(key, token):
                if token:
                    os.environ["XDG_ACTIVATION_TOKEN"] = token  # the window system reads it from there
                self._acts.pop(key, lambda: None)()
            case NotificationRefused(notification):
                self._show_by_icon(notification)

    def _show_by_icon(self, notification: Notification) -> None:
        if not QSystemTrayIcon.isSystemTrayAvailable() or not QSystemTrayIcon.supportsMessages():
            return
        if self._icon is None:
            self._icon = QSystemTrayIcon(icons.app_icon(), self)
            self._icon.messageClicked.connect(self._on_message_clicked)
        self._last = self._acts.get(notification.key, lambda: None)
        self._icon.show()
        self._icon.showMessage(notification.title, notification.text, icons.app_icon())
        self._hide.start()

    @Slot()
    def _on_message_clicked(self) -> None:
        self._last()

    @Slot()
    def _hide_icon(self) -> None:
        self._hide.stop()
        if self._icon is not None:
            self._icon.hide()
