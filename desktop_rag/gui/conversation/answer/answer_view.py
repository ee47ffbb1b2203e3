"""Shows an answer: Markdown as it streams in, as high as its content, loading nothing from anywhere."""

from collections.abc import Sequence
from math import ceil
from time import perf_counter

from PySide6.QtCore import QEvent, QMimeData, QPoint, QRectF, QSignalBlocker, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QDesktopServices,
    QGuiApplication,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QTextBrowser, QToolTip, QWidget

from desktop_rag.agent.events import Citation, Claim, Verdict
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.answer.answer_painting import paint_ground
from desktop_rag.gui.conversation.answer.markdown_blocks import CITATION, Unit, parse, plain_text, without_unfinished
from desktop_rag.gui.conversation.answer.rich_text import ADDRESS, INDENT, UNSOURCED, RichTextWriter
from desktop_rag.gui.conversation.answer.unsourced_statements import UnsourcedStatements, unsourced
from desktop_rag.gui.conversation.sources.source_status import SourceNotes, note_of
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.theme import current_colors, text_font
from desktop_rag.gui.viewer_requests import ViewerRequests

PROVED = ("verbatim", "paraphrase")
_FLUSH_MS = 40
_SHARE = 4  # at most one part in four of the time goes into rendering a stream


class AnswerView(QTextBrowser):
    """An answer whose citation numbers can be clicked; nothing else in it is live."""

    def __init__(self, requests: ViewerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self.setAccessibleName(self.tr("Answer"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setStyleSheet("background: transparent; border: none; padding: 0;")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self._nothing = QImage(1, 1, QImage.Format.Format_ARGB32)
        self._nothing.fill(0)
        self._citations: dict[int, Citation] = {}
        self._source = ""
        self._notes: SourceNotes = {}
        self._unsourced = UnsourcedStatements()
        self._doubtful: dict[int, Verdict] = {}  # numbers whose citation was corrected or proves nothing
        self._hovered = 0
        self._pause = _FLUSH_MS
        self._stale = False  # the colours are those of another look
        self._flush = QTimer(self)
        self._flush.setSingleShot(True)
        self._flush.timeout.connect(self.flush)
        self.anchorClicked.connect(self._on_anchor_clicked)
        self.highlighted.connect(self._on_anchor_hovered)
        self._begin_document()
        self.document().documentLayout().documentSizeChanged.connect(self._fit_height)
        self._fit_height()

    @property
    def markdown(self) -> str:
        """Return the answer as the run wrote it."""
        return self._source

    def feed(self, text: str) -> None:
        """Append the next piece of a streaming answer; it is shown within 40 ms."""
        self._source += text.replace("\r", "")
        if not self._flush.isActive():
            self._flush.start(self._pause)

    def show_answer(self, text: str, citations: Sequence[Citation] = (), claims: Sequence[Claim] = ()) -> None:
        """Show a whole answer; what is already on screen stays as it is when it is the same and nothing is amiss."""
        self.set_citations(citations)
        self._unsourced = unsourced(text, claims)
        doubtful: dict[int, Verdict] = {c.number: c.verdict for c in citations if c.verdict not in PROVED}
        amiss = bool(self._unsourced or doubtful) or doubtful != self._doubtful
        self._doubtful = doubtful
        text = text.replace("\r", "")
        if amiss or text != self._source or not text.startswith(self._source[: self._done]):
            self._source = text
            self._begin_document()
        self._held_back = False
        self.flush()

    def set_citations(self, citations: Sequence[Citation]) -> None:
        """Say what the numbers stand for."""
        self._citations = {citation.number: citation for citation in citations}

    def set_source_notes(self, notes: SourceNotes) -> None:
        """Say what became of cited files, for who hovers over a number."""
        self._notes = notes

    def clear_answer(self) -> None:
        """Start again from nothing."""
        self._source = ""
        self._unsourced, self._doubtful = UnsourcedStatements(), {}
        self._begin_document()

    @Slot()
    def flush(self) -> None:
        """Render what has come in: finished blocks once, the open last one again."""
        self._flush.stop()
        started = perf_counter()
        tail = self._source[self._done :]
        units = self._unsourced.mark(parse(without_unfinished(tail) if self._held_back else tail))
        if units:
            self._render(tail, units)
        spent = (perf_counter() - started) * 1000
        self._pause = max(_FLUSH_MS, int(spent * _SHARE))
        self.viewport().update()

    def plain_answer(self) -> str:
        """Return the answer's words with `[n]` for citations, and the list of its sources."""
        blocks = [block for unit in parse(self._source) for block in unit.blocks]
        return self._with_sources(plain_text(blocks))

    def markdown_answer(self) -> str:
        """Return the answer as Markdown that makes sense elsewhere: `[n]` and a list of the sources."""
        return self._with_sources(CITATION.sub(r"[\1]", self._source))

    def _begin_document(self) -> None:
        document = self.document()
        document.clear()
        document.setDocumentMargin(2)
        document.setIndentWidth(INDENT)
        self._colors = current_colors()
        self._writer = RichTextWriter(document, self._colors, text_font(0.5), self._doubtful)
        self._done = 0  # characters of the source that are rendered for good
        self._mark = self._writer.state()  # where the open tail begins in the document
        self._held_back = True
        self._stale = False

    def _render(self, tail: str, units: tuple[Unit, ...]) -> None:
        last = units[-1]
        edit = QTextCursor(self.document())
        edit.beginEditBlock()  # one layout for all of it
        alone = len(units) == len(last.blocks) == 1 and self._held_back
        if not (alone and self._writer.extend(last.blocks[0])):
            self._write_tail(tail, units)
        edit.endEditBlock()

    def _write_tail(self, tail: str, units: tuple[Unit, ...]) -> None:
        last = units[-1]
        self._writer.take_back(self._mark)
        for unit in units[:-1]:
            self._writer.write(unit.blocks)
        if len(units) > 1:
            lines = tail.split("\n")
            self._done += sum(len(line) + 1 for line in lines[: last.line])
            self._mark = self._writer.state()
        self._writer.write(last.blocks)

    def _with_sources(self, text: str) -> str:
        lines = [formatting.reference(citation) for citation in self._citations.values()]
        return "\n\n".join(filter(None, (text.strip(), "\n".join(lines))))

    def _address_at(self, position: QPoint) -> str:
        cursor = self.cursorForPosition(position)
        for step in (0, 1):  # the format of a position is that of the letter before it
            cursor.setPosition(min(cursor.position() + step, self.document().characterCount() - 1))
            address = cursor.charFormat().property(ADDRESS)
            if isinstance(address, str) and QUrl(address).scheme() in ("http", "https"):
                return address
        return ""

    def _tip(self, citation: Citation) -> str:
        note = note_of(citation, self._notes)
        since = self.tr("The file: {note}.").format(note=note) if note else ""
        return "\n".join(filter(None, (formatting.citation_tip(citation), since)))

    def _unsourced_at(self, position: QPoint) -> str:
        """Return what there is to say of a statement without a source."""
        found = bool(self._unsourced) and self.cursorForPosition(position).charFormat().hasProperty(UNSOURCED)
        return self.tr("The model named no source in your documents for this.") if found else ""

    @Slot(QUrl)
    def _on_anchor_clicked(self, url: QUrl) -> None:
        number = _number_of(url)
        if self.underMouse():
            self.setTextCursor(QTextCursor(self.document()))  # no dotted frame: the keyboard is elsewhere
        if number in self._citations:
            self._requests.citation_requested.emit(self._citations[number])

    @Slot(QUrl)
    def _on_anchor_hovered(self, url: QUrl) -> None:
        self._hovered = _number_of(url)
        self.viewport().update()

    @Slot()
    def _fit_height(self) -> None:
        height = ceil(self.document().size().height()) if self._source else 0
        if height != self.height():
            self.setFixedHeight(height)

    @Slot()
    def copy_as_markdown(self) -> None:
        """Put the whole answer on the clipboard as Markdown."""
        QGuiApplication.clipboard().setText(self.markdown_answer())

    @Slot()
    def copy_as_plain_text(self) -> None:
        """Put the whole answer on the clipboard as plain text."""
        QGuiApplication.clipboard().setText(self.plain_answer())

    def loadResource(self, kind: int, name: QUrl | str) -> QImage:
        """Return an empty picture for everything: no file, no network."""
        return self._nothing

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the selected words without the spaces that only serve the look."""
        data = QMimeData()
        text = self.textCursor().selection().toPlainText()
        data.setText(text.replace("\u00a0", " ").replace("\u2009", ""))
        return data

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer copying and, on a link, what may be done with its address."""
        menu = QMenu(self)
        address = self._address_at(event.pos())
        if address:
            link = menu.addAction(self.tr("Copy link"))
            link.triggered.connect(lambda: QGuiApplication.clipboard().setText(address))
            browse = menu.addAction(self.tr("Open in browser"))
            browse.triggered.connect(lambda: QDesktopServices.openUrl(QUrl(address)))
            menu.addSeparator()
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
        """Show a citation's source as a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            number = _number_of(QUrl(self.anchorAt(event.pos())))
            citation = self._citations.get(number)
            said = self._tip(citation) if citation else self._unsourced_at(event.pos())
            QToolTip.showText(event.globalPos(), tool_tip(said) if said else "", self)
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Render again in the colours of the new look."""
        super().changeEvent(event)
        kinds = (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange)
        if event.type() in kinds and hasattr(self, "_writer") and current_colors() is not self._colors:
            self._stale = True  # a long conversation renders again only where it is seen
            self.viewport().update()

    def _render_again(self) -> None:
        held_back, height = self._held_back, self.height()
        with QSignalBlocker(self.document().documentLayout()):
            self._begin_document()
            self._held_back = held_back
            self.flush()
        if ceil(self.document().size().height()) != height:
            self._fit_height()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave paging to the conversation."""
        scrolling = (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End)
        if event.key() in scrolling and not event.modifiers():
            event.ignore()  # the conversation scrolls, not this answer
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the conversation scroll."""
        event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Let go of a number the mouse has left."""
        super().mouseMoveEvent(event)
        if not self.anchorAt(event.position().toPoint()) and self._hovered:
            self._on_anchor_hovered(QUrl())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what lies behind the words, then the words."""
        if self._stale:
            self._render_again()
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, self.document(), self._writer, QRectF(event.rect()), self._hovered)
        painter.end()
        super().paintEvent(event)


def _number_of(url: QUrl) -> int:
    text = url.path() if url.scheme() == "cite" else ""
    return int(text) if text.isascii() and text.isdigit() else 0
