"""Keeps tables, reports and standing questions in a database of the library: the user's work, which cannot be rebuilt.

Every cell is on disk before it is shown. Who fills a table holds a lock that ends with its process; a second program
is told.
"""

import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import msgspec

from desktop_rag.agent.conversations.backups import counted_transaction, erase_traces, open_database
from desktop_rag.agent.conversations.erasing import Forgotten
from desktop_rag.decoding import decode_msgpack
from desktop_rag.errors import LibraryError, LibraryRefused, WorkBusy, WorkError
from desktop_rag.index.catalog.database import DISK_FULL, Database
from desktop_rag.index.library import Library
from desktop_rag.work.columns import Column, Kind, checked_columns
from desktop_rag.work.report import Report, ReportId, ReportSection
from desktop_rag.work.standing import Standing, StandingId
from desktop_rag.work.table import MOST_ROWS, Cell, CellState, Place, Proof, Row, Table, TableHead, TableId

FORMAT = 3  # 1 has no reports, 2 no standing questions

_SCHEMA = """
CREATE TABLE sheet (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, columns BLOB NOT NULL, changed_ns INTEGER NOT NULL
) STRICT;
CREATE TABLE sheet_row (
    sheet INTEGER NOT NULL REFERENCES sheet ON DELETE CASCADE, number INTEGER NOT NULL,
    sha256 BLOB NOT NULL, path TEXT NOT NULL, title TEXT NOT NULL, gone INTEGER NOT NULL,
    PRIMARY KEY (sheet, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE cell (
    sheet INTEGER NOT NULL, row INTEGER NOT NULL, question INTEGER NOT NULL, state TEXT NOT NULL,
    value TEXT NOT NULL, normal TEXT NOT NULL, proof BLOB, note TEXT NOT NULL, asked_by TEXT NOT NULL,
    sha256 BLOB NOT NULL, asked_ns INTEGER NOT NULL, correction TEXT, corrected_normal TEXT NOT NULL,
    PRIMARY KEY (sheet, row, question),
    FOREIGN KEY (sheet, row) REFERENCES sheet_row ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE written (times INTEGER NOT NULL) STRICT;
INSERT INTO written VALUES (0);
"""
_REPORTS = """
CREATE TABLE report (
    id INTEGER PRIMARY KEY AUTOINCREMENT, data BLOB NOT NULL, changed_ns INTEGER NOT NULL
) STRICT;
"""
_STANDING = """
CREATE TABLE standing (
    id INTEGER PRIMARY KEY AUTOINCREMENT, data BLOB NOT NULL, changed_ns INTEGER NOT NULL
) STRICT;
"""
_HEADS = """
SELECT id, name, columns, (SELECT count(*) FROM sheet_row WHERE sheet = s.id),
    (SELECT count(*) FROM cell WHERE sheet = s.id AND (correction IS NOT NULL OR state NOT IN ('waiting', 'failed'))),
    changed_ns
FROM sheet AS s ORDER BY changed_ns DESC, id DESC
"""
_CELLS = """
SELECT row, question, state, value, normal, proof, note, asked_by, sha256, asked_ns, correction, corrected_normal
FROM cell WHERE sheet = ?
"""
_PUT = """
INSERT INTO cell VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, '') ON CONFLICT DO UPDATE SET
    state = excluded.state, value = excluded.value, normal = excluded.normal, proof = excluded.proof,
    note = excluded.note, asked_by = excluded.asked_by, sha256 = excluded.sha256, asked_ns = excluded.asked_ns
"""
_CORRECT = """
INSERT INTO cell VALUES (?, ?, ?, 'waiting', '', '', NULL, '', '', x'', 0, ?, ?) ON CONFLICT DO UPDATE SET
    correction = excluded.correction, corrected_normal = excluded.corrected_normal
"""


class _HeadRow(NamedTuple):
    id: int
    name: str
    columns: bytes
    rows: int
    filled: int
    changed_ns: int


class _RowRow(NamedTuple):
    number: int
    sha256: bytes
    path: str
    title: str
    gone: int


class _CellRow(NamedTuple):
    row: int
    question: int
    state: str
    value: str
    normal: str
    proof: bytes | None
    note: str
    asked_by: str
    sha256: bytes
    asked_ns: int
    correction: str | None
    corrected_normal: str


