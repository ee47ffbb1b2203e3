"""Where a view of printed pages shows what it marks."""

from typing import Literal

from PySide6.QtCore import QRectF

from desktop_rag.gui.viewer.pages.page_view import PageView


def shown_areas(view: PageView, of: Literal["marks", "quoted", "selected", "current"]) -> tuple[QRectF, ...]:
    """Return the rectangles of cited lines, quoted words, the selection or the current match in the viewport."""
    areas = getattr(view._page_painter, of).items()
    return tuple(view.shown(page, area) for page, found in areas for area in found if page <= view.page_count)
