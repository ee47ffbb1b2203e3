"""Stores conversations in a database of their own: they are the user's data and cannot be rebuilt.

Every commit is flushed to disk, copies rotate beside the file, and a damaged or lost file is replaced by the newest
sound copy. If nothing can be written, the stored conversations can still be read.
"""

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import overload

import msgspec

from desktop_rag.agent.conversations.backups import erase_traces, open_or_read
from desktop_rag.agent.conversations.conversation_schema import FORMAT, prepare
from desktop_rag.agent.conversations.erasing import Forgotten, erase_from_turn
from desktop_rag.agent.conversations.listed_conversations import (
    ListedConversations,
    conversation_errors,
    split_number,
    title_of,
    title_of_copy,
)
from desktop_rag.agent.conversations.transcript import (
    WHOLE_LIBRARY,
    ChosenScope,
    Conversation,
    ConversationId,
    FoundTurn,
    Turn,
    run_state,
)
from desktop_rag.agent.conversations.turn_search import forget_conversation, found_turn, index_turn, turns_with
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    AnswerWritten,
    ContextMeasured,
    LimitAsked,
    LimitReached,
    ModelProgress,
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
    citations_of,
)
from desktop_rag.decoding import decode_msgpack
from desktop_rag.index.catalog.database import Database
from desktop_rag.processes.wire import Wire

# The events of a stored turn, decoded when somebody looks at them.

Decode = Callable[[bytes], AgentEvent | None]  # None: this version does not know the event


class StoredEvents(Sequence[AgentEvent]):
    """Equal to the tuple of the same events.

    A conversation of thousands of turns is shown from its end at once: most of its turns are not decoded before.
    """

    __slots__ = ("_decode", "_events", "_stored")

    def __init__(self, stored: Sequence[bytes], decode: Decode) -> None:
        self._stored = stored
        self._decode = decode
        self._events: tuple[AgentEvent, ...] | None = None

    def _all(self) -> tuple[AgentEvent, ...]:
        stored, events = self._stored, self._events  # in this order: another thread may set them meanwhile
        if events is None:
            events = self._events = tuple(event for data in stored if (event := self._decode(data)) is not None)
            self._stored = ()
        return events

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[AgentEvent]:
        return iter(self._all())

    @overload
    def __getitem__(self, place: int) -> AgentEvent: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[AgentEvent, ...]: ...
    def __getitem__(self, place: int | slice) -> AgentEvent | tuple[AgentEvent, ...]:
        return self._all()[place]

    def __eq__(self, other: object) -> bool:
        return self._all() == (other._all() if isinstance(other, StoredEvents) else other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())


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
    LimitAsked,
)

_CITE = "INSERT INTO citation VALUES (?, ?, ?, ?)"


Follows = Mapping[int, int]  # the number of each turn, in the order of asking, and of the one that it follows


def path_to(follows: Follows, last: int) -> tuple[int, ...]:
    """Return the turns from a first one to `last`; without that turn, to the one asked last."""
    path: dict[int, None] = {}
    number = last if last in follows else max(follows, default=0)
    while number in follows and number not in path:
        path[number] = None
        number = follows[number]
    return tuple(reversed(path))


def variants_of(follows: Follows) -> dict[int, tuple[int, ...]]:
    """Return, by the turn that they follow, the turns that are variants of each other."""
    found: dict[int, list[int]] = {}
    for number, before in follows.items():
        found.setdefault(before, []).append(number)
    return {before: tuple(numbers) for before, numbers in found.items()}


def latest_after(follows: Follows, number: int) -> int:
    """Return the turn asked last of all that lead back to `number`, or that itself."""
    return max(_descendants(follows, number), default=number)


def _descendants(follows: Follows, number: int) -> Iterator[int]:
    reached = {number}
    for turn in sorted(follows):  # a turn is asked after the one it follows
        if turn in reached or follows[turn] in reached:
            reached.add(turn)
            yield turn


