"""The widget that draws and scrolls a clean page; `rendered_view` adds mouse and keyboard."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QColor, QPainter, QPaintEvent, QResizeEvent, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QAbstractScrollArea, QAbstractSlider, QFrame, QWidget

from desktop_rag.gui.theme.theme import current_colors
from desktop_rag.gui.viewer.clean.block_painting import BlockPainter
from desktop_rag.gui.viewer.clean.blocks import BlockShape
from desktop_rag.gui.viewer.clean.clean_selection import CleanSelection, LinkSpot
from desktop_rag.gui.viewer.clean.page_flow import PARTS, PageFlow, VisibleBlock, top_of_line
from desktop_rag.gui.viewer.clean.page_style import page_style
from desktop_rag.gui.viewer.clean.typesetting import BlockLayout
from desktop_rag.gui.viewer.document_view import Match
from desktop_rag.gui.viewer.viewer_events import Mark
from desktop_rag.gui.widgets.text_offsets import format_range

_MARGIN = 30.0  # beside the column of text
_SPOKEN = 4_000  # characters of the visible text passed to a screen reader


class PageCanvas(QAbstractScrollArea):
    """Draws the visible blocks with citation, matches and selection."""

    view_changed = Signal()  # the visible lines changed: scrolled, resized, or lines added

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._zoom = 0.0
        self._flow = PageFlow(page_style(current_colors(), self._zoom))
        self._selection = CleanSelection(self._flow)
        self._cited = (0, -1)
        self._quote: tuple[Mark, ...] = ()
        self._matches: dict[int, list[tuple[int, int, int]]] = {}
        self._current = -1
        self._bookmarked: tuple[tuple[int, int], ...] = ()
        self._link: LinkSpot | None = None  # focused by the keyboard
        self._revealed = 0
        self._syncing_bar = False  # set while the code, not the user, moves the scroll bar
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.verticalScrollBar().valueChanged.connect(self._on_bar_moved)
        self.verticalScrollBar().actionTriggered.connect(self._on_bar_action)

    @property
    def cited(self) -> tuple[int, int]:
        """Return the first and last highlighted line; (0, -1) if there is none."""
        return self._cited

    def visible_lines(self) -> tuple[int, int]:
        """Return the first and last line that are at least partly visible."""
        return self._flow.visible_lines()

    def first_visible_line(self) -> int:
        """Return the first visible line."""
        return self.visible_lines()[0]

    def set_quote(self, marks: tuple[Mark, ...]) -> None:
        """Mark the quote."""
        self._quote = marks
        self.viewport().update()

    def show_matches(self, matches: Sequence[Match], current: int) -> None:
        """Mark all matches and emphasise match number `current` (from 0; -1: none)."""
        self._matches = {}
        for number, match in enumerate(matches):
            for line, start, end in match:
                self._matches.setdefault(line, []).append((start, end, number))
        self._current = current
        self.viewport().update()

    def show_bookmarked(self, bookmarked: tuple[tuple[int, int], ...]) -> None:
        """Mark the bookmarked passages, each given as (first, last) line."""
        self._bookmarked = bookmarked
        self.viewport().update()

    def scroll_to(self, line: int) -> None:
        """Scroll so that `line` is the first visible one."""
        self._revealed = 0
        self._flow.go_to(line)
        self._after_scroll()

    def set_zoom(self, points: float) -> None:
        """Enlarge the text by this many points."""
        self._zoom = points
        self._fit()

    def cited_areas(self) -> tuple[QRectF, ...]:
        """Return the shaded rectangles in viewport coordinates."""
        left = self._left()
        return tuple(
            area.translated(left, one.y) for one in self._flow.visible_blocks() for area in self._cited_in(one.laid)
        )

    def _reveal(self, line: int) -> None:
        """Scroll `line` to the upper third and keep it there until the user scrolls."""
        self._revealed = line
        self._flow.reveal(line)
        self._after_scroll()

    def _scroll(self, distance: float) -> None:
        self._revealed = 0
        self._flow.move(distance)
        self._after_scroll()

    def _left(self) -> float:
        """Return the left edge of the text column in the viewport."""
        free = self.viewport().width() - self._flow.room
        return round(max(_MARGIN, free / 2)) - self.horizontalScrollBar().value()

    def _fit(self) -> None:
        """Lay out again for another size, zoom or theme."""
        style = page_style(current_colors(), self._zoom)
        room = max(120.0, min(style.widest, self.viewport().width() - 2 * _MARGIN))
        self._flow.fit(style, room, self.viewport().height())
        if self._revealed:
            self._flow.reveal(self._revealed)
        self._after_scroll()

    def _after_scroll(self) -> None:
        """Update the scroll bars, redraw and emit `view_changed`."""
        flow = self._flow
        seen = flow.visible_blocks()
        first, last = flow.visible_lines()
        bar = self.verticalScrollBar()
        page = max(1, last - first + 1) * PARTS
        whole = not seen or (first == 1 and flow.is_at_end() and seen[0].y >= 0)
        self._syncing_bar = True
        bar.setRange(0, 0 if whole else max(1, flow.line_count * PARTS - page))
        bar.setPageStep(page)
        bar.setValue(bar.maximum() if flow.is_at_end() else min(flow.value(), bar.maximum() - 1))
        self._syncing_bar = False
        wide = max((one.laid.left + one.laid.width for one in seen), default=0.0)
        across = self.horizontalScrollBar()
        beyond = max(0, round(wide - flow.room)) if seen else 0
        across.setRange(0, max(beyond, across.value()))
        across.setPageStep(self.viewport().width())
        self.viewport().update()
        if QAccessible.isActive():
            self.setAccessibleDescription("\n".join(one.laid.block.text() for one in seen)[:_SPOKEN])
        self.view_changed.emit()

    @Slot(int)
    def _on_bar_moved(self, value: int) -> None:
        if self._syncing_bar:
            return
        if value >= self.verticalScrollBar().maximum():
            self._flow.go_to_value(self._flow.line_count * PARTS)
        else:
            self._flow.go_to_value(value)
        self._after_scroll()

    @Slot(int)
    def _on_bar_action(self, action: int) -> None:
        self._revealed = 0
        actions, height = QAbstractSlider.SliderAction, self.viewport().height()
        steps = {
            actions.SliderSingleStepAdd.value: 3 * self._flow.style.em,
            actions.SliderSingleStepSub.value: -3 * self._flow.style.em,
            actions.SliderPageStepAdd.value: 0.9 * height,
            actions.SliderPageStepSub.value: -0.9 * height,
        }
        if action in steps:
            self.verticalScrollBar().setSliderPosition(self.verticalScrollBar().value())
            self._scroll(steps[action])

    def _cited_in(self, laid: BlockLayout) -> list[QRectF]:
        first, last = self._cited
        block = laid.block
        if last < block.first or first > block.last:
            return []
        inside = block.shape is BlockShape.GAP and first < block.first and block.last < last
        if not laid.placed and not inside:
            return []
        if first <= block.first and block.last <= last:
            width = laid.width if block.shape is BlockShape.ROW else self._flow.room
            return [QRectF(-6.0, laid.shade[0], width + 12.0, laid.shade[1] - laid.shade[0])]
        return [
            rect.adjusted(-1, 0, 1, 0)
            for placed in laid.placed
            if (shown := placed.strip.lines_shown(first, last))
            for rect in placed.rects(*shown)
        ]

    def _overlays(self, laid: BlockLayout) -> dict[int, list[QTextLayout.FormatRange]]:
        """Return the highlights of a block by strip index: quote, matches, selection and the focused link."""
        colors = self._flow.style.colors
        block = laid.block
        over: dict[int, list[QTextLayout.FormatRange]] = {}

        def lay(index: int, part: tuple[int, int] | None, look: QTextCharFormat) -> None:
            if part is not None and part[0] < part[1]:
                over.setdefault(index, []).append(format_range(laid.placed[index].strip.text, *part, look))

        for index, placed in enumerate(laid.placed):
            for line, start, end in self._quote:
                if block.first <= line <= block.last:
                    lay(index, placed.strip.shown(line, start, end), _look(colors.mark, colors.text))
            for line in range(block.first, block.last + 1) if self._matches else ():
                for start, end, number in self._matches.get(line, ()):
                    back, ink = (colors.accent, colors.on_accent) if number == self._current else (colors.selected, "")
                    lay(index, placed.strip.shown(line, start, end), _look(back, ink))
            lay(index, self._selection.part_of(block, index), _look(colors.accent, colors.on_accent))
            link = self._link
            if link is not None and self.hasFocus() and (link.line, link.strip) == (block.first, index):
                lay(index, (link.start, link.end), _look(colors.accent_soft, colors.link))
        return over

    def changeEvent(self, event: QEvent) -> None:
        """Apply the colours and the font of the new theme."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out again for the new width."""
        super().resizeEvent(event)
        self._fit()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Redraw everything."""
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the visible blocks."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(event.rect(), QColor(self._flow.style.colors.surface))
        drawing = BlockPainter(painter, self._flow.style, self._flow.room)
        for one in self._flow.visible_blocks():
            at = QPointF(self._left(), round(one.y))
            drawing.background(one.laid, at)
            drawing.cited(one.laid, at, self._cited_in(one.laid))
            if any(first <= one.laid.block.last and one.laid.block.first <= last for first, last in self._bookmarked):
                drawing.bookmarked(one.laid, at)
            drawing.words(one.laid, at, self._overlays(one.laid))
        painter.end()

    def _block_of(self, line: int) -> VisibleBlock | None:
        return next(
            (one for one in self._flow.visible_blocks() if one.laid.block.first <= line <= one.laid.block.last), None
        )

    def _is_in_sight(self, line: int) -> bool:
        one = self._block_of(line)
        y = one.y + top_of_line(one.laid, line) if one else -1.0
        return 0 <= y <= self.viewport().height() - 2 * self._flow.style.em


def _look(background: str, ink: str) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setBackground(QColor(background))
    if ink:
        look.setForeground(QColor(ink))
    return look