class WorkStore:
    """Tables and reports on disk; one thread uses it at a time. `notice` tells if the file was restored."""

    def __init__(self, library: Library) -> None:
        self._library = library
        with _work_errors():
            self._db, self.notice = open_database(library.work, FORMAT, _create, "tables and reports")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    # tables

    def tables(self) -> tuple[TableHead, ...]:
        """Return all tables, the one changed last first."""
        with _work_errors():
            rows = self._db.rows(_HeadRow, _HEADS)
        return tuple(
            TableHead(
                TableId(each.id),
                each.name,
                each.rows,
                each.rows * len(decode_msgpack(each.columns, tuple[Column, ...])),
                each.filled,
                each.changed_ns,
            )
            for each in rows
        )

    def create(self, name: str, columns: Sequence[Column], rows: Sequence[Row]) -> TableId:
        """Store a new table; its columns and rows get their numbers here. Raises `LibraryRefused`."""
        numbered = tuple(_with_id(column, at) for at, column in enumerate(checked_columns(columns), 1))
        check_rows(len(rows))
        with self._writing():
            table = self._db.insert(
                "INSERT INTO sheet (name, columns, changed_ns) VALUES (?, ?, ?)",
                (name.strip() or "Table", msgspec.msgpack.encode(numbered), time.time_ns()),
            )
            self._add_rows(TableId(table), rows, 0)
        return TableId(table)

    def load(self, table: TableId) -> Table:
        """Return a table; raises `LibraryRefused` if it was deleted."""
        with _work_errors():
            found = self._db.row(tuple[str, bytes], "SELECT name, columns FROM sheet WHERE id = ?", (table,))
            sql = "SELECT number, sha256, path, title, gone FROM sheet_row WHERE sheet = ? ORDER BY number"
            rows = self._db.rows(_RowRow, sql, (table,))
            cells = self._db.rows(_CellRow, _CELLS, (table,))
        if found is None:
            raise LibraryRefused("This table was deleted.")
        return Table(
            table,
            found[0],
            decode_msgpack(found[1], tuple[Column, ...]),
            tuple(Row(each.number, each.sha256.hex(), each.path, each.title, bool(each.gone)) for each in rows),
            {(each.row, each.question): _cell(each) for each in cells},
        )

    def rename(self, table: TableId, name: str) -> None:
        """Give a table another name."""
        with self._changing(table):
            self._db.execute("UPDATE sheet SET name = ? WHERE id = ?", (name.strip() or "Table", table))

    def delete(self, table: TableId) -> None:
        """Delete a table with all its cells."""
        with self._writing():
            self._db.execute("DELETE FROM sheet WHERE id = ?", (table,))

    def set_columns(self, table: TableId, columns: Sequence[Column]) -> tuple[Column, ...]:
        """Replace the columns: those with an id keep their cells unless they ask something else; return all."""
        before = {column.id: column for column in self.load(table).columns}
        used = max(before, default=0)
        kept: list[Column] = []
        for column in checked_columns(columns):
            if before.get(column.id) != column:
                used += 1
                column = _with_id(column, used)
            kept.append(column)
        dropped = [(table, each) for each in before if each not in {column.id for column in kept}]
        with self._changing(table):
            self._db.execute("UPDATE sheet SET columns = ? WHERE id = ?", (msgspec.msgpack.encode(tuple(kept)), table))
            self._db.execute_many("DELETE FROM cell WHERE sheet = ? AND question = ?", dropped)
        return tuple(kept)

    def add_rows(self, table: TableId, rows: Sequence[Row]) -> int:
        """Add documents that the table does not have; return their number. Raises `LibraryRefused`."""
        known = self.load(table).rows
        have = {(each.sha256, each.path) for each in known}
        new = [each for each in rows if (each.sha256, each.path) not in have]
        check_rows(len(known) + len(new))
        with self._changing(table):
            self._add_rows(table, new, max((each.number for each in known), default=0))
        return len(new)

    def remove_rows(self, table: TableId, numbers: Iterable[int]) -> None:
        """Remove documents with their cells."""
        with self._changing(table):
            self._db.execute_many(
                "DELETE FROM sheet_row WHERE sheet = ? AND number = ?", [(table, each) for each in numbers]
            )

    def update_rows(self, table: TableId, rows: Iterable[Row]) -> None:
        """Store where documents are now, and what they are."""
        sql = "UPDATE sheet_row SET sha256 = ?, path = ?, title = ?, gone = ? WHERE sheet = ? AND number = ?"
        values = [
            (bytes.fromhex(each.sha256), each.path, each.title, int(each.gone), table, each.number) for each in rows
        ]
        with self._changing(table):
            self._db.execute_many(sql, values)

    def put(self, table: TableId, cells: Iterable[tuple[Place, Cell]]) -> None:
        """Store found cells; corrections stay. Cells of rows that were removed meanwhile are left out."""
        with self._changing(table):
            rows = set(self._db.values(int, "SELECT number FROM sheet_row WHERE sheet = ?", (table,)))
            self._db.execute_many(_PUT, [_values(table, place, cell) for place, cell in cells if place[0] in rows])

    def correct(self, table: TableId, place: Place, text: str | None, normal: str = "") -> None:
        """Store the user's own value of a cell beside the found one; None takes it back."""
        with self._changing(table):
            self._db.execute(_CORRECT, (table, *place, text, normal if text is not None else ""))

    def revision(self) -> int:
        """Return a number that changes when another program has written."""
        with _work_errors():
            return self._db.number("PRAGMA data_version")

    @contextmanager
    def filling(self, table: TableId) -> Generator[None]:
        """Hold the right to fill a table; raises `WorkBusy` if another program does."""
        busy = WorkBusy("Another program is filling this table. What it finds is kept; look again when it is done.")
        with _held(self._library.work_lock("table", table), busy):
            yield

    @contextmanager
    def writing_report(self, report: ReportId) -> Generator[None]:
        """Hold the right to write a report; raises `WorkBusy` if another program does."""
        busy = WorkBusy("Another program is writing this report. Look again when it is done.")
        with _held(self._library.work_lock("report", report), busy):
            yield

    def reports(self) -> tuple[tuple[ReportId, Report], ...]:
        """Return all reports, the one changed last first."""
        sql = "SELECT id, data FROM report ORDER BY changed_ns DESC, id DESC"
        with _work_errors():
            rows = self._db.rows(tuple[int, bytes], sql)
        return tuple((ReportId(number), decode_msgpack(data, Report)) for number, data in rows)

    def report(self, number: ReportId) -> Report:
        """Return a report; raises `LibraryRefused` if it was deleted."""
        with _work_errors():
            found = self._db.values(bytes, "SELECT data FROM report WHERE id = ?", (number,))
        if not found:
            raise LibraryRefused("This report was deleted.")
        return decode_msgpack(found[0], Report)

    def put_report(self, report: Report, number: ReportId | None = None) -> ReportId:
        """Store a new report, or one as it is now."""
        values = (msgspec.msgpack.encode(report), time.time_ns())
        with self._writing():
            if number is None:
                return ReportId(self._db.insert("INSERT INTO report (data, changed_ns) VALUES (?, ?)", values))
            self._db.execute("UPDATE report SET data = ?, changed_ns = ? WHERE id = ?", (*values, number))
        return number

    def put_section(self, number: ReportId, at: int, section: ReportSection) -> Report:
        """Store a section in its place, unless the outline has another one there by now; return the whole report."""
        with self._writing():
            report = self.report(number)
            now = report.sections[at : at + 1]
            if [(each.heading, each.question) for each in now] == [(section.heading, section.question)]:
                report = replace(report, sections=(*report.sections[:at], section, *report.sections[at + 1 :]))
                self.put_report(report, number)
        return report

    def set_outline(self, number: ReportId, sections: Sequence[ReportSection]) -> None:
        """Store other sections; those that stay keep their text."""
        with self._writing():
            report = self.report(number)
            known = {(each.heading, each.question): each for each in report.sections}
            kept = tuple(known.get((each.heading, each.question), each) for each in sections)
            self.put_report(replace(report, sections=kept), number)

    def delete_report(self, number: ReportId) -> None:
        """Delete a report."""
        with self._writing():
            self._db.execute("DELETE FROM report WHERE id = ?", (number,))

    def all_standing(self) -> tuple[tuple[StandingId, Standing], ...]:
        """Return all standing questions, the oldest first."""
        with _work_errors():
            rows = self._db.rows(tuple[int, bytes], "SELECT id, data FROM standing ORDER BY id")
        return tuple((StandingId(number), decode_msgpack(data, Standing)) for number, data in rows)

    def standing(self, number: StandingId) -> Standing:
        """Return a standing question; raises `LibraryRefused` if it was removed."""
        with _work_errors():
            found = self._db.values(bytes, "SELECT data FROM standing WHERE id = ?", (number,))
        if not found:
            raise LibraryRefused("This standing question was removed.")
        return decode_msgpack(found[0], Standing)

    def put_standing(self, standing: Standing, number: StandingId | None = None) -> StandingId:
        """Store a new standing question, or one as it is now."""
        values = (msgspec.msgpack.encode(standing), time.time_ns())
        with self._writing():
            if number is None:
                return StandingId(self._db.insert("INSERT INTO standing (data, changed_ns) VALUES (?, ?)", values))
            self._db.execute("UPDATE standing SET data = ?, changed_ns = ? WHERE id = ?", (*values, number))
        return number

    def change_standing(self, number: StandingId, change: Callable[[Standing], Standing]) -> Standing:
        """Store a standing question as `change` makes it of what it is by now; return it."""
        with self._writing():
            changed = change(self.standing(number))
            self.put_standing(changed, number)
        return changed

    def delete_standing(self, number: StandingId) -> None:
        """Remove a standing question."""
        with self._writing():
            self._db.execute("DELETE FROM standing WHERE id = ?", (number,))

    def erase_from(self, forgotten: Forgotten) -> int:
        """Erase rows of a folder with their cells, and reports that cite it, from the file and its copies."""
        erased = 0
        for head in self.tables():
            rows = self.load(head.id).rows
            gone = [each.number for each in rows if each.sha256 in forgotten.contents or forgotten.contains(each.path)]
            self.remove_rows(head.id, gone)
            erased += len(gone)
        for number, report in self.reports():
            if any(map(forgotten.cites, report.citations)):
                self.delete_report(number)
                erased += 1
            elif any(each.steps for each in report.sections):  # they name what was read
                kept = tuple(replace(each, steps=()) for each in report.sections)
                self.put_report(replace(report, sections=kept), number)
                erased += 1
        for asked, standing in self.all_standing():
            if any(map(forgotten.cites, standing.citations)):
                self.delete_standing(asked)
                erased += 1
        if erased:
            with _work_errors():
                erase_traces(self._db)
        return erased

    def _add_rows(self, table: TableId, rows: Sequence[Row], last: int) -> None:
        values = [
            (table, last + at, bytes.fromhex(each.sha256), each.path, each.title, int(each.gone))
            for at, each in enumerate(rows, 1)
        ]
        self._db.execute_many("INSERT INTO sheet_row VALUES (?, ?, ?, ?, ?, ?)", values)

    @contextmanager
    def _changing(self, table: TableId) -> Generator[None]:
        with self._writing():
            yield
            self._db.execute("UPDATE sheet SET changed_ns = ? WHERE id = ?", (time.time_ns(), table))

    @contextmanager
    def _writing(self) -> Generator[None]:
        with _work_errors(), counted_transaction(self._db):
            yield


