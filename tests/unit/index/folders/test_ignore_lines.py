"""The lines that ignore one file, tried with the rules that decide about real files."""

import os
from pathlib import Path

import pytest

from desktop_rag.index.folders.name_rules import line_of_file, line_of_suffix
from desktop_rag.index.folders.rules import FolderFilter, FolderRule
from desktop_rag.index.records import FolderRules

_HOSTILE = (
    b"plain.txt",
    b"sub/deep/note.md",
    b"#comment.txt",
    b"!bang.txt",
    b"star*.txt",
    b"what?.txt",
    b"[brackets].txt",
    b"back\\slash.txt",
    b"ends with a space ",
    b"line\nbreak.txt",
    b"caf\xe9.txt",
    "Ärger \u202efdp.txt".encode(),
)


@pytest.mark.parametrize("name", _HOSTILE)
def test_the_line_of_a_file_ignores_it_and_not_its_neighbour(tmp_path: Path, name: bytes) -> None:
    root = os.fsencode(tmp_path)
    neighbours = (b"other.txt", b"sub/plain.txt")
    for path in (name, *neighbours):
        whole = os.path.join(root, path)  # noqa: PTH118 (bytes)
        os.makedirs(os.path.dirname(whole), exist_ok=True)  # noqa: PTH103, PTH120
        Path(os.fsdecode(whole)).write_bytes(b"words")
    line = line_of_file(name)
    line.encode()  # rules are stored as JSON
    rules = FolderFilter(root, FolderRules(ignore=(line,)))
    decision = rules.explain(name)
    assert not decision.included
    assert decision.rule is FolderRule.OWN_LINE
    assert all(rules.explain(path).included for path in neighbours)


def test_the_line_of_a_suffix_ignores_it_in_any_case_and_at_any_depth(tmp_path: Path) -> None:
    for name in ("film.MKV", "sub/film.mkv", "film.mkv.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x")
    rules = FolderFilter(os.fsencode(tmp_path), FolderRules(ignore=(line_of_suffix("mkv"),)))
    for path_below in (b"film.MKV", b"sub/film.mkv"):
        decision = rules.explain(path_below)
        assert decision.rule is FolderRule.OWN_LINE
        assert not decision.included
    assert rules.explain(b"film.mkv.txt").included
