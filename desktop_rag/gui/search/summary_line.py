"""The line between query and hits: the summary beside buttons and order, or below them in a narrow column."""

from collections.abc import Sequence

from PySide6.QtWidgets import QGridLayout, QWidget

from desktop_rag.gui.theme.theme import GRID

_SUMMARY, _SUGGESTION, _ORDER = 1, 2, 6  # columns; three buttons stand between


class SummaryLine(QGridLayout):
    """Arranges widgets of the search page, which shows and hides them."""

    def __init__(self, narrow: QWidget, buttons: Sequence[QWidget], ends: tuple[QWidget, QWidget, QWidget]) -> None:
        """`ends` are the summary, the suggestion and the order."""
        super().__init__()
        self._buttons = narrow, *buttons
        self._ends = ends
        self._form: tuple[bool, bool] | None = None  # the summary beside the buttons, the order below them
        self.setHorizontalSpacing(GRID)
        self.setVerticalSpacing(GRID // 2)
        self.setColumnStretch(_SUMMARY, 1)
        for place, widget in ((0, narrow), *enumerate(buttons, _SUGGESTION + 1)):
            self.addWidget(widget, 0, place)

    def fit(self, *, wide: bool, room: int) -> None:
        """Put summary and suggestion below the buttons unless `wide`, and the order if `room` (pixels) is too small."""
        summary, suggestion, order = self._ends
        shown = [each for each in (*self._buttons, order) if not each.isHidden()]
        taken = sum(max(each.sizeHint().width(), each.minimumWidth()) for each in shown)
        form = wide, not wide and taken + _ORDER * GRID > room  # below a wide row, an empty column has its distance
        if form != self._form:
            self._form = form
            self.addWidget(order, *((1, 0, 1, -1) if form[1] else (0, _ORDER)))
            self.addWidget(suggestion, *((0, _SUGGESTION) if wide else (2, 0, 1, -1)))
            self.addWidget(summary, *((0, _SUMMARY) if wide else (3, 0, 1, -1)))
