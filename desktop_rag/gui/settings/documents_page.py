"""What opened documents are handed to: the person's editor."""

from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.plain_labels import PlainLabel


class DocumentsPage(QWidget):
    """The command that opens a text at a line; empty is the editor that was found."""

    def __init__(self, editor: str, detected: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        heading = QLabel(self.tr("My editor"), self)
        set_role(heading, "heading")
        self._field = QLineEdit(editor, self)
        self._field.setPlaceholderText(detected or "code -g {path}:{line}")
        self._field.setAccessibleName(self.tr("Command of my editor"))
        what = self.tr(
            "“Open in my editor” (Ctrl+E) runs this with the file for {path} and the number of the line for {line}."
        )
        found = (
            self.tr("Left empty, it is {0}.").format(detected)
            if detected
            else self.tr("No editor was found on this computer.")
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2 * GRID, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(heading)
        layout.addWidget(self._field)
        layout.addWidget(PlainLabel(f"{what} {found}", "muted", self))
        layout.addStretch(1)

    def editor(self) -> str:
        """Return the command as it is typed."""
        return self._field.text().strip()
