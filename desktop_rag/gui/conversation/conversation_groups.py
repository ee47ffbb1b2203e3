"""The order of the conversation list: pinned ones, then by day, month and year, the archived ones last."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from PySide6.QtCore import QCoreApplication, QLocale

from desktop_rag.agent.conversations.transcript import ConversationSummary


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
