"""Paints a folder's row: name, path, progress in two shades, and buttons that appear on hover; and what is in it."""

from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rag.gui.formatting import number
from desktop_rag.gui.library.library_model import FOLDER_ROLE, InnerRow, LibraryModel, is_complete, readable_count
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.icons import icon_of
from desktop_rag.gui.theme.theme import GRID, current_colors, scaled, text_font
from desktop_rag.gui.widgets.painted_button import draw_ground, draw_text, line_height, mirrored
from desktop_rag.gui.widgets.plain_labels import elided_lines
from desktop_rag.index.file_rows import PROBLEMS, ListedState
from desktop_rag.index.indexer_api import FolderStatus
from desktop_rag.index.records import FolderState
from desktop_rag.text.display import one_line, shown_name, shown_path

_ICON = 18
_BUTTON = 24
_BAR = 4
_FOLD = 10  # the sign that a folder can be unfolded, and its width
_STEP = 14  # pixels that each level of subfolders begins further in
_INNER_PADDING = 8  # above and below the name of a subfolder or file
_NOTE_LINES = 3
_PROBLEM_LINES = 2
_ELIDE_MIDDLE = Qt.TextElideMode.ElideMiddle
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class _Row:
    """The rectangles of the parts of one row."""

    frame: QRect
    fold: QRect
    icon: QRect
    name: QRect
    path: QRect
    problems: QRect
    bar: QRect
    progress: QRect
    note: QRect
    pause: QRect
    more: QRect


