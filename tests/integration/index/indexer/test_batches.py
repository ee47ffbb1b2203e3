"""What is read is searchable soon while somebody waits for it; otherwise larger batches spare the disk."""

from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.file_writer import QueuedFile
from desktop_rag.index.indexer import keyword_sync, read_queue
from desktop_rag.index.indexer.keyword_sync import LONGEST_WAIT, KeywordSync
from desktop_rag.index.indexer.read_queue import ReadQueue
from desktop_rag.index.indexer.reader_pool import ReadOutcome
from desktop_rag.index.indexer.status_board import StatusBoard
from desktop_rag.index.keywords.open_index import keyword_reader
from desktop_rag.index.library import Library
from desktop_rag.index.records import FileId, FileStat, FolderId
from desktop_rag.stop import Stop
from tests.integration.index.conftest import Put

pytestmark = pytest.mark.processes


class Clock:
    """Shows a second more each time it is asked."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        self.now += 1.0
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(keyword_sync, "time", clock)
    return clock


@pytest.fixture
def folder(catalog: Catalog) -> FolderId:
    return catalog.folders.add(b"/a", is_file=False)


@pytest.fixture
def keywords(catalog: Catalog, library: Library, clock: Clock, put: Put, folder: FolderId) -> KeywordSync:
    """An index just written, so that the next small batch has to wait."""
    keywords = KeywordSync(library.keywords, catalog, catalog.lineage())
    put(folder, b"first.txt", "The mast is made of spruce.")
    assert keywords.follow(force=False, hurry=False) == (True, True), "the first one after an idle time waits for none"
    return keywords


def indexed(library: Library) -> int:
    with closing(keyword_reader(library.keywords)) as reader:
        return len(reader.chunks())


def test_a_small_batch_waits_longer_while_nobody_waits_for_it(
    keywords: KeywordSync, library: Library, clock: Clock, put: Put, folder: FolderId
) -> None:
    put(folder, b"second.txt", "The keel is made of oak.")
    until = clock.now + LONGEST_WAIT + 1
    while clock.now < until:
        assert keywords.follow(force=False, hurry=False) == (True, False)
    assert keywords.follow(force=False, hurry=True) == (True, True), "somebody came"
    assert indexed(library) == 2


def test_nothing_waits_for_ever(keywords: KeywordSync, clock: Clock, put: Put, folder: FolderId) -> None:
    put(folder, b"second.txt", "The keel is made of oak.")
    until = clock.now + keyword_sync.LONGEST_UNHURRIED_WAIT
    while keywords.follow(force=False, hurry=False) == (True, False):
        assert clock.now < until


@pytest.mark.parametrize(("characters", "first"), [(1_000_000, 5), (20, 2)])
def test_a_full_batch_waits_for_nothing_and_is_bounded_by_its_text(
    keywords: KeywordSync,
    library: Library,
    put: Put,
    folder: FolderId,
    monkeypatch: pytest.MonkeyPatch,
    characters: int,
    first: int,
) -> None:
    monkeypatch.setattr(keyword_sync, "BATCH", 2)
    monkeypatch.setattr(keyword_sync, "LARGE_BATCH", 5)
    monkeypatch.setattr(keyword_sync, "LARGE_BATCH_CHARACTERS", characters)
    for number in range(5):
        put(folder, b"%d.txt" % number, f"Plank number {number} is made of oak.")
    assert keywords.follow(force=False, hurry=False) == (True, True)
    assert indexed(library) == 1 + first


def test_changes_without_words_leave_nothing_behind(keywords: KeywordSync, catalog: Catalog) -> None:
    catalog.database.execute("INSERT INTO change (kind, chunk) VALUES ('encoded', 1)")
    assert keywords.follow(force=False, hurry=False) == (False, False)


@pytest.mark.parametrize(
    ("hurry", "characters", "at_once"), [(False, 1_000_000, True), (True, 1_000_000, False), (False, 1, False)]
)
def test_files_read_while_nobody_waits_share_a_transaction_unless_their_text_is_long(
    catalog: Catalog,
    library: Library,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    hurry: bool,
    characters: int,
    at_once: bool,
) -> None:
    monkeypatch.setattr(read_queue, "STORE_SECONDS", 1000.0)
    monkeypatch.setattr(read_queue, "LONGEST_STORE_SECONDS", 0.0)
    monkeypatch.setattr(read_queue, "LONGEST_UNHURRIED_SECONDS", 1000.0)
    monkeypatch.setattr(read_queue, "STORED_CHARACTERS", characters)
    if not at_once:  # a slow machine might store all of them in two steps
        monkeypatch.setattr(read_queue, "MAX_SUBMITTED_BYTES", 400)
    root = catalog.folders.add(bytes(tmp_path), is_file=False)
    for number in range(60):
        text = f"Plank number {number} is made of oak."
        (tmp_path / f"{number}.txt").write_text(text)
        catalog.files.queue(root, b"%d.txt" % number, FileStat(len(text), 1, 1, 1))
    stored: list[int] = []
    store = ReadQueue._store

    def noted(self: ReadQueue, done: list[ReadOutcome]) -> None:
        stored.append(len(done))
        store(self, done)

    monkeypatch.setattr(ReadQueue, "_store", noted)
    with closing(ReadQueue(library, catalog, StatusBoard(), lambda _: None)) as queue:
        while queue.step(hurry=hurry):
            pass
    assert sum(stored) == 60
    assert (sum(map(bool, stored)) <= 2) is at_once  # the first files, which are stored at once, and the others
    assert catalog.database.number("SELECT count(*) FROM content WHERE state = 'stored'") == 60


def test_the_queue_is_asked_for_more_files_only_when_something_has_changed(
    catalog: Catalog, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_queue, "MAX_SUBMITTED_BYTES", 100_000)
    root = catalog.folders.add(bytes(tmp_path), is_file=False)
    for number in range(3):
        text = f"Plank number {number} is made of oak.\n" * 5000
        (tmp_path / f"{number}.txt").write_text(text)
        catalog.files.queue(root, b"%d.txt" % number, FileStat(len(text), 1, 1, 1))
    asked, steps = 0, 0
    next_queued = ReadQueue._next_queued

    def counted(
        self: ReadQueue, written: tuple[int, int], slow: list[QueuedFile], known: set[FileId]
    ) -> list[QueuedFile]:
        nonlocal asked
        asked += 1
        return next_queued(self, written, slow, known)

    monkeypatch.setattr(ReadQueue, "_next_queued", counted)
    monkeypatch.setattr(read_queue, "WAIT_SECONDS", 0.0)  # many steps while one file is read
    with closing(ReadQueue(library, catalog, StatusBoard(), lambda _: None, max_readers=1)) as queue:
        while queue.step():
            steps += 1
    assert catalog.database.number("SELECT count(*) FROM content WHERE state = 'stored'") == 3
    assert asked < 30 < steps


def test_the_first_file_is_read_by_a_child_started_before(catalog: Catalog, library: Library, tmp_path: Path) -> None:
    root = catalog.folders.add(bytes(tmp_path), is_file=False)
    (tmp_path / "plank.txt").write_text("The plank is made of oak.")
    with closing(ReadQueue(library, catalog, StatusBoard(), lambda _: None, max_readers=1)) as queue:
        queue.prepare()
        queue.prepare()
        pool = queue._readers
        while not pool._idle:
            Stop().wait(0.01)
        started = pool._idle[0].pid
        catalog.files.queue(root, b"plank.txt", FileStat(25, 1, 1, 1))
        while queue.step():
            pass
        assert [reader.pid for reader in pool._readers] == [started]
    assert started is not None
    assert catalog.database.number("SELECT count(*) FROM content WHERE state = 'stored'") == 1
