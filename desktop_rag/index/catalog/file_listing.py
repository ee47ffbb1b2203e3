"""The list of all files, filtered and sorted; the order of the last query is kept, and rows are read by position."""

import re
import unicodedata
from array import array
from collections.abc import Iterator
from itertools import starmap
from typing import NamedTuple

from desktop_rag.documents.file_types import format_of, suffix_of
from desktop_rag.documents.ocr.ocr_engine import with_remedy
from desktop_rag.errors import ProblemKind
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.catalog_schema import has_kinds
from desktop_rag.index.catalog.database import Value, marks
from desktop_rag.index.catalog.file_lookup import AFTER_SEPARATOR, SEPARATOR, absolute
from desktop_rag.index.catalog.file_table import VISIBLE
from desktop_rag.index.catalog.stored_values import IS_PICTURES, MISSING, STATE
from desktop_rag.index.file_rows import (
    PROBLEMS,
    FileColumn,
    FileQuery,
    FileWindow,
    FolderContents,
    LibraryOverview,
    ListedFile,
    ListedState,
    ProblemGroup,
    Tally,
)
from desktop_rag.index.records import ContentId, FileId, FolderId

_DIGITS = re.compile(r"\d+")
_FROM = f"FROM {VISIBLE} LEFT JOIN content ON content.id = file.content"
_STATE = (
    f"CASE {STATE} WHEN 'queued' THEN 2 WHEN 'pictures' THEN 4 WHEN 'skipped' THEN 5 WHEN 'failed' THEN 5 "
    f"ELSE CASE WHEN {MISSING} != '' THEN 3 WHEN content.state = 'ready' THEN 0 ELSE 1 END END"
)
_STATES = tuple(ListedState)  # in the order of the numbers above
_REASON = (
    f"CASE {STATE} WHEN 'queued' THEN CASE pending WHEN 0 THEN reason ELSE '' END "  # a reader of it was killed
    f"WHEN 'skipped' THEN reason WHEN 'failed' THEN reason ELSE {MISSING} END"
)
_UNKNOWN = ProblemKind.OTHER.value
_PROBLEM = (  # the `ProblemKind` of a file in one of the states `PROBLEMS`
    f"CASE WHEN {IS_PICTURES} OR content.unread_pages > 0 THEN '{ProblemKind.SCANS}' "
    f"ELSE coalesce(nullif(iif(content.id IS NULL, reason_kind, partial_kind), ''), '{_UNKNOWN}') END"
)
_KIND = "coalesce(content.format, named_kind(folder.path, file.path))"
_ORDER = {
    FileColumn.NAME: "name_key(folder.path, file.path)",
    FileColumn.STATE: _STATE,
    FileColumn.TYPE: _KIND,
    FileColumn.SIZE: "file.size",
    FileColumn.MODIFIED: "file.mtime_ns",
    FileColumn.WORDS: "coalesce(content.word_count, 0)",
    FileColumn.PAGES: "coalesce(content.page_count, 0)",
    FileColumn.REASON: _REASON,
    FileColumn.FOLDER: "folder_key(folder.path, file.path)",
}


class _Row(NamedTuple):
    file: FileId
    folder: FolderId
    root: bytes
    path: bytes
    state: int
    kind: str
    size: int
    mtime_ns: int
    words: int
    pages: int
    reason: str
    unread_pages: int
    content: ContentId | None
    outcome: str
    problem: str


_COLUMNS = (
    f"file.id, folder.id, folder.path, file.path, {_STATE}, {_KIND}, file.size, file.mtime_ns, "
    f"coalesce(content.word_count, 0), coalesce(content.page_count, 0), {_REASON}, "
    "coalesce(content.unread_pages, 0), content.id, outcome"
)


