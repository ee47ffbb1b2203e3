"""The dialog for the ignore rules of one folder, with a field to test them on a path."""

import os

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.theme.theme import GRID, mono_font, set_role
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.fields import indent_number
from desktop_rag.gui.widgets.plain_labels import ElidedLabel
from desktop_rag.index.folders.rules import RuleDecision
from desktop_rag.index.indexer_api import FolderStatus
from desktop_rag.index.records import FolderRules
from desktop_rag.text.display import one_line, shown_name, shown_path

_LARGEST = 200  # readers take no larger files; a larger limit would have no effect
_TYPING = 200  # debounce of typing in the test field, in milliseconds


class FolderRulesDialog(BoundedDialog):
    """Edits the rules of one folder; nothing changes until Save."""

    rules_changed = Signal(object, object)  # the FolderId and its new FolderRules
    path_asked = Signal(object, object, object)  # the folder's path, the FolderRules in the fields, a path as bytes

    def __init__(self, status: FolderStatus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Rules of “{0}”").format(shown_name(status.path)))
        self.resize(520, 560)
        self._status = status
        self._gitignore = QCheckBox(self.tr("Ignore what .gitignore files ignore"), self)
        self._hidden = QCheckBox(self.tr("Include hidden files and folders"), self)
        self._largest = QSpinBox(self)
        self._patterns = QPlainTextEdit(self)
        self._tested = QLineEdit(self)
        self._choose = QPushButton(self.tr("Choose…"), self)
        self._verdict = QLabel(self)
        self._asking = QTimer(self, singleShot=True, interval=_TYPING)
        self._cancel = QPushButton(self.tr("Cancel"), self)
        self._save = QPushButton(self.tr("Save and check the folder"), self)
        self._fill(status.rules)
        self._arrange()
        self._save.clicked.connect(self._on_save_clicked)
        self._cancel.clicked.connect(self.reject)
        self._choose.clicked.connect(self._on_choose_clicked)
        self._asking.timeout.connect(self._on_asking)
        for changed in (
            self._tested.textChanged,
            self._patterns.textChanged,
            self._gitignore.toggled,
            self._hidden.toggled,
            self._largest.valueChanged,
        ):
            changed.connect(self._asking.start)

    def show_decision(self, decision: RuleDecision | None) -> None:
        """Show what the rules in the fields decide about the tested path; None means it is outside the folder."""
        if decision is None:
            message = self.tr("This path is outside the folder.")
        else:
            verdict = self.tr("Included.") if decision.included else self.tr("Ignored.")
            message = f"{verdict} {one_line(decision.reason)}" if decision.detail else verdict
        self._verdict.setText(message)
        self._tested.setAccessibleDescription(message)

    def rules(self) -> FolderRules:
        """Return the rules in the fields."""
        lines = [line.strip() for line in self._patterns.toPlainText().splitlines()]
        return FolderRules(
            ignore=tuple(line for line in lines if line),
            use_gitignore=self._gitignore.isChecked(),
            include_hidden=self._hidden.isChecked(),
            max_megabytes=self._largest.value(),
        )

    def _fill(self, rules: FolderRules) -> None:
        self._gitignore.setChecked(rules.use_gitignore)
        self._hidden.setChecked(rules.include_hidden)
        self._largest.setRange(1, _LARGEST)
        indent_number(self._largest, 120)
        self._largest.setSuffix(self.tr(" MB"))
        self._largest.setValue(rules.max_megabytes)
        self._largest.setAccessibleName(self.tr("Largest file"))
        self._patterns.setPlainText("\n".join(rules.ignore))
        self._patterns.setPlaceholderText("*.log\n/drafts/\n**/node_modules/\n!keep.log")
        self._patterns.setAccessibleName(self.tr("Patterns to ignore, one per line"))
        self._patterns.setTabChangesFocus(True)
        self._patterns.setFont(mono_font())
        set_role(self._patterns, "field")
        self._tested.setPlaceholderText(self.tr("A file or folder in this folder, such as drafts/plan.md"))
        self._tested.setAccessibleName(self.tr("A path to test the rules on"))
        self._choose.setAccessibleName(self.tr("Choose a file to test the rules on"))
        self._verdict.setTextFormat(Qt.TextFormat.PlainText)
        self._verdict.setWordWrap(True)
        self._verdict.setMinimumHeight(2 * self._verdict.fontMetrics().lineSpacing())
        self._verdict.setAlignment(Qt.AlignmentFlag.AlignTop)
        set_role(self._verdict, "caption")
        self._save.setDefault(True)
        set_role(self._save, "primary")

    def _arrange(self) -> None:
        path = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        set_role(path, "caption")
        path.show_text(shown_path(self._status.path))
        title = QLabel(self.tr("Also ignore"), self)
        set_role(title, "heading")
        hint = QLabel(self.tr("One pattern per line, as in a .gitignore file. “!” includes a file again."), self)
        set_role(hint, "caption")
        hint.setWordWrap(True)
        size = QHBoxLayout()
        size.setSpacing(GRID)
        label = QLabel(self.tr("Ignore files larger than"), self)
        label.setBuddy(self._largest)
        size.addWidget(label)
        size.addWidget(self._largest)
        size.addStretch(1)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addStretch(1)
        buttons.addWidget(self._cancel)
        buttons.addWidget(self._save)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addWidget(path)
        for box in (self._gitignore, self._hidden):
            layout.addWidget(box, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addLayout(size)
        layout.addSpacing(GRID)
        layout.addWidget(title)
        layout.addWidget(hint)
        layout.addWidget(self._patterns, 1)
        layout.addSpacing(GRID)
        layout.addLayout(self._tester())
        layout.addLayout(buttons)

    def _tester(self) -> QVBoxLayout:
        title = QLabel(self.tr("Which rule decides?"), self)
        set_role(title, "heading")
        title.setBuddy(self._tested)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self._tested, 1)
        row.addWidget(self._choose)
        tester = QVBoxLayout()
        tester.setSpacing(GRID)
        tester.addWidget(title)
        tester.addLayout(row)
        tester.addWidget(self._verdict)
        return tester

    def _on_choose_clicked(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self, self.tr("Test the rules on a file"), os.fsdecode(self._status.path)
        )
        if chosen:
            self._tested.setText(chosen)

    def _on_asking(self) -> None:
        text = self._tested.text().strip()
        if text:
            self.path_asked.emit(self._status.path, self.rules(), os.fsencode(text))
        else:
            self._verdict.clear()

    def _on_save_clicked(self) -> None:
        if self.rules() != self._status.rules:
            self.rules_changed.emit(self._status.folder, self.rules())
        self.accept()
