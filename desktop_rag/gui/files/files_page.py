"""The page of all files: a bar with tabs, and below it the list, the problems or the statistics."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from desktop_rag.gui.command_parts import CommandPart
from desktop_rag.gui.files.files_list import FilesList
from desktop_rag.gui.files.problem_groups import ProblemGroups
from desktop_rag.gui.files.statistics_view import StatisticsView
from desktop_rag.gui.formatting import number
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.density import set_margins
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.index.file_rows import LibraryOverview

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
