"""Decides whether the indexer may work now, after the schedule of its library."""

import time
from collections.abc import Callable
from dataclasses import replace

from desktop_rag.index.indexer.idle_time import LoadMeter, idle_seconds
from desktop_rag.index.indexer_api import Hold, Schedule, WorkTime

IDLE_AFTER_SECONDS = 60.0  # without a key or movement of the mouse
LOOK_SECONDS = 5.0  # between two questions to the session


class WorkGate:
    """Holds the work back while the schedule says so; one thread asks, any thread sets the schedule."""

    def __init__(
        self,
        schedule: Schedule,
        on_battery: Callable[[], bool],
        window_idle: Callable[[], float],
        *,
        session_idle: Callable[[], float | None] = idle_seconds,
        busy: Callable[[], bool] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._schedule = schedule
        self._on_battery = on_battery
        self._window_idle = window_idle  # seconds since the user worked with our window
        self._session_idle = session_idle
        self._busy = busy or LoadMeter().is_busy
        self._clock = clock
        self._waived = False
        self._looked_at = float("-inf")
        self._is_idle = False

    @property
    def schedule(self) -> Schedule:
        """Return the schedule."""
        return self._schedule

    def set_schedule(self, schedule: Schedule) -> None:
        """Replace the schedule; it takes effect before the next step."""
        self._schedule, self._waived = schedule, False

    def go_on(self) -> None:
        """Work now whatever the schedule says, until nothing is left to do or its condition was met."""
        self._schedule, self._waived = replace(self._schedule, paused_until=0.0), True

    def end_waiver(self) -> None:
        """Obey the schedule again: nothing is left to do."""
        self._waived = False

    def hold(self) -> Hold:
        """Return what holds the work back now."""
        if self._clock() < self._schedule.paused_until:
            return Hold.PAUSED
        held = Hold.NONE
        if self._schedule.when is WorkTime.MAINS and self._on_battery():
            held = Hold.MAINS
        elif self._schedule.when is WorkTime.IDLE and not self._look():
            held = Hold.IDLE
        if held is Hold.NONE:
            self._waived = False
        return Hold.NONE if self._waived else held

    def _look(self) -> bool:
        """Return whether the computer is idle, asked every few seconds."""
        if self._window_idle() < IDLE_AFTER_SECONDS:
            return False
        now = self._clock()
        if not 0 <= now - self._looked_at < LOOK_SECONDS:
            self._looked_at = now
            idle = self._session_idle()
            self._is_idle = not self._busy() if idle is None else idle >= IDLE_AFTER_SECONDS
        return self._is_idle
