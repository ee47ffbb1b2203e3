"""A library of many files in memory, in place of the searcher process."""

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from desktop_rag.documents.ocr.ocr_engine import NO_ENGINE
from desktop_rag.documents.picture_notes import WAITING
from desktop_rag.errors import LibraryError, ProblemKind
from desktop_rag.index.file_rows import (
    PROBLEMS,
    DiskUse,
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
from desktop_rag.stop import Stop

ROOT = b"/home/anna/Contracts"


def row(
    number: int, name: bytes = b"", reason: str = "", kind: ProblemKind = ProblemKind.OTHER, *, skipped: bool = False
) -> ListedFile:
    """Return a file of the list; with a reason it could not be read."""
    return ListedFile(
        file=FileId(number),
        folder=FolderId(7),
        root=ROOT,
        path=ROOT + b"/" + (name or b"file %06d.pdf" % number),
        state=ListedState.PROBLEM if reason else ListedState.MEANING,
        kind="pdf",
        size=number * 1000,
        modified_ns=1_790_000_000_000_000_000,
        words=0 if reason else 1200 + number,
        pages=0 if reason else 3,
        reason=reason,
        problem=kind if reason else None,
        content=None if reason else ContentId(number),
        skipped=skipped,
    )


def pictures(number: int) -> ListedFile:
    """Return a file whose pages are pictures of text."""
    reason = f"{WAITING} – {NO_ENGINE}"
    return replace(
        row(number, b"scan.pdf", reason, ProblemKind.SCANS),
        state=ListedState.PICTURES,
        pages=3,
        content=ContentId(number),
    )


class MemoryBrowser:
    """A `FileBrowser` over rows in memory; counts the rows it was asked for."""

    def __init__(self, rows: Sequence[ListedFile]) -> None:
        self.rows = list(rows)
        self.failure = ""
        self.queries: list[FileQuery] = []
        self.delivered = 0
        self.threads: set[str] = set()

    def list_files(self, query: FileQuery, first: int, count: int, stop: Stop) -> FileWindow:
        stop.check()
        self.threads.add(threading.current_thread().name)
        if self.failure:
            raise LibraryError(self.failure)
        self.queries.append(query)
        found = self._matching(query)
        self.delivered += len(found[first : first + count])
        return FileWindow(len(found), first, tuple(found[first : first + count]))

    def file_paths(self, query: FileQuery, limit: int, stop: Stop) -> tuple[tuple[FolderId, bytes], ...]:
        stop.check()
        return tuple((file.folder, file.path) for file in self._matching(query)[:limit])

    def folder_contents(self, folder: FolderId, inside: bytes, most: int, stop: Stop) -> FolderContents:
        stop.check()
        files = [file for file in self.rows if file.folder == folder]
        return FolderContents((), tuple(files[:most]), max(0, len(files) - most))

    def overview(self, folder: FolderId | None, stop: Stop) -> LibraryOverview:
        stop.check()
        kinds: Counter[ProblemKind] = Counter(file.problem for file in self.rows if file.problem is not None)
        return LibraryOverview(
            files=len(self.rows),
            documents=sum(file.content is not None for file in self.rows),
            words=sum(file.words for file in self.rows),
            pages=sum(file.pages for file in self.rows),
            bytes=sum(file.size for file in self.rows),
            states=tuple(Counter(file.state for file in self.rows).items()),
            kinds=(Tally("pdf", len(self.rows), 1),),
            languages=(Tally("de", len(self.rows) - 2, 1), Tally("de-AT", 2, 1)),
            problems=tuple(self._group(kind, count) for kind, count in kinds.most_common()),
            disk=DiskUse(catalog=4096, keywords=2048),
        )

    def _group(self, kind: ProblemKind, count: int) -> ProblemGroup:
        files = [file for file in self.rows if file.problem is kind]
        return ProblemGroup(kind, count, sum(not file.skipped for file in files), files[0].reason)

    def _matching(self, query: FileQuery) -> list[ListedFile]:
        query = replace(query, revision=0)
        found = [
            file
            for file in self.rows
            if all(word.encode() in file.path for word in query.words.split())
            and (not query.states or file.state in query.states)
            and (query.problem is None or file.problem is query.problem)
            and (not query.kind or file.kind == query.kind)
        ]
        if query.column is FileColumn.SIZE:
            found.sort(key=lambda file: file.size)
        return found[::-1] if query.descending else found


def problem_rows() -> list[ListedFile]:
    """Return good files and some with problems of three kinds."""
    assert PROBLEMS
    return [
        row(1),
        row(2, b"locked.pdf", "This file is protected by a password.", ProblemKind.PROTECTED),
        row(
            3,
            b"locked too.pdf",
            "This PDF is protected by a password; save a copy without one to have it read.",
            ProblemKind.PROTECTED,
        ),
        row(4, b"film.mkv", "Films (.mkv) are not read yet", ProblemKind.TYPE, skipped=True),
        row(5, b"other.MKV", "Films (.mkv) are not read yet", ProblemKind.TYPE, skipped=True),
        row(6, b"empty.txt", "This file is empty.", ProblemKind.EMPTY),
    ]
