"""The plain pages of the settings: limits, appearance, folders."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.fields import indent_number
from desktop_rag.index.indexer_api import FolderStatus
from desktop_rag.settings import Limits, Theme, Unsourced
from desktop_rag.text.display import shown_path


class LimitsPage(QWidget):
    """Where a run ends."""

    def __init__(self, limits: Limits, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        intro = _caption(
            self.tr("When one of these is reached, the answer is written from what was found so far."), self
        )
        self._steps = self._spin(self.tr("Steps"), 1, 200, limits.steps)
        self._tool_calls = self._spin(self.tr("Searches and reads"), 1, 1000, limits.tool_calls)
        self._seconds = self._spin(self.tr("Time"), 0, 36_000, limits.seconds, self.tr(" seconds"), unlimited=True)
        tokens = self.tr(" tokens")
        self._context = self._spin(
            self.tr("Context of one request"), 2048, 10_000_000, limits.context_tokens, tokens, step=1024
        )
        self._total = self._spin(
            self.tr("Tokens of a whole run"), 0, 1_000_000_000, limits.total_tokens, tokens, step=10_000, unlimited=True
        )
        form = QFormLayout()
        form.setHorizontalSpacing(2 * GRID)
        form.setVerticalSpacing(GRID)
        for field in (self._steps, self._tool_calls, self._seconds, self._context, self._total):
            form.addRow(field.accessibleName(), field)
        layout = _page(self)
        layout.addWidget(intro)
        layout.addSpacing(GRID)
        layout.addLayout(form)
        layout.addStretch(1)

    def limits(self) -> Limits:
        """Return the limits as the fields stand."""
        return Limits(
            steps=self._steps.value(),
            tool_calls=self._tool_calls.value(),
            seconds=self._seconds.value(),
            context_tokens=self._context.value(),
            total_tokens=self._total.value(),
        )

    def _spin(
        self, name: str, least: int, most: int, value: int, suffix: str = "", *, step: int = 1, unlimited: bool = False
    ) -> QSpinBox:
        field = QSpinBox(self)
        field.setRange(least, most)
        field.setSingleStep(step)
        field.setSuffix(suffix)
        field.setGroupSeparatorShown(True)
        indent_number(field, 200)
        field.setAccessibleName(name)
        if unlimited:
            field.setSpecialValueText(self.tr("No limit"))
        field.setValue(value)
        return field


class AnswersPage(QWidget):
    """What becomes of a statement without a source."""

    def __init__(self, unsourced: Unsourced, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices = QButtonGroup(self)
        names = (
            (Unsourced.MARK, self.tr("Mark it")),
            (Unsourced.FORBID, self.tr("Leave it out, with a note in its place")),
        )
        self._order = tuple(choice for choice, _ in names)
        layout = _page(self)
        layout.addWidget(_heading(self.tr("A statement without a source in your documents"), self))
        words = self.tr(
            "Models also say what they remember from elsewhere. Each statement of an answer is held against the lines "
            "it cites; one that cites none is never shown like the others."
        )
        layout.addWidget(_caption(words, self))
        for number, (choice, name) in enumerate(names):
            button = QRadioButton(name, self)
            button.setChecked(choice is unsourced)
            self._choices.addButton(button, number)
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)

    def unsourced(self) -> Unsourced:
        """Return the choice."""
        return self._order[self._choices.checkedId()]


class AppearancePage(QWidget):
    """The theme."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = QButtonGroup(self)
        names = (
            (Theme.SYSTEM, self.tr("Same as the system")),
            (Theme.LIGHT, self.tr("Light")),
            (Theme.DARK, self.tr("Dark")),
        )
        self._order = tuple(choice for choice, _ in names)
        layout = _page(self)
        layout.addWidget(_heading(self.tr("Theme"), self))
        for number, (choice, name) in enumerate(names):
            button = QRadioButton(name, self)
            button.setChecked(choice is theme)
            self._themes.addButton(button, number)
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)

    def theme(self) -> Theme:
        """Return the chosen theme."""
        return self._order[self._themes.checkedId()]


class FoldersPage(QWidget):
    """Leads to the rules of each folder."""

    rules_requested = Signal(object)  # the FolderId whose rules are to be shown

    def __init__(self, folders: Sequence[FolderStatus], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folders = tuple(folders)
        self._list = QListWidget(self)
        set_role(self._list, "box")
        self._list.setAccessibleName(self.tr("Folders"))
        self._list.addItems([shown_path(folder.path) for folder in folders])
        self._rules = QPushButton(self.tr("Rules…"), self)
        self._rules.setEnabled(False)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self._rules)
        layout = _page(self)
        what = self.tr("Each folder has its own rules for what is left out.")
        none = self.tr("Your library has no folders yet. Drop one on the window.")
        layout.addWidget(_caption(what if folders else none, self))
        layout.addWidget(self._list, 1)
        layout.addLayout(row)
        self._list.currentRowChanged.connect(self._on_row_changed)
        self._list.itemActivated.connect(self._on_rules_clicked)
        self._rules.clicked.connect(self._on_rules_clicked)

    def _on_row_changed(self, row: int) -> None:
        self._rules.setEnabled(row >= 0)

    def _on_rules_clicked(self) -> None:
        self.rules_requested.emit(self._folders[self._list.currentRow()].folder)


def _page(widget: QWidget) -> QVBoxLayout:
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(0, 2 * GRID, 0, 0)
    layout.setSpacing(GRID)
    return layout


def _heading(text: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    set_role(label, "heading")
    return label


def _caption(text: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setWordWrap(True)
    set_role(label, "muted")
    return label
