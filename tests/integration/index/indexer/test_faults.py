"""The running indexer under faults: kills, full disks, missing drives, frozen processes."""

import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from desktop_rag.errors import LibraryError, Stopped
from desktop_rag.index import library_client as client_module
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.index.indexer_client import connect
from desktop_rag.index.keywords.open_index import keyword_reader
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient, start_indexer
from desktop_rag.index.records import FolderRules, FolderState
from desktop_rag.stop import Stop
from tests.integration.index.running import (
    add,
    files_of,
    only_folder,
    process_of,
    ready,
    settled,
    wait_until,
    wrong_in,
)

pytestmark = pytest.mark.processes

posix_only = pytest.mark.skipif(os.name != "posix", reason="signals and modes of POSIX systems")


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """Write to a file all the time while the block runs."""
    done = threading.Event()

    def write() -> None:
        number = 0
        while not done.wait(0.01):
            number += 1
            with path.open("a") as file:
                file.write(f"Line {number} of a log that never ends.\n")

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@pytest.mark.slow
def test_a_folder_with_a_constantly_changing_file_is_read(client: LibraryClient, documents: Path) -> None:
    for number in range(30):
        (documents / f"note {number}.txt").write_text(f"Note {number} says something.")
    with changing(documents / "running.log"):
        add(client, documents)
        wait_until(client, lambda status: bool(status.folders) and only_folder(status).ready >= 33)
    wait_until(client, ready(34))


@pytest.mark.slow
def test_random_kills_lose_and_duplicate_nothing(client: LibraryClient, library: Library, documents: Path) -> None:
    chance = random.Random(4)
    add(client, documents)
    for round_ in range(5):
        for number in range(8):
            (documents / f"{round_} {number}.txt").write_text(
                f"Round {round_} wrote number {number}. {chance.random()}"
            )
        (documents / "lease.md").write_text(f"# Lease\n\nThe rent is {round_} euros now.\n")
        client.rescan(None, Stop())
        Stop().wait(chance.random())  # the moment of the kill is what varies
        with suppress(OSError, psutil.Error):
            process_of(library).kill()
    wait_until(client, ready(43))
    wait_until(client, settled)
    assert wrong_in(library) == []


@posix_only
def test_the_indexer_ends_soon_after_sigterm(client: LibraryClient, library: Library, tmp_path: Path) -> None:
    documents = tmp_path / "many"
    documents.mkdir()
    for number in range(200):
        (documents / f"{number}.txt").write_text(f"Sentence number {number} is here. " * 20)
    add(client, documents)
    process = process_of(library)
    children = process.children(recursive=True)
    process.terminate()
    gone, alive = psutil.wait_procs([process, *children], timeout=60)
    assert alive == []
    assert len(gone) == 1 + len(children)


@pytest.mark.slow
def test_two_indexers_that_start_at_once_become_one(library: Library, documents: Path) -> None:
    starters = [start_indexer(library) for _ in range(3)]
    client = LibraryClient(library)
    add(client, documents)
    wait_until(client, ready(3))
    one = process_of(library)  # which may be the client's own, if it was quicker
    assert {starter.pid for starter in starters if not starter.has_ended()} <= {one.pid}
    client.close()
    one.wait(timeout=60)
    assert not library.socket.exists()


def test_an_indexer_that_ends_during_reads_leaves_a_valid_catalog(library: Library, documents: Path) -> None:
    with closing(LibraryClient(library)) as client:
        add(client, documents)
        wait_until(client, ready(3))
        with closing(CatalogReader.open(library.catalog)) as reader:
            assert reader.files.visible_contents()
            stopped(client, library)
            assert library.catalog.with_name("catalog.sqlite-wal").stat().st_size == 0


def test_the_address_of_a_dead_indexer_is_ignored(library: Library, documents: Path) -> None:
    with closing(LibraryClient(library)) as client:
        add(client, documents)
        process = process_of(library)
        process.kill()
        process.wait()
        assert library.address.exists()
        assert connect(library.address) is None
        wait_until(client, ready(3))


@posix_only
def test_connecting_to_a_frozen_indexer_can_be_cancelled(library: Library, documents: Path) -> None:
    with closing(LibraryClient(library)) as client:
        add(client, documents)
    process = process_of(library)
    process.suspend()
    stop = Stop()
    try:
        with closing(LibraryClient(library)) as client:
            threading.Timer(0.3, stop.set).start()
            began = time.monotonic()
            with pytest.raises(Stopped):
                client.rescan(None, stop)
            assert time.monotonic() - began < 3
    finally:
        process.kill()


@pytest.mark.slow
def test_deleting_the_catalog_ends_the_indexer_and_starts_a_new_one(
    client: LibraryClient, library: Library, documents: Path
) -> None:
    add(client, documents)
    wait_until(client, ready(3))
    process = process_of(library)
    for file in library.folder.glob("catalog.sqlite*"):
        file.unlink()
    process.wait(timeout=60)
    add(client, documents)
    wait_until(client, ready(3))
    wait_until(client, settled)
    assert wrong_in(library) == []


