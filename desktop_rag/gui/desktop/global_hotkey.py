"""One key that opens the window while another program is used, on X11 desktops."""

import ctypes
import select
import socket
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence

from desktop_rag.gui.background import StreamWorker
from desktop_rag.stop import Stop

# A key of the whole X11 desktop: grabbed on a connection of its own, on one thread.

_KEY_PRESS = 2
_GRAB_MODE_ASYNC = 1
_LOCK, _NUM_LOCK = 2, 16  # masks of Caps Lock and, on usual keyboards, Num Lock: the key works with them, too
_ErrorHandler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class _Event(ctypes.Union):
    _fields_ = (("type", ctypes.c_int), ("padding", ctypes.c_long * 24))


def grab_key(keysym: str, modifiers: int, stop: Stop) -> Generator[bool]:
    """Yield whether the key could be had (not if another program has it), then True for each press.

    `keysym` is a name of X11 such as `space`, `modifiers` the X11 mask. Raises `OSError` without an X server.
    """
    x11 = _library()
    wakened, wake = socket.socketpair()

    def interrupt() -> None:
        wake.send(b"\0")

    with closing(wakened), closing(wake), stop.interrupting(interrupt), _display(x11) as display:
        code = x11.XKeysymToKeycode(display, x11.XStringToKeysym(keysym.encode()))
        grabbed = bool(code) and _grab(x11, display, code, modifiers)
        yield grabbed
        event = _Event()
        while grabbed and not stop.is_set():
            while x11.XPending(display):
                x11.XNextEvent(display, ctypes.byref(event))
                if event.type == _KEY_PRESS:
                    yield True
            select.select([x11.XConnectionNumber(display), wakened], [], [])


def _grab(x11: ctypes.CDLL, display: int, code: int, modifiers: int) -> bool:
    """Grab a key code; return False if another program has grabbed it before."""
    refused: list[bool] = []

    def note(_: int | None, __: int | None) -> int:
        refused.append(True)
        return 0

    handler = _ErrorHandler(note)
    before = x11.XSetErrorHandler(handler)  # the usual one would end the program
    root = x11.XDefaultRootWindow(display)
    for locks in (0, _LOCK, _NUM_LOCK, _LOCK | _NUM_LOCK):
        x11.XGrabKey(display, code, modifiers | locks, root, 1, _GRAB_MODE_ASYNC, _GRAB_MODE_ASYNC)
    x11.XSync(display, 0)
    x11.XSetErrorHandler(before)
    return not refused


@contextmanager
def _display(x11: ctypes.CDLL) -> Iterator[int]:
    display = x11.XOpenDisplay(None)
    if not display:
        raise OSError("there is no X server")
    try:
        yield display
    finally:
        x11.XCloseDisplay(display)  # also releases the key


def _library() -> ctypes.CDLL:
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XOpenDisplay.argtypes = (ctypes.c_char_p,)
    x11.XStringToKeysym.restype = ctypes.c_ulong
    x11.XStringToKeysym.argtypes = (ctypes.c_char_p,)
    x11.XKeysymToKeycode.restype = ctypes.c_ubyte
    x11.XKeysymToKeycode.argtypes = (ctypes.c_void_p, ctypes.c_ulong)
    x11.XDefaultRootWindow.restype = ctypes.c_ulong
    x11.XSetErrorHandler.restype = ctypes.c_void_p
    x11.XSetErrorHandler.argtypes = (ctypes.c_void_p,)
    x11.XGrabKey.argtypes = (
        ctypes.c_void_p, ctypes.c_int, ctypes.c_uint, ctypes.c_ulong, ctypes.c_int, ctypes.c_int, ctypes.c_int
    )  # fmt: skip
    x11.XSync.argtypes = (ctypes.c_void_p, ctypes.c_int)
    x11.XNextEvent.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
    for function in (x11.XDefaultRootWindow, x11.XPending, x11.XConnectionNumber, x11.XCloseDisplay):
        function.argtypes = (ctypes.c_void_p,)
    return x11


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
