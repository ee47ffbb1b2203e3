"""The steps of the indexer's loop one by one, with a real catalog, real files and real readers."""

import hashlib
import os
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from unittest.mock import Mock

import pytest

from desktop_rag.documents.conversion import converted_types
from desktop_rag.documents.sandbox.reader_client import ReaderChild
from desktop_rag.documents.sandbox.reader_messages import DocumentRead
from desktop_rag.errors import LibraryError, ProcessError
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.file_writer import QueuedFile
from desktop_rag.index.folders.root_folders import pause, resume
from desktop_rag.index.indexer import read_queue as intake_module
from desktop_rag.index.indexer import reader_pool as extraction_module
from desktop_rag.index.indexer.keyword_sync import KeywordSync
from desktop_rag.index.indexer.read_queue import ReadQueue
from desktop_rag.index.indexer.reader_pool import ReaderPool, ReaderSlots, is_slow, may_join
from desktop_rag.index.indexer.scan_scheduler import ScanScheduler
from desktop_rag.index.indexer.status_board import StatusBoard
from desktop_rag.index.keywords.open_index import keyword_reader
from desktop_rag.index.library import Library
from desktop_rag.index.records import FileId, FileStat, FileState, FolderId, FolderState
from desktop_rag.stop import Stop
from tests.child_processes import child_processes
from tests.integration.index.conftest import Put

pytestmark = pytest.mark.processes


class Loop:
    """The scanning and reading parts of the loop, stepped by the test."""

    def __init__(self, library: Library, catalog: Catalog) -> None:
        self.board = StatusBoard()
        self.catalog = catalog
        self.looked_again: list[FolderId] = []
        self.read_queue = ReadQueue(library, catalog, self.board, self.rescan)
        self.scans = ScanScheduler(catalog, self.board, self.read_queue.on_scanned, Stop())

    def rescan(self, folder: FolderId) -> None:
        self.looked_again.append(folder)

    def scan(self, folder: FolderId) -> None:
        self.scans.request(folder)
        while self.scans.step() or self.scans.wait_seconds() < 60:
            pass

    def read(self) -> None:
        while self.read_queue.step():
            pass

    def states(self, folder: FolderId) -> dict[bytes, FileState]:
        return {path: file.state for path, file in self.catalog.files.of_folder(folder).items()}

    def close(self) -> None:
        self.scans.close()
        self.read_queue.close()


@pytest.fixture
def loop(library: Library, catalog: Catalog) -> Iterator[Loop]:
    loop = Loop(library, catalog)
    yield loop
    loop.close()


@pytest.fixture
def root(catalog: Catalog, tmp_path: Path) -> FolderId:
    (tmp_path / "root").mkdir()
    return catalog.folders.add(os.fsencode(tmp_path / "root"), is_file=False)


