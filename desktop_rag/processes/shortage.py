"""Tells an error of a computer that is short of memory, threads or open files from one of what was worked on."""

import errno

from desktop_rag.errors import OutOfMemory

_SHORT = frozenset((errno.ENOMEM, errno.EAGAIN, errno.EMFILE, errno.ENFILE))
_WORDS = ("can't start new thread", "failed to map segment", "cannot allocate memory")
_PROBE = 1 << 25  # bytes


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
        bytearray(size)
    except MemoryError:
        return True
    return False
