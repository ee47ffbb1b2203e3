"""What an empty conversation shows: what to do next, and questions to try."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from desktop_rag.agent.question import ExampleQuestion
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.formatting import number
from desktop_rag.gui.search.filter_labels import filter_label
from desktop_rag.gui.search.search_start import document_rows
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.icons import pixmap
from desktop_rag.gui.theme.theme import GRID, current_colors, scaled, set_role, text_font
from desktop_rag.gui.viewer.open_documents import RecentDocument
from desktop_rag.gui.widgets.chips import Chip, FlowRow
from desktop_rag.gui.widgets.layouts import CENTER, STRETCH, in_column, in_row
from desktop_rag.gui.widgets.painted_button import PaintedButton, draw_text
from desktop_rag.gui.widgets.panel_list import StartRows
from desktop_rag.gui.widgets.plain_labels import Label, PlainLabel
from desktop_rag.index.file_rows import ListedState
from desktop_rag.retrieval.api import Facet
from desktop_rag.retrieval.query.tree import FileField
from desktop_rag.text.display import one_line

_EXAMPLES = 3
_PARTS = 6
_DOCUMENTS = 3
_PADDING = 12
_ICON_WIDTH = 26
_MARGIN = 16
_WIDEST = 640  # pixels


@dataclass(frozen=True, slots=True)
class Welcome:
    """The state of the library and the model; `examples` are questions these documents can answer."""

    has_documents: bool = False
    has_model: bool = False
    examples: tuple[ExampleQuestion, ...] = ()
    counted: str = ""  # how many files can be searched
    left_out: tuple[tuple[str, ListedState], ...] = ()  # how many cannot, in words
    parts: tuple[Facet, ...] = ()  # what the library is made of
    documents: tuple[RecentDocument, ...] = ()  # opened last, else the newest ones
    opened: bool = False  # they were opened
    is_reading: bool = False  # the first documents are being indexed
    is_missing: bool = False  # the library's folder cannot be found
    is_held: bool = False  # reading is paused, or waits for an idle computer or mains power
    is_opening: bool = False  # it is not known yet what is in the library


class SuggestionButton(PaintedButton):
    """An example question as a card; its text wraps and is never elided."""

    def __init__(self, example: ExampleQuestion, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = example.text
        self._text = one_line(example.text)
        self._source = "" if example.document in example.text else one_line(example.document)
        self.setAccessibleName(", ".join(filter(None, (self._text, self._source))))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def heightForWidth(self, width: int) -> int:
        """Return the height of the wrapped question."""
        available = QRect(0, 0, max(60, width - 2 * _PADDING - scaled(_ICON_WIDTH)), 10_000)
        text = self.fontMetrics().boundingRect(available, Qt.TextFlag.TextWordWrap, self._text)
        source = QFontMetrics(text_font(-1)).height() + 2 if self._source else 0
        return text.height() + source + 2 * _PADDING - 2

    def sizeHint(self) -> QSize:
        """Return the size at the current width."""
        width = max(self.width(), 240)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Return a small width, so that the card can shrink with the window."""
        return QSize(160, self.fontMetrics().height() + 2 * _PADDING)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint card, question and arrow."""
        colors = current_colors()
        painter = self.begin_painting()
        self.draw_card(painter, colors.border, colors.hover if self.underMouse() else colors.raised, 8)
        painter.setPen(QColor(colors.text))
        area = self.column(_PADDING, self.width() - 2 * _PADDING - scaled(_ICON_WIDTH))
        if self._source:
            below = area.adjusted(0, 0, 0, 1 - _PADDING)
            area.setBottom(below.bottom() - QFontMetrics(text_font(-1)).height() - 2)
            align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
            draw_text(painter, below, self._source, text_font(-1), colors.faint, align=align)
            area.setTop(_PADDING - 2)
            painter.setFont(self.font())
            painter.setPen(QColor(colors.text))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, self._text)
        arrow = self.column(self.width() - _PADDING - scaled(16), scaled(16))
        icons.draw(painter, arrow, "arrow-left" if self.isRightToLeft() else "arrow-right", colors.faint, 16)


class WelcomeView(QWidget):
    """Invites you to add a folder, or to ask."""

    def __init__(self, requests: ConversationRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self._icon_label = Label()
        self._icon_label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._title = PlainLabel("", "title")
        self._text = PlainLabel("", "muted")
        self._folder = QPushButton(self.tr("Add a folder…"))
        set_role(self._folder, "primary")
        self._folder.clicked.connect(requests.folder_requested)
        self._found = FlowRow(self)
        self._heading = PlainLabel(self.tr("Questions that your documents answer"), "section")
        self._heading.setContentsMargins(0, GRID, 0, 0)
        self._buttons: list[SuggestionButton] = []
        self._documents = StartRows("", self)
        self._note = self._make_note()
        self._examples = in_column(spacing=8)
        column = in_column((STRETCH, 2), self._icon_label, spacing=10)
        for label in (self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        column.addSpacing(8)
        column.addWidget(self._folder, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._found)
        column.addWidget(self._heading)
        column.addLayout(self._examples)
        column.addWidget(self._documents)
        column.addSpacing(10)
        column.addWidget(self._note)
        column.addStretch(3)
        self._column = column
        holder = QWidget(self)
        holder.setMaximumWidth(_WIDEST)
        holder.setLayout(column)
        in_row(STRETCH, (holder, 1000), STRETCH, on=self, spacing=None, margins=_MARGIN)
        self._icon = "folder-add"
        self._welcome: Welcome | None = None
        self.show_welcome(Welcome())

    def show_welcome(self, welcome: Welcome) -> None:
        """Show what to do next; without a change nothing moves, so that a click reaches its button."""
        if welcome == self._welcome:
            return
        self._welcome = welcome
        self._icon = "chat" if welcome.has_documents else "book" if welcome.is_reading else "folder-add"
        if welcome.is_opening:
            self._icon = "book"
            self._title.setText(self.tr("Opening your library"))
            self._text.setText("")
        elif welcome.is_missing:
            self._icon = "offline"
            self._title.setText(self.tr("This library cannot be found"))
            self._text.setText(self.tr("Connect its disk, or choose another library."))
        elif welcome.has_documents:
            self._title.setText(self.tr("Ask your documents"))
            self._text.setText(self.tr("Every answer cites the lines it is based on. Click a number to see them."))
        elif welcome.is_reading and welcome.is_held:
            self._title.setText(self.tr("Your documents are not read yet"))
            self._text.setText(self.tr("Reading waits; the button at the foot of the library goes on with it."))
        elif welcome.is_reading:
            self._title.setText(self.tr("Reading your documents"))
            self._text.setText(self.tr("You can ask as soon as the first of them is read."))
        else:
            self._title.setText(self.tr("Start with a folder"))
            self._text.setText(self.tr("Drop one anywhere on this window. You can search it within seconds."))
        known = welcome.has_documents or welcome.is_reading or welcome.is_missing
        self._folder.setVisible(not (known or welcome.is_opening))
        self._note.setVisible(welcome.has_documents and not welcome.has_model)
        self._show_examples(welcome.examples[:_EXAMPLES] if welcome.has_documents else ())
        self._show_found(welcome)
        rows = document_rows(welcome.documents, self._requests.document_chosen)
        title = self.tr("Recent documents") if welcome.opened else self.tr("Newest documents")
        self._documents.show_rows(rows[:_DOCUMENTS] if welcome.has_documents else (), title)
        self._draw_icon()
        self._fit()

    def _fit(self) -> None:
        """Leave out what has no room: the icon first, then the questions from the last one, then the sentence."""
        has = bool(self._documents.buttons), bool(self._buttons), bool(self._found.items())
        parts = (self._documents, self._heading, self._found)
        optional = (self._icon_label, *parts[:1], *reversed(self._buttons), *parts[1:], self._text)
        for widget in optional:
            widget.setVisible(widget not in parts or has[parts.index(widget)])
        room = self.rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        for widget in optional:
            self._examples.invalidate()
            self._column.invalidate()
            if self._column.totalHeightForWidth(min(room.width(), _WIDEST)) <= room.height():
                break
            widget.hide()

    def _show_examples(self, examples: tuple[ExampleQuestion, ...]) -> None:
        while (item := self._examples.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        self._buttons = [SuggestionButton(example, self) for example in examples]
        for button in self._buttons:
            button.clicked.connect(self._on_example_clicked)
            self._examples.addWidget(button)

    def _show_found(self, welcome: Welcome) -> None:
        """Show what was found as chips that list it."""
        chips: list[tuple[Chip, Callable[[], None]]] = []
        if welcome.has_documents and welcome.counted:
            emit = self._requests.files_requested.emit
            chips.append((Chip(welcome.counted, icon="list"), partial(emit, ())))
            for part in welcome.parts[:_PARTS]:
                icon = "folder" if part.filter.field is FileField.FOLDER else ""
                chip = Chip(filter_label(part.filter), number(part.count), icon=icon)
                chips.append((chip, partial(self._requests.filter_chosen.emit, part.filter)))
            chips += [(Chip(words, icon="warning"), partial(emit, (state,))) for words, state in welcome.left_out]
        for chip, act in chips:
            chip.clicked.connect(act)
        self._found.set_items([chip for chip, _ in chips])

    def _make_note(self) -> QWidget:
        note = QWidget(self)
        text = PlainLabel(self.tr("No model is connected, so answers are quotes from your documents."), "caption")
        text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        link = QPushButton(self.tr("Connect a model"))
        set_role(link, "link")
        link.setCursor(Qt.CursorShape.PointingHandCursor)
        link.clicked.connect(self._requests.settings_requested)
        in_column(text, (link, CENTER), on=note, spacing=2)
        return note

    def _draw_icon(self) -> None:
        self._icon_label.setPixmap(pixmap(self._icon, current_colors().accent, 44))

    @Slot()
    def _on_example_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, SuggestionButton):
            self._requests.question_asked.emit(button.question)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what has room."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Draw the icon in the colours of the new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_icon"):
            self._draw_icon()
