"""The page of reports: one report with its sections, as they are written, and a bar of commands."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QPushButton, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.agent.events import AgentEvent, Citation
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.export.export_files import ExportFormat, format_names
from desktop_rag.gui.files.files_list import FilesPlaceholder
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.density import set_margins
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.fields import ElidedComboBox
from desktop_rag.gui.widgets.plain_labels import PlainLabel, button_text
from desktop_rag.gui.work.report_sections import SectionView
from desktop_rag.text.display import one_line
from desktop_rag.work.report import Report, ReportId, Section, open_points, open_title
from desktop_rag.work.report_steps import by_model, steps_of

_WIDEST = 780  # pixels of the lines of a section
_OFFERED = (
    ExportFormat.DOCX,
    ExportFormat.PDF,
    ExportFormat.HTML,
    ExportFormat.MARKDOWN,
    ExportFormat.BIBTEX,
    ExportFormat.RIS,
    ExportFormat.CSL,
)


class _Column(QWidget):
    """Holds the sections; its height is what they need at its width."""

    def minimumSizeHint(self) -> QSize:
        """Return no height, since the layout would add up wrapped texts at their narrowest."""
        return QSize(240, 0)


class ReportPage(QWidget):
    """Shows a report and reports gestures; `ReportControl` does the work."""

    left = Signal()  # back to the conversation
    new_requested = Signal()
    chosen = Signal(int)  # the ReportId to show
    write_requested = Signal()
    stop_requested = Signal()
    paused = Signal(bool)  # pause (True), or go on
    again_requested = Signal(int)  # write the section at this place again
    typed = Signal(int, str)  # the text of a section as it is being edited
    edited = Signal(int, str)  # the text to store
    outline_requested = Signal()
    delete_requested = Signal()
    export_requested = Signal(str)  # an ExportFormat

    def __init__(self, viewer: ViewerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = ConversationRequests(viewer, self)
        self.report = Report("", ())
        self.placeholder = FilesPlaceholder(self)
        self.reports = ElidedComboBox(self)
        self.new = QPushButton(self.tr("New report…"), self)
        self.write = QPushButton(self.tr("Write"), self)
        self.pause = icons.IconButton("pause", self.tr("Pause"), self)
        self._more = icons.IconButton("more", self.tr("More"), self)
        self._back = icons.IconButton("arrow-left", self.tr("Back to the conversation (Esc)"), self)
        self._said = PlainLabel("", "caption", self)
        self._stack = QStackedWidget(self)
        self._scroll = QScrollArea(self)
        self._column = _Column()
        self.views: list[SectionView] = []
        self._waiting: list[Section] = []  # sections whose views are still to be made
        self._points_title = PlainLabel("", "heading", self._column)
        self._points = AnswerView(viewer, self._column)
        self._making = QTimer(self, interval=0)
        self._making.timeout.connect(self._make_next)
        self._writing = self._is_paused = False
        self._arrange()
        self._connect()
        self.show_reports((), None)

    def show_reports(self, reports: Sequence[tuple[ReportId, str]], current: ReportId | None) -> None:
        """List the reports; without any, offer to make one."""
        with QSignalBlocker(self.reports):
            self.reports.clear()
            for number, question in reports:
                self.reports.addItem(button_text(one_line(question)), number)
            self.reports.setCurrentIndex(max(0, self.reports.findData(current)) if reports else -1)
        for part in (self.reports, self.new, self.write, self._more):
            part.setVisible(bool(reports))
        if not reports:
            self._clear()
            self._said.setText("")
            self.placeholder.show_words(
                self.tr("A report from your documents"),
                self.tr("An outline that you can change, then section by section, each sentence proven by its line."),
                self.tr("New report…"),
            )
        self._stack.setCurrentWidget(self._scroll if reports else self.placeholder)

    def show_report(self, report: Report, *, same: bool) -> None:
        """Show a report; of the `same` one only what has changed."""
        if same and [(each.heading, each.question) for each in report.sections] == [
            (each.heading, each.question) for each in self.report.sections
        ]:
            self.report = report
            for view, section in zip(self.views, report.sections, strict=False):
                if section != view.section and not view.is_editing:
                    view.show_section(section)
            self._waiting = list(report.sections[len(self.views) :])
        else:
            self._clear()
            self.report, self._waiting = report, list(report.sections)
        self._making.start()
        self.show_said()

    def show_writing(self, *, writing: bool) -> None:
        """Offer to write, or to pause and stop."""
        self._writing = writing
        self.write.setText(self.tr("Stop") if writing else self.tr("Write"))
        self.pause.setVisible(writing)
        self._show_pause(paused=False)
        for view in self.views:
            view.set_busy(busy=writing)
        self.show_said()

    def append(self, section: int, event: AgentEvent) -> None:
        """Show an event of the run of a section, from 0."""
        while len(self.views) <= section and self._waiting:
            self._make_next()
        if section < len(self.views):
            self.views[section].append(event)

    def show_section(self, at: int, section: Section, text: str) -> None:
        """Show the text of a section that is being edited with its marks, if it has not changed meanwhile."""
        view = self.views[at] if at < len(self.views) else None
        if view is not None and view.is_editing and view.editor.toPlainText() == text:
            view.show_text(section)

    def interrupt(self, section: int) -> None:
        """Show that the run of a section has ended."""
        if section < len(self.views):
            self.views[section].interrupt()

    def show_said(self) -> None:
        """Tell how far the report is."""
        of = len(self.report.sections)
        if not of:
            return
        told = self.tr("{0} of {1} sections").format(*map(formatting.number, (len(self.report.written), of)))
        asked = [each.answered.usage for each in self.report.sections if each.answered and by_model(each)]
        used, estimated = sum(each.tokens for each in asked), any(each.estimated for each in asked)
        parts = [told, formatting.tokens(used, estimated=estimated) if used else ""]
        parts.append(formatting.money(self.report.money) if self.report.money else "")
        self._said.setText(" · ".join(filter(None, parts)))
        unwritten = len(self.report.written) < of
        self.write.setEnabled(self._writing or unwritten)

    def citations_of(self, citation: Citation) -> tuple[Citation, ...]:
        """Return all citations of the section that has this one; none if no section has it."""
        return next((each.citations for each in self.report.written if citation in each.citations), ())

    def _clear(self) -> None:
        self._making.stop()
        self._waiting = []
        self.report = Report("", ())
        for view in self.views:
            view.hide()
            view.deleteLater()
        self.views.clear()
        self._show_points()

    @Slot()
    def _make_next(self) -> None:
        """Make the view of one more section: all at once would hold up the window."""
        if not self._waiting:
            self._making.stop()
            self._show_points()
            return
        section = self._waiting.pop(0)
        view = SectionView(len(self.views), self._requests, self._column)
        view.again_requested.connect(self.again_requested)
        view.typed.connect(self.typed)
        view.edited.connect(self.edited)
        self._sections.insertWidget(len(self.views), view)
        self.views.append(view)
        view.show_section(section, tuple(steps_of(section)))
        view.set_busy(busy=self._writing)

    def _show_points(self) -> None:
        points = open_points(self.report, formatting.wording) if self.report.written else ""
        self._points_title.setText(open_title(formatting.wording))
        self._points.show_answer(points)
        for part in (self._points_title, self._points):
            part.setVisible(bool(points))

    def _arrange(self) -> None:
        self.reports.setAccessibleName(self.tr("Reports"))
        self.pause.hide()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        set_role(self, "surface")
        bar, column = QHBoxLayout(), QVBoxLayout(self)
        set_margins(bar, GRID, GRID, 2 * GRID, 0)
        for widget in (self._back, self.reports, self.new, self.write, self.pause, self._more):
            bar.addWidget(widget, 1 if widget is self.reports else 0)
        sides, self._sections = QHBoxLayout(self._column), QVBoxLayout()
        inner = QWidget(self._column)
        inner.setMaximumWidth(_WIDEST)
        inner.setLayout(self._sections)
        self._sections.setContentsMargins(0, 0, 0, 0)
        self._sections.setSpacing(3 * GRID)
        self._sections.addWidget(self._points_title)
        self._sections.addWidget(self._points)
        self._sections.addStretch(1)
        set_margins(sides, 2 * GRID, GRID, 2 * GRID, 2 * GRID)
        sides.addStretch(1)
        sides.addWidget(inner, 100)
        sides.addStretch(1)
        self._scroll.setWidget(self._column)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName(self.tr("Report"))
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

    def _connect(self) -> None:
        self._back.clicked.connect(self.left)
        self.new.clicked.connect(self.new_requested)
        self.placeholder.acted.connect(self.new_requested)
        self.write.clicked.connect(self._on_write_clicked)
        self.pause.clicked.connect(self._on_pause_clicked)
        self._more.clicked.connect(self._on_more)
        self.reports.activated.connect(lambda _: self.chosen.emit(self.reports.currentData()))

    @Slot()
    def _on_write_clicked(self) -> None:
        (self.stop_requested if self._writing else self.write_requested).emit()

    @Slot()
    def _on_pause_clicked(self) -> None:
        self._show_pause(paused=not self._is_paused)
        self.paused.emit(self._is_paused)

    def _show_pause(self, *, paused: bool) -> None:
        self._is_paused = paused
        self.pause.set_icon_name("play" if paused else "pause")
        self.pause.set_label(self.tr("Go on") if paused else self.tr("Pause"))

    @Slot()
    def _on_more(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        names = format_names()
        for kind in _OFFERED:
            action = menu.addAction(self.tr("Export: {0}…").format(names[kind]))
            action.triggered.connect(lambda _=False, kind=kind: self.export_requested.emit(kind))
            action.setEnabled(bool(self.report.written))
        menu.addSeparator()
        change = menu.addAction(self.tr("Change the outline…"))
        change.triggered.connect(self.outline_requested)
        delete = menu.addAction(self.tr("Delete the report…"))
        delete.triggered.connect(self.delete_requested)
        for action in (change, delete):
            action.setEnabled(not self._writing)
        menu.popup(self._more.mapToGlobal(QPoint(0, self._more.height())))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave with Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)
