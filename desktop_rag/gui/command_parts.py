"""The commands by the part of the window in which they work, and their keys, which the user may change."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QKeyCombination, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QWidget

_ADDED_MNEMONIC = re.compile(r"\s*\(&\w\)")
Rows = tuple[tuple[str, str], ...]  # what a key does, and the key
Listing = Sequence[tuple[str, Rows]]  # by the part of the window in which they work


def _not_blocked() -> str:
    return ""


@dataclass(frozen=True, slots=True)
class CommandPart:
    """The commands of one part of the window, each a QAction whose object name is unique in the part.

    `everywhere`: their keys work in the whole window. `fixed` are keys that cannot be changed. `blocked` returns why
    none of the commands can run now, empty if they can; a disabled one says so in its “What's this” text.
    """

    name: str
    title: str
    actions: tuple[QAction, ...] = ()
    fixed: Rows = ()
    everywhere: bool = False
    blocked: Callable[[], str] = _not_blocked

    def key_of(self, action: QAction) -> str:
        """Return the name under which the settings store the keys of a command."""
        return f"{self.name}.{action.objectName()}"


def new_command(
    parent: QObject, name: str, text: str, keys: str | QKeySequence, act: Callable[[], object] | None = None
) -> QAction:
    """Return a command with its default keys."""
    action = QAction(text, parent)
    action.setObjectName(name)
    action.setShortcut(QKeySequence(keys))
    if act is not None:
        action.triggered.connect(act)
    return action


def plain_text(action: QAction) -> str:
    """Return the text of an action without mnemonic and without keys."""
    return without_mnemonic(action.text().partition("\t")[0])


def without_mnemonic(text: str) -> str:
    """Return the text of an action or a menu without its mnemonic: “&File”, and “文件(&F)” of Chinese."""
    return _ADDED_MNEMONIC.sub("", text).replace("&&", "\0").replace("&", "").replace("\0", "&")


def keys_text(action: QAction) -> str:
    """Return the keys of an action in the notation of this system."""
    return shown_keys(action.shortcut()) or action.text().partition("\t")[2]


def shown_keys(keys: QKeySequence | QKeyCombination | Qt.Key) -> str:
    """Return keys in the notation of this system."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText).replace("Backtab", "Tab")


def stored_keys(keys: QKeySequence) -> str:
    """Return keys as the settings store them, the same on every system."""
    return keys.toString(QKeySequence.SequenceFormat.PortableText)


class Commands(QObject):
    """All commands of a window with their default keys."""

    def __init__(self, parts: Iterable[CommandPart], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.parts = tuple(parts)
        self.defaults = {
            part.key_of(action): stored_keys(action.shortcut()) for part in self.parts for action in part.actions
        }

    def use(self, changed: Mapping[str, str]) -> None:
        """Give every command its keys in `changed`, else its default ones; unknown names are ignored."""
        for part in self.parts:
            for action in part.actions:
                key = part.key_of(action)
                keys = QKeySequence(changed.get(key, self.defaults[key]), QKeySequence.SequenceFormat.PortableText)
                if action.shortcut() != keys:
                    action.setShortcut(keys)

    def conflicts(self, chosen: Mapping[str, str], key: str) -> tuple[QAction, ...]:
        """Return the commands that the keys of `key` would also call, if `chosen` were in use.

        Two parts of the window may use the same keys; what works everywhere may not. Pairs that share their default
        keys mean the same and are no conflict.
        """
        keys = chosen.get(key, self.defaults[key])
        own = next(part for part in self.parts if key.startswith(f"{part.name}."))
        if not keys:
            return ()
        return tuple(
            action
            for part in self.parts
            if part is own or part.everywhere or own.everywhere
            for action in part.actions
            if (other := part.key_of(action)) != key
            and chosen.get(other, self.defaults[other]) == keys
            and not (self.defaults[other] == self.defaults[key] == keys)
        )

    def listing(self) -> Listing:
        """Return every command that has keys, by part."""
        listed = ((part.title, (*_rows(part.actions), *part.fixed)) for part in self.parts)
        return tuple((title, rows) for title, rows in listed if rows)


def _rows(actions: Iterable[QAction]) -> Rows:
    return tuple((plain_text(action), keys) for action in actions if (keys := keys_text(action)))


# Names the keys of commands on the buttons and menu entries that do the same, also after a change.


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
