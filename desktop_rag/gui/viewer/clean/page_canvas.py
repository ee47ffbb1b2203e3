"""The widget that draws and scrolls a clean page; `rendered_view` adds mouse and keyboard."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QColor, QPainter, QPaintEvent, QResizeEvent, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QAbstractScrollArea, QAbstractSlider, QFrame, QWidget

from desktop_rag.gui.theme.theme import current_colors
from desktop_rag.gui.viewer.clean.composing import Block, BlockShape
from desktop_rag.gui.viewer.clean.page_flow import PARTS, PageFlow, VisibleBlock, top_of_line
from desktop_rag.gui.viewer.clean.typesetting import AFTER_LABEL, CAPTION_HEIGHT, BlockLayout, PageStyle, page_style
from desktop_rag.gui.viewer.document_view import Match, Selected
from desktop_rag.gui.viewer.viewer_events import Mark
from desktop_rag.gui.widgets.text_offsets import format_range, from_qt, to_qt
from desktop_rag.text.display import one_line

# Text selection and hit testing on a clean page.

_MAX_BLOCKS = 2_000  # copied at once


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A position between two characters: first line of the block, strip index, offset in its text."""

    line: int
    strip: int
    offset: int


@dataclass(frozen=True, slots=True)
class LinkSpot:
    """A visible link: its position and its target."""

    line: int
    strip: int
    start: int
    end: int
    target: str


class CleanSelection:
    """The selection on a page, from the anchor to the pointer."""

    def __init__(self, flow: PageFlow) -> None:
        self._flow = flow
        self._anchor: Spot | None = None
        self._caret: Spot | None = None

    @property
    def is_empty(self) -> bool:
        """Return whether nothing is selected."""
        return self._anchor is None or self._anchor == self._caret

    def clear(self) -> None:
        """Clear the selection."""
        self._anchor = self._caret = None

    def begin(self, spot: Spot) -> None:
        """Start a selection."""
        self._anchor = self._caret = spot

    def extend(self, spot: Spot) -> None:
        """Extend the selection to `spot`."""
        self._anchor, self._caret = self._anchor or spot, spot

    def select_word(self, spot: Spot) -> None:
        """Select the word at a spot."""
        layout = self._layout(spot)
        if layout is not None:
            words = QTextLayout.CursorMode.SkipWords
            text = layout.text()
            start = layout.previousCursorPosition(to_qt(text, min(spot.offset + 1, len(text))), words)
            end = from_qt(text, layout.nextCursorPosition(start, words))
            start = from_qt(text, start)
            kept = text[start:end].rstrip()
            self._anchor = Spot(spot.line, spot.strip, start)
            self._caret = Spot(spot.line, spot.strip, start + max(1, len(kept)))

    def select_all(self) -> None:
        """Select everything that is loaded."""
        lines = self._flow.lines
        if lines.last >= lines.first:
            last = self._flow.laid(lines.last)
            self._anchor = Spot(self._flow.laid(lines.first).block.first, 0, 0)
            strip = max(0, len(last.placed) - 1)
            self._caret = Spot(last.block.first, strip, len(last.placed[strip].strip.text) if last.placed else 0)

    def part_of(self, block: Block, strip: int) -> tuple[int, int] | None:
        """Return the selected range of a strip, or None."""
        if self._anchor is None or self._caret is None or self.is_empty:
            return None
        first, last = sorted((self._anchor, self._caret))
        line, length = block.first, len(block.strips[strip].text)
        if (line, strip) < (first.line, first.strip) or (line, strip) > (last.line, last.strip):
            return None
        start = first.offset if (line, strip) == (first.line, first.strip) else 0
        end = last.offset if (line, strip) == (last.line, last.strip) else length
        return (start, end) if start < end else None

    def selected(self) -> Selected:
        """Return the selected text and its lines."""
        if self._anchor is None or self._caret is None or self.is_empty:
            return Selected()
        first, last = sorted((self._anchor, self._caret))
        rows = list(self._rows(first, last))
        words = "\n".join("\t".join(text for text, _, _ in row) for row in rows).replace("\u2028", "\n")
        lines = [line for row in rows for _, begin, end in row for line in (begin, end) if line]
        return Selected(words.strip("\n"), min(lines, default=first.line), max(lines, default=last.line))

    def _rows(self, first: Spot, last: Spot) -> Iterator[list[tuple[str, int, int]]]:
        """Yield the selected text of each block as (text, first line, last line) of each strip."""
        line = first.line
        for _ in range(_MAX_BLOCKS):
            block = self._flow.block(line)
            row = []
            for index, strip in enumerate(block.strips):
                if part := self.part_of(block, index):
                    row.append((strip.text[slice(*part)], strip.line_at(part[0]), strip.line_at(part[1] - 1)))
            if block.label and row and (first.line < line or not first.offset):
                row[0] = (f"{block.label} {row[0][0]}", *row[0][1:])
            if row or (not block.strips and first.line < line < last.line):
                yield row
            line = block.last + 1
            if line > min(last.line, self._flow.line_count):
                return

    def _layout(self, spot: Spot) -> QTextLayout | None:
        placed = self._flow.laid(spot.line).placed
        return placed[spot.strip].layout if 0 <= spot.strip < len(placed) else None