class ConversationStore(ListedConversations):
    """Conversations on disk; `notice` tells the user if the file was restored or is read-only."""

    def __init__(self, path: Path) -> None:
        self._wire = Wire(*EVENTS)
        self._tree = False  # known once it is True
        with conversation_errors(f"opened in {path}"):
            self._db, self.notice = open_or_read(path, FORMAT, self._prepare, "conversations")

    def _prepare(self, db: Database, found: int) -> None:
        self._db = db
        prepare(db, found, self._derive)

    def _derive(self, cite: bool) -> None:  # noqa: FBT001 - the schema passes it by position
        """Derive from all stored events what an earlier version did not keep."""
        numbers = self._db.values(int, "SELECT id FROM conversation")
        for conversation in map(ConversationId, numbers):
            for turn in self._turns_of(conversation):
                index_turn(self._db, conversation, turn)
                sql = "UPDATE turn SET state = ? WHERE conversation = ? AND number = ?"
                self._db.execute(sql, (run_state(turn.events), conversation, turn.number))
                if cite:
                    self._db.execute_many(_CITE, _citation_rows(conversation, turn))

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def begin(self, question: str, *, copied: bool = False) -> ConversationId:
        """Start a conversation named after its first question; the title of a copy has a number that no other has."""
        with self._writing():
            title = title_of(question)
            if copied:
                title = title_of_copy(title, set(self._db.values(str, "SELECT title FROM conversation")))
            sql = "INSERT INTO conversation (title, updated_ns) VALUES (?, ?)"
            return ConversationId(self._db.insert(sql, (title, time.time_ns())))

    def save(self, conversation: ConversationId, turn: Turn) -> None:
        """Write a turn, replacing the one with its number; adjacent deltas are merged."""
        rows = [
            (conversation, turn.number, n, self._wire.encode(e)) for n, e in enumerate(merge_deltas(turn.events), 1)
        ]
        with self._writing():
            self._name(conversation, turn)
            if turn.number not in self._follows(conversation):  # its variant is shown from now on
                self._db.execute("UPDATE conversation SET leaf = ? WHERE id = ?", (turn.number, conversation))
            self._db.execute("DELETE FROM turn WHERE conversation = ? AND number = ?", (conversation, turn.number))
            values = (conversation, turn.number, turn.question, turn.asked_ns, run_state(turn.events))
            self._db.execute("INSERT INTO turn VALUES (?, ?, ?, ?, ?, ?)", (*values, turn.follows))
            self._db.execute_many("INSERT INTO event VALUES (?, ?, ?, ?)", rows)
            self._db.execute_many(_CITE, _citation_rows(conversation, turn))
            self._db.execute("UPDATE conversation SET updated_ns = ? WHERE id = ?", (time.time_ns(), conversation))
            index_turn(self._db, conversation, turn)

    def save_all(self, conversation: ConversationId, turns: Iterable[Turn]) -> None:
        """Write turns as `save` does, all or none."""
        with self._writing():
            for turn in turns:
                self.save(conversation, turn)

    def _name(self, conversation: ConversationId, turn: Turn) -> None:
        """Name a conversation after its first question: it began with a draft or an attachment, or it was edited."""
        sql = (
            "UPDATE conversation SET title = ?1 WHERE id = ?2 AND NOT EXISTS "
            "(SELECT 1 FROM turn WHERE conversation = ?2) AND (EXISTS (SELECT 1 FROM draft WHERE conversation = ?2) "
            "OR EXISTS (SELECT 1 FROM scope WHERE conversation = ?2))"
        )
        self._db.execute(sql, (title_of(turn.question), conversation))
        if turn.follows == 0:
            first = "SELECT question FROM turn WHERE conversation = ? AND follows = 0"
            for before in self._db.values(str, first, (conversation,)):
                title = self._db.values(str, "SELECT title FROM conversation WHERE id = ?", (conversation,))[0]
                if title_of(before) in (title, split_number(title)[0]):  # not one of the user's own
                    renamed = "UPDATE conversation SET title = ? WHERE id = ?"
                    self._db.execute(renamed, (title_of(turn.question), conversation))

    def next_number(self, conversation: ConversationId) -> int:
        """Return the number of the next turn of a conversation."""
        with conversation_errors("read"):
            return max(self._follows(conversation), default=0) + 1

    def load(self, conversation: ConversationId) -> Conversation:
        """Return the turns of the variants that are shown, without events that this version cannot decode."""
        with conversation_errors("read"):
            follows = self._follows(conversation)
            leaf = "SELECT leaf FROM conversation WHERE id = ?"
            path = path_to(follows, self._db.number(leaf, (conversation,)) if follows and self._has_tree else 0)
            variants = variants_of(follows)
            numbers = tuple(variants[follows[number]] for number in path)
            return Conversation(tuple(self._path(conversation, path)), self._scope(conversation), numbers)

    def _path(self, conversation: ConversationId, path: Sequence[int]) -> Iterator[Turn]:
        """Yield the turns of a path in two queries, however many they are."""
        before = "follows" if self._has_tree else "number - 1"
        sql = f"SELECT number, question, asked_ns, {before} FROM turn WHERE conversation = ?"
        rows = {row[0]: row for row in self._db.rows(tuple[int, str, int, int], sql, (conversation,))}
        stored: dict[int, list[bytes]] = {}
        sql = "SELECT turn, data FROM event WHERE conversation = ? ORDER BY turn, number"
        for turn, data in self._db.rows(tuple[int, bytes], sql, (conversation,)):
            stored.setdefault(turn, []).append(data)
        for number in path:
            _, question, asked, follows = rows[number]
            yield Turn(number, question, StoredEvents(stored.get(number, ()), self._decode), asked, follows)

    @property
    def _has_tree(self) -> bool:
        """Return whether turns can have variants; not in a file of an earlier version that cannot be written."""
        if not self._tree:
            self._tree = self._db.number("SELECT count(*) FROM pragma_table_info('turn') WHERE name = 'follows'") > 0
        return self._tree

    def _follows(self, conversation: ConversationId) -> dict[int, int]:
        before = "follows" if self._has_tree else "number - 1"
        sql = f"SELECT number, {before} FROM turn WHERE conversation = ? ORDER BY number"
        return dict(self._db.rows(tuple[int, int], sql, (conversation,)))

    def _turns_of(self, conversation: ConversationId) -> Generator[Turn]:
        for number in self._follows(conversation):
            yield self._turn(conversation, number)

    def choose_turn(self, conversation: ConversationId, number: int) -> None:
        """Show the variants that lead to a turn from now on, and the turns asked last after it."""
        with self._writing():
            if any(turn.number == number for turn in self.load(conversation).turns):
                return
            leaf = latest_after(self._follows(conversation), number)
            self._db.execute("UPDATE conversation SET leaf = ? WHERE id = ?", (leaf, conversation))

    def branch(self, conversation: ConversationId, number: int) -> ConversationId:
        """Copy a conversation up to turn `number` into a new one."""
        loaded = self.load(conversation)
        with self._writing():
            title = self._db.values(str, "SELECT title FROM conversation WHERE id = ?", (conversation,))
            copy = self.begin(title[0] if title else "", copied=True)
            numbers = [turn.number for turn in loaded.turns]
            place = numbers.index(number) + 1 if number in numbers else len(numbers)
            self.save_all(copy, loaded.turns[:place])
            self.save_scope(copy, loaded.scope)
            self._db.execute("INSERT INTO tag SELECT ?, name FROM tag WHERE conversation = ?", (copy, conversation))
            return copy

    def _scope(self, conversation: ConversationId) -> ChosenScope:
        if self._version < 3:
            return WHOLE_LIBRARY  # a file of an earlier version that cannot be written
        found = self._db.values(bytes, "SELECT data FROM scope WHERE conversation = ?", (conversation,))
        try:
            return decode_msgpack(found[0], ChosenScope) if found else WHOLE_LIBRARY
        except msgspec.MsgspecError:
            return WHOLE_LIBRARY

    def attach(self, conversation: ConversationId, path: bytes) -> None:
        """Add a file to what a conversation has attached."""
        scope = self._scope(conversation)
        self.save_scope(conversation, replace(scope, attached=tuple(dict.fromkeys((*scope.attached, path)))))

    def save_scope(self, conversation: ConversationId, scope: ChosenScope) -> None:
        """Write where a conversation searches."""
        with self._writing():
            self._db.execute("DELETE FROM scope WHERE conversation = ?", (conversation,))
            if scope != WHOLE_LIBRARY:
                known = "INSERT INTO scope SELECT id, ? FROM conversation WHERE id = ?"
                self._db.execute(known, (msgspec.msgpack.encode(scope), conversation))

    def runs_of(
        self, question: str, conversation: ConversationId | None = None, number: int = 0
    ) -> tuple[tuple[ConversationId, Turn], ...]:
        """Return every run of a question in any conversation, and the variants of a turn; newest first."""
        before = "follows" if self._has_tree else "number - 1"
        variants = f"conversation = ? AND {before} = (SELECT {before} FROM turn WHERE conversation = ? AND number = ?)"
        sql = f"SELECT conversation, number FROM turn WHERE question = ? OR ({variants}) ORDER BY asked_ns DESC"
        of = (question, conversation, conversation, number)
        with conversation_errors("read"):
            found = [(ConversationId(c), number) for c, number in self._db.rows(tuple[int, int], sql, of)]
            return tuple((conversation, self._turn(conversation, number)) for conversation, number in found)

    def search(self, query: str) -> tuple[FoundTurn, ...]:
        """Return, for each conversation with a turn that contains all words of `query`, the best of its turns."""
        with conversation_errors("searched"):
            found = turns_with(self._db, query) if self._version >= 4 else {}
            return tuple(found_turn(c, self._turn(c, number), query) for c, number in found.items())

    def _turn(self, conversation: ConversationId, number: int) -> Turn:
        before = "follows" if self._has_tree else "number - 1"
        sql = f"SELECT question, asked_ns, {before} FROM turn WHERE conversation = ? AND number = ?"
        question, asked, follows = self._db.row(tuple[str, int, int], sql, (conversation, number)) or ("", 0, 0)
        return Turn(number, question, self._events(conversation, number), asked, follows)

    def discard(self, conversation: ConversationId) -> None:
        """Delete a conversation if it has no turns and nothing is attached to it."""
        sql = "SELECT count(*) FROM turn WHERE conversation = ?"
        with conversation_errors("read"):
            turns = self._db.number(sql, (conversation,))
        if not turns and not self._scope(conversation).attached:
            self.delete(conversation)

    def delete(self, conversation: ConversationId) -> None:
        """Delete a conversation with all its turns."""
        with self._writing():
            self._db.execute("DELETE FROM conversation WHERE id = ?", (conversation,))
            self._db.execute("DELETE FROM draft WHERE conversation = ?", (conversation,))
            forget_conversation(self._db, conversation)

    def cited(self) -> tuple[bytes, ...]:
        """Return the SHA-256 of every content that stored answers cite."""
        with conversation_errors("read"):
            return tuple(self._db.values(bytes, "SELECT DISTINCT sha256 FROM citation WHERE sha256 != x''"))

    def attached(self) -> tuple[bytes, ...]:
        """Return the paths of all files and folders that conversations have attached."""
        if self._version < 3:
            return ()
        with conversation_errors("read"):
            conversations = self._db.values(int, "SELECT conversation FROM scope ORDER BY conversation")
            scopes = [self._scope(ConversationId(conversation)) for conversation in conversations]
        return tuple(dict.fromkeys(path for scope in scopes for path in scope.attached))

    def cited_from(self, forgotten: Forgotten) -> tuple[bytes, ...]:
        """Return the SHA-256 of every content of a folder that stored answers cite."""
        with conversation_errors("read"):
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
        with conversation_errors("changed"), self._db.transaction():
            for conversation, turn in changed:
                self.save(conversation, turn)
                sql = "UPDATE conversation SET updated_ns = ? WHERE id = ?"
                self._db.execute(sql, (when[conversation], conversation))
        with conversation_errors("changed"):
            erase_traces(self._db)
        return len(changed)

    def _all_turns(self) -> Generator[tuple[ConversationId, Turn]]:
        for summary in self.summaries():
            for turn in self._turns_of(summary.id):
                yield summary.id, turn

    def _events(self, conversation: ConversationId, turn: int) -> StoredEvents:
        sql = "SELECT data FROM event WHERE conversation = ? AND turn = ? ORDER BY number"
        return StoredEvents(self._db.values(bytes, sql, (conversation, turn)), self._decode)

    def _decode(self, data: bytes) -> AgentEvent | None:
        try:
            event = self._wire.decode(renew_claims(data))
        except ValueError:
            return None
        return event if isinstance(event, EVENTS) else None


