"""Drag and drop of folders and files onto the window, with an overlay that shows where they will go."""

import os
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote_to_bytes

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QRect, QRectF, Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFont,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, scaled, text_font
from desktop_rag.index.indexer_api import LibraryStatus

_PICTURE = 64


def dropped_paths(data: QMimeData) -> tuple[bytes, ...]:
    """Return the local files and folders in `data`, without duplicates; names that are not UTF-8 keep their bytes."""
    paths = (_path_of(url) for url in data.urls())
    return tuple(dict.fromkeys(path for path in paths if path))


def _path_of(url: QUrl) -> bytes:
    if not url.isLocalFile() or (url.host() and os.name == "posix"):
        return b""
    if os.name == "posix":
        path = unquote_to_bytes(url.path(QUrl.ComponentFormattingOption.FullyEncoded))
    else:
        path = os.fsencode(url.toLocalFile())
    return os.path.normpath(path) if Path(os.fsdecode(path)).is_absolute() else b""


class DropZone(QWidget):
    """An overlay over its whole parent, visible while files are dragged over it."""

    folders_dropped = Signal(object)  # a tuple of absolute paths as bytes, folders or files
    asked_about = Signal(object)  # such a tuple, dropped on the question

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self.setAccessibleName(self.tr("Drop to add to your library"))
        self._window = parent
        self._question: QWidget | None = None
        self._from_inside = False  # what is dragged comes from this program: its files are in the library
        self._not_added = ""  # why files cannot be added to this library; empty where they can
        self.hide()
        parent.setAcceptDrops(True)
        parent.installEventFilter(self)

    @Slot(LibraryStatus)
    def show_status(self, status: LibraryStatus) -> None:
        """Refuse files from outside in a library to which none can be added."""
        self._not_added = sentence(status.not_added)

    @property
    def _refuses(self) -> bool:
        return bool(self._not_added) and not self._from_inside

    def set_question(self, question: QWidget) -> None:
        """Report what is dropped on `question` apart."""
        self._question = question

    def _question_area(self) -> QRect:
        """Return where the question is; empty while it is hidden."""
        if self._question is None or not self._question.isVisible():
            return QRect()
        return QRect(self._question.mapTo(self._window, QPoint(0, 0)), self._question.size())

    def yield_files(self, widgets: Iterable[QWidget]) -> None:
        """Keep `widgets`, which accept dropped text, from inserting dropped files as text."""
        for widget in widgets:
            if widget.acceptDrops() and widget is not self and widget is not self._window:
                widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle drags over the window and over fields in it."""
        if event.type() == QEvent.Type.Resize and watched is self._window:
            self.setGeometry(self._window.rect())
        if not isinstance(event, QDropEvent) or not dropped_paths(event.mimeData()):
            return False
        if watched is not self._window:
            event.ignore()  # the event reaches the window
        elif isinstance(event, QDragEnterEvent):
            self.dragEnterEvent(event)
        elif isinstance(event, QDragMoveEvent):
            self.dragMoveEvent(event)
        else:
            self.dropEvent(event)
        return True

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Show the overlay if the drag contains files."""
        if dropped_paths(event.mimeData()):
            self._from_inside = event.source() is not None
            self.setGeometry(self._window.rect())
            self.raise_()
            self.show()
            self._accept(event)  # also one that is refused, so that the reason is shown until it leaves

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Keep accepting the drag; where nothing can be added, the pointer shows that."""
        event.ignore() if self._refuses else self._accept(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Hide the overlay."""
        self.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Report the dropped paths."""
        self.hide()
        if self._refuses:
            event.ignore()
        elif paths := dropped_paths(event.mimeData()):
            self._accept(event)
            asked = self._question_area().contains(event.position().toPoint())
            if self._from_inside and not asked:
                return
            (self.asked_about if asked else self.folders_dropped).emit(paths)

    def _accept(self, event: QDropEvent) -> None:
        event.setDropAction(Qt.DropAction.CopyAction)  # a move would let the file manager delete the originals
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a veil, a frame, and what a drop will do."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self._from_inside:
            self._paint_library(painter)
        if not self._refuses:
            self._paint_question(painter)
        painter.end()

    def _paint_library(self, painter: QPainter) -> None:
        colors = current_colors()
        veil = QColor(colors.surface)
        veil.setAlphaF(0.93)
        painter.fillRect(self.rect(), veil)
        accent = colors.muted if self._refuses else colors.accent
        painter.setPen(QPen(QColor(accent), 2, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        margin = 3 * GRID
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(margin, margin, -margin, -margin), 12, 12)
        centre, side = self.rect().center(), scaled(_PICTURE)
        sign = QRect(0, centre.y() - side - GRID, self.width(), side)
        icons.draw(painter, sign, "info" if self._refuses else "drop", accent, _PICTURE)
        painter.setPen(QColor(colors.text))
        painter.setFont(text_font(7, QFont.Weight.DemiBold))
        top = self.rect().adjusted(0, centre.y() + GRID, 0, 0)
        center = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        head = (
            self.tr("Nothing can be added to this library") if self._refuses else self.tr("Drop to add to your library")
        )
        painter.drawText(top, center, head)
        painter.setPen(QColor(colors.muted))
        painter.setFont(text_font(1))
        words = self._not_added if self._refuses else self.tr("Files stay where they are; nothing is copied or sent")
        below = top.adjusted(2 * margin, 5 * GRID, -2 * margin, 0)
        painter.drawText(below, center | Qt.TextFlag.TextWordWrap, words)

    def _paint_question(self, painter: QPainter) -> None:
        area = self._question_area()
        if area.isEmpty():
            return
        colors = current_colors()
        painter.setPen(QPen(QColor(colors.accent), 1.5, Qt.PenStyle.DashLine))
        painter.setBrush(QColor(colors.accent_soft))
        painter.drawRoundedRect(QRectF(area), 14, 14)
        painter.setPen(QColor(colors.text))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.question_words())

    def question_words(self) -> str:
        """Return what a drop on the question does."""
        if self._from_inside:
            return self.tr("Drop here to search only in it")
        return self.tr("Drop here to use it in this conversation only")
