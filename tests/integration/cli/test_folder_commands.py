"""Forgetting and moving folders without a window, with real processes."""

import os
import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import Answered, Citation, ContextUse, RunUsage
from tests.integration.cli.conftest import Program, broken_invariants, write_documents
from tests.integration.documents.hostile import hostile_readers

pytestmark = pytest.mark.processes

MARK = b"spruce"


@pytest.fixture
def own(tmp_path: Path) -> tuple[Program, Path]:
    """A program with a library of its own folder."""
    documents = write_documents(tmp_path / "documents")
    program = Program(tmp_path / "home")
    assert program.run("index", documents).code == 0
    return program, documents


def remember_an_answer(program: Program, file: Path) -> None:
    """Store an answer that quotes the file, and a copy of it."""
    quote = "The mast is made of spruce."
    citation = Citation(
        1, "turn1search1", 1, "00" * 32, str(file), "boat", "text", None, 1, 1, quote, quote, 1, "verbatim"  # type: ignore[arg-type]  # any number is a content's
    )  # fmt: skip
    use = ContextUse(1, 1, 1, 1, 10, estimated=True)
    answered = Answered(f"{quote} [1](cite:1)", (citation,), use, RunUsage(1, 1, 1, estimated=True), 1.0, 1, found=True)
    for _ in range(2):
        with closing(ConversationStore(program.library.conversations)) as store:
            store.save(store.begin("What is the mast made of?"), Turn(1, "What is it made of?", (answered,), 1))


def holding_mark(folder: Path) -> set[str]:
    return {file.name for file in folder.rglob("*") if file.is_file() and MARK in file.read_bytes()}


def test_forgetting_keeps_quoting_answers_by_default(own: tuple[Program, Path]) -> None:
    program, documents = own
    remember_an_answer(program, documents / "deep" / "boat.txt")
    done = program.run("forget", documents, "--json")
    assert done.code == 0
    assert done.object == {"type": "forgotten", "path": str(documents), "documents": 3, "erased": 0, "quoting": 2}
    left = holding_mark(program.home)
    assert left
    assert all(name.startswith("conversations.sqlite") for name in left)
    assert (documents / "deep" / "boat.txt").is_file()


def test_forgetting_with_quotes_leaves_no_text_in_any_file(own: tuple[Program, Path]) -> None:
    program, documents = own
    remember_an_answer(program, documents / "deep" / "boat.txt")
    assert len(holding_mark(program.home)) > 2
    done = program.run("forget", documents, "--quotes")
    assert done.code == 0
    assert "2 answers that quoted it erased" in done.out
    assert holding_mark(program.home) == set()
    assert broken_invariants(program.library) == set()


def test_an_unknown_folder_cannot_be_forgotten(own: tuple[Program, Path], tmp_path: Path) -> None:
    program, documents = own
    done = program.run("forget", tmp_path)
    assert done.code == 1
    assert "is not a folder of this library" in done.err
    assert str(documents) in done.err


def test_a_moved_folder_is_recognised(own: tuple[Program, Path], tmp_path: Path) -> None:
    program, documents = own
    shutil.move(documents, tmp_path / "elsewhere")
    done = program.run("relocate", documents, tmp_path / "elsewhere", "--json")
    assert done.object == {"type": "relocated", "folders": 1, "files": 4, "known": 4}
    found = program.run("search", "spruce", "--mode", "keyword", "--json")
    hits = found.object["hits"]
    assert isinstance(hits, list)
    assert hits[0]["path"] == str(tmp_path / "elsewhere" / "deep" / "boat.txt")


def test_a_different_folder_is_not_accepted_as_the_moved_one(own: tuple[Program, Path], tmp_path: Path) -> None:
    program, documents = own
    (tmp_path / "other").mkdir()
    done = program.run("relocate", documents, tmp_path / "other")
    assert done.code == 1
    assert "This cannot be done" in done.err
    assert "Nothing was changed" in done.err


def test_a_file_set_aside_can_be_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile_readers(tmp_path / "hostile", monkeypatch)
    program, bad = Program(tmp_path / "home"), tmp_path / "documents" / "bad.hostile.txt"
    bad.parent.mkdir()
    bad.write_text("crash at line 1")
    assert program.run("index", bad.parent).code == 0
    assert "1 of them quarantined" in program.run("status").out
    assert "retry PATH" in program.run("why", bad).out
    failed = program.run("retry", "--json")
    assert failed.code == 1
    problems = failed.object["problems"]
    assert isinstance(problems, list)
    assert [(problem["path"], problem["set_aside"]) for problem in problems] == [(str(bad), True)]
    (tmp_path / "hostile" / "tame").touch()
    mended = program.run("retry", bad)
    assert (mended.code, mended.out) == (0, "All retried files are searchable.\n")


def test_without_a_file_set_aside_nothing_is_retried(own: tuple[Program, Path]) -> None:
    ran = own[0].run("retry")
    assert (ran.code, ran.out) == (0, "")
    assert "No file is set aside, so nothing was retried." in ran.err


def test_a_path_that_is_no_file_of_the_library_is_not_retried(own: tuple[Program, Path]) -> None:
    program, documents = own
    for path in (documents.parent / "elsewhere.txt", documents / "missing.txt", documents):
        ran = program.run("retry", path, "--json")
        assert (ran.code, ran.object["type"]) == (1, "error")
        assert f"{path} is no file that the library has seen" in str(ran.object["message"])
    assert program.run("retry", documents / "lease.md", "--json").code == 0


def test_a_conversation_that_does_not_exist_is_an_error_for_scripts_too(own: tuple[Program, Path]) -> None:
    program, _ = own
    for name in ("last", "7"):
        ran = program.run("export", name, "--json")
        assert (ran.code, ran.object["type"]) == (1, "error")
        assert f"There is no conversation “{name}”" in str(ran.object["message"])


def test_a_file_that_is_not_there_is_not_called_retried(own: tuple[Program, Path]) -> None:
    program, documents = own
    file = next(path for path in documents.iterdir() if path.is_file())
    documents.rename(documents.with_name("unplugged"))
    done = program.run("retry", file)
    assert done.code == 1
    assert "nothing was retried" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_a_file_behind_a_closed_folder_is_not_called_gone(own: tuple[Program, Path]) -> None:
    program, documents = own
    closed = documents / "closed"
    closed.mkdir()
    (closed / "note.txt").write_text("The rent is due.")
    program.run("index", documents)
    closed.chmod(0)
    try:
        if os.access(closed, os.X_OK):
            pytest.skip("this user may open every folder")
        said = program.run("why", closed / "note.txt").out
    finally:
        closed.chmod(0o700)
    assert "no permission to open its folder" in said
    assert "not there" not in said
