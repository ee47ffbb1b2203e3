"""The steps of a run as a column of rows; calls that were made together stand side by side."""

from collections.abc import Sequence
from itertools import groupby

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QWidget

from desktop_rag.agent.events import Source
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.sources.source_chips import SourceChips
from desktop_rag.gui.conversation.timeline.run_story import RunStory, StoryEntry
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, scaled, set_margins, set_role
from desktop_rag.gui.widgets.layouts import LEFT, TOP, in_column, in_row
from desktop_rag.gui.widgets.painted_button import FoldHeader, mirrored
from desktop_rag.gui.widgets.plain_labels import Label, PlainLabel
from desktop_rag.text.display import one_line

# A row of the timeline: an icon joined to its neighbours by a line, beside it what was done and its result.

_ICON_COLUMN, _ICON_SIZE = 30, 22  # pixels beside text of the usual size
_ABOVE = 5
_THOUGHT_CHARACTERS = 600  # longer thoughts are truncated
_TOOL_ICONS = {
    "search": "search",
    "keyword_search": "search",
    "semantic_search": "search",
    "naive_embedding_search": "search",
    "find": "quote",
    "open": "book",
    "read_chunks": "book",
    "chunk_read": "book",
    "gold": "book",
    "list_documents": "list",
    "compare": "compare",
    "calculate": "calculate",
    "summarize": "edit",
}
_REMARK_ICONS = {
    "plan": "list",
    "note": "edit",
    "pin": "bookmark",
    "discard": "remove",
    "more": "search",
    "extended": "add",
    "paused": "pause",
    "resumed": "play",
    "check": "quote",
    "route": "compare",
    "retry": "clock",
    "reading": "clock",
}


def icon_column() -> int:
    """Return the width that the icons and the line between them take, in pixels."""
    return scaled(_ICON_COLUMN)


def first_line_height() -> int:
    """Return the least height of the first line of a row, that of its icon."""
    return scaled(_ICON_SIZE)


