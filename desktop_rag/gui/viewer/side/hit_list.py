"""The list of matches, each with a snippet of its context."""

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.gui import formatting
from desktop_rag.gui.viewer.side.side_rows import Row, RowDelegate, RowsModel
from desktop_rag.gui.viewer.viewer_events import FoundPlace
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.text.display import one_line

_LINES = 2


class HitList(PanelList):
    """One row per match; the current match is selected."""

    chosen = Signal(int)  # go to this match, from 0

    def __init__(self, parent: QWidget | None = None) -> None:
        self._rows = RowsModel()
        super().__init__(self._rows, self.tr("Matches"), parent)
        self._rows.setParent(self)
        self._places: tuple[FoundPlace, ...] = ()
        self.setItemDelegate(RowDelegate(_LINES, self))
        self.setLayoutMode(PanelList.LayoutMode.Batched)  # a thousand rows are measured a few at a time
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)

    def show_places(self, places: Sequence[FoundPlace], current: int) -> None:
        """Show these matches; the rows are kept if only the current one changes."""
        if places != self._places:
            self._places = tuple(places)
            self._rows.set_rows([_row(place) for place in places])
        if 0 <= current < len(self._places) and current != self.currentIndex().row():
            index = self._rows.index(current)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(index)

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        self.chosen.emit(index.row())


def _row(place: FoundPlace) -> Row:
    line = place.marks[0][0]
    where = formatting.place(place.page, line, line, place.section)
    return Row(one_line(place.words), where, mark=(place.start, place.end))
