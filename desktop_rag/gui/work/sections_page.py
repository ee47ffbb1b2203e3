"""A page of the user's work: a list of what is kept, a bar of commands, and sections in a column."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.agent.events import AgentEvent
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.files.files_list import FilesPlaceholder
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.density import set_margins
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.fields import ElidedComboBox
from desktop_rag.gui.widgets.plain_labels import PlainLabel, button_text
from desktop_rag.gui.work.report_sections import SectionView
from desktop_rag.text.display import one_line
from desktop_rag.work.report import Section
from desktop_rag.work.report_steps import steps_of

_WIDEST = 780  # pixels of the lines of a section


class _Column(QWidget):
    """Holds the sections; its height is what they need at its width."""

    def minimumSizeHint(self) -> QSize:
        """Return no height, since the layout would add up wrapped texts at their narrowest."""
        return QSize(240, 0)


class SectionsPage(QWidget):
    """Shows sections, made one by one: all at once would hold up the window."""

    left = Signal()  # back to the conversation
    new_requested = Signal()
    chosen = Signal(int)  # the number of what to show
    delete_requested = Signal()
    changeable = True  # whether texts of sections can be edited, and written again

    def __init__(self, viewer: ViewerRequests, new: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = ConversationRequests(viewer, self)
        self.placeholder = FilesPlaceholder(self)
        self.kept = ElidedComboBox(self)
        self.new = QPushButton(new, self)
        self._more = icons.IconButton("more", self.tr("More"), self)
        self._back = icons.IconButton("arrow-left", self.tr("Back to the conversation (Esc)"), self)
        self._said = PlainLabel("", "caption", self)
        self._stack = QStackedWidget(self)
        self._scroll = QScrollArea(self)
        self._column = _Column()
        self._sections = QVBoxLayout()
        self.views: list[SectionView] = []
        self._waiting: list[Section] = []  # sections whose views are still to be made
        self._making = QTimer(self, interval=0)
        self._making.timeout.connect(self._make_next)
        self.kept.setAccessibleName(name)
        self._scroll.setAccessibleName(name)

    def append(self, section: int, event: AgentEvent) -> None:
        """Show an event of the run of a section, from 0."""
        while len(self.views) <= section and self._waiting:
            self._make_next()
        if section < len(self.views):
            self.views[section].append(event)

    def interrupt(self, section: int) -> None:
        """Show that the run of a section has ended."""
        if section < len(self.views):
            self.views[section].interrupt()

    def _show_kept(self, kept: Sequence[tuple[int, str]], current: int | None) -> None:
        with QSignalBlocker(self.kept):
            self.kept.clear()
            for number, name in kept:
                self.kept.addItem(button_text(one_line(name)), number)
            self.kept.setCurrentIndex(max(0, self.kept.findData(current)) if kept else -1)
        for part in (self.kept, self.new, self._more):
            part.setVisible(bool(kept))
        self._stack.setCurrentWidget(self._scroll if kept else self.placeholder)

    def _clear(self) -> None:
        self._making.stop()
        self._waiting = []
        for view in self.views:
            view.hide()
            view.deleteLater()
        self.views.clear()

    @Slot()
    def _make_next(self) -> None:
        """Make the view of one more section."""
        if not self._waiting:
            self._making.stop()
            self._show_end()
            return
        section = self._waiting.pop(0)
        view = SectionView(len(self.views), self._requests, self._column, changeable=self.changeable)
        self._sections.insertWidget(len(self.views), view)
        self.views.append(view)
        self._connect_view(view)
        view.show_section(section, tuple(steps_of(section)) if section.steps else ())

    def _show_end(self) -> None:
        """Show what stands below the sections."""

    def _connect_view(self, view: SectionView) -> None:
        """Connect the view of a section."""

    def _arrange(self, commands: Sequence[QWidget], end: Sequence[QWidget] = ()) -> None:
        """Lay out the page with its commands, and what stands below the sections."""
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        set_role(self, "surface")
        bar, column, sides = QHBoxLayout(), QVBoxLayout(self), QHBoxLayout(self._column)
        set_margins(bar, GRID, GRID, 2 * GRID, 0)
        bar.addWidget(self._back, 0, Qt.AlignmentFlag.AlignLeft)  # also where it is alone
        for widget in (self.kept, self.new, *commands, self._more):
            bar.addWidget(widget, 1 if widget is self.kept else 0)
        inner = QWidget(self._column)
        inner.setMaximumWidth(_WIDEST)
        inner.setLayout(self._sections)
        self._sections.setContentsMargins(0, 0, 0, 0)
        self._sections.setSpacing(3 * GRID)
        for part in end:
            self._sections.addWidget(part)
        self._sections.addStretch(1)
        set_margins(sides, 2 * GRID, GRID, 2 * GRID, 2 * GRID)
        sides.addStretch(1)
        sides.addWidget(inner, 100)
        sides.addStretch(1)
        self._scroll.setWidget(self._column)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.viewport().setAutoFillBackground(False)
        self._column.setAutoFillBackground(False)
        self._stack.addWidget(self._scroll)
        self._stack.addWidget(self.placeholder)
        below = QVBoxLayout()
        set_margins(below, 2 * GRID, 0, 2 * GRID, 0)
        below.addWidget(self._said)
        column.setContentsMargins(0, 0, 0, GRID)
        column.setSpacing(GRID)
        column.addLayout(bar)
        column.addWidget(self._stack, 1)
        column.addLayout(below)
        self._back.clicked.connect(self.left)
        self.new.clicked.connect(self.new_requested)
        self.placeholder.acted.connect(self.new_requested)
        self.kept.activated.connect(lambda _: self.chosen.emit(self.kept.currentData()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave with Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)
