"""Scans of real folders, with a real catalog that knows some of the files."""

import os
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.file_lookup import FileLookup
from desktop_rag.index.folders.file_changes import (
    WHOLE,
    FileFound,
    FileMoved,
    FileSkipped,
    Hint,
    ScanEvent,
    ScanProgress,
)
from desktop_rag.index.folders.scan import scan
from desktop_rag.index.records import ContentId, File, FileId, FileState, Folder, FolderId, FolderRules, FolderState
from desktop_rag.stop import Stop
from tests.integration.index.conftest import document_of

Known = dict[bytes, File]


def write(root: Path, *names: str, text: str = "text") -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def folder(root: Path, rules: FolderRules | None = None) -> Folder:
    return Folder(FolderId(1), os.fsencode(root), root.is_file(), FolderState.ACTIVE, rules or FolderRules())


@contextmanager
def catalog_of(known: Known) -> Iterator[FileLookup]:
    """Put the files into a real catalog, each that was read with a content of its own."""
    with TemporaryDirectory() as scratch, closing(Catalog.open(Path(scratch) / "catalog.sqlite")) as catalog:
        catalog.database.execute("PRAGMA synchronous=OFF")
        catalog.folders.add(b"/root", is_file=False)
        with catalog.transaction():
            for number in range(max((file.id for file in known.values()), default=0)):
                catalog.contents.store(b"%d" % number, document_of(""), [])
            for file in known.values():
                outcome = file.state if file.state in (FileState.SKIPPED, FileState.FAILED) else ""
                stat = (file.stat.size, file.stat.mtime_ns, file.stat.inode, file.stat.device, file.stat.ctime_ns)
                pending = file.state is FileState.QUEUED
                values = (file.id, FolderId(1), file.path, *stat, pending, outcome, file.reason, file.content)
                catalog.database.execute(f"INSERT INTO file VALUES ({','.join('?' * len(values))}, NULL, '')", values)
        yield FileLookup(catalog.database, FolderId(1))


def run(
    root: Path, known: Known | None = None, rules: FolderRules | None = None, hints: Collection[Hint] = WHOLE
) -> list[ScanEvent]:
    """Return what a scan tells, but for what only says that it goes on."""
    with catalog_of(known or {}) as files:
        events = scan(folder(root, rules), files, Stop(), hints)
        return [event for event in events if not isinstance(event, ScanProgress)]


def learn(root: Path, rules: FolderRules | None = None) -> Known:
    """Return the files as a catalog would know them after a first scan, when all are read."""
    known: Known = {}
    for event in run(root, rules=rules):
        number = len(known) + 1
        match event:
            case FileFound(path, stat):
                state, content = FileState.READY, ContentId(number)
                known[path] = File(FileId(number), FolderId(1), path, stat, state, "", content)
            case FileSkipped(path, stat, reason, _):
                known[path] = File(FileId(number), FolderId(1), path, stat, FileState.SKIPPED, reason, None)
            case _:
                raise AssertionError(event)
    return known


def moved(known: Known, old: bytes, new: bytes) -> FileMoved:
    content = known[old].content
    assert content is not None
    return FileMoved(new, replace(known[old].stat, ctime_ns=0), content, None)


def without_ctime(events: list[ScanEvent]) -> list[ScanEvent]:
    """Renaming changes the ctime."""
    return [
        replace(event, stat=replace(event.stat, ctime_ns=0)) if isinstance(event, FileMoved) else event
        for event in events
    ]


def found(events: list[ScanEvent]) -> list[str]:
    return [os.fsdecode(event.path) for event in events if isinstance(event, FileFound)]
