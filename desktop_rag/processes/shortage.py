"""Tells an error of a computer that is short of memory, threads or open files from one of what was worked on."""

import errno
import sys
import threading
import time
from collections.abc import Callable

from desktop_rag.errors import OutOfMemory

_SHORT = frozenset((errno.ENOMEM, errno.EAGAIN, errno.EMFILE, errno.ENFILE))
_WORDS = ("can't start new thread", "failed to map segment", "cannot allocate memory")
_PROBE = 1 << 25  # bytes
_START_SECONDS = 5.0
_DEEPEST = 4  # frames: the waits within `Thread.start`


def is_shortage(error: BaseException) -> bool:
    """Return whether an error, or one that led to it, comes of a shortage; also if so much memory cannot be had now.

    Libraries tell a failed allocation in other words.
    """
    while True:
        if isinstance(error, (MemoryError, OutOfMemory)):
            return True
        if isinstance(error, OSError) and error.errno is not None:  # the system says what it is
            return error.errno in _SHORT
        if isinstance(error, (RuntimeError, ImportError)) and any(words in str(error).lower() for words in _WORDS):
            return True
        earlier = error.__cause__ or error.__context__
        if earlier is None:
            return is_memory_short()
        error = earlier


def is_memory_short(size: int = _PROBE) -> bool:
    """Return whether this process cannot have `size` bytes more now."""
    try:
        bytes(size)  # unlike a bytearray, it is not filled: that takes 70 ms for 128 MB
    except MemoryError:
        return True
    return False


def watch_thread_starts(no_memory: Callable[[], None]) -> None:
    """Call `no_memory` once a thread has waited `_START_SECONDS` for another to begin.

    `Thread.start` waits without end for a thread that had no memory for its first step.
    """
    threading.Thread(target=_watch_thread_starts, args=(no_memory,), name="thread starts", daemon=True).start()


def _watch_thread_starts(no_memory: Callable[[], None]) -> None:
    before: set[int] = set()
    while True:
        time.sleep(_START_SECONDS)
        try:
            starting = _starting_threads()
        except MemoryError:
            continue
        if before & starting:
            no_memory()
            return
        before = starting


def _starting_threads() -> set[int]:
    """Return the frames in which a thread now starts another."""
    start, found = threading.Thread.start.__code__, set()
    for top in sys._current_frames().values():
        frame = top
        for _ in range(_DEEPEST):
            if frame.f_code is start:
                found.add(id(frame))
            if frame.f_back is None:
                break
            frame = frame.f_back
    return found
