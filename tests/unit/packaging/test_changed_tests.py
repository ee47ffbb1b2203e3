"""A change chooses the tests that can notice it, and no others."""

import subprocess
from pathlib import Path

import pytest

from changed_tests import changed_files, files_of_tests

FILES = {
    "desktop_rag/__init__.py": "def __getattr__(name):\n    from desktop_rag.opened import Opened\n    return Opened\n",
    "desktop_rag/__main__.py": 'CHILD_VERBS = {"_reader": "desktop_rag.reading.child"}\nimport desktop_rag.window',
    "desktop_rag/window.py": "",
    "desktop_rag/opened.py": "",
    "desktop_rag/words.py": "",
    "desktop_rag/places.py": 'PLACES = "places.txt"',
    "desktop_rag/reading/__init__.py": "",
    "desktop_rag/reading/child.py": 'READERS = {"pdf": "reading.pdf"}',
    "desktop_rag/reading/pdf.py": "def read():\n    import desktop_rag.words\n",
    "desktop_rag/reading/parent.py": 'COMMAND = "_reader"',
    "packaging/dev.py": "",
    "tests/conftest.py": "",
    "tests/unit/conftest.py": "from desktop_rag import places\n",
    "tests/unit/test_words.py": "from desktop_rag import words\n",
    "tests/unit/test_parent.py": "from desktop_rag.reading.parent import COMMAND\n",
    "tests/test_opened.py": "from desktop_rag import Opened\n",
    "tests/test_window.py": 'COMMAND = ["python", "-m", "desktop_rag"]\n',
    "tests/test_sources.py": 'FOLDER = "desktop_rag"\n',
    "tests/test_dev.py": "import dev\n",
    "resources/places.txt": "",
    "pyproject.toml": "",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "chosen"),
    [
        ("desktop_rag/window.py", {"test_window", "test_sources"}),
        ("desktop_rag/opened.py", {"test_opened", "test_sources"}),
        ("desktop_rag/words.py", {"test_words", "test_parent", "test_window", "test_sources"}),
        ("desktop_rag/reading/pdf.py", {"test_parent", "test_window", "test_sources"}),
        ("resources/places.txt", {"test_words", "test_parent", "test_sources"}),
        ("tests/unit/conftest.py", {"test_words", "test_parent"}),
        ("tests/unit/test_words.py", {"test_words"}),
        ("packaging/dev.py", {"test_dev"}),
    ],
)
def test_what_can_notice_a_change_is_chosen(changed: str, chosen: set[str], project: Path) -> None:
    tests = files_of_tests(project, [changed])
    assert tests is not None
    assert {Path(name).stem for name in tests} == chosen


@pytest.mark.parametrize("changed", ["pyproject.toml", "tests/conftest.py", "resources/nobody_names_it.bin"])
def test_what_may_concern_every_test_chooses_all(changed: str, project: Path) -> None:
    assert files_of_tests(project, [changed]) is None


def test_changes_are_counted_from_where_the_branch_left_main(project: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b", *words], cwd=project, check=True)

    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    (project / "packaging" / "dev.py").write_text("x = 1\n")
    git("commit", "-q", "-a", "-m", "second")
    assert changed_files(project, None) == ("the commit before", ["packaging/dev.py"])
    git("checkout", "-q", "-b", "branch")
    (project / "desktop_rag" / "words.py").write_text("x = 1\n")
    git("commit", "-q", "-a", "-m", "third")
    (project / "new file.txt").touch()
    assert changed_files(project, None) == ("main", ["desktop_rag/words.py", "new file.txt"])
    assert changed_files(project, "HEAD~2")[1] == ["desktop_rag/words.py", "new file.txt", "packaging/dev.py"]
