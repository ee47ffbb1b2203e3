"""A chip for a file or folder that a conversation has attached, with how far it has been read."""

from PySide6.QtWidgets import QWidget

from desktop_rag.gui.formatting import counted, tool_tip
from desktop_rag.gui.theme.theme import text_font
from desktop_rag.gui.widgets.chips import Chip
from desktop_rag.retrieval.api import Attachment
from desktop_rag.text.display import shown_name, shown_path


class AttachmentChip(Chip):
    """Shows name and state of an attachment; a click removes it from the conversation."""

    def __init__(self, path: bytes, parent: QWidget | None = None) -> None:
        super().__init__(shown_name(path), icon="attach", parent=parent)
        self.path = path
        self.setFont(text_font(-1))
        self.show_state(Attachment(path, waiting=1))

    def show_state(self, state: Attachment) -> None:
        """Show how far the attachment has been read."""
        name, words = shown_name(self.path), self._words(state)
        self._icon = "warning" if state.unread and not state.contents else "attach"
        self._detail = "" if state.contents else self.tr("not read") if state.unread else self.tr("reading…")
        self.setAccessibleName(self.tr("{0}, attached to this conversation; remove it").format(name))
        self.setAccessibleDescription(words)
        removes = self.tr("Click to remove it from this conversation.")
        self.setToolTip(tool_tip(f"{shown_path(self.path)}\n{words}\n{removes}"))
        self.updateGeometry()
        self.update()

    def _words(self, state: Attachment) -> str:
        if state.waiting:
            return counted(self.tr("%Ln file(s) (is|are) being read", "", state.waiting), state.waiting)
        if state.unread and not state.contents:
            return state.reason or self.tr("It cannot be read.")
        unread = counted(self.tr("%Ln file(s) cannot be read", "", state.unread), state.unread) if state.unread else ""
        return ". ".join(filter(None, (self.tr("Searched in this conversation only"), unread)))
