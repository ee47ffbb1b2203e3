"""Rules on a real folder, with git itself as the judge of gitignore lines."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_rag.errors import ProblemKind
from desktop_rag.index.folders.rules import FolderFilter, FolderRule
from desktop_rag.index.records import FolderRules
from tests.examples import examples

DEFAULT = FolderRules()


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def explain(root: Path, path: str, rules: FolderRules = DEFAULT) -> FolderRule:
    return FolderFilter(os.fsencode(root), rules).explain(os.fsencode(path)).rule


def test_gitignore_files_count_at_every_level(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "*.log\nbuild/\n",
            "a/.gitignore": "!keep.log\nlocal.txt\n",
            "a/keep.log": "",
            "a/local.txt": "",
            "a/b/local.txt": "",
            "local.txt": "",
            "other.log": "",
            "build/x.txt": "",
        },
    )
    assert explain(tmp_path, "other.log") is FolderRule.GITIGNORE
    assert explain(tmp_path, "a/keep.log") is FolderRule.INCLUDED
    assert explain(tmp_path, "a/local.txt") is FolderRule.GITIGNORE
    assert explain(tmp_path, "a/b/local.txt") is FolderRule.GITIGNORE
    assert explain(tmp_path, "local.txt") is FolderRule.INCLUDED
    assert explain(tmp_path, "build/x.txt") is FolderRule.GITIGNORE
    assert explain(tmp_path, "other.log", FolderRules(use_gitignore=False)) is FolderRule.INCLUDED


def test_the_folders_own_lines_outrank_gitignore(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "*.txt\n", "a.txt": "", "b.txt": ""})
    rules = FolderRules(ignore=("!a.txt",))
    assert explain(tmp_path, "a.txt", rules) is FolderRule.OWN_LINE
    assert explain(tmp_path, "b.txt", rules) is FolderRule.GITIGNORE


@pytest.mark.parametrize("marker", [".noindex", "CACHEDIR.TAG", "pyvenv.cfg"])
def test_a_folder_may_ask_to_be_left_out(tmp_path: Path, marker: str) -> None:
    write(tmp_path, {f"private/{marker}": "", "private/deep/diary.txt": "", "diary.txt": ""})
    assert explain(tmp_path, "private/deep/diary.txt") is FolderRule.MARKER
    assert explain(tmp_path, "private") is FolderRule.MARKER
    assert explain(tmp_path, "diary.txt") is FolderRule.INCLUDED


def test_the_first_folder_left_out_decides(tmp_path: Path) -> None:
    write(tmp_path, {"node_modules/.ssh/id_rsa": ""})
    assert explain(tmp_path, "node_modules/.ssh/id_rsa") is FolderRule.SYSTEM


def test_a_single_file_is_left_out_by_type_and_size_only(tmp_path: Path) -> None:
    write(tmp_path, {".hidden.txt": "", "cat.psd": ""})
    assert explain(tmp_path / ".hidden.txt", "") is FolderRule.INCLUDED
    assert explain(tmp_path / "cat.psd", "") is FolderRule.UNREADABLE_TYPE


def test_the_deciding_line_is_named_with_its_file(tmp_path: Path) -> None:
    write(
        tmp_path, {".gitignore": "# logs\n\n*.log\n", "a/.gitignore": "!keep.log\nb/\n", "a/b/c.txt": "", "x.log": ""}
    )
    top = FolderFilter(os.fsencode(tmp_path), DEFAULT).explain(b"x.log")
    assert (top.source, top.line, top.detail) == (os.fsencode(tmp_path / ".gitignore"), 3, "*.log")
    below = FolderFilter(os.fsencode(tmp_path), DEFAULT).explain(os.fsencode(Path("a", "b", "c.txt")))
    assert (below.source, below.line, below.detail) == (os.fsencode(tmp_path / "a" / ".gitignore"), 2, "b/")
    assert below.reason == f"Line 2 of {tmp_path / 'a' / '.gitignore'}, “b/”, leaves it out."


def test_what_a_repository_and_its_owner_exclude_counts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    write(
        tmp_path,
        {
            "config/git/ignore": "*.person\n*.both\n",
            "repository/.git/info/exclude": "*.mine\n",
            "repository/.gitignore": "!*.both\n",
            "repository/a.person": "",
            "repository/a.mine": "",
            "repository/a.both": "",
            "a.person": "",
        },
    )
    rules = FolderFilter(os.fsencode(tmp_path), DEFAULT)
    assert rules.explain(b"repository/a.person").source == os.fsencode(tmp_path / "config" / "git" / "ignore")
    assert rules.explain(b"repository/a.mine").source == os.fsencode(tmp_path / "repository/.git/info/exclude")
    assert rules.explain(b"repository/a.both").rule is not FolderRule.GITIGNORE
    assert rules.explain(b"a.person").rule is not FolderRule.GITIGNORE


def test_a_line_of_the_folder_takes_in_what_a_marker_leaves_out(tmp_path: Path) -> None:
    write(tmp_path, {"private/.noindex": "", "private/diary.txt": ""})
    assert explain(tmp_path, "private/diary.txt", FolderRules(ignore=("!private/",))) is FolderRule.INCLUDED


@pytest.mark.skipif(os.name != "posix", reason="needs links and pipes")
def test_links_and_pipes_are_explained(tmp_path: Path) -> None:
    write(tmp_path, {"a/b.txt": ""})
    (tmp_path / "link").symlink_to(tmp_path / "a", target_is_directory=True)
    os.mkfifo(tmp_path / "pipe.txt")
    assert explain(tmp_path, "link/b.txt") is FolderRule.LINK
    assert explain(tmp_path, "pipe.txt") is FolderRule.NO_FILE


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_gitignore_that_is_a_pipe_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".gitignore")
    write(tmp_path, {"a.txt": ""})
    assert explain(tmp_path, "a.txt") is FolderRule.INCLUDED


PATTERNS = r"""* !*/ !*.txt *.md /a /a/ a/ !a/ b a/b a/* !a/b **/b a/** !**/b/x.txt #note \#odd ?.md [ab].txt /* !/b
x.txt !x.txt b/**/x.md !a/** !/*/ [!x]* *.[mt]* a*/ **"""
KNOWN = st.sampled_from([*PATTERNS.split(), "", "# a remark", "trailing   ", "!"])
LINES = st.lists(KNOWN | st.text("abx*?[]!^-/\\. ", min_size=1, max_size=7), max_size=5)
FILES = "x.txt x.md a/x.txt a/x.md a/b/x.txt a/b/x.md b/x.txt b/a/x.md a/a.txt #odd trailing"
TREE = FILES.split()


@pytest.mark.processes
@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(top=LINES, nested=LINES)
def test_git_itself_decides_alike(tmp_path: Path, top: list[str], nested: list[str]) -> None:
    root = tmp_path / "repository"
    if not root.exists():
        root.mkdir()
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        write(root, dict.fromkeys(TREE, ""))
    write(root, {".gitignore": "\n".join(top) + "\n", "a/.gitignore": "\n".join(nested) + "\n"})
    command = ["git", "-C", str(root), "ls-files", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, capture_output=True, check=True).stdout.decode().split("\0")
    expected = {name for name in listed if name in TREE}
    assert {name for name in TREE if explain(root, name) is FolderRule.INCLUDED} == expected


def test_files_with_other_names_can_be_left_out_and_are_named(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    write(tmp_path, {"inside/own.txt": "own", "outside/foreign.txt": "foreign"})
    os.link(outside / "foreign.txt", inside / "linked.txt")
    assert explain(inside, "linked.txt") is FolderRule.INCLUDED
    strict = FolderRules(hard_links=False)
    assert explain(inside, "own.txt", strict) is FolderRule.INCLUDED
    decision = FolderFilter(os.fsencode(inside), strict).explain(b"linked.txt")
    assert decision.rule is FolderRule.HARD_LINK
    assert decision.is_reported
    assert decision.kind is ProblemKind.OTHER
