"""Keeps conversations in a database of their own: what a person asked is theirs and cannot be made again.

Every commit is flushed to disk, copies rotate beside the file, and a damaged file gives way to the newest good copy.
"""

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import apsw
import msgspec

from desktop_rag.agent.backups import keep_copy, restore, sound
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    ContextMeasured,
    LimitReached,
    RunFailed,
    RunStarted,
    RunStopped,
    StepStarted,
    Thought,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.agent.transcript import Conversation, ConversationId, ConversationSummary, Turn
from desktop_rag.errors import ConversationError
from desktop_rag.paths import private_folder
from desktop_rag.processes.wire import Wire

Row = TypeVar("Row")

TITLE = 120  # characters of the first question that become the title
BUSY_MS = 5_000

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
PRAGMA user_version = 1;
"""


class ConversationStore:
    """Conversations on disk, newest first; `notice` says what happened if the file had to be restored."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._wire = Wire(*EVENTS)
        self.notice = ""
        try:
            private_folder(path.parent)
            if path.exists() and not sound(path):
                self.notice = restore(path)
            self._db = _open(path)
            keep_copy(self._db, path)
        except (apsw.Error, OSError) as error:
            raise ConversationError(f"The conversations in {path} cannot be opened ({error}).") from error

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def begin(self, question: str) -> ConversationId:
        """Start a conversation named after its first question."""
        title = " ".join(question.split())[:TITLE]
        self._write("INSERT INTO conversation (title, updated_ns) VALUES (?, ?)", title, _now())
        return ConversationId(self._db.last_insert_rowid())

    def save(self, conversation: ConversationId, turn: Turn) -> None:
        """Write a turn, in place of the one with its number; deltas are joined, so thousands become one."""
        rows = [(conversation, turn.number, n, self._encode(e)) for n, e in enumerate(joined(turn.events), 1)]
        try:
            with self._db:
                self._db.execute("DELETE FROM turn WHERE conversation = ? AND number = ?", (conversation, turn.number))
                self._db.execute(
                    "INSERT INTO turn VALUES (?, ?, ?, ?)", (conversation, turn.number, turn.question, turn.asked_ns)
                )
                self._db.executemany("INSERT INTO event VALUES (?, ?, ?, ?)", rows)
                self._db.execute("UPDATE conversation SET updated_ns = ? WHERE id = ?", (_now(), conversation))
                self._db.execute("UPDATE written SET times = times + 1")
        except apsw.Error as error:
            raise ConversationError(f"This turn could not be kept ({error}).") from error

    def load(self, conversation: ConversationId) -> Conversation:
        """Return all turns; an event this version cannot read is left out."""
        rows = self._rows(
            tuple[int, str, int],
            "SELECT number, question, asked_ns FROM turn WHERE conversation = ? ORDER BY number",
            conversation,
        )
        return Conversation(tuple(Turn(n, text, self._events(conversation, n), asked) for n, text, asked in rows))

    def summaries(self) -> tuple[ConversationSummary, ...]:
        """Return all conversations, the one spoken in last first."""
        rows = self._rows(
            tuple[int, str, int, int],
            "SELECT id, title, updated_ns, (SELECT count(*) FROM turn WHERE conversation = conversation.id) "
            "FROM conversation ORDER BY updated_ns DESC, id DESC",
        )
        return tuple(ConversationSummary(ConversationId(i), title, updated, n) for i, title, updated, n in rows)

    def rename(self, conversation: ConversationId, title: str) -> None:
        """Give a conversation another title; an empty one changes nothing."""
        if title.strip():
            self._write("UPDATE conversation SET title = ? WHERE id = ?", " ".join(title.split())[:TITLE], conversation)

    def delete(self, conversation: ConversationId) -> None:
        """Delete a conversation with all its turns."""
        self._write("DELETE FROM conversation WHERE id = ?", conversation)

    def _events(self, conversation: ConversationId, turn: int) -> tuple[AgentEvent, ...]:
        rows = self._rows(
            tuple[bytes],
            "SELECT data FROM event WHERE conversation = ? AND turn = ? ORDER BY number",
            conversation,
            turn,
        )
        return tuple(event for (data,) in rows if (event := self._decode(data)) is not None)

    def _rows(self, kind: type[Row], query: str, *values: int) -> list[Row]:
        try:
            return [msgspec.convert(row, kind) for row in self._db.execute(query, values)]
        except apsw.Error as error:
            raise ConversationError(f"The conversations could not be read ({error}).") from error

    def _encode(self, event: AgentEvent) -> bytes:
        return self._wire.encode(event)

    def _decode(self, data: bytes) -> AgentEvent | None:
        try:
            event = self._wire.decode(data)
        except ValueError:
            return None
        return event if isinstance(event, EVENTS) else None

    def _write(self, statement: str, *values: str | int) -> None:
        try:
            with self._db:
                self._db.execute(statement, values)
                self._db.execute("UPDATE written SET times = times + 1")
        except apsw.Error as error:
            raise ConversationError(f"The conversations could not be changed ({error}).") from error


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


def _open(path: Path) -> apsw.Connection:
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # SQLite gives its journals the same mode
    db = apsw.Connection(str(path))
    db.set_busy_timeout(BUSY_MS)
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        db.execute(f"PRAGMA {pragma}")
    with db:
        if not db.execute("PRAGMA user_version").get:
            db.execute(_SCHEMA)
    return db


def _now() -> int:
    return time.time_ns()
