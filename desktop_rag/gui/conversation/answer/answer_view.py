"""Shows an answer as it streams in: Markdown, as high as its content, loading no external resources."""

from collections.abc import Sequence
from math import ceil
from time import thread_time

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSignalBlocker, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QCursor,
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
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from desktop_rag.agent.citations.wording import Grade, settle_verdicts
from desktop_rag.agent.events import Citation, Claim
from desktop_rag.documents.file_types import Format
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.answer.answer_painting import paint_background, pill_rect
from desktop_rag.gui.conversation.answer.block_buttons import BlockButtons, copied_text, copy_label
from desktop_rag.gui.conversation.answer.document_parts import claim_of, number_of
from desktop_rag.gui.conversation.answer.formula_painting import FORMULA_OBJECT, FormulaPainter
from desktop_rag.gui.conversation.answer.gradual_writing import GradualWriting
from desktop_rag.gui.conversation.answer.inert_browser import InertBrowser
from desktop_rag.gui.conversation.answer.long_blocks import continued, cut_position, head_of_rest, may_be_cut
from desktop_rag.gui.conversation.answer.markdown_blocks import CITATION, Unit, parse, plain_text, without_unfinished
from desktop_rag.gui.conversation.answer.program_notes import in_window_language
from desktop_rag.gui.conversation.answer.quoted_markup import has_markup, show_quoted_markup
from desktop_rag.gui.conversation.answer.rich_text import CLAIM, RichTextWriter
from desktop_rag.gui.conversation.answer.statement_marks import StatementMarks, mark_statements
from desktop_rag.gui.conversation.answer.table_parts import head_of, in_parts, part_of
from desktop_rag.gui.conversation.sources.source_status import SourceNotes, note_of
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.theme import current_colors, text_font
from desktop_rag.gui.viewer_requests import CardRequest, ViewerRequests
from desktop_rag.text.inert_markdown import inert_markdown

_SUPPORTED = ("verbatim", "paraphrase")
_FLUSH_MS = 40
_LONG = 4_000  # characters: rendered at once they take longer than a turn of the event loop may
_LEAST_AT_ONCE = 600  # characters of a long text that are rendered in one turn if they take long
_TURN_MS = 15.0  # of processor time that such a turn should take
_MOST_TWICE = 16_000  # characters of an answer that is written into a second document; that one is parsed at once
_FLUSH_FACTOR = 4  # the pause after rendering is this many times as long: at most a fifth of the time goes into it


