"""The real indexer process, its readers and its socket, on real files."""

import contextlib
import os
import shutil
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from desktop_rag.errors import OutOfMemory, Stopped
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.open_index import keyword_reader
from desktop_rag.index.libraries import Libraries
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient, start_indexer
from desktop_rag.index.records import FileState, FolderState
from desktop_rag.index.repair import repair
from desktop_rag.index.vectors.vector_reader import VectorReader
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


def test_an_added_folder_becomes_ready_and_bad_files_have_reasons(
    client: LibraryClient, library: Library, documents: Path
) -> None:
    folder = add(client, documents)
    status = only_folder(wait_until(client, ready(3)))
    assert (status.found, status.searchable, status.skipped + status.failed) == (5, 3, 2)
    problems = client.problems(folder, 10, Stop())
    assert {os.path.basename(p.path) for p in problems.problems} == {b"empty.txt", b"picture.bin.txt"}  # noqa: PTH119
    assert all(problem.reason for problem in problems.problems)
    assert wrong_in(library) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits the memory of another process")
def test_why_an_indexer_without_memory_ended_is_told_and_the_next_one_goes_on(
    client: LibraryClient, library: Library, documents: Path
) -> None:
    client.rescan(None, Stop())
    process = process_of(library)
    limit = process.memory_info().vms
    process.rlimit(psutil.RLIMIT_AS, (limit, limit))
    try:
        add(client, documents)
        told = next(status.trouble for status in client.follow(Stop()) if status.trouble)
    except OutOfMemory as error:
        told = str(error)
    assert "not enough memory" in told
    process.wait(60)
    add(client, documents)
    wait_until(client, ready(3))


def test_an_indexer_does_not_make_a_deleted_library_again(tmp_path: Path) -> None:
    libraries = Libraries(tmp_path / "home")
    libraries.use(libraries.usual())
    work = libraries.create("Work")
    indexer = start_indexer(work.library)
    libraries.delete("Work")  # while the process begins: it has no lock yet
    while not indexer.has_ended():
        time.sleep(0.02)
    assert "was deleted" in str(indexer.failure())
    assert not work.folder.exists()


