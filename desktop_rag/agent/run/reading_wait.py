"""Waits before a run for files that were added a moment ago and are still being read."""

import time
from collections.abc import Callable, Generator

from desktop_rag.agent.events import AgentEvent, Remark
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural

_STEP_SECONDS = 0.2


def await_reading(waiting: Callable[[], int], seconds: float, stop: Stop) -> Generator[AgentEvent]:
    """Wait until no file is `waiting` to be read, `seconds` at most, and say so; raises `Stopped`."""
    count, until = waiting(), time.monotonic() + seconds
    if count and seconds:
        yield Remark(0, "reading", f"Reading {plural(count, 'new file')} first")
    while count and time.monotonic() < until:
        stop.wait(_STEP_SECONDS)
        stop.check()
        count = waiting()
    if count:
        yield Remark(0, "reading", f"{plural(count, 'file')} not read yet: the answer does without")