def spot_at(seen: Sequence[VisibleBlock], point: QPointF) -> Spot | None:
    """Return the spot nearest to a point relative to the left edge of the text column."""
    words = [one for one in seen if one.laid.placed]
    if not words:
        return None
    one = next((one for one in words if point.y() < one.y + one.laid.height), words[-1])
    inside = point - QPointF(0.0, one.y)
    index = one.laid.strip_at(inside)
    return Spot(one.laid.block.first, index, one.laid.placed[index].offset_at(inside))


def link_at(seen: Sequence[VisibleBlock], point: QPointF) -> LinkSpot | None:
    """Return the link at a point, or None."""
    for link in links_of(seen):
        for one in seen:
            if one.laid.block.first == link.line:
                rects = one.laid.placed[link.strip].rects(link.start, link.end)
                if any(rect.translated(0.0, one.y).contains(point) for rect in rects):
                    return link
    return None


def links_of(seen: Sequence[VisibleBlock]) -> list[LinkSpot]:
    """Return the visible links in text order."""
    return [
        LinkSpot(one.laid.block.first, index, mark.start, mark.end, mark.target)
        for one in seen
        for index, placed in enumerate(one.laid.placed)
        for mark in placed.strip.marks
        if mark.target
    ]


# Draws laid out blocks: background, text, and highlights over it.

_RADIUS = 5.0
_CITED_ALPHA = 120
_BAR = 3.0

Overlays = Mapping[int, Sequence[QTextLayout.FormatRange]]  # by strip index


