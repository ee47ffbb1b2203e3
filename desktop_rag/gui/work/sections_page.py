"""A page of the user's work: a list of what is kept, a bar of commands, and sections in a column."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QLayout,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QWidget,
)

from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    AnswerWritten,
    RunFailed,
    RunStopped,
)
from desktop_rag.gui import formatting
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.export.export_files import ExportFormat, format_names
from desktop_rag.gui.conversation.timeline.timeline import Timeline
from desktop_rag.gui.files.files_list import FilesPlaceholder
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.fields import ElidedComboBox
from desktop_rag.gui.widgets.layouts import LEFT, STRETCH, Part, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import PlainLabel, button_text
from desktop_rag.text.display import one_line
from desktop_rag.work.report import (
    Report,
    ReportId,
    ReportSection,
    by_model,
    editable,
    open_points,
    open_title,
    steps_of,
)

# A section of a report: its heading, the steps of its run, its text with marks, and the editor of its Markdown.

_TYPING_MS = 500  # before the marks of an edited text are found anew
_LEAST_LINES, _MOST_LINES = 6, 24  # of the editor


class SectionView(QWidget):
    """Shows a section and reports gestures; `at` is its place from 0."""

    again_requested = Signal(int)  # write it again
    typed = Signal(int, str)  # find the marks of this text
    edited = Signal(int, str)  # store this text

    def __init__(
        self, at: int, requests: ConversationRequests, parent: QWidget | None = None, *, changeable: bool = True
    ) -> None:
        super().__init__(parent)
        self.at = at
        self._changeable = changeable  # its text can be edited, and written again
        self.section = ReportSection("", "")
        self._heading = PlainLabel("", "heading", self)
        self._question = PlainLabel("", "muted", self)
        self._told = PlainLabel("", "caption", self)
        self.edit = icons.IconButton("edit", self.tr("Edit this section"), self)
        self.again = icons.IconButton("refresh", self.tr("Write this section again"), self)
        self.timeline: Timeline | None = None
        self._live = False  # its run is in progress
        self._requests = requests
        self.answer = AnswerView(requests.viewer, self)
        self.editor = QPlainTextEdit(self)
        self._save = QPushButton(self.tr("Save"), self)
        self._cancel = QPushButton(self.tr("Cancel"), self)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._arrange()
        self.edit.clicked.connect(self._on_edit)
        self.again.clicked.connect(lambda: self.again_requested.emit(self.at))
        self._cancel.clicked.connect(self._on_cancel)
        self._save.clicked.connect(self._on_save)
        self.editor.textChanged.connect(self._on_text_changed)
        self._typing.timeout.connect(lambda: self.typed.emit(self.at, self.editor.toPlainText()))

    @property
    def is_editing(self) -> bool:
        """Return whether its text is being edited."""
        return not self.editor.isHidden()

    def show_section(self, section: ReportSection, steps: Sequence[AgentEvent] = ()) -> None:
        """Show a stored section, and the steps of its run if they are given."""
        self.section = section
        number = f"{self.at + 1}. " if self._changeable else ""
        self._heading.setText(number + one_line(section.heading))
        self._question.setText(one_line(section.question))
        self._question.setVisible(section.question not in ("", section.heading))
        if steps:
            timeline = self._begin()
            for event in steps:
                timeline.append(event)
            if section.answered is None:
                timeline.interrupt()
        self.show_text(section)

    def show_text(self, section: ReportSection) -> None:
        """Show the text of a section with its marks, as it is stored or as it is being edited."""
        answered = section.answered
        if answered is not None:
            self.answer.show_answer(answered.text, answered.citations, answered.claims)
        elif not self._live:
            self.answer.clear_answer()
        self.answer.setVisible(bool(self.answer.markdown))
        told = formatting.claims(answered.claims) if answered and answered.claims else ""
        if answered is None and not section.trouble and not self._live and self._changeable:
            told = self.tr("not written yet")
        parts = [told, self.tr("edited by you") if section.edited else "", _trouble(section)]
        self._told.setText(" · ".join(filter(None, parts)))
        self._told.setVisible(any(parts))
        shown = self._changeable and answered is not None and not self._live
        self.edit.setVisible(shown)
        self.again.setVisible(shown and not self.is_editing)

    def append(self, event: AgentEvent) -> None:
        """Show an event of the run that writes this section."""
        timeline = self.timeline
        if timeline is None or not self._live:
            timeline = self._begin()
            self.answer.clear_answer()
            self.answer.hide()
            for part in (self._told, self.edit, self.again):
                part.hide()
            timeline.begin()
        self._live = not isinstance(event, Answered | RunFailed | RunStopped)
        timeline.append(event)
        match event:
            case AnswerDelta(text):
                self.answer.show()
                self.answer.feed(text)
            case AnswerRestarted():
                self.answer.clear_answer()
            case AnswerWritten() | Answered():
                self.answer.setVisible(bool(event.text.strip()))
                self.answer.show_answer(event.text, event.citations, event.claims)

    def interrupt(self) -> None:
        """Show that its run has ended without an answer."""
        self._live = False
        if self.timeline is not None:
            self.timeline.interrupt()
        self.show_text(self.section)

    def set_busy(self, *, busy: bool) -> None:
        """Offer to write it again only while nothing is written."""
        self.again.setEnabled(not busy)

    def _begin(self) -> Timeline:
        if self.timeline is not None:
            self.timeline.hide()
            self.timeline.deleteLater()
        self.timeline = Timeline(self._requests, self, by_step=False)
        self._column.insertWidget(self._column.indexOf(self.answer), self.timeline)
        return self.timeline

    def _arrange(self) -> None:
        self.editor.setAccessibleName(self.tr("Text of the section in Markdown"))
        self.editor.setTabChangesFocus(True)
        set_role(self.editor, "field")
        set_role(self._save, "primary")
        top = in_row((self._heading, 1), self.edit, self.again, spacing=None)
        buttons = in_row(STRETCH, self._cancel, self._save, spacing=None)
        self._column = in_column(top, self._question, self.answer, self._told, self.editor, buttons, on=self)
        self._show_editor(shown=False)

    def _show_editor(self, *, shown: bool) -> None:
        self.again.setHidden(shown or not self._changeable or self.section.answered is None)  # would replace the text
        for part in (self.editor, self._save, self._cancel):
            part.setVisible(shown)

    @Slot()
    def _on_edit(self) -> None:
        if self.section.answered is None:
            return
        with QSignalBlocker(self.editor):
            self.editor.setPlainText(editable(self.section.answered.text))
        lines = min(max(self.editor.blockCount() + 2, _LEAST_LINES), _MOST_LINES)
        self.editor.setFixedHeight(lines * self.editor.fontMetrics().lineSpacing() + 2 * GRID)
        self._show_editor(shown=True)
        self.editor.setFocus()

    @Slot()
    def _on_cancel(self) -> None:
        self._typing.stop()
        self._show_editor(shown=False)
        self.show_text(self.section)

    @Slot()
    def _on_save(self) -> None:
        self._typing.stop()
        self._show_editor(shown=False)
        self.edited.emit(self.at, self.editor.toPlainText())

    @Slot()
    def _on_text_changed(self) -> None:
        if self.is_editing:
            self._typing.start()


def _trouble(section: ReportSection) -> str:
    title, colon, message = section.trouble.partition(": ")
    return f"{sentence(title)}: {sentence(message)}" if colon else sentence(section.trouble) if title else ""


_WIDEST = 780  # pixels of the lines of a section


class _Column(QWidget):
    """Holds the sections; its height is what they need at its width."""

    def minimumSizeHint(self) -> QSize:
        """Return no height, since the layout would add up wrapped texts at their narrowest."""
        return QSize(240, 0)


class WorkPage(QWidget):
    """A list of what is kept, a bar of commands, one of it, and what is said about it; empty, an offer to begin."""

    left = Signal()  # back to the conversation
    new_requested = Signal()
    chosen = Signal(int)  # the number of what to show
    delete_requested = Signal()

    def __init__(self, new: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.placeholder = FilesPlaceholder(self)
        self.kept = ElidedComboBox(self)
        self.new = QPushButton(new, self)
        self._more = icons.IconButton("more", self.tr("More"), self)
        self._back = icons.IconButton("arrow-left", self.tr("Back to the conversation (Esc)"), self)
        self._said = PlainLabel("", "caption", self)
        self._stack = QStackedWidget(self)
        self.kept.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        set_role(self, "surface")
        self._back.clicked.connect(self.left)
        self.new.clicked.connect(self.new_requested)
        self.placeholder.acted.connect(self.new_requested)
        self.kept.activated.connect(lambda _: self.chosen.emit(self.kept.currentData()))

    def _lay_out(self, content: QWidget, commands: Sequence[QWidget], *above: QLayout, said: Sequence[QWidget]) -> None:
        """Lay out the page: its commands, what is `above` the content, and what is `said` below it."""
        self._stack.addWidget(content)
        self._stack.addWidget(self.placeholder)
        parts: tuple[Part, ...]
        parts = ((self._back, LEFT), (self.kept, 1), self.new, *commands, self._more)  # LEFT: also where it is alone
        bar = in_row(*parts, spacing=None, margins=(GRID, GRID, 2 * GRID, 0))
        below = in_column(*said, spacing=None, margins=(2 * GRID, 0, 2 * GRID, 0))
        in_column(bar, *above, (self._stack, 1), below, on=self, margins=(0, 0, 0, GRID))

    def _show_kept(self, kept: Sequence[tuple[int, str]], current: int | None, *parts: QWidget) -> None:
        """List what is kept; `parts` are of no use without any."""
        with QSignalBlocker(self.kept):
            self.kept.clear()
            for number, name in kept:
                self.kept.addItem(button_text(one_line(name)), number)
            self.kept.setCurrentIndex(max(0, self.kept.findData(current)) if kept else -1)
        for part in (self.kept, self.new, self._more, *parts):
            part.setVisible(bool(kept))
        self._stack.setCurrentIndex(0 if kept else 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave with Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)


class SectionsPage(WorkPage):
    """Shows sections, made one by one: all at once would hold up the window."""

    changeable = True  # whether texts of sections can be edited, and written again

    def __init__(self, viewer: ViewerRequests, new: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(new, name, parent)
        self._requests = ConversationRequests(viewer, self)
        self._scroll = QScrollArea(self)
        self._column = _Column()
        self._sections = in_column(spacing=3 * GRID)
        self.views: list[SectionView] = []
        self._waiting: list[ReportSection] = []  # sections whose views are still to be made
        self._making = QTimer(self, interval=0)
        self._making.timeout.connect(self._make_next)
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
        inner = QWidget(self._column)
        inner.setMaximumWidth(_WIDEST)
        inner.setLayout(self._sections)
        for part in end:
            self._sections.addWidget(part)
        self._sections.addStretch(1)
        sides = (2 * GRID, GRID, 2 * GRID, 2 * GRID)
        in_row(STRETCH, (inner, 100), STRETCH, on=self._column, spacing=None, margins=sides)
        self._scroll.setWidget(self._column)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.viewport().setAutoFillBackground(False)
        self._column.setAutoFillBackground(False)
        self._lay_out(self._scroll, commands, said=(self._said,))


# The page of reports: one report with its sections, as they are written, and a bar of commands.

_OFFERED = (
    ExportFormat.DOCX,
    ExportFormat.PDF,
    ExportFormat.HTML,
    ExportFormat.MARKDOWN,
    ExportFormat.BIBTEX,
    ExportFormat.RIS,
    ExportFormat.CSL,
)


class ReportPage(SectionsPage):
    """Shows a report and reports gestures; `ReportControl` does the work."""

    write_requested = Signal()
    stop_requested = Signal()
    paused = Signal(bool)  # pause (True), or go on
    again_requested = Signal(int)  # write the section at this place again
    typed = Signal(int, str)  # the text of a section as it is being edited
    edited = Signal(int, str)  # the text to store
    outline_requested = Signal()
    export_requested = Signal(str)  # an ExportFormat

    def __init__(self, viewer: ViewerRequests, parent: QWidget | None = None) -> None:
        super().__init__(viewer, self.tr("New report…"), self.tr("Reports"), parent)
        self.report = Report("", ())
        self.write = QPushButton(self.tr("Write"), self)
        self.pause = icons.IconButton("pause", self.tr("Pause"), self)
        self._points_title = PlainLabel("", "heading", self._column)
        self._points = AnswerView(viewer, self._column)
        self._writing = self._is_paused = False
        self.pause.hide()
        self._arrange((self.write, self.pause), (self._points_title, self._points))
        self.write.clicked.connect(self._on_write_clicked)
        self.pause.clicked.connect(self._on_pause_clicked)
        self._more.clicked.connect(self._on_more)
        self.show_reports((), None)

    def show_reports(self, reports: Sequence[tuple[ReportId, str]], current: ReportId | None) -> None:
        """List the reports; without any, offer to make one."""
        self._show_kept(reports, current, self.write)
        if not reports:
            self._clear()
            self._said.setText("")
            self.placeholder.show_words(
                self.tr("A report from your documents"),
                self.tr("An outline that you can change, then section by section, each sentence proven by its line."),
                self.tr("New report…"),
            )

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
        if writing is not self._writing:  # a section that is stored meanwhile leaves a pause as it is
            self._show_pause(paused=False)
        self._writing = writing
        self.write.setText(self.tr("Stop") if writing else self.tr("Write"))
        self.pause.setVisible(writing)
        for view in self.views:
            view.set_busy(busy=writing)
        self.show_said()

    def show_section(self, at: int, section: ReportSection, text: str) -> None:
        """Show the text of a section that is being edited with its marks, if it has not changed meanwhile."""
        view = self.views[at] if at < len(self.views) else None
        if view is not None and view.is_editing and view.editor.toPlainText() == text:
            view.show_text(section)

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

    def _clear(self) -> None:
        super()._clear()
        self.report = Report("", ())
        self._show_end()

    def _connect_view(self, view: SectionView) -> None:
        view.again_requested.connect(self.again_requested)
        view.typed.connect(self.typed)
        view.edited.connect(self.edited)
        view.set_busy(busy=self._writing)

    def _show_end(self) -> None:
        points = open_points(self.report, formatting.wording) if self.report.written else ""
        self._points_title.setText(open_title(formatting.wording))
        self._points.show_answer(points)
        for part in (self._points_title, self._points):
            part.setVisible(bool(points))

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
