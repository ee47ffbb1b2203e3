"""A pool of real child processes: more while calls wait, turns by asker, crashes, stops, and giving back."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from desktop_rag.errors import ProcessError, Stopped
from desktop_rag.processes.pool import Asker, PoolLimits, RemotePool
from desktop_rag.processes.remote import Remote
from desktop_rag.stop import Stop
from tests.integration.processes.conftest import EchoChildren

LIMITS = PoolLimits(most=2, patience=0.01, idle_seconds=600.0)
NewPool = Callable[[PoolLimits], RemotePool]


def prepared(remote: Remote) -> None:
    assert remote.call(b"x", Stop()) == b"x"


@pytest.fixture
def new_pool(children: EchoChildren) -> Iterator[NewPool]:
    with ExitStack() as stack:
        yield lambda limits: stack.enter_context(closing(RemotePool(children.connect, limits, prepared)))


def alive(children: EchoChildren) -> list[int]:
    return [child.pid for child in children.started if child.is_alive()]


def wait_until(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.005)


def waiting(pool: RemotePool) -> int:
    return sum(len(tickets) for queue in pool._queues for tickets in queue.values())


class Calls:
    """Calls on threads of their own, in the order in which they end."""

    def __init__(self, pool: RemotePool) -> None:
        self._pool = pool
        self._threads: list[threading.Thread] = []
        self.ended: list[str] = []
        self.failed: dict[str, Exception] = {}

    def start(self, asker: Asker, name: str, request: bytes = b"x", stop: Stop | None = None) -> None:
        before = waiting(self._pool)
        thread = threading.Thread(target=self._call, args=(asker, name, request, stop or Stop()))
        self._threads.append(thread)
        thread.start()
        wait_until(lambda: waiting(self._pool) == before + 1)  # so that they wait in this order

    def join(self) -> None:
        for thread in self._threads:
            thread.join(60)

    def _call(self, asker: Asker, name: str, request: bytes, stop: Stop) -> None:
        try:
            asker.call(request, stop)
        except (ProcessError, Stopped) as error:
            self.failed[name] = error
        self.ended.append(name)


def test_one_process_is_enough_for_calls_one_after_the_other(new_pool: NewPool, children: EchoChildren) -> None:
    asker = new_pool(LIMITS).asker()
    assert [asker.call(word, Stop()) for word in (b"a", b"b", b"c")] == [b"a", b"b", b"c"]
    assert len(children.started) == 1


def test_another_process_starts_while_a_call_waits(new_pool: NewPool, children: EchoChildren) -> None:
    asker = new_pool(LIMITS).asker()
    with closing(asker.stream(b"wait", Stop())) as busy:
        assert next(busy) == b"waiting"
        assert asker.call(b"a", Stop()) == b"a"
    assert len(children.started) == 2


def test_there_are_never_more_than_the_limit(new_pool: NewPool, children: EchoChildren) -> None:
    pool = new_pool(LIMITS)
    calls, asker = Calls(pool), pool.asker()
    with ExitStack() as busy:
        for _ in range(2):
            assert next(busy.enter_context(closing(asker.stream(b"wait", Stop())))) == b"waiting"
        for number in range(5):
            calls.start(asker, str(number))
        time.sleep(0.1)  # ten times as long as a call waits before another process is started
        assert len(alive(children)) == 2
    calls.join()
    assert (len(calls.ended), calls.failed, len(children.started)) == (5, {}, 2)


def test_no_process_is_started_without_memory(new_pool: NewPool, children: EchoChildren) -> None:
    asked: list[bool] = []

    def may_start() -> bool:
        asked.append(True)
        return False

    pool = new_pool(replace(LIMITS, may_start=may_start))
    calls, asker = Calls(pool), pool.asker()
    with closing(asker.stream(b"wait", Stop())) as busy:
        assert next(busy) == b"waiting"
        calls.start(asker, "later")
        wait_until(lambda: bool(asked))
    calls.join()
    assert (calls.ended, calls.failed, len(children.started)) == (["later"], {}, 1)


def test_waiting_calls_take_turns_by_asker(new_pool: NewPool) -> None:
    """A client with thirty waiting calls delays the first call of another by one call, not by thirty."""
    pool = new_pool(replace(LIMITS, most=1))
    calls, many, few, third = Calls(pool), pool.asker(), pool.asker(), pool.asker()
    with closing(many.stream(b"wait", Stop())) as busy:
        assert next(busy) == b"waiting"
        for number in range(30):
            calls.start(many, f"many {number}")
        for number in range(2):
            calls.start(few, f"few {number}")
        calls.start(third, "third")
    calls.join()
    assert calls.ended[:6] == ["many 0", "few 0", "third", "many 1", "few 1", "many 2"]
    assert len(calls.ended) == 33


def test_urgent_calls_go_first(new_pool: NewPool) -> None:
    pool = new_pool(replace(LIMITS, most=1, may_start=lambda: False))
    calls, agent, person = Calls(pool), pool.asker(), pool.asker(urgent=True)
    with closing(agent.stream(b"wait", Stop())) as busy:
        assert next(busy) == b"waiting"
        for number in range(3):
            calls.start(agent, f"agent {number}")
        for number in range(2):
            calls.start(person, f"person {number}")
    calls.join()
    assert calls.ended == ["person 0", "person 1", "agent 0", "agent 1", "agent 2"]


def test_an_urgent_call_gets_a_process_while_all_others_are_taken(new_pool: NewPool, children: EchoChildren) -> None:
    pool = new_pool(replace(LIMITS, most=1))
    calls, agent = Calls(pool), pool.asker()
    with closing(agent.stream(b"wait", Stop())) as busy:
        assert next(busy) == b"waiting"
        calls.start(agent, "agent")
        assert pool.asker(urgent=True).call(b"a", Stop()) == b"a"
        assert calls.ended == []  # the process for urgent calls is for them alone
    calls.join()
    assert (calls.ended, len(children.started)) == (["agent"], 2)


def test_a_crash_costs_only_its_own_call(new_pool: NewPool, children: EchoChildren, tmp_path: Path) -> None:
    pool = new_pool(LIMITS)
    calls, asker = Calls(pool), pool.asker()
    with closing(asker.stream(b"wait", Stop())) as busy:
        assert next(busy) == b"waiting"
        assert asker.call(b"a", Stop()) == b"a"  # by a second process
        with pytest.raises(ProcessError, match="ended unexpectedly"):
            asker.call(b"die", Stop())  # both times
        assert asker.call(b"die once|" + bytes(tmp_path / "marker"), Stop()) == b"alive again"
        assert children.started[0].is_alive()  # it still has its call
    assert asker.call(b"b", Stop()) == b"b"
    assert calls.failed == {}


def test_stop_ends_the_right_call(new_pool: NewPool, children: EchoChildren) -> None:
    pool = new_pool(LIMITS)
    calls, asker = Calls(pool), pool.asker()
    first, second, queued = Stop(), Stop(), Stop()
    with closing(asker.stream(b"wait", first)) as one, closing(asker.stream(b"wait", second)) as other:
        assert next(one) == b"waiting"
        assert next(other) == b"waiting"
        calls.start(asker, "queued", stop=queued)
        queued.set()
        calls.join()
        assert isinstance(calls.failed["queued"], Stopped)
        first.set()
        with pytest.raises(Stopped):
            next(one)
        assert asker.call(b"a", Stop()) == b"a"  # by the process of the first, which was not ended
    assert len(alive(children)) == len(children.started) == 2


def test_idle_processes_are_given_back_but_the_last(new_pool: NewPool, children: EchoChildren) -> None:
    asker = new_pool(replace(LIMITS, idle_seconds=0.2)).asker()
    with closing(asker.stream(b"wait", Stop())) as busy:
        assert next(busy) == b"waiting"
        assert asker.call(b"a", Stop()) == b"a"
    wait_until(lambda: len(alive(children)) == 1)
    time.sleep(0.5)  # longer than an idle process may live
    assert len(alive(children)) == 1
    assert asker.call(b"b", Stop()) == b"b"
    assert len(children.started) == 2


def test_closing_ends_every_process_and_every_waiting_call(new_pool: NewPool, children: EchoChildren) -> None:
    pool = new_pool(LIMITS)
    calls, asker = Calls(pool), pool.asker()
    with ExitStack() as busy:
        for _ in range(2):
            assert next(busy.enter_context(closing(asker.stream(b"wait", Stop())))) == b"waiting"
        calls.start(asker, "waiting")
        processes = [psutil.Process(pid) for pid in alive(children)]
        pool.close()
        calls.join()
    assert isinstance(calls.failed["waiting"], ProcessError)
    assert psutil.wait_procs(processes, timeout=60)[1] == []
    with pytest.raises(ProcessError, match="closing"):
        asker.call(b"late", Stop())
