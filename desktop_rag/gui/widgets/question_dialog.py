"""A question before something that cannot be undone."""

from PySide6.QtWidgets import QWidget

from desktop_rag.gui.theme.theme import set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog


class QuestionDialog(ActionDialog):
    """Asks for confirmation before something that cannot be undone; Enter presses Cancel."""

    def __init__(self, title: str, words: str, act: str, parent: QWidget | None = None) -> None:
        super().__init__(title, act, parent)
        set_role(self.act, "danger")
        self._cancel.setDefault(True)
        self._cancel.setFocus()
        self.arrange(self.words(words))
