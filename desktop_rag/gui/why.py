"""The dialog of a file, an optional search, and the explanation of the two."""

import os
from collections.abc import Generator
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from desktop_rag.errors import QueryError
from desktop_rag.gui import formatting
from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.search.query_row import ModeBox
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.viewer.viewer_events import target_of_snippet
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.fields import close_button
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.widgets.layouts import STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import Label, PlainLabel
from desktop_rag.gui.widgets.remark_list import RemarkList
from desktop_rag.retrieval.api import SearchRequest
from desktop_rag.retrieval.explain.explanation import (
    Bearing,
    BestLine,
    Explanation,
    ExplanationSentence,
    render_explanation,
)
from desktop_rag.retrieval.explorer import Explorer
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line

_TYPING_MS = 300  # debounce of typing, in milliseconds


class WhyDialog(BoundedDialog):
    """Requests an explanation as the fields change; the owner shows the answer."""

    asked = Signal(object, object)  # a Path, and a SearchRequest or None
    open_requested = Signal(object)  # the Explanation whose best line to show
    retry_requested = Signal(object)  # the path (bytes) of a quarantined file

    def __init__(self, path: Path | None, request: SearchRequest, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Why is a file found or not?"))
        self.setAcceptDrops(True)
        self.resize(600, 520)
        self._request = request
        self._known: Path | None = path  # kept apart: a name that is not valid text would not survive the field
        self._explanation: Explanation | None = None
        self.path = QLineEdit(one_line(str(path)) if path else "", self)
        self.query = QLineEdit(request.query, self)
        self.mode = ModeBox(self)
        self.mode.show_mode(request.mode)
        self.remarks = RemarkList(self)
        self._choose = QPushButton(self.tr("Choose…"), self)
        self._nearest = PlainLabel("", "muted", self)
        self.show_in_document = QPushButton(self.tr("Show in the document"), self)
        self.read_again = QPushButton(self.tr("Read it again now"), self)
        self._pause = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._arrange()
        self._connect()
        self._forget()
        self._pause.start(0)

    def show_explanation(self, explanation: Explanation) -> None:
        """Show the explanation."""
        self._explanation = explanation
        self.remarks.show_remarks(render_explanation(explanation))
        best = explanation.in_search.best if explanation.in_search else None
        self._nearest.setText(_line(best) if best else "")
        self._nearest.setVisible(best is not None)
        self.show_in_document.setVisible(best is not None)
        self.read_again.setVisible(explanation.status.set_aside)

    def show_error(self, sentence: str) -> None:
        """Show why there is no explanation."""
        self._forget()
        self.remarks.show_remarks((ExplanationSentence(sentence, Bearing.HINDERS),))

    def _arrange(self) -> None:
        self.path.setPlaceholderText(self.tr("A file or folder; drop it here"))
        self.path.setAccessibleName(self.tr("File or folder"))
        self._choose.setAccessibleName(self.tr("Choose a file"))
        self.query.setPlaceholderText(self.tr("Search words (optional)"))
        self.query.setAccessibleName(self.tr("Search"))
        self.query.setClearButtonEnabled(True)
        fields = QGridLayout()
        fields.setHorizontalSpacing(GRID)
        fields.setVerticalSpacing(GRID)
        for row, (text, field, beside) in enumerate(
            ((self.tr("File"), self.path, self._choose), (self.tr("Search"), self.query, self.mode))
        ):
            label = Label(text, self)
            label.setBuddy(field)
            fields.addWidget(label, row, 0)
            both = in_row((field, 1), beside)
            fields.addLayout(both, row, 1)
        fields.setColumnStretch(1, 1)
        self._nearest.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        close = close_button(self, self.tr("Close"))
        close.setAutoDefault(False)
        buttons = in_row(self.show_in_document, self.read_again, STRETCH, close)
        for button in (self._choose, self.show_in_document, self.read_again):
            button.setAutoDefault(False)
        in_column(fields, (self.remarks, 1), self._nearest, buttons, on=self, spacing=2 * GRID, margins=2 * GRID)

    def _connect(self) -> None:
        self.path.textEdited.connect(self._on_path_edited)
        self.query.textEdited.connect(self._pause.start)
        self.query.textChanged.connect(self._on_query_changed)
        self.mode.currentIndexChanged.connect(self._pause.start)
        self._pause.timeout.connect(self._ask)
        self._choose.clicked.connect(self._on_choose_clicked)
        self.show_in_document.clicked.connect(self._on_show_clicked)
        self.read_again.clicked.connect(self._on_read_again_clicked)

    def _forget(self) -> None:
        self._explanation = None
        self.remarks.show_remarks(())
        for widget in (self._nearest, self.show_in_document, self.read_again):
            widget.hide()

    def _take(self, path: Path) -> None:
        self._known = path
        self.path.setText(one_line(str(path)))
        self._ask()

    @Slot()
    def _ask(self) -> None:
        self._pause.stop()
        if self._known is None:
            hint = self.tr("Choose a file, or drop one here, to see why it is found or not.")
            self.remarks.show_remarks((ExplanationSentence(hint),))
            return
        query, mode = self.query.text().strip(), self.mode.mode()
        asked = query or self._request.filters
        if (query, mode) != (self._request.query, self._request.mode):
            self._request = replace(self._request, query=query, mode=mode, unfinished=False)
        self.asked.emit(self._known, self._request if asked else None)

    @Slot(str)
    def _on_path_edited(self, text: str) -> None:
        self._known = Path(text.strip()).expanduser() if text.strip() else None
        self._pause.start(_TYPING_MS)

    @Slot(str)
    def _on_query_changed(self, text: str) -> None:
        if not text:
            self._pause.start(_TYPING_MS)

    @Slot()
    def _on_choose_clicked(self) -> None:
        dialog = FileDialog(self, self.tr("Which file?"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        if self._known is not None:
            dialog.setDirectory(str(self._known.parent))
        dialog.fileSelected.connect(lambda chosen: self._take(Path(chosen)))
        dialog.open()

    @Slot()
    def _on_show_clicked(self) -> None:
        if self._explanation is not None:
            self.open_requested.emit(self._explanation)
            self.accept()

    @Slot()
    def _on_read_again_clicked(self) -> None:
        if self._explanation is not None:
            self.retry_requested.emit(self._explanation.status.path)
            self.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Explain the first dropped file."""
        files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if files:
            self._take(Path(os.path.normpath(files[0])))
            event.acceptProposedAction()


def _line(best: BestLine) -> str:
    span = best.snippet.span
    place = formatting.place(best.page, span.first_line, span.last_line, best.section)
    return f"{formatting.quoted(one_line(best.snippet.text).strip())}\n— {place}"


# Asks the searcher of the open library why a file is found or not, and opens the best passage.


class WhyControl(QObject):
    """One dialog at a time, about files of the open library."""

    retry_requested = Signal(object)  # the paths (bytes) of files to read again

    def __init__(self, retriever: Explorer, viewer: ViewerRequests, window: QWidget) -> None:
        super().__init__(window)
        self._retriever = retriever
        self._viewer = viewer
        self._window = window
        self._dialog: WhyDialog | None = None
        self._worker = LatestOnlyWorker("why", self._on_answered, self)
        self._worker.failed.connect(self._on_failed)

    def show_library(self, retriever: Explorer) -> None:
        """Use another library's searcher."""
        if self._dialog is not None:
            self._dialog.close()
        self._retriever = retriever

    def open(self, path: Path | None, request: SearchRequest) -> None:
        """Open the dialog for a file and a search; either may be empty."""
        if self._dialog is not None:
            self._dialog.close()
        self._dialog = dialog = WhyDialog(path, request, self._window)
        dialog.asked.connect(self._on_asked)
        dialog.open_requested.connect(self._on_open_requested)
        dialog.retry_requested.connect(lambda path: self.retry_requested.emit((path,)))
        dialog.finished.connect(self._on_finished)
        dialog.open()

    @property
    def dialog(self) -> WhyDialog | None:
        """Return the dialog while it is open."""
        return self._dialog

    def close(self) -> None:
        """Stop the request and wait for its thread."""
        if self._dialog is not None:
            self._dialog.close()
        self._worker.close()

    @Slot(object, object)
    def _on_asked(self, path: Path, request: SearchRequest | None) -> None:
        self._worker.stop()
        self._worker.ask(partial(_explain, self._retriever, path, request))

    @Slot(object)
    def _on_answered(self, answer: Explanation | QueryError) -> None:
        if self._dialog is None:
            return
        if isinstance(answer, Explanation):
            self._dialog.show_explanation(answer)
        elif isinstance(answer, QueryError):
            self._dialog.show_error(str(answer))

    @Slot(object)
    def _on_failed(self, error: object) -> None:
        if self._dialog is not None:
            self._dialog.show_error(str(error))

    @Slot(object)
    def _on_open_requested(self, explanation: Explanation) -> None:
        best = explanation.in_search.best if explanation.in_search else None
        if best is None or explanation.content is None:
            return
        path = Path(os.fsdecode(explanation.status.path))
        target = target_of_snippet(explanation.content, path.name, path, best.page, best.snippet)
        self._viewer.target_focus_requested.emit(target)

    @Slot()
    def _on_finished(self) -> None:
        self._worker.stop()
        self._dialog = None


def _explain(
    retriever: Explorer, path: Path, request: SearchRequest | None, stop: Stop
) -> Generator[Explanation | QueryError]:
    try:
        yield retriever.explain(path, request, stop)
    except QueryError as error:  # not logged: the query is still being typed
        yield error
