"""The geometry of pages laid out in one column."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from PySide6.QtCore import QRectF, QSizeF

GAP = 12.0
SIDE = 16.0


class PageGeometry:
    """Pages with sizes in points at a scale in pixels per point, centred in a column; pages count from 1."""

    def __init__(self, sizes: Sequence[tuple[float, float]], scale: float, room: float) -> None:
        self.scale = scale
        self._sizes = tuple(sizes)
        self._widest = max((width for width, _ in self._sizes), default=0.0) * scale
        self._column = max(room, self._widest + 2 * SIDE)
        self._tops = list(accumulate((height * scale + GAP for _, height in self._sizes), initial=GAP))

    @property
    def extent(self) -> QSizeF:
        """Return the total size in pixels."""
        return QSizeF(self._widest + 2 * SIDE, self._tops[-1])

    def page(self, number: int) -> QRectF:
        """Return the rectangle of a page in pixels."""
        width, height = self._sizes[number - 1]
        left = (self._column - width * self.scale) / 2
        return QRectF(left, self._tops[number - 1], width * self.scale, height * self.scale)

    def page_at(self, y: float) -> int:
        """Return the page at `y`, or the one above a gap."""
        return max(1, min(len(self._sizes), bisect_right(self._tops, y)))

    def pages_between(self, top: float, bottom: float) -> range:
        """Return the pages between two heights."""
        return range(self.page_at(top), self.page_at(bottom) + 1)


def fit_width(sizes: Sequence[tuple[float, float]], room: float) -> float:
    """Return the scale at which the widest page fits."""
    widest = max((width for width, _ in sizes), default=1.0)
    return max(0.05, (room - 2 * SIDE) / max(1.0, widest))


def fit_page(size: tuple[float, float], room: float, height: float) -> float:
    """Return the scale at which a whole page fits."""
    return max(0.05, min((room - 2 * SIDE) / max(1.0, size[0]), (height - 2 * GAP) / max(1.0, size[1])))