class BlockPainter:
    """Draws blocks in one style; positions are the upper left corner of a block on the widget."""

    def __init__(self, painter: QPainter, style: PageStyle, room: float) -> None:
        self._painter = painter
        self._style = style
        self._colors = style.colors
        self._room = room

    def background(self, laid: BlockLayout, at: QPointF) -> None:
        """Draw the background of a block: code and field cards, quote bars, table rows, rulers."""
        block = laid.block
        if block.caption:
            self._caption(block.caption, at)
        match block.shape:
            case BlockShape.CODE | BlockShape.FIELD:
                self._card(laid, at)
            case BlockShape.QUOTE:
                for level in range(max(1, block.level)):
                    bar = QRectF(at.x() + level * 0.9 * self._style.em, at.y(), _BAR, laid.height)
                    self._painter.fillRect(bar, QColor(self._colors.border if level else self._colors.outline))
            case BlockShape.ROW:
                self._row(laid, at)
            case BlockShape.RULE:
                self._line(at.x(), at.y() + (laid.top + laid.bottom) / 2, self._room)
            case BlockShape.ABSENT:
                area = QRectF(at.x(), at.y() + 0.35 * laid.height, self._room * 0.7, 0.3 * laid.height)
                self._painter.setPen(Qt.PenStyle.NoPen)
                self._painter.setBrush(QColor(self._colors.code))
                self._painter.drawRoundedRect(area, _RADIUS, _RADIUS)

    def cited(self, laid: BlockLayout, at: QPointF, areas: Sequence[QRectF]) -> None:
        """Shade the cited part of a block, with a bar beside it."""
        shade = QColor(self._colors.mark)
        shade.setAlpha(_CITED_ALPHA)
        for area in areas:
            self._painter.fillRect(area.translated(at), shade)
        if areas:
            top, bottom = min(area.top() for area in areas), max(area.bottom() for area in areas)
            bar = QRectF(at.x() - 4 * _BAR, at.y() + top, _BAR, bottom - top)
            self._painter.fillRect(bar, QColor(self._colors.mark_edge))

    def bookmarked(self, laid: BlockLayout, at: QPointF) -> None:
        """Draw the bar of a bookmarked block, left of that of the citation."""
        bar = QRectF(at.x() - 6 * _BAR, at.y() + laid.shade[0], _BAR, laid.shade[1] - laid.shade[0])
        self._painter.fillRect(bar, QColor(self._colors.accent))

    def words(self, laid: BlockLayout, at: QPointF, overlays: Overlays) -> None:
        """Draw the text with highlights."""
        block = laid.block
        for index, placed in enumerate(laid.placed):
            name = block.shape is BlockShape.FIELD and index == 0 and len(laid.placed) == 2
            self._painter.setPen(QColor(self._colors.muted) if name else self._style.color(block.shape))
            placed.layout.draw(self._painter, at + QPointF(placed.x, placed.y), list(overlays.get(index, ())))
        if block.label and laid.placed:
            first = laid.placed[0].layout.lineAt(0)
            area = QRectF(
                at.x(), at.y() + laid.top + first.y(), laid.left - AFTER_LABEL * self._style.em, first.height()
            )
            self._painter.setFont(self._style.font(BlockShape.ITEM))
            self._painter.setPen(QColor(self._colors.muted))
            alignment = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
            self._painter.drawText(area, int(alignment), one_line(block.label))

    def _caption(self, caption: str, at: QPointF) -> None:
        em = self._style.em
        self._line(at.x(), at.y() + 0.55 * em, self._room)
        self._painter.setFont(self._style.caption_font())
        self._painter.setPen(QColor(self._colors.muted))
        area = QRectF(at.x(), at.y() + 0.8 * em, self._room, (CAPTION_HEIGHT - 0.8) * em)
        words = self._painter.fontMetrics().elidedText(one_line(caption), Qt.TextElideMode.ElideMiddle, int(self._room))
        self._painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), words)

    def _card(self, laid: BlockLayout, at: QPointF) -> None:
        """Draw one block's part of a rounded area that spans several blocks."""
        block, edge = laid.block, 0.2 * self._style.em
        top = at.y() + laid.edge + (edge if block.opens else 0.0)
        bottom = at.y() + laid.height - (edge if block.closes else 0.0)
        self._painter.save()
        self._painter.setClipRect(QRectF(at.x(), top, self._room, bottom - top), Qt.ClipOperation.IntersectClip)
        area = QRectF(at.x(), top, self._room, bottom - top).adjusted(
            0, 0 if block.opens else -2 * _RADIUS, 0, 0 if block.closes else 2 * _RADIUS
        )
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(QColor(self._colors.code))
        self._painter.drawRoundedRect(area, _RADIUS, _RADIUS)
        self._painter.restore()

    def _row(self, laid: BlockLayout, at: QPointF) -> None:
        width = laid.width
        if laid.block.level:
            area = QRectF(at.x(), at.y() + laid.edge, width, laid.height - laid.edge)
            self._painter.fillRect(area, QColor(self._colors.code))
        if laid.block.opens:
            self._line(at.x(), at.y() + laid.edge, width)
        self._line(at.x(), at.y() + laid.height - 1, width)

    def _line(self, x: float, y: float, width: float) -> None:
        self._painter.fillRect(QRectF(x, round(y), width, 1.0), QColor(self._colors.border))


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
