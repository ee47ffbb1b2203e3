"""The rectangles of lines on the pages."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QRectF

from desktop_rag.documents.document import box_of, page_of
from desktop_rag.index.records import DocumentLayout

Areas = dict[int, tuple[QRectF, ...]]

_SIDE = 2.0
_ABOVE = 1.0
_GAP = 0.7  # of a line's height; a larger gap separates two marks


def areas_of_lines(layout: DocumentLayout, first: int, last: int) -> Areas:
    """Return the rectangles of the lines from `first` to `last` by page, in points."""
    areas: dict[int, list[QRectF]] = {}
    for line in range(max(1, first), min(last, len(layout.kinds)) + 1):
        box, page = box_of(layout.boxes, line), page_of(layout.pages, line)
        if box is not None and page is not None:
            area = QRectF(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0)
            areas.setdefault(page, []).append(area.adjusted(-_SIDE, -_ABOVE, _SIDE, _ABOVE))
    for found in areas.values():
        _close_gaps(found)
    return {page: tuple(found) for page, found in areas.items()}


def runs(areas: Sequence[QRectF]) -> list[QRectF]:
    """Merge areas that touch from line to line into one rectangle each."""
    outlines: list[QRectF] = []
    for area in areas:
        if outlines and abs(area.top() - outlines[-1].bottom()) <= area.height() and area.top() > outlines[-1].top():
            outlines[-1] = outlines[-1].united(area)
        else:
            outlines.append(QRectF(area))
    return outlines


def _close_gaps(areas: list[QRectF]) -> None:
    """Extend the marks of neighbouring lines until they touch, as a marker pen would."""
    for above, below in pairwise(areas):
        gap = below.top() - above.bottom()
        if 0 < gap < _GAP * above.height() and below.left() < above.right() and above.left() < below.right():
            above.setBottom(below.top())
