"""The page of reports: one report with its sections, as they are written, and a bar of commands."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.export.export_files import ExportFormat, format_names
from desktop_rag.gui.theme import icons
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.gui.work.sections_page import SectionsPage, SectionView
from desktop_rag.work.report import Report, ReportId, Section, by_model, open_points, open_title

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
        self._show_kept(reports, current)
        self.write.setVisible(bool(reports))
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

    def show_section(self, at: int, section: Section, text: str) -> None:
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