class EntryRow(QWidget):
    """A thought, a remark, or a tool call with its result and sources."""

    def __init__(self, entry: StoryEntry, requests: ConversationRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self.entry = entry
        self._steerable = False
        self._joined_above = self._joined_below = False
        self._icon = "thought"
        self._sources: tuple[Source, ...] = ()
        self._waiting = True
        self._text = PlainLabel()
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._figures = Label()
        set_role(self._figures, "caption")
        self._figures.hide()
        self._result = PlainLabel("", "caption")
        self._result.hide()
        self._layout = in_column(
            in_row((self._text, 1), (self._figures, TOP), spacing=12), self._result, on=self, spacing=5, margins=None
        )
        self._chips: SourceChips | None = None
        self._make_room()

    def _make_room(self) -> None:
        """Leave room for the icon, whose size is that of the text."""
        set_margins(self._layout, icon_column() + 2, _ABOVE, 4, 7)
        for label in (self._text, self._figures):
            label.setMinimumHeight(first_line_height())

    def show_entry(self, *, counts_tokens: bool) -> None:
        """Show the current state of the entry; `counts_tokens` names the size of its result in the tooltip."""
        entry = self.entry
        self._waiting = not entry.done
        if entry.tool:
            self._icon = "warning" if entry.failed else _TOOL_ICONS.get(entry.tool, "list")
            self._text.setText(one_line(entry.summary or entry.tool))
        else:
            self._icon = _REMARK_ICONS.get(entry.remark, "thought")
            retried = self.tr("{0}. Next attempt within {1}").format(entry.thought, formatting.duration(entry.seconds))
            self._show_thought(retried if entry.remark == "retry" else entry.thought)
        if entry.done and entry.tool:
            self._figures.setText(formatting.duration(entry.seconds))
            self._figures.show()
            if counts_tokens and entry.tokens:
                size = formatting.tokens(entry.tokens, estimated=True)
                self._figures.setToolTip(tool_tip(self.tr("Its result takes {0} of the context").format(size)))
            self._show_result(entry)
        self.setAccessibleName(", ".join(filter(None, (self._text.text(), self._result.text()))))
        self.update()

    def _show_thought(self, thought: str) -> None:
        set_role(self._text, "muted")
        shown = thought.strip()
        truncated = shown if len(shown) <= _THOUGHT_CHARACTERS else shown[:_THOUGHT_CHARACTERS].rstrip() + " …"
        self._text.setText(truncated)

    def _show_result(self, entry: StoryEntry) -> None:
        empty = self.tr("Nothing found") if not entry.sources else ""
        result = one_line(entry.result) or empty
        self._result.setText(result if result != self._text.text() else "")
        self._result.setVisible(bool(self._result.text()))
        if entry.sources and entry.sources != self._sources:
            self._sources = entry.sources
            if self._chips is not None:
                self._chips.deleteLater()
            self._chips = SourceChips(entry.sources, self._requests, self)
            self._chips.set_steerable(steerable=self._steerable)
            self._layout.addWidget(self._chips)

    def set_steerable(self, *, steerable: bool) -> None:
        """Offer feedback on the sources of this row, or stop offering it."""
        self._steerable = steerable
        if self._chips is not None:
            self._chips.set_steerable(steerable=steerable)

    def join(self, *, above: bool, below: bool) -> None:
        """Draw a line to the row above or below."""
        if (above, below) != (self._joined_above, self._joined_below):
            self._joined_above, self._joined_below = above, below
            self.update()

    def minimumSizeHint(self) -> QSize:
        """Return a small width, so that the row can shrink with the window."""
        return QSize(160, super().minimumSizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        """Leave room for a larger or smaller icon."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.LayoutDirectionChange) and hasattr(self, "_chips"):
            self._make_room()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the icon and the line that joins it to its neighbours."""
        paint_step_icon(self, self._icon, waiting=self._waiting, above=self._joined_above, below=self._joined_below)


def paint_step_icon(row: QWidget, icon: str, *, waiting: bool, above: bool, below: bool) -> None:
    """Paint the icon of a row at its beginning, and the line to the row above or below."""
    colors = current_colors()
    painter = QPainter(row)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    size = first_line_height()
    centre = QRectF(mirrored(QRect(3, _ABOVE, size, size), row.rect())).center()
    painter.setPen(QPen(QColor(colors.border), 1.5))
    if above:
        painter.drawLine(QPointF(centre.x(), 0), QPointF(centre.x(), centre.y() - size / 2 - 2))
    if below:
        painter.drawLine(QPointF(centre.x(), centre.y() + size / 2 + 2), QPointF(centre.x(), row.height()))
    circle = QRectF(centre.x() - size / 2, centre.y() - size / 2, size, size)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colors.accent_soft if waiting else colors.code))
    painter.drawEllipse(circle)
    color = colors.link if waiting else colors.danger if icon == "warning" else colors.muted
    icons.draw(painter, circle.toRect(), icon, color, 14)


# Calls that the model made in one turn: side by side below a line that counts them and folds them away.

_LEAST_WIDTH = 300  # pixels of a call beside others
_MOST_COLUMNS = 3


class CallGroupHeader(FoldHeader):
    """How many calls there are, how many of them are done, and their seconds; a click folds or unfolds them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Shows these actions"), self.tr("Hides these actions"), parent)
        self.set_open(opened=True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.above = self.below = self._waiting = False
        self._figures = ""

    def show_state(self, text: str, figures: str, *, waiting: bool) -> None:
        """Show what the group is and how far it is."""
        self.setText(text)
        self._figures, self._waiting = figures, waiting
        self.setAccessibleName(", ".join(filter(None, (text, figures))))
        self.update()

    def sizeHint(self) -> QSize:
        """Return the height of the first line of a row."""
        return QSize(200, max(first_line_height(), self.fontMetrics().height()) + 2 * _ABOVE)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint icon, text, figures and the arrow."""
        colors = current_colors()
        painter = self.begin_painting()
        self.draw_quiet_ground(painter)
        painter.end()
        paint_step_icon(self, "list", waiting=self._waiting, above=self.above, below=self.below)
        painter = self.begin_painting()
        arrow_room = scaled(20)
        area = self.column(icon_column() + 2, self.width() - icon_column() - 6 - arrow_room)
        flags = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(colors.text))
        painter.drawText(area, flags | Qt.AlignmentFlag.AlignLeft, self.text())
        painter.setPen(QColor(colors.muted))
        painter.drawText(area, flags | Qt.AlignmentFlag.AlignRight, self._figures)
        place = self.column(self.width() - arrow_room, arrow_room - 4)
        icons.draw(painter, place, self.arrow, colors.faint, 14)


