"""Tells whether a lost child ended by its own fault or from outside: a logout, `kill`, the out-of-memory killer.

It did so while it worked on a request, with its pipe open: an exit without a signal is its own fault, too.
"""

import signal
import sys
from contextlib import suppress
from pathlib import Path

# Signals that a process brings on itself: an invalid instruction or address, `abort`, a limit, a forbidden call.
_FAULTS = ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT", "SIGTRAP", "SIGSYS", "SIGXCPU", "SIGXFSZ")
_FAULT_SIGNALS = frozenset(int(getattr(signal, name)) for name in _FAULTS if hasattr(signal, name))
SHORT_OF_MEMORY = 75  # the exit code of a child that could not even reply
_SHELL_OFFSET = 128  # a shell, or a bootloader, reports the signal of its child as 128 + its number
_WINDOWS_FAULT = 0xC0000000  # NTSTATUS codes of severity “error” …
_WINDOWS_ENDED = (0xC000013A, 0xC0000142)  # … but for Ctrl+C or a closed console, and a session that ends
_CGROUP_ROOT = Path("/sys/fs/cgroup")
_OWN_CGROUP = Path("/proc/self/cgroup")
_SYSTEM_COUNTERS = Path("/proc/vmstat")


def is_from_outside(exit_code: int | None, platform: str = sys.platform) -> bool:
    """Return whether a child with this exit code was ended by another process or by the session.

    None is a child that has closed its pipe and still runs: that is its own fault.
    """
    if not exit_code:
        return False
    if platform == "win32":
        code = exit_code & 0xFFFFFFFF
        return code < _WINDOWS_FAULT or code in _WINDOWS_ENDED
    number = exit_code - _SHELL_OFFSET if exit_code > _SHELL_OFFSET else -exit_code
    return number > 0 and number not in _FAULT_SIGNALS


def was_killed(exit_code: int | None) -> bool:
    """Return whether a child was ended by the signal that the out-of-memory killer sends."""
    killed = int(getattr(signal, "SIGKILL", 9))
    return exit_code in (-killed, _SHELL_OFFSET + killed)


def out_of_memory_kills() -> int:
    """Return how many processes the out-of-memory killer has ended, in this control group if it has one (Linux)."""
    with suppress(OSError, StopIteration):
        group = next(line[3:] for line in _OWN_CGROUP.read_text().splitlines() if line.startswith("0::"))
        return _oom_kills(_CGROUP_ROOT / group.lstrip("/") / "memory.events")
    with suppress(OSError, StopIteration):
        return _oom_kills(_SYSTEM_COUNTERS)
    return 0


def _oom_kills(counters: Path) -> int:
    return next(int(line.split()[1]) for line in counters.read_text().splitlines() if line.startswith("oom_kill "))
