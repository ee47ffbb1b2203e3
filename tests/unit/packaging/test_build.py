"""The smoke test of the frozen program: a clean environment, and a report for every kind of failure."""

import sys
from pathlib import Path

import pytest

import build
import licences
import samples
from desktop_rag.documents.format_registry import read_document


def test_the_frozen_program_gets_an_empty_home_and_no_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DESKTOP_RAG_HOME", "PYTHONPATH", "VIRTUAL_ENV", "SOME_API_KEY"):
        monkeypatch.setenv(name, "from outside")
    environment = build.bare_environment(tmp_path)
    assert environment["HOME"] == str(tmp_path)
    assert "from outside" not in environment.values()


@pytest.mark.parametrize(
    ("program", "complaint"),
    [
        ("print('[1] answer'); open('window.png', 'w')", "without a screenshot"),
        ("open('window.png', 'w'); print('an answer, window.png')", "without a cited answer"),
        ("raise SystemExit('no encoder')", "exited with 1:\nno encoder"),
        ("print('[1]', './missing.png')", "without a screenshot"),
    ],
)
def test_an_incomplete_demonstration_fails_the_build(program: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(build.BuildError, match=complaint):
        build.check_demonstration(trial(tmp_path, program))


def test_a_cited_answer_and_a_screenshot_pass(tmp_path: Path) -> None:
    program = "open('window.png', 'w'); print('Rent is due monthly [1].', './window.png')"
    build.check_demonstration(trial(tmp_path, program))


def test_another_version_fails_the_build(tmp_path: Path) -> None:
    with pytest.raises(build.BuildError, match="not 0"):
        build.check_version(trial(tmp_path, "print('0.0.0')"))


def test_a_file_whose_word_is_not_found_fails_the_build(tmp_path: Path) -> None:
    finding = trial(tmp_path, """print('{"hits": [{"path": "/home/a.txt", "also": ["/home/b.pdf"]}]}')""")
    build.check_formats(finding, tmp_path, ["a.txt", "b.pdf"], "peas")
    with pytest.raises(build.BuildError, match=r"not found in all\.7z"):
        build.check_formats(finding, tmp_path, ["a.txt", "all.7z", "b.pdf"], "peas")


def test_every_sample_holds_the_word_for_its_reader(tmp_path: Path) -> None:
    for name in samples.write_samples(tmp_path):
        assert samples.WORD in read_document(name, (tmp_path / name).read_bytes()).text, name


def test_the_licences_of_collected_packages_are_found() -> None:
    found = licences.of_packages(["numpy", "PIL", "whoosh", "PySide6", "no_such_module"])
    assert {place.split("/")[0] for place in found} >= {"numpy", "pillow", "Whoosh-Reloaded", "PySide6_Essentials"}
    assert all(file.stat().st_size > 100 for file in found.values())
    assert not [place for place in found if place.endswith((".py", ".pyc"))]


def trial(folder: Path, program: str) -> build.Trial:
    """Return the trial of a program that ignores its arguments and does what `program` says."""
    if sys.platform == "win32":
        pytest.skip("the stand-in is a script with a first line that names its interpreter")
    script = folder / "program"
    script.write_text(f"#!{sys.executable}\n{program}\n")
    script.chmod(0o755)
    return build.Trial(script, build.bare_environment(folder), folder)
