"""What a compromised reader child cannot do; every attempt is made in the real child."""

import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.documents.sandbox.reader_client import ReaderChild
from desktop_rag.stop import Stop
from tests.integration.confinement import REFUSED, needs_confinement, signals_and_terminals
from tests.integration.documents.conftest import make_pdf
from tests.integration.documents.hostile import hostile_readers

pytestmark = [pytest.mark.processes, needs_confinement]


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReaderChild]:
    hostile_readers(tmp_path / "hostile", monkeypatch)
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    child = ReaderChild()
    yield child
    child.close()


def outcomes(child: ReaderChild, *attempts: str) -> list[str]:
    data = "\n".join(f"try {attempt}" for attempt in attempts).encode()
    return child.read(io.BytesIO(data), "a.hostile.txt", len(data), Stop()).text.split("\n")


def test_no_file_of_the_user_or_the_system_is_opened(child: ReaderChild, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    attempts = [f"open({str(path)!r}).read()" for path in (secret, "/etc/passwd", "/etc/hostname", "/proc/1/environ")]
    assert outcomes(child, *attempts) == [REFUSED] * 4


def test_no_folder_is_listed(child: ReaderChild, tmp_path: Path) -> None:
    folders = (str(tmp_path), "/", "/home", "/etc")
    assert outcomes(child, *(f"os.listdir({folder!r})" for folder in folders)) == [REFUSED] * 4


def test_nothing_is_written_renamed_or_deleted(child: ReaderChild, tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    name = str(mine)
    attempts = (
        f"open({name!r}, 'a')",
        f"open({name + '.new'!r}, 'w')",
        f"os.open({name!r}, os.O_RDWR)",
        f"os.unlink({name!r})",
        f"os.rename({name!r}, {name + '.old'!r})",
        f"os.truncate({name!r}, 0)",
        f"os.chmod({name!r}, 0o777)",
        f"os.mkdir({name + '.folder'!r})",
        f"os.symlink('/', {name + '.link'!r})",
        "open('/dev/shm/mine', 'w')",
    )
    assert outcomes(child, *attempts) == [REFUSED] * len(attempts)
    assert mine.read_text() == "mine"
    assert {entry.name for entry in tmp_path.iterdir()} == {"mine.txt", "hostile"}


def test_no_socket_is_created(child: ReaderChild) -> None:
    kinds = ("AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK")
    assert outcomes(child, *(f"socket.socket(socket.{kind})" for kind in kinds)) == [REFUSED] * 4


def test_no_process_is_started_or_signalled(child: ReaderChild) -> None:
    attempts = (
        "os.execv('/bin/true', ['true'])",
        "os.fork()",
        "os.posix_spawn('/bin/true', ['true'], {})",
        f"os.kill({os.getpid()}, 0)",
        "__import__('subprocess').run(['/bin/true'])",
    )
    assert outcomes(child, *attempts) == [REFUSED] * len(attempts)


def test_limits_and_priority_of_other_processes_stay(child: ReaderChild) -> None:
    parent, resource = os.getpid(), "__import__('resource')"
    attempts = (
        f"{resource}.prlimit({parent}, {resource}.RLIMIT_NOFILE)",
        f"{resource}.prlimit({parent}, {resource}.RLIMIT_CPU)",
        f"os.setpriority(os.PRIO_PROCESS, {parent}, {os.getpriority(os.PRIO_PROCESS, parent)})",
        f"os.sched_setscheduler({parent}, os.SCHED_IDLE, os.sched_param(0))",
        f"os.sched_setaffinity({parent}, {{0}})",
    )
    assert outcomes(child, *attempts) == [REFUSED] * len(attempts)
    own = f"{resource}.setrlimit({resource}.RLIMIT_CPU, {resource}.getrlimit({resource}.RLIMIT_CPU))"
    assert outcomes(child, own) == ["done: None"]


def test_no_signal_by_a_pipe_and_no_key_in_a_terminal(child: ReaderChild) -> None:
    attempts = signals_and_terminals(os.getpid())
    assert outcomes(child, *attempts) == [REFUSED] * len(attempts)


def test_no_folder_is_watched(child: ReaderChild) -> None:
    assert outcomes(child, "__import__('ctypes').CDLL(None).inotify_init()") == ["done: -1"]


def test_lazy_imports_work_in_the_sandbox(child: ReaderChild) -> None:
    attempts = (
        "__import__('lxml.html').html.fromstring('<p>text').text",
        "__import__('numpy').arange(4).sum()",
        "__import__('mimetypes').guess_type('a.html')[0]",
        "open(os.devnull).read()",
        "len(os.urandom(4))",
        "os.environ.get('OPENAI_API_KEY')",
    )
    assert outcomes(child, *attempts) == [
        "done: text",
        "done: 6",
        "done: text/html",
        "done: ",
        "done: 4",
        "done: None",
    ]
    pdf = make_pdf(["The audit was made in November."])
    assert child.read(io.BytesIO(pdf), "a.pdf", len(pdf), Stop()).text == "The audit was made in November."
