"""Sidebar, conversation and document side by side; each keeps the share of the width that the user gave it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget


class ColumnSplitter(QSplitter):
    """Three columns; a narrow window takes width from them, and gives it back when it is wide again.

    Qt shares out a new width by the present widths, so that columns which had shrunk to their least stayed equal.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._chosen: list[int] = []
        self.splitterMoved.connect(self._keep)

    def setSizes(self, sizes: Sequence[int]) -> None:
        """Set and remember the widths; those of conversation and document are shares."""
        self._chosen = list(sizes)
        super().setSizes(self._chosen)

    def share_out(self) -> None:
        """Give the columns that are shown the widths that were chosen."""
        if self._chosen:
            super().setSizes(self._chosen)

    def chosen_first(self) -> int:
        """Return the width that was chosen for the first column, also while it is hidden."""
        return self._chosen[0] if self._chosen else 0

    def stored(self) -> str:
        """Return the chosen widths as the settings of the window keep them."""
        return ",".join(map(str, self._chosen))

    def restore(self, stored: object) -> None:
        """Set widths that were stored; anything else changes nothing."""
        widths = [int(width) for width in str(stored).split(",") if width.isdecimal() and len(width) < 6]
        if len(widths) == self.count():
            self.setSizes(widths)

    def _keep(self) -> None:
        left, centre, right = self.sizes()
        if left:
            self._chosen[0] = left
        if right:  # else the conversation has the width of both
            self._chosen[1:] = centre, right

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share out the new width in one step."""
        if self._chosen:
            self.share_out()
        else:
            super().resizeEvent(event)
