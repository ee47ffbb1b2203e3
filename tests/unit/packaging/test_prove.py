"""The proof of the frozen program: a clean environment, and a report for every kind of failure."""

import sys
from pathlib import Path

import pytest

import licences
import prove
import samples
from desktop_rag.documents.format_registry import read_document


def test_the_frozen_program_gets_an_empty_home_and_no_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DESKTOP_RAG_HOME", "PYTHONPATH", "VIRTUAL_ENV", "SOME_API_KEY"):
        monkeypatch.setenv(name, "from outside")
    environment = prove.bare_environment(tmp_path, tmp_path)
    assert environment["HOME"] == str(tmp_path)
    assert "from outside" not in environment.values()


COMPLETE = "print('[1] a.md\\n[1] b.pdf\\nA picture of the window: ./window.png\\nPainted page 2 of 3')"


@pytest.mark.parametrize(
    ("program", "complaint"),
    [
        (f"open('window.png', 'w'); {COMPLETE.replace('[1] b.pdf', 'none')}", "without two cited answers"),
        (COMPLETE, "without a screenshot"),
        (f"open('window.png', 'w'); {COMPLETE.replace('Painted', 'Lost')}", "no page of the cited PDF"),
        ("raise SystemExit('no encoder')", "exited with 1:\nno encoder"),
        (f"open('window.png', 'w'); {COMPLETE}; import sys; sys.stderr.write('Traceback')", "unexpected lines:\nTrace"),
    ],
)
def test_an_incomplete_demonstration_is_no_proof(program: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(prove.ProofError, match=complaint):
        prove.prove_window(trial(tmp_path, program))


def test_cited_answers_a_screenshot_and_a_painted_page_pass(tmp_path: Path) -> None:
    assert "painted" in prove.prove_window(trial(tmp_path, f"open('window.png', 'w'); {COMPLETE}"))


def test_another_version_is_no_proof(tmp_path: Path) -> None:
    with pytest.raises(prove.ProofError, match="not 0"):
        prove.prove_version(trial(tmp_path, "print('0.0.0')"))


def test_a_file_whose_word_is_not_found_is_no_proof(tmp_path: Path) -> None:
    finding = trial(tmp_path, """print('{"hits": [{"path": "/home/a.txt", "also": ["/home/b.pdf"]}]}')""")
    prove.prove_formats(finding, tmp_path, ["a.txt", "b.pdf"], "peas")
    with pytest.raises(prove.ProofError, match=r"not found in all\.7z"):
        prove.prove_formats(finding, tmp_path, ["a.txt", "all.7z", "b.pdf"], "peas")


def test_a_file_outside_the_data_folder_is_no_proof(tmp_path: Path) -> None:
    writing = trial(tmp_path / "program", "")
    home = tmp_path / "home"
    (home / ".cache").mkdir(parents=True)
    clean = prove.Trial(writing.program, {"HOME": str(home)}, tmp_path)
    before = prove.listing(writing.program.parent)
    assert "nothing" in prove.prove_clean(clean, before)
    (home / ".cache" / "left").write_text("x")
    with pytest.raises(prove.ProofError, match=r"written outside .*\n.*left"):
        prove.prove_clean(clean, before)
    (home / ".cache" / "left").unlink()
    (writing.program.parent / "new").write_text("x")
    with pytest.raises(prove.ProofError, match="program was changed"):
        prove.prove_clean(clean, before)


def test_known_lines_on_standard_error_are_no_fault() -> None:
    printed = "→ Searching “rent”\n  3 passages\n\nThis plugin does not support raise()\nlibGL error: no driver"
    assert prove.unexpected_lines(printed) == ["libGL error: no driver"]


def test_every_sample_holds_the_word_for_its_reader(tmp_path: Path) -> None:
    for name in samples.write_samples(tmp_path):
        assert samples.WORD in read_document(name, (tmp_path / name).read_bytes()).text, name


def test_the_licences_of_collected_packages_are_found() -> None:
    found = licences.of_packages(["numpy", "PIL", "whoosh", "PySide6", "no_such_module"])
    assert {place.split("/")[0] for place in found} >= {"numpy", "pillow", "Whoosh-Reloaded", "PySide6_Essentials"}
    assert all(file.stat().st_size > 100 for file in found.values())
    assert not [place for place in found if place.endswith((".py", ".pyc"))]


def trial(folder: Path, program: str) -> prove.Trial:
    """Return the trial of a program that ignores its arguments and does what `program` says."""
    if sys.platform == "win32":
        pytest.skip("the stand-in is a script with a first line that names its interpreter")
    folder.mkdir(exist_ok=True)
    script = folder / "program"
    script.write_text(f"#!{sys.executable}\n{program}\n")
    script.chmod(0o755)
    return prove.Trial(script, prove.bare_environment(folder, folder), folder)
