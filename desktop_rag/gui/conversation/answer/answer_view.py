"""Shows an answer as it streams in: Markdown, as high as its content, loading no external resources."""

from collections.abc import Sequence
from functools import cache, partial
from math import ceil
from time import thread_time
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSignalBlocker, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QMenu, QToolTip, QWidget
from shiboken6 import isValid

from desktop_rag.agent.citations.marks import REFUSED, Grade
from desktop_rag.agent.events import Citation, Claim
from desktop_rag.documents.file_types import Format
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.answer.answer_painting import (
    BlockButtons,
    copied_text,
    copy_label,
    link_rect,
    paint_background,
    paint_fades,
)
from desktop_rag.gui.conversation.answer.formulas import FORMULA_OBJECT, FormulaPainter, has_markup, show_quoted_markup
from desktop_rag.gui.conversation.answer.inert_browser import InertBrowser, is_long
from desktop_rag.gui.conversation.answer.markdown_blocks import CITATION, Unit, plain_text
from desktop_rag.gui.conversation.answer.parsing import TURN, weight
from desktop_rag.gui.conversation.answer.rendering import AnswerRendering, GradualWriting
from desktop_rag.gui.conversation.answer.rich_text import CLAIM, PROOF, RichTextWriter, claim_of, number_of
from desktop_rag.gui.conversation.answer.statement_marks import Proofs, StatementMarks, mark_statements
from desktop_rag.gui.conversation.sources.citation_menu import add_citation_actions, drag_citation
from desktop_rag.gui.conversation.sources.source_status import SourceNotes, note_of
from desktop_rag.gui.formatting import MARKS, tool_tip
from desktop_rag.gui.theme.theme import current_colors, text_font
from desktop_rag.gui.viewer_requests import CardRequest, ViewerRequests
from desktop_rag.text.hidden_characters import inert_markdown
from desktop_rag.text.readable_math import readable_math

# Lets one of several long answers go on in a turn of the event loop.

_PAUSE_MS = 8


class Renders(Protocol):
    """What can wait in the queue."""

    def flush(self) -> None:
        """Render the next part."""