class CallGroup(QWidget):
    """The rows of these calls in as many columns as there is room for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[EntryRow] = []
        self._columns = 0
        self._joined_below = False
        self.header = CallGroupHeader(self)
        self._inside = QWidget(self)
        self._grid = QGridLayout(self._inside)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        in_column(self.header, self._inside, on=self, spacing=0, margins=(0, 0, 0, 4))
        self.header.folded.connect(self._on_folded)

    @property
    def columns(self) -> int:
        """Return how many calls are side by side."""
        return self._columns

    def show_rows(self, rows: Sequence[EntryRow]) -> None:
        """Show these rows; they become children of the group."""
        if list(rows) != self._rows:
            self._rows = list(rows)
            self._arrange(self._fitting())
        for row in rows:
            row.join(above=False, below=False)
        self.refresh()

    def refresh(self) -> None:
        """Show how many of the calls are done."""
        done = [row.entry for row in self._rows if row.entry.done]
        count = len(self._rows)
        text = formatting.counted(self.tr("%Ln action(s) at once", "", count), count)
        if waiting := len(done) < count:
            figures = self.tr("{0} of {1} done").format(formatting.number(len(done)), formatting.number(count))
        else:
            figures = formatting.duration(sum(entry.seconds for entry in done))
        self.header.show_state(text, figures, waiting=waiting)

    def join(self, *, above: bool, below: bool) -> None:
        """Draw a line to the row above, and on to the one below while the calls are folded."""
        self._joined_below = below
        self.header.above, self.header.below = above, below and not self.header.is_open
        self.header.update()

    @Slot(bool)
    def _on_folded(self, unfolded: bool) -> None:  # noqa: FBT001 - a slot
        self._inside.setVisible(unfolded)
        self.join(above=self.header.above, below=self._joined_below)

    def _fitting(self) -> int:
        return max(1, min(_MOST_COLUMNS, len(self._rows), self.width() // _LEAST_WIDTH))

    def _arrange(self, columns: int) -> None:
        self._columns = columns
        for place, row in enumerate(self._rows):
            self._grid.addWidget(row, place // columns, place % columns, Qt.AlignmentFlag.AlignTop)
        for column in range(_MOST_COLUMNS):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use as many columns as there is room for."""
        super().resizeEvent(event)
        if self._fitting() != self._columns:
            self._arrange(self._fitting())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(current_colors().window))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0, 1, 0, -2), 8, 8)


_ROWS_AT_ONCE = 4
_WINDOW = 20  # rows shown at first: laying out hundreds takes seconds


