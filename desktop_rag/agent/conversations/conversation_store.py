"""Stores conversations in a database of their own: they are the user's data and cannot be rebuilt.

Every commit is flushed to disk, copies rotate beside the file, and a damaged or lost file is replaced by the newest
sound copy. If nothing can be written, the stored conversations can still be read.
"""

import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from desktop_rag.agent.conversations.backups import counted_transaction, erase_traces, keep_copy, open_database
from desktop_rag.agent.conversations.conversation_schema import FORMAT, prepare
from desktop_rag.agent.conversations.erasing import Forgotten, citations_of, erase_from_turn
from desktop_rag.agent.conversations.transcript import (
    NEW,
    WHOLE_LIBRARY,
    ChosenScope,
    Conversation,
    ConversationId,
    ConversationSummary,
    FoundTurn,
    RunStatus,
    Turn,
    run_state,
)
from desktop_rag.agent.conversations.turn_search import forget_conversation, found_turn, index_turn, turns_with
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    ContextMeasured,
    LimitReached,
    Remark,
    RetryAnnounced,
    Routed,
    RunFailed,
    RunStarted,
    RunStopped,
    StepStarted,
    Thought,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.errors import ConversationError, LibraryError
from desktop_rag.index.catalog.database import Database
from desktop_rag.processes.wire import Wire

TITLE = 120  # characters of the first question that become the title

# The order is the format on disk: append new types, never remove one.
EVENTS: tuple[type[AgentEvent], ...] = (
    RunStarted,
    StepStarted,
    Thought,
    ToolCalled,
    ToolReturned,
    AnswerDelta,
    AnswerRestarted,
    ContextMeasured,
    LimitReached,
    Answered,
    RunStopped,
    RunFailed,
    Remark,
    Routed,
    RetryAnnounced,
)

_SUMMARIES = """
SELECT id, title, updated_ns, (SELECT count(*) FROM turn WHERE conversation = c.id),
    (SELECT state FROM turn WHERE conversation = c.id ORDER BY number DESC LIMIT 1),
    unread, EXISTS (SELECT 1 FROM draft WHERE conversation = c.id), pinned, archived
FROM conversation AS c ORDER BY updated_ns DESC, id DESC
"""
_RENAMED_STANDINGS = {"verified": "supported", "corrected": "relocated", "unverified": "unsupported"}
_CITE = "INSERT INTO citation VALUES (?, ?, ?, ?)"


