"""The campaign of hostile files: each through a real reader child, then all of them through the real indexer.

None may cost more than its reader: it ends with a reason or with what could be read, the parent does not grow,
and the next file is read as if nothing had happened.
"""

import io
import os
import socket
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from desktop_rag.documents.file_types import is_supported
from desktop_rag.documents.sandbox.reader_client import ReaderChild, ReaderLost
from desktop_rag.errors import DocumentError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FileState
from desktop_rag.stop import Stop
from tests.integration.documents import bombs
from tests.integration.documents.hostile import hostile_readers
from tests.integration.index.running import add, process_of, ready, settled, wait_until, wrong_in
from tests.slow_cases import slow_but

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(os.name != "posix", reason="FIFOs, links and limits of POSIX systems"),
]

SECRET = "the secret of another file"
SECONDS = 6.0  # of the processor, for each file
GROWTH = 50 * 1024**2  # bytes


@dataclass(frozen=True)
class Hostile:
    """A file; `kept` is text that comes before the trouble, `why` a part of the reason unless all is read."""

    name: str
    data: Callable[[], bytes]
    kept: str = ""
    why: str = ""


def ordered(*lines: str) -> Callable[[], bytes]:
    return lambda: "\n".join(lines).encode()


FILES = (
    Hostile("zeros.zip", lambda: bombs.zeros(60)),
    Hostile("42.zip", lambda: bombs.nested(6), kept="first.txt\n\nWhat comes first is read."),
    Hostile("overlapping.zip", lambda: bombs.overlapping(5000)),
    Hostile("entries.zip", lambda: bombs.many_entries(30_000)),
    Hostile("zeros.tar.gz", lambda: bombs.packed_tar(60)),
    Hostile("long.docx", lambda: bombs.long_docx(60), why="unpacks to far more"),
    Hostile("laughs.docx", lambda: bombs.docx(b"<w:p><w:r><w:t>&e9;</w:t></w:r></w:p>", bombs.entities())),
    Hostile("laughs.xml", lambda: bombs.entities() + b"<d>&e9;</d>"),
    Hostile("laughs.svg.html", lambda: bombs.entities() + b"<html><body>Kept. &e9;</body></html>"),
    Hostile("stream.pdf", lambda: bombs.stream_bomb(60, b"Kept page.")),
    Hostile("pages.pdf", lambda: bombs.page_bomb(6)),
    Hostile("line.txt", lambda: b"endless " * 150_000, kept="endless endless"),
    Hostile("nested.json", lambda: b'{"a":' * 300_000),
    Hostile("nested.html", lambda: b"<div>" * 400_000 + b"deep"),
    Hostile("spin.hostile.txt", ordered("Kept.", "spin", "lost"), "Kept.", "took longer"),
    Hostile("eat.hostile.txt", ordered("Kept.", "eat", "lost"), "Kept."),
    Hostile("map.hostile.txt", ordered("Kept.", "map", "lost"), "Kept."),
    Hostile("crash.hostile.txt", ordered("Kept.", "crash", "lost"), "Kept.", "crashed the reader"),
    Hostile("exit.hostile.txt", ordered("Kept.", "exit", "lost"), "Kept.", "crashed the reader"),
    Hostile("flood.hostile.txt", ordered("Kept.", "flood", "lost"), "Kept."),
    Hostile("announce.hostile.txt", ordered("Kept.", "announce", "lost"), "Kept.", "more output than is allowed"),
    Hostile("spin at once.hostile.txt", ordered("spin", "lost"), why="took longer"),
)


NAMES = ("42.zip", "long.docx", "laughs.xml", "stream.pdf", "nested.html", "crash.hostile.txt")
USUAL = tuple(file for file in FILES if file.name in NAMES)  # one of each kind


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile_readers(tmp_path / "hostile", monkeypatch)


@pytest.fixture
def child(hostile: None) -> Iterator[ReaderChild]:
    with closing(ReaderChild()) as child:
        read(child, "first.txt", b"The first file.")
        yield child


@dataclass
class Peak:
    """How far a process grew while it was watched, in bytes."""

    growth: int = 0


@contextmanager
def watching(process: psutil.Process) -> Iterator[Peak]:
    done, peak, before = threading.Event(), Peak(), process.memory_info().rss

    def watch() -> None:
        while not done.wait(0.02):
            peak.growth = max(peak.growth, process.memory_info().rss - before)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield peak
    finally:
        done.set()
        watcher.join()


def read(child: ReaderChild, name: str, data: bytes) -> tuple[str, str]:
    """Return the text and what is said of it, as the indexer gets them: a lost reader's file is read once more."""
    until = None
    for _ in range(2):
        try:
            found = child.read_in_chunks(io.BytesIO(data), name, len(data), Stop(), SECONDS, until).document
        except ReaderLost as lost:
            until, said = lost.reached, str(lost)
        except DocumentError as error:
            return "", str(error)
        else:
            return found.text, found.partial
    return "", said