@pytest.mark.slow
@pytest.mark.parametrize("copy", ["keywords", "vectors"])
def test_an_index_deleted_under_the_indexer_is_rebuilt(
    client: LibraryClient, library: Library, documents: Path, copy: str
) -> None:
    add(client, documents)
    wait_until(client, ready(3))
    wait_until(client, settled)
    shutil.rmtree(library.keywords if copy == "keywords" else library.vectors)
    (documents / "new.txt").write_text("Something new was written here.")
    wait_until(client, ready(4))
    wait_until(client, settled)
    assert wrong_in(library) == []


@pytest.mark.slow
def test_a_keyword_index_ahead_of_its_catalog_is_rebuilt(
    client: LibraryClient, library: Library, documents: Path, tmp_path: Path
) -> None:
    add(client, documents / "lease.md")
    wait_until(client, ready(1))
    stopped(client, library)
    shutil.copytree(library.folder, tmp_path / "earlier")
    client = LibraryClient(library)
    add(client, documents / "audit.pdf")
    wait_until(client, lambda status: ready(2)(status) and settled(status))
    stopped(client, library)
    shutil.copy(tmp_path / "earlier" / "catalog.sqlite", library.catalog)  # as after a power cut
    with closing(LibraryClient(library)) as client:
        add(client, documents / "deep" / "boat.txt")
        wait_until(client, lambda status: ready(3)(status) and settled(status))  # no folder is forgotten
        assert wrong_in(library) == []


def stopped(client: LibraryClient, library: Library) -> None:
    process = process_of(library)
    client.close()
    process.terminate()
    process.wait(timeout=60)


@pytest.mark.slow
def test_a_drive_unplugged_during_reading_loses_no_file(
    client: LibraryClient, library: Library, tmp_path: Path
) -> None:
    drive = tmp_path / "drive"
    drive.mkdir()
    for number in range(300):
        (drive / f"{number}.txt").write_text(f"File {number} lies on a drive.")
    add(client, drive)
    wait_until(client, lambda status: only_folder(status).found == 300)
    drive.rename(tmp_path / "pulled out")
    status = wait_until(client, lambda status: only_folder(status).state is FolderState.OFFLINE)
    assert only_folder(status).found == 300
    wait_until(client, settled)
    assert len(files_of(library)) == 300
    (tmp_path / "pulled out").rename(drive)
    wait_until(client, ready(300))


@pytest.mark.slow
def test_a_truncated_file_is_no_longer_found(client: LibraryClient, library: Library, documents: Path) -> None:
    add(client, documents)
    wait_until(client, ready(3))
    (documents / "lease.md").write_text("")
    wait_until(client, lambda status: ready(2)(status) and settled(status))
    assert files_of(library)["lease.md"] is None


@posix_only
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_read_after_a_retry(client: LibraryClient, documents: Path) -> None:
    (documents / "lease.md").chmod(0)
    folder = add(client, documents)
    wait_until(client, lambda status: only_folder(status).failed == 2 and ready(2)(status))  # the other is binary
    (documents / "lease.md").chmod(0o600)
    client.rescan(folder, Stop())
    wait_until(client, ready(3))


