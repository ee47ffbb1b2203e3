"""A typed SQLite connection: rows are validated against the requested type."""

import os
import stat
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TypeVar

import apsw
import msgspec

from desktop_rag.decoding import converted
from desktop_rag.errors import LibraryDamaged, LibraryError, OutOfMemory

Row = TypeVar("Row")
Value = None | int | float | str | bytes

DISK_FULL = "The disk is full. Free some space; indexing continues by itself."
IN_MEMORY = Path(":memory:")
BUSY_MILLISECONDS = 10_000
BATCH = 500  # ids in one IN clause
MAPPED_BYTES = 1 << 40  # of the file, for readers: a search reads the vectors of hundreds of chunks
CHECKPOINT_PAGES = 16_000  # of the journal, before they are written into the main file: many are written again by then
JOURNAL_BYTES = 96 << 20  # the journal is truncated to this size after a big transaction


class Database:
    """A connection with typed rows that raises only our errors; one thread uses it at a time."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._tables: set[str] = set()
        self._translated = _Translated(path)
        with self._translated:
            self._connection = _connection(path, read_only=read_only)
            self._connection.set_busy_timeout(BUSY_MILLISECONDS)
            # No temporary files: the counts of a status would write megabytes, a few times a second.
            self._connection.execute("PRAGMA temp_store=MEMORY")
            if read_only:
                self._connection.execute("PRAGMA query_only=ON")
                self._connection.execute(f"PRAGMA mmap_size={MAPPED_BYTES}")
            else:
                self._connection.execute("PRAGMA journal_mode=WAL")
                self._connection.execute(f"PRAGMA journal_size_limit={JOURNAL_BYTES}")
                self._connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
                self._connection.execute("PRAGMA secure_delete=ON")  # what the user deletes is not left in free pages
            self._connection.execute("PRAGMA foreign_keys=ON")

    def close(self) -> None:
        """Close the connection."""
        with self._translated:
            self._connection.close()

    def empty_journal(self) -> bool:
        """Write the journal into the main file and truncate it; return whether no reader prevented that."""
        busy = self.row(tuple[int, int, int], "PRAGMA wal_checkpoint(TRUNCATE)")
        return busy is not None and not busy[0]

    def interrupt(self) -> None:
        """End a running query, if there is one; callable from any thread, also when the connection is closed."""
        with suppress(apsw.ConnectionClosedError):
            self._connection.interrupt()

    def execute(self, sql: str, values: Sequence[Value] = ()) -> None:
        """Run one statement without a result."""
        with self._translated:
            self._connection.execute(sql, values)

    def execute_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run one statement for each row of values."""
        with self._translated:
            self._connection.executemany(sql, rows)

    def insert(self, sql: str, values: Sequence[Value]) -> int:
        """Run an INSERT and return the new row's id."""
        with self._translated:
            self._connection.execute(sql, values)
            return self._connection.last_insert_rowid()

    def changed(self) -> int:
        """Return how many rows the last statement changed."""
        return self._connection.changes()

    def rows(self, kind: type[Row], sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Return all rows of a query, each as `kind` (a NamedTuple or a tuple type)."""
        with self._translated:
            return converted(self._connection.execute(sql, values).fetchall(), list[kind])  # type: ignore[valid-type]

    def plain_rows(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Value, ...]]:
        """Return all rows of a query without validation."""
        with self._translated:
            return self._connection.execute(sql, values).fetchall()

    def row(self, kind: type[Row], sql: str, values: Sequence[Value] = ()) -> Row | None:
        """Return the first row of a query as `kind`, or None."""
        with self._translated:
            found = self._connection.execute(sql, values).fetchone()
            return None if found is None else converted(found, kind)

    def values(self, kind: type[Row], sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Return the first column of a query, each value as `kind`."""
        with self._translated:
            found = [row[0] for row in self._connection.execute(sql, values).fetchall()]
            return converted(found, list[kind])  # type: ignore[valid-type]

    def rows_of(self, kind: type[Row], sql: str, ids: Iterable[int], *further: Value) -> Iterator[Row]:
        """Yield the rows of a query about ids, some ids at a time: `IN ({})` stands for them, `further` follow them."""
        for some in batches(ids):
            yield from self.rows(kind, sql.replace("{}", marks(len(some))), (*some, *further))

    def values_of(self, kind: type[Row], sql: str, ids: Iterable[int], *further: Value) -> Iterator[Row]:
        """Yield the first column of a query in the same way."""
        for some in batches(ids):
            yield from self.values(kind, sql.replace("{}", marks(len(some))), (*some, *further))

    def number(self, sql: str, values: Sequence[Value] = ()) -> int:
        """Return the first column of the first row as a number; NULL and no row are 0."""
        with self._translated:
            found = self._connection.execute(sql, values).fetchone()
            return converted(found[0] if found else 0, int | None) or 0  # type: ignore[arg-type]

    def has_table(self, name: str) -> bool:
        """Return whether there is a table; one that was seen is not looked for again."""
        if name not in self._tables:
            self._tables |= set(self.values(str, "SELECT name FROM sqlite_master WHERE name = ?", (name,)))
        return name in self._tables

    def add_function(self, name: str, function: Callable[..., str], parameters: int) -> None:
        """Make a function of its arguments alone callable in the SQL of this connection."""
        with self._translated:
            self._connection.create_scalar_function(name, function, parameters, deterministic=True)

    def total_changes(self) -> int:
        """Return how many rows this connection has changed."""
        return self._connection.total_changes()

    def rewrite(self) -> None:
        """Rewrite the file without unused pages and remains of deleted rows."""
        self.execute("PRAGMA temp_store=FILE")  # it may be larger than the memory
        try:
            self.execute("VACUUM")
        finally:
            self.execute("PRAGMA temp_store=MEMORY")

    def give_back(self, pages: int) -> bool:
        """Cut up to `pages` unused pages off the end of the file; return whether there were any."""
        before = self.number("PRAGMA freelist_count")
        if before:
            with self._translated:  # it returns a row for each page, which has to be fetched
                self._connection.execute(f"PRAGMA incremental_vacuum({pages})").fetchall()
        return before > 0 and self.number("PRAGMA freelist_count") < before

    @contextmanager
    def transaction(self) -> Generator[None]:
        """Run the block in one transaction (nested blocks join the outer one); an exception rolls it back."""
        if self._connection.in_transaction:
            yield
            return
        # IMMEDIATE: a transaction that reads first and then writes fails without waiting when another connection wrote
        # in between. Not `with self._connection`: it waits for the lock while holding the GIL, so the thread that holds
        # the lock could not continue.
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self.execute("ROLLBACK")
            raise


def _connection(path: Path, *, read_only: bool) -> apsw.Connection:
    if path == IN_MEMORY:
        return apsw.Connection(str(path))
    if not read_only:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        _make_private(path)
        return connection
    journal = path.with_name(path.name + "-wal")
    if path.exists() and not journal.exists() and not os.access(path.parent, os.W_OK):
        # Even reading needs a journal beside the file, except for an immutable file.
        uri = f"{path.absolute().as_uri()}?immutable=1"
        return apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    # Not opened for reading only: SQLite removes its files beside a database only at the last close of who may write.
    # Where nobody may write it opens for reading, and files of a database that has replaced this one stay.
    return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)


