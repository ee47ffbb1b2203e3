"""One key that opens the window while another program is used, on X11 desktops."""

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence

from desktop_rag.gui.background.stream_worker import StreamWorker
from desktop_rag.gui.desktop.key_grab import grab_key

_MASKS = {"Shift": 1, "Ctrl": 4, "Alt": 8, "Meta": 64}  # of X11; Meta is the key with the logo


def hotkey_is_available() -> bool:
    """Return whether this desktop lets a program have a key everywhere."""
    return QGuiApplication.platformName() == "xcb"


def x11_key(keys: str) -> tuple[str, int] | None:
    """Return the keysym and the mask of keys such as Ctrl+Alt+Space; None if they cannot be used everywhere."""
    portable = QKeySequence.SequenceFormat.PortableText
    *held, name = QKeySequence(keys, portable).toString(portable).split("+")
    letter = len(name) == 1 and name.isascii() and name.isalnum()
    function = name[:1] == "F" and name[1:].isdecimal()
    if not set(held) - {"Shift"} or not set(held) <= _MASKS.keys() or not (letter or function or name == "Space"):
        return None
    return (name if function else name.lower()), sum(_MASKS[modifier] for modifier in held)


class GlobalHotkey(QObject):
    """Has the key of the settings for as long as the program runs."""

    pressed = Signal()
    refused = Signal(str)  # these keys: another program has them, or they cannot be used

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._keys = ""
        self._asked = False  # whether the answer of the desktop is still to come
        self._worker: StreamWorker[bool] = StreamWorker("hotkey", self._on_event, self)
        self._worker.failed.connect(self._on_failed)

    def use(self, keys: str) -> None:
        """Take `keys` (portable text, "" for none) instead of those before."""
        if keys == self._keys:
            return
        self._keys = keys
        self._worker.stop()
        if not keys or not hotkey_is_available():
            return
        key = x11_key(keys)
        if key is None:
            self.refused.emit(keys)
        else:
            self._asked = True
            self._worker.start(lambda stop: grab_key(*key, stop))

    def close(self) -> None:
        """Release the key and wait for the thread."""
        self._worker.close()

    @Slot(object)
    def _on_event(self, event: bool) -> None:  # noqa: FBT001 - an event of the worker
        if not event:
            self.refused.emit(self._keys)
        elif self._asked:
            self._asked = False
        else:
            self.pressed.emit()

    @Slot(Exception)
    def _on_failed(self, _: Exception) -> None:
        self.refused.emit(self._keys)