class LibraryDelegate(QStyledItemDelegate):
    """Paints the rows and reports clicks on their buttons."""

    pause_clicked = Signal(object)  # the FolderStatus whose pause or resume button was pressed
    more_clicked = Signal(object, QPoint)  # the FolderStatus and the menu's position in screen coordinates
    problems_clicked = Signal(object)  # the FolderStatus whose problems to show
    row_clicked = Signal(int)  # a row was clicked, outside its buttons and not for the second time of two

    def __init__(self, model: LibraryModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.has_files_here = True  # each row can be paused and unfolded
        self._is_second = False  # the next release ends a double click

    def _row(self, rect: QRect, status: FolderStatus) -> _Row:
        """Return where the parts of a row are if it is read from the left."""
        frame = rect.adjusted(GRID // 2, 2, -GRID // 2, -2)
        inner = frame.adjusted(GRID, GRID, -GRID, -GRID)
        name_height, small = line_height(text_font()), line_height(text_font(-1))
        icon, button = scaled(_ICON), scaled(_BUTTON)
        fold = scaled(_FOLD) + 2
        text_left = inner.left() + fold + icon + GRID
        width = inner.right() - text_left + 1
        problems = self._model.problems(status)
        metrics = QFontMetrics(text_font(-1))
        problems_width = metrics.horizontalAdvance(problems) + GRID if problems else 0
        top = inner.top()
        path_top = top + name_height + 2
        bar_top = path_top + small + 6
        complete = is_complete(status) or status.found == 0
        progress_top = path_top + small + 2 if complete else bar_top + _BAR + 4
        beside = metrics.horizontalAdvance(self._model.progress(status)) if complete else width // 2
        below = problems_width + beside > width  # they need lines of their own
        lines = len(elided_lines(problems, metrics, width, _PROBLEM_LINES)) if below else 1
        problems_top = progress_top + small + 2 if below else progress_top if complete else path_top
        note_top = (problems_top + (lines - 1) * small if below else progress_top) + small + 2
        left = text_left if below else inner.right() + 1 - problems_width
        return _Row(
            frame=frame,
            fold=QRect(inner.left() - 4, top + (name_height - icon) // 2, fold, icon),
            icon=QRect(inner.left() + fold, top + (name_height - icon) // 2, icon, icon),
            name=QRect(text_left, top, width, name_height),
            path=QRect(text_left, path_top, width - (0 if complete or below else problems_width), small),
            problems=QRect(left, problems_top, width if below else problems_width, lines * small if problems else 0),
            bar=QRect() if complete else QRect(text_left, bar_top, width, _BAR),
            progress=QRect(text_left, progress_top, width, small),
            note=QRect(text_left, note_top, width, small * len(self._note_lines(status, width))),
            pause=QRect(inner.right() + 1 - 2 * button, top - 3, button, button),
            more=QRect(inner.right() + 1 - button, top - 3, button, button),
        )

    def _note_lines(self, status: FolderStatus, width: int) -> list[str]:
        note = one_line(self._model.note(status))
        return elided_lines(note, QFontMetrics(text_font(-1)), max(60, width), _NOTE_LINES) if note else []

    def _paint_head(self, painter: QPainter, row: _Row, status: FolderStatus, *, buttons: bool, unfolded: bool) -> None:
        colors = current_colors()
        if self.has_files_here and not status.is_file:
            _paint_fold(painter, row.fold, row.frame, unfolded=unfolded)
        shape = "offline" if status.state is FolderState.OFFLINE else "file-text" if status.is_file else "folder"
        icons.draw(painter, mirrored(row.icon, row.frame), shape, colors.muted, _ICON)
        room = row.name.adjusted(0, 0, -2 * scaled(_BUTTON) if buttons else 0, 0)
        if chip := self._model.chip(status):
            room.setRight(_paint_chip(painter, room, row.frame, chip, status.state) - GRID)
        frame, small, bold = row.frame, text_font(-1), text_font(0, QFont.Weight.DemiBold)
        draw_text(painter, room, shown_name(status.path), bold, colors.text, within=frame)
        path = shown_path(status.path)
        draw_text(painter, row.path, path, small, colors.muted, elide=_ELIDE_MIDDLE, within=frame)
        if problems := self._model.problems(status):
            color = colors.warning if status.failed else colors.muted
            align = _RIGHT if row.problems.left() > row.progress.left() else _LEFT
            lines = elided_lines(problems, QFontMetrics(small), row.problems.width(), _PROBLEM_LINES)
            height = row.problems.height() // len(lines)
            for at, line in enumerate(lines):
                place = QRect(row.problems.left(), row.problems.top() + at * height, row.problems.width(), height)
                draw_text(painter, place, line, small, color, align=align, within=frame)
        if buttons:
            paused = status.state is FolderState.PAUSED
            if self.has_files_here:
                icons.draw(painter, mirrored(row.pause, frame), "play" if paused else "pause", colors.muted, 16)
            icons.draw(painter, mirrored(row.more, frame), "more", colors.muted, 16)

    def _paint_progress(self, painter: QPainter, row: _Row, status: FolderStatus) -> None:
        colors = current_colors()
        for at, line in enumerate(self._note_lines(status, row.note.width())):
            place = QRect(
                row.note.left(), row.note.top() + at * row.progress.height(), row.note.width(), row.progress.height()
            )
            draw_text(painter, place, line, text_font(-1), colors.muted, within=row.frame)
        if row.bar.isNull():
            progress = self._model.progress(status)
            draw_text(painter, row.progress, progress, text_font(-1), colors.muted, within=row.frame)
            return
        frame = row.frame
        _bar(painter, row.bar, frame, 1.0, colors.track)
        readable = max(1, readable_count(status))
        _bar(painter, row.bar, frame, status.searchable / readable, colors.searchable)
        _bar(painter, row.bar, frame, status.ready / readable, colors.ready)
        words = self.tr("Words {0} of {1}").format(number(status.searchable), number(status.found))
        meaning = self.tr("Meaning {0}").format(number(status.ready))
        if _legend_width(words) + _legend_width(meaning) - GRID - 4 > row.progress.width():
            words = self.tr("Words {0}").format(number(status.searchable))
        left = _legend(painter, row.progress, frame, words, colors.searchable)
        _legend(painter, row.progress.adjusted(left, 0, 0, 0), frame, meaning, colors.ready)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row; finished folders have no progress bar."""
        status = index.data(FOLDER_ROLE)
        if isinstance(status, InnerRow):
            return QSize(120, line_height(text_font()) + scaled(_INNER_PADDING))
        if not isinstance(status, FolderStatus):
            return super().sizeHint(option, index)
        parent = self.parent()
        width = parent.viewport().width() if isinstance(parent, QAbstractItemView) else 240
        row = self._row(QRect(0, 0, width, 0), status)
        lowest = max(part.bottom() for part in (row.progress, row.problems, row.note))
        return QSize(120, lowest + 1 + GRID + 2)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint one folder, or what is in it."""
        status = index.data(FOLDER_ROLE)
        if not isinstance(status, FolderStatus | InnerRow):
            return
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame, unfolded = option.rect.adjusted(GRID // 2, 2, -GRID // 2, -2), self._model.is_open(index.row())
        if isinstance(status, InnerRow):
            frame.adjust(0, -1, 0, 1)
        draw_ground(painter, frame, hovered=hovered, selected=selected, focused=focused)
        if isinstance(status, InnerRow):
            self._paint_inner(painter, frame, status, unfolded=unfolded)
        else:
            row = self._row(option.rect, status)
            self._paint_head(painter, row, status, buttons=hovered or focused, unfolded=unfolded)
            self._paint_progress(painter, row, status)
        painter.restore()

    def _paint_inner(self, painter: QPainter, frame: QRect, row: InnerRow, *, unfolded: bool) -> None:
        """Paint a subfolder with its number of files, a file, or how many more there are."""
        colors, font, small = current_colors(), text_font(-0.5), text_font(-1)
        fold, icon = scaled(_FOLD) + 2, scaled(_ICON - 2)
        place = frame.adjusted(GRID + scaled(_STEP) * row.depth, 0, -GRID, 0)
        unread = row.file is not None and row.file.state in PROBLEMS
        if row.files:
            _paint_fold(painter, QRect(place.left() - 4, place.top(), fold, place.height()), frame, unfolded=unfolded)
            count, width = number(row.files), QFontMetrics(small).horizontalAdvance(number(row.files)) + 2
            end = QRect(place.right() + 1 - width, place.top(), width, place.height())
            draw_text(painter, end, count, small, colors.faint, align=_RIGHT, within=frame)
            place.setRight(end.left() - GRID)
        sign = QRect(place.left() + fold, place.top(), icon, place.height())
        if row.file is not None:
            failed = row.file.state is ListedState.PROBLEM
            shape = "warning" if failed else icon_of(row.file.kind)
            icons.draw(painter, mirrored(sign, frame), shape, colors.warning if failed else colors.muted, _ICON - 2)
        elif row.files:
            icons.draw(painter, mirrored(sign, frame), "folder", colors.muted, _ICON - 2)
        color = colors.link if row.more else colors.muted if unread else colors.text
        name = place.adjusted(fold + icon + GRID - 2, 0, 0, 0)
        draw_text(painter, name, self._model.name(row), font, color, elide=_ELIDE_MIDDLE, within=frame)

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Report a click on a row or on one of its buttons."""
        status = index.data(FOLDER_ROLE)
        if event.type() == QEvent.Type.MouseButtonDblClick:
            self._is_second = True
        clicked = event.type() == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent)
        if not clicked or not isinstance(event, QMouseEvent) or event.button() != Qt.MouseButton.LeftButton:
            return super().editorEvent(event, model, option, index)
        second, self._is_second = self._is_second, False
        if not isinstance(status, FolderStatus):
            if not second:
                self.row_clicked.emit(index.row())
            return True
        row = self._row(option.rect, status)
        point = mirrored(QRect(event.position().toPoint(), QSize(1, 1)), row.frame).topLeft()
        if row.pause.contains(point) and self.has_files_here:
            self.pause_clicked.emit(status)
        elif row.more.contains(point):
            self.more_clicked.emit(status, event.globalPosition().toPoint())
        elif row.problems.contains(point):
            self.problems_clicked.emit(status)
        elif not second:
            self.row_clicked.emit(index.row())
        return True


def _paint_fold(painter: QPainter, area: QRect, frame: QRect, *, unfolded: bool) -> None:
    right = "chevron-left" if QGuiApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft else "chevron-right"
    icons.draw(painter, mirrored(area, frame), "chevron-down" if unfolded else right, current_colors().faint, _FOLD)


def _bar(painter: QPainter, rect: QRect, frame: QRect, share: float, color: str) -> None:
    width = round(rect.width() * min(1.0, max(0.0, share)))
    if width:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(color))
        bar = QRect(rect.left(), rect.top(), max(width, _BAR), rect.height())
        painter.drawRoundedRect(mirrored(bar, frame), _BAR / 2, _BAR / 2)


def _legend(painter: QPainter, rect: QRect, frame: QRect, text: str, shade: str) -> int:
    """Draw a dot of `shade` and `text`; return the width used."""
    dot = QRect(rect.left(), rect.center().y() - 2, 6, 6)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(shade))
    painter.drawEllipse(mirrored(dot, frame))
    draw_text(painter, rect.adjusted(10, 0, 0, 0), text, text_font(-1), current_colors().muted, within=frame)
    return _legend_width(text)


def _legend_width(text: str) -> int:
    return 10 + QFontMetrics(text_font(-1)).horizontalAdvance(text) + GRID + 4


def _paint_chip(painter: QPainter, room: QRect, frame: QRect, text: str, state: FolderState) -> int:
    """Draw a state chip at the right end of `room`; return its left edge."""
    colors, font = current_colors(), text_font(-1.5)
    width = QFontMetrics(font).horizontalAdvance(text) + 12
    height = line_height(font) + 2
    chip = QRect(room.right() + 1 - width, room.center().y() - height // 2 + 1, width, height)
    quiet = state is FolderState.ACTIVE
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colors.accent_soft if quiet else colors.warning_soft))
    painter.drawRoundedRect(mirrored(chip, frame), height / 2, height / 2)
    color, center = colors.link if quiet else colors.warning, Qt.AlignmentFlag.AlignCenter
    draw_text(painter, chip, text, font, color, align=center, within=frame)
    return chip.left()
