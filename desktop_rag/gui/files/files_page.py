"""The page of all files: a bar with tabs, and below it the list, the problems or the statistics."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.errors import ProblemKind
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.command_parts import CommandPart
from desktop_rag.gui.files.file_wording import left_out_text, problem_title, remedy
from desktop_rag.gui.files.files_list import FilesList
from desktop_rag.gui.files.statistics_view import StatisticsView
from desktop_rag.gui.formatting import counted, number
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.density import set_margins
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.chips import FlowRow
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.file_rows import PROBLEMS, LibraryOverview, ListedState, ProblemGroup
from desktop_rag.text.display import one_line

# The second tab: the problems grouped by reason, each group with its remedy and actions.


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


FILES, PROBLEM_GROUPS, STATISTICS = range(3)


class FilesPage(QWidget):
    """Lays out the three tabs; `FilesControl` fills them."""

    left = Signal()  # back to the conversation
    hidden = Signal()  # another page is looked at
    shown = Signal()  # the page or another of its tabs has become visible

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = FilesList(self)
        self.problems = ProblemGroups(self)
        self.statistics = StatisticsView(self)
        self.tabs = QTabBar(self)
        self._back = icons.IconButton("arrow-left", self.tr("Back to the conversation (Esc)"), self)
        self._stack = QStackedWidget(self)
        for title, view in (
            (self.tr("Files"), self.list),
            (self.tr("Problems"), self.problems),
            (self.tr("Statistics"), self.statistics),
        ):
            self.tabs.addTab(title)
            self._stack.addWidget(view)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        set_role(self, "surface")
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setAccessibleName(self.tr("Parts of the library"))
        head = QHBoxLayout()
        set_margins(head, GRID, GRID, 2 * GRID, 0)
        head.setSpacing(GRID)
        head.addWidget(self._back)
        head.addWidget(self.tabs)
        head.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addLayout(head)
        layout.addWidget(self._stack, 1)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self._back.clicked.connect(self.left)

    def show_overview(self, overview: LibraryOverview) -> None:
        """Show the groups of problems, the statistics, and the types to filter by."""
        files = sum(group.files for group in overview.problems)
        self.tabs.setTabText(
            PROBLEM_GROUPS, self.tr("Problems ({0})").format(number(files)) if files else self.tr("Problems")
        )
        self.problems.show_groups(overview.problems, overview.states)
        self.statistics.show_overview(overview)
        self.list.show_kinds(overview.kinds)

    def show_tab(self, tab: int) -> None:
        """Show one of the tabs; in place of those that say nothing here, the list."""
        self.tabs.setCurrentIndex(tab if self.tabs.isTabVisible(tab) else FILES)

    def show_only_list(self, *, alone: bool) -> None:
        """Hide the problems and statistics, or show them again: of a team library both are on its server."""
        for tab in (PROBLEM_GROUPS, STATISTICS):
            self.tabs.setTabVisible(tab, not alone)

    def commands(self) -> CommandPart:
        """Return the commands on a selected file."""
        table = self.list.table
        none = self.tr("No file is selected")
        return CommandPart(
            "file",
            self.tr("On a selected file"),
            tuple(table.actions()),
            blocked=lambda: "" if table.isVisible() and table.currentIndex().isValid() else none,
        )

    @Slot(int)
    def _on_tab_changed(self, tab: int) -> None:
        self._stack.setCurrentIndex(tab)
        self.shown.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Report that the page is looked at: what it shows may be old."""
        super().showEvent(event)
        self.shown.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Report that another page is looked at."""
        super().hideEvent(event)
        if not event.spontaneous():
            self.hidden.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave with Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)