def erase_work(library: Library, forgotten: Forgotten) -> None:
    """Erase what tables and reports have of a folder, if there are any."""
    if library.work.exists():
        with closing(WorkStore(library)) as store:
            store.erase_from(forgotten)


def check_rows(rows: int) -> None:
    """Raise `LibraryRefused` for more or fewer rows than a table has."""
    if rows > MOST_ROWS:
        raise LibraryRefused(
            f"These are {rows:,} documents; a table has at most {MOST_ROWS:,}. Choose a folder, a type or a time."
        )
    if not rows:
        raise LibraryRefused("No document fulfils these conditions.")


def _create(db: Database, found: int) -> None:
    if not found:
        db.execute(_SCHEMA)
    if found < 2:
        db.execute(_REPORTS)
    db.execute(_STANDING)


def _with_id(column: Column, number: int) -> Column:
    return Column(column.name, Kind(column.kind), column.options, number)


def _values(table: TableId, place: Place, cell: Cell) -> tuple[int | str | bytes | None, ...]:
    proof = msgspec.msgpack.encode(cell.proof) if cell.proof else None
    found = (cell.state.value, cell.value, cell.normal, proof, cell.note, cell.by)
    return (table, *place, *found, bytes.fromhex(cell.sha256), cell.asked_ns)


def _cell(row: _CellRow) -> Cell:
    return Cell(
        CellState(row.state),
        row.value,
        row.normal,
        decode_msgpack(row.proof, Proof) if row.proof is not None else None,
        row.note,
        row.asked_by,
        row.sha256.hex(),
        row.asked_ns,
        row.correction,
        row.corrected_normal,
    )


@contextmanager
def _held(path: Path, busy: WorkBusy) -> Generator[None]:
    """Hold a lock that ends with this process; raises `busy` if another one has it."""
    from filelock import FileLock, Timeout

    lock = FileLock(path, mode=0o600)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise busy from error
    except OSError as error:
        raise WorkError(f"The table cannot be locked ({error.strerror or error}).") from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _work_errors() -> Generator[None]:
    """Turn database errors into `WorkError`."""
    try:
        yield
    except (LibraryError, OSError) as error:
        if isinstance(error, LibraryRefused | WorkError):
            raise
        if str(error) == DISK_FULL:
            raise WorkError("The disk is full. What was found so far is kept; free some space, then go on.") from error
        raise WorkError(f"The tables and reports could not be used ({error.__cause__ or error}).") from error
