"""Notices that the computer slept: nobody reported what changed on shared or swapped drives meanwhile."""

import sys
import time
from collections.abc import Callable

GAP_SECONDS = 5.0  # asleep for less is no sleep
SILENCE_SECONDS = 60.0  # nobody looked for so long: the process was stopped, or its clock stood still as well


def clock_of_all_time() -> float:
    """Return a clock, in seconds, that goes on while the computer sleeps, where the system has one."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)  # Python's own monotonic clock stands still
    return time.monotonic()


class SuspendDetector:
    """Compares a clock that stands still while the computer sleeps with one that does not; used by one thread.

    Neither can be set, so a person who changes the time of day wakes nobody.
    """

    def __init__(
        self,
        awake: Callable[[], float] = time.monotonic,
        all_time: Callable[[], float] = clock_of_all_time,
    ) -> None:
        self._awake, self._all_time = awake, all_time
        self._looked = awake()
        self._asleep = all_time() - self._looked
        self._ended = False

    def is_over(self) -> bool:
        """Return whether the computer slept and `has_ended` was not asked since."""
        now = self._awake()
        asleep = self._all_time() - now
        if asleep - self._asleep > GAP_SECONDS or now - self._looked > SILENCE_SECONDS:
            self._ended = True
        self._looked, self._asleep = now, asleep
        return self._ended

    def has_ended(self) -> bool:
        """Return whether the computer slept since this was last asked."""
        ended = self.is_over()
        self._ended = False
        return ended
