"""Whether the system asks programs not to move anything by themselves."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import closing

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.gui.background import StreamWorker
from desktop_rag.stop import Stop

_LATER_MS = 2_000  # after the start, which has more urgent work
_SECONDS = 3.0
# What the settings portal says: GNOME and its relatives, and Plasma.
_GNOME, _PLASMA = "org.gnome.desktop.interface", "org.kde.kdeglobals.KDE"
_SPI_GETCLIENTAREAANIMATION = 0x1042


class SystemMotion(QObject):
    """Asks the system once, some time after the start."""

    found = Signal(bool)  # True: nothing should move

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker: StreamWorker[bool] = StreamWorker("motion", self.found.emit, self)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_LATER_MS)
        self._later.timeout.connect(self._on_timeout)

    @Slot()
    def start(self) -> None:
        """Ask later; `found` follows."""
        self._later.start()

    def close(self) -> None:
        """Stop and wait for the thread."""
        self._later.stop()
        self._worker.close()

    @Slot()
    def _on_timeout(self) -> None:
        self._worker.start(system_is_still)


def system_is_still(stop: Stop) -> Generator[bool]:
    """Yield whether the system has its animations switched off; nothing where it does not tell."""
    try:
        if sys.platform == "win32":
            yield _windows_is_still()
        elif sys.platform == "darwin":
            yield _macos_is_still()
        else:
            yield _linux_is_still()
    except (OSError, KeyError, ValueError, subprocess.SubprocessError):
        stop.check()


def _windows_is_still() -> bool:
    import ctypes

    animated = ctypes.c_int(1)
    user32 = getattr(ctypes, "windll").user32  # noqa: B009 - only Windows has it
    user32.SystemParametersInfoW(_SPI_GETCLIENTAREAANIMATION, 0, ctypes.byref(animated), 0)
    return not animated.value


def _macos_is_still() -> bool:
    command = ["/usr/bin/defaults", "read", "com.apple.universalaccess", "reduceMotion"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    return done.stdout.strip() == "1"


def _linux_is_still() -> bool:
    from jeepney import DBusAddress, MessageType, new_method_call
    from jeepney.io.blocking import open_dbus_connection

    name = "org.freedesktop.portal.Desktop"
    address = DBusAddress("/org/freedesktop/portal/desktop", name, "org.freedesktop.portal.Settings")
    with closing(open_dbus_connection(bus="SESSION")) as bus:
        request = new_method_call(address, "ReadAll", "as", ([_GNOME, _PLASMA],))
        reply = bus.send_and_get_reply(request, timeout=_SECONDS)
    if reply.header.message_type is MessageType.error:
        return False
    values = {f"{space} {key}": value[1] for space, keys in reply.body[0].items() for key, value in keys.items()}
    gnome, plasma = values.get(f"{_GNOME} enable-animations"), values.get(f"{_PLASMA} AnimationDurationFactor")
    return gnome is False or str(plasma) in ("0", "0.0")
