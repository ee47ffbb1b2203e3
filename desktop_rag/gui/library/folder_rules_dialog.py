"""What one folder leaves out of the library."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.fields import indent_number
from desktop_rag.gui.foreign import shown_name, shown_path
from desktop_rag.gui.labels import ElidedLabel
from desktop_rag.gui.theme import GRID, mono_font, set_role
from desktop_rag.index.messages import FolderStatus
from desktop_rag.index.records import FolderRules

_LARGEST = 200  # no reader takes more; a larger number would promise what cannot be kept


class FolderRulesDialog(QDialog):
    """Edits the rules of one folder; nothing happens until Save."""

    rules_changed = Signal(object, object)  # the FolderId and its new FolderRules

    def __init__(self, status: FolderStatus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Rules of “{0}”").format(shown_name(status.path)))
        self.resize(520, 480)
        self._status = status
        self._gitignore = QCheckBox(self.tr("Leave out what .gitignore files leave out"), self)
        self._hidden = QCheckBox(self.tr("Include hidden files and folders"), self)
        self._largest = QSpinBox(self)
        self._patterns = QPlainTextEdit(self)
        self._cancel = QPushButton(self.tr("Cancel"), self)
        self._save = QPushButton(self.tr("Save and rescan"), self)
        self._fill(status.rules)
        self._arrange()
        self._save.clicked.connect(self._on_save_clicked)
        self._cancel.clicked.connect(self.reject)

    def rules(self) -> FolderRules:
        """Return the rules as they stand in the fields."""
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
        self._patterns.setAccessibleName(self.tr("Patterns to leave out, one a line"))
        self._patterns.setTabChangesFocus(True)
        self._patterns.setFont(mono_font())
        set_role(self._patterns, "field")
        self._save.setDefault(True)
        set_role(self._save, "primary")

    def _arrange(self) -> None:
        path = ElidedLabel(self)
        set_role(path, "caption")
        path.show_text(shown_path(self._status.path))
        title = QLabel(self.tr("Also leave out"), self)
        set_role(title, "heading")
        hint = QLabel(self.tr("One pattern a line, as in a .gitignore file. “!” takes a file back in."), self)
        set_role(hint, "caption")
        hint.setWordWrap(True)
        size = QHBoxLayout()
        size.setSpacing(GRID)
        label = QLabel(self.tr("Leave out files larger than"), self)
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
        layout.addLayout(buttons)

    def _on_save_clicked(self) -> None:
        if self.rules() != self._status.rules:
            self.rules_changed.emit(self._status.folder, self.rules())
        self.accept()
