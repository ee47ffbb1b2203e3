"""Resource limits of a child process: memory, CPU time, open files, new processes.

Windows has no such limits; there the parent watches the time and memory of the child.
"""

import contextlib
import os
import sys

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
