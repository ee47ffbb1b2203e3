"""Requests to a real child process: streams, errors, stops, deaths and restarts."""

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from desktop_rag.errors import ProcessError, QueryError, Stopped
from desktop_rag.processes import remote as remote_module
from desktop_rag.processes.connection import PipeConnection
from desktop_rag.processes.remote import Endpoint, Remote
from desktop_rag.processes.wire import Frame, FrameKind, pack
from desktop_rag.stop import Stop
from tests.integration.processes.conftest import EchoChildren

pytestmark = pytest.mark.processes


def with_marker(word: bytes, marker: Path) -> bytes:
    """Return a request whose handler touches the file `marker`."""
    return word + b"|" + os.fsencode(marker)


@pytest.fixture
def remote(children: EchoChildren) -> Iterator[Remote]:
    remote = Remote(children.connect)
    yield remote
    remote.close()


def test_a_stream_arrives_in_order(remote: Remote) -> None:
    assert list(remote.stream(b"abc", Stop())) == [b"a", b"b", b"c"]


def test_prepare_runs_once_when_idle(remote: Remote, echo_child: list[str]) -> None:
    prepared = Path(echo_child[-1] + ".prepared")
    assert list(remote.stream(b"a", Stop())) == [b"a"]
    until = time.monotonic() + 60
    while not prepared.exists() and time.monotonic() < until:
        Stop().wait(0.05)
    for _ in range(3):
        assert list(remote.stream(b"b", Stop())) == [b"b"]
    assert prepared.read_text() == "once\n"


def test_an_error_arrives_with_its_class(remote: Remote) -> None:
    with pytest.raises(QueryError) as caught:
        remote.call(b"fail", Stop())
    assert caught.value.suggestion == "yes"


def test_a_print_in_the_child_does_not_break_the_connection(remote: Remote) -> None:
    assert remote.call(b"print", Stop()) == b"printed"
    assert remote.call(b"x", Stop()) == b"x"


def test_stop_interrupts_a_waiting_call_without_ending_the_child(remote: Remote, children: EchoChildren) -> None:
    stop = Stop()
    with closing(remote.stream(b"wait", stop)) as replies:
        assert next(replies) == b"waiting"
        threading.Timer(0.05, stop.set).start()
        with pytest.raises(Stopped):
            next(replies)
    assert remote.call(b"x", Stop()) == b"x"
    assert len(children.started) == 1


def test_a_stop_set_before_the_call_never_reaches_the_child(remote: Remote, children: EchoChildren) -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        remote.call(b"x", stop)
    assert children.started == []


def test_a_killed_child_is_restarted(remote: Remote, children: EchoChildren) -> None:
    assert remote.call(b"a", Stop()) == b"a"
    psutil.Process(children.started[0].pid).kill()
    assert remote.call(b"b", Stop()) == b"b"
    assert len(children.started) == 2


def test_an_interrupted_request_is_retried_once(remote: Remote, tmp_path: Path) -> None:
    assert remote.call(with_marker(b"die once", tmp_path / "marker"), Stop()) == b"alive again"


def test_a_request_that_kills_the_child_twice_fails(remote: Remote, children: EchoChildren) -> None:
    with pytest.raises(ProcessError, match="ended unexpectedly"):
        remote.call(b"die", Stop())
    assert len(children.started) == 2


def test_closing_a_stream_early_frees_the_child(remote: Remote) -> None:
    stream = remote.stream(b"wait", Stop())
    next(stream)
    stream.close()
    assert remote.call(b"x", Stop()) == b"x"


def test_calls_from_several_threads_get_their_own_replies(remote: Remote) -> None:
    words = [b"one", b"two", b"three", b"four", b"five"]
    heard: dict[bytes, bytes] = {}

    def ask(word: bytes) -> None:
        heard[word] = b"".join(remote.stream(word, Stop()))

    threads = [threading.Thread(target=ask, args=(word,)) for word in words]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heard == {word: word for word in words}


def test_a_busy_child_ends_with_its_parent(children: EchoChildren) -> None:
    remote = Remote(children.connect)
    stream = remote.stream(b"wait", Stop())
    next(stream)
    process = psutil.Process(children.started[0].pid)
    children.started[0].connection.close_sending()
    process.wait(timeout=60)
    stream.close()
    remote.close()


def test_a_queued_request_can_be_cancelled(remote: Remote, children: EchoChildren) -> None:
    busy = remote.stream(b"wait", Stop())
    assert next(busy) == b"waiting"
    stop = Stop()
    threading.Timer(0.05, stop.set).start()
    with pytest.raises(Stopped):
        remote.call(b"behind it", stop)
    busy.close()
    assert remote.call(b"x", Stop()) == b"x"
    assert len(children.started) == 1


