"""Small fields and buttons that several panels share."""

from PySide6.QtWidgets import QAbstractSpinBox, QDialog, QLineEdit, QPushButton, QToolButton, QWidget

from desktop_rag.gui.theme.theme import set_role


class FilterField(QLineEdit):
    """A field that filters a list; `label` is its placeholder and accessible name."""

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "filter")
        self.setPlaceholderText(label)
        self.setAccessibleName(label)
        self.setClearButtonEnabled(True)
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear"))


def indent_number(field: QAbstractSpinBox, width: int) -> None:
    """Give a number field its width and the left margin that a style sheet cannot set."""
    field.setFixedWidth(width)
    for line in field.findChildren(QLineEdit):
        line.setTextMargins(6, 0, 0, 0)


def close_button(dialog: QDialog, text: str) -> QPushButton:
    """Return the only button of a read-only dialog."""
    button = QPushButton(text, dialog)
    button.setDefault(True)
    set_role(button, "primary")
    button.clicked.connect(dialog.accept)
    return button