class FileListing:
    """Reads windows of the list of files, and the statistics of all of them."""

    def __init__(self, catalog: CatalogReader) -> None:
        self._database = catalog.database
        self._query: FileQuery | None = None
        self._ids = array("q")
        self._prepared = False
        self._problem = ""  # as SQL

    def window(self, query: FileQuery, first: int, count: int) -> FileWindow:
        """Return `count` rows from position `first` (from 0), fewer at the end."""
        ids = self._ordered(query)
        rows = (None if row is None else _listed(row) for row in self._rows(ids[max(0, first) : max(0, first) + count]))
        return FileWindow(len(ids), max(0, first), tuple(rows))

    def paths(self, query: FileQuery, limit: int) -> tuple[tuple[FolderId, bytes], ...]:
        """Return the root folder and the absolute path of the first `limit` files of a query."""
        rows = self._rows(self._ordered(query)[:limit])
        return tuple((row.folder, absolute(row.root, row.path)) for row in rows if row is not None)

    def contents(self, folder: FolderId, inside: bytes, most: int) -> FolderContents:
        """Return at most `most` subfolders and files that are directly in a folder, in the order of their names."""
        self._prepare()
        where, values = _condition(FileQuery(folder=folder, inside=inside), self._problem)
        rest = f"substr(file.path, {len(inside) + len(SEPARATOR) + 1 if inside else 1})"
        subfolders = self._database.rows(
            tuple[bytes, int],
            f"SELECT substr({rest}, 1, instr({rest}, ?) - 1) AS name, count(*) {_FROM} {where} "
            f"AND instr({rest}, ?) > 0 GROUP BY name ORDER BY name_key(X'', name), name",
            (SEPARATOR, *values, SEPARATOR),
        )
        direct = f"{_FROM} {where} AND instr({rest}, ?) = 0"
        total = self._database.number(f"SELECT count(*) {direct}", (*values, SEPARATOR))
        rows = self._database.rows(
            _Row,
            f"SELECT {_COLUMNS}, {self._problem} {direct} ORDER BY {_ORDER[FileColumn.NAME]}, file.path LIMIT ?",
            (*values, SEPARATOR, max(0, most - len(subfolders))),
        )
        more = len(subfolders) + total - min(most, len(subfolders)) - len(rows)
        return FolderContents(tuple(subfolders[:most]), tuple(map(_listed, rows)), more)

    def overview(self, folder: FolderId | None) -> LibraryOverview:
        """Return the statistics of one root folder, or of all with None; without the bytes on the disk."""
        self._prepare()
        where, values = _condition(FileQuery(folder=folder), self._problem)
        files, size = self._database.row(
            tuple[int, int], f"SELECT count(*), coalesce(sum(file.size), 0) {_FROM} {where}", values
        ) or (0, 0)
        states = self._database.rows(
            tuple[int, int], f"SELECT {_STATE} AS rank, count(*) {_FROM} {where} GROUP BY rank ORDER BY rank", values
        )
        kinds = self._database.rows(
            tuple[str, int, int],
            f"SELECT {_KIND} AS kind, count(*) AS files, coalesce(sum(word_count), 0) {_FROM} {where} "
            "GROUP BY kind ORDER BY files DESC, kind",
            values,
        )
        held = f"content WHERE id IN (SELECT content.id {_FROM} {where})"
        documents, words, pages = self._database.row(
            tuple[int, int, int],
            f"SELECT count(*), coalesce(sum(word_count), 0), coalesce(sum(page_count), 0) FROM {held}",
            values,
        ) or (0, 0, 0)
        languages = self._database.rows(
            tuple[str, int, int],
            f"SELECT language, count(*) AS documents, sum(word_count) FROM {held} GROUP BY language "
            "ORDER BY documents DESC, language",
            values,
        )
        return LibraryOverview(
            files,
            documents,
            words,
            pages,
            size,
            tuple((_STATES[rank], count) for rank, count in states),
            tuple(starmap(Tally, kinds)),
            tuple(starmap(Tally, languages)),
            self._problems(folder),
        )

    def _problems(self, folder: FolderId | None) -> tuple[ProblemGroup, ...]:
        where, values = _condition(FileQuery(states=PROBLEMS, folder=folder), self._problem)
        groups = self._database.rows(
            tuple[ProblemKind, int, int, str],
            f"SELECT {self._problem} AS kind, count(*) AS files, count(CASE outcome WHEN 'skipped' THEN NULL "
            f"ELSE 1 END), min({_REASON}) {_FROM} {where} GROUP BY kind ORDER BY files DESC, kind",
            values,
        )
        return tuple(starmap(ProblemGroup, groups))

    def _ordered(self, query: FileQuery) -> "array[int]":
        """Return the ids of the files of a query, in its order."""
        if query != self._query:
            self._prepare()
            where, values = _condition(query, self._problem)
            way = "DESC" if query.descending else "ASC"
            order = f"{_ORDER[query.column]} {way}, folder.path, file.path"
            rows = self._database.plain_rows(f"SELECT file.id {_FROM} {where} ORDER BY {order}", values)
            self._ids = array("q", [row[0] for row in rows if isinstance(row[0], int)])
            self._query = query
        return self._ids

    def _rows(self, ids: "array[int]") -> "Iterator[_Row | None]":
        sql = f"SELECT {_COLUMNS}, {self._problem} {_FROM} WHERE file.id IN ({{}})"
        found: dict[int, _Row] = {row.file: row for row in self._database.rows_of(_Row, sql, ids)}
        return map(found.get, ids)

    def _prepare(self) -> None:
        if not self._prepared:
            for function in (name_key, folder_key, folded, named_kind):
                self._database.add_function(function.__name__, function, 2)
            self._problem = _PROBLEM if has_kinds(self._database) else f"'{_UNKNOWN}'"
            self._prepared = True


