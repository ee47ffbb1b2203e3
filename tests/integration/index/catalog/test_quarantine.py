"""A file that crashes its reader is read again, then quarantined until it changes or the user retries it."""

import hashlib
import os
import sys
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.chunking import split
from desktop_rag.documents.document import Line
from desktop_rag.documents.formats.source_file import NOT_ENOUGH_MEMORY, StepReached
from desktop_rag.errors import ProblemKind
from desktop_rag.index.catalog import quarantine
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.folders.path_explanation import why
from desktop_rag.index.indexer.status_board import problems
from desktop_rag.index.indexer_api import FolderStatus, LibraryStatus
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FileStat, FileState, FolderId
from desktop_rag.stop import Stop
from tests.child_processes import child_processes
from tests.integration.documents.hostile import hostile_readers
from tests.integration.index.running import add, only_folder, process_of, settled, wait_until, wrong_in

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

CRASH = "crash at line 1"
CRASH_LATER = "Kept line.\nAlso kept.\ncrash at line 3\nnever reached"


@pytest.fixture(autouse=True)
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile_readers(tmp_path / "hostile", monkeypatch)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


def at_rest(status: LibraryStatus) -> bool:
    return bool(status.folders) and settled(status) and only_folder(status).found > 0


def row(client: LibraryClient) -> FolderStatus:
    return only_folder(wait_until(client, at_rest))


def strikes(library: Library) -> list[tuple[int, int]]:
    with closing(CatalogReader.open(library.catalog)) as catalog:
        return catalog.database.rows(tuple[int, int], "SELECT count, step FROM strike")


def test_a_file_that_crashes_its_reader_twice_is_set_aside_and_told_everywhere(
    client: LibraryClient, library: Library, root: Path
) -> None:
    (root / "bad.hostile.txt").write_text(CRASH)
    (root / "copy of it.hostile.txt").write_text(CRASH)
    (root / "good.txt").write_text("A good file.")
    folder = add(client, root)
    status = row(client)
    assert (status.found, status.failed, status.set_aside, status.searchable) == (3, 2, 2, 1)
    assert strikes(library) == [(2, 1)]  # the copy cost no reader
    listed = client.problems(folder, 10, Stop())
    assert listed.total == 2
    assert all(problem.set_aside and "quarantined until it changes" in problem.reason for problem in listed.problems)
    with closing(CatalogReader.open(library.catalog)) as catalog:
        found = why(catalog, os.fsencode(root / "bad.hostile.txt"))
        assert (found.state, found.set_aside) == (FileState.FAILED, True)
        assert "tried 2 times" in found.sentence
    assert wrong_in(library) == []


def test_what_comes_before_a_crash_is_kept_and_the_file_marked_partial(
    client: LibraryClient, library: Library, root: Path
) -> None:
    (root / "bad.hostile.txt").write_text(CRASH_LATER)
    folder = add(client, root)
    status = row(client)
    assert (status.searchable, status.failed, status.set_aside) == (1, 0, 0)
    (problem,) = client.problems(folder, 10, Stop()).problems
    assert "crashed the reader; the rest of the file was left out" in problem.reason
    assert problem.content is not None
    with closing(CatalogReader.open(library.catalog)) as catalog:
        assert catalog.texts.whole(problem.content) == "Kept line.\nAlso kept."


def test_it_stays_set_aside_through_restarts_and_rescans_until_it_changes(library: Library, root: Path) -> None:
    bad = root / "bad.hostile.txt"
    bad.write_text(CRASH)
    with closing(LibraryClient(library)) as client:
        add(client, root)
        assert row(client).set_aside == 1
        process_of(library).kill()
        client.rescan(None, Stop())  # by the next indexer
        assert row(client).set_aside == 1
        assert strikes(library) == [(2, 1)]
        bad.write_text("Mended.")
        status = only_folder(wait_until(client, lambda now: at_rest(now) and only_folder(now).searchable == 1))
    assert (status.failed, status.set_aside) == (0, 0)


def test_one_strike_survives_a_kill_and_the_next_is_the_last(library: Library, root: Path, catalog: Catalog) -> None:
    (root / "bad.hostile.txt").write_text(CRASH)
    sha256 = hashlib.sha256(CRASH.encode()).digest()
    assert not quarantine.record_crash(catalog, sha256, "It crashed.", StepReached(1, "It crashed."))
    with closing(LibraryClient(library)) as client:
        add(client, root)
        assert row(client).set_aside == 1
    assert strikes(library) == [(2, 1)]


def test_trying_again_reads_it_anew_and_counts_from_the_beginning(
    client: LibraryClient, library: Library, root: Path, tmp_path: Path
) -> None:
    for name in ("bad.hostile.txt", "copy.hostile.txt"):
        (root / name).write_text(CRASH)
    (root / "part.hostile.txt").write_text(CRASH_LATER)
    add(client, root)
    assert row(client).set_aside == 2
    (tmp_path / "hostile" / "tame").touch()  # as if a newer library underneath did not crash any more
    client.try_again((os.fsencode(root / "bad.hostile.txt"), os.fsencode(root / "part.hostile.txt")), Stop())
    status = only_folder(wait_until(client, lambda now: at_rest(now) and only_folder(now).searchable == 3))
    assert (status.failed, status.set_aside) == (0, 0)
    assert strikes(library) == []
    with closing(CatalogReader.open(library.catalog)) as catalog:
        assert problems(catalog, FolderId(1), 10).total == 0
        assert wrong_in(library) == []


