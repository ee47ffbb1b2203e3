"""The line between query and hits: the summary beside buttons and order, or below them in a narrow column."""

from collections.abc import Iterable, Sequence

from PySide6.QtWidgets import QGridLayout, QWidget

from desktop_rag.gui.theme.theme import GRID, scaled

_LEAST_SUMMARY = 160  # pixels in which a summary can be read
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
        """Put summary and suggestion below the buttons unless `wide`, all that has no `room` (in pixels) below them."""
        summary, suggestion, order = self._ends
        buttons, others = (_width_of(each) for each in ((*self._buttons, order), (suggestion,)))
        buttons += _ORDER * GRID  # below a wide row, an empty column has its distance, too
        wide = wide and buttons + others + scaled(_LEAST_SUMMARY) <= room
        form = wide, buttons > room
        if form != self._form:
            self._form = form
            self.addWidget(order, *((1, 0, 1, -1) if form[1] else (0, _ORDER)))
            self.addWidget(suggestion, *((0, _SUGGESTION) if wide else (2, 0, 1, -1)))
            self.addWidget(summary, *((0, _SUMMARY) if wide else (3, 0, 1, -1)))


def _width_of(widgets: Iterable[QWidget]) -> int:
    return sum(max(each.sizeHint().width(), each.minimumWidth()) for each in widgets if not each.isHidden())
