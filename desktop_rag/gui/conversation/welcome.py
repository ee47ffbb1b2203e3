"""What an empty conversation shows: the one thing to do next."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.suggestion_button import SuggestionButton
from desktop_rag.gui.theme.icons import pixmap
from desktop_rag.gui.theme.theme import current_colors, set_role
from desktop_rag.gui.widgets.plain_labels import PlainLabel

_EXAMPLES = 3
_WIDEST = 640


@dataclass(frozen=True, slots=True)
class Welcome:
    """What is there to begin with; `examples` are questions these documents can answer."""

    has_documents: bool = False
    has_model: bool = False
    examples: tuple[str, ...] = ()
    is_reading: bool = False  # the first documents are on their way
    is_missing: bool = False  # the library itself is not there


class WelcomeView(QWidget):
    """An invitation: to add a folder, or to ask."""

    def __init__(self, requests: ConversationRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self._sign = QLabel()
        self._sign.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._title = PlainLabel("", "title")
        self._words = PlainLabel("", "muted")
        self._folder = QPushButton(self.tr("Add a folder…"))
        set_role(self._folder, "primary")
        self._folder.clicked.connect(requests.folder_requested)
        self._examples = QVBoxLayout()
        self._examples.setSpacing(8)
        self._note = self._make_note()
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addStretch(2)
        column.addWidget(self._sign)
        for label in (self._title, self._words):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        column.addSpacing(8)
        column.addWidget(self._folder, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(self._examples)
        column.addSpacing(10)
        column.addWidget(self._note)
        column.addStretch(3)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 16, 16, 16)
        holder = QWidget(self)
        holder.setMaximumWidth(_WIDEST)
        holder.setLayout(column)
        row.addStretch(1)
        row.addWidget(holder, 1000)
        row.addStretch(1)
        self._icon = "folder-add"
        self._welcome: Welcome | None = None
        self.show_welcome(Welcome())

    def show_welcome(self, welcome: Welcome) -> None:
        """Show what can be done next; nothing moves under the pointer while nothing is new."""
        if welcome == self._welcome:
            return
        self._welcome = welcome
        self._icon = "chat" if welcome.has_documents else "book" if welcome.is_reading else "folder-add"
        if welcome.is_missing:
            self._icon = "offline"
            self._title.setText(self.tr("This library is not there"))
            self._words.setText(self.tr("Connect its disk, or choose another library."))
        elif welcome.has_documents:
            self._title.setText(self.tr("Ask your documents"))
            self._words.setText(self.tr("Every answer names the lines it rests on. Click a number to see them."))
        elif welcome.is_reading:
            self._title.setText(self.tr("Reading your documents"))
            self._words.setText(self.tr("You can ask as soon as the first of them is searchable."))
        else:
            self._title.setText(self.tr("Start with a folder"))
            self._words.setText(self.tr("Drop one anywhere on this window. Its words can be searched within seconds."))
        self._folder.setVisible(not (welcome.has_documents or welcome.is_reading or welcome.is_missing))
        self._note.setVisible(welcome.has_documents and not welcome.has_model)
        self._show_examples(welcome.examples[:_EXAMPLES] if welcome.has_documents else ())
        self._draw_sign()

    def _show_examples(self, examples: tuple[str, ...]) -> None:
        while (item := self._examples.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for example in examples:
            button = SuggestionButton(example, self)
            button.clicked.connect(self._on_example_clicked)
            self._examples.addWidget(button)

    def _make_note(self) -> QWidget:
        note = QWidget(self)
        layout = QVBoxLayout(note)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        words = PlainLabel(self.tr("No model is connected, so answers are quotes from your documents."), "caption")
        words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        link = QPushButton(self.tr("Connect a model"))
        set_role(link, "link")
        link.setCursor(Qt.CursorShape.PointingHandCursor)
        link.clicked.connect(self._requests.settings_requested)
        layout.addWidget(words)
        layout.addWidget(link, 0, Qt.AlignmentFlag.AlignHCenter)
        return note

    def _draw_sign(self) -> None:
        self._sign.setPixmap(pixmap(self._icon, current_colors().accent, 44))

    @Slot()
    def _on_example_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, SuggestionButton):
            self._requests.question_asked.emit(button.question)

    def changeEvent(self, event: QEvent) -> None:
        """Draw the sign in the colours of the new look."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_icon"):
            self._draw_sign()