def test_a_client_that_stops_waiting_ends_the_indexer_it_started(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = (sys.executable, "-c", "import time; time.sleep(600)")  # as one that is still starting
    monkeypatch.setattr("desktop_rag.index.library_client.own_command", lambda *_: silent)
    client, stop = LibraryClient(library), Stop()

    def follow() -> None:
        with contextlib.suppress(Stopped):
            list(client.follow(stop))

    waiting = threading.Thread(target=follow)
    waiting.start()
    started = wait_for_child(silent[2])
    stop.set()
    waiting.join()
    client.close()
    started.wait(timeout=60)


def wait_for_child(argument: str) -> psutil.Process:
    """Return the child of this process with an argument, once it is there."""
    while True:
        for child in psutil.Process().children():
            with contextlib.suppress(psutil.Error):
                if argument in child.cmdline():
                    return child
        time.sleep(0.02)


def test_new_changed_renamed_and_deleted_files_are_noticed(
    client: LibraryClient, library: Library, documents: Path
) -> None:
    add(client, documents)
    wait_until(client, ready(3))
    before = files_of(library)
    (documents / "new.txt").write_text("Something new was written here.")
    wait_until(client, ready(4))
    (documents / "lease.md").rename(documents / "contract.md")
    (documents / "audit.pdf").unlink()
    wait_until(client, lambda status: only_folder(status).found == 5 and ready(3)(status))
    after = files_of(library)
    assert "audit.pdf" not in after
    assert after["contract.md"] == before["lease.md"]
    (documents / "contract.md").write_text("# Lease\n\nThe rent is 1,300 euros.\n")
    wait_until(client, lambda status: files_of(library)["contract.md"] != before["lease.md"] and ready(3)(status))


@pytest.mark.slow
def test_an_edit_that_a_rename_hides_is_noticed(library: Library, documents: Path) -> None:
    client = LibraryClient(library)
    add(client, documents)
    wait_until(client, ready(3))
    process = process_of(library)
    client.close()
    process.wait(timeout=60)
    before = files_of(library)
    lease = documents / "lease.md"
    facts = lease.stat()
    lease.write_text(lease.read_text().replace("1", "2"))
    os.utime(lease, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert lease.stat().st_size == facts.st_size
    lease.rename(documents / "contract.md")
    (documents / "deep").rename(documents / "deeper")
    client = LibraryClient(library)
    wait_until(client, lambda status: files_of(library).get("contract.md") not in (None, before["lease.md"]))
    wait_until(client, ready(3))
    assert files_of(library)["deeper/boat.txt"] == before["deep/boat.txt"]
    client.close()


@pytest.mark.slow
def test_a_newer_reader_rereads_in_the_background_while_the_old_content_is_searched(
    client: LibraryClient, library: Library, documents: Path
) -> None:
    add(client, documents)
    wait_until(client, ready(3))
    client.close()
    process_of(library).wait(60)
    with closing(Catalog.open(library.catalog)) as catalog:
        catalog.database.execute("UPDATE content SET reader = reader - 1")
        vectors = catalog.database.values(bytes, "SELECT data FROM vector ORDER BY data")
    before = files_of(library)
    with closing(LibraryClient(library)) as again:
        wait_until(again, lambda status: _renewed(library, before) and ready(3)(status))
    with closing(CatalogReader.open(library.catalog)) as catalog:
        new = frozenset(content for content in files_of(library).values() if content is not None)
        found = catalog.database.rows(
            tuple[int, bytes], "SELECT chunk.content, data FROM vector JOIN chunk ON chunk.id = vector.chunk"
        )
        assert sorted(data for content, data in found if content in new) == vectors  # none was encoded again


def _renewed(library: Library, before: dict[str, int | None]) -> bool:
    """Return whether every file has a new content; no file may be without one meanwhile."""
    now = files_of(library)
    assert all(now[path] is not None for path, content in before.items() if content is not None)
    return all(now[path] != content for path, content in before.items() if content is not None)


def test_a_removed_folder_is_hidden_at_once_and_restored_without_reading(
    client: LibraryClient, library: Library, documents: Path
) -> None:
    folder = add(client, documents)
    wait_until(client, ready(3))
    before = files_of(library)
    client.remove(folder, Stop())
    with closing(CatalogReader.open(library.catalog)) as catalog:
        assert catalog.files.visible_contents() == frozenset()
    client.restore(folder, Stop())
    wait_until(client, ready(3))
    assert files_of(library) == before


@pytest.mark.slow
def test_an_offline_folder_keeps_its_files_and_comes_back(
    client: LibraryClient, documents: Path, library: Library
) -> None:
    folder = add(client, documents)
    wait_until(client, ready(3))
    away = documents.with_name("away")
    documents.rename(away)
    client.rescan(folder, Stop())
    status = wait_until(client, lambda status: only_folder(status).state is FolderState.OFFLINE)
    assert only_folder(status).ready == 3
    before = files_of(library)
    away.rename(documents)
    client.rescan(folder, Stop())
    wait_until(client, lambda status: only_folder(status).state is FolderState.ACTIVE)
    assert files_of(library) == before


def test_a_killed_indexer_is_restarted_and_finishes(client: LibraryClient, library: Library, documents: Path) -> None:
    for number in range(40):
        (documents / f"note {number}.txt").write_text(f"Note number {number} says that {number} boats lie here.")
    add(client, documents)
    process_of(library).kill()
    wait_until(client, ready(43))
    assert wrong_in(library) == []


def test_the_indexer_ends_after_its_last_client(library: Library, documents: Path) -> None:
    client = LibraryClient(library)
    add(client, documents)
    process = process_of(library)
    client.close()
    process.wait(timeout=60)
    assert not library.address.exists()


def test_commands_are_answered_while_the_status_is_followed(client: LibraryClient, documents: Path) -> None:
    with closing(client.follow(Stop())) as statuses:
        assert next(statuses).folders == ()
        add(client, documents)
        assert next(status for status in statuses if ready(3)(status)).folders


def test_the_status_can_be_followed_by_several_clients(client: LibraryClient, documents: Path) -> None:
    add(client, documents)
    with closing(client.follow(Stop())) as one, closing(client.follow(Stop())) as other:
        assert next(one).folders[0].folder == next(other).folders[0].folder


@pytest.mark.slow
def test_closing_a_client_ends_its_status_streams(library: Library, documents: Path) -> None:
    client = LibraryClient(library)
    add(client, documents)
    statuses = client.follow(Stop())
    next(statuses)
    threading.Timer(0.1, client.close).start()
    for _ in statuses:
        pass


def test_two_clients_share_one_indexer(client: LibraryClient, library: Library, documents: Path) -> None:
    add(client, documents)
    other = LibraryClient(library)
    wait_until(other, ready(3))
    first = process_of(library).pid
    other.close()
    wait_until(client, ready(3))
    assert process_of(library).pid == first


def test_a_paused_folder_can_be_resumed(client: LibraryClient, documents: Path) -> None:
    folder = add(client, documents)
    wait_until(client, ready(3))
    client.pause(folder, Stop())
    (documents / "late.txt").write_text("It came while nobody looked.")
    client.rescan(folder, Stop())
    status = wait_until(client, lambda status: only_folder(status).state is FolderState.PAUSED)
    assert only_folder(status).ready == 3
    client.resume(folder, Stop())
    wait_until(client, ready(4))


def test_a_single_file_can_be_a_root(client: LibraryClient, documents: Path) -> None:
    add(client, documents / "lease.md")
    status = only_folder(wait_until(client, ready(1)))
    assert status.is_file


def test_invalid_paths_are_refused_with_a_reason(client: LibraryClient, documents: Path, tmp_path: Path) -> None:
    add(client, documents)
    added = client.add([documents / "deep", tmp_path / "nowhere"], Stop())
    assert added.folders == ()
    assert [reason for _, reason in added.refused] == [
        "It is already part of documents.",
        "It cannot be opened: No such file or directory.",
    ]


@pytest.mark.slow
def test_a_folder_around_a_known_one_reads_only_new_files(
    client: LibraryClient, library: Library, documents: Path
) -> None:
    add(client, documents / "deep")
    wait_until(client, ready(1))
    content = files_of(library)["boat.txt"]
    add(client, documents)
    wait_until(client, ready(3))
    assert files_of(library)["deep/boat.txt"] == content


@pytest.mark.slow
def test_deleted_indexes_are_rebuilt_without_reading(library: Library, documents: Path) -> None:
    client = LibraryClient(library)
    add(client, documents)
    wait_until(client, ready(3))
    process = process_of(library)
    client.close()
    process.wait(timeout=60)
    shutil.rmtree(library.vectors)
    repair(library)
    before = files_of(library)
    client = LibraryClient(library)
    wait_until(client, lambda status: _is_sound(library))
    client.close()
    assert files_of(library) == before


def _is_sound(library: Library) -> bool:
    with (
        closing(CatalogReader.open(library.catalog)) as catalog,
        closing(keyword_reader(library.keywords)) as keywords,
        closing(VectorReader.open(library.vectors)) as vectors,
    ):
        chunks = catalog.chunks.all_ids()
        encoded, total = catalog.chunks.sentence_counts()
        return encoded == total and keywords.chunks() == chunks == frozenset(vectors.chunks())


@pytest.mark.slow
def test_a_problem_has_the_state_of_its_file(client: LibraryClient, documents: Path) -> None:
    folder = add(client, documents)
    wait_until(client, ready(3))
    states = {problem.state for problem in client.problems(folder, 10, Stop()).problems}
    assert states <= {FileState.SKIPPED, FileState.FAILED}


@pytest.mark.slow
def test_a_read_only_library_shows_its_folders_and_the_reason(
    client: LibraryClient, library: Library, documents: Path
) -> None:
    add(client, documents)
    wait_until(client, settled)
    client.close()
    process = process_of(library)
    psutil.wait_procs([process], timeout=60)
    library.log.unlink()
    library.log.mkdir()  # a read-only disk refuses the superuser's log as well, but tests cannot have one
    with closing(LibraryClient(library, must_exist=True)) as again:
        status = wait_until(again, lambda status: bool(status.trouble))
    assert "cannot be written" in status.trouble
    assert only_folder(status).path == os.fsencode(documents)
    assert not status.missing


def test_a_missing_library_is_not_created_again(library: Library) -> None:
    with closing(LibraryClient(library, must_exist=True)) as client:
        status = wait_until(client, lambda status: status.missing)
        assert "is missing" in status.trouble
    assert not library.folder.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel which libraries are mapped")
def test_it_is_started_without_asyncio_and_tls(client: LibraryClient, library: Library, documents: Path) -> None:
    add(client, documents)
    wait_until(client, ready(3))
    mapped = {Path(part.path).name.partition(".")[0] for part in process_of(library).memory_maps()}
    assert "_multiarray_umath" in mapped
    assert mapped.isdisjoint({"_asyncio", "_ssl"})
