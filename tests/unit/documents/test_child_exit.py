"""Which exit codes are the fault of a child, and the count of processes that the out-of-memory killer has ended."""

import signal
from pathlib import Path

import pytest

from desktop_rag.documents.sandbox import process_limits
from desktop_rag.documents.sandbox.process_limits import is_from_outside, out_of_memory_kills, was_killed


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1"])
def test_a_signal_of_another_process_is_from_outside(name: str) -> None:
    number = int(getattr(signal, name))
    assert is_from_outside(-number, "linux")
    assert is_from_outside(128 + number, "linux")


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGSYS", "SIGXCPU"])
def test_a_signal_that_a_process_brings_on_itself_is_its_fault(name: str) -> None:
    number = int(getattr(signal, name))
    assert not is_from_outside(-number, "linux")
    assert not is_from_outside(128 + number, "linux")


@pytest.mark.parametrize("code", [None, 0, 1, 3, 127])
def test_an_exit_without_a_signal_is_its_fault(code: int | None) -> None:
    assert not is_from_outside(code, "linux")


@pytest.mark.parametrize(
    ("code", "outside"),
    [(1, True), (0x40010004, True), (0xC000013A, True), (-1073741510, True), (0xC0000005, False), (0, False)],
)
def test_codes_of_windows(code: int, outside: bool) -> None:
    assert is_from_outside(code, "win32") is outside


def test_only_a_kill_can_be_the_out_of_memory_killer() -> None:
    assert was_killed(-9)
    assert was_killed(137)
    assert not was_killed(-15)


def test_kills_are_counted_in_the_own_control_group_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cgroup").write_text("12:pids:/user\n0::/user.slice/app\n")
    (tmp_path / "vmstat").write_text("nr_free 7\noom_kill 40\n")
    monkeypatch.setattr(process_limits, "_OWN_CGROUP", tmp_path / "cgroup")
    monkeypatch.setattr(process_limits, "_CGROUP_ROOT", tmp_path)
    monkeypatch.setattr(process_limits, "_SYSTEM_COUNTERS", tmp_path / "vmstat")
    assert out_of_memory_kills() == 40
    (tmp_path / "user.slice" / "app").mkdir(parents=True)
    (tmp_path / "user.slice" / "app" / "memory.events").write_text("low 0\noom 2\noom_kill 3\noom_group_kill 0\n")
    assert out_of_memory_kills() == 3
    (tmp_path / "cgroup").unlink()
    (tmp_path / "vmstat").unlink()
    assert out_of_memory_kills() == 0
