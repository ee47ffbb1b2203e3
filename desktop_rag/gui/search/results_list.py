"""The list of hits: the current row is shown in the document pane, Enter opens it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QCursor,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rag.gui.search.results_model import (
    NEVER_SENT_ROLE,
    ROW_ROLE,
    DocumentRow,
    FileRow,
    FoldRow,
    FoundRow,
    HeadingRow,
    HitRow,
    Index,
    MoreRow,
    ResultsModel,
    Row,
    also_words,
    fold_words,
    never_sent_words,
    quotation,
)
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.icons import icon_of
from desktop_rag.gui.theme.theme import GRID, current_colors, mono_font, row_height, scaled, text_font
from desktop_rag.gui.theme.theme_colors import Colors
from desktop_rag.gui.widgets.painted_button import draw_ground, draw_text, line_height, mirrored
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.gui.widgets.text_offsets import format_range, from_qt
from desktop_rag.retrieval.api import Hit, NamedFile
from desktop_rag.text.desktop_links import link_to

# Paints a found document and its passages, with the matches highlighted.

_ICON, _FOLD_ICON = 18, 12
_LINES, _LINES_OF_CODE = 2, 5  # maximum lines of a snippet
_BEFORE = 30  # characters shown before the first highlighted word of a snippet that would be cut off before it
_MOST_COUNTED = 2_000  # snippets whose number of lines is remembered
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ResultsDelegate(QStyledItemDelegate):
    """Paints two kinds of rows; the height of a passage follows its snippet."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._line_counts: dict[tuple[object, ...], int] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row at the view's width."""
        row = index.data(ROW_ROLE)
        view = self.parent()
        width = view.viewport().width() if isinstance(view, QAbstractItemView) else option.rect.width()
        if isinstance(row, DocumentRow | FileRow):
            return QSize(width, row_height(line_height(_name_font()) + line_height(_small_font()) + 2 * GRID + 2))
        if isinstance(row, HitRow):
            lines = self._lines(row, _room(width))
            return QSize(width, line_height(_small_font()) + lines * _line_height() + GRID + 4)
        if isinstance(row, FoldRow):
            return QSize(width, row_height(line_height(_small_font()) + GRID))
        above = GRID if isinstance(row, HeadingRow) else 0
        return QSize(width, row_height(line_height(text_font()) + 2 * GRID + above))

    def _lines(self, row: HitRow, room: int) -> int:
        """Return how many lines of a snippet are shown; the same hits come again with the next letter of a query."""
        key = (row.snippet, row.marks, row.code, room, _snippet_font(row).key())
        if key not in self._line_counts:
            if len(self._line_counts) >= _MOST_COUNTED:
                self._line_counts.clear()
            self._line_counts[key] = max(1, min(_most(row), _layout(row, room).lineCount()))
        return self._line_counts[key]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        row = index.data(ROW_ROLE)
        colors = current_colors()
        if isinstance(row, HeadingRow):
            _paint_heading(painter, option.rect.adjusted(GRID, GRID, -GRID, 0), row, colors)
            return
        frame = QRect(option.rect).adjusted(GRID // 2, 1, -GRID // 2, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_ground(
            painter,
            frame,
            hovered=bool(option.state & QStyle.StateFlag.State_MouseOver),
            selected=bool(option.state & QStyle.StateFlag.State_Selected),
            focused=bool(option.state & QStyle.StateFlag.State_HasFocus),
        )
        inner = frame.adjusted(GRID // 2, GRID // 2, -GRID, -GRID // 2)
        never = bool(index.data(NEVER_SENT_ROLE))
        if never:
            colors = replace(colors, text=colors.muted)
        if isinstance(row, DocumentRow):
            _paint_document(painter, inner, row, colors, never_sent_words() if never else "")
        elif isinstance(row, HitRow):
            _paint_hit(painter, inner, row, colors, _room(option.rect.width()))
        elif isinstance(row, FoldRow):
            _paint_fold(painter, inner, row, colors)
        elif isinstance(row, FileRow):
            _paint_file(painter, inner, row, colors, never_sent_words() if never else "")
        elif isinstance(row, MoreRow):
            text = str(index.data(Qt.ItemDataRole.DisplayRole))
            area = inner.adjusted(scaled(_ICON) + GRID, 0, 0, 0)
            draw_text(painter, area, text, text_font(), colors.link, within=inner)
        painter.restore()


def _paint_heading(painter: QPainter, inner: QRect, row: HeadingRow, colors: Colors) -> None:
    painter.setPen(QColor(colors.outline))
    painter.drawLine(inner.topLeft(), inner.topRight())
    draw_text(painter, inner, row.text, text_font(-1, QFont.Weight.DemiBold), colors.muted)


def _paint_document(painter: QPainter, inner: QRect, row: DocumentRow, colors: Colors, note: str) -> None:
    name_height, small = line_height(_name_font()), line_height(_small_font())
    top = inner.top() + (inner.height() - name_height - small - 2) // 2
    left = _paint_icon(painter, inner, top, icon_of(row.hit.format), colors)
    date_width = QFontMetrics(_small_font()).horizontalAdvance(row.date) + GRID
    name = QRect(left, top, inner.right() - left - date_width, name_height)
    elide = Qt.TextElideMode.ElideRight if row.title else Qt.TextElideMode.ElideMiddle
    draw_text(painter, name, row.title or row.name, _name_font(), colors.text, elide=elide, within=inner)
    date = QRect(inner.right() - date_width, top, date_width, name_height)
    draw_text(painter, date, row.date, _small_font(), colors.muted, align=_RIGHT, within=inner)
    below = QRect(left, top + name_height + 2, inner.right() - left, small)
    if also := "  ·  ".join(filter(None, (also_words(row.also), note))):
        draw_text(painter, below, also, _small_font(), colors.muted, align=_RIGHT, within=inner)
        below.setRight(below.right() - QFontMetrics(_small_font()).horizontalAdvance(also) - 2 * GRID)
    middle = Qt.TextElideMode.ElideMiddle
    draw_text(painter, below, below_heading(row), _small_font(), colors.muted, elide=middle, within=inner)


def below_heading(row: DocumentRow) -> str:
    """Return the folder of a document, after its file name if the heading is its title."""
    return f"{row.name}  ·  {row.folder}" if row.title else row.folder


def _paint_icon(painter: QPainter, inner: QRect, top: int, name: str, colors: Colors) -> int:
    """Paint the icon of a document beside its name; return the left edge of the name."""
    area = QRect(inner.left(), top, scaled(_ICON), line_height(_name_font()))
    icons.draw(painter, mirrored(area, inner), name, colors.muted, _ICON)
    return area.right() + 1 + GRID


def _paint_file(painter: QPainter, inner: QRect, row: FileRow, colors: Colors, note: str) -> None:
    name_height, small = line_height(_name_font()), line_height(_small_font())
    top = inner.top() + (inner.height() - name_height - small - 2) // 2
    left = _paint_icon(painter, inner, top, "file", colors)
    label = "  ·  ".join(filter(None, (QCoreApplication.translate("ResultsModel", "no text"), note)))
    advance = QFontMetrics(_small_font()).horizontalAdvance
    right = max(advance(row.date), advance(label)) + GRID
    upper = QRect(left, top, inner.right() - left, name_height)
    lower = QRect(left, top + name_height + 2, inner.right() - left, small)
    for area, text, font, color, aside in (
        (upper, row.name, _name_font(), colors.text, row.date),
        (lower, row.folder, _small_font(), colors.muted, label),
    ):
        draw_text(painter, area, aside, _small_font(), colors.muted, align=_RIGHT, within=inner)
        area.setRight(area.right() - right)
        draw_text(painter, area, text, font, color, elide=Qt.TextElideMode.ElideMiddle, within=inner)


def _paint_hit(painter: QPainter, inner: QRect, row: HitRow, colors: Colors, room: int) -> None:
    left = inner.left() + scaled(_ICON) + GRID
    small = line_height(_small_font())
    place = QRect(left, inner.top(), inner.right() - left, small)
    draw_text(painter, place, row.place, _small_font(), colors.faint, within=inner)
    layout = _layout(row, room, colors)
    left = mirrored(QRect(left, 0, room, 1), inner).left()
    painter.setPen(QColor(colors.text))
    for number in range(min(_most(row), layout.lineCount())):
        layout.lineAt(number).draw(painter, QPointF(left, inner.top() + small + 1))


def _paint_fold(painter: QPainter, inner: QRect, row: FoldRow, colors: Colors) -> None:
    area = inner.adjusted(scaled(_ICON) + GRID, 0, 0, 0)
    sign = QRect(area.left(), area.top(), scaled(_FOLD_ICON), area.height())
    icons.draw(painter, mirrored(sign, inner), "chevron-up" if row.open else "chevron-down", colors.link, _FOLD_ICON)
    area.setLeft(sign.right() + GRID // 2)
    draw_text(painter, area, fold_words(row), _small_font(), colors.link, within=inner)


def _layout(row: HitRow, room: int, colors: Colors | None = None) -> QTextLayout:
    """Return the snippet broken into lines of `room` pixels, highlighted and with an ellipsis if `colors` are given."""
    layout = _highlighted(row, row.snippet, room, colors)
    begun = _with_its_first_mark(row, layout)
    if begun is not row:
        row, layout = begun, _highlighted(begun, begun.snippet, room, colors)
    text = row.snippet
    while colors is not None and layout.lineCount() > _most(row):
        last = layout.lineAt(_most(row) - 1)
        cut = from_qt(text, last.textStart() + last.textLength())
        text = text[: max(0, cut - 1)].rstrip(" .,;:…") + "…"  # wider than what it replaces: it may take another round
        layout = _highlighted(row, text, room, colors)
    return layout


def _with_its_first_mark(row: HitRow, layout: QTextLayout) -> HitRow:
    """Begin a laid out snippet shortly before its first highlighted word where that would not be shown."""
    first, last = min(row.marks, default=(0, 0))
    if row.code or last <= _BEFORE or layout.lineCount() <= _most(row):
        return row
    line = layout.lineAt(_most(row) - 1)
    if last < from_qt(row.snippet, line.textStart() + line.textLength()):
        return row
    cut = row.snippet.rfind(" ", 0, first - _BEFORE) + 1
    marks = tuple((start - cut + 1, end - cut + 1) for start, end in row.marks)
    return replace(row, snippet="…" + row.snippet[cut:], marks=marks)


def _highlighted(row: HitRow, text: str, room: int, colors: Colors | None) -> QTextLayout:
    """Return the beginning of a snippet broken into lines, its highlights as wide as they are painted."""
    layout = QTextLayout(text, _snippet_font(row))
    look = QTextCharFormat()
    look.setFontWeight(QFont.Weight.DemiBold)
    if colors is not None:
        look.setBackground(QColor(colors.mark))
    layout.setFormats(
        [format_range(text, start, min(end, len(text)), look) for start, end in row.marks if start < len(text)]
    )
    return _broken(layout, room, _most(row))


def _broken(layout: QTextLayout, room: int, most: int) -> QTextLayout:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    y, height = 0.0, _line_height()
    while layout.lineCount() <= most:  # one line more than is shown reveals that there is more
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(room)
        line.setPosition(QPointF(0, y))
        y += height
    layout.endLayout()
    return layout


def _room(width: int) -> int:
    return max(80, width - scaled(_ICON) - 5 * GRID)


def _line_height() -> int:
    return QFontMetrics(text_font()).height() + 1


def _most(row: HitRow) -> int:
    return _LINES_OF_CODE if row.code else _LINES


def _snippet_font(row: HitRow) -> QFont:
    return mono_font(-0.5) if row.code else text_font()


def _name_font() -> QFont:
    return text_font(0, QFont.Weight.DemiBold)


def _small_font() -> QFont:
    return text_font(-1)


_HELD = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ControlModifier
_PREVIEW_MS = 140  # debounce in milliseconds: rows passed faster are not opened


@dataclass(frozen=True, slots=True)
class _Anchor:
    """A row that keeps its position on the screen while the list around it changes."""

    row: Row
    top: int


class ResultsList(PanelList):
    """Hits grouped by document."""

    looked_at = Signal(object)  # the current Hit: show it in the document pane
    opened = Signal(object)  # the Hit to open
    file_opened = Signal(Path)  # a file to open with its own program
    folder_opened = Signal(Path)  # a file to show in the file manager
    related_requested = Signal(object)  # the Hit whose related passages to show
    why_requested = Signal(object)  # the Hit to explain
    more_requested = Signal()  # load more hits
    rest_requested = Signal(object)  # find all passages of the document with this ContentId
    left_upwards = Signal()  # the cursor left the list at its top
    dismissed = Signal()  # Escape

    def __init__(self, parent: QWidget | None = None) -> None:
        self.results = ResultsModel()
        super().__init__(self.results, self.tr("Found passages"), parent)
        self.results.setParent(self)
        self.results.rest_requested.connect(self.rest_requested)
        self.setItemDelegate(ResultsDelegate(self))
        self.setTabKeyNavigation(False)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setUniformItemSizes(False)
        self._preview = QTimer(self, interval=_PREVIEW_MS, singleShot=True)
        self._preview.timeout.connect(self._on_preview)
        self._pressing = False  # inside a press or a drag of the mouse: only its click shows anything
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        self.clicked.connect(self._on_clicked)
        self.doubleClicked.connect(self._on_opened)
        self._add_commands()

    def _add_commands(self) -> None:
        open_ = self.add_command(self.tr("Open"), "Return", self._on_open)
        related = self.add_command(self.tr("Related passages"), "Ctrl+R", self._on_related)
        why = self.add_command(self.tr("Why is this found?"), "Ctrl+I", self._on_why)
        unfold = self.add_command(self.tr("Show all passages of the document"), "Right", self.unfold)
        fold = self.add_command(self.tr("Show its best passages only"), "Left", self.fold)
        copy = self.add_command(self.tr("Copy quote with reference"), "Ctrl+C", self.copy_reference)
        copy_path = self.add_command(self.tr("Copy path"), "Shift+Alt+C", self.copy_path)
        copy_link = self.add_command(self.tr("Copy link"), "Ctrl+U", self.copy_link)
        outside = self.add_command(self.tr("Open in default application"), "Alt+Return", self._on_open_outside)
        folder = self.add_command(self.tr("Show in folder"), "Ctrl+Shift+Return", self._on_show_in_folder)
        self.set_menu(
            (open_, related, why, None, unfold, fold, None, outside, folder, None, copy, copy_link, copy_path)
        )

    def show_hits(
        self,
        hits: Sequence[Hit],
        similar: Sequence[Hit] = (),
        named: Sequence[NamedFile] = (),
        *,
        more: bool = False,
        stay: bool = False,
        per_document: int = 0,
    ) -> None:
        """Show hits, similar ones and files; with `stay` the current row stays current and keeps its position."""
        current, anchor, waits = self._current_row(), self._anchor() if stay else None, self._preview.isActive()
        self.results.show_hits(hits, similar, named, more=more, stay=stay, per_document=per_document)
        if not stay:
            self.scrollToTop()
            return
        place = self._place_of(current) if current is not None else -1
        if isinstance(current, MoreRow) and anchor is not None:
            place = self.results.place_of(anchor.row) + 1  # the "show more" row
            place += isinstance(self.results.row(self.results.index(place)), FoldRow)
        if place >= 0:
            self.setAutoScroll(False)
            self.setCurrentIndex(self.results.index(place))
            self.setAutoScroll(True)
            self._preview.start() if waits else self._preview.stop()  # else it is already shown
        if anchor is not None and (place := self.results.place_of(anchor.row)) >= 0:
            self.doItemsLayout()
            moved = self.visualRect(self.results.index(place)).top() - anchor.top
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() + moved)

    def _place_of(self, row: Row) -> int:
        """Return the new row of `row`, unfolding the document of a passage that is no longer among its best."""
        return self.results.reveal(row.hit) if isinstance(row, HitRow) else self.results.place_of(row)

    def current(self) -> FoundRow | None:
        """Return the current document or passage."""
        row = self._current_row()
        return row if isinstance(row, DocumentRow | HitRow) else None

    def _current_row(self) -> Row | None:
        return self.results.row(self.currentIndex())

    def _anchor(self) -> _Anchor | None:
        """Return the row under the pointer, else the current row if visible, else the topmost one.

        After "show more" it is the last row, below which the list continues.
        """
        seen = self.viewport().rect()
        pointer = self.viewport().mapFromGlobal(QCursor.pos())
        index = self.indexAt(pointer) if seen.contains(pointer) else QModelIndex()
        if isinstance(self._current_row(), MoreRow):
            index = self.results.index(self.currentIndex().row() - 1)
        if not index.isValid() and seen.intersects(self.visualRect(self.currentIndex())):
            index = self.currentIndex()
        if not index.isValid():
            index = self.indexAt(QPoint(seen.width() // 2, 2))
        row = self.results.row(index)
        return _Anchor(row, self.visualRect(index).top()) if row is not None else None

    def take_focus(self) -> None:
        """Take the focus, on the first passage if none is current."""
        if not self.currentIndex().isValid() and self.results.rowCount():
            self.setCurrentIndex(self.results.index(min(1, self.results.rowCount() - 1)))
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._preview.start()

    def choose(self, hit: Hit) -> None:
        """Make a passage current if it is in the list."""
        if (place := self.results.reveal(hit)) >= 0:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self.setCurrentIndex(self.results.index(place))

    def step(self, by: int) -> None:
        """Move to the next (1) or previous (-1) passage that is shown, skipping document rows."""
        rows = self.results.rows
        place = self.currentIndex().row() + by if self.currentIndex().isValid() else (0 if by > 0 else len(rows) - 1)
        while 0 <= place < len(rows) and not isinstance(rows[place], HitRow):
            place += by
        if 0 <= place < len(rows):
            self.setCurrentIndex(self.results.index(place))
            self.scrollTo(self.currentIndex())
            self._preview.start()

    @Slot()
    def unfold(self) -> None:
        """Show all passages of the current document."""
        self._set_open(open_=True)

    @Slot()
    def fold(self) -> None:
        """Show only the best passages of the current document."""
        self._set_open(open_=False)

    def _set_open(self, *, open_: bool) -> None:
        """Show or hide further passages; the cursor goes to the first of them, or to the row that shows them again."""
        row = self._current_row()
        if isinstance(row, DocumentRow | HitRow | FoldRow):
            content = row.content if isinstance(row, FoldRow) else row.hit.content
            place = self.results.set_open(content, open_=open_)
            if place >= 0 and (isinstance(row, FoldRow) or self._current_row() is not row):
                self.setCurrentIndex(self.results.index(place))
                self.scrollTo(self.currentIndex())

    @Slot()
    def copy_reference(self) -> None:
        """Copy the current passage with its source to the clipboard."""
        if (row := self.current()) is not None:
            QGuiApplication.clipboard().setText(quotation(row.hit))

    @Slot()
    def copy_link(self) -> None:
        """Copy a link to the current passage to the clipboard."""
        if (row := self.current()) is not None:
            hit, span = row.hit, row.hit.snippet.span
            QGuiApplication.clipboard().setText(link_to(str(hit.path), span.first_line, span.last_line, hit.sha256))

    @Slot()
    def copy_path(self) -> None:
        """Copy the path of the current document to the clipboard."""
        if (row := self.current()) is not None:
            QGuiApplication.clipboard().setText(str(row.hit.path))

    def _current_path(self) -> Path | None:
        row = self._current_row()
        if isinstance(row, FileRow):
            return row.file.path
        return row.hit.path if isinstance(row, DocumentRow | HitRow) else None

    @Slot()
    def _on_open_outside(self) -> None:
        if path := self._current_path():
            self.file_opened.emit(path)

    @Slot()
    def _on_show_in_folder(self) -> None:
        if path := self._current_path():
            self.folder_opened.emit(path)

    @Slot()
    def _on_related(self) -> None:
        if (row := self.current()) is not None:
            self.related_requested.emit(row.hit)

    @Slot()
    def _on_why(self) -> None:
        if (row := self.current()) is not None:
            self.why_requested.emit(row.hit)

    @Slot(QModelIndex)
    def _on_current_changed(self, index: QModelIndex) -> None:
        if index.isValid() and self.hasFocus() and not self._pressing:
            self._preview.start()

    @Slot()
    def _on_preview(self) -> None:
        if (row := self.current()) is not None:
            self.looked_at.emit(row.hit)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._preview.stop()
        row = self.results.row(index)
        if isinstance(row, MoreRow):
            self.more_requested.emit()
        elif isinstance(row, FoldRow):
            self._set_open(open_=not row.open)
        else:
            self._on_preview()

    @Slot(QModelIndex)
    def _on_opened(self, index: QModelIndex) -> None:
        if not isinstance(self.results.row(index), MoreRow | FoldRow):  # the click has already shown more
            self._on_open()

    @Slot()
    def _on_open(self) -> None:
        row = self._current_row()
        if isinstance(row, MoreRow):
            self.more_requested.emit()
        elif isinstance(row, FoldRow):
            self._set_open(open_=not row.open)
        elif isinstance(row, FileRow):
            self.file_opened.emit(row.file.path)
        elif (found := self.current()) is not None:
            self._preview.stop()
            self.opened.emit(found.hit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open, leave, or move."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & _HELD:
            self._on_open()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_reference()
        elif event.key() == Qt.Key.Key_Escape:
            self.dismissed.emit()
        elif event.key() == Qt.Key.Key_Up and self.currentIndex().row() <= 0:
            self.left_upwards.emit()
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Make the pressed row current without showing it: a menu or a drag may follow."""
        self._pressing = event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove)
        if event.type() == QEvent.Type.MouseButtonPress:
            self._preview.stop()
        handled = super().viewportEvent(event)
        self._pressing = False
        return handled

    def hideEvent(self, event: QHideEvent) -> None:
        """Cancel the pending preview when the list is hidden, as when the window closes."""
        self._preview.stop()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Recompute the row heights for the new width."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.scheduleDelayedItemsLayout()
