"""A chip for a file or folder that a conversation has attached, with how far it has been read."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import counted, tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, scaled, text_font
from desktop_rag.gui.widgets.chips import Chip
from desktop_rag.retrieval.attachment import Attachment
from desktop_rag.text.display import shown_name, shown_path


class AttachmentChip(Chip):
    """Shows name and state of an attachment; a click opens it, one on its cross or Delete removes it."""

    removed = Signal()  # it is no longer to be attached

    def __init__(self, path: bytes, parent: QWidget | None = None) -> None:
        super().__init__(shown_name(path), icon="attach", parent=parent)
        self.path = path
        self._right_room = scaled(14) + 4  # for its cross
        self.setFont(text_font(-1))
        self.show_state(Attachment(path, waiting=1))

    def show_state(self, state: Attachment, held: str = "") -> None:
        """Show how far the attachment has been read; `held`: what reading waits for, without a stop."""
        name, words = shown_name(self.path), self._words(state, held)
        self._detail = self._short(state, held)
        self._icon = "attach" if state.searchable or state.waiting else "warning"
        self.setAccessibleName(self.tr("{0}, attached to this conversation; Delete removes it").format(name))
        self.setAccessibleDescription(words)
        removes = self.tr("Click to open it, × to remove it from this conversation.")
        self.setToolTip(tool_tip(f"{shown_path(self.path)}\n{words}\n{removes}"))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size with the cross."""
        hint = super().sizeHint()
        return QSize(hint.width() + self._right_room, hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the chip and its cross."""
        super().paintEvent(event)
        cross = self.column(self.width() - self._right_room - 4, scaled(14))
        icons.draw(self.begin_painting(), cross, "close", current_colors().muted, 14)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Remove it where its cross is clicked."""
        at = event.position().toPoint()
        cross = self.column(self.width() - self._right_room - 8, self._right_room + 8)
        if event.button() is Qt.MouseButton.LeftButton and self.isDown() and cross.contains(at):
            self.setDown(False)
            self.removed.emit()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Remove it with Delete."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def _short(self, state: Attachment, held: str) -> str:
        """Return the text beside the name; empty once there is something to search."""
        if state.searchable:
            return ""
        if state.waiting:
            return self.tr("waiting") if held else self.tr("reading…")
        if state.unread:
            return self.tr("not read")
        return self.tr("no text") if state.pictures else self.tr("empty")

    def _words(self, state: Attachment, held: str) -> str:
        if state.waiting and held:
            unread = counted(self.tr("%Ln file(s) (is|are) not read yet", "", state.waiting), state.waiting)
            return self.tr("{0}: {1}").format(held, unread)
        if state.waiting:
            return counted(self.tr("%Ln file(s) (is|are) being read", "", state.waiting), state.waiting)
        if not state.files:
            return self.tr("It has no files")
        if state.unread and state.unread == state.files:
            return sentence(state.reason) or self.tr("It cannot be read.")
        searched = self.tr("Searched in this conversation only") if state.searchable else ""
        unread = counted(self.tr("%Ln file(s) cannot be read", "", state.unread), state.unread) if state.unread else ""
        return ". ".join(filter(None, (searched, unread, self._pictures(state.pictures))))

    def _pictures(self, count: int) -> str:
        words = self.tr("%Ln file(s) (has|have) only pictures, no text", "", count) if count else ""
        return counted(words, count)
