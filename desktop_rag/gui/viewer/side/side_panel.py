"""The side panel of a document: outline, guide, thumbnails, matches, bookmarks and notes."""

import re
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionButton,
    QStyleOptionViewItem,
    QStylePainter,
    QWidget,
)

from desktop_rag.documents.document import LineKind, OutlineEntry, page_of
from desktop_rag.gui import formatting
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, set_margins, set_role, text_font
from desktop_rag.gui.widgets.layouts import in_column
from desktop_rag.gui.widgets.painted_button import draw_ground, draw_text, mirrored
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.gui.widgets.text_offsets import format_range, from_qt
from desktop_rag.index.records import ContentId, DocumentLayout
from desktop_rag.retrieval.api import DocumentGuide, Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line


class SidePage(Enum):
    """A page of the side panel; the value names its icon."""

    OUTLINE = "list"
    GUIDE = "info"
    PAGES = "grid"
    FOUND = "search"
    NOTES = "bookmark"


def _name(page: SidePage) -> str:
    words = {
        SidePage.OUTLINE: _tr("Outline"),
        SidePage.GUIDE: _tr("Guide"),
        SidePage.PAGES: _tr("Pages"),
        SidePage.FOUND: _tr("Matches"),
        SidePage.NOTES: _tr("Bookmarks and notes"),
    }
    return words[page]


def _tr(text: str) -> str:
    return QCoreApplication.translate("SidePanel", text)


class SidePanel(QWidget):
    """Shows one page at a time; an empty page shows a hint."""

    page_chosen = Signal(SidePage)
    closed = Signal()  # the user closed the panel

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buttons: dict[SidePage, icons.IconButton] = {}
        self._places: dict[SidePage, tuple[QStackedWidget, PlainLabel]] = {}
        self._group = QButtonGroup(self)
        self._stack = QStackedWidget(self)
        self._row = QHBoxLayout()
        set_margins(self._row, GRID, 4, 4, 4)
        self._row.setSpacing(2)
        for page in SidePage:
            self._add_button(page)
        self._row.addStretch(1)
        close = icons.IconButton("close", self.tr("Hide the side panel"), self, size=14)
        self._row.addWidget(close)
        in_column(self._row, (self._stack, 1), on=self, spacing=0)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        set_role(self, "sidebar")
        close.clicked.connect(self.closed)
        self._group.buttonClicked.connect(self._on_button_clicked)

    def add(self, page: SidePage, widget: QWidget, nothing: str) -> None:
        """Set the widget of a page; `nothing` is the hint while it is empty."""
        place = QStackedWidget(self)
        label = PlainLabel(nothing, "muted", place)
        label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        label.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, GRID)
        place.addWidget(label)
        place.addWidget(widget)
        self._stack.addWidget(place)
        self._places[page] = (place, label)

    def fill(self, page: SidePage, *, filled: bool) -> None:
        """Show the widget of a page, or its hint if it is empty."""
        place, _ = self._places[page]
        place.setCurrentIndex(1 if filled else 0)

    def offer(self, page: SidePage, *, offered: bool) -> None:
        """Show or hide the button of a page: texts have no thumbnails."""
        self._buttons[page].setVisible(offered)
        if not offered and self.page() is page:
            self.choose(SidePage.OUTLINE)

    def choose(self, page: SidePage) -> None:
        """Show a page."""
        self._buttons[page].setChecked(True)
        self._stack.setCurrentWidget(self._places[page][0])

    def page(self) -> SidePage:
        """Return the page that is shown."""
        return next(page for page, (place, _) in self._places.items() if place is self._stack.currentWidget())

    def _add_button(self, page: SidePage) -> None:
        button = icons.IconButton(page.value, _name(page), self)
        button.setCheckable(True)
        self._buttons[page] = button
        self._group.addButton(button)
        self._row.addWidget(button)

    @Slot()
    def _on_button_clicked(self) -> None:
        chosen = next(page for page, button in self._buttons.items() if button.isChecked())
        self.choose(chosen)
        self.page_chosen.emit(chosen)


