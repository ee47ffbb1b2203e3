"""A failure of a computer that is short of memory, in a process that may have no more."""

import subprocess
import sys
import threading

import pytest

from desktop_rag.errors import OutOfMemory
from desktop_rag.processes import shortage
from desktop_rag.processes.shortage import is_memory_short, is_shortage

WITHOUT_MEMORY = """
import resource
from desktop_rag.processes.shortage import is_shortage
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (8 << 20), -1))
print(is_shortage(ValueError("a library's own words")), is_shortage(FileNotFoundError(2, "No such file")))
"""


def chained(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "short"),
    [
        (MemoryError(), True),
        (OutOfMemory("There is not enough memory."), True),
        (OSError(12, "Cannot allocate memory"), True),
        (RuntimeError("can't start new thread"), True),
        (chained(ValueError("cannot be read"), MemoryError()), True),
        (RuntimeError("a fault of ours"), False),
        (OSError(5, "Input/output error"), False),
        (chained(ValueError("cannot be read"), KeyError()), False),
    ],
)
def test_an_error_tells_of_a_shortage_or_not(error: Exception, short: bool) -> None:
    assert is_shortage(error) is short


def test_an_error_while_a_shortage_is_handled_is_one() -> None:
    error = RuntimeError("cannot join thread before it is started")
    error.__context__ = RuntimeError("can't start new thread")
    assert is_shortage(error)


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="measures the memory of Linux")
def test_any_error_without_memory_is_a_shortage() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_MEMORY], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True False", "what the system names is what it says"


@pytest.mark.skipif(sys.platform != "linux", reason="counts page faults of Linux")
def test_asking_for_memory_does_not_fill_it() -> None:
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    assert not is_memory_short(1 << 27)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before < 1000, "of 32,768 pages"


def test_a_thread_that_never_begins_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shortage, "_START_SECONDS", 0.1)
    noticed = threading.Event()
    shortage.watch_thread_starts(noticed.set)
    hung = threading.Thread(target=print, daemon=True)

    def start() -> None:
        with monkeypatch.context() as without_memory:
            without_memory.setattr(threading, "_start_new_thread", lambda *_: None)
            hung.start()

    starter = threading.Thread(target=start, daemon=True)
    assert not noticed.wait(0.5)  # the watcher itself waits as well
    starter.start()
    assert noticed.wait(60)
    hung._started.set()  # type: ignore[attr-defined]
    starter.join()
