"""A command for a terminal: a field to read and select it in, and a button that copies it."""

from functools import partial

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from desktop_rag.gui.theme.theme import GRID, mono_font


class CommandRow(QHBoxLayout):
    """Shows `command`; further buttons can be added after it."""

    def __init__(self, command: str, parent: QWidget) -> None:
        super().__init__()
        field = QLineEdit(command, parent)
        field.setReadOnly(True)
        field.setFont(mono_font(-1))
        field.setCursorPosition(0)
        field.setAccessibleName(QCoreApplication.translate("CommandRow", "Command"))
        copy = QPushButton(QCoreApplication.translate("CommandRow", "Copy"), parent)
        copy.setAccessibleDescription(command)
        copy.clicked.connect(partial(QGuiApplication.clipboard().setText, command))
        self.setSpacing(GRID)
        self.addWidget(field, 1)
        self.addWidget(copy)