# Rows of the side panel's lists: text, location, and optionally a note.

ROW_ROLE = Qt.ItemDataRole.UserRole.value + 1
_SIDE, _PAD, _STEP = 10, 6, 14
_DEEPEST = 6  # maximum indentation steps

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class SideRow:
    """The content of a row; `mark` is the emphasised range of the text, `strong` emphasises all of it."""

    text: str
    place: str = ""
    indent: int = 0
    mark: tuple[int, int] = (0, 0)
    note: str = ""
    strong: bool = False


class RowsModel(QAbstractListModel):
    """A list model whose rows are replaced all at once."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[SideRow, ...] = ()

    def set_rows(self, rows: Sequence[SideRow]) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of rows."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the row, or its text for screen readers."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return ", ".join(filter(None, (row.text, row.note, row.place)))
        return None


class RowDelegate(QStyledItemDelegate):
    """Draws rows of up to `lines` lines of text, with the location at the end of a single line, else above."""

    def __init__(self, lines: int, parent: QAbstractItemView) -> None:
        super().__init__(parent)
        self._lines = lines
        self._view = parent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of the text at the width of the list."""
        row = index.data(ROW_ROLE)
        width = self._view.viewport().width()
        if not isinstance(row, SideRow):
            return QSize(width, 0)
        if self._lines == 1:
            return QSize(width, QFontMetrics(text_font()).height() + 2 * _PAD)
        room = width - 2 * _SIDE
        height = QFontMetrics(text_font(-1)).height() + 2 * _PAD + 2
        height += _height(_laid_out(row.text, _words_font(row), room, self._lines))
        if row.note:
            height += _height(_laid_out(row.note, text_font(-0.5), room - _SIDE, 3)) + 4
        return QSize(width, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the row."""
        row = index.data(ROW_ROLE)
        if not isinstance(row, SideRow):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        state = option.state
        draw_ground(
            painter,
            QRect(option.rect).adjusted(4, 1, -4, -1),
            hovered=bool(state & QStyle.StateFlag.State_MouseOver),
            selected=bool(state & QStyle.StateFlag.State_Selected),
            focused=bool(state & QStyle.StateFlag.State_HasFocus),
        )
        inside = QRect(option.rect).adjusted(_SIDE, _PAD, -_SIDE, -_PAD)
        if self._lines == 1:
            self._paint_line(painter, inside, row)
        else:
            self._paint_block(painter, inside, row)
        painter.restore()

    def _paint_line(self, painter: QPainter, area: QRect, row: SideRow) -> None:
        colors, quiet = current_colors(), text_font(-1)
        taken = QFontMetrics(quiet).horizontalAdvance(row.place) + 8 if row.place else 0
        words = area.adjusted(_STEP * min(row.indent, _DEEPEST), 0, -taken, 0)
        draw_text(painter, words, row.text, _words_font(row), colors.text, within=area)
        place = area.adjusted(area.width() - taken, 0, 0, 0)
        draw_text(painter, place, row.place, quiet, colors.faint, align=_END, within=area)

    def _paint_block(self, painter: QPainter, area: QRect, row: SideRow) -> None:
        colors, quiet = current_colors(), text_font(-1)
        caption = QRect(area.left(), area.top(), area.width(), QFontMetrics(quiet).height())
        draw_text(painter, caption, row.place, quiet, colors.faint, elide=Qt.TextElideMode.ElideMiddle)
        top = caption.bottom() + 2
        layout = _laid_out(row.text, _words_font(row), area.width(), self._lines, row.mark)
        painter.setPen(QColor(colors.text if not row.note else colors.muted))
        layout.draw(painter, QPointF(area.left(), top))
        if row.note:
            top += _height(layout) + 4
            note = _laid_out(row.note, text_font(-0.5), area.width() - _SIDE, 3)
            line = mirrored(QRect(area.left(), top, 2, _height(note)), area)
            painter.fillRect(line, QColor(colors.accent))
            painter.setPen(QColor(colors.text))
            left = mirrored(area.adjusted(_SIDE, 0, 0, 0), area).left()
            note.draw(painter, QPointF(left, top))


_END = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def _words_font(row: SideRow) -> QFont:
    return text_font(0, QFont.Weight.DemiBold if row.strong else QFont.Weight.Normal)


def _laid_out(text: str, font: QFont, width: int, most: int, mark: tuple[int, int] = (0, 0)) -> QTextLayout:
    """Lay out text in at most `most` lines of `width` pixels, the last one elided."""
    layout = _broken(text, font, width, most, mark)
    last = layout.lineAt(layout.lineCount() - 1) if layout.lineCount() else None
    if last is not None and from_qt(text, last.textStart() + last.textLength()) < len(text):
        start = from_qt(text, last.textStart())
        tail = QFontMetrics(font).elidedText(text[start:], Qt.TextElideMode.ElideRight, width - 4)
        layout = _broken(text[:start] + tail, font, width, most, mark)
    return layout


def _broken(text: str, font: QFont, width: int, most: int, mark: tuple[int, int]) -> QTextLayout:
    layout = QTextLayout(text, font)
    layout.setTextOption(QTextOption())
    if mark[1] > mark[0]:
        layout.setFormats([format_range(text, *mark, _standing_out())])
    layout.beginLayout()
    y = 0.0
    while layout.lineCount() < most and (line := layout.createLine()).isValid():
        line.setLineWidth(max(40, width))
        line.setPosition(QPointF(0, y))
        y += line.height()
    layout.endLayout()
    return layout


def _standing_out() -> QTextCharFormat:
    colors = current_colors()
    shown = QTextCharFormat()
    shown.setFontWeight(QFont.Weight.DemiBold)
    shown.setBackground(QColor(colors.mark))
    shown.setForeground(QColor(colors.text))
    return shown


def _height(layout: QTextLayout) -> int:
    return round(sum(layout.lineAt(number).height() for number in range(layout.lineCount())))


# The outline of a document: the one stored in its file, or else its headings.

MAX_ENTRIES = 5_000

_HEADING = re.compile(b"[" + b"".join(rb"\x%02x" % (level << 4 | LineKind.HEADING) for level in range(16)) + b"]")
_AT_ONCE = 400  # lines
_NEAR = 40  # headings with fewer lines between them are read together
_MARKUP = "#=*\t "


@dataclass(frozen=True, slots=True)
class OutlineRead:
    """The entries in document order."""

    content: ContentId
    entries: tuple[OutlineEntry, ...]


def read_outline(
    content: ContentId, layout: DocumentLayout, retriever: Retriever, stop: Stop
) -> Generator[OutlineRead]:
    """Yield the outline; headings are read in small groups, as a document may have thousands."""
    entries = tuple(sorted(layout.structure.outline, key=lambda entry: entry.line))
    yield OutlineRead(content, entries[:MAX_ENTRIES] or tuple(_headings(content, layout, retriever, stop)))


def _headings(content: ContentId, layout: DocumentLayout, retriever: Retriever, stop: Stop) -> Iterator[OutlineEntry]:
    found = [match.start() + 1 for match in _HEADING.finditer(layout.kinds)][:MAX_ENTRIES]
    for group in _groups(found):
        stop.check()
        lines = retriever.read_lines(content, group[0], group[-1] - group[0] + 1, stop).lines
        for line in group:
            title = " ".join(lines[line - group[0]].strip(_MARKUP).split()) if line - group[0] < len(lines) else ""
            if title:
                yield OutlineEntry(line, layout.kinds[line - 1] >> 4, title)


def _groups(lines: Sequence[int]) -> Iterator[list[int]]:
    group: list[int] = []
    for line in lines:
        if group and (line - group[-1] > _NEAR or line - group[0] >= _AT_ONCE):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


class OutlineList(PanelList):
    """The entries, indented by level; the current one is selected."""

    line_chosen = Signal(int)  # go to this line

    def __init__(self, parent: QWidget | None = None) -> None:
        self._rows = RowsModel()
        super().__init__(self._rows, self.tr("Outline"), parent)
        self._rows.setParent(self)
        self._lines: list[int] = []
        self.setItemDelegate(RowDelegate(1, self))
        self.setUniformItemSizes(True)
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)

    def show_entries(self, entries: Sequence[OutlineEntry], layout: DocumentLayout) -> None:
        """Show another outline."""
        self._lines = [entry.line for entry in entries]
        top = min((entry.level for entry in entries), default=0)
        self._rows.set_rows([_row(entry, top, layout) for entry in entries])

    def follow(self, line: int) -> None:
        """Select the entry whose section contains `line`."""
        index = bisect_right(self._lines, line) - 1
        if index == self.currentIndex().row() or self.hasFocus():
            return
        now = self._rows.index(index) if index >= 0 else QModelIndex()
        self.selectionModel().setCurrentIndex(now, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if now.isValid():
            self.scrollTo(now)

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        self.line_chosen.emit(self._lines[index.row()])


def _row(entry: OutlineEntry, top: int, layout: DocumentLayout) -> SideRow:
    page = page_of(layout.pages, entry.line)
    return SideRow(
        one_line(entry.title),
        formatting.number(page) if page is not None else "",
        indent=entry.level - top,
        strong=entry.level == top,
    )


# The guide of a document: its terms, names, dates and amounts with their lines, and the way to a summary.


@dataclass(frozen=True, slots=True)
class GuideRead:
    """The guide of a content."""

    content: ContentId
    guide: DocumentGuide


def read_guide(content: ContentId, retriever: Retriever, stop: Stop) -> Generator[GuideRead]:
    """Yield the guide of a document."""
    yield GuideRead(content, retriever.guide(content, stop))


class _ElidedButton(QPushButton):
    """A button whose text is shortened where there is no room for it."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self.setToolTip(formatting.tool_tip(text))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        """Return that any width will do."""
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the button with as much of its text as there is room for."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        room = self.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, self).width()
        option.text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        QStylePainter(self).drawControl(QStyle.ControlElement.CE_PushButton, option)


class GuideList(QWidget):
    """The entries under the names of their kinds; a click goes to the line."""

    line_chosen = Signal(int)  # go to this line
    summary_requested = Signal()  # have a model summarise the document

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = RowsModel(self)
        self._lines: list[int] = []
        self.list = PanelList(self._rows, self.tr("Guide"), self)
        self.list.setItemDelegate(RowDelegate(1, self.list))
        self.list.setUniformItemSizes(True)
        self.summary = _ElidedButton(self.tr("Summary and questions"), self)
        in_column(
            (self.list, 1),
            in_column(self.summary, spacing=None, margins=(GRID, 0, GRID, 0)),
            on=self,
            margins=(0, 0, 0, GRID),
        )
        self.list.clicked.connect(self._on_chosen)
        self.list.activated.connect(self._on_chosen)
        self.summary.clicked.connect(self.summary_requested)

    def show_guide(self, guide: DocumentGuide, layout: DocumentLayout) -> None:
        """Show another guide."""
        rows = list(_rows(guide, layout))
        self._lines = [line for _, line in rows]
        self._rows.set_rows([row for row, _ in rows])

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        if line := self._lines[index.row()]:
            self.line_chosen.emit(line)


def _rows(guide: DocumentGuide, layout: DocumentLayout) -> Iterator[tuple[SideRow, int]]:
    """Yield rows with their lines; 0 for the names of kinds and for notes."""
    names = {
        "term": _tr("Defined terms"),
        "name": _tr("Names"),
        "date": _tr("Dates"),
        "amount": _tr("Amounts"),
    }
    shown = ""
    for entry in guide.entries:
        if entry.kind != shown:
            shown = entry.kind
            yield SideRow(names[shown], strong=True), 0
        page = page_of(layout.pages, entry.line)
        where = formatting.number(page if page is not None else entry.line)
        often = f" × {formatting.number(entry.lines)}" if entry.lines > 1 else ""
        yield SideRow(one_line(entry.text), where + often, indent=1), entry.line
    if not guide.whole:
        yield SideRow(_tr("Only the beginning of this long document was looked at.")), 0
