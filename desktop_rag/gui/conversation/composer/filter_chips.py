"""What a question was taken to say about the files to look in, as chips; a click asks again without one."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.conversation.sources.source_chips import Chip, FlowRow
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.theme import text_font
from desktop_rag.retrieval.api import Filter
from desktop_rag.retrieval.query.tree import FileField
from desktop_rag.text.display import one_line


class RouteFilterChip(Chip):
    """One condition on files."""

    def __init__(self, filter_: Filter, words: str, parent: QWidget | None = None) -> None:
        super().__init__(words, icon="close", parent=parent)
        self.filter = filter_
        self.setFont(text_font(-1))
        self.setAccessibleName(self.tr("Only in {0}; ask again without it").format(one_line(words)))
        self.setToolTip(tool_tip(self.tr("Ask again without this")))


class FilterChips(FlowRow):
    """The conditions a run works under beside those the person chose."""

    dropped = Signal(object)  # the Filter the person does not want

    def __init__(self, filters: Sequence[Filter], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Where this question is looked up"))
        names = {
            FileField.EXT: self.tr("Type: {0}"),
            FileField.FOLDER: self.tr("Folder: {0}"),
            FileField.AUTHOR: self.tr("Author: {0}"),
            FileField.MODIFIED: self.tr("Changed: {0}"),
        }
        chips = [RouteFilterChip(each, names.get(each.field, "{0}").format(each.text), self) for each in filters]
        for chip in chips:
            chip.clicked.connect(self._on_clicked)
        self.set_items(chips)

    @Slot()
    def _on_clicked(self) -> None:
        chip = self.sender()
        if isinstance(chip, RouteFilterChip):
            self.dropped.emit(chip.filter)
