"""The tags of a conversation: words separated by spaces or commas, completed from those in use."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget

from desktop_rag.gui.theme.theme import set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog
from desktop_rag.text.display import one_line

MOST_TAGS = 20
_LONGEST = 600  # characters of all tags


class TagsDialog(ActionDialog):
    """Asks for the tags of a conversation."""

    chosen = Signal(tuple)  # the tags

    def __init__(self, title: str, tags: Sequence[str], known: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.setWindowTitle(self.tr("Tags"))
        self.act.setText(self.tr("Save"))
        set_role(self.act, "primary")
        self.act.setDefault(True)
        self.field = QLineEdit(" ".join(tags), self)
        self.field.setMaxLength(_LONGEST)
        self.field.setAccessibleName(self.tr("Tags"))
        self.field.setPlaceholderText(self.tr("For example: taxes 2024"))
        completer = QCompleter(list(known), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setWidget(self.field)
        completer.activated.connect(self._complete)
        self._completer = completer
        self.field.textEdited.connect(self._on_edited)
        self.accepted.connect(lambda: self.chosen.emit(tags_of(self.field.text())))
        hint = self.tr("Separate tags by spaces. In the search field of the conversations, tag:name finds them.")
        self.arrange(self.words(one_line(title), "muted"), self.field, self.words(hint, "caption"))
        self.field.setFocus()

    def _on_edited(self) -> None:
        word = self.field.text()[: self.field.cursorPosition()].replace(",", " ").rpartition(" ")[2]
        self._completer.setCompletionPrefix(word)
        if word and self._completer.currentCompletion().casefold() not in ("", word.casefold()):
            self._completer.complete()
        elif (popup := self._completer.popup()) is not None:
            popup.hide()

    def _complete(self, tag: str) -> None:
        at = self.field.cursorPosition()
        before = self.field.text()[:at].replace(",", " ").rpartition(" ")[0]
        self.field.setText(f"{before} {tag} {self.field.text()[at:].strip()}".lstrip())


def tags_of(text: str) -> tuple[str, ...]:
    """Return the tags in a text, each once."""
    return tuple(dict.fromkeys(text.replace(",", " ").split()))[:MOST_TAGS]
