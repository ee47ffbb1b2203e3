"""The choice of the documents of a table, a report or a standing question."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from desktop_rag.gui.formatting import counted
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.widgets.fields import ElidedComboBox
from desktop_rag.gui.widgets.plain_labels import button_text
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.text.display import shown_path


@dataclass(frozen=True, slots=True)
class ChosenDocuments:
    """All documents, those that fulfil filters or that a search finds, or given ones."""

    filters: tuple[Filter, ...] = ()
    query: str = ""
    hashes: tuple[str, ...] = ()
    paths: tuple[bytes, ...] = ()


class DocumentsBox(QWidget):
    """Chooses given documents, all, those of a folder and, where it `searches`, those that a search finds."""

    changed = Signal()

    def __init__(
        self,
        folders: Sequence[bytes],
        given: ChosenDocuments | None = None,
        *,
        searches: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._given = given
        self.where = ElidedComboBox(self)
        self.query = QLineEdit(self)
        if given is not None:
            count = len(given.hashes or given.paths)
            self.where.addItem(counted(self.tr("%Ln chosen document(s)", "", count), count), "given")
        self.where.addItem(self.tr("All documents of the library"), "all")
        for folder in folders:
            self.where.addItem(button_text(shown_path(folder)), folder)
        if searches:
            self.where.addItem(self.tr("Documents that a search finds"), "query")
        self.where.setAccessibleName(self.tr("Documents"))
        self.query.setPlaceholderText(self.tr("What to search for"))
        self.query.setAccessibleName(self.tr("What to search for"))
        self.query.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self.where)
        layout.addWidget(self.query)
        self.where.currentIndexChanged.connect(self._on_where)
        self.query.textChanged.connect(lambda _: self.changed.emit())

    def documents(self) -> ChosenDocuments | None:
        """Return the chosen documents; None while nothing to search for is written."""
        match self.where.currentData():
            case "given":
                return self._given
            case "query":
                query = self.query.text().strip()
                return ChosenDocuments(query=query) if query else None
            case bytes() as folder:
                return ChosenDocuments((Filter(FileField.FOLDER, folder.decode("utf-8", "surrogateescape")),))
        return ChosenDocuments()

    @Slot()
    def _on_where(self) -> None:
        self.query.setVisible(self.where.currentData() == "query")
        self.changed.emit()
