"""The dialog of a file, an optional search, and the explanation of the two."""

import os
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui import formatting
from desktop_rag.gui.search.mode_box import ModeBox
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.why.remark_list import RemarkList
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.fields import close_button
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.widgets.plain_labels import Label, PlainLabel
from desktop_rag.retrieval.api import SearchRequest
from desktop_rag.retrieval.explain.explanation import (
    Bearing,
    BestLine,
    Explanation,
    ExplanationSentence,
    render_explanation,
)
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
            both = QHBoxLayout()
            both.setSpacing(GRID)
            both.addWidget(field, 1)
            both.addWidget(beside)
            fields.addLayout(both, row, 1)
        fields.setColumnStretch(1, 1)
        self._nearest.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self.show_in_document)
        buttons.addWidget(self.read_again)
        buttons.addStretch(1)
        close = close_button(self, self.tr("Close"))
        close.setAutoDefault(False)
        buttons.addWidget(close)
        for button in (self._choose, self.show_in_document, self.read_again):
            button.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        column.addLayout(fields)
        column.addWidget(self.remarks, 1)
        column.addWidget(self._nearest)
        column.addLayout(buttons)

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
