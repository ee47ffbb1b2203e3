"""The list of conversations, newest first, with relative dates."""

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import QAbstractListModel, QDate, QLocale, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from desktop_rag.agent.conversations.transcript import ConversationId, ConversationSummary
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.text.display import one_line

CONVERSATION_ROLE = Qt.ItemDataRole.UserRole + 1  # the ConversationSummary itself
WHEN_ROLE = Qt.ItemDataRole.UserRole + 2  # when it was last used, as text

_ROOT = QModelIndex()
_EDITABLE = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsEditable


class ConversationsModel(QAbstractListModel):
    """One row per conversation; editing a row requests a rename, which the owner carries out."""

    rename_requested = Signal(object, str)  # a ConversationId and the title that was typed

    def __init__(self, now: Callable[[], datetime] = datetime.now, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now = now
        self._all: tuple[ConversationSummary, ...] = ()
        self._shown: tuple[ConversationSummary, ...] = ()
        self._filter = ""
        self._hidden: frozenset[ConversationId] = frozenset()

    def show_conversations(self, conversations: Sequence[ConversationSummary]) -> None:
        """Replace the list."""
        self._all = tuple(sorted(conversations, key=lambda summary: summary.updated_ns, reverse=True))
        self._refill()

    def filter(self, words: str) -> None:
        """Show only conversations whose titles contain all of the space-separated `words`."""
        self._filter = words
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
        """Return the conversation in `row`, or None outside the list."""
        return self._shown[row] if 0 <= row < len(self._shown) else None

    def row_of(self, conversation: ConversationId) -> int:
        """Return the row of a conversation, or -1."""
        return next((row for row, summary in enumerate(self._shown) if summary.id == conversation), -1)

    def is_filtered(self) -> bool:
        """Return whether the filter hides any conversation."""
        return len(self._shown) < len(self._not_hidden())

    def _not_hidden(self) -> tuple[ConversationSummary, ...]:
        return tuple(summary for summary in self._all if summary.id not in self._hidden)

    def _refill(self) -> None:
        words = self._filter.casefold().split()
        shown = tuple(s for s in self._not_hidden() if all(word in s.title.casefold() for word in words))
        if shown == self._shown:
            return
        if len(shown) == len(self._shown):
            self._shown = shown
            self.dataChanged.emit(self.index(0), self.index(len(shown) - 1))
            return
        self.beginResetModel()
        self._shown = shown
        self.endResetModel()

    def when(self, summary: ConversationSummary) -> str:
        """Return when a conversation was last used: a time today, then a weekday, then a date."""
        then = datetime.fromtimestamp(summary.updated_ns / 1e9)
        days = (self._now().date() - then.date()).days
        locale = QLocale()
        if days <= 0:
            return f"{then:%H:%M}"
        if days == 1:
            return self.tr("Yesterday")
        date = QDate(then.year, then.month, then.day)
        if days < 7:
            return locale.dayName(date.dayOfWeek(), QLocale.FormatType.LongFormat)
        return locale.toString(date, QLocale.FormatType.ShortFormat)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        """Return the number of conversations shown."""
        return 0 if parent.isValid() else len(self._shown)

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        """Return the flags of an editable row."""
        return _EDITABLE if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a title, a date as text, or the summary itself."""
        summary = self.conversation(index.row())
        if summary is None:
            return None
        title = one_line(summary.title) or self.tr("New conversation")
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return title
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip(title)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{title}. {self.when(summary)}"
        return {CONVERSATION_ROLE: summary, WHEN_ROLE: self.when(summary)}.get(role)

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
