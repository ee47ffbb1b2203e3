import os
import subprocess
import sys
import warnings
from pathlib import Path

import psutil
import pytest

from benchmarks.measuring import (
    cpu_seconds,
    cpu_seconds_of,
    family,
    family_cpu_seconds,
    folder_bytes,
    in_turns,
    own_memory,
    seconds_of_program,
)
from benchmarks.peer_tools import absent, absent_program
from desktop_rag.errors import BenchError

pytestmark = pytest.mark.processes

BURN = "import time\nwhile time.process_time() < 0.2: pass"


def test_a_program_is_not_charged_for_a_child_that_nobody_waited_for(tmp_path: Path) -> None:
    other = subprocess.Popen([sys.executable, "-c", BURN], stdout=subprocess.PIPE)
    assert other.stdout is not None
    assert other.stdout.read() == b""  # it has ended
    other.stdout.close()
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        del other  # the next program that is started waits for it
    nothing, _ = seconds_of_program((sys.executable, "-S", "-c", "pass"), tmp_path / "log")
    something, _ = seconds_of_program((sys.executable, "-S", "-c", BURN), tmp_path / "log")
    assert nothing < 0.19 <= something


def test_a_program_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="No such folder"):
        seconds_of_program((sys.executable, "-c", "raise SystemExit('No such folder')"), tmp_path / "log")


def test_the_time_of_ended_children_counts() -> None:
    before = cpu_seconds()
    subprocess.run([sys.executable, "-c", BURN], check=True)
    assert cpu_seconds() - before >= 0.19


def test_works_alternate() -> None:
    order: list[str] = []
    works = {"a": lambda: order.append("a"), "b": lambda: order.append("b")}
    ticks = iter(range(100))
    seconds = in_turns(works, 2, clock=lambda: float(next(ticks)))
    assert order == ["a", "b", "a", "b"]
    assert seconds == {"a": (1.0, 1.0), "b": (1.0, 1.0)}


def test_a_family_is_a_process_with_its_children() -> None:
    with subprocess.Popen([sys.executable, "-c", f"{BURN}\nprint(flush=True)\ninput()"], stdin=-1, stdout=-1) as child:
        assert child.stdout is not None
        child.stdout.readline()
        me = psutil.Process()
        assert child.pid in {member.pid for member in family(me)}
        assert family_cpu_seconds(psutil.Process(child.pid)) >= 0.19
        assert 0 < own_memory([psutil.Process(child.pid)]) < own_memory(family(me))
        child.kill()


def test_an_ended_process_has_no_usage() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=-1)
    gone = psutil.Process(child.pid)
    child.communicate()
    assert family(gone) == []
    assert family_cpu_seconds(gone) == 0
    assert own_memory([gone]) == 0


def test_folder_bytes_sums_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_bytes(b"123")
    (tmp_path / "d").write_bytes(b"12")
    assert folder_bytes(tmp_path / "a", tmp_path / "d", tmp_path / "nowhere") == 5


def test_only_a_missing_peer_gives_a_note() -> None:
    assert absent("Python", "os", "sys") == ""
    assert absent("Nessie", "nessie_search") == (
        "Nessie is left out: nessie_search is not installed (.venv/bin/python -m pip install -e '.[bench]')."
    )
    assert "nessie-tools" in absent_program("Nessie", f"nessie-{os.getpid()}", "nessie-tools")


def test_the_cpu_time_of_a_process_is_measured() -> None:
    before = cpu_seconds_of(psutil.Process())
    sum(range(3_000_000))
    assert cpu_seconds_of(psutil.Process()) > before


def test_the_time_of_ended_threads_of_another_process_counts() -> None:
    burn = "import threading, time\ndef burn():\n    while time.thread_time() < 0.2: pass\nprint(flush=True); input()\n"
    threaded = f"{burn}one = threading.Thread(target=burn)\none.start(); one.join()\nprint(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", threaded], stdin=-1, stdout=-1) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdout.readline()
        before = cpu_seconds_of(psutil.Process(child.pid))
        child.stdin.write(b"\n")
        child.stdin.flush()
        child.stdout.readline()
        spent = cpu_seconds_of(psutil.Process(child.pid)) - before
        child.stdin.write(b"\n")
        child.stdin.close()
    assert 0.19 <= spent < 1
