"""The page of all files: a bar with tabs, and below it the list, the problems or the statistics."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.errors import ProblemKind
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.command_parts import CommandPart
from desktop_rag.gui.files.file_wording import kind_name, left_out_text, problem_title, remedy, size_text, state_title
from desktop_rag.gui.files.files_list import FilesList
from desktop_rag.gui.formatting import counted, language_name, number
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, set_role, text_font
from desktop_rag.gui.widgets.chips import FlowRow
from desktop_rag.gui.widgets.layouts import STRETCH, in_column, in_row
from desktop_rag.gui.widgets.painted_button import draw_text, line_height, mirrored
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.file_rows import PROBLEMS, FileQuery, LibraryOverview, ListedState, ProblemGroup, Tally
from desktop_rag.text.display import one_line

# The third tab: the library's files by type and language, and its size on disk.

_MOST = 12  # types or languages shown by name; the others are summed up
_NAME, _VALUE = 160, 110  # pixels
_WIDEST_BAR = 420
_SEARCHABLE = (ListedState.MEANING, ListedState.WORDS, ListedState.PARTIAL)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Bar = tuple[str, int, str]  # name, amount, amount in words


class BarRows(QWidget):
    """Named amounts, each with a bar as long as its share of the largest; a click lists what some of them count."""

    listed = Signal(object)  # the FileQuery of a row that was clicked

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: tuple[Bar, ...] = ()
        self._queries: dict[str, FileQuery] = {}
        self._name = name
        self.title = PlainLabel(name, "heading", parent)  # above it, where its owner puts it
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_bars(self, bars: Sequence[Bar], queries: Mapping[str, FileQuery] | None = None) -> None:
        """Show these amounts in this order; `queries` list the files of those with these names."""
        self._bars = tuple(bars)
        for shown in (self, self.title):
            shown.setVisible(bool(self._bars))
        self._queries = dict(queries or {})
        self.setMouseTracking(bool(self._queries))
        self.setAccessibleName(f"{self._name}: " + ", ".join(f"{name} {text}" for name, _, text in self._bars))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the height of all rows."""
        return QSize(_NAME + _VALUE + 120, max(1, len(self._bars)) * self._row())

    def _row(self) -> int:
        return line_height(text_font()) + GRID

    def _query_at(self, event: QMouseEvent) -> FileQuery | None:
        place = event.position().toPoint().y() // self._row()
        return self._queries.get(self._bars[place][0]) if 0 <= place < len(self._bars) else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show by the pointer what can be clicked."""
        listed = self._query_at(event) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if listed else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """List the files of a row."""
        if (query := self._query_at(event)) is not None and event.button() is Qt.MouseButton.LeftButton:
            self.listed.emit(query)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint names, bars and amounts."""
        colors, painter, row = current_colors(), QPainter(self), self._row()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        largest = max((amount for _, amount, _ in self._bars), default=0)
        room = max(20, min(_WIDEST_BAR, self.width() - _NAME - _VALUE - 2 * GRID))
        for place, (name, amount, text) in enumerate(self._bars):
            top = place * row
            color = colors.link if name in self._queries else colors.text
            draw_text(painter, QRect(0, top, _NAME, row), name, text_font(), color, within=self.rect())
            bar = QRect(_NAME + GRID, top + row // 2 - 4, room, 8)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.track))
            painter.drawRoundedRect(mirrored(bar, self.rect()), 4, 4)
            if amount:
                bar.setWidth(max(8, round(room * amount / largest)))
                painter.setBrush(QColor(colors.ready))
                painter.drawRoundedRect(mirrored(bar, self.rect()), 4, 4)
            value = QRect(_NAME + 2 * GRID + room, top, _VALUE, row)
            draw_text(painter, value, text, text_font(), colors.muted, align=_RIGHT, within=self.rect())


class StatisticsView(QScrollArea):
    """Totals on top, then one list of bars each for states, types, languages and disk."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Statistics"))
        inside = QWidget(self)
        self._totals = [PlainLabel("", "title", inside) for _ in range(5)]
        self._total_row = FlowRow(inside)
        self._groups = self._total_groups(inside)
        column = in_column(self._total_row, on=inside, margins=(2 * GRID, GRID, 2 * GRID, 2 * GRID))
        self.states, self.kinds, self.languages, self.disk = (
            self._section(title, column, inside)
            for title in (self.tr("Files by state"), self.tr("Types"), self.tr("Languages"), self.tr("On your disk"))
        )
        column.addStretch(1)
        self.setWidget(inside)
        inside.setAutoFillBackground(False)  # which `setWidget` turned on
        self.viewport().setAutoFillBackground(False)

    def show_overview(self, overview: LibraryOverview) -> None:
        """Show these statistics."""
        found = sum(files for state, files in overview.states if state in _SEARCHABLE)
        amounts = (overview.files, found, overview.words, overview.pages)
        for label, text in zip(self._totals, (*map(number, amounts), size_text(overview.bytes)), strict=True):
            label.setText(text)
            label.setMinimumWidth(label.sizeHint().width())  # a number is not cut
        self._total_row.set_items(self._groups)
        states = {state_title(state): FileQuery(states=(state,)) for state, _ in overview.states}
        self.states.show_bars([(state_title(state), files, number(files)) for state, files in overview.states], states)
        named = Counter(kind_name(tally.name) for tally in overview.kinds)
        alone = (tally.name for tally in overview.kinds if tally.name and named[kind_name(tally.name)] == 1)
        kinds = {kind_name(name): FileQuery(kind=name) for name in alone}
        self.kinds.show_bars(self._tallies(overview.kinds, kind_name), kinds)
        self.languages.show_bars(self._tallies(overview.languages, self._language))
        disk = overview.disk
        parts = (
            (self.tr("Texts (catalog)"), disk.catalog),
            (self.tr("Word index"), disk.keywords),
            (self.tr("Meaning index"), disk.vectors),
            (self.tr("Conversations"), disk.conversations),
            (self.tr("Backups"), disk.backups),
        )
        whole = sum(size for _, size in parts)
        sizes = [(name, size, size_text(size)) for name, size in parts]
        self.disk.show_bars([*sizes, (self.tr("Together"), whole, size_text(whole))])

    def totals(self) -> tuple[str, ...]:
        """Return the texts of the totals: files, those that can be searched, words, pages, size."""
        return tuple(label.text() for label in self._totals)

    def _tallies(self, tallies: Sequence[Tally], name: Callable[[str], str]) -> list[Bar]:
        named: Counter[str] = Counter()
        for tally in tallies:
            named[name(tally.name)] += tally.files  # en and en-GB have one name
        bars = [(shown, files, number(files)) for shown, files in named.most_common(_MOST)]
        if rest := named.total() - sum(files for _, files, _ in bars):
            bars.append((self.tr("Others"), rest, number(rest)))
        return bars

    def _language(self, code: str) -> str:
        return language_name(code) if code else self.tr("No language")

    def _total_groups(self, parent: QWidget) -> list[QWidget]:
        """Return each total above what it counts."""
        names = (self.tr("Files"), self.tr("Searchable"), self.tr("Words"), self.tr("Pages"), self.tr("Size of files"))
        groups = []
        for label, name in zip(self._totals, names, strict=True):
            group = QWidget(parent)
            label.setAccessibleName(name)
            caption = PlainLabel(name, "caption", group)
            for each in (label, caption):
                each.setWordWrap(False)
            in_column(label, caption, on=group, spacing=0, margins=(0, 0, 4 * GRID, 0))
            caption.setMinimumWidth(caption.sizeHint().width())  # nor is what it counts
            groups.append(group)
        return groups

    def _section(self, title: str, column: QVBoxLayout, parent: QWidget) -> BarRows:
        rows = BarRows(title, parent)
        column.addSpacing(GRID)
        column.addWidget(rows.title)
        column.addWidget(rows)
        return rows


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
        buttons = FlowRow(self)
        buttons.set_items([each for each in (self.show_files, self.retry, self.ignore) if not each.isHidden()])
        in_column(
            in_row((title, 3), (files, 1), spacing=None),
            what,
            example,
            GRID // 2,
            buttons,
            on=self,
            spacing=GRID // 2,
            margins=(2 * GRID, GRID + 4, 2 * GRID, GRID + 4),
        )
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
        counts = dict(shown[1])
        left_out = left_out_text(*(counts.get(state, 0) for state in reversed(PROBLEMS)))
        column = in_column(
            PlainLabel(left_out, "muted", inside),
            on=inside,
            spacing=GRID + 4,
            margins=(2 * GRID, GRID, 2 * GRID, 2 * GRID),
        )
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
        in_column(
            in_row(self._back, self.tabs, STRETCH, margins=(GRID, GRID, 2 * GRID, 0)),
            (self._stack, 1),
            on=self,
            spacing=GRID // 2,
        )
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
