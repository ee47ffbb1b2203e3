"""Keeps conversations in a database of their own: what a person asked is theirs and cannot be made again.

Every commit is flushed to disk, copies rotate beside the file, and a damaged or lost file gives way to the newest good
copy. Where nothing can be written, what is there can still be read.
"""

import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from desktop_rag.agent.conversations.backups import drop_copies, keep_copy, mend
from desktop_rag.agent.conversations.erasing import Forgotten, citations_of, without
from desktop_rag.agent.conversations.transcript import Conversation, ConversationId, ConversationSummary, Turn
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    ContextMeasured,
    LimitReached,
    Remark,
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
from desktop_rag.paths import private_folder
from desktop_rag.processes.wire import Wire

FORMAT = 2
TITLE = 120  # characters of the first question that become the title

# The order is the format on disk: new kinds go to the end, none is ever taken out.
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
-- What answers cite: the library keeps it, also when its file is gone. The path tells from which folder it was.
CREATE TABLE citation (
    conversation INTEGER NOT NULL, turn INTEGER NOT NULL, sha256 BLOB NOT NULL, path TEXT NOT NULL,
    FOREIGN KEY (conversation, turn) REFERENCES turn ON DELETE CASCADE
) STRICT;
CREATE INDEX citation_turn ON citation (conversation, turn);
"""
_CITE = "INSERT INTO citation VALUES (?, ?, ?, ?)"


class ConversationStore:
    """Conversations on disk, newest first; `notice` says what happened if the file had to be restored."""

    def __init__(self, path: Path) -> None:
        self._wire = Wire(*EVENTS)
        self.notice = ""
        with _told(f"opened in {path}"):
            try:
                self._db = self._writable(path)
            except (LibraryError, OSError) as error:
                if not path.is_file():
                    raise
                self._db = Database(path, read_only=True)
                self.notice = f"They can be read, but nothing new is kept ({error.__cause__ or error})."
                return
        try:
            keep_copy(self._db)
        except (LibraryError, OSError) as error:  # a full disk is no reason to hide what is there
            self.notice = self.notice or f"No copy of the conversations could be kept ({error.__cause__ or error})."

    def _writable(self, path: Path) -> Database:
        private_folder(path.parent)
        self.notice = mend(path)
        db = Database(path)
        try:
            db.execute("PRAGMA synchronous = FULL")
            version = db.number("PRAGMA user_version")
            if version > FORMAT:
                raise LibraryError("They were written by a newer version of this program. Please update.")
            if version < FORMAT:
                self._prepare(db, empty=not version)
        except BaseException:
            db.close()
            raise
        return db

    def _prepare(self, db: Database, *, empty: bool) -> None:
        """Create the tables, or give a file of the first format what it lacks."""
        with db.transaction():
            if empty:
                db.execute(_SCHEMA)
            db.execute(_CITATIONS)
            self._db = db
            for conversation, turn in self._all_turns():
                db.execute_many(_CITE, _citation_rows(conversation, turn))
            db.execute(f"PRAGMA user_version = {FORMAT}")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def begin(self, question: str) -> ConversationId:
        """Start a conversation named after its first question."""
        with self._writing():
            sql = "INSERT INTO conversation (title, updated_ns) VALUES (?, ?)"
            return ConversationId(self._db.insert(sql, (_title(question), time.time_ns())))

    def save(self, conversation: ConversationId, turn: Turn) -> None:
        """Write a turn, in place of the one with its number; deltas are joined, so thousands become one."""
        rows = [(conversation, turn.number, n, self._wire.encode(e)) for n, e in enumerate(joined(turn.events), 1)]
        with self._writing():
            self._db.execute("DELETE FROM turn WHERE conversation = ? AND number = ?", (conversation, turn.number))
            values = (conversation, turn.number, turn.question, turn.asked_ns)
            self._db.execute("INSERT INTO turn VALUES (?, ?, ?, ?)", values)
            self._db.execute_many("INSERT INTO event VALUES (?, ?, ?, ?)", rows)
            self._db.execute_many(_CITE, _citation_rows(conversation, turn))
            self._db.execute("UPDATE conversation SET updated_ns = ? WHERE id = ?", (time.time_ns(), conversation))

    def load(self, conversation: ConversationId) -> Conversation:
        """Return all turns; an event this version cannot read is left out."""
        sql = "SELECT number, question, asked_ns FROM turn WHERE conversation = ? ORDER BY number"
        with _told("read"):
            rows = self._db.rows(tuple[int, str, int], sql, (conversation,))
            return Conversation(tuple(Turn(n, text, self._events(conversation, n), asked) for n, text, asked in rows))

    def runs_of(self, question: str) -> tuple[tuple[ConversationId, Turn], ...]:
        """Return every run of one question in any conversation, the newest first."""
        sql = "SELECT conversation, number, question, asked_ns FROM turn WHERE question = ? ORDER BY asked_ns DESC"
        with _told("read"):
            rows = self._db.rows(tuple[int, int, str, int], sql, (question,))
            named = ((ConversationId(c), number, text, asked) for c, number, text, asked in rows)
            return tuple((c, Turn(number, text, self._events(c, number), asked)) for c, number, text, asked in named)

    def summaries(self) -> tuple[ConversationSummary, ...]:
        """Return all conversations, the one spoken in last first."""
        sql = (
            "SELECT id, title, updated_ns, (SELECT count(*) FROM turn WHERE conversation = conversation.id) "
            "FROM conversation ORDER BY updated_ns DESC, id DESC"
        )
        with _told("read"):
            rows = self._db.rows(tuple[int, str, int, int], sql)
        return tuple(ConversationSummary(ConversationId(i), title, updated, n) for i, title, updated, n in rows)

    def rename(self, conversation: ConversationId, title: str) -> None:
        """Give a conversation another title; an empty one changes nothing."""
        if title.strip():
            with self._writing():
                self._db.execute("UPDATE conversation SET title = ? WHERE id = ?", (_title(title), conversation))

    def delete(self, conversation: ConversationId) -> None:
        """Delete a conversation with all its turns."""
        with self._writing():
            self._db.execute("DELETE FROM conversation WHERE id = ?", (conversation,))

    def cited(self) -> tuple[bytes, ...]:
        """Return what stored answers cite, by SHA-256."""
        with _told("read"):
            return tuple(self._db.values(bytes, "SELECT DISTINCT sha256 FROM citation WHERE sha256 != x''"))

    def cited_from(self, forgotten: Forgotten) -> tuple[bytes, ...]:
        """Return what stored answers cite from a folder, by SHA-256."""
        with _told("read"):
            rows = self._db.rows(tuple[bytes, str], "SELECT DISTINCT sha256, path FROM citation WHERE sha256 != x''")
        return tuple({sha256 for sha256, path in rows if forgotten.holds(path)})

    def turns_from(self, forgotten: Forgotten) -> int:
        """Return how many turns hold something from a folder."""
        return sum(turn != without(turn, forgotten) for _, turn in self._all_turns())

    def erase_from(self, forgotten: Forgotten) -> int:
        """Take all that came from a folder out of every turn and every copy, to the last byte; return how many turns.

        The copies made so far go, and a new one is kept.
        """
        changed = [
            (conversation, left)
            for conversation, turn in self._all_turns()
            if (left := without(turn, forgotten)) != turn
        ]
        when = {summary.id: summary.updated_ns for summary in self.summaries()}
        with _told("changed"), self._db.transaction():
            for conversation, turn in changed:
                self.save(conversation, turn)
                sql = "UPDATE conversation SET updated_ns = ? WHERE id = ?"
                self._db.execute(sql, (when[conversation], conversation))
        with _told("changed"):
            self._db.execute("VACUUM")  # rows that moved between pages leave copies of themselves in the gaps
            self._db.empty_journal()
            drop_copies(self._db.path)
            keep_copy(self._db)
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
            event = self._wire.decode(data)
        except ValueError:
            return None
        return event if isinstance(event, EVENTS) else None

    @contextmanager
    def _writing(self) -> Generator[None]:
        """Write in one transaction, which makes the next start keep a copy."""
        with _told("changed"), self._db.transaction():
            yield
            self._db.execute("UPDATE written SET times = times + 1")


def _citation_rows(conversation: ConversationId, turn: Turn) -> list[tuple[int, int, bytes, str]]:
    citations = {(citation.sha256, citation.path) for citation in citations_of(turn.events)}
    return [(conversation, turn.number, bytes.fromhex(sha256), path) for sha256, path in sorted(citations)]


def joined(events: Sequence[AgentEvent]) -> list[AgentEvent]:
    """Join neighbouring pieces of one text, and keep only the last of several measurements in a row."""
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
def _told(what: str) -> Generator[None]:
    """Say of the conversations what the database says of a library."""
    try:
        yield
    except (LibraryError, OSError) as error:
        raise ConversationError(f"The conversations could not be {what} ({error.__cause__ or error}).") from error


def _title(text: str) -> str:
    return " ".join(text.split())[:TITLE]
