"""The files of a library: where each content is on the disk."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from desktop_rag.index.catalog.database import Database, marks
from desktop_rag.index.catalog.file_lookup import (
    SEPARATOR,
    FileLookup,
    RecentlyRemoved,
    absolute,
    away_folder_of,
    relative_to,
)
from desktop_rag.index.catalog.folder_table import FolderTable
from desktop_rag.index.records import ContentId, File, FileId, FilePlace, FolderId, FolderState
from desktop_rag.text.normalize import fold

VISIBLE = "file JOIN folder ON folder.id = file.folder AND folder.removed_ns = 0"  # neither removed nor attached
_HELD = "file JOIN folder ON folder.id = file.folder AND folder.removed_ns <= 0"  # of the library, or attached


class _PlaceRow(NamedTuple):
    content: ContentId
    folder: FolderId
    root: bytes
    path: bytes
    size: int
    mtime_ns: int


class DescribedFile(NamedTuple):
    """A file of a root folder, and what is known of its content; `tags` has one a line."""

    content: int
    folder: int
    root: bytes
    path: bytes
    mtime_ns: int
    title: str
    author: str
    created: str
    modified: str
    language: str
    tags: str | None


class FileFingerprint(NamedTuple):
    """The data to recognise a file at another path; `sha256` is None if it was not read."""

    id: FileId
    path: bytes
    size: int
    mtime_ns: int
    pending: int
    sha256: bytes | None


class FileTable:
    """Reads the files."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._folders = FolderTable(database)
        self._visible: tuple[tuple[object, ...], frozenset[ContentId]] | None = None
        self._by_path: tuple[tuple[int, int], tuple[ContentId, ...]] | None = None
        self._folds = False  # whether SQL can call `_folded`

    def names_check(self) -> tuple[int, ...]:
        """Return figures that differ when a searchable file came, went or was renamed."""
        sums = "count(*), coalesce(sum(id), 0), coalesce(sum(length(path)), 0), coalesce(total(ctime_ns), 0)"
        [row] = self._database.rows(tuple[int, int, int, float], f"SELECT {sums} FROM file WHERE content IS NOT NULL")
        return tuple(map(int, row))

    def read_before(self, reader: int) -> int:
        """Return how many files of active folders an older reader version has read; they will be read again."""
        return self._database.number(
            "SELECT count(*) FROM file JOIN content ON content.id = file.content AND content.reader < ? "
            "JOIN folder ON folder.id = file.folder AND folder.removed_ns <= 0 AND folder.state = 'active'",
            (reader,),
        )

    def has_replaced(self) -> bool:
        """Return whether contents that no file holds any more are still kept, such as those of an earlier reader."""
        sql = (
            "SELECT count(*) FROM (SELECT 1 FROM content WHERE NOT EXISTS "
            "(SELECT 1 FROM file WHERE file.content = content.id) AND sha256 NOT IN (SELECT sha256 FROM cited) LIMIT 1)"
        )
        return self._database.number(sql) > 0

    def of_folder(self, folder: FolderId) -> dict[bytes, File]:
        """Return every known file of a root folder by its relative path."""
        return {file.path: file for file in self.lookup(folder).beneath(b"")}

    def lookup(self, folder: FolderId, removed: RecentlyRemoved | None = None) -> FileLookup:
        """Return a lookup of the files of one root folder by path."""
        return FileLookup(self._database, folder, removed)

    def places(
        self, ids: Iterable[ContentId], attached: Sequence[FolderId] = ()
    ) -> dict[ContentId, tuple[FilePlace, ...]]:
        """Return the files of these contents in the library and among `attached`.

        Paths are absolute: those that can be opened first, in folder order (the library's first), then the shortest.
        """
        return self._places(ids, f"(removed_ns = 0 OR folder.id IN ({marks(len(attached))}))", *attached)

    def every_place(self, ids: Iterable[ContentId]) -> dict[ContentId, tuple[FilePlace, ...]]:
        """Return the files of these contents like `places`, whatever conversation they are attached to."""
        return self._places(ids, "1")

    def _places(
        self, ids: Iterable[ContentId], condition: str, *values: FolderId
    ) -> dict[ContentId, tuple[FilePlace, ...]]:
        sql = (
            "SELECT file.content, folder.id, folder.path, file.path, file.size, file.mtime_ns "
            f"FROM {_HELD} WHERE file.content IN ({{}}) AND {condition} "
            "ORDER BY folder.state = ?, removed_ns DESC, folder.id, length(file.path), file.path"
        )
        found: dict[ContentId, list[FilePlace]] = {}
        for row in self._database.rows_of(_PlaceRow, sql, ids, *values, FolderState.OFFLINE):
            place = FilePlace(row.folder, absolute(row.root, row.path), row.size, row.mtime_ns)
            found.setdefault(row.content, []).append(place)
        return {content: tuple(places) for content, places in found.items()}

    def described(self, most: int) -> Iterator[list[DescribedFile]]:
        """Yield all visible files by their contents, `most` contents at a time, those of one content like `places`."""
        tags = "(SELECT group_concat(name, char(10)) FROM tag WHERE content = file.content)"
        sql = (
            "SELECT file.content, folder, folder.path AS root, file.path, mtime_ns, title, author, created, modified, "
            f"language, {tags if self._database.has_table('tag') else 'NULL'} AS tags "
            f"FROM {VISIBLE} JOIN content ON content.id = file.content WHERE file.content BETWEEN ? AND ? "
            "ORDER BY file.content, folder.state = ?, folder, length(file.path), file.path"
        )
        last = self._database.number("SELECT max(id) FROM content")
        for first in range(1, last + 1, most):
            yield self._database.rows(DescribedFile, sql, (first, first + most - 1, FolderState.OFFLINE))

    def fingerprints(self, folder: FolderId) -> list[FileFingerprint]:
        """Return the fingerprint of every file of a root folder, by path."""
        return self._database.rows(
            FileFingerprint,
            "SELECT file.id, path, size, mtime_ns, pending, sha256 FROM file "
            "LEFT JOIN content ON content.id = file.content WHERE folder = ? ORDER BY path",
            (folder,),
        )

    def offline_among(self, ids: Iterable[ContentId]) -> frozenset[ContentId]:
        """Return those of these contents that have files, all in offline root folders or on drives that are away."""
        held, here, away = set[ContentId](), set[ContentId](), self._folders.away()
        sql = f"SELECT file.content, folder.id, folder.state, file.path FROM {_HELD} WHERE file.content IN ({{}})"
        for content, folder, state, path in self._database.rows_of(
            tuple[ContentId, FolderId, FolderState, bytes], sql, ids
        ):
            held.add(content)
            if state is not FolderState.OFFLINE and not away_folder_of(path, away.get(folder, ())):
                here.add(content)
        return frozenset(held - here)

    def visible_contents(
        self, folders: Sequence[FolderId] = (), attached: Sequence[FolderId] = ()
    ) -> frozenset[ContentId]:
        """Return the contents with a file in these root folders (in any when empty) or among `attached`.

        Cached until the next change.
        """
        key = (*self.version(), tuple(folders), tuple(attached))
        if self._visible is None or self._visible[0] != key:
            self._visible = (key, self._find_visible(folders) | self.attached_contents(attached))
        return self._visible[1]

    def visible_by_path(self) -> tuple[ContentId, ...]:
        """Return all visible contents, sorted by the path of their first file; cached until the next change."""
        version = self.version()
        if self._by_path is None or self._by_path[0] != version:
            self._by_path = (version, tuple(sorted_by_path(self.places(self._find_visible()))))
        return self._by_path[1]

    def version(self) -> tuple[int, int]:
        """Return numbers that are others after each change of the catalog."""
        return self._database.number("PRAGMA data_version"), self._database.total_changes()

    def _find_visible(self, folders: Sequence[FolderId] = ()) -> frozenset[ContentId]:
        where = f" AND folder.id IN ({marks(len(folders))})" if folders else ""
        sql = f"SELECT DISTINCT content FROM {VISIBLE} WHERE content IS NOT NULL{where}"
        return frozenset(self._database.values(ContentId, sql, folders))

    def contents_below(self, paths: Sequence[bytes]) -> frozenset[ContentId]:
        """Return the contents with a file at or below one of these absolute paths, also in removed folders."""
        found = set[ContentId]()
        roots = self._database.rows(tuple[int, bytes], "SELECT id, path FROM folder")
        for path in paths:
            for folder, root in roots:
                inside = relative_to(root, path)
                if inside is None and relative_to(path, root) is None:
                    continue
                prefix = inside + os.fsencode(os.sep) if inside else b""
                found.update(
                    self._database.values(
                        ContentId, "SELECT content FROM file WHERE content IS NOT NULL AND folder = ? "
                        "AND (path = ? OR substr(path, 1, ?) = ?)", (folder, inside or b"", len(prefix), prefix),
                    )
                )  # fmt: skip
        return frozenset(found)

    def attached_contents(self, attached: Sequence[FolderId]) -> frozenset[ContentId]:
        """Return the contents of these attached files and folders."""
        if not attached:
            return frozenset()
        where = f"content IS NOT NULL AND folder.id IN ({marks(len(attached))})"
        return frozenset(self._database.values(ContentId, f"SELECT content FROM {_HELD} WHERE {where}", attached))

    def count_contents_up_to(self, most: int) -> int:
        """Return how many contents have a file, at most `most`."""
        return self._database.number(
            f"SELECT count(*) FROM (SELECT DISTINCT content FROM {VISIBLE} WHERE content IS NOT NULL LIMIT ?)", (most,)
        )

    def content_at(self, path: bytes) -> ContentId | None:
        """Return the content of the file at an absolute path."""
        for folder in self._folders.worked_on():
            relative = relative_to(folder.path, path)
            if relative is None:
                continue
            found = self._database.values(
                ContentId, "SELECT content FROM file WHERE folder = ? AND path = ? AND content IS NOT NULL",
                (folder.id, relative),
            )  # fmt: skip
            if found:
                return found[0]
        return None

    def newest_contents(self, most: int) -> list[ContentId]:
        """Return the contents of the files that were added last."""
        sql = f"SELECT content FROM {VISIBLE} WHERE content IS NOT NULL ORDER BY file.id DESC LIMIT ?"
        return self._database.values(ContentId, sql, (most,))

    def with_path_like(self, patterns: Sequence[str], most: int, *, names: bool) -> frozenset[ContentId] | None:
        """Return the contents of files whose folded paths match all patterns of LIKE; None for more than `most`.

        With `names`, the folders above a root folder do not count. Only the index of the paths is looked through.
        """
        if not self._folds:
            self._database.add_function("folded_path", _folded, 1)
            self._folds = True
        found: list[int] = []
        plain, folded = (
            " AND ".join(f"?2 || {path} LIKE ?{number}" for number, _ in enumerate(patterns, start=4))
            for path in ("path", "folded_path(path)")
        )
        sql = (
            f"SELECT id FROM file WHERE folder = ?1 AND ({plain} OR "
            f"(length(CAST(path AS TEXT)) != length(path) AND {folded})) LIMIT ?3"
        )
        for folder, root, is_file in self._database.rows(
            tuple[int, bytes, int], "SELECT id, path, is_file FROM folder WHERE removed_ns <= 0"
        ):
            above = root.rpartition(SEPARATOR)[2] * is_file if names else root
            start = f"/{_folded(above)}{'' if is_file else '/'}"
            found += self._database.values(int, sql, (folder, start, most + 1 - len(found), *patterns))
        if len(found) > most:
            return None
        sql = "SELECT content FROM file WHERE content IS NOT NULL AND id IN ({})"
        return frozenset(self._database.values_of(ContentId, sql, found))

    def contents_with_path(self, like: str, accented: str) -> list[ContentId]:
        """Return the contents of files whose path matches a pattern of LIKE or, if not all ASCII, one of GLOB."""
        matches = " OR ".join(
            f"CAST({path} AS TEXT) LIKE ?1 OR "
            f"(length(CAST({path} AS TEXT)) < length(CAST({path} AS BLOB)) AND CAST({path} AS TEXT) GLOB ?2)"
            for path in ("file.path", "folder.path")
        )
        return self._database.values(
            ContentId,
            "SELECT file.content FROM file JOIN folder ON folder.id = file.folder WHERE file.content IS NOT NULL "
            f"AND ({matches})",
            (like, accented),
        )

    def count(self, folders: Sequence[FolderId] = (), attached: Sequence[FolderId] = ()) -> int:
        """Return how many files with searchable content these root folders (all when empty) and `attached` have."""
        chosen = f"folder.id IN ({marks(len(folders))})" if folders else "removed_ns = 0"
        where = f"content IS NOT NULL AND ({chosen} OR folder.id IN ({marks(len(attached))}))"
        return self._database.number(f"SELECT count(*) FROM {_HELD} WHERE {where}", (*folders, *attached))


def _folded(path: bytes) -> str:
    return fold(os.fsdecode(path)).encode("utf-8", "replace").decode()


def sorted_by_path(places: Mapping[ContentId, Sequence[FilePlace]]) -> list[ContentId]:
    """Return contents sorted by the path of their first file, ignoring case."""
    return sorted(places, key=lambda content: (places[content][0].path.lower(), content))
