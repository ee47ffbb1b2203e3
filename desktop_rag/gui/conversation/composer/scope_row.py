"""Folders to look in, as chips that are on or off; all on is everywhere."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt, Slot
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.conversation.sources.source_chips import Chip, FlowRow
from desktop_rag.gui.formatting import number, tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, text_font
from desktop_rag.index.records import ContentId, FolderId


class FolderChip(Chip):
    """A folder that is looked in while it is checked."""

    def __init__(self, folder: FolderId, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, icon="folder", parent=parent)
        self.folder = folder
        self.setFont(text_font(-1))
        self.setCheckable(True)
        self.setToolTip(tool_tip(name))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the chip, tinted while it is on."""
        colors = current_colors()
        on = self.isChecked()
        ground = colors.accent_soft if on else colors.hover if self.underMouse() else colors.raised
        ink = colors.link if on else colors.muted
        painter = self.begin_painting()
        self.draw_card(painter, colors.accent if on else colors.outline, ground, self.height() / 2 - 1)
        icons.draw(painter, QRect(10, 0, 14, self.height()), "check" if on else "folder", ink, 14)
        painter.setPen(QColor(ink))
        words = self.fontMetrics().elidedText(self._name, Qt.TextElideMode.ElideMiddle, self.width() - 40)
        painter.drawText(29, 0, self.width() - 40, self.height(), Qt.AlignmentFlag.AlignVCenter, words)


class DocumentsChip(Chip):
    """Some documents that alone are looked in; a click lets go of them."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, icon="close", parent=parent)
        self.setFont(text_font(-1))
        self.setToolTip(self.tr("Look in all documents again"))


class ScopeRow(FlowRow):
    """No chip checked means everywhere."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Folders to look in"))
        self._folders: tuple[tuple[FolderId, str], ...] = ()
        self._chips: list[FolderChip] = []
        self._documents: tuple[ContentId, ...] = ()
        self._documents_chip: DocumentsChip | None = None
        self.hide()

    def set_folders(self, folders: Sequence[tuple[FolderId, str]]) -> None:
        """Offer `folders`; what was chosen stays chosen while it is there, and so does a chip under the pointer."""
        if tuple(folders) == self._folders:
            return
        self._folders = tuple(folders)
        chosen = self.scope()
        chips: list[FolderChip] = []
        for folder, name in folders if len(folders) > 1 else ():
            chip = FolderChip(folder, name, self)
            chip.setChecked(folder in chosen)
            chips.append(chip)
        self._chips = chips
        self._show_chips()

    def set_documents(self, documents: Sequence[ContentId], about: str) -> None:
        """Look in these alone, shown as one chip named after the search that found them; none lets go of them."""
        self._documents = tuple(documents)
        self._documents_chip = None
        if self._documents:
            count = len(self._documents)
            words = self.tr("1 document") if count == 1 else self.tr("{0} documents").format(number(count))
            self._documents_chip = DocumentsChip(f"{words}: {about}" if about else words, self)
            self._documents_chip.clicked.connect(self._on_documents_clicked)
        self._show_chips()

    def documents(self) -> tuple[ContentId, ...]:
        """Return the documents that alone are looked in; empty means all."""
        return self._documents

    def documents_chip(self) -> DocumentsChip | None:
        """Return the chip of the documents, if there are any."""
        return self._documents_chip

    def _show_chips(self) -> None:
        items = [*((self._documents_chip,) if self._documents_chip is not None else ()), *self._chips]
        self.set_items(items)
        self.setVisible(bool(items))

    @Slot()
    def _on_documents_clicked(self) -> None:
        self.set_documents((), "")

    def chips(self) -> tuple[FolderChip, ...]:
        """Return the chips in order."""
        return tuple(self._chips)

    def scope(self) -> tuple[FolderId, ...]:
        """Return the chosen folders; empty means everywhere."""
        return tuple(chip.folder for chip in self._chips if chip.isChecked())
