"""A row of the timeline: an icon joined to its neighbours by a line, beside it what was done and its result."""

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_rag.agent.events import Source
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.sources.source_chips import SourceChips
from desktop_rag.gui.conversation.timeline.run_story import StoryEntry
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.density import set_margins
from desktop_rag.gui.theme.theme import current_colors, scaled, set_role
from desktop_rag.gui.widgets.plain_labels import Label, PlainLabel
from desktop_rag.gui.widgets.row_painting import mirrored
from desktop_rag.text.display import one_line

_ICON_COLUMN, _ICON_SIZE = 30, 22  # pixels beside text of the usual size
TOP = 5
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
        self._layout = QVBoxLayout(self)
        self._layout.setSpacing(5)
        line = QHBoxLayout()
        line.setSpacing(12)
        self._text = PlainLabel()
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._figures = Label()
        set_role(self._figures, "caption")
        self._figures.hide()
        line.addWidget(self._text, 1)
        line.addWidget(self._figures, 0, Qt.AlignmentFlag.AlignTop)
        self._layout.addLayout(line)
        self._result = PlainLabel("", "caption")
        self._result.hide()
        self._layout.addWidget(self._result)
        self._chips: SourceChips | None = None
        self._make_room()

    def _make_room(self) -> None:
        """Leave room for the icon, whose size is that of the text."""
        set_margins(self._layout, icon_column() + 2, TOP, 4, 7)
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
    centre = QRectF(mirrored(QRect(3, TOP, size, size), row.rect())).center()
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
