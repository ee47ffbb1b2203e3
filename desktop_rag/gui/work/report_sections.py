"""A section of a report: its heading, the steps of its run, its text with marks, and the editor of its Markdown."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

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
from desktop_rag.gui.conversation.timeline.timeline import Timeline
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.text.display import one_line
from desktop_rag.work.report import Section
from desktop_rag.work.report_editing import editable

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
        self.section = Section("", "")
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

    def show_section(self, section: Section, steps: Sequence[AgentEvent] = ()) -> None:
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

    def show_text(self, section: Section) -> None:
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
        top, buttons, self._column = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        top.addWidget(self._heading, 1)
        top.addWidget(self.edit)
        top.addWidget(self.again)
        buttons.addStretch(1)
        buttons.addWidget(self._cancel)
        buttons.addWidget(self._save)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID)
        self._column.addLayout(top)
        self._column.addWidget(self._question)
        self._column.addWidget(self.answer)
        self._column.addWidget(self._told)
        self._column.addWidget(self.editor)
        self._column.addLayout(buttons)
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


def _trouble(section: Section) -> str:
    title, colon, message = section.trouble.partition(": ")
    return f"{sentence(title)}: {sentence(message)}" if colon else sentence(section.trouble) if title else ""
