"""Detection of system sleep, during which changes on network and exchanged drives were not reported."""

import sys
import time
from collections.abc import Callable

GAP_SECONDS = 5.0  # a shorter sleep is ignored
POLL_GAP_SECONDS = 60.0  # since the last poll: the process was stopped, or both clocks stood still


def boot_clock() -> float:
    """Return a clock in seconds that includes sleep, where the system has one."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)  # Python's monotonic clock excludes sleep
    return time.monotonic()


class SuspendDetector:
    """Compares a clock that excludes sleep with one that includes it; used by one thread.

    Neither can be set, so changing the time of day is not mistaken for sleep.
    """

    def __init__(
        self,
        without_sleep: Callable[[], float] = time.monotonic,
        with_sleep: Callable[[], float] = boot_clock,
    ) -> None:
        self._without_sleep, self._with_sleep = without_sleep, with_sleep
        self._polled_at = without_sleep()
        self._offset = with_sleep() - self._polled_at
        self._slept = False

    def has_slept(self) -> bool:
        """Return whether the computer slept since the last `take`."""
        now = self._without_sleep()
        offset = self._with_sleep() - now
        if offset - self._offset > GAP_SECONDS or now - self._polled_at > POLL_GAP_SECONDS:
            self._slept = True
        self._polled_at, self._offset = now, offset
        return self._slept

    def take(self) -> bool:
        """Return whether the computer slept since the last call, and reset."""
        slept = self.has_slept()
        self._slept = False
        return slept
