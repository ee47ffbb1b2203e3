"""How much of the machine indexing uses: all of it, or less while the user is active, or little on battery.

While the user is active one core is left free, and while other programs work, too, little is used.
"""

import contextlib
import ctypes
import ctypes.util
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import psutil

# How long the user has not touched the computer, asked of the desktop session; without one, whether it is busy.

ASK_SECONDS = 2.0  # for a program that asks the session
BUSY_SHARE = 0.15  # of the processors, used by programs of normal priority: somebody works
_MUTTER = (
    *("dbus-send", "--session", "--print-reply", "--dest=org.gnome.Mutter.IdleMonitor"),
    "/org/gnome/Mutter/IdleMonitor/Core",
    "org.gnome.Mutter.IdleMonitor.GetIdletime",
)
_LOGIND = ("loginctl", "show-session", "-p", "IdleHint", "-p", "IdleSinceHintMonotonic")
_MACOS = ("ioreg", "-c", "IOHIDSystem", "-d", "4")

Run = Callable[[tuple[str, ...]], str]


def idle_seconds(run: Run | None = None) -> float | None:
    """Return the seconds since the last key or movement of the mouse; None where no session tells."""
    run = run or _output_of
    if sys.platform == "win32":
        return _windows_idle()
    if sys.platform == "darwin":
        return nanoseconds_in(run(_MACOS))
    if os.environ.get("XDG_SESSION_TYPE") != "wayland" and os.environ.get("DISPLAY"):
        idle = _x11_idle()
        if idle is not None:
            return idle
    if os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        idle = milliseconds_in(run(_MUTTER))
        if idle is not None:
            return idle
    session = os.environ.get("XDG_SESSION_ID")
    return logind_idle(run((*_LOGIND, session)), time.monotonic()) if session else None


def milliseconds_in(reply: str) -> float | None:
    """Return the seconds in a D-Bus reply like “uint64 83000”, or None."""
    found = re.search(r"uint64 (\d+)", reply)
    return int(found[1]) / 1_000 if found else None


def nanoseconds_in(listing: str) -> float | None:
    """Return the seconds in a listing of ioreg with “"HIDIdleTime" = 83000000000”, or None."""
    found = re.search(r'"HIDIdleTime" = (\d+)', listing)
    return int(found[1]) / 1e9 if found else None


def logind_idle(properties: str, now: float) -> float | None:
    """Return the idle seconds from the properties of a session at the monotonic time `now`, or None."""
    values = dict(line.split("=", 1) for line in properties.splitlines() if "=" in line)
    since = values.get("IdleSinceHintMonotonic", "")
    if "IdleHint" not in values:
        return None
    return max(0.0, now - int(since) / 1e6) if values["IdleHint"] == "yes" and since.isdigit() else 0.0


class LoadMeter:
    """Measures what programs of normal priority use of the processors; ours run with a lower one."""

    def __init__(self) -> None:
        self._last = psutil.cpu_times()

    def is_busy(self) -> bool:
        """Return whether other programs worked since the last call."""
        now, last = psutil.cpu_times(), self._last
        self._last = now
        total = sum(now) - sum(last)
        return total > 0 and (now.user - last.user) / total > BUSY_SHARE


