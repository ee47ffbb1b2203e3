"""The steps of a run: a column of icons joined by a line, beside each what was done and its result."""

from itertools import groupby

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_rag.agent.events import Source
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.sources.source_chips import SourceChips
from desktop_rag.gui.conversation.timeline.run_story import RunStory, StoryEntry
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import current_colors, set_role
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.text.display import one_line

_ICON_COLUMN = 30  # pixels
_ICON_SIZE = 22
_TOP = 5
_ROWS_AT_ONCE = 4
_WINDOW = 20  # rows shown at first: laying out hundreds takes seconds
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
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(_ICON_COLUMN + 2, _TOP, 4, 7)
        self._layout.setSpacing(5)
        line = QHBoxLayout()
        line.setSpacing(12)
        self._text = PlainLabel()
        self._text.setMinimumHeight(_ICON_SIZE)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._figures = QLabel()
        self._figures.setTextFormat(Qt.TextFormat.PlainText)
        set_role(self._figures, "caption")
        line.addWidget(self._text, 1)
        line.addWidget(self._figures, 0, Qt.AlignmentFlag.AlignTop)
        self._figures.setMinimumHeight(_ICON_SIZE)
        self._layout.addLayout(line)
        self._result = PlainLabel("", "caption")
        self._result.hide()
        self._layout.addWidget(self._result)
        self._chips: SourceChips | None = None

    def show_entry(self, *, counts_tokens: bool) -> None:
        """Show the current state of the entry; `counts_tokens` names the size of its result in the tooltip."""
        entry = self.entry
        self._waiting = not entry.done
        if entry.tool:
            self._icon = "warning" if entry.failed else _TOOL_ICONS.get(entry.tool, "list")
            self._text.setText(one_line(entry.summary or entry.tool))
        else:
            self._icon = _REMARK_ICONS.get(entry.remark, "thought")
            retried = self.tr("{0}. Tried again after {1}").format(entry.thought, formatting.duration(entry.seconds))
            self._show_thought(retried if entry.remark == "retry" else entry.thought)
        if entry.done and entry.tool:
            self._figures.setText(formatting.duration(entry.seconds))
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

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the icon and the line that joins it to its neighbours."""
        colors = current_colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        centre = QPointF(3 + _ICON_SIZE / 2, _TOP + _ICON_SIZE / 2)
        painter.setPen(QPen(QColor(colors.border), 1.5))
        if self._joined_above:
            painter.drawLine(QPointF(centre.x(), 0), QPointF(centre.x(), centre.y() - _ICON_SIZE / 2 - 2))
        if self._joined_below:
            painter.drawLine(QPointF(centre.x(), centre.y() + _ICON_SIZE / 2 + 2), QPointF(centre.x(), self.height()))
        circle = QRectF(centre.x() - _ICON_SIZE / 2, centre.y() - _ICON_SIZE / 2, _ICON_SIZE, _ICON_SIZE)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.accent_soft if self._waiting else colors.code))
        painter.drawEllipse(circle)
        color = colors.link if self._waiting else colors.danger if self._icon == "warning" else colors.muted
        icons.draw(painter, circle.toRect(), self._icon, color, 14)


class StoryRows(QWidget):
    """The last rows of one run, earlier ones on request; calls of one turn of the model stand on a common ground."""

    def __init__(self, story: RunStory, requests: ConversationRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self._story = story
        self._steerable = False
        self._last_step: int | None = None  # later ones are hidden
        self._most = _WINDOW
        self._rows: dict[str, EntryRow] = {}
        self._build = QTimer(self)
        self._build.setInterval(0)
        self._build.timeout.connect(self.show_all)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 4)
        self._layout.setSpacing(0)
        self._earlier = QPushButton(self)
        set_role(self._earlier, "link")
        self._earlier.clicked.connect(self._on_earlier_clicked)
        self._earlier.hide()
        self._summary = PlainLabel("", "caption")
        self._summary.setContentsMargins(_ICON_COLUMN + 2, 2, 4, 2)
        self._summary.hide()
        self._layout.addWidget(self._earlier, 0, Qt.AlignmentFlag.AlignLeft)
        self._layout.addWidget(self._summary)

    def rows(self) -> list[EntryRow]:
        """Return the rows shown, oldest first."""
        return list(self._rows.values())

    def show_summary(self, text: str) -> None:
        """Show how the run was made below its steps."""
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
        for key in [key for key in self._rows if key not in keys]:
            row = self._rows.pop(key)
            self._layout.removeWidget(row)
            row.hide()
            row.deleteLater()
        missing = [entry for entry in shown if entry.key not in self._rows]
        for entry in missing[-_ROWS_AT_ONCE:]:  # the last ones first: they are next to the answer
            self._rows[entry.key] = self._new_row(entry)
        self._rows = {entry.key: self._rows[entry.key] for entry in shown if entry.key in self._rows}
        for place, row in enumerate(self._rows.values(), 1):
            if self._layout.indexOf(row) != place:
                self._layout.insertWidget(place, row)
        self._show_earlier(len(entries) - len(shown))
        self._join()
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

    def _join(self) -> None:
        """Draw the line between the icons of neighbouring rows."""
        shown = list(self._rows.values())
        for number, row in enumerate(shown):
            row.join(above=number > 0, below=number + 1 < len(shown))

    def groups(self) -> list[QRect]:
        """Return the areas of calls that the model made in one turn."""
        found: list[QRect] = []
        calls = (row for row in self._rows.values() if row.entry.tool)
        for _, turn in groupby(calls, lambda row: row.entry.step):
            rows = list(turn)
            if len(rows) > 1:
                found.append(rows[0].geometry().united(rows[-1].geometry()))
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground of each group of calls."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(current_colors().window))
        for area in self.groups():
            painter.drawRoundedRect(QRectF(area).adjusted(0, 1, 0, -2), 8, 8)
