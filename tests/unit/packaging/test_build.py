"""The trial of the frozen program: it gets nothing from this machine, and every way to fail is told."""

import sys
from pathlib import Path

import pytest

import build


def test_the_frozen_program_sees_an_empty_home_and_no_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DESKTOP_RAG_HOME", "PYTHONPATH", "VIRTUAL_ENV", "SOME_API_KEY"):
        monkeypatch.setenv(name, "from outside")
    environment = build.bare_environment(tmp_path)
    assert environment["HOME"] == str(tmp_path)
    assert "from outside" not in environment.values()


@pytest.mark.parametrize(
    ("program", "complaint"),
    [
        ("print('[1] answer'); open('window.png', 'w')", "without a picture"),
        ("open('window.png', 'w'); print('an answer, window.png')", "without a cited answer"),
        ("raise SystemExit('no encoder')", "ended with 1:\nno encoder"),
        ("print('[1]', './missing.png')", "without a picture"),
    ],
)
def test_an_incomplete_demonstration_fails_the_build(
    program: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "PROGRAM", stand_in(tmp_path, program))
    with pytest.raises(build.BuildError, match=complaint):
        build.check_demonstration(build.bare_environment(tmp_path), tmp_path)


def test_a_cited_answer_and_a_picture_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = "open('window.png', 'w'); print('Rent is due monthly [1].', './window.png')"
    monkeypatch.setattr(build, "PROGRAM", stand_in(tmp_path, program))
    build.check_demonstration(build.bare_environment(tmp_path), tmp_path)


def test_another_version_fails_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "PROGRAM", stand_in(tmp_path, "print('0.0.0')"))
    with pytest.raises(build.BuildError, match="not 0"):
        build.check_version(build.bare_environment(tmp_path), tmp_path)


def stand_in(folder: Path, program: str) -> Path:
    """Write a program that ignores its arguments and does what `program` says."""
    if sys.platform == "win32":
        pytest.skip("the stand-in is a script with a first line that names its interpreter")
    script = folder / "program"
    script.write_text(f"#!{sys.executable}\n{program}\n")
    script.chmod(0o755)
    return script
