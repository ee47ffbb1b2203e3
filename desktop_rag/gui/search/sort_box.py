"""The selector of the order of hits."""

from PySide6.QtCore import QCoreApplication, QSize
from PySide6.QtWidgets import QComboBox, QWidget

from desktop_rag.retrieval.api import Sort


def sort_name(sort: Sort) -> str:
    """Return the name of an order in the window."""
    names = {
        Sort.RELEVANCE: _tr("By relevance"),
        Sort.DATE: _tr("Newest first"),
        Sort.NAME: _tr("By name"),
        Sort.SIZE: _tr("Largest first"),
        Sort.FOLDER: _tr("By folder"),
    }
    return names[sort]


class SortBox(QComboBox):
    """Offers every order."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Order of the results"))
        self.setToolTip(self.tr("Order of the results"))
        for sort in Sort:
            self.addItem(sort_name(sort), sort)

    def minimumSizeHint(self) -> QSize:
        """Return the size at which every name is whole."""
        return self.sizeHint()

    def sort(self) -> Sort:
        """Return the selected order."""
        return Sort(self.currentData())

    def show_sort(self, sort: Sort) -> None:
        """Select an order."""
        self.setCurrentIndex(max(0, self.findData(sort)))


def _tr(text: str) -> str:
    return QCoreApplication.translate("SortBox", text)