class ConversationStore:
    """Conversations on disk; `notice` tells the user if the file was restored or is read-only."""

    def __init__(self, path: Path) -> None:
        self._wire = Wire(*EVENTS)
        self.notice = ""
        with _conversation_errors(f"opened in {path}"):
            try:
                self._db, self.notice = open_database(path, FORMAT, self._prepare, "conversations")
            except (LibraryError, OSError) as error:
                if not path.is_file():
                    raise
                self._db = Database(path, read_only=True)
                self.notice = f"They can be read, but no changes can be saved ({error.__cause__ or error})."
                return
        try:
            keep_copy(self._db)
        except (LibraryError, OSError) as error:  # a full disk must not hide the stored conversations
            self.notice = self.notice or f"The conversations could not be backed up ({error.__cause__ or error})."

    def _prepare(self, db: Database, found: int) -> None:
        self._db = db
        prepare(db, found, self._derive)

    def _derive(self, cite: bool) -> None:  # noqa: FBT001 - the schema passes it by position
        """Derive from all stored events what an earlier version did not keep."""
        numbers = self._db.values(int, "SELECT id FROM conversation")
        for conversation in map(ConversationId, numbers):
            for turn in self.load(conversation).turns:
                index_turn(self._db, conversation, turn)
                sql = "UPDATE turn SET state = ? WHERE conversation = ? AND number = ?"
                self._db.execute(sql, (run_state(turn.events), conversation, turn.number))
                if cite:
                    self._db.execute_many(_CITE, _citation_rows(conversation, turn))

    @property
    def _version(self) -> int:
        """The format of the file, earlier than `FORMAT` if it cannot be written."""
        return self._db.number("PRAGMA user_version")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def begin(self, question: str) -> ConversationId:
        """Start a conversation named after its first question."""
        with self._writing():
            sql = "INSERT INTO conversation (title, updated_ns) VALUES (?, ?)"
            return ConversationId(self._db.insert(sql, (_title(question), time.time_ns())))

    def save(self, conversation: ConversationId, turn: Turn) -> None:
        """Write a turn, replacing the one with its number; adjacent deltas are merged."""
        rows = [
            (conversation, turn.number, n, self._wire.encode(e)) for n, e in enumerate(merge_deltas(turn.events), 1)
        ]
        with self._writing():
            self._name(conversation, turn.question)
            self._db.execute("DELETE FROM turn WHERE conversation = ? AND number = ?", (conversation, turn.number))
            values = (conversation, turn.number, turn.question, turn.asked_ns, run_state(turn.events))
            self._db.execute("INSERT INTO turn VALUES (?, ?, ?, ?, ?)", values)
            self._db.execute_many("INSERT INTO event VALUES (?, ?, ?, ?)", rows)
            self._db.execute_many(_CITE, _citation_rows(conversation, turn))
            self._db.execute("UPDATE conversation SET updated_ns = ? WHERE id = ?", (time.time_ns(), conversation))
            index_turn(self._db, conversation, turn)

    def _name(self, conversation: ConversationId, question: str) -> None:
        """Name a conversation that began as a draft after its first question."""
        sql = (
            "UPDATE conversation SET title = ?1 WHERE id = ?2 AND EXISTS (SELECT 1 FROM draft WHERE conversation = ?2) "
            "AND NOT EXISTS (SELECT 1 FROM turn WHERE conversation = ?2)"
        )
        self._db.execute(sql, (_title(question), conversation))

    def load(self, conversation: ConversationId) -> Conversation:
        """Return all turns, erase_from_turn events that this version cannot decode."""
        sql = "SELECT number, question, asked_ns FROM turn WHERE conversation = ? ORDER BY number"
        with _conversation_errors("read"):
            rows = self._db.rows(tuple[int, str, int], sql, (conversation,))
            turns = tuple(Turn(n, text, self._events(conversation, n), asked) for n, text, asked in rows)
            return Conversation(turns, self._scope(conversation))

    def _scope(self, conversation: ConversationId) -> ChosenScope:
        if self._version < 3:
            return WHOLE_LIBRARY  # a file of an earlier version that cannot be written
        found = self._db.values(bytes, "SELECT data FROM scope WHERE conversation = ?", (conversation,))
        try:
            return msgspec.msgpack.decode(found[0], type=ChosenScope) if found else WHOLE_LIBRARY
        except msgspec.MsgspecError:
            return WHOLE_LIBRARY

    def save_scope(self, conversation: ConversationId, scope: ChosenScope) -> None:
        """Write where a conversation searches."""
        with self._writing():
            self._db.execute("DELETE FROM scope WHERE conversation = ?", (conversation,))
            if scope != WHOLE_LIBRARY:
                known = "INSERT INTO scope SELECT id, ? FROM conversation WHERE id = ?"
                self._db.execute(known, (msgspec.msgpack.encode(scope), conversation))

    def runs_of(self, question: str) -> tuple[tuple[ConversationId, Turn], ...]:
        """Return every run of a question in any conversation, newest first."""
        sql = "SELECT conversation, number, question, asked_ns FROM turn WHERE question = ? ORDER BY asked_ns DESC"
        with _conversation_errors("read"):
            rows = self._db.rows(tuple[int, int, str, int], sql, (question,))
            named = ((ConversationId(c), number, text, asked) for c, number, text, asked in rows)
            return tuple((c, Turn(number, text, self._events(c, number), asked)) for c, number, text, asked in named)

    def summaries(self) -> tuple[ConversationSummary, ...]:
        """Return all conversations, the last updated first."""
        with _conversation_errors("read"):
            if self._version < 4:  # of an earlier version, and it cannot be written
                rows = self._db.rows(tuple[int, str, int], "SELECT id, title, updated_ns FROM conversation")
                plain = (ConversationSummary(ConversationId(i), title, updated, 1) for i, title, updated in rows)
                return tuple(sorted(plain, key=lambda summary: (-summary.updated_ns, -summary.id)))
            found = self._db.rows(tuple[int, str, int, int, str | None, int, int, int, int], _SUMMARIES)
        return tuple(
            ConversationSummary(ConversationId(i), title, updated, n, RunStatus(state or "answered"), *map(bool, flags))
            for i, title, updated, n, state, *flags in found
        )

    def search(self, query: str) -> tuple[FoundTurn, ...]:
        """Return, for each conversation with a turn that contains all words of `query`, the best of its turns."""
        with _conversation_errors("searched"):
            found = turns_with(self._db, query) if self._version >= 4 else {}
            return tuple(found_turn(c, self._turn(c, number), query) for c, number in found.items())

    def _turn(self, conversation: ConversationId, number: int) -> Turn:
        sql = "SELECT question, asked_ns FROM turn WHERE conversation = ? AND number = ?"
        question, asked = self._db.row(tuple[str, int], sql, (conversation, number)) or ("", 0)
        return Turn(number, question, self._events(conversation, number), asked)

    def pin(self, conversation: ConversationId, *, pinned: bool) -> None:
        """Keep a conversation at the top of the list, or no more; a pinned one is not archived."""
        sql = "UPDATE conversation SET pinned = ?1, archived = archived AND NOT ?1 WHERE id = ?2"
        with self._writing():
            self._db.execute(sql, (pinned, conversation))

    def archive(self, conversation: ConversationId, *, archived: bool) -> None:
        """Move a conversation out of the list, or back; an archived one is not pinned."""
        sql = "UPDATE conversation SET archived = ?1, pinned = pinned AND NOT ?1 WHERE id = ?2"
        with self._writing():
            self._db.execute(sql, (archived, conversation))

    def mark_unread(self, conversation: ConversationId, *, unread: bool) -> None:
        """Note whether the last run of a conversation ended out of sight."""
        with self._writing():
            self._db.execute("UPDATE conversation SET unread = ? WHERE id = ?", (unread, conversation))

    def drafts(self) -> dict[ConversationId, str]:
        """Return the drafts by conversation; `NEW` is the one of a new conversation."""
        with _conversation_errors("read"):
            rows = self._db.rows(tuple[int, str], "SELECT conversation, text FROM draft") if self._version >= 4 else []
        return {ConversationId(number): text for number, text in rows}

    def save_draft(self, conversation: ConversationId, text: str) -> None:
        """Write the draft of a conversation or of a new one (`NEW`); an empty text deletes it."""
        with self._writing():
            self._db.execute("DELETE FROM draft WHERE conversation = ?", (conversation,))
            known = "SELECT ?1, ?2 WHERE ?1 = 0 OR EXISTS (SELECT 1 FROM conversation WHERE id = ?1)"
            if text.strip():
                self._db.execute(f"INSERT INTO draft {known}", (conversation, text))

    def shown(self) -> ConversationId:
        """Return the conversation that was shown last; `NEW` if it was deleted."""
        sql = "SELECT id FROM conversation JOIN shown ON conversation = id"
        with _conversation_errors("read"):
            return ConversationId(self._db.number(sql) if self._version >= 4 else NEW)

    def remember_shown(self, conversation: ConversationId) -> None:
        """Note which conversation is shown, `NEW` for a new one."""
        with self._writing():
            self._db.execute("UPDATE shown SET conversation = ?", (conversation,))

    def rename(self, conversation: ConversationId, title: str) -> None:
        """Rename a conversation; an empty title is ignored."""
        if title.strip():
            with self._writing():
                self._db.execute("UPDATE conversation SET title = ? WHERE id = ?", (_title(title), conversation))

    def discard(self, conversation: ConversationId) -> None:
        """Delete a conversation if it has no turns."""
        sql = "SELECT count(*) FROM turn WHERE conversation = ?"
        with _conversation_errors("read"):
            turns = self._db.number(sql, (conversation,))
        if not turns:
            self.delete(conversation)

    def delete(self, conversation: ConversationId) -> None:
        """Delete a conversation with all its turns."""
        with self._writing():
            self._db.execute("DELETE FROM conversation WHERE id = ?", (conversation,))
            self._db.execute("DELETE FROM draft WHERE conversation = ?", (conversation,))
            forget_conversation(self._db, conversation)

    def cited(self) -> tuple[bytes, ...]:
        """Return the SHA-256 of every content that stored answers cite."""
        with _conversation_errors("read"):
            return tuple(self._db.values(bytes, "SELECT DISTINCT sha256 FROM citation WHERE sha256 != x''"))

    def cited_from(self, forgotten: Forgotten) -> tuple[bytes, ...]:
        """Return the SHA-256 of every content of a folder that stored answers cite."""
        with _conversation_errors("read"):
            rows = self._db.rows(tuple[bytes, str], "SELECT DISTINCT sha256, path FROM citation WHERE sha256 != x''")
        return tuple({sha256 for sha256, path in rows if forgotten.contains(path)})

    def turns_from(self, forgotten: Forgotten) -> int:
        """Count the turns that contain something from a folder."""
        return sum(turn != erase_from_turn(turn, forgotten) for _, turn in self._all_turns())

    def erase_from(self, forgotten: Forgotten) -> int:
        """Erase everything that came from a folder from the file and every copy; return the number of changed turns."""
        changed = [
            (conversation, left)
            for conversation, turn in self._all_turns()
            if (left := erase_from_turn(turn, forgotten)) != turn
        ]
        when = {summary.id: summary.updated_ns for summary in self.summaries()}
        with _conversation_errors("changed"), self._db.transaction():
            for conversation, turn in changed:
                self.save(conversation, turn)
                sql = "UPDATE conversation SET updated_ns = ? WHERE id = ?"
                self._db.execute(sql, (when[conversation], conversation))
        with _conversation_errors("changed"):
            erase_traces(self._db)
        return len(changed)

    def _all_turns(self) -> Generator[tuple[ConversationId, Turn]]:
        for summary in self.summaries():
            for turn in self.load(summary.id).turns:
                yield summary.id, turn

    def _events(self, conversation: ConversationId, turn: int) -> tuple[AgentEvent, ...]:
        sql = "SELECT data FROM event WHERE conversation = ? AND turn = ? ORDER BY number"
        stored = self._db.values(bytes, sql, (conversation, turn))
        return tuple(event for data in stored if (event := self._decode(data)) is not None)

    def _decode(self, data: bytes) -> AgentEvent | None:
        try:
            event = self._wire.decode(renew_standings(data))
        except ValueError:
            return None
        return event if isinstance(event, EVENTS) else None

    @contextmanager
    def _writing(self) -> Generator[None]:
        with _conversation_errors("changed"), counted_transaction(self._db):
            yield


