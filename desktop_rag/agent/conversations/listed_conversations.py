"""The conversations as a list: titles, order, tags, marks, drafts, and which one is shown."""

import re
from collections.abc import Generator, Sequence, Set
from contextlib import contextmanager
from itertools import count

from desktop_rag.agent.conversations.backups import counted_transaction
from desktop_rag.agent.conversations.transcript import NEW, ConversationId, ConversationSummary, RunStatus
from desktop_rag.errors import ConversationError, LibraryError
from desktop_rag.index.catalog.database import Database

TITLE = 120  # characters of the first question that become the title
_NUMBERED = re.compile(r"(.+)( \(\d+\))", re.DOTALL)

_SUMMARIES = """
SELECT id, title, updated_ns, (SELECT count(*) FROM turn WHERE conversation = c.id),
    (SELECT state FROM turn WHERE conversation = c.id ORDER BY number DESC LIMIT 1),
    unread, EXISTS (SELECT 1 FROM draft WHERE conversation = c.id), pinned AND NOT archived, archived,
    (SELECT group_concat(name, char(10)) FROM (SELECT name FROM tag WHERE conversation = c.id ORDER BY name))
FROM conversation AS c ORDER BY updated_ns DESC, id DESC
"""


class ListedConversations:
    """Reads and changes what the list of conversations shows; the turns are those of `ConversationStore`."""

    _db: Database

    @property
    def _version(self) -> int:
        """The format of the file, earlier than `FORMAT` if it cannot be written."""
        return self._db.number("PRAGMA user_version")

    def summaries(self) -> tuple[ConversationSummary, ...]:
        """Return all conversations, the last updated first."""
        with conversation_errors("read"):
            if self._version < 5:  # of an earlier version, and it cannot be written
                rows = self._db.rows(tuple[int, str, int], "SELECT id, title, updated_ns FROM conversation")
                plain = (ConversationSummary(ConversationId(i), title, updated, 1) for i, title, updated in rows)
                return tuple(sorted(plain, key=lambda summary: (-summary.updated_ns, -summary.id)))
            found = self._db.rows(tuple[int, str, int, int, str | None, int, int, int, int, str | None], _SUMMARIES)
        return tuple(
            ConversationSummary(
                ConversationId(number),
                title,
                updated,
                turns,
                RunStatus(state or "answered"),
                unread=bool(unread),
                draft=bool(draft),
                pinned=bool(pinned),
                archived=bool(archived),
                tags=tuple(tags.split("\n")) if tags else (),
            )
            for number, title, updated, turns, state, unread, draft, pinned, archived, tags in found
        )

    def tag(self, conversation: ConversationId, tags: Sequence[str]) -> None:
        """Replace the tags of a conversation; spaces within a tag become hyphens."""
        names = {"-".join(tag.split()) for tag in tags}
        with self._writing():
            self._db.execute("DELETE FROM tag WHERE conversation = ?", (conversation,))
            known = "INSERT INTO tag SELECT id, ?2 FROM conversation WHERE id = ?1"
            self._db.execute_many(known, [(conversation, name) for name in sorted(names) if name])

    def pin(self, conversation: ConversationId, *, pinned: bool) -> None:
        """Keep a conversation at the top of the list, or no more; a pinned one is not archived."""
        sql = "UPDATE conversation SET pinned = ?1, archived = archived AND NOT ?1 WHERE id = ?2"
        with self._writing():
            self._db.execute(sql, (pinned, conversation))

    def archive(self, conversation: ConversationId, *, archived: bool) -> None:
        """Move a conversation out of the list, or back, to where it was pinned."""
        sql = "UPDATE conversation SET archived = ?1 WHERE id = ?2"
        with self._writing():
            self._db.execute(sql, (archived, conversation))

    def mark_unread(self, conversation: ConversationId, *, unread: bool) -> None:
        """Note whether the last run of a conversation ended out of sight."""
        with self._writing():
            self._db.execute("UPDATE conversation SET unread = ? WHERE id = ?", (unread, conversation))

    def drafts(self) -> dict[ConversationId, str]:
        """Return the drafts by conversation; `NEW` is the one of a new conversation."""
        with conversation_errors("read"):
            rows = self._db.rows(tuple[int, str], "SELECT conversation, text FROM draft") if self._version >= 4 else []
        return {ConversationId(number): text for number, text in rows}

    def save_draft(self, conversation: ConversationId, text: str) -> None:
        """Write the draft of a conversation or of a new one (`NEW`); an empty text deletes it."""
        with self._writing():
            self._db.execute("DELETE FROM draft WHERE conversation = ?", (conversation,))
            known = "SELECT ?1, ?2 WHERE ?1 = 0 OR EXISTS (SELECT 1 FROM conversation WHERE id = ?1)"
            if text.strip():
                self._db.execute(f"INSERT INTO draft {known}", (conversation, text))

    def shown(self) -> tuple[ConversationId, int]:
        """Return the conversation shown last, `NEW` if it was deleted, and the turn at the top, 0 for the end."""
        sql = "SELECT id, turn FROM conversation JOIN shown ON conversation = id"
        with conversation_errors("read"):
            found = self._db.row(tuple[int, int], sql) if self._version >= 6 else None
        return (ConversationId(found[0]), found[1]) if found else (NEW, 0)

    def remember_shown(self, conversation: ConversationId, turn: int = 0) -> None:
        """Note which conversation is shown, `NEW` for a new one, and the turn at its top, 0 for its end."""
        with self._writing():
            self._db.execute("UPDATE shown SET conversation = ?, turn = ?", (conversation, turn))

    def rename(self, conversation: ConversationId, title: str) -> None:
        """Rename a conversation; an empty title is ignored."""
        if title.strip():
            with self._writing():
                self._db.execute("UPDATE conversation SET title = ? WHERE id = ?", (title_of(title), conversation))

    @contextmanager
    def _writing(self) -> Generator[None]:
        with conversation_errors("changed"), counted_transaction(self._db):
            yield


@contextmanager
def conversation_errors(what: str) -> Generator[None]:
    """Turn database errors into `ConversationError`."""
    try:
        yield
    except (LibraryError, OSError) as error:
        raise ConversationError(f"The conversations could not be {what} ({error.__cause__ or error}).") from error


def title_of(text: str) -> str:
    """Return a question as a title."""
    return " ".join(text.split())[:TITLE]


def title_of_copy(title: str, taken: Set[str]) -> str:
    """Return the title of a copy, as in “When does the lease end? (2)”, that is not yet `taken`."""
    base = split_number(title)[0]
    titles = (f"{base[: TITLE - len(number)]}{number}" for number in (f" ({n})" for n in count(2)))
    return next(each for each in titles if each not in taken)


def split_number(title: str) -> tuple[str, str]:
    """Return a title without the number of a copy, and the number with its space; empty if it has none."""
    found = _NUMBERED.fullmatch(title)
    return (found[1], found[2]) if found else (title, "")