def _condition(query: FileQuery, problem: str) -> tuple[str, list[Value]]:
    """Return the WHERE clause of a query and its values."""
    conditions: list[str] = ["1"]
    values: list[Value] = []
    if query.folder is not None:
        conditions.append("folder.id = ?")
        values.append(query.folder)
    if query.inside:
        conditions.append("file.path > ? AND file.path < ?")
        values += [query.inside + SEPARATOR, query.inside + AFTER_SEPARATOR]
    if query.states:
        conditions.append(f"({_STATE}) IN ({marks(len(query.states))})")
        values += [_STATES.index(state) for state in query.states]
    if query.kind:
        conditions.append(f"{_KIND} = ?")
        values.append(query.kind)
    if query.problem is not None:
        conditions.append(f"({_STATE}) IN (3, 4, 5) AND {problem} = ?")
        values.append(query.problem.value)
    for word in _folded(query.words).split():
        conditions.append("instr(folded(folder.path, file.path), ?) > 0")
        values.append(word)
    return f"WHERE {' AND '.join(conditions)}", values


def _listed(row: _Row) -> ListedFile:
    state = _STATES[row.state]
    return ListedFile(
        row.file,
        row.folder,
        row.root,
        absolute(row.root, row.path),
        state,
        row.kind,
        row.size,
        row.mtime_ns,
        row.words,
        row.pages,
        with_remedy(row.reason) if row.reason and row.unread_pages else row.reason,
        ProblemKind(row.problem) if state in PROBLEMS else None,
        row.content,
        row.outcome == "skipped" and row.content is None,
    )


# Functions of the SQL above. Names are bytes of the file system and need not be text.


def name_key(root: bytes, path: bytes) -> str:
    """Return the sort key of a file's name: without case and accents, numbers by value."""
    return _key((path or root).rpartition(SEPARATOR)[2])


def folder_key(root: bytes, path: bytes) -> str:
    """Return the sort key of the folder a file is in."""
    return _key(absolute(root, path).rpartition(SEPARATOR)[0])


def folded(root: bytes, path: bytes) -> str:
    """Return a whole path for comparisons that ignore case."""
    return _folded(absolute(root, path).decode("utf-8", "replace"))


def named_kind(root: bytes, path: bytes) -> str:
    """Return the format a file has by its name, or its suffix with the dot; "" for neither."""
    name = (path or root).rpartition(SEPARATOR)[2].decode("utf-8", "replace")
    kind = format_of(name)
    if kind is not None:
        return kind.value
    suffix = suffix_of(name)
    return f".{suffix}" if suffix else ""


def _folded(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text).casefold()


def _key(name: bytes) -> str:
    text = name.decode("utf-8", "replace")
    if text.isascii():
        text = text.lower()
    else:
        text = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return _DIGITS.sub(_padded, text)


def _padded(digits: "re.Match[str]") -> str:
    return digits[0].zfill(20)
