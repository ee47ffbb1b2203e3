"""A hint of the watcher costs the folder it names, and finds there what a whole scan would."""

from pathlib import Path

from desktop_rag.index.folders.file_changes import FileChanged, FileDeleted, Hint, topmost
from tests.integration.index.folders.scan.walking import found, learn, moved, run, without_ctime, write


def test_a_hint_costs_its_folder_only(root: Path) -> None:
    write(root, "a.txt", "b/c.txt", "b/deep/d.txt", "e/f.txt")
    known = learn(root)
    for name in ("a.txt", "b/c.txt", "b/deep/d.txt", "e/f.txt"):
        write(root, name, text="changed")
    shallow = run(root, known, hints=[Hint(b"b", deep=False)])
    assert [event.file.path for event in shallow if isinstance(event, FileChanged)] == [b"b/c.txt"]
    deep = run(root, known, hints=[Hint(b"b", deep=True)])
    assert [event.file.path for event in deep if isinstance(event, FileChanged)] == [b"b/c.txt", b"b/deep/d.txt"]


def test_a_hint_at_a_folder_that_is_gone_tells_what_was_in_it(root: Path) -> None:
    write(root, "a.txt", "b/c.txt", "b/deep/d.txt")
    known = learn(root)
    (root / "b" / "c.txt").unlink()
    (root / "b" / "deep" / "d.txt").unlink()
    (root / "b" / "deep").rmdir()
    (root / "b").rmdir()
    events = run(root, known, hints=[Hint(b"b/deep", deep=True)])
    assert events == [FileDeleted(known[b"b/c.txt"]), FileDeleted(known[b"b/deep/d.txt"])]


def test_a_hint_into_what_is_left_out_finds_nothing(root: Path) -> None:
    write(root, ".gitignore", text="drafts/\n")
    write(root, "drafts/a.txt", "node_modules/b.js", "private/.noindex", "private/c/d.txt")
    for path in (b"drafts", b"node_modules", b"private", b"private/c"):
        assert run(root, hints=[Hint(path, deep=True)]) == []


def test_rules_above_a_hint_count(root: Path) -> None:
    write(root, ".gitignore", text="*.log\n")
    write(root, "a/.gitignore", text="!keep.log\n")
    write(root, "a/b/x.log", "a/b/keep.log")
    assert found(run(root, hints=[Hint(b"a/b", deep=False)])) == ["a/b/keep.log"]


def test_a_renamed_folder_is_recognised_by_its_hints(root: Path) -> None:
    write(root, "old/a.txt", "other/b.txt")
    known = learn(root)
    (root / "old").rename(root / "new")
    events = without_ctime(run(root, known, hints=[Hint(b"", deep=False), Hint(b"new", deep=True)]))
    assert FileDeleted(known[b"old/a.txt"]) in events
    assert moved(known, b"old/a.txt", b"new/a.txt") in events


def test_hints_below_a_deep_one_are_spare() -> None:
    hints = [Hint(b"a/b", deep=False), Hint(b"a", deep=True), Hint(b"a-b", deep=False), Hint(b"c", deep=False)]
    assert topmost(hints) == [Hint(b"a", deep=True), Hint(b"a-b", deep=False), Hint(b"c", deep=False)]
    assert topmost([*hints, Hint(b"", deep=True)]) == [Hint(b"", deep=True)]
