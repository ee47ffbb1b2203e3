"""Questions to `serve` are answered in the order in which they came."""

import threading
import time

import pytest

from desktop_rag.chat_server.chat_endpoint import _Turns
from desktop_rag.errors import Stopped
from desktop_rag.stop import Stop


def wait_until_waiting(turns: _Turns, count: int) -> None:
    until = time.monotonic() + 30
    while len(turns._waiting) != count:
        assert time.monotonic() < until
        time.sleep(0.001)


def test_waiting_questions_take_turns_in_order_and_a_stopped_one_leaves() -> None:
    turns, ran = _Turns(2), list[int]()
    stops = [Stop() for _ in range(20)]

    def ask(number: int) -> None:
        try:
            with turns.turn(stops[number]):
                ran.append(number)
        except Stopped:
            ran.append(-number)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
    with turns.turn(Stop()):
        second = turns.turn(Stop())
        second.__enter__()
        for number, thread in enumerate(threads):
            thread.start()
            wait_until_waiting(turns, number + 1)
        stops[7].set()
        threads[7].join(60)
        second.__exit__(None, None, None)
        for thread in threads:
            thread.join(60)
    assert ran == [-7, *(number for number in range(20) if number != 7)]
    assert turns._free == 2


def test_a_stop_set_before_takes_no_turn() -> None:
    turns, stop = _Turns(1), Stop()
    stop.set()
    with pytest.raises(Stopped), turns.turn(stop):
        raise AssertionError("it has no turn")
    with turns.turn(Stop()):
        assert turns._free == 0