class AnswerView(InertBrowser):
    """An answer whose citation numbers can be clicked; other links are shown but inactive."""

    def __init__(self, requests: ViewerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self.setAccessibleName(self.tr("Answer"))
        self._citations: dict[int, Citation] = {}
        self._markdown: frozenset[int] = frozenset()  # the numbers of those of Markdown files
        self._source = ""
        self._notes: SourceNotes = {}
        self._marks = StatementMarks()
        self._hovered = 0
        self._flush_ms = _FLUSH_MS
        self._streaming = True
        self._stale = False  # rendered in the colours of another theme
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

    def _go_on_from(self, rendered: int) -> None:
        """Begin a new block after so many characters of the source."""
        self._rendered = rendered  # characters of the source in finished blocks
        self._reached = rendered  # characters of the source that are rendered
        self._at_once = 0  # to render in one turn, after what the turn before took; 0: as many as usual
        self._head = ""  # the header of the table, or fence of the code, that is finished up to there and goes on
        self._part = 0  # which part of the table follows
        self._in_code = False  # the rest of code that was cut follows
        self._is_long = False  # the last block is too long: it is cut when it is rendered next

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
        self.set_citations(citations)
        before, self._marks = self._marks, mark_statements(text, claims)
        marked = bool(before.claims or claims) or any(self._grade(citation.number, 0) for citation in citations)
        marked = marked or (has_markup(text) and bool(self._markdown))
        text = text.replace("\r", "")
        streamed, self._streaming = self._streaming, False
        if marked or text != self._source or not text.startswith(self._source[: self._rendered]):
            self._source = text
            if streamed and self._rendered and _LONG < len(text) <= _MOST_TWICE:
                self._write_gradually()
                return
            self._begin_document()
            self._streaming = False
        self.flush()

    def set_citations(self, citations: Sequence[Citation]) -> None:
        """Set the citations that the numbers refer to."""
        self._citations = {citation.number: citation for citation in citations}
        self._markdown = frozenset(citation.number for citation in citations if citation.format == Format.MARKDOWN)

    def show_source_notes(self, notes: SourceNotes) -> None:
        """Set the notes on changed files, shown in the tooltip of a number."""
        self._notes = notes

    def clear_answer(self) -> None:
        """Remove the answer."""
        self._source = ""
        self.set_citations(())
        self._marks = StatementMarks()
        self._begin_document()

    @Slot()
    def flush(self) -> None:
        """Render the text received so far: finished blocks once, the unfinished last block on every call.

        Of a long text the next part is rendered, the others in later turns of the event loop.
        """
        self._flush.stop()
        started = thread_time()
        at_once = self._at_once or (_LONG if self._streaming else 2 * _LONG)
        self._reached = min(self._reached + at_once, len(self._source))
        if self._is_long:
            self._reached = cut_position(self._source, self._rendered, self._reached)
        tail = self._head + self._source[self._rendered : self._reached]
        text = without_unfinished(tail) if self._unfinished else tail
        units = self._marked(_units(text, self._part, in_code=self._in_code))
        if units:
            self._render(tail, units)
        spent = (thread_time() - started) * 1000
        if units:
            self._cut_long_block(tail, units[-1], slow=spent > 2 * _TURN_MS)
        self._flush_ms = max(_FLUSH_MS, int(spent * _FLUSH_FACTOR))
        if self._reached < len(self._source):
            self._at_once = max(_LEAST_AT_ONCE, min(int(at_once * _TURN_MS / max(spent, 1.0)), _LONG))
            self._flush.start(self._flush_ms)
        self._buttons.place(self.document(), self._writer)
        self.viewport().update()

    def as_plain_text(self) -> str:
        """Return the answer as plain text with `[n]` for citations, and the list of its sources."""
        blocks = [block for unit in in_window_language(parse(self._source)) for block in unit.blocks]
        return self._with_sources(plain_text(blocks))

    def as_markdown(self) -> str:
        """Return the answer as Markdown with `[n]` for citations, and the list of its sources."""
        return self._with_sources(CITATION.sub(r"[\1]", inert_markdown(self._source)))

    def _marked(self, units: Sequence[Unit]) -> tuple[Unit, ...]:
        return self._marks.mark(show_quoted_markup(units, self._markdown))

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

    def _write_gradually(self) -> None:
        """Write the complete answer into a second document while the streamed one stays in sight."""
        self._flush.stop()
        self._drop_gradual()
        self._gradual = GradualWriting(self.document(), self)
        self._gradual.finished.connect(self._on_written)
        groups = (unit.blocks for each in _units(self._source) for unit in self._marked((each,)))
        self._gradual.start(self._prepare(self._gradual.document), groups)

    @Slot()
    def _on_written(self) -> None:
        if (written := self._gradual) is None:
            return
        self._gradual = None
        self._writer = written.writer
        if self._own is not None:
            self._own.deleteLater()
        self._own = written.document
        self.setDocument(self._own)
        self._follow_document()
        written.deleteLater()
        self._go_on_from(len(self._source))
        self._fit_height()
        self._buttons.place(self._own, self._writer)

    def _drop_gradual(self) -> None:
        if self._gradual is not None:
            self._gradual.drop()
            self._gradual = None

    @property
    def _unfinished(self) -> bool:
        """Return whether more text follows what is rendered."""
        return self._streaming or self._reached < len(self._source)

    def _begin_document(self) -> None:
        self._drop_gradual()
        document = self.document()
        self._writer = self._prepare(document)
        document.clear()  # resizes the view, which places the buttons of what is written
        self._go_on_from(0)
        self._tail_state = self._writer.state()  # the writer before the unfinished last block
        self._streaming = True
        self._stale = False

    def _render(self, tail: str, units: tuple[Unit, ...]) -> None:
        last = units[-1]
        edit = QTextCursor(self.document())
        edit.beginEditBlock()  # one layout pass for all changes
        alone = len(units) == len(last.blocks) == 1 and self._unfinished
        if not (alone and self._writer.extend(last.blocks[0])):
            self._write_tail(tail, units)
        edit.endEditBlock()

    def _write_tail(self, tail: str, units: tuple[Unit, ...]) -> None:
        last = units[-1]
        self._writer.roll_back(self._tail_state)
        for unit in units[:-1]:
            self._writer.write(unit.blocks)
        if len(units) > 1:
            lines = tail.split("\n")
            self._rendered += sum(len(line) + 1 for line in lines[: last.line]) - len(self._head)
            self._head = head_of(lines, units, self._head)
            self._part = part_of(last) if self._head else 0
            self._in_code = False
            self._tail_state = self._writer.state()
        self._writer.write(last.blocks)

    def _cut_long_block(self, tail: str, last: Unit, *, slow: bool) -> None:
        """End a block that is too long after what is rendered of it; the rest will be another one."""
        cut, self._is_long = self._is_long, False
        if not (cut and self._unfinished):
            self._is_long = may_be_cut(last, self._reached - self._rendered, slow=slow)
            return
        kept = without_unfinished(tail)
        self._head = head_of_rest(kept.split("\n"), last)
        self._in_code = bool(self._head)
        self._rendered = self._reached - (len(tail) - len(kept))
        self._tail_state = self._writer.state()

    def _with_sources(self, text: str) -> str:
        lines = [formatting.reference(citation) for citation in self._citations.values()]
        return "\n\n".join(filter(None, (text.strip(), "\n".join(lines))))

    def _grade(self, number: int, claim_number: int) -> Grade | None:
        """Return what is to be seen of a citation: a statement that failed, another place, a sum."""
        claim, citation = self._marks.claim(claim_number), self._citations.get(number)
        if claim and claim.standing == "unsupported":
            return "unsupported"
        if citation and not self._streaming:
            [settled] = settle_verdicts((citation,), self._marks.claims)
            if settled.verdict not in _SUPPORTED:
                return settled.verdict
        return "computed" if claim and claim.standing == "computed" else None

    def _request_card(self, url: QUrl, place: QRect, *, by_key: bool = False) -> None:
        """Ask for the card of the citation behind a link at `place` in the viewport."""
        citation, claim = self._citations.get(number_of(url)), self._marks.claim(claim_of(url))
        if citation is not None:
            note = note_of(citation, self._notes)
            since = self.tr("The file: {note}.").format(note=note) if note else ""
            settled = settle_verdicts((citation,), self._marks.claims)
            checked = formatting.checked(settled[0], (claim,) if claim else ())
            shown = QRect(self.viewport().mapToGlobal(place.topLeft()), place.size())
            self._requests.card_requested.emit(CardRequest(citation, checked, since, shown, by_key))

    def _pill_at(self, position: QPoint) -> QRect:
        rects = (pill_rect(self.document(), pill, self._writer.font).toAlignedRect() for pill in self._writer.pills)
        return next(
            (rect for rect in rects if rect.adjusted(-3, -6, 3, 6).contains(position)), QRect(position, position)
        )

    def _claim_tip(self, position: QPoint) -> str:
        """Return the tooltip of a statement that failed or has no source; empty elsewhere."""
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
            self._requests.citation_requested.emit(self._citations[number])

    @Slot(QUrl)
    def _on_anchor_hovered(self, url: QUrl) -> None:
        self._hovered = number_of(url)
        self.viewport().update()
        if self._hovered and self.underMouse():
            self._request_card(url, self._pill_at(self.viewport().mapFromGlobal(QCursor.pos())))
        elif self.underMouse():
            self._requests.card_left.emit()
        else:
            self._requests.card_dismissed.emit()  # the keyboard has gone on to another link

    @Slot()
    def _fit_height(self) -> None:
        height = ceil(self.document().size().height()) if self._source else 0
        if self._reached < len(self._source):
            height = max(height, self.height())  # a long answer that is rendered again keeps its place
        if height != self.height():
            self.setFixedHeight(height)

    @Slot()
    def copy_as_markdown(self) -> None:
        """Copy the whole answer as Markdown."""
        QGuiApplication.clipboard().setText(self.as_markdown())

    @Slot()
    def copy_as_plain_text(self) -> None:
        """Copy the whole answer as plain text."""
        QGuiApplication.clipboard().setText(self.as_plain_text())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to copy and, on a link, to copy or open its address."""
        menu = QMenu(self)
        table = self.cursorForPosition(event.pos()).currentTable()
        if block := next((block for tables, block in self._writer.framed if table in tables), None):
            text = copied_text(block)
            menu.addAction(copy_label(block)).triggered.connect(lambda: QGuiApplication.clipboard().setText(text))
            menu.addSeparator()
        self.add_link_actions(menu, event.pos())
        copy = menu.addAction(self.tr("Copy"))
        copy.setEnabled(self.textCursor().hasSelection())
        copy.triggered.connect(self.copy)
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
        if event.type() in kinds and hasattr(self, "_writer") and (current_colors(), text_font(0.5)) != self._look:
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
        """Move the buttons of code and tables to their new places."""
        super().resizeEvent(event)
        self._buttons.place(self.document(), self._writer)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Close the card that the keyboard has opened."""
        super().focusOutEvent(event)
        self._requests.card_dismissed.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Clear the highlight when the mouse leaves a number."""
        super().mouseMoveEvent(event)
        self._buttons.hover(event.position().toPoint(), self.document(), self._writer)
        if not self.anchorAt(event.position().toPoint()) and self._hovered:
            self._on_anchor_hovered(QUrl())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the background, then the text."""
        if self._stale:
            self._render_again()
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_background(painter, self.document(), self._writer, QRectF(event.rect()), self._hovered)
        painter.end()
        super().paintEvent(event)


def _units(text: str, part: int = 0, *, in_code: bool = False) -> tuple[Unit, ...]:
    """Return the units of Markdown as they are shown; it begins in `part` of a long table, `in_code`, or in none."""
    units = in_window_language(parse(text))
    return in_parts(continued(units) if in_code else units, part)
