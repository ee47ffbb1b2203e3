"""The steps of a run as a column of rows; calls that were made together stand side by side."""

from itertools import groupby

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.timeline.call_group import CallGroup
from desktop_rag.gui.conversation.timeline.entry_row import EntryRow, icon_column
from desktop_rag.gui.conversation.timeline.run_story import RunStory, StoryEntry
from desktop_rag.gui.theme.density import set_margins
from desktop_rag.gui.theme.theme import set_role
from desktop_rag.gui.widgets.plain_labels import PlainLabel

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
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 4)
        self._layout.setSpacing(0)
        self._earlier = QPushButton(self)
        set_role(self._earlier, "link")
        self._earlier.clicked.connect(self._on_earlier_clicked)
        self._earlier.hide()
        self._summary = PlainLabel("", "caption")
        self._summary.hide()
        self._layout.addWidget(self._earlier, 0, Qt.AlignmentFlag.AlignLeft)
        self._layout.addWidget(self._summary)

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