def _make_private(path: Path) -> None:
    if os.name != "posix":
        return
    try:
        if stat.S_IMODE(path.stat().st_mode) != stat.S_IRUSR | stat.S_IWUSR:
            path.chmod(stat.S_IRUSR | stat.S_IWUSR)
    except OSError as error:
        raise LibraryError(f"{path} cannot be kept private ({error.strerror or error}).") from error


class _Translated:
    """Raises SQLite's errors in its blocks as ours, each with advice; a generator would cost as much as a query."""

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Raise our error for one of SQLite."""
        if error is not None and (ours := _our_error(self._path, error)) is not None:
            raise ours from error


def _our_error(path: Path, error: BaseException) -> LibraryError | None:
    match error:
        # Also a missing table, a value of a wrong type, invalid UTF-8.
        case (
            apsw.CorruptError()
            | apsw.NotADBError()
            | apsw.SQLError()
            | msgspec.ValidationError()
            | UnicodeDecodeError()
        ):
            return LibraryDamaged(
                f"{path} is damaged ({error}). `desktop-rag index`, or opening the window, repairs it."
            )
        case apsw.NoMemError():
            return OutOfMemory(f"There is not enough memory to use {path}. Close other programs.")
        case apsw.FullError():
            return LibraryError(DISK_FULL)
        case apsw.BusyError():
            return LibraryError(f"{path} is held by another program for too long. Close it and try again.")
        case apsw.ReadOnlyError():
            return LibraryError(f"{path} cannot be written. Check the permissions of its folder.")
        case apsw.CantOpenError():
            return LibraryError(f"{path} cannot be opened ({error}). Check that its folder exists and is yours.")
        case apsw.InterruptError():
            return LibraryError("The query was interrupted.")
        case apsw.IOError() if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_NOMEM:
            return OutOfMemory(f"There is not enough memory to use {path}. Close other programs.")
        case apsw.IOError():
            return LibraryError(f"The disk reported an error on {path} ({error}).")
        case apsw.Error():
            return LibraryError(f"{path} could not be used ({error}).")
    return None


def marks(count: int) -> str:
    """Return `count` comma-separated question marks for an IN clause."""
    return ",".join("?" * count)


def batches(ids: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """Yield ids in groups that fit one IN clause."""
    iterator = iter(ids)
    while some := tuple(islice(iterator, BATCH)):
        yield some
