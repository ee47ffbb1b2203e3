"""Names the keys of commands on the buttons and menu entries that do the same, also after a change."""

from collections.abc import Iterable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QWidget

from desktop_rag.gui.command_parts import keys_text, plain_text


def name_keys(root: QWidget, commands: Iterable[QAction]) -> None:
    """Show the keys of each command on whatever below `root` has its object name."""
    keys = {command.objectName(): keys_text(command) for command in commands}
    for button in root.findChildren(QAbstractButton):
        if button.objectName() in keys:
            hint = keys[button.objectName()]
            button.setToolTip(f"{button.accessibleName()} ({hint})" if hint else button.accessibleName())


def name_keys_of_entries(owner: QObject, commands: Iterable[QAction]) -> None:
    """Show the keys of each command in the menu entry of `owner` that has its object name."""
    keys = {command.objectName(): keys_text(command) for command in commands}
    for entry in owner.findChildren(QAction):
        if entry.objectName() in keys:
            hint = keys[entry.objectName()]
            entry.setText(f"{plain_text(entry)}\t{hint}" if hint else plain_text(entry))
