"""The list of conversations, newest first, in groups, with marks and relative dates."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QDate,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop_rag.agent.conversations.transcript import ConversationId, ConversationSummary, FoundTurn, RunStatus
from desktop_rag.gui.formatting import shown_day, tool_tip
from desktop_rag.text.display import one_line

# The order of the conversation list: pinned ones, then by day, month and year, the archived ones last.


@dataclass(frozen=True, slots=True)
class ConversationGroup:
    """A heading in the list; `folded` is None for one that cannot be folded."""

    title: str
    count: int
    folded: bool | None = None


def grouped(
    conversations: Iterable[ConversationSummary], today: date, *, fold_archive: bool
) -> tuple[ConversationGroup | ConversationSummary, ...]:
    """Return the rows of the list, newest first within each group, with a heading above each."""
    newest = sorted(conversations, key=lambda summary: summary.updated_ns, reverse=True)
    groups: dict[str, list[ConversationSummary]] = {}
    for summary in (s for s in newest if s.pinned):
        groups.setdefault(_tr("Pinned"), []).append(summary)
    for summary in (s for s in newest if not s.pinned and not s.archived):
        groups.setdefault(_period(day_of(summary), today), []).append(summary)
    rows: list[ConversationGroup | ConversationSummary] = []
    for title, members in groups.items():
        rows += [ConversationGroup(title, len(members)), *members]
    archived = [s for s in newest if s.archived]
    if archived:
        rows.append(ConversationGroup(_tr("Archived"), len(archived), fold_archive))
        rows += [] if fold_archive else archived
    return tuple(rows)


def day_of(summary: ConversationSummary) -> date:
    """Return the day on which a conversation was last used."""
    return datetime.fromtimestamp(summary.updated_ns / 1e9).date()


def _period(day: date, today: date) -> str:
    days = (today - day).days
    if days <= 0:
        return _tr("Today")
    if days == 1:
        return _tr("Yesterday")
    if day.isocalendar()[:2] == today.isocalendar()[:2]:
        return _tr("This week")
    month = QLocale().standaloneMonthName(day.month)
    if (day.year, day.month) == (today.year, today.month):
        return _tr("Earlier in {0}").format(month)
    return month if day.year == today.year else _tr("{0} {1}").format(month, day.year)


def _tr(text: str) -> str:
    return QCoreApplication.translate("ConversationGroups", text)


CONVERSATION_ROLE = Qt.ItemDataRole.UserRole + 1  # the ConversationSummary itself
WHEN_ROLE = Qt.ItemDataRole.UserRole + 2  # when it was last used, as text
MARK_ROLE = Qt.ItemDataRole.UserRole + 3  # its ConversationMark, or None
LINE_ROLE = Qt.ItemDataRole.UserRole + 4  # the line that contains the words searched for, else the tags; may be empty
GROUP_ROLE = Qt.ItemDataRole.UserRole + 5  # the ConversationGroup of a heading
TURN_ROLE = Qt.ItemDataRole.UserRole + 6  # the number of the turn with the words searched for, or 0

TAG = "tag:"  # before the name of a tag, or its beginning, in the search field

_ROOT = QModelIndex()
_EDITABLE = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsEditable


def tags_in(query: str) -> tuple[str, tuple[str, ...]]:
    """Return the words of a search without the tags, and the tags."""
    words = query.split()
    tags = tuple(word[len(TAG) :].casefold() for word in words if word.casefold().startswith(TAG))
    return " ".join(word for word in words if not word.casefold().startswith(TAG)), tags


class ConversationMark(StrEnum):
    """What is special about a conversation; the most urgent one is shown."""

    RUNNING = "running"
    QUEUED = "queued"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    UNREAD = "unread"
    DRAFT = "draft"


class ConversationsModel(QAbstractListModel):
    """One row per conversation and per heading; editing a row requests a rename, which the owner carries out."""

    rename_requested = Signal(object, str)  # a ConversationId and the title that was typed

    def __init__(self, now: Callable[[], datetime] = datetime.now, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now = now
        self._all: tuple[ConversationSummary, ...] = ()
        self._rows: tuple[ConversationGroup | ConversationSummary, ...] = ()
        self._filter = ""
        self._found: dict[ConversationId, FoundTurn] = {}
        self._running: Mapping[ConversationId, RunStatus] = {}
        self._hidden: frozenset[ConversationId] = frozenset()
        self._fold_archive = True

    def show_conversations(self, conversations: Sequence[ConversationSummary]) -> None:
        """Replace the list."""
        self._all = tuple(conversations)
        self._refill()

    def show_running(self, states: Mapping[ConversationId, RunStatus]) -> None:
        """Mark the conversations with a run in progress or queued."""
        self._running = states
        self._refill()

    def filter(self, words: str) -> None:
        """Show only conversations with all of the space-separated `words` in their title, or found by `show_found`."""
        self._filter, self._found = words, {}
        self._refill()

    def show_found(self, words: str, found: Sequence[FoundTurn]) -> None:
        """Show also the conversations whose text contains `words`, unless the filter has changed since."""
        if words == self._filter:
            self._found = {each.conversation: each for each in found}
            self._refill()

    def toggle_archive(self) -> None:
        """Show or hide the archived conversations."""
        self._fold_archive = not self._fold_archive
        self._refill()

    def hide(self, conversation: ConversationId) -> None:
        """Leave a conversation out, also from later lists."""
        self._hidden |= {conversation}
        self._refill()

    def bring_back(self, conversation: ConversationId) -> None:
        """Undo `hide`."""
        self._hidden -= {conversation}
        self._refill()

    def conversations(self) -> Sequence[ConversationSummary]:
        """Return all conversations that are not left out, also those that the filter hides."""
        return [summary for summary in self._all if summary.id not in self._hidden]

    def conversation(self, row: int) -> ConversationSummary | None:
        """Return the conversation in `row`, or None for a heading and outside the list."""
        found = self._rows[row] if 0 <= row < len(self._rows) else None
        return found if isinstance(found, ConversationSummary) else None

    def row_of(self, conversation: ConversationId) -> int:
        """Return the row of a conversation, or -1."""
        rows = enumerate(self._rows)
        return next((n for n, row in rows if isinstance(row, ConversationSummary) and row.id == conversation), -1)

    def is_filtered(self) -> bool:
        """Return whether the filter hides any conversation."""
        return any(not self._matches(summary) for summary in self._not_hidden())

    def _not_hidden(self) -> tuple[ConversationSummary, ...]:
        return tuple(summary for summary in self._all if summary.id not in self._hidden)

    def _matches(self, summary: ConversationSummary) -> bool:
        words, tags = tags_in(self._filter)
        if not all(any(tag.casefold().startswith(wanted) for tag in summary.tags) for wanted in tags):
            return False
        title = summary.title.casefold()
        return summary.id in self._found or all(word in title for word in words.casefold().split())

    def _refill(self) -> None:
        shown = [summary for summary in self._not_hidden() if self._matches(summary)]
        rows = grouped(shown, self._now().date(), fold_archive=self._fold_archive and not self._filter.strip())
        if [type(row) for row in rows] == [type(row) for row in self._rows]:
            self._rows = rows
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def mark(self, summary: ConversationSummary) -> ConversationMark | None:
        """Return the mark of a conversation."""
        match self._running.get(summary.id, summary.state):
            case RunStatus.RUNNING:
                return ConversationMark.RUNNING
            case RunStatus.QUEUED:
                return ConversationMark.QUEUED
            case RunStatus.FAILED:
                return ConversationMark.FAILED
            case RunStatus.INTERRUPTED:
                return ConversationMark.INTERRUPTED
        if summary.unread:
            return ConversationMark.UNREAD
        return ConversationMark.DRAFT if summary.draft else None

    def mark_name(self, mark: ConversationMark) -> str:
        """Return a mark in words."""
        return {
            ConversationMark.RUNNING: self.tr("Being answered"),
            ConversationMark.QUEUED: self.tr("Queued"),
            ConversationMark.FAILED: self.tr("Failed"),
            ConversationMark.INTERRUPTED: self.tr("Interrupted"),
            ConversationMark.UNREAD: self.tr("New answer"),
            ConversationMark.DRAFT: self.tr("Draft"),
        }[mark]

    def when(self, summary: ConversationSummary) -> str:
        """Return when a conversation was last used: a time today and yesterday, then a weekday, then a date."""
        then = datetime.fromtimestamp(summary.updated_ns / 1e9)
        days = (self._now().date() - then.date()).days
        if days <= 1 and not (summary.pinned and days == 1):
            return f"{then:%H:%M}"
        if days == 1:
            return self.tr("Yesterday")
        day = QDate(then.year, then.month, then.day)
        if days < 7:
            return QLocale().dayName(day.dayOfWeek(), QLocale.FormatType.ShortFormat)
        return shown_day(day)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        """Return the number of rows shown."""
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        """Return the flags of an editable row; of the headings only one that can be folded is enabled."""
        row = self._rows[index.row()] if index.isValid() else None
        if isinstance(row, ConversationGroup):
            return Qt.ItemFlag.NoItemFlags if row.folded is None else Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.NoItemFlags if row is None else _EDITABLE

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a title, a date as text, a mark, or the summary or group itself."""
        if not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if isinstance(row, ConversationGroup):
            return self._group_data(row, role)
        title = one_line(row.title) or self.tr("New conversation")
        mark, found = self.mark(row), self._found.get(row.id)
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return title
            case Qt.ItemDataRole.ToolTipRole:
                parts = (title, self.mark_name(mark) if mark else "", self._tags(row))
                return tool_tip("\n".join(filter(None, parts)))
            case Qt.ItemDataRole.AccessibleTextRole:
                known = (self.mark_name(mark) if mark else "", self._tags(row), found.line if found else "")
                return ". ".join(filter(None, (title, self.when(row), *known)))
        line = found.line if found and found.line != title else " ".join(f"#{tag}" for tag in row.tags)
        roles = {CONVERSATION_ROLE: row, WHEN_ROLE: self.when(row), MARK_ROLE: mark, LINE_ROLE: line}
        return (roles | {TURN_ROLE: found.number if found else 0}).get(role)

    def _tags(self, summary: ConversationSummary) -> str:
        return self.tr("Tags: {0}").format(", ".join(summary.tags)) if summary.tags else ""

    def _group_data(self, group: ConversationGroup, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return group.title if group.folded is None else f"{group.title} ({group.count})"
            case Qt.ItemDataRole.AccessibleTextRole if group.folded is not None:
                state = self.tr("folded") if group.folded else self.tr("unfolded")
                return f"{group.title} ({group.count}), {state}"
            case Qt.ItemDataRole.AccessibleTextRole:
                return group.title
        return group if role == GROUP_ROLE else None

    def setData(
        self, index: QModelIndex | QPersistentModelIndex, value: object, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Request a rename; the list changes when the owner shows a new one."""
        summary = self.conversation(index.row())
        title = str(value).strip()
        if summary is None or role != Qt.ItemDataRole.EditRole or not title or title == summary.title:
            return False
        self.rename_requested.emit(summary.id, title)
        return True