class StoryRows(QWidget):
    """The last rows of one run, earlier ones on request; calls of one turn of the model stand side by side."""

    def __init__(self, story: RunStory, requests: ConversationRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self._story = story
        self._steerable = False
        self._last_step: int | None = None  # later ones are hidden
        self._most = _WINDOW
        self._rows: dict[str, EntryRow] = {}
        self._groups: dict[tuple[int, int], CallGroup] = {}  # by step, and number in the step
        self._build = QTimer(self)
        self._build.setInterval(0)
        self._build.timeout.connect(self.show_all)
        self._earlier = QPushButton(self)
        set_role(self._earlier, "link")
        self._earlier.clicked.connect(self._on_earlier_clicked)
        self._earlier.hide()
        self._summary = PlainLabel("", "caption")
        self._summary.hide()
        self._layout = in_column((self._earlier, LEFT), self._summary, on=self, spacing=0, margins=(0, 0, 0, 4))

    def rows(self) -> list[EntryRow]:
        """Return the rows shown, oldest first."""
        return list(self._rows.values())

    def show_summary(self, text: str) -> None:
        """Show how the run was made below its steps."""
        set_margins(self._summary, icon_column() + 2, 2, 4, 2)
        self._summary.setText(text)
        self._summary.setVisible(bool(text))

    def set_steerable(self, *, steerable: bool) -> None:
        """Offer feedback on the sources of every row, or stop offering it."""
        self._steerable = steerable
        for row in self._rows.values():
            row.set_steerable(steerable=steerable)

    def show_until(self, step: int | None) -> None:
        """Hide the rows of later steps; None shows the last ones."""
        self._last_step = step
        self._summary.setVisible(step is None and bool(self._summary.text()))
        self.show_all()

    def show_entry(self, entry: StoryEntry) -> None:
        """Add or update the row of `entry`."""
        if entry.key in self._rows:
            self._rows[entry.key].show_entry(counts_tokens=self._story.uses_model)
            for group in self._groups.values():
                group.refresh()
        else:
            self.show_all()

    @Slot()
    def _on_earlier_clicked(self) -> None:
        self._most += _WINDOW
        self.show_all()

    @Slot()
    def show_all(self) -> None:
        """Add the rows that are missing, a few at once while the window stays responsive, and remove the others."""
        last = self._last_step
        entries = [entry for entry in self._story.entries if last is None or entry.step <= last]
        shown = entries[-self._most :]
        keys = {entry.key for entry in shown}
        gone: list[QWidget] = [self._rows.pop(key) for key in [key for key in self._rows if key not in keys]]
        missing = [entry for entry in shown if entry.key not in self._rows]
        for entry in missing[-_ROWS_AT_ONCE:]:  # the last ones first: they are next to the answer
            self._rows[entry.key] = self._new_row(entry)
        self._rows = {entry.key: self._rows[entry.key] for entry in shown if entry.key in self._rows}
        gone += self._place_rows()
        for widget in gone:
            self._layout.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._show_earlier(len(entries) - len(shown))
        if len(missing) > _ROWS_AT_ONCE:
            self._build.start()
        else:
            self._build.stop()

    def _show_earlier(self, count: int) -> None:
        self._earlier.setVisible(count > 0)
        text = formatting.counted(self.tr("%Ln earlier row(s)", "", count), count)
        self._earlier.setText(text)
        self._earlier.setAccessibleName(text)

    def _new_row(self, entry: StoryEntry) -> EntryRow:
        row = EntryRow(entry, self._requests, self)
        row.set_steerable(steerable=self._steerable)
        row.show_entry(counts_tokens=self._story.uses_model)
        return row

    def _place_rows(self) -> list[CallGroup]:
        """Lay out rows and groups in order and join them by lines; return the groups that are empty now."""
        items: list[EntryRow | CallGroup] = []
        before, self._groups = self._groups, {}
        turns = groupby(self._rows.values(), lambda row: (row.entry.step, bool(row.entry.tool)))
        for (step, are_calls), turn in turns:
            rows = list(turn)
            if not are_calls or len(rows) == 1:
                items += rows
                continue
            key = (step, sum(other == step for other, _ in self._groups))
            group = self._groups[key] = before.pop(key) if key in before else CallGroup(self)
            group.show_rows(rows)
            items.append(group)
        for place, item in enumerate(items):
            if self._layout.indexOf(item) != place + 1:
                self._layout.insertWidget(place + 1, item)
            item.join(above=place > 0, below=place + 1 < len(items))
        return list(before.values())

    @property
    def groups(self) -> tuple[CallGroup, ...]:
        """Return the groups of calls that the model made in one turn, in order."""
        return tuple(self._groups.values())
