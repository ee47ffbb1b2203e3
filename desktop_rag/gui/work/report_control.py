"""Connects the page of reports with the stored reports of the library, and with the writing in the background."""

import time
from collections.abc import Callable, Generator, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QDoubleSpinBox, QFormLayout, QLineEdit, QPlainTextEdit, QPushButton, QSpinBox, QWidget

from desktop_rag.agent.events import Citation
from desktop_rag.agent.feedback import Feedback
from desktop_rag.errors import DesktopRagError
from desktop_rag.gui import formatting
from desktop_rag.gui.background import CommandQueue
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.conversation.export.export_files import ExportFormat, encoded
from desktop_rag.gui.conversation.export.exported_conversation import exported
from desktop_rag.gui.formatting import counted
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.os_services import write_file
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog
from desktop_rag.gui.widgets.fields import set_up_number
from desktop_rag.gui.work.sections_page import ReportPage
from desktop_rag.gui.work.work_control import ChosenDocuments, DocumentsBox, RefusableDialog, WorkControl, while_open
from desktop_rag.retrieval.api import DocumentCard
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line
from desktop_rag.work.filling import Filler, usual_filler
from desktop_rag.work.report import Report, ReportId, ReportLimits, ReportSection, edited, read_outline, written_outline
from desktop_rag.work.report_writing import (
    ReportEnded,
    ReportEvent,
    SectionEvent,
    SectionWritten,
    propose,
    write_report,
)
from desktop_rag.work.work_store import WorkStore

# The dialogs of reports: question, documents and outline, and what writing may use.

_WIDTH = 620
_LINES = 9  # of the outline
_NUMBER_WIDTH = 200


class ReportDialog(RefusableDialog):
    """Asks for a question and documents, and shows the outline; an empty one is proposed first."""

    proposal_asked = Signal(str, object)  # the question, and the ChosenDocuments
    drafted = Signal(str, object, object)  # the question, the ChosenDocuments, and the lines of the outline

    def __init__(
        self,
        folders: Sequence[bytes],
        sections: Sequence[ReportSection] = (),
        parent: QWidget | None = None,
        *,
        given: ChosenDocuments | None = None,
    ) -> None:
        super().__init__("", "", parent)
        self._changes = bool(sections)
        self.setWindowTitle(self.tr("Change the outline") if sections else self.tr("New report"))
        self.setFixedWidth(_WIDTH)
        self.question = QLineEdit(self)
        self.chosen = DocumentsBox(folders, given, parent=self)
        self.outline = QPlainTextEdit(written_outline(sections).rstrip("\n"), self)
        self.propose = QPushButton(self.tr("Propose another outline"), self)
        self._proposing = False
        self._arrange()
        self._show_state()

    def lines(self) -> list[str]:
        """Return the lines of the outline."""
        return [line for line in self.outline.toPlainText().splitlines() if line.strip()]

    def show_outline(self, sections: Sequence[ReportSection]) -> None:
        """Show a proposed outline."""
        self._proposing = False
        self.outline.setPlainText(written_outline(sections).rstrip("\n"))
        self._show_state()
        self.outline.setFocus()

    def show_error(self, text: str) -> None:
        """Say why no report can be made so."""
        self._proposing = False
        super().show_error(text)
        self._show_state()

    def _arrange(self) -> None:
        self.question.setPlaceholderText(self.tr("What is the report about?"))
        self.question.setAccessibleName(self.tr("Question"))
        self.outline.setAccessibleName(self.tr("Outline"))
        self.outline.setPlaceholderText(self.tr("One section a line, as “Heading: question”. Empty: it is proposed."))
        self.outline.setTabChangesFocus(True)
        set_role(self.outline, "field")
        self.outline.setFixedHeight(_LINES * self.outline.fontMetrics().lineSpacing() + 2 * GRID)
        self.arrange(self.question, self.chosen, self.outline, self.propose)
        for part in (self.question, self.chosen):
            part.setVisible(not self._changes)
        self.question.textChanged.connect(self._show_state)
        self.chosen.changed.connect(self._show_state)
        self.outline.textChanged.connect(self._show_state)
        self.propose.clicked.connect(self._ask)
        self.act.setDefault(True)
        (self.outline if self._changes else self.question).setFocus()

    @Slot()
    def _show_state(self) -> None:
        asked = self._changes or bool(self.question.text().strip() and self.chosen.documents())
        outlined = bool(self.lines())
        change, make = self.tr("Change"), self.tr("Make the report")
        self.act.setText(change if self._changes else make if outlined else self.tr("Propose an outline"))
        self.act.setEnabled(asked and not self._proposing and (outlined or not self._changes))
        self.propose.setVisible(outlined and not self._changes)
        self.propose.setText(self.tr("Proposing…") if self._proposing else self.tr("Propose another outline"))
        self.propose.setEnabled(asked and not self._proposing)
        if self._proposing and not outlined:
            self.act.setText(self.tr("Proposing…"))

    @Slot()
    def _ask(self) -> None:
        self.show_error("")
        self._proposing = True
        self._show_state()
        self.proposal_asked.emit(self.question.text().strip(), self.chosen.documents())

    @Slot()
    def _on_act(self) -> None:
        if not self.lines():
            self._ask()
            return
        self.show_error("")
        self.drafted.emit(self.question.text().strip(), self.chosen.documents(), self.lines())


