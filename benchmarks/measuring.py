"""Clocks: CPU time of this process, of its children and of any other process; memory of processes.

CPU time, not wall-clock time: other programs may run at the same time, and a thread pool must not look cheaper than it
is.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from desktop_rag.errors import BenchError

MB = 1024 * 1024
_SCHEDULED = 2  # Linux: with a process id, the clock of its scheduled time, as clock_getcpuclockid(3) returns it


def cpu_seconds() -> float:
    """Return the CPU seconds of this process (all threads) and its ended children so far."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def seconds_of_program(command: Sequence[str], log: Path) -> tuple[float, float]:
    """Return the seconds (CPU, wall-clock) of a program and its children; its output goes to `log`.

    The CPU time of this process's children would be wrong: it counts one that ended before when it is waited for.
    """
    began = time.perf_counter()
    with log.open("wb") as output:
        program = subprocess.Popen(command, stdout=output, stderr=output)
        _, status, usage = os.wait4(program.pid, 0)
    program.returncode = os.waitstatus_to_exitcode(status)
    if program.returncode != 0:
        said = log.read_text(encoding="utf-8", errors="replace")[-500:]
        raise BenchError(f"{command[0]} exited with code {program.returncode}: {said}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - began


def spent(work: Callable[[], object], clock: Callable[[], float] = cpu_seconds) -> float:
    """Return the seconds that `work` takes by `clock`."""
    before = clock()
    work()
    return clock() - before


def in_turns(
    works: Mapping[str, Callable[[], object]], rounds: int, clock: Callable[[], float] = cpu_seconds
) -> dict[str, tuple[float, ...]]:
    """Return the seconds of each work in each round; rounds alternate, so that a busy moment hits all of them."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            seconds[name].append(spent(work, clock))
    return {name: tuple(values) for name, values in seconds.items()}


def family(process: psutil.Process) -> list[psutil.Process]:
    """Return a process and all its living descendants; empty if it has ended."""
    try:
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def family_cpu_seconds(process: psutil.Process) -> float:
    """Return the CPU seconds of a running process, its living descendants and the children they waited for."""
    total = 0.0
    for member in family(process):
        try:
            times = member.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system + getattr(times, "children_user", 0) + getattr(times, "children_system", 0)
    return total


def cpu_seconds_of(process: psutil.Process) -> float:
    """Return the CPU seconds of a running process and of its ended threads; on Linux in nanoseconds."""
    if sys.platform == "linux":
        with suppress(OSError):  # it has just ended
            return time.clock_gettime(~process.pid << 3 | _SCHEDULED)
    times = process.cpu_times()
    return float(times.user + times.system)


def own_memory(processes: Iterable[psutil.Process]) -> float:
    """Return the resident megabytes of processes without mapped files; shared pages count in proportion where known."""
    total = 0
    for process in processes:
        try:
            memory = process.memory_info()
        except psutil.NoSuchProcess:
            continue
        total += memory.rss - getattr(memory, "shared", 0)
    return total / MB


def folder_bytes(*paths: os.PathLike[str]) -> int:
    """Return the apparent size of files and of all files below folders, in bytes."""
    total = 0
    for path in paths:
        if not os.path.isdir(path):  # noqa: PTH112  # also accepts strings and bytes
            total += os.stat(path).st_size if os.path.exists(path) else 0  # noqa: PTH110, PTH116
        for folder, _, names in os.walk(path):
            total += sum(os.lstat(os.path.join(folder, name)).st_size for name in names)  # noqa: PTH118
    return total
