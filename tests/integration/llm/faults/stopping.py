"""Measures how soon Stop ends a turn."""

import threading
import time
from collections.abc import Callable

from desktop_rag.errors import Stopped
from desktop_rag.stop import Stop
from tests.integration.llm.faults.fault import Fault
from tests.raw_endpoint import RawEndpoint

_ATTEMPTS = 4  # other processes may hold one up


def stops_within(seconds: float, fault: Fault, take_turn: Callable[[RawEndpoint, Stop], object]) -> bool:
    """Return whether Stop, pressed when the request has arrived, ends the turn in time, in one of a few attempts."""
    return any(_seconds_to_stop(fault, take_turn) < seconds for _ in range(_ATTEMPTS))


def _seconds_to_stop(fault: Fault, take_turn: Callable[[RawEndpoint, Stop], object]) -> float:
    stop = Stop()
    stopped_at: list[float] = []

    def press() -> None:
        endpoint.arrived.wait()
        stopped_at.append(time.monotonic())
        stop.set()

    with RawEndpoint(fault.script) as endpoint:
        thread = threading.Thread(target=press)
        thread.start()
        try:
            take_turn(endpoint, stop)
        except Stopped:
            return time.monotonic() - stopped_at[0]
        finally:
            thread.join()
    return 0.0  # the flood was over before
