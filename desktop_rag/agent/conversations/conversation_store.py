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
from desktop_rag.agent.conversations.erasing import Forgotten, citations_of, erase_from_turn
from desktop_rag.agent.conversations.transcript import (
    WHOLE_LIBRARY,
    ChosenScope,
    Conversation,
    ConversationId,
    ConversationSummary,
    Turn,
)
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

FORMAT = 3
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

_SCHEMA = """
CREATE TABLE conversation (
    id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, updated_ns INTEGER NOT NULL
) STRICT;
CREATE TABLE turn (
    conversation INTEGER NOT NULL REFERENCES conversation ON DELETE CASCADE,
    number INTEGER NOT NULL, question TEXT NOT NULL, asked_ns INTEGER NOT NULL,
    PRIMARY KEY (conversation, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE event (
    conversation INTEGER NOT NULL, turn INTEGER NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (conversation, turn, number),
    FOREIGN KEY (conversation, turn) REFERENCES turn ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE written (times INTEGER NOT NULL) STRICT;
INSERT INTO written VALUES (0);
"""
_CITATIONS = """
-- Cited contents: the library keeps them even if their file is gone. The path shows the folder of origin.
CREATE TABLE citation (
    conversation INTEGER NOT NULL, turn INTEGER NOT NULL, sha256 BLOB NOT NULL, path TEXT NOT NULL,
    FOREIGN KEY (conversation, turn) REFERENCES turn ON DELETE CASCADE
) STRICT;
CREATE INDEX citation_turn ON citation (conversation, turn);
"""
_SCOPES = """
-- Where the user chose to search, an encoded `ChosenScope`; no row for the whole library.
CREATE TABLE scope (
    conversation INTEGER PRIMARY KEY REFERENCES conversation ON DELETE CASCADE, data BLOB NOT NULL
) STRICT;
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
        """Create the tables, or add those that an earlier version lacks: 1 has no citations, 2 no scopes."""
        if not found:
            db.execute(_SCHEMA)
        db.execute(_SCOPES)
        self._db = db
        if found > 1:
            return
        db.execute(_CITATIONS)
        for conversation, turn in self._all_turns():
            db.execute_many(_CITE, _citation_rows(conversation, turn))

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
            self._db.execute("DELETE FROM turn WHERE conversation = ? AND number = ?", (conversation, turn.number))
            values = (conversation, turn.number, turn.question, turn.asked_ns)
            self._db.execute("INSERT INTO turn VALUES (?, ?, ?, ?)", values)
            self._db.execute_many("INSERT INTO event VALUES (?, ?, ?, ?)", rows)
            self._db.execute_many(_CITE, _citation_rows(conversation, turn))
            self._db.execute("UPDATE conversation SET updated_ns = ? WHERE id = ?", (time.time_ns(), conversation))

    def load(self, conversation: ConversationId) -> Conversation:
        """Return all turns, erase_from_turn events that this version cannot decode."""
        sql = "SELECT number, question, asked_ns FROM turn WHERE conversation = ? ORDER BY number"
        with _conversation_errors("read"):
            rows = self._db.rows(tuple[int, str, int], sql, (conversation,))
            turns = tuple(Turn(n, text, self._events(conversation, n), asked) for n, text, asked in rows)
            return Conversation(turns, self._scope(conversation))

    def _scope(self, conversation: ConversationId) -> ChosenScope:
        if self._db.number("SELECT count(*) FROM sqlite_master WHERE name = 'scope'") == 0:
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
        sql = (
            "SELECT id, title, updated_ns, (SELECT count(*) FROM turn WHERE conversation = conversation.id) "
            "FROM conversation ORDER BY updated_ns DESC, id DESC"
        )
        with _conversation_errors("read"):
            rows = self._db.rows(tuple[int, str, int, int], sql)
        return tuple(ConversationSummary(ConversationId(i), title, updated, n) for i, title, updated, n in rows)

    def rename(self, conversation: ConversationId, title: str) -> None:
        """Rename a conversation; an empty title is ignored."""
        if title.strip():
            with self._writing():
                self._db.execute("UPDATE conversation SET title = ? WHERE id = ?", (_title(title), conversation))

    def delete(self, conversation: ConversationId) -> None:
        """Delete a conversation with all its turns."""
        with self._writing():
            self._db.execute("DELETE FROM conversation WHERE id = ?", (conversation,))

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