def test_a_library_inside_an_indexed_folder_does_not_index_itself(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("A note beside the library.")
    library = Library(tmp_path / "library")
    with closing(LibraryClient(library)) as client:
        add(client, tmp_path)
        status = wait_until(client, lambda status: ready(1)(status) and settled(status))
        assert only_folder(status).found == 1


@pytest.mark.slow
def test_included_hidden_files_are_noticed(client: LibraryClient, documents: Path) -> None:
    folder = add(client, documents)
    wait_until(client, ready(3))
    client.change_rules(folder, FolderRules(include_hidden=True), Stop())
    wait_until(client, lambda status: only_folder(status).rules.include_hidden and settled(status))
    (documents / ".plans.txt").write_text("Nobody sees these plans.")
    wait_until(client, ready(4))


def test_restoring_a_folder_inside_another_is_refused(client: LibraryClient, documents: Path) -> None:
    inner = add(client, documents / "deep")
    client.remove(inner, Stop())
    add(client, documents)
    with pytest.raises(LibraryError, match="already part of documents"):
        client.restore(inner, Stop())


@pytest.mark.slow
def test_restoring_a_folder_adopts_roots_added_inside(client: LibraryClient, documents: Path) -> None:
    outer = add(client, documents)
    wait_until(client, ready(3))
    client.remove(outer, Stop())
    add(client, documents / "deep")
    client.restore(outer, Stop())
    status = wait_until(client, lambda status: len(status.folders) == 1 and ready(3)(status) and settled(status))
    assert only_folder(status).folder == outer


@pytest.mark.slow
def test_adding_a_parent_of_a_folder_being_scanned_keeps_the_indexer_running(
    client: LibraryClient, library: Library, documents: Path
) -> None:
    for number in range(900):
        (documents / "deep" / f"{number}.bin.txt").write_bytes(b"")
    client.add([documents / "deep", documents], Stop())
    process = process_of(library)
    wait_until(client, lambda status: ready(3)(status) and settled(status))
    assert process_of(library) == process
    assert wrong_in(library) == []


def test_a_library_that_cannot_be_created_reports_trouble(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with closing(LibraryClient(Library(tmp_path / "file" / "library"))) as client:
        status = wait_until(client, lambda status: bool(status.trouble))
        assert "cannot be written" in status.trouble


@pytest.mark.slow
def test_a_library_of_a_newer_version_is_refused_with_a_reason(library: Library) -> None:
    """The reason is sent by the indexer, whatever its log contains."""
    with closing(Catalog.open(library.catalog)) as catalog:
        catalog.database.execute("PRAGMA user_version=99")
    with closing(LibraryClient(library)) as client:
        with pytest.raises(LibraryError, match=r"cannot be opened: .*newer version") as caught:
            client.add([library.folder], Stop())
        assert "Error" not in str(caught.value)
        assert "newer version" in wait_until(client, lambda status: bool(status.trouble)).trouble


def test_an_indexer_that_fails_to_start_reports_the_reason(library: Library) -> None:
    library.create()
    library.lock.mkdir()
    with closing(LibraryClient(library)) as client, pytest.raises(LibraryError, match=r"cannot be opened: .*lock"):
        client.pause(None, Stop())


def test_an_indexer_that_dies_without_a_reason_is_reported(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "own_command", lambda *_: [sys.executable, "-c", "raise SystemExit(1)"])
    with closing(LibraryClient(library)) as client, pytest.raises(LibraryError, match="without giving a reason"):
        client.pause(None, Stop())


@posix_only
def test_connections_leave_no_threads_or_files_behind(library: Library, documents: Path) -> None:
    with closing(LibraryClient(library)) as client:
        add(client, documents)
        wait_until(client, lambda status: ready(3)(status) and settled(status))
        process = process_of(library)

        def held() -> tuple[int, int]:
            return process.num_fds(), process.num_threads()

        def visit() -> None:
            with closing(LibraryClient(library)) as visitor:
                visitor.pause(None, Stop())
                visitor.resume(None, Stop())
                wait_until(visitor, lambda status: True)

        visit()
        before = held()
        for _ in range(30):
            visit()
        deadline = time.monotonic() + 10
        while (now := held()) > (before[0] + 3, before[1] + 3) and time.monotonic() < deadline:
            Stop().wait(0.1)  # threads of the last visitors are on their way out
        assert now <= (before[0] + 3, before[1] + 3)


@posix_only
def test_the_indexer_inherits_no_files_of_its_starter(library: Library, documents: Path, tmp_path: Path) -> None:
    with (tmp_path / "open.txt").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        with closing(LibraryClient(library)) as client:
            add(client, documents)
            process = process_of(library)
            assert str(tmp_path / "open.txt") not in {held.path for held in process.open_files()}
            assert process.cwd() == str(library.folder)


@pytest.mark.slow
@posix_only
def test_a_ctrl_c_in_the_terminal_does_not_reach_the_indexer(tmp_path: Path) -> None:
    script = (
        "import signal, sys; from pathlib import Path; from desktop_rag.stop import Stop\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell lets background jobs ignore it
        "from desktop_rag.index.library_client import LibraryClient; from desktop_rag.index.library import Library\n"
        "client = LibraryClient(Library(Path(sys.argv[1]))); client.rescan(None, Stop())\n"
        "print('up', flush=True); sys.stdin.read()\n"
    )
    library = Library(tmp_path / "library")
    command = [sys.executable, "-c", script, str(library.folder)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as starter:
        assert starter.stdout is not None
        assert starter.stdout.readline() == b"up\n"
        indexer = process_of(library)
        os.killpg(starter.pid, signal.SIGINT)
        starter.wait(60)
    with closing(LibraryClient(library)) as client:
        client.rescan(None, Stop())
        assert process_of(library) == indexer


@pytest.mark.slow
def test_a_short_document_is_searchable_before_a_long_one(
    client: LibraryClient, library: Library, tmp_path: Path
) -> None:
    documents = tmp_path / "long"
    documents.mkdir()
    sentence = "The committee discussed the budget of the harbour at some length and came to no conclusion. "
    (documents / "long.txt").write_text("\n\n".join(f"{number}. {sentence * 6}" for number in range(9000)))
    add(client, documents)

    def arrived(status: LibraryStatus) -> bool:
        return status.sentences_total > 10_000

    assert only_folder(wait_until(client, arrived)).searchable == 0
    (documents / "short.txt").write_text("A short note.")
    status = wait_until(client, lambda status: only_folder(status).searchable >= 1)
    assert status.phase is not IndexingPhase.IDLE
    assert only_folder(status).found == 2
    with closing(keyword_reader(library.keywords)) as keywords:
        assert keywords.chunks()