def test_an_error_in_a_stream_comes_after_its_replies(remote: Remote) -> None:
    with closing(remote.stream(b"fail later", Stop())) as replies:
        assert next(replies) == b"so far so good"
        with pytest.raises(QueryError):
            next(replies)


def test_an_unexpected_exception_fails_only_its_request(remote: Remote, children: EchoChildren) -> None:
    with pytest.raises(ProcessError, match="nobody expected this"):
        remote.call(b"break", Stop())
    assert remote.call(b"x", Stop()) == b"x"
    assert len(children.started) == 1


def test_when_a_call_returns_the_other_side_is_done(remote: Remote, tmp_path: Path) -> None:
    assert remote.call(with_marker(b"tidy up", tmp_path / "marker"), Stop()) == b"nearly done"
    assert (tmp_path / "marker").exists()


def test_a_message_of_200_megabytes_arrives(remote: Remote) -> None:
    assert len(remote.call(b"huge", Stop())) == 200_000_000


def test_a_child_that_sends_garbage_is_replaced(remote: Remote, children: EchoChildren) -> None:
    with pytest.raises(ProcessError):
        remote.call(b"nonsense", Stop())
    assert remote.call(b"x", Stop()) == b"x"
    assert not children.started[0].is_alive()


@pytest.mark.skipif(os.name != "posix", reason="a signal of POSIX systems")
def test_a_frozen_child_is_replaced(remote: Remote, children: EchoChildren, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_module, "HEARTBEAT_TIMEOUT_SECONDS", 1.5)
    with pytest.raises(ProcessError, match="ended unexpectedly"):
        remote.call(b"freeze", Stop())
    assert remote.call(b"x", Stop()) == b"x"
    assert len(children.started) == 3


def test_a_child_may_take_long_to_start(echo_child: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A searcher that took more than twenty seconds to import its modules was killed, twice, and the run failed."""
    monkeypatch.setattr(remote_module, "HEARTBEAT_TIMEOUT_SECONDS", 0.2)
    children = EchoChildren([*echo_child, str(tmp_path / "go")])
    remote = Remote(children.connect)
    threading.Timer(3.5, (tmp_path / "go").touch).start()  # three looks later
    assert remote.call(b"x", Stop()) == b"x"
    assert len(children.started) == 1
    remote.close()


def test_silence_is_believed_at_the_second_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a sleep of the computer the first look comes before what the child has sent meanwhile is read."""
    incoming, outgoing = os.pipe()
    with os.fdopen(incoming, "rb", 0) as reader, os.fdopen(outgoing, "wb", 0) as writer:
        loop = PipeConnection(reader, writer)
        channel = remote_module._Channel(Endpoint(loop, lambda: None))
        monkeypatch.setattr(remote_module, "START_TIMEOUT_SECONDS", -1.0)  # the last frame came long ago
        monkeypatch.setattr(remote_module, "HEARTBEAT_TIMEOUT_SECONDS", -1.0)
        assert not channel.is_silent()
        inbox = channel.register(1)
        loop.send_bytes(pack(Frame(1, FrameKind.END)))
        assert inbox.get(timeout=60) is not None
        assert not channel.is_silent()  # the first look of another silence
        assert channel.is_silent()
        writer.close()
        assert inbox.get(timeout=60) is None


@pytest.mark.skipif(os.name != "posix", reason="a signal of POSIX systems")
def test_a_frozen_child_is_replaced_despite_frequent_requests(
    remote: Remote, children: EchoChildren, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_module, "HEARTBEAT_TIMEOUT_SECONDS", 1.5)
    word = b"freeze"
    for _ in range(20):
        stop = Stop()
        threading.Timer(1.3, stop.set).start()  # sooner than a silence that began with this request
        with contextlib.suppress(Stopped):
            assert remote.call(word, stop) == b"x"
            break
        word = b"x"
    else:
        pytest.fail("the child was never found silent")
    assert len(children.started) == 2


def test_a_dead_child_leaves_no_zombie(remote: Remote, children: EchoChildren) -> None:
    remote.call(b"x", Stop())
    child = psutil.Process(children.started[0].pid)
    child.kill()
    while psutil.pid_exists(child.pid):  # not `wait`, which would reap it; the time limit of the test bounds this
        Stop().wait(0.01)


def test_connecting_can_be_cancelled() -> None:
    def connect(stop: Stop) -> Endpoint:
        stop.wait(60)
        stop.check()
        raise AssertionError("nobody stopped it")

    remote = Remote(connect)
    stop = Stop()
    threading.Timer(0.05, stop.set).start()
    with pytest.raises(Stopped):
        remote.call(b"x", stop)
    threading.Timer(0.05, remote.close).start()
    with pytest.raises(ProcessError, match="closing"):
        remote.call(b"x", Stop())


def test_two_requests_at_once_start_one_child(remote: Remote, children: EchoChildren) -> None:
    threads = [threading.Thread(target=remote.call, args=(b"x", Stop())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(children.started) == 1
