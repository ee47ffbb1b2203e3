"""The card of a citation: the passage with the quoted words marked, its place, and what is known of the statement."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPixmap,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from desktop_rag.agent.citations.quoted_rows import labelled_row
from desktop_rag.agent.events import Citation
from desktop_rag.documents.document import Box, LineKind, box_of, page_of
from desktop_rag.gui import formatting
from desktop_rag.gui.snippet_text import Marks, copied_quote, shown_snippet
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.theme.theme import GRID, current_colors, set_margins, set_role, text_font
from desktop_rag.gui.viewer.document_loading import resolve
from desktop_rag.gui.viewer.pages.page_painting import ON_DARK, ON_WHITE
from desktop_rag.gui.viewer.pages.render_service import PageReady, PrintedFile
from desktop_rag.gui.viewer.viewer_events import PRINTED, Staleness, target_of_citation
from desktop_rag.gui.viewer_requests import CardRequest
from desktop_rag.gui.widgets.layouts import STRETCH, in_row
from desktop_rag.gui.widgets.plain_labels import ElidedLabel, Label, PlainLabel
from desktop_rag.index.records import DocumentLayout
from desktop_rag.retrieval.api import DocumentCard, Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line
from desktop_rag.text.locate import mark_quote

# Reads what the card of a citation shows: the paragraph, the heading above it, and its place on a printed page.

_AROUND = 12  # lines of a paragraph above and below the cited ones
_CITED = 60  # lines shown
_GAP = 0.9  # of the height of a line: a wider one separates paragraphs
_LONGEST = 2_000  # characters of a line
_ALONE = (LineKind.HEADING, LineKind.ROW, LineKind.ITEM, LineKind.BLANK)  # kinds of lines that are no paragraph's part


@dataclass(frozen=True, slots=True)
class CardLine:
    """A displayed line of a passage, with the quoted words as (start, end)."""

    text: str
    cited: bool
    marks: Marks


@dataclass(frozen=True, slots=True)
class PagePart:
    """Cited lines on a printed page."""

    file: PrintedFile
    page: int
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class CitedPassage:
    """The paragraph of a citation; `flowing` if the ends of its lines are those of a printed page."""

    lines: tuple[CardLine, ...]
    flowing: bool = False
    heading: str = ""
    part: PagePart | None = None


def read_cited_passage(citation: Citation, retriever: Retriever, stop: Stop) -> Generator[CitedPassage]:
    """Yield the passage stored with the citation, then the library's, unless the file has changed."""
    flowing = citation.format in PRINTED
    stored = citation.passage.split("\n")
    yield CitedPassage(_shown(citation, stored, citation.passage_first_line), flowing)
    staleness, card = resolve(target_of_citation(citation), retriever, stop)
    if card is None or staleness is Staleness.CHANGED:
        return
    layout = retriever.layout(card.content, stop)
    first, last = citation.first_line, min(citation.last_line, citation.first_line + _CITED - 1)
    start = max(1, first - _AROUND)
    window = retriever.read_lines(card.content, start, last - start + 1 + _AROUND, stop).lines
    begin, end = _paragraph(layout, start, window, first, last)
    heading = _heading(card, layout, begin, retriever, stop)
    lines = _shown(citation, window[begin - start : end - start + 1], begin)
    yield CitedPassage(lines, flowing, heading, _page_part(card, staleness, layout, first, last))


def _shown(citation: Citation, lines: Sequence[str], first: int) -> tuple[CardLine, ...]:
    texts = {number: line[:_LONGEST] for number, line in enumerate(lines[: _CITED + 2 * _AROUND], first)}
    cited = {n: text for n, text in texts.items() if citation.first_line <= n <= citation.last_line}
    marks: dict[int, list[tuple[int, int]]] = {}
    for number, start, end in mark_quote(citation.quote, cited):
        marks.setdefault(number, []).append((start, end))
    spaced = ((n, *_with_dots(text, marks.get(n, ()))) for n, text in texts.items())
    shown = ((n, *shown_snippet(text, places, citation.format)) for n, text, places in spaced)
    columns = labelled_row(citation.columns) if citation.columns not in texts.values() else ""
    head = (CardLine(columns, cited=False, marks=()),) if columns else ()
    return (*head, *(CardLine(text, n in cited, places) for n, text, places in shown))