def end_readers(library: Library, client: LibraryClient, folder: FolderId) -> FolderStatus:
    """End every reader of the indexer, as a session that ends does, until a file is set aside."""
    while client.problems(folder, 1, Stop()).total == 0:
        for child in child_processes("_reader", process_of(library)):
            with suppress(psutil.Error):
                child.terminate()
        Stop().wait(0.1)
    return row(client)


@posix_only
def test_a_session_that_ends_costs_no_file_and_cuts_nothing(library: Library, root: Path, tmp_path: Path) -> None:
    (root / "healthy.hostile.txt").write_text("Kept line.\nwait for the end of the session\nThe last line.")
    with closing(LibraryClient(library)) as client:
        folder = add(client, root)
        status = end_readers(library, client, folder)
        assert (status.failed, status.set_aside, status.unread) == (0, 0, 1), "it waits"
        assert strikes(library) == [(0, 0)]
        (problem,) = client.problems(folder, 10, Stop()).problems
        assert (problem.state, problem.set_aside) == (FileState.QUEUED, False)
        assert problem.reason.startswith("Reading this file was interrupted")
        with closing(CatalogReader.open(library.catalog)) as catalog:
            assert why(catalog, problem.path).sentence == problem.reason
        (tmp_path / "hostile" / "tame").touch()  # it has ended
        process_of(library).kill()
        client.rescan(None, Stop())  # by the next indexer
        status = only_folder(wait_until(client, lambda now: at_rest(now) and only_folder(now).searchable == 1))
        assert (status.failed, status.set_aside) == (0, 0)
        assert client.problems(folder, 10, Stop()).total == 0
    assert wrong_in(library) == []


def test_what_other_rules_cut_is_read_again_once(catalog: Catalog, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = catalog.folders.add(os.fsencode(root), is_file=False)
    catalog.files.queue(folder, b"a.txt", FileStat(1, 1, 1, 1))
    file = catalog.files.of_folder(folder)[b"a.txt"].id
    quarantine.record_crash(catalog, b"x" * 32, "It crashed.", StepReached(1))
    builder = DocumentBuilder("text")
    builder.add(Line("The first line."))
    document = replace(builder.build(), partial="This file crashed the reader; the rest of the file was left out.")
    catalog.files.link(file, catalog.contents.store(b"x" * 32, document, tuple(split(document))))
    assert quarantine.requeue_for_new_reader(catalog) == 0
    monkeypatch.setattr(quarantine, "JUDGING_VERSION", 99)
    assert quarantine.requeue_for_new_reader(catalog) == 1
    assert catalog.files.of_folder(folder)[b"a.txt"].pending
    assert quarantine.requeue_for_new_reader(catalog) == 0


def test_copies_that_crash_at_the_same_time_count_once(catalog: Catalog) -> None:
    sha256 = b"x" * 32
    assert not any(quarantine.record_crash(catalog, sha256, "It crashed.", StepReached(1)) for _ in range(3))
    assert quarantine.record_crash(catalog, sha256, "It crashed again.", StepReached(1), before=1)
    found = quarantine.crashes_of(catalog, sha256)
    assert found is not None
    assert (found.count, found.reason) == (2, "It crashed again.")


def test_trying_everything_again_means_what_is_set_aside(catalog: Catalog, root: Path) -> None:
    folder = catalog.folders.add(os.fsencode(root), is_file=False)
    for number, name in enumerate((b"aside.txt", b"failed.txt"), 1):
        catalog.files.queue(folder, name, FileStat(1, 1, number, 1))
    known = catalog.files.of_folder(folder)
    catalog.files.set_outcome(known[b"failed.txt"].id, FileState.FAILED, "Damaged.", ProblemKind.DAMAGED)
    quarantine.quarantine_file(catalog, known[b"aside.txt"].id, b"x" * 32, "It crashed.")
    assert quarantine.retry(catalog) == {folder}
    assert catalog.files.of_folder(folder)[b"aside.txt"].pending
    assert not catalog.files.of_folder(folder)[b"failed.txt"].pending


def test_other_readers_try_what_is_set_aside(catalog: Catalog, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = catalog.folders.add(os.fsencode(root), is_file=False)
    catalog.files.queue(folder, b"a.txt", FileStat(1, 1, 1, 1))
    for before in range(2):
        quarantine.record_crash(catalog, b"x" * 32, "It crashed.", StepReached(1), before)
    quarantine.quarantine_file(catalog, catalog.files.of_folder(folder)[b"a.txt"].id, b"x" * 32, "It crashed.")
    assert quarantine.requeue_for_new_reader(catalog) == 0
    monkeypatch.setattr(quarantine, "JUDGING_VERSION", 99)
    assert quarantine.requeue_for_new_reader(catalog) == 1
    assert quarantine.crashes_of(catalog, b"x" * 32) is None


def test_what_was_cut_for_a_lack_of_memory_is_read_again_once(
    catalog: Catalog, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = catalog.folders.add(os.fsencode(root), is_file=False)
    catalog.files.queue(folder, b"a.txt", FileStat(1, 1, 1, 1))
    file = catalog.files.of_folder(folder)[b"a.txt"].id
    builder = DocumentBuilder("text")
    builder.add(Line("The first line."))
    document = replace(builder.build(), partial=NOT_ENOUGH_MEMORY)
    catalog.files.link(file, catalog.contents.store(b"x" * 32, document, tuple(split(document))))
    assert quarantine.requeue_for_new_reader(catalog) == 0
    monkeypatch.setattr(quarantine, "JUDGING_VERSION", 99)
    assert quarantine.requeue_for_new_reader(catalog) == 1
    assert catalog.files.of_folder(folder)[b"a.txt"].pending
    assert quarantine.requeue_for_new_reader(catalog) == 0