def renew_claims(data: bytes) -> bytes:
    """Return an encoded event whose claims have marks; those that an earlier version checked say so."""
    if b"standing" not in data:
        return data
    event = msgspec.msgpack.decode(data[1:])
    claims = event.get("claims") if isinstance(event, dict) else None
    if not isinstance(claims, list) or not all(isinstance(claim, dict) for claim in claims):
        return data
    if not any("standing" in claim for claim in claims):
        return data
    event["claims"] = [
        {
            "start": claim.get("start"),
            "end": claim.get("end"),
            "mark": "uncited" if claim.get("standing") == "uncited" else "earlier",
            "citations": claim.get("citations", ()),
        }
        for claim in claims
    ]
    return data[:1] + msgspec.msgpack.encode(event)


def _citation_rows(conversation: ConversationId, turn: Turn) -> list[tuple[int, int, bytes, str]]:
    citations = {(citation.sha256, citation.path) for citation in citations_of(turn.events)}
    return [(conversation, turn.number, bytes.fromhex(sha256), path) for sha256, path in sorted(citations)]


def merge_deltas(events: Sequence[AgentEvent]) -> list[AgentEvent]:
    """Merge adjacent deltas of one text; keep only the last of consecutive measurements, and nothing that passes by."""
    kept: list[AgentEvent] = []
    for event in events:
        last = kept[-1] if kept else None
        if isinstance(event, AnswerWritten | ModelProgress):
            continue
        if isinstance(event, AnswerDelta) and isinstance(last, AnswerDelta):
            kept[-1] = AnswerDelta(last.text + event.text)
        elif isinstance(event, Thought) and isinstance(last, Thought) and event.step == last.step:
            kept[-1] = Thought(event.step, last.text + event.text)
        elif isinstance(event, ContextMeasured) and isinstance(last, ContextMeasured):
            kept[-1] = event
        else:
            kept.append(event)
    return kept