def _with_dots(line: str, marks: Sequence[tuple[int, int]]) -> tuple[str, Marks]:
    """Return a row with dots between its cells, and its marks moved accordingly."""
    moved = ((start + 2 * line.count("\t", 0, start), end + 2 * line.count("\t", 0, end)) for start, end in marks)
    return line.replace("\t", " · "), tuple(moved)


def _paragraph(layout: DocumentLayout, start: int, lines: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Return the first and last line of the paragraph around the cited lines; `lines` begin with line `start`."""
    kinds = layout.kinds

    def joined(line: int, neighbour: int) -> bool:
        if not (0 < neighbour <= len(kinds) and 0 <= neighbour - start < len(lines)):
            return False
        both = (kinds[line - 1] & 15, kinds[neighbour - 1] & 15)
        alike = both[0] == both[1] and both[0] not in _ALONE and bool(lines[neighbour - start].strip())
        return alike and _adjoining(layout, min(line, neighbour), max(line, neighbour))

    last = min(last, len(kinds))
    while joined(first, first - 1):
        first -= 1
    while joined(last, last + 1):
        last += 1
    return first, last


def _adjoining(layout: DocumentLayout, above: int, below: int) -> bool:
    """Return whether two lines follow each other closely on a page; lines without a place do."""
    upper, lower = box_of(layout.boxes, above), box_of(layout.boxes, below)
    if upper is None or lower is None:
        return True
    return -upper.y1 + lower.y0 < _GAP * (upper.y1 - upper.y0) and lower.y0 >= upper.y0


def _heading(card: DocumentCard, layout: DocumentLayout, first: int, retriever: Retriever, stop: Stop) -> str:
    """Return the nearest heading above a line, or the section it begins in."""
    headings = (bytes((level << 4 | LineKind.HEADING,)) for level in range(16))
    line = max(layout.kinds.rfind(heading, 0, first - 1) for heading in headings) + 1
    section = layout.structure.section_of(first)
    if not line:
        return section
    text = "".join(retriever.read_lines(card.content, line, 1, stop).lines)[:_LONGEST]
    return " ".join(shown_snippet(text, (), card.format)[0].split()) or section


def _page_part(
    card: DocumentCard, staleness: Staleness, layout: DocumentLayout, first: int, last: int
) -> PagePart | None:
    """Return the cited lines of the first page that has any; None if no page can be rendered."""
    page = page_of(layout.pages, first)
    if page is None or card.path is None or card.format not in PRINTED or staleness is not Staleness.SAME:
        return None
    lines = (line for line in range(first, last + 1) if page_of(layout.pages, line) == page)
    boxes = tuple(box for line in lines if (box := box_of(layout.boxes, line)) is not None)
    return PagePart(PrintedFile(card.path, card.sha256, card.modified_ns), page, boxes) if boxes else None


_WIDTH = 430
_HIGHEST = 190  # pixels of the passage; a longer one scrolls
_PICTURE = 150  # pixels: the highest picture of a page
_ABOVE = 20.0  # points of the page shown above and below the cited lines
_BESIDE = 10.0  # the same, left and right
_NARROWEST = 240.0  # points of the page shown
_LARGEST = 1.6  # pixels per point
_APART = 6  # pixels between the card and what it belongs to


class PassageView(QTextEdit):
    """The text of the passage, as high as its content up to a limit; the user can select and copy it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._passage = CitedPassage(())
        self.setReadOnly(True)
        self.setAccessibleName(self.tr("Cited passage"))
        set_role(self, "bare")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)

    def show_passage(self, passage: CitedPassage) -> None:
        """Show a passage: the lines around the cited ones less prominent, the quoted words marked."""
        self._passage = passage
        colors = current_colors()
        self.clear()
        cursor = self.textCursor()
        for number, line in enumerate(passage.lines):
            if number:
                within = passage.flowing and _is_marked_through(passage.lines[number - 1], line)
                space = _form(colors.text, colors.mark if within else "")
                cursor.insertText(" " if passage.flowing else "\n", space)
            for text, marked in _runs(line):
                cursor.insertText(
                    text, _form(colors.text if line.cited else colors.muted, colors.mark if marked else "")
                )
        self._fit()
        self._show_quote()

    def cited_text(self) -> str:
        """Return the cited lines."""
        return "\n".join(line.text for line in self._passage.lines if line.cited)

    def _fit(self) -> None:
        self.document().setTextWidth(self.viewport().width())
        self.setFixedHeight(min(_HIGHEST, round(self.document().size().height()) + 2))

    def _show_quote(self) -> None:
        """Scroll a long passage to its cited lines."""
        before = 0
        for line in self._passage.lines:
            if line.cited:
                break
            before += len(line.text) + 1
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(before, self.document().characterCount() - 1))
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + self.cursorRect().top())

    def changeEvent(self, event: QEvent) -> None:
        """Show the passage in the colours of the new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_passage"):
            self.show_passage(self._passage)


class CitationCard(QFrame):
    """A card inside the window, beside a citation; pinned it stays, can be moved, and takes the focus."""

    open_requested = Signal(object, object)  # its Citation, and all of the answer
    closed = Signal()
    pinned = Signal()
    entered = Signal()
    left = Signal()

    def __init__(self, request: CardRequest, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.request = request
        self._grip: QPoint | None = None  # where the pointer holds the card while it is moved
        self._origin = QGuiApplication.focusObject()
        self._moved = False
        self._column = QVBoxLayout(self)
        self._part: PagePart | None = None
        set_role(self, "popover")
        self.setFixedWidth(min(_WIDTH, window.width() - 2 * _APART))
        self.passage = PassageView(self)
        self._heading = PlainLabel("", "caption", self)
        self._heading.hide()
        self._picture = Label(parent=self)
        set_role(self._picture, "page")
        self._picture.setAccessibleName(self.tr("The cited lines on their page"))
        self._picture.hide()
        self.open = QPushButton(self.tr("Open"), self)
        self.copy = QPushButton(self.tr("Copy quote with reference"), self)
        self.pin = IconButton("pin", self.tr("Keep this card open"), self, size=16)
        self.close_button = IconButton("close", self.tr("Close"), self, size=16)
        self._lay_out()
        self.open.clicked.connect(self._on_open)
        self.copy.clicked.connect(self._on_copy)
        self.pin.clicked.connect(self.keep)
        self.close_button.clicked.connect(self.dismiss)
        for before, after in zip(self._stops(), self._stops()[1:], strict=False):
            QWidget.setTabOrder(before, after)

    @property
    def is_pinned(self) -> bool:
        """Return whether the card stays."""
        return not self.pin.isVisibleTo(self)

    @property
    def heading_text(self) -> str:
        """Return the heading shown above the passage."""
        return self._heading.text()

    @property
    def picture(self) -> QPixmap:
        """Return the picture of the cited lines on their page; null before there is one."""
        return self._picture.pixmap()

    def _stops(self) -> tuple[QWidget, ...]:
        return (self.passage, self.open, self.copy, self.pin, self.close_button)

    def _lay_out(self) -> None:
        citation = self.request.citation
        name = one_line(formatting.document_name(citation.path, citation.title))
        place = formatting.place(citation.page, citation.first_line, citation.last_line, citation.section)
        place = formatting.document_place(citation.path, citation.title, place)
        title = ElidedLabel(self, Qt.TextElideMode.ElideMiddle)
        title.setFont(text_font(0))
        set_role(title, "heading")
        title.show_text(name)
        title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        head = in_row((title, 1), self.pin, self.close_button, spacing=2)
        foot = in_row(self.open, self.copy, STRETCH)
        column = self._column
        set_margins(column, 2 * GRID, GRID, GRID, GRID + 4)
        column.setSpacing(GRID // 2)
        column.addLayout(head)
        checked = PlainLabel(self.request.checked, "caution" if self.request.refused else "caption", self)
        place_label = PlainLabel(place, "caption", self)
        changed = PlainLabel(self.request.note, "caution", self)
        changed.setVisible(bool(self.request.note))
        for part in (place_label, self._heading, changed):
            column.addWidget(part)
        column.addSpacing(GRID // 2)
        column.addWidget(self.passage)
        column.addWidget(self._picture)
        column.addSpacing(GRID // 2)
        column.addWidget(checked)
        column.addSpacing(GRID // 2)
        column.addLayout(foot)
        self.setAccessibleName(
            self.tr("Citation {number}: {name}, {place}").format(number=citation.number, name=name, place=place)
        )
        self.setAccessibleDescription(self.request.checked)

    def show_passage(self, passage: CitedPassage) -> None:
        """Show the passage; the picture of its page follows with `show_page`."""
        self._part = passage.part
        named = passage.heading in self.request.citation.section  # in the line above, as the subject of a mail
        self._heading.setText("" if named else passage.heading)
        self._heading.setVisible(bool(self.heading_text))
        self.passage.show_passage(passage)
        self.fit()

    def picture_scale(self, part: PagePart, page_width: float) -> float:
        """Return the pixels per point at which the cited lines of a page fill the width of the card."""
        left, right = _extent(part, page_width)
        return min(_LARGEST, self._picture_width() / (right - left)) * self.devicePixelRatioF()

    def _picture_width(self) -> int:
        margins = self._column.contentsMargins()
        return self.width() - margins.left() - margins.right() - 2  # a border

    def show_page(self, page: PageReady) -> None:
        """Show the part of a rendered page with the cited lines."""
        if self._part is None:
            return
        image, scale = page.image, page.scale
        boxes, ratio = self._part.boxes, self.devicePixelRatioF()
        left, _ = _extent(self._part, image.width() / scale)
        top = max(0.0, min(box.y0 for box in boxes) - _ABOVE)
        bottom = min(max(box.y1 for box in boxes) + _ABOVE, image.height() / scale)
        height = min(bottom - top, _PICTURE * ratio / scale)
        width = min(round(self._picture_width() * ratio), image.width())
        cut = image.copy(QRect(round(left * scale), round(top * scale), width, max(1, round(height * scale))))
        painter = QPainter(cut)
        ink = ON_DARK if page.dark else ON_WHITE
        painter.setCompositionMode(ink.mixing)
        for box in boxes:
            area = QRectF(box.x0 - left, box.y0 - top, box.x1 - box.x0, box.y1 - box.y0)
            painter.fillRect(
                QRectF(area.topLeft() * scale, area.size() * scale),
                QColor(ink.mark),
            )
        painter.end()
        cut.setDevicePixelRatio(ratio)
        self._picture.setPixmap(QPixmap.fromImage(cut))
        self._picture.show()
        self.fit()

    @Slot()
    def keep(self) -> None:
        """Pin the card: it stays until it is closed, and takes the focus."""
        self.pin.hide()
        self.pinned.emit()
        self.passage.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def dismiss(self) -> None:
        """Close the card and return the focus to where it was."""
        inside = self.isAncestorOf(focus) if isinstance(focus := QGuiApplication.focusObject(), QWidget) else False
        self.hide()
        if inside and isinstance(self._origin, QWidget):
            self._origin.setFocus(Qt.FocusReason.OtherFocusReason)
        self.closed.emit()

    def fit(self) -> None:
        """Take the height of the content, and a place inside the window and the screen."""
        self._column.activate()
        self.resize(self.width(), self._column.totalHeightForWidth(self.width()))
        room = self._room()
        if self._moved:
            self.move(_inside(self.geometry(), room))
            return
        origin = self._window.mapFromGlobal(self.request.place.topLeft())
        below = origin.y() + self.request.place.height() + _APART
        above = origin.y() - self.height() - _APART
        top = below if below + self.height() <= room.bottom() or above < room.top() else above
        left = origin.x() - 2 * GRID
        self.move(_inside(QRect(QPoint(left, top), self.size()), room))

    def _room(self) -> QRect:
        screen = self._window.screen().availableGeometry()
        seen = QRect(self._window.mapFromGlobal(screen.topLeft()), screen.size())
        room = self._window.rect().intersected(seen)
        return room.adjusted(_APART, _APART, -_APART, -_APART)

    @Slot()
    def _on_open(self) -> None:
        self.open_requested.emit(self.request.citation, self.request.answer)

    @Slot()
    def _on_copy(self) -> None:
        citation = self.request.citation
        words = copied_quote(citation.quote or self.passage.cited_text(), citation.format)
        QGuiApplication.clipboard().setText(
            formatting.quotation(
                words, citation.title, citation.path, citation.page, citation.first_line, citation.last_line
            )
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close the card on Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keep Escape from the shortcuts of the window while the focus is in the card."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.setAccepted(event.key() == Qt.Key.Key_Escape)
            if event.isAccepted():
                return True
        return super().event(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Stay while the pointer is on the card."""
        self.entered.emit()

    def leaveEvent(self, event: QEvent) -> None:
        """Report that the pointer has left the card."""
        self.left.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the card."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._grip = event.position().toPoint()
            self.raise_()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the card, which pins it."""
        if self._grip is None:
            return
        if not self.is_pinned:
            self.keep()
        self._moved = True
        at = self.mapToParent(event.position().toPoint()) - self._grip
        self.move(_inside(QRect(at, self.size()), self._room()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the card."""
        self._grip = None

    def sizeHint(self) -> QSize:
        """Return the size that the content needs."""
        return QSize(self.width(), self._column.totalHeightForWidth(self.width()))


