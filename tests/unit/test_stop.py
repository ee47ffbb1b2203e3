"""A stop interrupts what a job waits for, and never after the block that registered the interrupt."""

import threading
from collections.abc import Callable, Generator

import pytest

from desktop_rag.errors import Stopped
from desktop_rag.stop import Job, Nudge, Stop, result_of

PATIENCE = 10.0  # seconds


def in_thread(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_check_raises_after_set() -> None:
    stop = Stop()
    stop.check()
    assert not stop.wait(0.0)
    stop.set()
    assert stop.is_set()
    assert stop.wait(PATIENCE)
    with pytest.raises(Stopped):
        stop.check()


def test_an_interrupt_is_called_once_however_often_the_stop_is_set() -> None:
    stop, calls = Stop(), list[str]()
    with stop.interrupting(lambda: calls.append("outer")), stop.interrupting(lambda: calls.append("inner")):
        assert calls == []
        stop.set()
        stop.set()
    stop.set()
    assert calls == ["outer", "inner"]


def test_an_interrupt_registered_after_set_is_called_at_once() -> None:
    stop, calls = Stop(), list[str]()
    stop.set()
    with stop.interrupting(lambda: calls.append("late")):
        assert calls == ["late"]
        stop.set()
    assert calls == ["late"]


def test_an_interrupt_is_not_called_after_its_block() -> None:
    stop, calls = Stop(), list[str]()
    with stop.interrupting(lambda: calls.append("left")):
        pass
    stop.set()
    assert calls == []


def test_the_same_interrupt_may_be_registered_twice() -> None:
    stop, calls = Stop(), list[str]()

    def interrupt() -> None:
        calls.append("called")

    with stop.interrupting(interrupt):
        with stop.interrupting(interrupt):
            pass
        stop.set()
    assert calls == ["called"]


def test_a_block_is_left_only_when_its_interrupt_has_returned() -> None:
    stop, running, go_on, left = Stop(), threading.Event(), threading.Event(), threading.Event()

    def interrupt() -> None:
        running.set()
        go_on.wait(PATIENCE)
        assert not left.is_set()

    def job() -> None:
        with stop.interrupting(interrupt):
            running.wait(PATIENCE)
        left.set()

    job_thread = in_thread(job)
    setter = in_thread(stop.set)
    assert running.wait(PATIENCE)
    assert not left.wait(0.1)
    go_on.set()
    assert left.wait(PATIENCE)
    job_thread.join(PATIENCE)
    setter.join(PATIENCE)


def test_an_interrupt_is_not_called_after_its_block_ended_during_another_interrupt() -> None:
    """The block of the second interrupt is left while `set` runs the first one."""
    stop, calls = Stop(), list[str]()
    first_runs, go_on = threading.Event(), threading.Event()

    def first() -> None:
        first_runs.set()
        go_on.wait(PATIENCE)

    with stop.interrupting(first):
        with stop.interrupting(lambda: calls.append("second")):
            setter = in_thread(stop.set)
            assert first_runs.wait(PATIENCE)
        go_on.set()
        setter.join(PATIENCE)
    assert calls == []


def test_an_interrupt_may_use_its_own_stop() -> None:
    stop, calls = Stop(), list[str]()

    def interrupt() -> None:
        stop.set()
        with stop.interrupting(lambda: calls.append("inner")):
            calls.append("outer")

    with stop.interrupting(interrupt):
        setter = in_thread(stop.set)
        setter.join(PATIENCE)
        assert not setter.is_alive()
    assert calls == ["inner", "outer"]


def test_an_interrupt_called_by_the_thread_in_the_block_may_leave_it() -> None:
    """As a signal handler does, or a generator that is closed by its own interrupt."""
    stop, left = Stop(), threading.Event()

    def leave() -> None:
        block.__exit__(None, None, None)

    block = stop.interrupting(leave)

    def job() -> None:
        block.__enter__()
        stop.set()
        left.set()

    in_thread(job)
    assert left.wait(PATIENCE)


def test_a_failing_interrupt_does_not_prevent_the_others() -> None:
    stop, calls = Stop(), list[str]()

    def fail() -> None:
        raise RuntimeError("the connection is closed")

    with stop.interrupting(fail), stop.interrupting(lambda: calls.append("second")):
        stop.set()
    with stop.interrupting(fail):
        calls.append("went on")
    assert calls == ["second", "went on"]


def test_a_stop_can_set_another_stop() -> None:
    outer, inner, calls = Stop(), Stop(), list[str]()
    with outer.interrupting(inner.set), inner.interrupting(lambda: calls.append("inner")):
        outer.set()
    assert inner.is_set()
    assert calls == ["inner"]


def test_concurrent_stops_never_interrupt_beyond_their_blocks() -> None:
    """Each block is still active while its interrupt runs, whenever the stop is set."""
    for _ in range(300):
        stop, alive = Stop(), [False]
        late = list[bool]()
        setter = in_thread(stop.set)
        for _ in range(20):
            alive[0] = True
            with stop.interrupting(lambda alive=alive, late=late: late.append(alive[0])):  # type: ignore[misc]
                pass
            alive[0] = False
        setter.join(PATIENCE)
        assert all(late)


def test_holding_stops_waiting_for_a_lock_when_set() -> None:
    stop, lock = Stop(), threading.Lock()
    with stop.holding(lock):
        assert lock.locked()
        threading.Timer(0.02, stop.set).start()
        with pytest.raises(Stopped), stop.holding(lock):
            raise AssertionError("nobody may hold it twice")
    assert not lock.locked()


def test_a_nudge_ends_one_wait_and_a_stop_every_one() -> None:
    nudge, stop = Nudge(), Stop()
    threading.Timer(0.01, nudge.give).start()
    nudge.wait(60.0, stop)
    nudge.wait(0.0, stop)
    stop.set()
    with pytest.raises(Stopped):
        nudge.wait(60.0, stop)


def test_a_stop_within_a_time_is_set_when_nothing_is_left() -> None:
    stop, left = Stop(), 0.01
    with stop.within(lambda: left) as inner:
        assert not inner.is_set()
        left = 0.0
        assert inner.wait(PATIENCE)
    assert not stop.is_set()
    with stop.within(lambda: 0.0) as inner, pytest.raises(Stopped):
        inner.check()
    with stop.within(lambda: PATIENCE) as inner:
        stop.set()
        assert inner.is_set()


def _counting(to: int) -> Generator[int, None, str]:
    yield from range(to)
    return f"counted to {to}"


def test_a_job_gives_its_events_and_then_its_result() -> None:
    job = Job(_counting(2))
    assert (list(job), job.result) == ([0, 1], "counted to 2")
    assert result_of(_counting(3)) == "counted to 3"