class WriteDialog(ActionDialog):
    """Says what is written by which model, and asks what that may use; Escape and Cancel send nothing."""

    agreed = Signal(object)  # the ReportLimits

    def __init__(self, sections: int, model: str, *, priced: bool, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.setWindowTitle(self.tr("Write the report?"))
        self.act.setText(self.tr("Write"))
        set_role(self.act, "primary")
        unset, names = self.tr("No limit"), (self.tr("Tokens"), self.tr("Minutes"), self.tr("Money"))
        self.tokens = set_up_number(QSpinBox(self), names[0], 0, 100_000_000, 50_000, _NUMBER_WIDTH, unset=unset)
        self.minutes = set_up_number(QSpinBox(self), names[1], 0, 1_440, 1, _NUMBER_WIDTH, unset=unset)
        self.money = set_up_number(QDoubleSpinBox(self), names[2], 0, 10_000, 1, _NUMBER_WIDTH, unset=unset)
        told = counted(self.tr("%Ln section(s)", "", sections), sections)
        said = self.tr("{0} by {1}. Each is searched, written and compared with its lines, as one question.")
        fields = QWidget(self)
        form = QFormLayout(fields)
        form.setContentsMargins(0, 0, 0, 0)
        for name, field in zip(names, (self.tokens, self.minutes, self.money), strict=True):
            if field is not self.money or priced:
                form.addRow(name, field)
        self.money.setVisible(priced)
        kept = self.tr("Every section is kept as it is written. You can stop at any time and go on later.")
        self.arrange(self.words(said.format(told, one_line(model))), fields, self.words(kept, "muted"))
        self.act.setDefault(True)
        self.accepted.connect(self._on_accepted)

    @Slot()
    def _on_accepted(self) -> None:
        limits = ReportLimits(self.tokens.value(), float(self.minutes.value()), self.money.value())
        self.agreed.emit(limits)


Loaded = tuple[tuple[tuple[ReportId, str], ...], tuple[ReportId, Report] | None]
_NOTHING: Loaded = ((), None)


class ReportControl(WorkControl[ReportEvent]):
    """One page for all libraries; the reports of the library that is shown."""

    def __init__(
        self,
        page: ReportPage,
        status: ShownStatus,
        settings: Callable[[], Settings],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(page, "reports", status, settings, parent)
        self._page = page
        self._current: ReportId | None = None
        self._writing: ReportId | None = None
        self._section = 0  # that is being written
        self._feedback = Feedback()
        self._proposals = CommandQueue("outlines", self)  # a model takes its time, and the page is not to wait
        self._proposals.failed.connect(self._on_failed)
        page.new_requested.connect(lambda: self.new_report())
        page.chosen.connect(lambda number: self.load(ReportId(number)))
        page.write_requested.connect(lambda: self._ask_to_write(None))
        page.again_requested.connect(self._ask_to_write)
        page.stop_requested.connect(self._worker.stop)
        page.paused.connect(self._on_paused)
        page.typed.connect(self._on_typed)
        page.edited.connect(self._on_edited)
        page.outline_requested.connect(self._on_outline)
        page.delete_requested.connect(self._on_delete)
        page.export_requested.connect(self._on_export)

    def load(self, wanted: ReportId | None = None) -> None:
        """Load the list, and the wanted report or the one that is shown."""
        current = wanted or self._current

        def read(store: WorkStore) -> Loaded:
            reports = store.reports()
            known = dict(reports)
            shown = current if current in known else reports[0][0] if reports else None
            heads = tuple((number, report.question) for number, report in reports)
            return heads, (shown, known[shown]) if shown is not None else None

        self._load(read, self._show, _NOTHING)

    def new_report(self, given: ChosenDocuments | None = None) -> None:
        """Ask for the question, the documents and the outline of a new report."""
        dialog = ReportDialog(self._folders(), parent=self._page.window(), given=given)
        dialog.proposal_asked.connect(partial(self._propose, dialog))
        dialog.drafted.connect(partial(self._make, dialog))
        dialog.open()

    def close(self) -> None:
        """Stop the writing and close the file."""
        self._proposals.close()
        super().close()

    def _forget(self) -> None:
        self._current = None
        self._page.show_reports((), None)

    def _show(self, loaded: Loaded) -> None:
        if self._closed:  # its page may be gone
            return
        heads, found = loaded
        same, self._current = found is not None and self._current == found[0], found[0] if found else None
        self._page.show_reports(heads, self._current)
        if found is not None:
            self._page.show_report(found[1], same=same)
            self._page.show_writing(writing=self._writing == found[0])

    # making and changing

    def _filler(self) -> Filler | None:
        if self._retriever is None or self._built_in is None:
            return None
        return usual_filler(self._retriever, self._built_in, settings=self._settings())

    def _propose(self, dialog: ReportDialog, question: str, documents: ChosenDocuments) -> None:
        filler = self._filler()
        if filler is None:
            return

        def work(stop: Stop) -> tuple[ReportSection, ...] | str:
            try:
                return propose(question, self._filters(documents, stop), filler, stop)
            except DesktopRagError as error:
                return f"{sentence(error.title)}: {sentence(error)}"

        def then(found: tuple[ReportSection, ...] | str) -> None:
            if isinstance(found, str):
                dialog.show_error(found)
            else:
                dialog.show_outline(found)

        begin = partial(self._proposals.run, work, while_open(dialog, then))
        self._once_allowed(begin, lambda: dialog.show_error(""))

    def _make(self, dialog: ReportDialog, question: str, documents: ChosenDocuments, lines: list[str]) -> None:
        def make(stop: Stop) -> ReportId:
            outline, filters = read_outline(lines), self._filters(documents, stop)
            return self._opened().put_report(Report(question, outline, filters, time.time_ns()))

        self._accept(dialog, make, self.load)

    @Slot()
    def _on_outline(self) -> None:
        number, dialog = self._current, ReportDialog((), self._page.report.sections, self._page.window())
        if number is None:
            return

        def change(_question: str, _documents: object, lines: list[str]) -> None:
            self._accept(
                dialog, lambda _: self._opened().set_outline(number, read_outline(lines)), lambda _: self.load()
            )

        dialog.drafted.connect(change)
        dialog.open()

    @Slot(int, str)
    def _on_typed(self, at: int, text: str) -> None:
        section = self._page.report.sections[at]
        self._commands.run(
            lambda stop: edited(section, text, stop), lambda made: self._page.show_section(at, made, text)
        )

    @Slot(int, str)
    def _on_edited(self, at: int, text: str) -> None:
        number, section = self._current, self._page.report.sections[at]
        if number is not None:
            self._commands.run(
                lambda stop: self._opened().put_section(number, at, edited(section, text, stop)),
                lambda _: self.load(),
            )

    @Slot()
    def _on_delete(self) -> None:
        number, question = self._current, self._page.report.question
        words = self.tr("“{0}” is deleted with its text. The documents stay.").format(one_line(question))
        if number is not None:
            title, act = self.tr("Delete the report?"), self.tr("Delete")
            self._ask_to_delete(title, words, act, lambda store: store.delete_report(number))

    @Slot(str)
    def _on_export(self, kind: str) -> None:
        report, retriever = self._page.report, self._retriever

        def write(path: Path) -> None:
            def work(stop: Stop) -> None:
                def card_of(citation: Citation) -> DocumentCard | None:
                    try:
                        return retriever.lookup(citation.sha256, None, stop) if retriever and citation.sha256 else None
                    except DesktopRagError:
                        return None  # the author stays unknown

                made = exported(report.question, report.turns(formatting.wording), card_of)
                write_file(path, encoded(made, ExportFormat(kind), file_links=True))

            message = self.tr("Report saved to {0}").format(one_line(path.name))
            self._commands.run(work, lambda _: self.saved.emit(message, path))

        self._ask_for_file(self.tr("Export the report"), report.question, kind, write)

    # writing

    @Slot(int)
    def _ask_to_write(self, only: int | None) -> None:
        """Ask what writing may use, and begin once the user agrees; without a model nothing is asked."""
        number, report, filler = self._current, self._page.report, self._filler()
        if number is None or filler is None or self._worker.is_running():
            return
        profile = filler.profile
        if profile is None:
            self._write(number, only, ReportLimits())
            return
        left = 1 if only is not None else len(report.sections) - len(report.written)
        priced = profile.price_in is not None or profile.price_out is not None
        model = f"{profile.model} · {profile.name}"
        dialog = WriteDialog(left, model, priced=priced, parent=self._page.window())

        dialog.agreed.connect(lambda limits: self._once_allowed(partial(self._write, number, only, limits)))
        dialog.open()

    def _write(self, number: ReportId, only: int | None, limits: ReportLimits) -> None:
        feedback = Feedback()

        def write(store: WorkStore, filler: Filler, stop: Stop) -> Generator[ReportEvent, None, object]:
            return write_report(number, store, filler, stop, limits, feedback=feedback, only=only)

        if self._begin(write):
            self._feedback, self._writing = feedback, number
            self._page.show_writing(writing=True)

    @Slot(bool)
    def _on_paused(self, paused: bool) -> None:  # noqa: FBT001 - a slot: signals pass it by position
        (self._feedback.pause if paused else self._feedback.resume)()

    def _on_event(self, event: ReportEvent) -> None:
        shown = self._writing == self._current and self._writing is not None and not self._closed
        match event:
            case SectionEvent(section, happened):
                self._section = section - 1
                if shown:
                    self._page.append(section - 1, happened)
            case SectionWritten() if shown:
                self.load()
            case ReportEnded(_, _, trouble, title) if trouble:
                self.trouble.emit(sentence(title), sentence(trouble))

    @Slot()
    def _on_finished(self) -> None:
        shown, self._writing = self._writing == self._current, None
        if not self._closed:
            if shown:
                self._page.interrupt(self._section)
            self._page.show_writing(writing=False)
            self.load()
