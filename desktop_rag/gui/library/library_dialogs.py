"""Small dialogs about a library: its name and folder, confirmations, and how to install OCR."""

import os
from pathlib import Path

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.os_services import ocr_install_command
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import DIALOG_WIDTH, ActionDialog, BoundedDialog
from desktop_rag.gui.widgets.fields import CommandRow, close_button
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.widgets.layouts import in_row
from desktop_rag.gui.widgets.plain_labels import ElidedLabel, Label, PlainLabel
from desktop_rag.index.libraries import LONGEST_NAME
from desktop_rag.text.display import shown_path


class NameDialog(ActionDialog):
    """Asks for a library's name and, for a new one, the folder for its own files."""

    named = Signal(str, object)  # the name, and the folder as a Path or None for the default

    def __init__(self, title: str, act: str, name: str = "", parent: QWidget | None = None, *, place: bool) -> None:
        super().__init__(title, act, parent)
        self._folder: Path | None = None
        self._field = QLineEdit(name, self)
        self._field.setMaxLength(LONGEST_NAME)
        self._field.setAccessibleName(self.tr("Name of the library"))
        self._field.setPlaceholderText(self.tr("For example: Work"))
        self._field.selectAll()
        label = Label(self.tr("Name"), self)
        label.setBuddy(self._field)
        set_role(self.act, "primary")
        self.act.setDefault(True)
        parts: list[QWidget] = [label, self._field]
        if place:
            parts += [Label(self.tr("Folder for its index and conversations"), self), self._place_row()]
            parts.append(self.words(self.tr("Your documents stay where they are."), "caption"))
        self.arrange(*parts)
        self._field.textChanged.connect(self._on_text_changed)
        self.accepted.connect(self._on_accepted)
        self._on_text_changed(name)
        self._field.setFocus()

    def _place_row(self) -> QWidget:
        row = QWidget(self)
        self._place = ElidedLabel(row, Qt.TextElideMode.ElideMiddle)
        set_role(self._place, "muted")
        self._place.show_text(self.tr("In the default folder"))
        choose = QPushButton(self.tr("Choose…"), row)
        choose.setAccessibleDescription(self.tr("Choose an empty folder, for example on another disk"))
        choose.clicked.connect(self._on_choose_clicked)
        in_row((self._place, 1), choose, on=row)
        return row

    def _on_choose_clicked(self) -> None:
        dialog = FileDialog(self, self.tr("An empty folder for the library"), folders=True)
        dialog.fileSelected.connect(self.choose_place)
        dialog.open()

    def choose_place(self, folder: str) -> None:
        """Use `folder` for the library."""
        self._folder = Path(folder)
        self._place.show_text(shown_path(os.fsencode(folder)))

    def _on_text_changed(self, text: str) -> None:
        self.act.setEnabled(bool(text.strip()))

    def _on_accepted(self) -> None:
        self.named.emit(self._field.text().strip(), self._folder)


class ForgetDialog(ActionDialog):
    """Asks for confirmation before a folder is erased completely, and whether to erase its quotes."""

    confirmed = Signal(bool)  # whether to erase the quotes in conversations too

    def __init__(self, name: str, documents: str, answers: str, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Forget “{0}”?").format(name), self.tr("Forget"), parent)
        set_role(self.act, "danger")
        self._cancel.setDefault(True)
        self._cancel.setFocus()
        what = self.tr("The library erases the text of {0} and overwrites it. This cannot be undone.").format(documents)
        stays = self.tr("Your files stay where they are. Copies in other folders of the library can still be found.")
        self._quotes = QCheckBox(self.tr("Also erase its quotes in conversations"), self)
        self.arrange(self.words(what), self.words(stays, "muted"), self._quotes, self.words(answers, "caption"))
        self._quotes.setToolTip(self.tr("Also in the backups of the conversations"))
        self.accepted.connect(self._on_accepted)

    def _on_accepted(self) -> None:
        self.confirmed.emit(self._quotes.isChecked())


class ScansDialog(BoundedDialog):
    """Names the OCR program and the command that installs it on this system."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Text in scans and pictures"))
        self.setFixedWidth(DIALOG_WIDTH)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        *before, last = self._words()
        command = ocr_install_command(QLocale().name().partition("_")[0])
        unknown = self.tr("The package is mostly called tesseract-ocr; each language has one of its own.")
        for text, role in (*before, *(() if command else ((unknown, ""),))):
            layout.addWidget(self._label(text, role))
        if command:
            layout.addLayout(CommandRow(command, self))
        layout.addWidget(self._label(*last))
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)  # else the height is that of narrower texts
        layout.addSpacing(GRID)
        layout.addWidget(close_button(self, self.tr("Close")), 0, Qt.AlignmentFlag.AlignRight)

    def _label(self, text: str, role: str) -> QWidget:
        label = PlainLabel(text, role, self).fit_height()
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _words(self) -> tuple[tuple[str, str], ...]:
        return (
            (self.windowTitle(), "heading"),
            (
                self.tr("They are read by Tesseract, a free program that runs only on this computer. Install it:"),
                "",
            ),
            (
                self.tr(
                    "It is detected within a minute or two, and then reads the waiting pages in the background, at "
                    "some seconds of processor time a page. You do not need to add anything again."
                ),
                "muted",
            ),
        )
