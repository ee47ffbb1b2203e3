"""Folders to look in, as chips that are on or off; all on is everywhere."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop_rag.gui import icons
from desktop_rag.gui.conversation.source_chips import Chip, FlowRow
from desktop_rag.gui.foreign import tool_tip
from desktop_rag.gui.theme import current_colors, text_font
from desktop_rag.index.records import FolderId


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


class ScopeRow(FlowRow):
    """No chip checked means everywhere."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Folders to look in"))
        self._folders: tuple[tuple[FolderId, str], ...] = ()
        self._chips: list[FolderChip] = []
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
        self.set_items(chips)
        self.setVisible(bool(chips))

    def chips(self) -> tuple[FolderChip, ...]:
        """Return the chips in order."""
        return tuple(self._chips)

    def scope(self) -> tuple[FolderId, ...]:
        """Return the chosen folders; empty means everywhere."""
        return tuple(chip.folder for chip in self._chips if chip.isChecked())
