"""Notifications of the desktop: by its message bus where it has one, else by an icon in the tray."""

import itertools
import os
import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QSystemTrayIcon

from desktop_rag.gui.background.stream_worker import StreamWorker
from desktop_rag.gui.desktop.notification_service import (
    Notification,
    NotificationClicked,
    NotificationEvent,
    NotificationRefused,
    Outbox,
    serve_notifications,
)
from desktop_rag.gui.theme import icons

_SHOWN_MS = 15_000  # of an icon that is only there for its message


class Notifications(QObject):
    """Shows notifications and calls what belongs to the one that was clicked."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = itertools.count(1)
        self._acts: dict[int, Callable[[], None]] = {}
        self._outbox: Outbox | None = None
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
        if self._outbox is None:
            outbox = self._outbox = Outbox()
            self._worker.start(lambda stop: serve_notifications(outbox, stop))
        self._outbox.put(notification)

    def withdraw(self) -> None:
        """Remove the notifications that are still shown: the user is looking at the window."""
        if self._acts:
            self._acts.clear()
            self._hide_icon()
            if self._outbox is not None:
                self._outbox.put(None)

    def close(self) -> None:
        """Stop and wait for the thread."""
        self._worker.close()
        self._hide_icon()
        if self._outbox is not None:
            self._outbox.close()
            self._outbox = None

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