def test_a_root_that_changes_during_its_scan_is_scanned_again(
    loop: Loop, root: FolderId, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.index.indexer.scan_scheduler.STEP_SECONDS", 0.0)
    for number in range(20):
        (tmp_path / "root" / f"{number}.txt").write_text("text")
    loop.scans.request(root)
    steps = 0
    while len(loop.states(root)) < 20:
        loop.scans.request(root)  # an event in each slice
        loop.scans.step()
        steps += 1
        assert steps < 40
    assert root in loop.board.activity.scanning


def test_the_scan_of_a_folder_merged_into_another_is_dropped(
    loop: Loop, root: FolderId, tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.index.indexer.scan_scheduler.STEP_SECONDS", 0.0)
    for number in range(5):
        (tmp_path / "root" / f"{number}.txt").write_text("text")
    loop.scans.request(root)
    loop.scans.step()
    outer = catalog.folders.add(os.fsencode(tmp_path), is_file=False)
    catalog.folders.merge(outer, root, b"root")
    loop.scans.step()
    assert loop.board.activity.scanning == frozenset()
    assert loop.states(root) == {}


def test_a_scan_that_fails_to_write_is_restarted(
    loop: Loop, root: FolderId, tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "root" / "one.txt").write_text("text")
    loop.scans.request(root)
    with monkeypatch.context() as full:
        full.setattr(catalog.files, "queue", lambda *_: (_ for _ in ()).throw(LibraryError("The disk is full.")))
        with pytest.raises(LibraryError):
            loop.scans.step()
    loop.scans.step()
    assert loop.states(root) == {b"one.txt": FileState.QUEUED}


def test_a_file_that_changes_during_reading_is_read_again(
    loop: Loop, root: FolderId, tmp_path: Path, catalog: Catalog
) -> None:
    (tmp_path / "root" / "one.txt").write_text("first")
    loop.scan(root)
    (handed,) = catalog.files.next_queued(1)
    loop.read_queue.step()
    catalog.files.queue(root, b"one.txt", FileStat(handed.size + 1, handed.mtime_ns + 1, 1, 1))  # a scan saw a change
    while (
        loop.states(root)[b"one.txt"] is FileState.QUEUED and catalog.files.of_folder(root)[b"one.txt"].content is None
    ):
        loop.read_queue.step()
    assert [file.path for file in catalog.files.next_queued(1)] == [handed.path]


def test_a_missing_file_is_left_to_the_next_scan(loop: Loop, root: FolderId, tmp_path: Path, catalog: Catalog) -> None:
    (tmp_path / "root" / "other.txt").write_text("")
    catalog.files.queue(root, b"gone.txt", FileStat(5, 1, 1, 1))
    loop.read()
    assert loop.looked_again == [root]
    assert loop.states(root) == {b"gone.txt": FileState.QUEUED}
    loop.scan(root)
    assert set(loop.states(root)) == {b"other.txt"}


def test_a_listed_file_that_cannot_be_opened_is_a_problem(loop: Loop, root: FolderId, catalog: Catalog) -> None:
    catalog.files.queue(root, b"gone.txt", FileStat(5, 1, 1, 1))
    loop.read()
    loop.read_queue.on_scanned(root)  # as if the scan had seen it
    loop.read()
    assert loop.states(root) == {b"gone.txt": FileState.FAILED}
    assert loop.looked_again == [root]


def test_reading_is_cancelled_for_a_paused_folder(loop: Loop, root: FolderId, tmp_path: Path, catalog: Catalog) -> None:
    (tmp_path / "root" / "big.txt").write_text("A sentence of a big file. " * 60_000)
    loop.scan(root)
    loop.read_queue.step()
    catalog.folders.set_state(root, FolderState.PAUSED)
    loop.read()
    assert loop.states(root) == {b"big.txt": FileState.QUEUED}
    catalog.folders.set_state(root, FolderState.ACTIVE)
    loop.read()
    while catalog.change_log.announce(1000):
        pass
    assert catalog.files.of_folder(root)[b"big.txt"].content is not None


def test_equal_long_files_are_stored_once(
    loop: Loop, root: FolderId, tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extraction_module, "LONG_DOCUMENT", 1000)
    monkeypatch.setattr(intake_module, "STEP_SECONDS", 0.0)
    for name in ("one.txt", "two.txt", "three.txt"):
        (tmp_path / "root" / name).write_text("The same long text. " * 5000)
    loop.scan(root)
    loop.read()
    contents = {file.content for file in catalog.files.of_folder(root).values()}
    assert len(contents) == 1
    assert None not in contents
    assert catalog.files.visible_contents() == contents


def read_after_trouble(loop: Loop) -> None:
    """Read what is queued; a file may have been submitted once more while the trouble lasted."""
    with suppress(ProcessError):
        loop.read()
    loop.read()


def test_a_file_stays_queued_if_no_reader_can_be_started(
    loop: Loop, root: FolderId, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "root" / "one.txt").write_text("text")
    loop.scan(root)
    with monkeypatch.context() as exhausted:
        exhausted.setattr("subprocess.Popen", lambda *_, **__: (_ for _ in ()).throw(BlockingIOError(11, "no more")))
        with pytest.raises(Exception, match="cannot be started"):
            loop.read()
    assert loop.states(root) == {b"one.txt": FileState.QUEUED}
    read_after_trouble(loop)
    assert loop.states(root) == {b"one.txt": FileState.QUEUED}  # stored, and not committed to the keyword index yet
    assert loop.catalog.files.next_queued(1) == []


def test_an_unexpected_reader_exception_fails_one_file(
    loop: Loop, root: FolderId, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "root" / "one.txt").write_text("text")
    loop.scan(root)

    def unforeseen(*_: object, **__: object) -> None:
        raise KeyError

    monkeypatch.setattr("desktop_rag.documents.sandbox.reader_client.ReaderChild.read_in_chunks", unforeseen)
    loop.read()
    (file,) = loop.catalog.files.of_folder(root).values()
    assert (file.state, file.reason) == (FileState.FAILED, "This file cannot be read (KeyError).")


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("can't start new thread"), OSError(12, "no memory")])
def test_no_file_is_blamed_for_a_shortage_of_memory(
    loop: Loop, root: FolderId, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    (tmp_path / "root" / "one.txt").write_text("text")
    loop.scan(root)

    def short(*_: object, **__: object) -> None:
        raise error

    with monkeypatch.context() as shortage:
        shortage.setattr("desktop_rag.documents.sandbox.reader_client.ReaderChild.read_in_chunks", short)
        with pytest.raises(ProcessError, match="not enough memory"):
            loop.read()
    assert loop.states(root) == {b"one.txt": FileState.QUEUED}
    read_after_trouble(loop)
    assert loop.catalog.files.next_queued(1) == []


def test_a_long_document_reaches_the_indexes_in_parts(
    catalog: Catalog, put: Put, library: Library, root: FolderId
) -> None:
    copy = KeywordSync(library.keywords, catalog, catalog.lineage())
    content = put(root, b"long.txt", "\n\n".join(f"Paragraph {number}. " * 400 for number in range(9)))
    catalog.database.execute("DELETE FROM change")
    catalog.database.execute("UPDATE content SET announced = 0, sequence = NULL")
    assert catalog.change_log.announce(2) == 2
    assert copy.follow(force=True) == (True, True)  # fills its batch with the rest
    assert copy.follow(force=True) == (False, False)
    assert set(catalog.change_log.changes(0, 99, "added").added) == set(catalog.chunks.ids_of_content(content))
    assert catalog.files.of_folder(root)[b"long.txt"].state is FileState.SEARCHABLE


def test_a_short_document_does_not_wait_for_a_long_one(
    catalog: Catalog, put: Put, library: Library, root: FolderId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.index.indexer.keyword_sync.BATCH", 2)
    copy = KeywordSync(library.keywords, catalog, catalog.lineage())
    content = put(root, b"long.txt", "\n\n".join(f"Paragraph {number}. " * 400 for number in range(9)))
    catalog.database.execute("DELETE FROM change")
    catalog.database.execute("UPDATE content SET announced = 0, sequence = NULL")
    assert copy.follow(force=True) == (True, True)
    put(root, b"short.txt", "A short note.")
    while catalog.files.of_folder(root)[b"short.txt"].state is not FileState.SEARCHABLE:
        assert copy.follow(force=True) == (True, True)
    assert catalog.files.of_folder(root)[b"long.txt"].state is FileState.QUEUED
    with closing(keyword_reader(library.keywords)) as keywords:
        assert 0 < len(keywords.chunks()) < len(catalog.chunks.ids_of_content(content))


def test_a_keyword_index_damaged_under_the_writer_is_rebuilt(
    catalog: Catalog, put: Put, library: Library, root: FolderId
) -> None:
    copy = KeywordSync(library.keywords, catalog, catalog.lineage())
    for number in range(3):
        put(root, b"%d.txt" % number, f"Words of file {number}.")
        copy.follow(force=True)
    for file in library.keywords.glob("contents"):
        file.unlink()
    put(root, b"new.txt", "A new word.")
    while copy.follow(force=True)[0]:
        pass
    assert {file.state for file in catalog.files.of_folder(root).values()} == {FileState.SEARCHABLE}


def test_committed_files_become_searchable_when_the_disk_has_space_again(
    catalog: Catalog, put: Put, library: Library, root: FolderId, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = KeywordSync(library.keywords, catalog, catalog.lineage())
    put(root, b"a.txt", "A short note.")
    with monkeypatch.context() as full:
        full.setattr(catalog.change_log, "mark_searchable", Mock(side_effect=LibraryError("The disk is full.")))
        with pytest.raises(LibraryError):
            copy.follow(force=True)
    assert catalog.files.of_folder(root)[b"a.txt"].state is FileState.QUEUED
    copy.follow(force=True)
    assert catalog.files.of_folder(root)[b"a.txt"].state is FileState.SEARCHABLE


def test_committed_files_become_searchable_after_a_kill(
    catalog: Catalog, put: Put, library: Library, root: FolderId
) -> None:
    put(root, b"a.txt", "A short note.")
    KeywordSync(library.keywords, catalog, catalog.lineage()).follow(force=True)
    catalog.database.execute("UPDATE content SET state = 'stored'")  # the kill came between commit and this
    KeywordSync(library.keywords, catalog, catalog.lineage()).follow(force=True)
    assert catalog.files.of_folder(root)[b"a.txt"].state is FileState.SEARCHABLE


def test_a_long_document_of_a_paused_folder_is_dropped_and_read_again(
    loop: Loop, root: FolderId, tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extraction_module, "LONG_DOCUMENT", 1000)
    monkeypatch.setattr(intake_module, "STEP_SECONDS", 0.0)
    (tmp_path / "root" / "long.txt").write_text("A long text, sentence by sentence. " * 20_000)
    loop.scan(root)
    while not loop.read_queue._unstored():
        loop.read_queue.step()
    loop.read_queue.step()
    pause(catalog, root)
    assert not loop.read_queue.step()
    resume(catalog, root)
    loop.read()
    assert catalog.files.of_folder(root)[b"long.txt"].content is not None
    assert catalog.database.number("SELECT count(*) FROM content WHERE state = 'arriving'") == 0


def test_one_slot_reads_small_files_before_a_big_one(loop: Loop, root: FolderId, tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / "root" / f"{number}.txt").write_text(f"Small file {number}.")
    (tmp_path / "root" / "big.txt").write_text("A sentence of a big file. " * 50_000)
    loop.read_queue.set_slots(1)
    loop.scan(root)
    loop.read()
    ids = {path: file.content or 0 for path, file in loop.catalog.files.of_folder(root).items()}
    assert max(ids, key=lambda path: ids[path]) == b"big.txt"


def test_a_quick_file_is_first_where_nothing_is_being_read(
    loop: Loop, root: FolderId, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, size in enumerate((4_000, 40, 4_000, 400)):  # words; the later ones are newer
        (tmp_path / "root" / f"{number}.txt").write_text("A sentence of a file. " * size)
        os.utime(tmp_path / "root" / f"{number}.txt", (1_000 + number, 1_000 + number))
    monkeypatch.setattr(intake_module, "QUICK_FILE", 20_000)
    order: list[bytes] = []
    really_submit = ReaderPool.submit

    def submit(pool: ReaderPool, file: QueuedFile) -> None:
        order.append(file.path[-5:])
        really_submit(pool, file)

    monkeypatch.setattr(ReaderPool, "submit", submit)
    loop.scan(root)
    loop.read()
    assert order == [b"3.txt", b"1.txt", b"2.txt", b"0.txt"]


def test_the_last_file_is_read_alone_for_a_while(
    loop: Loop, root: FolderId, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "root" / "big.txt").write_text("A sentence of a big file. " * 50_000)
    loop.read_queue.set_slots(2)
    loop.scan(root)
    assert loop.read_queue.has_free_slot()
    assert loop.read_queue.step()
    assert not loop.read_queue.has_free_slot(), "its reader has just been started"
    monkeypatch.setattr(intake_module, "PATIENCE", 0.0)
    assert loop.read_queue.has_free_slot(), "links and vectors do not wait for minutes"
    loop.read()
    assert loop.read_queue.has_free_slot()


def test_no_further_process_is_started_for_small_files_beside_a_big_one(
    loop: Loop, root: FolderId, tmp_path: Path
) -> None:
    (tmp_path / "root" / "big.txt").write_text("A sentence of a big file. " * 50_000)
    for number in range(12):
        (tmp_path / "root" / f"{number}.txt").write_text(f"A sentence of small file {number}. " * 3_000)
    loop.read_queue.set_slots(2)
    loop.scan(root)
    loop.read()
    assert all(file.content for file in loop.catalog.files.of_folder(root).values())
    assert len(child_processes("_reader")) == 2


@pytest.mark.parametrize(("size", "again"), [(20, b"a"), (3_000_000, b"b")])
def test_a_small_file_is_read_once_and_its_hash_is_that_of_the_bytes_read(
    tmp_path: Path, size: int, again: bytes
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a" * size)
    with extraction_module._opened(bytes(path)) as (source, found):
        assert extraction_module._hashed(source, found, Stop()) == hashlib.sha256(b"a" * size).digest()
        path.write_bytes(b"b" * size)
        source.rewind()
        assert source.read(found) == again * size
        assert source.sha256() == hashlib.sha256(again * size).digest()


def test_the_last_slot_is_kept_for_small_files_that_wait() -> None:
    slots, order = ReaderSlots(2), list[str]()
    slots.count_small()

    def read(*, slow: bool) -> None:
        with slots.reading(slow=slow, stop=Stop()):
            order.append("slow" if slow else "small")

    with slots.reading(slow=True, stop=Stop()):
        another = threading.Thread(target=read, kwargs={"slow": True})
        another.start()
        while another.is_alive() and not slots._waiting:
            time.sleep(0.001)
        read(slow=False)
        another.join()
    assert order == ["small", "slow"]


def test_what_was_read_is_stored_while_the_last_file_is_being_read(
    loop: Loop, root: FolderId, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "root" / "big.txt").write_text("A sentence of a big file. " * 50_000)
    (tmp_path / "root" / "small.txt").write_text("A small file.")
    go_on = threading.Event()

    def read(child: ReaderChild, file: object, name: str, *others: object, **named: object) -> DocumentRead:
        assert name != "big.txt" or go_on.wait(60)
        return really_read(child, file, name, *others, **named)  # type: ignore[arg-type]

    really_read = ReaderChild.read_in_chunks
    monkeypatch.setattr(ReaderChild, "read_in_chunks", read)
    monkeypatch.setattr(intake_module, "LONGEST_STORE_SECONDS", 1000.0)
    loop.read_queue.set_slots(2)
    loop.read_queue._store_seconds = 1000.0  # as if much had been read before
    loop.scan(root)
    while loop.read_queue._read or len(loop.read_queue._readers.submitted()) != 1:
        loop.read_queue.step()
    assert loop.catalog.files.of_folder(root)[b"small.txt"].content is not None
    go_on.set()
    loop.read()
    assert loop.catalog.files.of_folder(root)[b"big.txt"].content is not None


@pytest.mark.slow
@pytest.mark.parametrize(("slots", "most"), [(1, 1), (2, 2)])
def test_big_files_are_read_side_by_side_once_no_small_one_waits(
    loop: Loop, root: FolderId, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slots: int, most: int
) -> None:
    for number in range(3):
        (tmp_path / "root" / f"small {number}.txt").write_text(f"Small file {number}.")
        (tmp_path / "root" / f"big {number}.txt").write_text(f"A sentence of big file {number}. " * 50_000)
    beside, order = list[int](), list[bytes]()

    def submit(pool: ReaderPool, file: QueuedFile) -> None:
        order.append(file.path[file.path.rindex(b"/") + 1 :][:3])
        really_submit(pool, file)
        beside.append(sum(map(is_slow, pool.submitted())))

    really_submit = ReaderPool.submit
    monkeypatch.setattr(ReaderPool, "submit", submit)
    loop.read_queue.set_slots(slots)
    loop.scan(root)
    loop.read()
    assert all(file.content for file in loop.catalog.files.of_folder(root).values())
    assert max(beside) == most
    assert order == [b"sma"] * 3 + [b"big"] * 3


@pytest.mark.parametrize(
    ("others", "joins"),
    [([], True), ([(b"a.pdf", 20_000_000)], False), ([(b"a.pdf", 2_000_000)], True), ([(b"a.wpd", 9)], False)],
)
def test_huge_and_converted_files_are_read_alone(
    monkeypatch: pytest.MonkeyPatch, others: list[tuple[bytes, int]], joins: bool
) -> None:
    monkeypatch.setattr(converted_types, "path_of", str)  # as if each program were installed

    def queued(path: bytes, size: int) -> QueuedFile:
        return QueuedFile(FileId(1), FolderId(1), path, size, 0)

    assert may_join(queued(b"b.pdf", 20_000_000), [queued(*each) for each in others], 2) is joins
    assert not may_join(queued(b"b.pdf", 2), [queued(b"a.pdf", 2)], 1)


def test_a_file_that_moves_to_another_root_is_only_hashed(
    loop: Loop, root: FolderId, tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "root" / "deep").mkdir()
    (tmp_path / "root" / "deep" / "one.txt").write_text("One sentence.")
    (tmp_path / "other").mkdir()
    other = catalog.folders.add(os.fsencode(tmp_path / "other"), is_file=False)
    loop.scan(root)
    loop.read()
    content = catalog.files.of_folder(root)[b"deep/one.txt"].content
    (tmp_path / "root" / "deep").rename(tmp_path / "other" / "moved")
    monkeypatch.setattr(ReaderChild, "read_in_chunks", lambda *_: pytest.fail("it was read"))
    for folder in (root, other):  # it is gone from the one before it is found in the other
        loop.scan(folder)
        loop.read()
    assert catalog.files.of_folder(root) == {}
    assert catalog.files.of_folder(other)[b"moved/one.txt"].content == content


def test_a_touched_file_is_only_hashed(
    loop: Loop, root: FolderId, tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "root" / "one.txt"
    path.write_text("One sentence.")
    loop.scan(root)
    loop.read()
    before = catalog.files.of_folder(root)[b"one.txt"]
    changes = catalog.database.number("SELECT count(*) FROM change")
    os.utime(path, ns=(1, before.stat.mtime_ns + 12_345))
    monkeypatch.setattr(ReaderChild, "read_in_chunks", lambda *_: pytest.fail("it was read"))
    loop.scan(root)
    assert len(catalog.files.next_queued(5)) == 1
    loop.read()
    assert catalog.files.of_folder(root)[b"one.txt"].content == before.content
    assert catalog.database.number("SELECT count(*) FROM change") == changes