def renew_standings(data: bytes) -> bytes:
    """Return an encoded event with the present words for the standings of its claims."""
    if not any(word.encode() in data for word in _RENAMED_STANDINGS):
        return data
    event = msgspec.msgpack.decode(data[1:])
    claims = event.get("claims") if isinstance(event, dict) else None
    if not isinstance(claims, list):
        return data
    for claim in claims:
        if isinstance(claim, dict) and (renamed := _RENAMED_STANDINGS.get(str(claim.get("standing")))):
            claim["standing"] = renamed
    return data[:1] + msgspec.msgpack.encode(event)


def _citation_rows(conversation: ConversationId, turn: Turn) -> list[tuple[int, int, bytes, str]]:
    citations = {(citation.sha256, citation.path) for citation in citations_of(turn.events)}
    return [(conversation, turn.number, bytes.fromhex(sha256), path) for sha256, path in sorted(citations)]


def merge_deltas(events: Sequence[AgentEvent]) -> list[AgentEvent]:
    """Merge adjacent deltas of one text; keep only the last of consecutive measurements."""
    kept: list[AgentEvent] = []
    for event in events:
        last = kept[-1] if kept else None
        if isinstance(event, AnswerDelta) and isinstance(last, AnswerDelta):
            kept[-1] = AnswerDelta(last.text + event.text)
        elif isinstance(event, Thought) and isinstance(last, Thought) and event.step == last.step:
            kept[-1] = Thought(event.step, last.text + event.text)
        elif isinstance(event, ContextMeasured) and isinstance(last, ContextMeasured):
            kept[-1] = event
        else:
            kept.append(event)
    return kept


@contextmanager
def _conversation_errors(what: str) -> Generator[None]:
    """Turn database errors into `ConversationError`."""
    try:
        yield
    except (LibraryError, OSError) as error:
        raise ConversationError(f"The conversations could not be {what} ({error.__cause__ or error}).") from error


def _title(text: str) -> str:
    return " ".join(text.split())[:TITLE]