@pytest.mark.parametrize("file", slow_but(USUAL, FILES), ids=lambda file: file.name)
def test_a_hostile_file_costs_its_reader_at_most(file: Hostile, child: ReaderChild) -> None:
    if not is_supported(file.name):
        pytest.skip("is not read at all")
    data = file.data()
    with watching(psutil.Process()) as peak:
        text, said = read(child, file.name, data)
        assert len(text) <= max(8_100_000, 12 * len(data))
        assert text.startswith(file.kept), said
        assert "lost" not in text
        assert file.why in said
        assert text or said
        assert read(child, "next.txt", b"The next file.") == ("The next file.", "")
    assert peak.growth < GROWTH


@pytest.mark.parametrize("name", ["a.docx", "a.xml", "a.html", "a.svg"])
def test_no_reader_follows_a_reference_to_another_file(name: str, child: ReaderChild, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(SECRET)
    kind = bombs.foreign_entity(str(tmp_path / "secret"))
    body = b"<w:p><w:r><w:t>Kept. &x;</w:t></w:r></w:p>"
    data = bombs.docx(body, kind) if name.endswith("docx") else kind + b"<d>Kept. &x;</d>"
    text, said = read(child, name, data)
    assert SECRET not in text + said
    assert text or said


def test_the_archives_are_what_they_are_said_to_be() -> None:
    with zipfile.ZipFile(io.BytesIO(bombs.overlapping(300))) as archive:
        entries = archive.infolist()
        assert len(entries) == 300
        assert len({entry.header_offset for entry in entries}) == 1
        assert sum(entry.file_size for entry in entries) > 5 * 1024**3
    assert len(bombs.nested(6)) < 100_000


def everything(folder: Path) -> None:
    """Fill a folder with every hostile file, with what is no file, and with good ones in between."""
    for number, file in enumerate(FILES):
        (folder / file.name).write_bytes(file.data())
        (folder / f"good {number}.txt").write_text(f"Good file number {number}.")
    os.mkfifo(folder / "pipe.txt")
    (folder / "loop").symlink_to(folder)
    (folder / "loop.txt").symlink_to("loop.txt")
    (folder / "zero.txt").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(folder / "socket.txt"))
    with (folder / "sparse.txt").open("wb") as sparse:
        sparse.truncate(100 * 1024**3)
    with (folder / "holes.txt").open("wb") as sparse:
        sparse.truncate(150 * 1024**2)


@contextmanager
def rewriting(path: Path) -> Iterator[None]:
    """Rewrite a file all the time, longer and shorter, while the block runs."""
    done = threading.Event()

    def write() -> None:
        size = 0
        while not done.wait(0.005):
            size = (size + 77_777) % 3_000_000
            path.write_bytes(b"word " * (size // 5))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        done.set()
        writer.join()
        path.write_text("At last it stays as it is.")


def outcomes(library: Library) -> dict[str, tuple[str, str, str]]:
    """Return the state or text, the reason and what is said of the text, for each file."""
    with closing(CatalogReader.open(library.catalog)) as catalog:
        rows = catalog.database.rows(
            tuple[bytes, str, str, int | None, str | None],
            "SELECT path, outcome, reason, content, partial FROM file LEFT JOIN content ON content.id = content "
            "WHERE pending = 0",
        )
        return {
            os.fsdecode(path): (catalog.texts.between(content, 0, 100) if content else outcome, reason, partial or "")  # type: ignore[arg-type]  # an id of the catalog
            for path, outcome, reason, content, partial in rows
        }


def everything_read(files: int) -> Callable[[LibraryStatus], bool]:
    def done(status: LibraryStatus) -> bool:
        counts = [folder.searchable + folder.left_out for folder in status.folders]
        return bool(counts) and sum(counts) >= files

    return done


@pytest.mark.slow
def test_a_folder_of_hostile_files_is_indexed_to_its_end(
    hostile: None, client: LibraryClient, library: Library, tmp_path: Path
) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "warm.txt").write_text("A first file, so that everything is loaded.")
    add(client, folder)
    wait_until(client, ready(1))
    indexer = process_of(library)
    everything(folder)
    with watching(indexer) as peak, rewriting(folder / "rewritten.txt"):
        client.rescan(None, Stop())
        wait_until(client, everything_read(2 * len(FILES) + 3))
    client.rescan(None, Stop())
    wait_until(client, everything_read(2 * len(FILES) + 4))
    wait_until(client, settled)
    assert process_of(library).pid == indexer.pid
    found = outcomes(library)
    for number in range(len(FILES)):
        assert found[f"good {number}.txt"] == (f"Good file number {number}.", "", "")
    for file in FILES:
        text, reason, partial = found[file.name]
        assert text.startswith(file.kept), file.name
        assert "lost" not in text, file.name
        assert not is_supported(file.name) or file.why in reason + partial, file.name
        assert text not in ("", FileState.QUEUED), file.name
    assert found["sparse.txt"][0] == FileState.SKIPPED
    assert found["holes.txt"][0] == FileState.FAILED
    assert found["rewritten.txt"][0] == "At last it stays as it is."
    assert not {"pipe.txt", "loop.txt", "zero.txt", "socket.txt", "loop/warm.txt"} & set(found)
    assert peak.growth < 8 * GROWTH
    assert wrong_in(library) == []