class AnswerQueue(QObject):
    """The answers that are complete, but not yet rendered to their end."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[Renders] = []
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(_PAUSE_MS)
        self._turn.timeout.connect(self._on_turn)

    def add(self, answer: Renders) -> None:
        """Let `answer` render its next part when its turn comes."""
        self.remove(answer)
        self._waiting.append(answer)
        if not self._turn.isActive():
            self._turn.start()

    def remove(self, answer: Renders) -> None:
        """Forget `answer`."""
        self._waiting = [each for each in self._waiting if each is not answer]

    def holds(self, answer: Renders) -> bool:
        """Return whether `answer` waits."""
        return any(each is answer for each in self._waiting)

    @Slot()
    def _on_turn(self) -> None:
        while self._waiting:
            answer = self._waiting.pop(0)
            if isValid(answer):
                answer.flush()
                break
        if self._waiting:
            self._turn.start()


@cache
def answer_queue() -> AnswerQueue:
    """Return the queue of this program; for the GUI thread alone."""
    return AnswerQueue()


_FLUSH_MS = 40
_MOST_TWICE = 60_000  # weight of an answer written into a second document, which Qt lays out at once when it is shown
_FLUSH_FACTOR = 4  # the pause after rendering is this many times as long: at most a fifth of the time goes into it


class AnswerView(InertBrowser):
    """An answer whose citation numbers can be clicked; other links are shown but inactive."""

    def __init__(self, requests: ViewerRequests, parent: QWidget | None = None, question: str = "") -> None:
        super().__init__(parent)
        self._question = question
        self._requests = requests
        self.setAccessibleName(self.tr("Answer"))
        self._citations: dict[int, Citation] = {}
        self._markdown: frozenset[int] = frozenset()  # the numbers of those of Markdown files
        self._latex: frozenset[int] = frozenset()  # and of LaTeX files
        self._source = ""
        self._notes: SourceNotes = {}
        self._marks = StatementMarks()
        self._hovered = 0
        self._pointer: QPoint | None = None  # where the mouse is, while it moves: links are hovered by Tab, too
        self._held: Citation | None = None  # since the mouse was pressed on its number
        self._pressed = QPointF()
        self._misplaced: dict[int, Grade] = {}  # the verdicts on citations whose words stand elsewhere, or nowhere
        self._flush_ms = _FLUSH_MS
        self._streaming = True
        self._stale = False  # rendered in the colours of another theme
        self._copying = False  # as plain text, when it is rendered
        self._queue = answer_queue()
        self._flush = QTimer(self)
        self._flush.setSingleShot(True)
        self._flush.timeout.connect(self.flush)
        self.anchorClicked.connect(self._on_anchor_clicked)
        self.highlighted.connect(self._on_anchor_hovered)
        self._formulas = FormulaPainter(self)
        self._buttons = BlockButtons(self)
        self._gradual: GradualWriting | None = None  # while the complete answer is written beside the streamed one
        self._own: QTextDocument | None = None  # the document shown, unless it is the one that Qt has made
        self._follow_document()
        self._begin_document()
        self._fit_height()

    @property
    def is_rendering(self) -> bool:
        """Return whether some of the text received is still to be rendered, in later turns of the event loop."""
        return self._gradual is not None or self._flush.isActive() or self._queue.holds(self)

    @property
    def markdown(self) -> str:
        """Return the answer's Markdown source."""
        return self._source

    def feed(self, text: str) -> None:
        """Append the next piece of a streaming answer; rendered after at least 40 ms, together with what follows."""
        self._source += text.replace("\r", "")
        if not self._flush.isActive():
            self._flush.start(self._flush_ms)

    def show_answer(self, text: str, citations: Sequence[Citation] = (), claims: Sequence[Claim] = ()) -> None:
        """Show a complete answer; streamed text is rendered again only to mark statements, long text gradually."""
        text, before = text.replace("\r", ""), (self._source, self._citations, self._marks.claims)
        self.set_citations(citations)
        self._marks = mark_statements(text, claims)
        self._misplaced = {
            each.number: each.verdict for each in citations if each.verdict not in ("verbatim", "paraphrase")
        }
        streamed, self._streaming = self._streaming, False
        after = (text, self._citations, self._marks.claims)
        marked = streamed and (bool(citations or claims) or has_markup(text, self._markdown))
        if marked or after != before or not text.startswith(self._source[: self._rendering.reached]):
            self._source = text
            if self._rendering.reached and TURN < weight(text, _MOST_TWICE) < _MOST_TWICE:
                self._write_gradually()
                return
            self._begin_document()
            self._streaming = False
        self.flush()

    def set_citations(self, citations: Sequence[Citation]) -> None:
        """Set the citations that the numbers refer to."""
        self._citations = {citation.number: citation for citation in citations}
        self._misplaced = {}
        self._markdown = frozenset(each.number for each in citations if each.format == Format.MARKDOWN)
        self._latex = frozenset(each.number for each in citations if each.format == Format.LATEX)

    def show_source_notes(self, notes: SourceNotes) -> None:
        """Set the notes on changed files, shown in the tooltip of a number."""
        self._notes = notes

    def clear_answer(self) -> None:
        """Remove the answer."""
        self._source = ""
        self._copying = False
        self.set_citations(())
        self._marks = StatementMarks()
        self._begin_document()

    @Slot()
    def flush(self) -> None:
        """Render the text received so far, but no more than a turn of the event loop has time for; the rest follows."""
        self._stop_rendering()
        if self.gradual_layout.is_active:
            self._lay_out()
            return
        started = thread_time()
        more = self._rendering.advance(self._source, growing=self._streaming)
        placed = self._buttons.place(self.document(), self._writer, self._rendering.first_framed)
        spent = (thread_time() - started) * 1000
        if self._streaming:
            self._flush_ms = max(_FLUSH_MS, int(spent * _FLUSH_FACTOR))
        if self._streaming and more:
            self._flush.start(self._flush_ms)
        elif more or not placed:
            self._queue.add(self)
        else:
            self._fit_height()
        self.viewport().update()
        if self._copying:
            self.copy_as_plain_text()

    def as_plain_text(self) -> str:
        """Return what is rendered of the answer as plain text, formulas too, `[n]` for citations, and its sources."""
        return formatting.with_sources(plain_text(self._rendering.blocks(), readable_math), self._citations.values())

    def as_markdown(self) -> str:
        """Return the answer as Markdown with `[n]` for citations, and the list of its sources."""
        return formatting.with_sources(CITATION.sub(r"[\1]", inert_markdown(self._source)), self._citations.values())

    def selected_text(self) -> str:
        """Return the selected text without proof lines, unless it is a part of one."""
        return _without_proofs(super().selected_text(), self.textCursor())

    def _marked(self, units: Sequence[Unit]) -> tuple[Unit, ...]:
        return self._marks.mark(show_quoted_markup(units, self._markdown, self._latex))

    def _follow_document(self) -> None:
        self.document().documentLayout().documentSizeChanged.connect(self._fit_height)

    def _prepare(self, document: QTextDocument) -> RichTextWriter:
        """Return a writer for an empty document, in the present look."""
        self._look = (current_colors(), text_font(0.5))
        writer = RichTextWriter(document, *self._look, self._marks, self._grade)
        document.documentLayout().registerHandler(FORMULA_OBJECT, self._formulas)
        document.setDocumentMargin(2)
        document.setIndentWidth(writer.indent)
        return writer

    @property
    def _writer(self) -> RichTextWriter:
        return self._rendering.writer

    def _render_into(self, document: QTextDocument) -> AnswerRendering:
        proofs = Proofs() if self._streaming else Proofs(self._citations, self._marks.claims)
        return AnswerRendering(document, self._prepare(document), self._marked, self._question, proofs)

    def _write_gradually(self) -> None:
        """Write the complete answer into a second document while the streamed one stays in sight."""
        self._stop_rendering()
        self._drop_gradual()
        self._gradual = GradualWriting(self.document(), self)
        self._gradual.finished.connect(self._on_written)
        self._gradual.start(self._render_into(self._gradual.document), self._source)

    @Slot()
    def _on_written(self) -> None:
        if (written := self._gradual) is None:
            return
        self._gradual = None
        self.gradual_layout.drop()
        self._rendering = written.rendering
        if self._own is not None:
            self._own.deleteLater()
        self._own = written.document
        self.setDocument(self._own)
        self._follow_document()
        written.deleteLater()
        self._fit_height()
        self.flush()  # makes the buttons

    def _lay_out(self) -> None:
        """Lay out the next part for another width, and then render what was received meanwhile."""
        if not self.gradual_layout.step():
            self._fit_height()
            self._buttons.place(self.document(), self._writer)
        self._queue.add(self)

    def _stop_rendering(self) -> None:
        self._flush.stop()
        self._queue.remove(self)

    def _drop_gradual(self) -> None:
        if self._gradual is not None:
            self._gradual.drop()
            self._gradual = None

    def _begin_document(self) -> None:
        self._drop_gradual()
        document = self.document()
        self._rendering = self._render_into(document)
        document.clear()  # resizes the view, which places the buttons of what is written
        self.gradual_layout.drop()
        self._streaming = True
        self._stale = False

    def _grade(self, number: int, claim_number: int) -> Grade | None:
        """Return what is to be seen at a number: the mark of its statement, or that the words stand elsewhere."""
        claim = self._marks.claim(claim_number)
        if claim and claim.mark in REFUSED:
            return claim.mark
        return self._misplaced.get(number) or (claim.mark if claim and claim.mark in MARKS else None)

    def _request_card(self, url: QUrl, place: QRect, *, by_key: bool = False) -> None:
        """Ask for the card of the citation behind a link at `place` in the viewport."""
        citation, claim = self._citations.get(number_of(url)), self._marks.claim(claim_of(url))
        if citation is not None:
            note = note_of(citation, self._notes)
            since = self.tr("The file: {note}.").format(note=note) if note else ""
            checked = formatting.checked(citation, (claim,) if claim else ())
            shown = QRect(self.viewport().mapToGlobal(place.topLeft()), place.size())
            refused = claim is not None and claim.mark in REFUSED
            request = CardRequest(citation, checked, since, shown, by_key, refused, self._answer)
            self._requests.card_requested.emit(request)

    @property
    def _answer(self) -> tuple[Citation, ...]:
        return tuple(self._citations.values())

    def _citation_at(self, position: QPoint) -> Citation | None:
        return self._citations.get(number_of(QUrl(self.anchorAt(position))))

    def _claim_tip(self, position: QPoint) -> str:
        """Return the tooltip of a statement, what is known of it; empty elsewhere."""
        if not self._marks.claims:
            return ""
        number = self.cursorForPosition(position).charFormat().property(CLAIM)
        claim = self._marks.claim(number) if isinstance(number, int) else None
        return formatting.claim(claim) if claim else ""

    @Slot(QUrl)
    def _on_anchor_clicked(self, url: QUrl) -> None:
        number = number_of(url)
        if self.underMouse():
            self.setTextCursor(QTextCursor(self.document()))  # a mouse click draws no focus frame around the link
        if number in self._citations:
            self._requests.citation_requested.emit(self._citations[number], self._answer)

    @Slot(QUrl)
    def _on_anchor_hovered(self, url: QUrl) -> None:
        self._hovered = number_of(url)
        self.viewport().update()
        if self._hovered and self._pointer is not None:
            self._request_card(url, link_rect(self.document(), self._writer, self._pointer))
        elif self._pointer is not None:
            self._requests.card_left.emit()
        else:
            self._requests.card_dismissed.emit()  # the keyboard has gone on to another link

    @Slot()
    def _fit_height(self) -> None:
        if self.gradual_layout.is_active:
            return  # to ask for the height would lay out all of it
        height = ceil(self.document().size().height()) if self._source else 0
        if self._rendering.reached < len(self._source):
            height = max(height, self.height())  # a long answer that is rendered again keeps its place
        if height != self.height():
            self.setFixedHeight(height)

    @Slot()
    def copy_as_markdown(self) -> None:
        """Copy the whole answer as Markdown."""
        self._copying = False
        QGuiApplication.clipboard().setText(self.as_markdown())

    @Slot()
    def copy_as_plain_text(self) -> None:
        """Copy the whole answer as plain text, once what was received of it is rendered."""
        self._copying = self.is_rendering
        if not self._copying:
            QGuiApplication.clipboard().setText(self.as_plain_text())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to copy; on a number what can be done with its citation, on a link to copy or open its address."""
        menu = QMenu(self)
        if citation := self._citation_at(event.pos()):
            place = link_rect(self.document(), self._writer, event.pos())
            card = partial(self._request_card, QUrl(self.anchorAt(event.pos())), place)
            self._requests.card_dismissed.emit()
            add_citation_actions(menu, citation, self._answer, self._requests, partial(card, by_key=True))
        table = self.cursorForPosition(event.pos()).currentTable()
        if block := next((block for tables, block in self._writer.framed if table in tables), None):
            copy_block = menu.addAction(copy_label(block))
            copy_block.triggered.connect(lambda: QGuiApplication.clipboard().setText(copied_text(block)))
            menu.addSeparator()
        self.add_link_actions(menu, event.pos())
        menu.addAction(self.tr("Copy"), self.copy).setEnabled(self.textCursor().hasSelection())
        menu.addAction(self.tr("Copy answer as Markdown")).triggered.connect(self.copy_as_markdown)
        menu.addAction(self.tr("Copy answer as plain text")).triggered.connect(self.copy_as_plain_text)
        menu.addSeparator()
        menu.addAction(self.tr("Select all")).triggered.connect(self.selectAll)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def event(self, event: QEvent) -> bool:
        """Show why a statement is marked as a tooltip; a citation has a card."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            text = "" if self.anchorAt(event.pos()) else self._claim_tip(event.pos())
            QToolTip.showText(event.globalPos(), tool_tip(text), self)
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Mark the text as stale when the theme or the font changes."""
        super().changeEvent(event)
        kinds = (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange)
        if event.type() in kinds and hasattr(self, "_rendering") and (current_colors(), text_font(0.5)) != self._look:
            self._stale = True  # rendered again when painted: a long conversation pays only for what is visible
            self.viewport().update()

    def _render_again(self) -> None:
        held_back, height = self._streaming, self.height()
        with QSignalBlocker(self.document().documentLayout()):
            self._begin_document()
            self._streaming = held_back
            self.flush()
        if ceil(self.document().size().height()) != height:
            self._fit_height()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Show the card of the focused citation on Space; leave paging to the conversation."""
        scrolling = (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End)
        cursor = self.textCursor()
        if event.key() == Qt.Key.Key_Space and cursor.hasSelection():
            cursor.setPosition(cursor.selectionStart() + 1)
            self._request_card(QUrl(cursor.charFormat().anchorHref()), self.cursorRect(cursor), by_key=True)
        elif event.key() == Qt.Key.Key_Escape:
            self._requests.card_dismissed.emit()
            event.ignore()
        elif event.key() in scrolling and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave scrolling to the conversation."""
        self._requests.card_dismissed.emit()
        event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        """Report that the pointer has left a citation."""
        super().leaveEvent(event)
        self._buttons.hover(None, self.document(), self._writer)
        self._requests.card_left.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out the text for another width, in turns if it is long; the buttons of code and tables move with it."""
        other = event.size().width() != event.oldSize().width()
        if other and is_long(self.document()):
            self.gradual_layout.begin()
            self._queue.add(self)
            return
        super().resizeEvent(event)
        if other:
            self._buttons.place(self.document(), self._writer)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Close the card that the keyboard has opened."""
        super().focusOutEvent(event)
        self._requests.card_dismissed.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of a number, to be dragged out or clicked."""
        self._pressed = event.position()
        self._held = self._citation_at(self._pressed.toPoint())
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag a held number out; clear the highlight when the mouse leaves a number."""
        if self._held and event.buttons() & Qt.MouseButton.LeftButton:
            if (event.position() - self._pressed).manhattanLength() >= QApplication.startDragDistance():
                cited, self._held = self._held, None
                self.setTextCursor(QTextCursor(self.document()))  # no frame around the number
                self._requests.card_dismissed.emit()
                drag_citation(cited, self)
            return
        self._pointer = event.position().toPoint()
        super().mouseMoveEvent(event)  # reports the link below the pointer
        self._buttons.hover(event.position().toPoint(), self.document(), self._writer)
        if not self.anchorAt(event.position().toPoint()) and self._hovered:
            self._on_anchor_hovered(QUrl())
        self._pointer = None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the background, then the text."""
        if self._stale:
            self._render_again()
        painter = QPainter(self.viewport())
        if self.gradual_layout.is_active:
            self.gradual_layout.paint(painter)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_background(painter, self.document(), self._writer, QRectF(event.rect()), self._hovered)
        painter.end()
        super().paintEvent(event)
        paint_fades(QPainter(self.viewport()), self.document(), self._writer, QRectF(event.rect()))


def _without_proofs(text: str, selected: QTextCursor) -> str:
    """Return a selected text without the proof lines in it, unless it is a part of one."""
    start, end = selected.selectionStart(), selected.selectionEnd()
    block = selected.document().findBlock(start)
    while block.isValid() and block.position() < end and block.position() + block.length() <= end:
        if block.blockFormat().hasProperty(PROOF):
            text = text.replace(block.text()[max(0, start - block.position()) :] + "\n", "", 1)
        block = block.next()
    if block.isValid() and block.position() > start and block.blockFormat().hasProperty(PROOF):
        text = text.removesuffix(block.text()[: end - block.position()]).removesuffix("\n")
    return text
