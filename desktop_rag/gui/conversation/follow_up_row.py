"""Suggestions for the next question below the last answer."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rag.agent.answer_notes import note_language
from desktop_rag.agent.conversations.follow_up_topics import FollowUpTopic, TopicKind
from desktop_rag.gui.catalogues import translation
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.theme.theme import text_font
from desktop_rag.gui.widgets.chips import Chip, FlowRow


class FollowUpChip(Chip):
    """One suggestion."""

    def __init__(self, question: str, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(question, parent=parent)
        self.question = question
        self.setFont(text_font(-1))
        self.setToolTip(tool_tip(f"{question}\n{hint}"))

    def sizeHint(self) -> QSize:
        """Return the size of the whole question."""
        return QSize(self.fontMetrics().horizontalAdvance(self._name) + 26, super().sizeHint().height())


class FollowUpWording:
    """Words suggestions in the language of the question asked if the program has it, else in that of the window."""

    def __init__(self, asked: str) -> None:
        self._language = note_language(asked)

    def question(self, topic: FollowUpTopic) -> str:
        """Return a topic as a question."""
        match topic.kind:
            case TopicKind.SECTION:
                text = self.tr("What does “{topic}” in {document} say?")
            case TopicKind.NAME:
                text = self.tr("What else is said about {topic}?")
            case TopicKind.COMPARE:
                text = self.tr("Compare {topic} with {document}")
        return text.format(topic=topic.text, document=topic.other)

    def tr(self, english: str) -> str:
        """Return a text in that language."""
        context = type(self).__name__
        known = translation(self._language, context, english) if self._language else ""
        return known or QCoreApplication.translate(context, english)


class FollowUpRow(QWidget):
    """Chips that put a question into the field; with Ctrl they ask it. The cross takes them away."""

    dismissed = Signal()
    chosen = Signal(str, bool)  # a question; ask it at once (True)

    def __init__(self, topics: Sequence[FollowUpTopic], asked: str, parent: QWidget | None = None) -> None:
        """The suggestions are in the language of the question that was asked, if the program has it."""
        super().__init__(parent)
        self.setAccessibleName(self.tr("Suggestions for the next question"))
        hint = self.tr("Click to edit it first, Ctrl+click to ask it")
        wording = FollowUpWording(asked)
        self.chips = [FollowUpChip(wording.question(topic), hint, self) for topic in topics]
        for chip in self.chips:
            chip.clicked.connect(self._on_clicked)
        flow = FlowRow(self)
        flow.set_items(self.chips)
        self.close_button = IconButton("close", self.tr("Hide these suggestions"), self, 14)
        self.close_button.clicked.connect(self.dismissed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(flow, 1)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)

    @Slot()
    def _on_clicked(self) -> None:
        chip = self.sender()
        if isinstance(chip, FollowUpChip):
            held = QGuiApplication.keyboardModifiers()
            self.chosen.emit(chip.question, bool(held & Qt.KeyboardModifier.ControlModifier))