def _output_of(command: tuple[str, ...]) -> str:
    """Return what a program prints, empty if it is missing, fails or takes too long."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=ASK_SECONDS, check=True
        ).stdout
    return ""


class _ScreenSaverInfo(ctypes.Structure):
    _fields_ = (
        ("window", ctypes.c_ulong),
        ("state", ctypes.c_int),
        ("kind", ctypes.c_int),
        ("til_or_since", ctypes.c_ulong),
        ("idle", ctypes.c_ulong),  # milliseconds
        ("event_mask", ctypes.c_ulong),
    )


def _x11_idle() -> float | None:
    """Ask the XScreenSaver extension of the X server, over a connection of its own."""
    try:
        x11, xss = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXss.so.1")
    except OSError:
        return None
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XDefaultRootWindow.restype = ctypes.c_ulong
    x11.XDefaultRootWindow.argtypes = x11.XCloseDisplay.argtypes = (ctypes.c_void_p,)
    numbers = ctypes.POINTER(ctypes.c_int)
    xss.XScreenSaverQueryExtension.argtypes = (ctypes.c_void_p, numbers, numbers)
    xss.XScreenSaverQueryInfo.argtypes = (ctypes.c_void_p, ctypes.c_ulong, ctypes.POINTER(_ScreenSaverInfo))
    display = x11.XOpenDisplay(None)
    if not display:
        return None
    try:
        event, error, info = ctypes.c_int(), ctypes.c_int(), _ScreenSaverInfo()
        if not xss.XScreenSaverQueryExtension(display, ctypes.byref(event), ctypes.byref(error)):
            return None
        done = xss.XScreenSaverQueryInfo(display, x11.XDefaultRootWindow(display), ctypes.byref(info))
        return info.idle / 1_000 if done else None
    finally:
        x11.XCloseDisplay(display)


class _LastInput(ctypes.Structure):
    _fields_ = (("size", ctypes.c_uint), ("time", ctypes.c_uint))


def _windows_idle() -> float | None:
    libraries = getattr(ctypes, "windll", None)
    if libraries is None:
        return None
    last = _LastInput(ctypes.sizeof(_LastInput), 0)
    if not libraries.user32.GetLastInputInfo(ctypes.byref(last)):
        return None
    return float((libraries.kernel32.GetTickCount() - last.time) % 2**32) / 1_000


ACTIVE_SECONDS = 5.0  # after the last user activity
WAITING_SECONDS = 60.0  # after it: until then, somebody may search for what is just being read
BATTERY_SECONDS = 30.0  # between two queries of the power supply
LOAD_SECONDS = 1.0  # between two looks at what other programs use
_NICENESS = 5


@dataclass(frozen=True, slots=True)
class Pace:
    """The resources to use: files read in parallel, encoder threads, seconds of rest for each second of encoding."""

    readers: int
    threads: int
    rest: float


class Priority:
    """Decides the pace; any thread reports user activity, one thread asks for the pace."""

    def __init__(
        self,
        on_battery: "Callable[[], bool] | None" = None,
        now: Callable[[], float] = time.monotonic,
        cores: int | None = None,
        is_busy: "Callable[[], bool] | None" = None,
    ) -> None:
        self._on_battery = on_battery or runs_on_battery
        self._is_busy = is_busy or LoadMeter().is_busy
        self._now = now
        cores = cores or os.cpu_count() or 1
        self._full = Pace(readers=min(4, max(2, cores // 2)), threads=cores, rest=0.0)
        self._beside = Pace(readers=1, threads=max(1, cores - 1), rest=0.0)
        self._gentle = Pace(readers=1, threads=1, rest=1.0)
        self._user_active_at = float("-inf")
        self._battery_at = -BATTERY_SECONDS
        self._battery = False
        self._load_at = float("-inf")
        self._busy = False

    @property
    def max_readers(self) -> int:
        """Return how many files are read in parallel at most."""
        return self._full.readers

    def user_is_active(self) -> None:
        """Note user activity: a key, the mouse, a question."""
        self._user_active_at = self._now()

    def pace(self) -> Pace:
        """Return the pace for now."""
        if self.on_battery():
            return self._gentle
        if self.window_idle() >= ACTIVE_SECONDS:
            return self._full
        return self._gentle if self._others_work() else self._beside

    def window_idle(self) -> float:
        """Return the seconds since the last activity in a window of ours."""
        return self._now() - self._user_active_at

    def somebody_waits(self) -> bool:
        """Return whether what is read should be searchable at once, however much more the disk has to write."""
        return self.window_idle() < WAITING_SECONDS

    def on_battery(self) -> bool:
        """Return whether the computer runs on battery, asked every `BATTERY_SECONDS`."""
        now = self._now()
        if now - self._battery_at >= BATTERY_SECONDS:
            self._battery_at, self._battery = now, self._on_battery()
        return self._battery

    def _others_work(self) -> bool:
        """Return whether other programs are busy, asked every `LOAD_SECONDS`."""
        now = self._now()
        if now - self._load_at >= LOAD_SECONDS:
            self._load_at, self._busy = now, self._is_busy()
        return self._busy


def runs_on_battery() -> bool:
    """Return whether the computer has a battery and is not plugged in."""
    if not hasattr(psutil, "sensors_battery"):
        return False
    try:
        battery = psutil.sensors_battery()
    except (OSError, RuntimeError):  # some machines report their battery in an unknown format
        return False
    return battery is not None and battery.power_plugged is False


def lower_priority() -> None:
    """Lower the CPU and disk priority of this process and its children for good."""
    process = psutil.Process()
    with contextlib.suppress(psutil.Error, OSError, AttributeError):
        if sys.platform == "win32":
            process.nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
            process.ionice(psutil.IOPRIO_LOW)
        else:
            os.nice(_NICENESS)
    if sys.platform == "linux":
        with contextlib.suppress(psutil.Error, OSError):
            process.ionice(psutil.IOPRIO_CLASS_BE, 7)  # the lowest best-effort priority
