"""Asks whether a folder dropped on the question belongs to the library or to this conversation only."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_rag.gui.theme.theme import set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog
from desktop_rag.text.display import shown_name


class AttachFolderDialog(ActionDialog):
    """Offers to add a folder to the library, or to attach it."""

    attach_chosen = Signal()  # only for this conversation; `accepted`: add it to the library

    def __init__(self, folder: bytes, parent: QWidget | None = None) -> None:
        title = self.tr("Where does “{0}” belong?").format(shown_name(folder))
        super().__init__(title, self.tr("Add to the library"), parent)
        set_role(self.act, "primary")
        self._attach = QPushButton(self.tr("Only this conversation"), self)
        self._attach.clicked.connect(self._on_attach_clicked)
        library = self.tr("In the library every conversation and every search finds it.")
        own = self.tr("Attached, only this conversation finds it, and forgets it when you delete the conversation.")
        self.arrange(self.words(library), self.words(own, "muted"), self._attach)
        self.act.setFocus()

    def _on_attach_clicked(self) -> None:
        self.attach_chosen.emit()
        self.reject()
