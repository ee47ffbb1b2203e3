"""The remaining time of a long job in round words that do not jump."""

import math
import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

_SMOOTHING_SECONDS = 30.0  # time constant of the moving average of the estimates
_KEEP_FACTOR = 1.5  # the shown words stay while the estimate is within this factor of them
_MINUTE, _HOUR = 60.0, 3600.0
_MINUTES, _HOURS = (1, 2, 3, 5, 10, 15, 20, 30, 45), (1, 2, 3, 5, 8, 12, 24)
_ROUND = (15.0, 30.0, *(n * _MINUTE for n in _MINUTES), *(n * _HOUR for n in _HOURS))
_LONGEST = 18 * _HOUR


class TimeLeft:
    """Smooths the estimates of one job, which vary with every file, and rounds them generously."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end: float | None = None  # the smoothed moment at which the job ends
        self._updated = 0.0
        self._shown = 0.0

    def reset(self) -> None:
        """Forget the job: it has ended or is paused."""
        self._end = None

    def words(self, seconds: float) -> str:
        """Return the words for the newest estimate, like "about half an hour"."""
        now = self._clock()
        if self._end is None:
            self._end, self._shown = now + seconds, 0.0
        else:
            weight = 1 - math.exp(-(now - self._updated) / _SMOOTHING_SECONDS)
            self._end += weight * (now + seconds - self._end)
        self._updated = now
        left = max(0.0, self._end - now)
        if not self._shown or not self._shown / _KEEP_FACTOR <= left <= self._shown * _KEEP_FACTOR:
            self._shown = min(_ROUND, key=lambda known: abs(math.log(known / max(1.0, left))))
        return _named(self._shown)


def _named(seconds: float) -> str:
    known = {
        15.0: _tr("a few seconds"),
        30.0: _tr("about half a minute"),
        _MINUTE: _tr("about a minute"),
        15 * _MINUTE: _tr("about a quarter of an hour"),
        30 * _MINUTE: _tr("about half an hour"),
        _HOUR: _tr("about an hour"),
    }
    if seconds in known:
        return known[seconds]
    if seconds > _LONGEST:
        return _tr("about a day or more")
    if seconds > _HOUR:
        return _tr("about {0} hours").format(round(seconds / _HOUR))
    return _tr("about {0} minutes").format(round(seconds / _MINUTE))


def _tr(text: str) -> str:
    return QCoreApplication.translate("TimeLeft", text)
