"""The active filters of a search as buttons."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.search.filter_labels import filter_label
from desktop_rag.gui.widgets.chips import Chip, FlowRow
from desktop_rag.retrieval.api import Filter


class ActiveFilters(FlowRow):
    """A chip for each filter, which removes it; hidden without filters."""

    removed = Signal(object)  # the Filter

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hide()

    def show_filters(self, filters: Sequence[Filter]) -> None:
        """Show these filters instead."""
        chips = []
        for each in filters:
            chip = Chip(filter_label(each), icon="close")
            chip.setToolTip(self.tr("Remove this filter"))
            chip.clicked.connect(lambda _=False, chosen=each: self.removed.emit(chosen))
            chips.append(chip)
        self.set_items(chips)
        self.setVisible(bool(chips))

    def chips(self) -> tuple[Chip, ...]:
        """Return the chips in order."""
        return tuple(chip for chip in self.findChildren(Chip) if not chip.isHidden())
