"""How much of the machine indexing uses: all of it, or less while the user is active, or little on battery.

While the user is active one core is left free, and while other programs work, too, little is used.
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import psutil

from desktop_rag.index.indexer.idle_time import LoadMeter

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
