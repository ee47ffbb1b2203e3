"""The cited sources under an answer: an item view, so that screen readers can read what the numbers refer to."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePath

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QMenu,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.agent.citations.marks import REFUSED, Grade, stands_there
from desktop_rag.agent.citations.quoted_rows import shown_words
from desktop_rag.agent.events import Citation, Claim, Source
from desktop_rag.gui import formatting
from desktop_rag.gui.catalogues import exact_sentence
from desktop_rag.gui.conversation.sources.citation_menu import (
    add_bibliography_actions,
    add_citation_actions,
    add_file_actions,
)
from desktop_rag.gui.conversation.sources.source_status import SourceNotes
from desktop_rag.gui.conversation.sources.sources_model import (
    GRADE_ROLE,
    NOTE_ROLE,
    ROW_ROLE,
    CitationRow,
    CitedFileRow,
    Index,
    SourceGroupRow,
    SourcesModel,
    UncitedFiles,
    UncitedRow,
    shown_preview,
)
from desktop_rag.gui.formatting import MARKS, tool_tip
from desktop_rag.gui.snippet_text import shown_quote
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, set_role, text_font
from desktop_rag.gui.theme.theme_colors import Colors
from desktop_rag.gui.viewer.viewer_events import target_of_source
from desktop_rag.gui.viewer_requests import CardRequest, ViewerRequests
from desktop_rag.gui.widgets.chips import Chip, FlowRow
from desktop_rag.gui.widgets.layouts import LEFT, in_column
from desktop_rag.gui.widgets.painted_button import draw_ground, draw_text, mirrored
from desktop_rag.gui.widgets.plain_labels import PlainLabel, elided_lines
from desktop_rag.index.team_status import ON_SERVER
from desktop_rag.text.display import one_line, shorten

# Paints the rows of the sources: documents, citations with two lines of their quote and their mark, headings.

_PAD = 9
_LEAST_BADGE = 22
_QUOTE_LINES = 2
_MOST_QUOTES = 100  # kept broken into lines
_NARROWEST_NOTE = 60  # pixels; a narrower note is not painted


class SourceDelegate(QStyledItemDelegate):
    """Paints rows whose height depends on the quote."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._quotes: dict[tuple[str, str, int, str], list[str]] = {}  # broken into lines

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the size of a row at the width of the view."""
        row = index.data(ROW_ROLE)
        view = self.parent()
        width = view.viewport().width() if isinstance(view, QAbstractItemView) else option.rect.width()
        name, line = QFontMetrics(_name_font()).height(), _line(QFontMetrics(_quote_font()))
        match row:
            case CitationRow(citation, below):
                lines = len(self._quote(citation, width))
                height = max((line if below else name) + lines * line, _badge()) + (3 if lines else 0)
                return QSize(width, height + (_PAD + _PAD // 2 if below else 2 * _PAD))
            case CitedFileRow():
                return QSize(width, max(name, _badge()) + _PAD)
            case SourceGroupRow():
                return QSize(width, line + 2 * _PAD)
            case UncitedRow(file):
                return QSize(width, name + (line if file.source.preview.strip() else 0) + _PAD + _PAD // 2)
            case _:
                return QSize(width, 0)

    def _quote(self, citation: Citation, width: int) -> list[str]:
        if not citation.quote.strip():
            return []
        available, font = max(60, width - _left() - _badge() - 2 * _PAD), _quote_font()
        key = (shown_words(citation), citation.format, available, font.key())
        if (lines := self._quotes.get(key)) is None:  # a view asks for the height of a row several times
            if len(self._quotes) > _MOST_QUOTES:
                self._quotes.clear()
            quote = formatting.quoted(shown_quote(shown_words(citation), citation.format))
            lines = self._quotes[key] = elided_lines(quote, QFontMetrics(font), available, _QUOTE_LINES)
        return lines

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the row."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = QRect(option.rect)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        draw_ground(painter, place, hovered=hovered, selected=False, focused=focused)
        note, colors = str(index.data(NOTE_ROLE) or ""), current_colors()
        match index.data(ROW_ROLE):
            case CitationRow() as row:
                self._paint_citation(painter, place, row, note, index.data(GRADE_ROLE), colors)
            case CitedFileRow(file):
                first = file.citations[0]
                area = QRect(place.left() + _PAD, place.top() + _PAD, place.width() - 2 * _PAD, 0)
                _paint_name(painter, area, place, (first.path, first.title, first.format), "", note)
            case SourceGroupRow() as row:
                _paint_fold(painter, place, str(index.data()), is_open=row.is_open)
            case UncitedRow(file):
                self._paint_uncited(painter, place, file.source, note, colors)
        painter.restore()

    def _paint_citation(
        self, painter: QPainter, place: QRect, row: CitationRow, note: str, grade: Grade, colors: Colors
    ) -> None:
        citation = row.citation
        pad = _PAD // 2 if row.below else _PAD
        self._paint_badge(painter, place.adjusted(0, pad - _PAD, 0, 0), citation, colors)
        self._paint_mark(painter, place.adjusted(0, pad - _PAD, 0, 0), grade, colors)
        right = place.right() - _PAD - _badge()
        area = QRect(place.left() + _left(), place.top() + pad, right - place.left() - _left(), 0)
        where = formatting.place(citation.page, citation.first_line, citation.last_line, citation.section)
        inexact = grade == "paraphrase" and not stands_there(citation)
        where += f" · {self.tr('not word for word')}" if inexact else ""
        metrics = QFontMetrics(_quote_font())
        if row.below:
            area.setHeight(_line(metrics))
            draw_text(painter, area, where, _quote_font(), colors.faint, within=place)
        else:
            area.setHeight(QFontMetrics(_name_font()).height())
            named = (citation.path, citation.title, citation.format)
            _paint_name(painter, QRect(area), place, named, where, note)
        y = area.top() + area.height() + 3
        for line in self._quote(citation, place.width()):
            shown = QRect(area.left(), y, area.width(), _line(metrics))
            draw_text(painter, shown, line, _quote_font(), colors.muted, within=place)
            y += _line(metrics)

    def _paint_uncited(self, painter: QPainter, place: QRect, source: Source, note: str, colors: Colors) -> None:
        area = QRect(place.left() + _left(), place.top() + _PAD // 2, place.width() - _left() - _PAD, 0)
        where = formatting.place(source.page, source.first_line, source.last_line, source.section)
        _paint_name(painter, QRect(area), place, (source.path, source.title, ""), where, note)
        preview = QRect(area.left(), area.top() + QFontMetrics(_name_font()).height() + 2, area.width(), 0)
        preview.setHeight(_line(QFontMetrics(_quote_font())))
        draw_text(painter, preview, shown_preview(source), _quote_font(), colors.muted, within=place)

    def _paint_badge(self, painter: QPainter, row: QRect, citation: Citation, colors: Colors) -> None:
        badge = _badge()
        area = QRectF(mirrored(QRect(row.left() + _PAD, row.top() + _PAD - 1, badge, badge), row))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.accent_soft))
        painter.drawRoundedRect(area, badge / 2, badge / 2)
        painter.setPen(QColor(colors.link))
        painter.setFont(text_font(-1 if citation.number < 100 else -2, QFont.Weight.DemiBold))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, str(citation.number))

    def _paint_mark(self, painter: QPainter, row: QRect, grade: Grade, colors: Colors) -> None:
        if grade == "verbatim":
            return  # a true quotation proves nothing about the statement
        shades: dict[Grade, tuple[str, str]] = {
            "paraphrase": (colors.link, colors.accent_soft),
            "misattributed": (colors.warning, colors.warning_soft),
            "silent": (colors.warning, colors.warning_soft),
        }
        foreground, background = shades.get(grade, (colors.danger, colors.danger_soft))
        size = _badge() - 4
        area = QRectF(mirrored(QRect(row.right() - _PAD - size + 1, row.top() + _PAD + 1, size, size), row))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(background))
        painter.drawEllipse(area)
        painter.setPen(QColor(foreground))
        painter.setFont(text_font(-0.5, QFont.Weight.Bold))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, MARKS[grade])


def _paint_name(painter: QPainter, area: QRect, row: QRect, named: tuple[str, str, str], place: str, note: str) -> None:
    """Paint type and name of a document (its path, title and format), then a place in it and a note."""
    colors, font, quiet = current_colors(), _name_font(), _quote_font()
    metrics, quiet_metrics = QFontMetrics(font), QFontMetrics(quiet)
    area.setHeight(metrics.height())
    left = area.left()
    path, title, kind = named
    if shown := _kind(path, kind):
        left += _paint_kind(painter, left, area, row, shown) + 7
    name = one_line(formatting.document_name(path, title))
    place = one_line(formatting.document_place(path, title, place))
    place_width = min(quiet_metrics.horizontalAdvance(place) + 2, area.width() // 2)
    available = area.right() - left - place_width - 10
    name_width = min(metrics.horizontalAdvance(name) + 2, available)
    name_area = QRect(left, area.top(), name_width, area.height())
    draw_text(painter, name_area, name, font, colors.text, elide=Qt.TextElideMode.ElideMiddle, within=row)
    place_area = QRect(left + name_width + 8, area.top(), place_width, area.height())
    draw_text(painter, place_area, place, quiet, colors.faint, within=row)
    note_area = QRect(place_area.right() + 8, area.top(), area.right() - place_area.right() - 8, area.height())
    if note and note_area.width() > _NARROWEST_NOTE:
        color = colors.muted if note == exact_sentence(ON_SERVER) else colors.warning
        draw_text(painter, note_area, note, quiet, color, within=row)


def _paint_fold(painter: QPainter, row: QRect, text: str, *, is_open: bool) -> None:
    """Paint a line that folds the rows below it."""
    colors = current_colors()
    arrow = mirrored(QRect(row.left() + _PAD, row.top(), _badge(), row.height()), row)
    closed = "chevron-left" if QGuiApplication.isRightToLeft() else "chevron-right"
    icons.draw(painter, arrow, "chevron-down" if is_open else closed, colors.muted, 14)
    draw_text(painter, row.adjusted(_left(), 0, -_PAD, 0), text, _quote_font(), colors.muted, within=row)


def _paint_kind(painter: QPainter, left: int, line: QRect, row: QRect, kind: str) -> int:
    """Paint the label with the file type; return its width in pixels."""
    colors, font = current_colors(), text_font(-2.5, QFont.Weight.DemiBold)
    metrics = QFontMetrics(font)
    width = metrics.horizontalAdvance(kind) + 10
    top = line.top() + (line.height() - metrics.height() - 1) / 2
    area = QRectF(mirrored(QRect(left, 0, width, 1), row).left(), top, width, metrics.height() + 1)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colors.pressed if colors.dark else colors.hover))
    painter.drawRoundedRect(area, 3.5, 3.5)
    painter.setPen(QColor(colors.muted))
    painter.setFont(font)
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, kind)
    return round(width)


def _kind(path: str, kind: str) -> str:
    suffix = PurePath(path).suffix.removeprefix(".") or kind
    return suffix.upper() if suffix.isalnum() and len(suffix) <= 5 else ""


def _badge() -> int:
    """Return the diameter of the circle of a number, which grows with the font."""
    return max(_LEAST_BADGE, QFontMetrics(_quote_font()).height() + 2)


def _left() -> int:
    return _PAD + _badge() + 11


def _name_font() -> QFont:
    return text_font(0, QFont.Weight.DemiBold)


def _quote_font() -> QFont:
    return text_font(-1)


def _line(metrics: QFontMetrics) -> int:
    return round(metrics.height() * 1.12)


# The sums of an answer's computed figures, under the answer: each operand is a link that opens its line.

_SUMS = 6  # shown
_LONGEST = 200  # characters of a sum


class OperandLink(Chip):
    """A number of a sum that opens its line."""

    def __init__(self, text: str, citation: Citation, parent: QWidget | None = None) -> None:
        super().__init__(text, f"[{citation.number}]", parent=parent)
        self.citation = citation
        self.setFont(text_font(-1))
        place = formatting.place(citation.page, citation.first_line, citation.last_line, citation.section)
        name = one_line(formatting.document_name(citation.path, citation.title))
        self.setAccessibleName(f"{text}: {name}, {place}")
        self.setToolTip(tool_tip(formatting.citation_tip(citation)))


class ComputedSums(QWidget):
    """One row for each computed figure."""

    operand_clicked = Signal(object)  # the Citation whose line writes the operand

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(2)
        self.hide()

    @property
    def operands(self) -> tuple[OperandLink, ...]:
        """Return the links, in the order of the sums."""
        return tuple(self.findChildren(OperandLink))

    def show_sums(self, claims: Sequence[Claim], citations: Sequence[Citation]) -> None:
        """Show the sums of the claims that nothing speaks against; hidden without any."""
        while row := self._rows.takeAt(0):
            if widget := row.widget():
                widget.setParent(None)
                widget.deleteLater()
        by_number = {citation.number: citation for citation in citations}
        computed = {c.computed: c for c in claims if c.mark in ("computed", "read") and c.computed}
        for claim in list(computed.values())[:_SUMS]:
            line = FlowRow(self)
            parts = ((self.tr("Computed here:"), None), *_parts(claim, by_number))
            line.set_items([self._part(text, citation) for text, citation in parts])
            self._rows.addWidget(line)
        self.setVisible(bool(computed))

    def _part(self, text: str, citation: Citation | None) -> QWidget:
        if citation is None:
            label = PlainLabel(text, "caption", self)
            label.setWordWrap(False)
            return label
        link = OperandLink(text, citation, self)
        link.clicked.connect(self._on_clicked)
        return link

    @Slot()
    def _on_clicked(self) -> None:
        link = self.sender()
        if isinstance(link, OperandLink):
            self.operand_clicked.emit(link.citation)


def _parts(claim: Claim, citations: Mapping[int, Citation]) -> Iterator[tuple[str, Citation | None]]:
    """Yield the pieces of a sum; an operand comes with the citation whose lines write it."""
    places = {operand.text: citations[operand.citation] for operand in claim.operands if operand.citation in citations}
    computed = shorten(one_line(claim.computed), _LONGEST)
    if not places:
        yield computed, None
        return
    operand = "|".join(map(re.escape, sorted(places, key=len, reverse=True)))
    written = re.compile(rf"(?<![\w.,])({operand})(?![\d]|[.,]\d)")
    for piece in written.split(computed):
        if piece.strip():
            yield piece.strip(), places.get(piece)


_FIRST = 5  # sources shown at first


class SourcesView(QListView):
    """The list, as high as its rows."""

    def __init__(self, model: SourcesModel, requests: ViewerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self._sources = model
        set_role(self, "bare")
        self.setModel(model)
        self.setItemDelegate(SourceDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setUniformItemSizes(False)
        self.setSpacing(0)
        self.setTabKeyNavigation(False)
        self.setDragEnabled(True)
        self.setDragDropMode(QListView.DragDropMode.DragOnly)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Sources of this answer"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu_requested)
        self.clicked.connect(self._on_clicked)
        model.modelReset.connect(self.fit_height)
        self.fit_height()

    @Slot()
    def fit_height(self) -> None:
        """Set the height to that of all rows."""
        rows = self._sources.rowCount()
        height = sum(self.sizeHintForRow(row) for row in range(rows))
        self.setFixedHeight(height)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._open(index)

    def _open(self, index: QModelIndex) -> None:
        match self._sources.row(index):
            case CitationRow(citation):
                self._requests.citation_requested.emit(citation, self._sources.citations)
            case CitedFileRow(file):
                self._requests.citation_requested.emit(file.citations[0], self._sources.citations)
            case UncitedRow(file):
                self._requests.target_requested.emit(target_of_source(file.source))
            case SourceGroupRow(kind):
                self._sources.toggle(kind)
                self.setCurrentIndex(self._sources.place_of(kind))

    def _show_card(self, index: QModelIndex, citation: Citation) -> None:
        rect = self.visualRect(index)
        place = QRect(self.viewport().mapToGlobal(rect.topLeft()), rect.size())
        checked, note = self._sources.checked(citation), self._sources.note(citation)
        refused = index.data(GRADE_ROLE) in REFUSED
        request = CardRequest(
            citation, checked, note, place, by_key=True, refused=refused, answer=self._sources.citations
        )
        self._requests.card_requested.emit(request)

    @Slot(QPoint)
    def _on_menu_requested(self, position: QPoint) -> None:
        index = self.indexAt(position)
        row = self._sources.row(index) if index.isValid() else None
        if row is None or isinstance(row, SourceGroupRow):
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if isinstance(row, CitationRow):
            show = partial(self._show_card, QModelIndex(index), row.citation)
            add_citation_actions(menu, row.citation, self._sources.citations, self._requests, show)
        else:
            menu.addAction(self.tr("Open the source")).triggered.connect(partial(self._open, QModelIndex(index)))
            source = row.file.citations[0] if isinstance(row, CitedFileRow) else row.file.source
            add_file_actions(menu, source.path, self._requests)
            if isinstance(row, CitedFileRow):
                menu.addSeparator()
                add_bibliography_actions(menu, row.file.citations[0], self._requests)
        menu.popup(self.viewport().mapToGlobal(position))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the current row on Enter, show its card on Space; leave paging to the conversation."""
        index = self.currentIndex()
        row = self._sources.row(index) if index.isValid() else None
        if event.key() == Qt.Key.Key_Space and isinstance(row, CitationRow):
            self._show_card(index, row.citation)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and row is not None:
            self._open(index)
        elif event.key() == Qt.Key.Key_Escape:
            self._requests.card_dismissed.emit()
            event.ignore()
        elif event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Close the card of another row."""
        super().currentChanged(current, previous)
        self._requests.card_dismissed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Close the card that the keyboard has opened."""
        super().focusOutEvent(event)
        self._requests.card_dismissed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update the row heights for the new width."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.scheduleDelayedItemsLayout()
            self.fit_height()

    def changeEvent(self, event: QEvent) -> None:
        """Update the height for a new font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.fit_height()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave scrolling to the conversation."""
        event.ignore()


