"""What a compromised searcher, indexer or built-in model cannot do; every attempt is made in the real process."""

import os
import re
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from desktop_rag.agent.extractive.model_process import ExtractiveModelClient
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.llm.chat import ChatRequest
from desktop_rag.processes.service import ServiceClient
from desktop_rag.retrieval.api import SearchRequest
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from desktop_rag.team.access.team_joining import TeamAddress
from tests.integration.confinement import REFUSED, needs_confinement, obedient_services, signals_and_terminals
from tests.team_server import TeamServer

pytestmark = [pytest.mark.processes, needs_confinement]

_FAST_OPEN, _MPTCP = 0x20000000, 262
NOBODY = 2_000_000_000  # a user id without processes


class Place:
    """A folder of the user beside a library, and a port that something listens on."""

    def __init__(self, folder: Path, port: int) -> None:
        self.library = Library(folder / "library")
        self.mine = folder / "mine"
        self.file = self.mine / "lease.txt"
        self.port = port

    @property
    def connections(self) -> tuple[str, ...]:
        """Attempts to use the network, each of which must be refused."""
        local = f"('127.0.0.1', {self.port})"
        return (
            f"socket.create_connection({local})",
            f"socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', {local})",
            "socket.socket(socket.AF_INET6)",
            "socket.socket(socket.AF_NETLINK)",
            "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
            "socket.socket(40)",  # AF_VSOCK
        )

    @property
    def changes(self) -> tuple[str, ...]:
        """Attempts to change what is outside of the library."""
        file, folder = str(self.file), str(self.mine)
        return (
            f"open({file!r}, 'a')",
            f"os.truncate({file!r}, 0)",
            f"os.unlink({file!r})",
            f"os.rename({file!r}, {str(self.library.folder / 'taken')!r})",
            f"os.mkdir({folder + '/new'!r})",
            f"open({folder + '/new.txt'!r}, 'w')",
            f"os.symlink('/', {folder + '/link'!r})",
            f"os.link({file!r}, {str(self.library.folder / 'link')!r})",
            f"open({str(self.library.folder.parent / 'beside.txt')!r}, 'w')",
            f"os.mkdir('/dev/shm/{self.library.folder.parent.name}')",
        )

    @property
    def others(self) -> tuple[str, ...]:
        """Attempts on other processes and on the system, which change nothing even where they are not refused."""
        parent = os.getpid()
        return (
            f"os.kill({parent}, 0)",
            f"__import__('resource').prlimit({parent}, 7)",
            f"os.setpriority(os.PRIO_PROCESS, {parent}, {os.getpriority(os.PRIO_PROCESS, parent)})",
            f"os.setpriority(os.PRIO_USER, {NOBODY}, 0)",
            f"os.chown({str(self.library.folder)!r}, {os.getuid()}, {os.getgid()})",
            *signals_and_terminals(parent),
            f"os.open({str(self.file)!r}, 3)",
        )

    @property
    def modes(self) -> tuple[str, ...]:
        """Attempts to change modes and times of a file, which the kernel cannot tell from those in the library."""
        file = repr(str(self.file))
        return (f"os.chmod({file}, 0o777)", f"os.utime({file}, (1, 1))", f"os.chmod(os.open({file}, 0), 0o777)")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    obedient_services(tmp_path / "obedient", monkeypatch)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = Place(tmp_path, listener.getsockname()[1])
        place.mine.mkdir()
        place.file.write_text("The rent is 900 euros.")
        place.library.create()
        yield place
    assert place.file.read_text() == "The rent is 900 euros."
    assert [each.name for each in place.mine.iterdir()] == ["lease.txt"]


def outcomes(client: ServiceClient, *attempts: str) -> list[str]:
    """Return what came of each attempt in the process of a client."""
    return [client.remote.call(f"try {attempt}".encode(), Stop()).decode() for attempt in attempts]


def all_refused(client: ServiceClient, *attempts: str) -> None:
    found = dict(zip(attempts, outcomes(client, *attempts), strict=True))
    assert {attempt: outcome for attempt, outcome in found.items() if outcome != REFUSED} == {}


def index(place: Place, client: LibraryClient) -> None:
    """Index the folder of the user and wait until it can be searched."""
    client.add_folders((os.fsencode(place.mine),), Stop())
    with closing(client.follow_status(Stop())) as statuses:
        next(status for status in statuses if status.folders and status.folders[0].ready)


def test_the_indexer_reaches_no_network_and_changes_nothing_outside(place: Place) -> None:
    with closing(LibraryClient(place.library)) as client:
        all_refused(client, *place.connections, *place.changes, *place.others, *place.modes)
        child = "__import__('subprocess').run([__import__('sys').executable, '-c', {!r}]).returncode"
        escaped = f"import socket; socket.create_connection(('127.0.0.1', {place.port}))"
        assert outcomes(client, child.format(escaped)) == ["done: 1"], "its children are confined as well"
        assert outcomes(client, child.format("pass")) == ["done: 0"]


def test_the_indexer_makes_its_library_private_before_it_loses_the_right_to(place: Place) -> None:
    older = place.library.folder / "older.json"
    older.touch()
    older.chmod(0o644)
    with closing(LibraryClient(place.library)) as client:
        index(place, client)
        modes = {path.name: stat.S_IMODE(path.lstat().st_mode) for path in place.library.folder.rglob("*")}
    assert modes["older.json"] == 0o600
    assert {name for name, mode in modes.items() if mode & 0o077} == set()


