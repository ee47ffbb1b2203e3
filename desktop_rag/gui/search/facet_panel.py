"""Facets of the found documents: the date histogram above the lists of values."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rag.gui.search.date_histogram import DateHistogram
from desktop_rag.gui.search.facet_list import FacetList
from desktop_rag.retrieval.api import Facets, Filter


class FacetPanel(QWidget):
    """Emits filter changes; displays the filters set by the controller."""

    toggled = Signal(object)  # the Filter that was checked or unchecked
    dates_chosen = Signal(object)  # the new Filter on dates, None for none
    dismissed = Signal()  # Escape

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dates = DateHistogram(self)
        self.lists = FacetList(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.dates)
        column.addWidget(self.lists, 1)
        self.dates.chosen.connect(self.dates_chosen)
        self.dates.dismissed.connect(self.dismissed)
        self.lists.toggled.connect(self.toggled)
        self.lists.dismissed.connect(self.dismissed)

    def show_facets(self, facets: Facets, chosen: Sequence[Filter]) -> None:
        """Show the facets of the current hits."""
        self.dates.show_dates(facets.dates, chosen)
        self.lists.show_facets(facets, chosen)

    def begin(self) -> None:
        """Take the focus, in the lists if they have values."""
        self.lists.begin() if self.lists.has_values() else self.dates.setFocus(Qt.FocusReason.ShortcutFocusReason)
