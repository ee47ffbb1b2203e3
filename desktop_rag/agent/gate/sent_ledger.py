"""The privacy ledger: the lines sent to each host, with their file, time and run.

It is written before the request is sent: what is not in it was not sent. A request that could not even connect is
kept without its passages. One SQLite file for all libraries.
"""

import csv
import io
import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from desktop_rag.errors import LibraryError, SendingRefused
from desktop_rag.index.catalog.database import Database
from desktop_rag.paths import data_home, private_folder, valid_text, written_path

_SCHEMA = """
CREATE TABLE IF NOT EXISTS request (
    id INTEGER PRIMARY KEY, run TEXT NOT NULL, sent_ns INTEGER NOT NULL, host TEXT NOT NULL, model TEXT NOT NULL,
    question TEXT NOT NULL, characters INTEGER NOT NULL, masked INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS passage (
    request INTEGER NOT NULL REFERENCES request (id) ON DELETE CASCADE, path TEXT NOT NULL, title TEXT NOT NULL,
    first_line INTEGER NOT NULL, last_line INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS passage_of_request ON passage (request);
CREATE INDEX IF NOT EXISTS passage_path ON passage (path);
"""
_HAS_WORD = (
    "instr(lower(coalesce(path, '') || ' ' || coalesce(title, '') || ' ' || question || ' ' || host || ' ' || model "
    "|| ' ' || run), lower(?)) > 0"
)


@dataclass(frozen=True, slots=True)
class SentPassage:
    """Lines of a file in a request, counted from 1."""

    path: str
    title: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class SentRow:
    """A passage that was sent, or a request without one (`path` is empty); `characters` are those of the request.

    There are none of a request that was not sent.
    """

    sent: str  # ISO, UTC
    run: str
    host: str
    model: str
    question: str
    characters: int
    masked: int
    path: str
    title: str
    first_line: int
    last_line: int


def ledger_file() -> Path:
    """Return the file of the ledger."""
    return data_home() / "sent.sqlite"


_OPENING = threading.Lock()  # of two threads that create the file at once, SQLite refuses one without waiting


class SentLedger:
    """Reads and writes the ledger; every call opens the file, so any thread or process may use it."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or ledger_file()

    def record(
        self, run: str, host: str, model: str, question: str, characters: int, masked: int, new: Iterable[SentPassage]
    ) -> int:
        """Write a request that is about to be sent, with passages that were not sent before in this run.

        Returns its number for `withdraw`. Raises `SendingRefused` if it cannot be written: nothing is sent unrecorded.
        """
        try:
            with closing(self._open()) as database, database.transaction():
                request = database.insert(
                    "INSERT INTO request (run, sent_ns, host, model, question, characters, masked) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (run, time.time_ns(), host, model, question, characters, masked),
                )
                rows = [(request, each.path, each.title, each.first_line, each.last_line) for each in new]
                database.execute_many("INSERT INTO passage VALUES (?, ?, ?, ?, ?)", rows)
                return request
        except (LibraryError, OSError) as error:
            raise SendingRefused(
                f"Nothing was sent to {host}: the record of what is sent cannot be written ({error})."
            ) from error

    def withdraw(self, request: int) -> None:
        """Note that a request was not sent: there was no connection."""
        with suppress(LibraryError, OSError), closing(self._open()) as database, database.transaction():
            database.execute("DELETE FROM passage WHERE request = ?", (request,))
            database.execute("UPDATE request SET characters = 0 WHERE id = ?", (request,))

    def rows(self, words: str = "", host: str = "", most: int = -1) -> tuple[SentRow, ...]:
        """Return what was sent, newest first, at most `most` rows; all if it is negative.

        `words` are either an absolute path, which matches everything below it, too, or words that must all occur in
        path, title, question, host or model.
        """
        if not self._path.is_file():
            return ()
        where, values = _condition(words)
        if host:
            where.append("host = ?")
            values.append(host)
        condition = f"WHERE {' AND '.join(where)} " if where else ""
        with closing(self._open()) as database:
            found = database.rows(
                tuple[int, str, str, str, str, int, int, str, str, int, int],
                "SELECT sent_ns, run, host, model, question, characters, masked, coalesce(path, ''), "
                "coalesce(title, ''), coalesce(first_line, 0), coalesce(last_line, 0) "
                f"FROM request LEFT JOIN passage ON request = request.id {condition}"
                "ORDER BY request.id DESC, path, first_line LIMIT ?",
                (*values, most),
            )
        return tuple(SentRow(_sent_at(row[0]), *row[1:]) for row in found)

    def hosts(self) -> tuple[str, ...]:
        """Return every host that something was sent to."""
        if not self._path.is_file():
            return ()
        with closing(self._open()) as database:
            return tuple(database.values(str, "SELECT DISTINCT host FROM request ORDER BY host"))

    def clear(self) -> None:
        """Forget everything; the text is overwritten in the file."""
        if self._path.is_file():
            with closing(self._open()) as database:
                database.execute("DELETE FROM passage")
                database.execute("DELETE FROM request")
                database.empty_journal()

    def _open(self) -> Database:
        private_folder(self._path.parent)
        if not self._path.exists():
            self._path.touch(mode=0o600, exist_ok=True)
        with _OPENING:
            database = Database(self._path)
            for statement in filter(str.strip, _SCHEMA.split(";")):
                database.execute(statement)
            return database


def _condition(words: str) -> tuple[list[str], list[str]]:
    """Return SQL conditions and their values; a path is matched as typed and with its symbolic links resolved."""
    written = Path(words.strip())
    is_path = written.is_absolute() or written.parts[:1] in (("..",), ("~",)) or words.strip().startswith(("./", "~"))
    path = str(written_path(written))
    if not is_path:
        return [_HAS_WORD for _ in words.split()], words.split()
    values: list[str] = []
    for place in map(valid_text, (path, os.path.realpath(path))):
        values += [place, *2 * (place.rstrip(os.sep) + os.sep,)]
    return ["(path = ? OR substr(path, 1, length(?)) = ? OR path = ? OR substr(path, 1, length(?)) = ?)"], values


def _sent_at(nanoseconds: int) -> str:
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC).isoformat(timespec="seconds")


def as_csv(rows: Iterable[SentRow]) -> str:
    """Return rows as CSV with a header; cells that a spreadsheet would compute begin with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(SentRow.__dataclass_fields__)
    writer.writerows([_inert(value) for value in asdict(row).values()] for row in rows)
    return out.getvalue()


def as_json(rows: Iterable[SentRow]) -> str:
    """Return rows as a JSON list."""
    return msgspec.json.format(msgspec.json.encode(list(rows)), indent=2).decode()


def summaries(rows: Iterable[SentRow]) -> Iterator[tuple[str, str, int, int]]:
    """Yield for each host and file: host, path, number of passages, number of different lines."""
    lines: dict[tuple[str, str], tuple[int, set[int]]] = {}
    for row in rows:
        if row.path:
            count, known = lines.get((row.host, row.path), (0, set()))
            known.update(range(row.first_line, row.last_line + 1))
            lines[row.host, row.path] = count + 1, known
    for (host, path), (count, known) in sorted(lines.items()):
        yield host, path, count, len(known)


def _inert(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
