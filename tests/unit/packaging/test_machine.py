"""What dev.py detects about the machine before it changes anything."""

import os
import sys
from pathlib import Path

import pytest

import machine
from machine import SetupError


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13)])
def test_three_python_versions_are_supported(version: tuple[int, int]) -> None:
    assert machine.supported(version)


@pytest.mark.parametrize("version", [(3, 10), (3, 14), (2, 7)])
def test_older_and_newer_versions_are_not_supported(version: tuple[int, int]) -> None:
    assert not machine.supported(version)


@pytest.mark.skipif(not hasattr(os, "sysconf"), reason="the memory is not asked for there")
@pytest.mark.parametrize(("cores", "gigabytes", "workers"), [(2, 4, 2), (2, 8, 4), (1, 16, 3), (2, 16, 4), (16, 64, 8)])
def test_tests_run_in_as_many_processes_as_the_memory_holds(
    monkeypatch: pytest.MonkeyPatch, cores: int, gigabytes: int, workers: int
) -> None:
    told = {"SC_PHYS_PAGES": gigabytes * 10**9 // 4000, "SC_PAGE_SIZE": 4000}
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    monkeypatch.setattr(os, "sysconf", told.__getitem__)
    assert machine.test_workers() == workers


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")
def test_the_newest_interpreter_that_runs_is_found_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("python3.10", "python3.11", "python3.12", "python3.14"):
        (tmp_path / name).write_text(f"#!/bin/sh\necho /opt/{name}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "python3.13").write_text("#!/bin/sh\necho not installed >&2\nexit 127\n")
    (tmp_path / "python3.13").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert machine.other_python() == "/opt/python3.12"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays are named on Linux only")
@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"DISPLAY": ":4711"},
        {"DISPLAY": "host:0", "QT_QPA_PLATFORM": "offscreen"},
        {"WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": "/nowhere"},
    ],
    ids=["none", "gone", "off-screen on purpose", "no socket"],
)
def test_an_unreachable_display_is_no_screen(environment: dict[str, str]) -> None:
    assert not machine.has_screen(environment)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays are named on Linux only")
def test_a_wayland_socket_is_a_screen(tmp_path: Path) -> None:
    (tmp_path / "wayland-0").touch()
    assert machine.has_screen({"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(tmp_path)})


def test_a_package_of_two_libraries_is_named_once() -> None:
    libraries = ["libglib-2.0.so.0", "libgthread-2.0.so.0", "libEGL.so.1"]
    assert machine.missing_packages(libraries) == ["libglib2.0-0", "libegl1"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux lacks Qt's libraries")
def test_without_install_rights_the_exact_command_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(machine.QT_LIBRARIES, "libnowhere.so.9", "libnowhere9")
    monkeypatch.setattr(machine, "root_prefix", lambda: None)
    with pytest.raises(SetupError, match="apt-get install --no-install-recommends libnowhere9"):
        machine.provide_libraries(screen=False)
    assert capsys.readouterr().out == ""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux lacks Qt's libraries")
def test_nothing_happens_when_every_library_loads(capsys: pytest.CaptureFixture[str]) -> None:
    machine.provide_libraries(screen=False)
    assert capsys.readouterr().out == ""
