"""Resource limits of a child process: memory, CPU time, open files, new processes.

Windows has no such limits; there the parent watches the time and memory of the child.
"""

import contextlib
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

_MEGABYTE = 1024 * 1024
_OPEN_FILES = 64


def limit_this_process(
    memory_megabytes: int,
    cpu_seconds: int,
    niceness: int = 0,
    *,
    file_megabytes: int = 0,
    open_files: int = _OPEN_FILES,
    threads: bool = False,
) -> None:
    """Limit the resources of this process, irrevocably; `allow_cpu` extends its CPU time for the next file.

    It writes no file larger than `file_megabytes`. Without `threads` it cannot create any, unless it is root's.
    """
    if sys.platform == "win32":
        return
    import resource

    memory = memory_megabytes * _MEGABYTE
    _lower(resource.RLIMIT_AS, memory)
    _lower(resource.RLIMIT_FSIZE, file_megabytes * _MEGABYTE)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_NOFILE, open_files)
    if not threads and os.geteuid() != 0:  # the limit does not apply to root
        _lower(resource.RLIMIT_NPROC, 0)
    allow_cpu(cpu_seconds)
    if niceness:
        with contextlib.suppress(OSError):
            os.nice(niceness)


def allow_cpu(seconds: int) -> None:
    """Allow this process `seconds` more of CPU time before the system kills it."""
    if sys.platform == "win32":
        return
    import resource

    usage = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(usage.ru_utime + usage.ru_stime) + seconds + 1
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    if hard != resource.RLIM_INFINITY:
        soft = min(soft, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _lower(limit: int, value: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    hard = resource.getrlimit(limit)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with contextlib.suppress(OSError, ValueError):  # macOS defines RLIMIT_AS but refuses to set it
        resource.setrlimit(limit, (value, value))


# Tells whether a lost child ended by its own fault or from outside: a logout, `kill`, the out-of-memory killer.
#
# It did so while it worked on a request, with its pipe open: an exit without a signal is its own fault, too.

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
