"""The real reader process: what it reads, what kills it, and that the next file works at once."""

import io
import os
import signal
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from desktop_rag.documents.sandbox import limited_child, reader_client
from desktop_rag.documents.sandbox.limited_child import ChildLost, LimitedChild
from desktop_rag.documents.sandbox.reader_client import ReaderChild, ReaderInterrupted, ReaderLost, seconds_for
from desktop_rag.documents.sandbox.reader_messages import READER_REPLIES, READER_REQUESTS, ReadRequest
from desktop_rag.errors import DocumentError, Stopped
from desktop_rag.processes.child import Child
from desktop_rag.stop import Stop
from tests.integration.documents.conftest import PROSE, make_pdf

pytestmark = pytest.mark.processes

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")


@pytest.fixture(scope="module")
def shared() -> Iterator[ReaderChild]:
    child = ReaderChild()
    yield child
    child.close()


def read(child: ReaderChild, name: str, data: bytes, seconds: float | None = None) -> str:
    return child.read(io.BytesIO(data), name, len(data), Stop(), seconds).text


def flate_bomb() -> bytes:
    """Return a small PDF whose one page unpacks to 150 MB of text."""
    packer = zlib.compressobj(9)
    piece = b"BT /F 10 Tf 1 1 Td (" + b"A" * 1_000_000 + b") Tj ET\n"
    data = b"".join(packer.compress(piece) for _ in range(150)) + packer.flush()
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(data), data),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    )
    return b"%PDF-1.7\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % pair for pair in enumerate(objects, 1))


def test_a_document_from_the_child_is_complete(shared: ReaderChild) -> None:
    data = make_pdf([PROSE * 3, "Second page."], title="Lease")
    document = shared.read(io.BytesIO(data), "lease.pdf", len(data), Stop())
    assert document.title == "Lease"
    assert [page.number for page in document.pages] == [1, 2]
    assert document.box(1) is not None
    assert document.line(document.line_count).text == "Second page."


def test_a_text_of_many_pieces_arrives_complete(shared: ReaderChild) -> None:
    text = "The tenant pays the rent.\n" * 120_000
    assert read(shared, "a.txt", text.encode()) == text.removesuffix("\n")


def test_a_file_is_read_whatever_its_name(shared: ReaderChild) -> None:
    assert read(shared, os.fsdecode(b"caf\xe9 \xff.txt"), b"The zebra is here.") == "The zebra is here."


def test_one_child_reads_many_files(shared: ReaderChild) -> None:
    read(shared, "a.txt", b"one")
    first = shared.pid
    assert [read(shared, "a.txt", word) for word in (b"two", b"three")] == ["two", "three"]
    assert shared.pid == first


def test_a_refused_file_gives_its_reason_and_the_child_stays(shared: ReaderChild) -> None:
    read(shared, "a.txt", b"one")
    first = shared.pid
    with pytest.raises(DocumentError, match="damaged or not a PDF"):
        read(shared, "a.pdf", b"not a pdf")
    with pytest.raises(DocumentError, match="empty"):
        read(shared, "a.txt", b"")
    assert shared.pid == first


def test_a_file_that_became_shorter_is_distinguished_from_a_damaged_one(shared: ReaderChild) -> None:
    with pytest.raises(DocumentError, match="changed while it was read"):
        shared.read(io.BytesIO(b"short"), "a.txt", 100, Stop())
    assert read(shared, "a.txt", b"next") == "next"


class Unplugged(io.BytesIO):
    def read(self, size: int | None = -1, /) -> bytes:
        raise OSError(5, "Input/output error")


def test_a_failing_drive_is_a_document_error(shared: ReaderChild) -> None:
    with pytest.raises(DocumentError, match="Input/output error"):
        shared.read(Unplugged(), "a.txt", 100, Stop())
    assert read(shared, "a.txt", b"next") == "next"


def test_a_file_that_takes_too_long_costs_one_child(shared: ReaderChild) -> None:
    with pytest.raises(DocumentError, match="took longer than"):
        read(shared, "bomb.pdf", flate_bomb(), seconds=0.3)
    assert read(shared, "a.txt", b"next") == "next"