def _extent(part: PagePart, page_width: float) -> tuple[float, float]:
    """Return the left and right edge of the visible part of a page, in points."""
    left = max(0.0, min(box.x0 for box in part.boxes) - _BESIDE)
    right = min(page_width, max(box.x1 for box in part.boxes) + _BESIDE)
    return max(0.0, min(left, right - _NARROWEST)), max(right, min(page_width, left + _NARROWEST))


def _inside(place: QRect, room: QRect) -> QPoint:
    left = max(room.left(), min(place.left(), room.right() + 1 - place.width()))
    return QPoint(left, max(room.top(), min(place.top(), room.bottom() + 1 - place.height())))


def _form(color: str, background: str = "") -> QTextCharFormat:
    form = QTextCharFormat()
    form.setForeground(QColor(color))
    if background:
        form.setBackground(QColor(background))
    return form


def _is_marked_through(before: CardLine, after: CardLine) -> bool:
    """Return whether the marked words go on from the end of a line to the beginning of the next."""
    ends, begins = {end for _, end in before.marks}, {start for start, _ in after.marks}
    return len(before.text.rstrip()) in ends and len(after.text) - len(after.text.lstrip()) in begins


def _runs(line: CardLine) -> Iterator[tuple[str, bool]]:
    """Yield the text of a line in pieces, each with whether it is marked."""
    at = 0
    for start, end in line.marks:
        yield line.text[at:start], False
        yield line.text[start:end], True
        at = max(at, end)
    yield line.text[at:], False
