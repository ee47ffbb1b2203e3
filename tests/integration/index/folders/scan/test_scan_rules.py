"""What a scan leaves out, by rule or because it is no file."""

import os
import socket
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.index.folders.file_changes import FileChanged, FileDeleted, FileFound, FileSkipped
from desktop_rag.index.records import File, FileId, FileState, FolderId, FolderRules
from tests.integration.index.folders.scan.walking import (
    found,
    learn,
    run,
    write,
)

posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX file system")


def test_what_a_person_expects_to_see_is_left_out_with_a_reason(root: Path) -> None:
    write(root, "cat.psd", "a.txt")
    write(root, "big.txt", text="x" * 1_000_001)
    events = run(root, rules=FolderRules(max_megabytes=1))
    reasons = {event.path: event.reason for event in events if isinstance(event, FileSkipped)}
    assert set(reasons) == {b"cat.psd", b"big.txt"}
    assert "1 MB" in reasons[b"big.txt"]
    assert found(events) == ["a.txt"]


def test_what_is_hidden_or_ignored_is_not_mentioned(root: Path) -> None:
    write(root, ".git/config", "node_modules/x.js", ".hidden.txt", ".ssh/id_rsa", "drafts/a.txt", "b.log")
    write(root, ".gitignore", text="*.log\n")
    assert run(root, rules=FolderRules(ignore=("drafts/",))) == []


def test_a_known_file_that_is_ignored_now_is_gone(root: Path) -> None:
    write(root, "a.txt", "b.txt")
    known = learn(root)
    write(root, ".gitignore", text="b.txt\n")
    assert run(root, known) == [FileDeleted(known[b"b.txt"])]


def test_a_known_file_that_is_too_big_now_is_left_out(root: Path) -> None:
    write(root, "a.txt", text="x" * 1_500_000)
    known = learn(root)
    (event,) = run(root, known, FolderRules(max_megabytes=1))
    assert isinstance(event, FileSkipped)
    assert event.path == b"a.txt"


def test_a_file_let_in_by_a_changed_rule_is_read(root: Path) -> None:
    write(root, "a.txt", text="x" * 1_500_000)
    known = learn(root, FolderRules(max_megabytes=1))
    assert run(root, known, FolderRules(max_megabytes=1)) == []
    assert run(root, known, FolderRules(max_megabytes=2)) == [FileChanged(known[b"a.txt"], known[b"a.txt"].stat)]


def test_a_file_the_reader_skipped_is_not_read_again(root: Path) -> None:
    write(root, "a.txt", text="")
    known = {
        path: replace(file, state=FileState.SKIPPED, reason="The file is empty.", content=None)
        for path, file in learn(root).items()
    }
    assert run(root, known) == []


def test_a_folder_that_asks_to_be_left_out_is(root: Path) -> None:
    write(root, "private/.noindex", "private/deep/diary.txt", "open.txt")
    assert found(run(root)) == ["open.txt"]


@posix
def test_links_are_not_followed(root: Path, tmp_path: Path) -> None:
    write(root, "a.txt")
    write(tmp_path, "outside/secret.txt")
    (root / "loop").symlink_to(root, target_is_directory=True)
    (root / "out").symlink_to(tmp_path / "outside", target_is_directory=True)
    (root / "file.txt").symlink_to(tmp_path / "outside" / "secret.txt")
    (root / "twice.txt").symlink_to(root / "a.txt")
    (root / "dangling.txt").symlink_to(root / "nowhere.txt")
    assert found(run(root)) == ["a.txt"]


@posix
def test_a_root_that_is_a_link_is_walked(root: Path, tmp_path: Path) -> None:
    write(root, "a.txt")
    (tmp_path / "link").symlink_to(root, target_is_directory=True)
    assert found(run(tmp_path / "link")) == ["a.txt"]


@posix
def test_what_is_no_file_is_passed_over(root: Path) -> None:
    write(root, "a.txt")
    os.mkfifo(root / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as listener:
        current = Path.cwd()
        os.chdir(root)  # the path of a socket must be short
        try:
            listener.bind("socket.txt")
        finally:
            os.chdir(current)
        assert found(run(root)) == ["a.txt"]


@posix
def test_names_that_are_no_text_are_found(root: Path) -> None:
    if sys.platform == "darwin":
        pytest.skip("macOS refuses such names")
    (Path(os.fsdecode(os.fsencode(root) + b"/caf\xe9.txt"))).write_text("x", encoding="utf-8")
    (event,) = run(root)
    assert isinstance(event, FileFound)
    assert event.path == b"caf\xe9.txt"


@posix
def test_an_unreadable_folder_is_told_and_keeps_its_files(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, "closed/a.txt", "closed/deep/b.txt", "closed2/c.txt")
    known = learn(root)
    real = os.scandir

    def refusing(path: bytes | int) -> "os._ScandirIterator[bytes]":
        if isinstance(path, bytes) and path.endswith(b"/closed"):  # a mode would not stop root, who may run the tests
            raise PermissionError(13, "Permission denied")
        return real(path)  # type: ignore[return-value]  # whatever was asked for

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refusing)
        (event,) = run(root, known)
        assert isinstance(event, FileSkipped)
        assert (event.path, event.reason) == (b"closed", "You have no permission to open this folder.")
        told = File(FileId(99), FolderId(1), b"closed", event.stat, FileState.SKIPPED, event.reason, None)
        assert run(root, known | {b"closed": told}) == []
    assert run(root, known | {b"closed": told}) == [FileDeleted(told)]
