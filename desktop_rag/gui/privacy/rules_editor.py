"""Edits the rules about what may be sent: offline, masks, never-send files, tags and words, hosts that are allowed."""

import os
from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.widgets.layouts import LEFT, STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.settings import PrivacyOptions
from desktop_rag.text.display import one_line

_LINES = 4  # shown of a list


class PrivacyRules(QWidget):
    """The fields of `PrivacyOptions`."""

    def __init__(self, options: PrivacyOptions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offline = QCheckBox(self.tr("Work offline: connect to nothing but this computer"), self)
        self._offline.setChecked(options.offline)
        self._mask = QCheckBox(self.tr("Mask passwords, keys, card and account numbers"), self)
        self._mask.setChecked(options.mask_secrets)
        self._mask.setToolTip(self.tr("The answer shows them again, on this computer only"))
        self._never = _PathList(options.never_send, self)
        self._hosts = QListWidget(self)
        self._hosts.addItems([one_line(host) for host in options.confirmed_hosts])
        self._words = self._lines(options.never_words)
        self._tags = self._lines(options.never_tags)
        self._arrange()

    def options(self) -> PrivacyOptions:
        """Return the rules in the fields."""
        return PrivacyOptions(
            offline=self._offline.isChecked(),
            never_send=self._never.paths(),
            never_tags=_written(self._tags),
            never_words=_written(self._words),
            mask_secrets=self._mask.isChecked(),
            confirmed_hosts=tuple(self._hosts.item(row).text() for row in range(self._hosts.count())),
        )

    def _arrange(self) -> None:
        column = in_column(*((box, LEFT) for box in (self._offline, self._mask)), on=self)
        self._add(column, self.tr("Never send"), self._never, self._never.list)
        about = self.tr(
            "You can search these files and folders, and the built-in model can quote them. No other model gets their "
            "text, names or titles."
        )
        column.addWidget(PlainLabel(about, "caption", self))
        title = self.tr("Documents with these tags are never sent either, one tag per line")
        self._add(column, title, self._tags, self._tags)
        self._add(column, self.tr("Words that are masked in what is sent, one per line"), self._words, self._words)
        forget = QPushButton(self.tr("Ask again"), self)
        forget.setEnabled(False)
        forget.clicked.connect(self._on_forget)
        self._hosts.currentRowChanged.connect(lambda row: forget.setEnabled(row >= 0))
        if self._hosts.count():
            self._add(column, self.tr("You have allowed sending to"), self._hosts, self._hosts)
            column.addWidget(forget, 0, Qt.AlignmentFlag.AlignLeft)
        else:
            self._hosts.hide()
            forget.hide()

    def _lines(self, texts: Sequence[str]) -> QPlainTextEdit:
        """Return a field with one text per line."""
        field = QPlainTextEdit("\n".join(texts), self)
        set_role(field, "field")
        field.setTabChangesFocus(True)
        return field

    def _add(self, column: QVBoxLayout, title: str, part: QWidget, field: QWidget) -> None:
        label = PlainLabel(title, "", self)
        label.setBuddy(field)
        field.setAccessibleName(title)
        set_role(field, "box")
        field.setFixedHeight(_LINES * field.fontMetrics().lineSpacing() + 2 * GRID)
        column.addSpacing(GRID)
        column.addWidget(label)
        column.addWidget(part)

    @Slot()
    def _on_forget(self) -> None:
        self._hosts.takeItem(self._hosts.currentRow())


def _written(field: QPlainTextEdit) -> tuple[str, ...]:
    lines = (line.strip() for line in field.toPlainText().splitlines())
    return tuple(dict.fromkeys(filter(None, lines)))


class _PathList(QWidget):
    """A list of files and folders with buttons to add and remove."""

    def __init__(self, paths: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.list = QListWidget(self)
        self._paths: list[str] = []
        for path in paths:
            self._add(path)
        folder, file = QPushButton(self.tr("Add folder…"), self), QPushButton(self.tr("Add file…"), self)
        self._remove = QPushButton(self.tr("Take off the list"), self)
        self._remove.setEnabled(False)
        row = in_row(*(folder, file, self._remove), STRETCH)
        in_column(self.list, row, on=self)
        folder.clicked.connect(lambda: self._choose(QFileDialog.FileMode.Directory))
        file.clicked.connect(lambda: self._choose(QFileDialog.FileMode.ExistingFiles))
        self._remove.clicked.connect(self._on_remove)
        self.list.currentRowChanged.connect(lambda row: self._remove.setEnabled(row >= 0))

    def paths(self) -> tuple[str, ...]:
        """Return the paths in the list."""
        return tuple(self._paths)

    def _add(self, path: str) -> None:
        if path not in self._paths:
            self._paths.append(path)  # not in the list of Qt, which cannot hold every name
            self.list.addItem(one_line(path))

    @Slot()
    def _on_remove(self) -> None:
        if (row := self.list.currentRow()) >= 0:
            del self._paths[row]
            self.list.takeItem(row)

    def _choose(self, mode: QFileDialog.FileMode) -> None:
        dialog = FileDialog(self, self.tr("Never send"), folders=mode is QFileDialog.FileMode.Directory)
        dialog.setFileMode(mode)
        dialog.filesSelected.connect(self._on_chosen)
        dialog.open()

    @Slot("QStringList")
    def _on_chosen(self, paths: list[str]) -> None:
        for path in paths:
            self._add(os.path.realpath(path))  # as the library knows its folders
