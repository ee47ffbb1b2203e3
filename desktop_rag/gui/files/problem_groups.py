"""The second tab: the problems grouped by reason, each group with its remedy and actions."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_rag.errors import ProblemKind
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.files.file_wording import left_out_text, problem_title, remedy
from desktop_rag.gui.formatting import counted
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.chips import FlowRow
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.file_rows import PROBLEMS, ListedState, ProblemGroup
from desktop_rag.text.display import one_line


class ProblemCard(QFrame):
    """One group: how many files, why, and what to do."""

    listed = Signal(object)  # the ProblemKind whose files to list
    retried = Signal(object)  # the ProblemKind whose files to read again
    ignored = Signal(object)  # the ProblemKind whose files to leave out by rules

    def __init__(self, group: ProblemGroup, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind: ProblemKind = group.kind
        set_role(self, "card")
        title = PlainLabel(problem_title(group.kind), "heading", self)
        files = PlainLabel(counted(self.tr("%Ln file(s)", "", group.files), group.files), "muted", self)
        files.setAlignment(Qt.AlignmentFlag.AlignRight)
        what = PlainLabel(remedy(group.kind), "", self)
        example = PlainLabel(self.tr("For example: {0}").format(one_line(sentence(group.reason))), "caption", self)
        example.setVisible(bool(group.reason))
        self.show_files = QPushButton(self.tr("Show files"), self)
        self.retry = QPushButton(self.tr("Try all again"), self)
        self.retry.setHidden(not group.retryable)
        self.ignore = QPushButton(self.tr("Ignore all"), self)
        self.ignore.setToolTip(self.tr("Leave these files out by rules of their folders; you can undo it"))
        for button in (self.show_files, self.retry, self.ignore):
            button.setAccessibleDescription(problem_title(group.kind))
            button.setAutoDefault(False)
        head = QHBoxLayout()
        head.addWidget(title, 3)
        head.addWidget(files, 1)
        buttons = FlowRow(self)
        buttons.set_items([each for each in (self.show_files, self.retry, self.ignore) if not each.isHidden()])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID + 4, 2 * GRID, GRID + 4)
        layout.setSpacing(GRID // 2)
        layout.addLayout(head)
        layout.addWidget(what)
        layout.addWidget(example)
        layout.addSpacing(GRID // 2)
        layout.addWidget(buttons)
        self.show_files.clicked.connect(lambda: self.listed.emit(self.kind))
        self.retry.clicked.connect(lambda: self.retried.emit(self.kind))
        self.ignore.clicked.connect(lambda: self.ignored.emit(self.kind))


class ProblemGroups(QScrollArea):
    """The groups, the largest first, or a sentence that there are none."""

    listed = Signal(object)  # the ProblemKind whose files to list
    retried = Signal(object)  # the ProblemKind whose files to read again
    ignored = Signal(object)  # the ProblemKind whose files to leave out by rules

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Problems by reason"))
        self._shown: tuple[tuple[ProblemGroup, ...], tuple[tuple[ListedState, int], ...]] | None = None
        self.cards: tuple[ProblemCard, ...] = ()
        self.show_groups(())

    def show_groups(self, groups: Sequence[ProblemGroup], states: Sequence[tuple[ListedState, int]] = ()) -> None:
        """Replace the groups if they have changed; `states` are the numbers of files by state."""
        shown = tuple(groups), tuple((state, files) for state, files in states if state in PROBLEMS and files)
        if self._shown == shown:
            return
        self._shown = shown
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(2 * GRID, GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(GRID + 4)
        counts = dict(shown[1])
        left_out = left_out_text(*(counts.get(state, 0) for state in reversed(PROBLEMS)))
        column.addWidget(PlainLabel(left_out, "muted", inside))
        self.cards = tuple(ProblemCard(group, inside) for group in groups)
        for card in self.cards:
            card.listed.connect(self.listed)
            card.retried.connect(self.retried)
            card.ignored.connect(self.ignored)
            column.addWidget(card)
        if not self.cards:
            none = PlainLabel(self.tr("No problems: every file could be read."), "muted", inside)
            none.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addSpacing(4 * GRID)
            column.addWidget(none)
        column.addStretch(1)
        place = self.verticalScrollBar().value()
        self.setWidget(inside)
        inside.setAutoFillBackground(False)  # which `setWidget` turned on
        self.viewport().setAutoFillBackground(False)
        self.verticalScrollBar().setValue(place)