def test_the_searcher_reads_and_changes_its_library_only(place: Place) -> None:
    with closing(SearcherClient(place.library.folder)) as client:
        all_refused(client, *place.connections, *place.changes, *place.others)
        reads = (place.file, "/etc/passwd", "/proc/1/environ", "/proc/self/environ")
        all_refused(client, *(f"open({str(path)!r})" for path in reads))
        all_refused(client, f"os.listdir({str(place.mine)!r})", "os.listdir('/')", *place.modes)
        assert outcomes(client, "__import__('ctypes').CDLL(None).inotify_init()") == ["done: -1"]
        all_refused(
            client, "os.fork()", "os.execv('/bin/true', ['true'])", "__import__('subprocess').run(['/bin/true'])"
        )


def test_every_thread_of_the_searcher_is_confined(place: Place) -> None:
    with ExitStack() as stack:
        indexer = stack.enter_context(closing(LibraryClient(place.library)))
        index(place, indexer)
        searcher = stack.enter_context(closing(SearcherClient(place.library.folder)))
        found = searcher.search(SearchRequest("how much is the flat"), Stop())
        assert [hit.path.name for hit in found.hits] == ["lease.txt"]
        for client in (searcher, indexer):
            (outcome,) = outcomes(client, "os.getpid()")
            tasks = Path("/proc", outcome.removeprefix("done: "), "task").iterdir()
            filters = [re.findall(r"Seccomp:\s*(\d)", (task / "status").read_text()) for task in tasks]
            assert len(filters) > 1
            assert all(found == ["2"] for found in filters), "2: a filter of system calls"


def test_the_built_in_model_only_computes(place: Place) -> None:
    with closing(ExtractiveModelClient()) as model:
        assert model.turn(ChatRequest([], ()), Stop()) is not None
        all_refused(model._client, *place.connections, *place.changes, *place.others)
        all_refused(model._client, f"open({str(place.file)!r})", "socket.socket(socket.AF_UNIX)", "os.fork()")


def connections_past_landlock(port: int) -> tuple[str, ...]:
    """Attempts to connect to a port, also in ways that Landlock's rules for TCP do not cover."""
    local = f"('127.0.0.1', {port})"
    return (
        f"socket.create_connection({local})",
        f"socket.socket().sendto(b'x', {_FAST_OPEN}, {local})",
        f"socket.socket().sendmsg([b'x'], [], {_FAST_OPEN}, {local})",
        f"socket.socket(socket.AF_INET, socket.SOCK_STREAM, {_MPTCP})",
        "socket.socket(socket.AF_INET, socket.SOCK_STREAM, 132)",  # SCTP
        "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
        "socket.socket(socket.AF_NETLINK)",
    )


def test_the_searcher_of_a_team_reaches_the_port_of_its_server_only(place: Place) -> None:
    server = TeamServer("")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    TeamAddress(server.url).store(place.library)
    try:
        with closing(SearcherClient(place.library.folder)) as client:
            all_refused(client, *connections_past_landlock(place.port), *place.changes, *place.others)
            all_refused(client, "os.fork()", "os.execv('/bin/true', ['true'])", "socket.create_server(('', 0))")
            all_refused(client, *place.modes)
            all_refused(client, "socket.socket().listen()", "socket.socket(socket.AF_UNIX).listen()")
            open_port = f"socket.create_connection(('127.0.0.1', {server.server_port})).close()"
            assert outcomes(client, open_port) == ["done: None"]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("is_program", [False, True])
def test_the_server_of_a_model_file_answers_and_reaches_nothing(place: Place, *, is_program: bool) -> None:
    model = place.library.folder / "model.gguf"
    model.write_bytes(b"GGUF")
    refused = [*connections_past_landlock(place.port), *place.changes, "socket.socket(socket.AF_UNIX)"]
    refused += ["socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", "socket.create_server(('127.0.0.1', 8193))"]
    refused += [] if is_program else [f"open({str(place.file)!r})", "os.fork()", "os.execv('/bin/true', ['true'])"]
    allowed = ["socket.create_server(('127.0.0.1', 0)).close()", f"open({str(model)!r}).close()"]
    allowed += [f"open({str(place.file)!r}).close()"] if is_program else []
    tries = (
        "import os, socket\nfrom pathlib import Path\n"
        "from desktop_rag.processes.confinement import confine\n"
        f"confine._GRAPHICS_CARDS = ()\nconfine.confine_model_server(Path({str(model)!r}), is_program={is_program})\n"
        f"for attempt in {[*refused, *allowed]!r}:\n"
        "    try:\n        print(eval(attempt))\n"
        "    except OSError as error:\n        print('refused:', type(error).__name__)\n"
    )
    run = subprocess.run([sys.executable, "-c", tries], capture_output=True, text=True, timeout=60, check=False)
    outcome = dict(zip([*refused, *allowed], run.stdout.splitlines(), strict=True))
    assert outcome == dict.fromkeys(refused, REFUSED) | dict.fromkeys(allowed, "None"), run.stderr


def test_the_encoder_loads_without_a_word_in_a_confined_process() -> None:
    """What onnxruntime cannot read at its start, it writes about on the terminal of the user."""
    loads = (
        "from desktop_rag.paths import encoder_folder\n"
        "from desktop_rag.processes.confinement.confine import confine_this_process\n"
        "confine_this_process(encoder_folder())\n"
        "from desktop_rag.index.encoding.encoder import Encoder\n"
        "Encoder.load(encoder_folder())\n"
    )
    run = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
