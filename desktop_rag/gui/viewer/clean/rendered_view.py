"""The clean view: a document laid out as one page, with selection, links and keyboard."""

import re
from urllib.parse import unquote

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QMenu, QToolTip, QWidget

from desktop_rag.documents.document import Structure
from desktop_rag.documents.file_types import Format
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.viewer.clean.composing import Markup
from desktop_rag.gui.viewer.clean.page_canvas import LinkSpot, PageCanvas, Spot, link_at, links_of, spot_at
from desktop_rag.gui.viewer.document_view import Match, Selected, zooms
from desktop_rag.gui.viewer.viewer_events import DocumentFound, LinesLoaded, Mark
from desktop_rag.gui.widgets.bounded_dialog import ask_to_browse
from desktop_rag.gui.widgets.plain_labels import button_text
from desktop_rag.index.records import DocumentLayout
from desktop_rag.text.display import one_line, shorten

_SCROLL_MS = 30  # interval of scrolling while a selection is dragged beyond the edge
_SHOWN_ADDRESS = 80
_APART = re.compile(r"[^\w\- ]+")
_MARKUP: dict[str, Markup] = {Format.MARKDOWN: Markup.MARKDOWN, Format.LATEX: Markup.LATEX}


class RenderedView(PageCanvas):
    """Shows the lines it receives and requests missing ones; nothing is ever loaded from the network."""

    lines_requested = Signal(int, int)  # lines to read: first, count
    zoom_requested = Signal(int)  # Ctrl and the wheel: in (1) or out (-1)
    link_followed = Signal(str)  # a link to another document, by its name or its relative path, was clicked
    menu_requested = Signal(object)  # the QContextMenuEvent of a right click or the menu key

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = DocumentLayout(b"", (), b"")
        self._reading = False
        self._pressed: QPointF | None = None
        self._drag_scroll = QTimer(self, interval=_SCROLL_MS)
        self._drag_scroll.timeout.connect(self._on_drag_scroll)
        self.setAccessibleName(self.tr("Document as a page"))
        self.view_changed.connect(self._request_missing)

    def begin(self, found: DocumentFound) -> None:
        """Show another document; its lines arrive with `add_lines`."""
        card = found.card
        self._reading = True
        self._layout = found.layout
        self._quote, self._matches, self._current, self._link = (), {}, -1, None
        self._selection.clear()
        markup = _MARKUP.get(card.format, Markup.NONE) if card is not None else Markup.NONE
        self._flow.begin(found.layout.kinds, found.layout.structure, markup)
        self._reveal(found.first_line or found.target.first_line or 1)

    def retarget(self, found: DocumentFound) -> None:
        """Show another target in the open document."""
        self._reading = True
        self._reveal(found.first_line or found.target.first_line or 1)

    def show_citation(self, first: int, last: int) -> None:
        """Highlight these lines (none if `first` is 0) and scroll to them."""
        self._cited = (first, last if first else -1)
        self.set_quote(())
        if first:
            self.reveal(first)

    def show_quote(self, marks: tuple[Mark, ...]) -> None:
        """Mark the quote, and scroll to it if there are many cited lines."""
        self.set_quote(marks)
        first, last = self.cited
        if marks and last - first > 8:
            self.reveal(marks[0][0])

    def add_lines(self, read: LinesLoaded) -> None:
        """Add lines that were read."""
        self._flow.add(read)
        if self._revealed:
            self._reveal(self._revealed)
        else:
            self._after_scroll()

    def read_finished(self) -> None:
        """Note that the read job has finished, and request lines that are still missing."""
        self._reading = False
        self._request_missing()

    def reveal(self, line: int) -> None:
        """Scroll to `line`; it is loaded if necessary."""
        self._reveal(line)

    def go_to_match(self, match: Match) -> None:
        """Scroll to a match unless it is visible."""
        if not self._is_in_sight(match[0][0]):
            self._reveal(match[0][0])

    def highlighted_text(self) -> str:
        """Return the text of the highlighted lines that are loaded."""
        first, last = self.cited
        return "\n".join(self._flow.lines.texts(first, last)) if first else ""

    def selected(self) -> Selected:
        """Return the selection."""
        return self._selection.selected()

    @Slot()
    def copy(self) -> None:
        """Copy the selection as plain text."""
        if words := self.selected().text:
            QGuiApplication.clipboard().setText(words)

    @Slot()
    def select_all(self) -> None:
        """Select everything that is loaded."""
        self._selection.select_all()
        self.viewport().update()

    def follow(self, target: str, at: QPoint) -> None:
        """Go to the target of an internal link; for an external one show a menu at this screen position."""
        if line := line_of_link(target, self._layout.structure, self._flow.line_count):
            self._reveal(line)
        elif QUrl(target).scheme() in ("http", "https", "mailto"):
            self._link_menu(target).popup(at)
        elif target.startswith("#"):
            where = self.tr("The target of this link was not found in the document.")
            QToolTip.showText(at, tool_tip(where), self)
        elif not QUrl(target).scheme():
            self.link_followed.emit(target)
        else:
            where = self.tr("This link points outside the document: {0}").format(one_line(target))
            QToolTip.showText(at, tool_tip(where), self)

    def _link_menu(self, target: str) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(button_text(shorten(one_line(target), _SHOWN_ADDRESS))).setEnabled(False)
        menu.addSeparator()
        if QUrl(target).scheme() in ("http", "https"):
            browse = menu.addAction(self.tr("Open in browser"))
            browse.setData(target)
            browse.triggered.connect(self._on_browse)  # a closure over the view crashes when Qt deletes the menu
        copy = menu.addAction(self.tr("Copy link"))
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(target.removeprefix("mailto:")))
        return menu

    @Slot()
    def _on_browse(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            ask_to_browse(action.data(), self)

    @Slot()
    def _request_missing(self) -> None:
        flow = self._flow
        if self._reading or not flow.line_count or not self.isVisible():
            return
        if missing := flow.lines.missing(*flow.visible_lines(), flow.line_count):
            self._reading = True
            self.lines_requested.emit(*missing)

    def _point(self, position: QPointF) -> QPointF:
        return position - QPointF(self._left(), 0.0)

    def _spot(self, position: QPointF) -> Spot | None:
        return spot_at(self._flow.visible_blocks(), self._point(position))

    def _link_under(self, position: QPointF) -> LinkSpot | None:
        return link_at(self._flow.visible_blocks(), self._point(position))

    @Slot()
    def _on_drag_scroll(self) -> None:
        """Scroll while a selection is dragged beyond the upper or lower edge."""
        position = self.viewport().mapFromGlobal(self.cursor().pos())
        beyond = position.y() - max(0, min(position.y(), self.viewport().height()))
        if not beyond or not QApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            self._drag_scroll.stop()
            return
        self._scroll(beyond / 2)
        if spot := self._spot(QPointF(position)):
            self._selection.extend(spot)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start a selection, or extend it with Shift; other buttons are ignored, the panel handles them."""
        if event.button() is not Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._revealed, self._link = 0, None
        self._pressed = event.position()
        if spot := self._spot(event.position()):
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._selection.extend(spot)
            else:
                self._selection.begin(spot)
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Extend the selection, or show a pointing hand over links."""
        if event.buttons() & Qt.MouseButton.LeftButton and self._pressed is not None:
            if spot := self._spot(event.position()):
                self._selection.extend(spot)
                self.viewport().update()
            if not self.viewport().rect().contains(event.position().toPoint()):
                self._drag_scroll.start()
            return
        link = self._link_under(event.position())
        shapes = Qt.CursorShape
        self.viewport().setCursor(shapes.PointingHandCursor if link else shapes.IBeamCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Follow a link that was clicked."""
        self._drag_scroll.stop()
        pressed, self._pressed = self._pressed, None
        if pressed is None or not self._selection.is_empty:
            return
        link = self._link_under(event.position())
        if link is not None and link == self._link_under(pressed):
            self.follow(link.target, event.globalPosition().toPoint())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a word."""
        if spot := self._spot(event.position()):
            self._selection.select_word(spot)
            self._pressed = None
            self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or zoom with Ctrl."""
        if zooms(event, self.zoom_requested.emit):
            return
        pixels, angle = event.pixelDelta(), event.angleDelta()
        across = pixels.x() if not pixels.isNull() else angle.x() / 2
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            across = across or angle.y() / 2
        elif angle.y():
            lines = QApplication.wheelScrollLines() * 1.3 * self._flow.style.em
            self._scroll(-pixels.y() if not pixels.isNull() else -angle.y() / 120 * lines)
        if across:
            self.horizontalScrollBar().setValue(round(self.horizontalScrollBar().value() - across))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll, copy, and open the focused link."""
        key, height, em = Qt.Key, self.viewport().height(), self._flow.style.em
        back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        steps = {
            key.Key_Down: 3 * em,
            key.Key_Up: -3 * em,
            key.Key_PageDown: 0.9 * height,
            key.Key_PageUp: -0.9 * height,
            key.Key_Space: -0.9 * height if back else 0.9 * height,
        }
        pressed = Qt.Key(event.key())
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        elif pressed in steps:
            self._scroll(steps[pressed])
        elif pressed in (key.Key_Home, key.Key_End):
            self._reveal(1 if pressed is key.Key_Home else self._flow.line_count)
        elif pressed in (key.Key_Return, key.Key_Enter) and self._link is not None:
            self.follow(self._link.target, self.viewport().mapToGlobal(self._corner_of(self._link)))
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001 - the signature is Qt's
        """Move the focus through the visible links before it leaves the page."""
        links = links_of(self._flow.visible_blocks())
        index = links.index(self._link) if self._link in links else (-1 if next else len(links))
        index += 1 if next else -1
        if 0 <= index < len(links):
            self._link = links[index]
            self.viewport().update()
            return True
        self._link = None
        self.viewport().update()
        return super().focusNextPrevChild(next)

    def _corner_of(self, link: LinkSpot) -> QPoint:
        one = self._block_of(link.line)
        if one is None:
            return QPoint()
        rect = next(one.laid.placed[link.strip].rects(link.start, link.end))
        return rect.translated(self._left(), one.y).bottomLeft().toPoint()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show the menu of a link; forward all other requests to the tab."""
        position = self.viewport().mapFromGlobal(event.globalPos())
        link = self._link_under(QPointF(position))
        if link is not None and QUrl(link.target).scheme() in ("http", "https", "mailto"):
            self._link_menu(link.target).popup(event.globalPos())
        else:
            self.menu_requested.emit(event)

    def event(self, event: QEvent) -> bool:
        """Show the target of a link as a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            link = self._link_under(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tool_tip(one_line(unquote(link.target))) if link else "", self)
            return True
        return super().event(event)


def line_of_link(target: str, structure: Structure, line_count: int) -> int:
    """Return the line that `#target` refers to, or 0 if it is not in this document.

    A format reader that knows the line writes `#L12`; in Markdown the target is the slug of a heading.
    """
    if not target.startswith("#"):
        return 0
    name = unquote(target[1:])
    if name[:1] == "L" and name[1:].isdigit():
        return int(name[1:]) if 0 < int(name[1:]) <= line_count else 0
    wanted, seen = _name_of(name), dict[str, int]()
    for entry in structure.outline:
        title = _name_of(entry.title)
        count = seen[title] = seen.get(title, -1) + 1
        if wanted == (f"{title}-{count}" if count else title):
            return entry.line
    return 0


def _name_of(title: str) -> str:
    """Return the slug of a heading, built as code hosts do."""
    return _APART.sub("", title.strip().lower()).replace(" ", "-")