class SourcesList(QWidget):
    """The list under a header that counts statements by their mark, and the sums of computed figures."""

    def __init__(self, requests: ViewerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._header = PlainLabel("", "section")
        self._model = SourcesModel(self)
        self.view = SourcesView(self._model, requests, self)
        self.sums = ComputedSums(self)
        self.sums.operand_clicked.connect(
            lambda citation: requests.citation_requested.emit(citation, self._model.citations)
        )
        self.more = QPushButton()
        set_role(self.more, "link")
        self.more.setCursor(Qt.CursorShape.PointingHandCursor)
        self.more.clicked.connect(self._on_more_clicked)
        in_column(self._header, self.sums, self.view, (self.more, LEFT), on=self, spacing=6)
        self.hide()

    def show_source_notes(self, notes: SourceNotes) -> None:
        """Show notes on cited files that have changed."""
        self._model.set_notes(notes)

    def show_citations(
        self,
        citations: Sequence[Citation],
        claims: Sequence[Claim] = (),
        uncited: UncitedFiles | None = None,
        *,
        comparing: bool = False,
        quoting: bool = False,
    ) -> None:
        """List `citations` and the `uncited` documents, and count the `claims` by mark; hidden without any.

        While the model is `comparing` them with the cited lines, the header says so; an answer that is `quoting` has
        passages, not statements.
        """
        shown = len(citations) if len(citations) <= _FIRST + 1 else _FIRST
        self._model.set_citations(citations, shown, claims, uncited)
        self.sums.show_sums(claims, citations)
        counted = formatting.claims(claims)
        if comparing:
            counted = self.tr("Comparing with the cited lines…")
        elif quoting and claims and all(claim.mark == "quoted" for claim in claims):
            counted = formatting.counted(self.tr("%Ln passage(s) quoted", "", len(claims)), len(claims))
        self._header.setText(" · ".join(filter(None, (counted, self._count(citations, claims)))))
        hidden = len(citations) - shown
        self.more.setText(formatting.counted(self.tr("Show %Ln more source(s)", "", hidden), hidden))
        self.more.setVisible(shown < len(citations))
        self.view.setVisible(self._model.rowCount() > 0)
        self._header.setVisible(bool(self._header.text()))
        self.setVisible(bool(citations or claims or self._model.rowCount()))

    def _count(self, citations: Sequence[Citation], claims: Sequence[Claim]) -> str:
        total = len({citation.content for citation in citations})  # passages of one document are one source
        if not total:
            return ""
        if claims:
            return formatting.counted(self.tr("%Ln document(s)", "", total), total)
        return formatting.counted(self.tr("%Ln source(s)", "", total), total)

    @Slot()
    def _on_more_clicked(self) -> None:
        first = self._model.show_all()
        self.more.hide()
        self.view.setFocus()
        self.view.setCurrentIndex(first)