class Endless(io.BytesIO):
    """A file whose bytes never arrive; `asked` is set when they are requested."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = threading.Event()
        self.released = threading.Event()

    def read(self, size: int | None = -1, /) -> bytes:
        self.asked.set()
        self.released.wait(20)
        return b"x" * (size or 0)


def test_stop_ends_reading_and_the_next_file_works(shared: ReaderChild) -> None:
    file, stop = Endless(), Stop()

    def press_stop() -> None:
        file.asked.wait(20)
        stop.set()
        file.released.set()

    presser = threading.Thread(target=press_stop)
    presser.start()
    with pytest.raises(Stopped):
        shared.read(file, "a.txt", 5_000_000, stop)
    presser.join()
    assert read(shared, "a.txt", b"next") == "next"


@posix_only
def test_a_child_that_was_killed_in_between_is_replaced(shared: ReaderChild) -> None:
    read(shared, "a.txt", b"one")
    assert shared.pid is not None
    child = psutil.Process(shared.pid)
    os.kill(child.pid, signal.SIGKILL)
    child.wait(60)
    assert read(shared, "a.txt", b"two") == "two"


def during_reading(child: ReaderChild, act: Callable[[psutil.Process], None]) -> str:
    """Read a file; `act` on the reader process once it has been sent a part of the file."""
    read(child, "a.txt", b"one")
    victim, file = psutil.Process(child.pid), Endless()

    def interfere() -> None:
        file.asked.wait(20)
        act(victim)
        file.released.set()

    thread = threading.Thread(target=interfere)
    thread.start()
    try:
        return child.read(file, "a.txt", 5_000_000, Stop()).text
    finally:
        thread.join()


@posix_only
@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT])
def test_a_child_that_crashes_on_a_file_is_reported(shared: ReaderChild, number: int) -> None:
    with pytest.raises(ReaderLost, match="crash"):
        during_reading(shared, lambda process: process.send_signal(number))
    assert read(shared, "a.txt", b"next") == "next"


@pytest.fixture
def mortal() -> Iterator[ReaderChild]:
    """Yield a reader that every signal ends, also where the tests run under `nohup`, whose children ignore SIGHUP."""
    earlier = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGTERM, signal.SIGHUP)}
    with closing(ReaderChild()) as child:  # a handler does not outlive its start, the default follows
        read(child, "a.txt", b"one")
        yield child
    for number, handler in earlier.items():
        signal.signal(number, handler)


@posix_only
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGHUP])
def test_a_child_ended_by_another_process_is_not_the_fault_of_the_file(mortal: ReaderChild, number: int) -> None:
    with pytest.raises(ReaderInterrupted, match="was ended from outside"):
        during_reading(mortal, lambda process: process.send_signal(number))
    assert read(mortal, "a.txt", b"next") == "next"


@posix_only
def test_a_child_that_ends_late_is_not_the_fault_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Child.wait

    def late(child: Child, seconds: float) -> int | None:
        return usual(child, seconds - 10) if seconds > 10 else None  # ten seconds pass before the system ends it

    with closing(ReaderChild()) as child, monkeypatch.context() as patched:
        patched.setattr(Child, "wait", late)
        with pytest.raises(ReaderInterrupted, match="was ended from outside"):
            during_reading(child, lambda process: process.kill())


@posix_only
def test_a_child_killed_for_want_of_memory_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    kills = iter((5, 6))
    monkeypatch.setattr(limited_child, "out_of_memory_kills", lambda: next(kills))
    child = LimitedChild("_reader", READER_REQUESTS, READER_REPLIES, 2048)
    child.start()
    threading.Timer(0.5, lambda: psutil.Process(child.pid).kill()).start()
    with pytest.raises(ChildLost, match="ran out of memory") as lost:
        child.ask(ReadRequest("a.txt", 100), None, 20, Stop())
    assert lost.value.from_outside


@posix_only
def test_a_suspended_machine_costs_no_file(shared: ReaderChild) -> None:
    read(shared, "a.txt", b"one")
    process = psutil.Process(shared.pid)
    process.suspend()
    waker = threading.Timer(2.0, process.resume)
    waker.start()
    began = time.monotonic()
    assert read(shared, "a.txt", b"two", seconds=0.3) == "two"
    assert time.monotonic() - began > 1.5
    waker.join()


def test_a_child_that_waits_and_does_nothing_is_ended() -> None:
    child = LimitedChild("_reader", READER_REQUESTS, READER_REPLIES, 2048)
    child.start()
    with pytest.raises(ChildLost, match="made no progress") as lost:
        child.ask(ReadRequest("a.txt", 100), None, 0.5, Stop())  # it waits for bytes that never come
    assert not lost.value.from_outside


def test_an_error_while_watching_leaves_no_later_request_without_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    failures = iter((OSError("once"),))
    usual = limited_child._cpu_seconds

    def failing(pid: int) -> float:
        if (error := next(failures, None)) is not None:
            raise error
        return usual(pid)

    monkeypatch.setattr(limited_child, "_cpu_seconds", failing)
    child = LimitedChild("_reader", READER_REQUESTS, READER_REPLIES, 2048)
    child.start()
    with pytest.raises(ChildLost, match="made no progress"):
        child.ask(ReadRequest("a.txt", 100), None, 0.5, Stop())


def test_a_worn_out_child_is_replaced() -> None:
    child = ReaderChild(files_per_child=2)
    try:
        read(child, "a.txt", b"one")
        first = child.pid
        read(child, "a.txt", b"two")
        read(child, "a.txt", b"three")
        assert child.pid not in (None, first)
    finally:
        child.close()


def test_a_child_that_keeps_much_memory_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_client, "_KEPT_MEGABYTES", 1)
    monkeypatch.setattr(reader_client, "_FILES_PER_LOOK", 2)
    with closing(ReaderChild()) as child:
        read(child, "a.txt", b"one")
        first = child.pid
        assert first is not None
        read(child, "a.txt", b"two")
        assert child.pid is None


def test_a_closed_reader_leaves_no_process(shared: ReaderChild) -> None:
    child = ReaderChild()
    read(child, "a.txt", b"one")
    assert child.pid is not None
    pid = child.pid
    child.close()
    assert not psutil.pid_exists(pid)


@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="needs /proc")
def test_the_child_has_limits_and_no_secrets_in_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    child = ReaderChild()
    try:
        read(child, "a.txt", b"one")
        process = Path(f"/proc/{child.pid}")
        limits = {line[:25].strip(): line[25:].split()[:2] for line in (process / "limits").read_text().splitlines()}
        environment = (process / "environ").read_bytes()
    finally:
        child.close()
    assert limits["Max file size"] == ["0", "0"]
    assert limits["Max core file size"] == ["0", "0"]
    assert limits["Max address space"] == [str(2048 * 1024**2)] * 2
    assert int(limits["Max cpu time"][0]) < 60
    assert b"secret" not in environment
    assert b"HOME=" not in environment


def test_a_larger_file_may_take_longer_up_to_a_limit() -> None:
    assert (seconds_for(0), seconds_for(10 * 1024**2), seconds_for(10**9)) == (30.0, 40.0, 180.0)


def limit_memory(child: ReaderChild, spare: int) -> None:
    """Let the process of `child` have only `spare` bytes more than it has."""
    import resource

    read(child, "a.txt", b"one")
    assert child.pid is not None
    used = psutil.Process(child.pid).memory_info().vms
    resource.prlimit(child.pid, resource.RLIMIT_AS, (used + spare, 2048 << 20))


@pytest.mark.skipif(sys.platform != "linux", reason="limits the memory of another process")
@pytest.mark.parametrize("spare", [1_500_000, 40_000_000])
@pytest.mark.parametrize("name", ["a.pdf", "a.rtf"])
def test_a_file_is_not_blamed_for_a_lack_of_memory(name: str, spare: int) -> None:
    data = {
        "a.pdf": make_pdf([PROSE]),
        "a.rtf": rb"{\rtf1 The rent is due.}",
    }[name]
    with closing(ReaderChild()) as child:
        limit_memory(child, spare)
        try:
            first = read(child, name, data)
        except ReaderInterrupted as interrupted:
            assert "memory" in str(interrupted)  # noqa: PT017 (it may be enough)
        else:
            assert first
        assert read(child, name, data)


def test_a_reader_that_cannot_begin_is_not_the_fault_of_the_file() -> None:
    with closing(ReaderChild("_no_such_child")) as child, pytest.raises(ReaderInterrupted, match="before it could"):
        read(child, "a.txt", b"one")
