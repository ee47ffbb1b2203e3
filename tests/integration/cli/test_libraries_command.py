"""Several libraries on the command line."""

import shutil
from pathlib import Path

import pytest

from tests.integration.cli.conftest import Program, write_documents

pytestmark = pytest.mark.processes


def test_libraries_are_created_renamed_and_listed(tmp_path: Path) -> None:
    program = Program(tmp_path / "home")
    documents = write_documents(tmp_path / "documents")
    assert program.run("libraries", "--json").objects == [
        {"type": "library", "name": "My library", "path": str(program.library.folder), "state": "new"}
    ]
    assert program.run("index", documents).code == 0
    assert program.run("libraries", "--create", "Work", tmp_path / "disk" / "work").code == 0
    listed = program.run("libraries", "--json").objects
    assert [library["name"] for library in listed] == ["My library", "Work"]
    assert {library["state"] for library in listed} <= {"here", "in use"}  # the indexer stays for some seconds
    assert program.run("search", "spruce", "--mode", "keyword").code == 0
    assert program.run("search", "spruce", "--mode", "keyword", "--library", "work").code == 1
    assert program.run("index", documents, "--library", "Work").code == 0
    assert program.run("search", "spruce", "--mode", "keyword", "--library", "Work").code == 0
    assert "Office" in program.run("libraries", "--rename", "Work", "Office").out


def test_a_missing_library_is_reported_and_not_created_again(tmp_path: Path) -> None:
    program = Program(tmp_path / "home")
    folder = tmp_path / "disk" / "work"
    assert program.run("libraries", "--create", "Work", folder).code == 0
    shutil.rmtree(tmp_path / "disk")
    for verb in (("search", "mast"), ("index",), ("status",), ("check",)):
        done = program.run(*verb, "--library", "Work")
        assert done.code == 1
        assert "does not exist. Connect its disk" in done.err.replace("\n", " ")
    assert not (tmp_path / "disk").exists()
    assert "missing" in program.run("libraries").out


def test_a_mistyped_library_is_an_error(tmp_path: Path) -> None:
    done = Program(tmp_path / "home").run("search", "mast", "--library", "Wrok")
    assert done.code == 1
    assert "There is no library called “Wrok”" in done.err


def test_a_library_is_deleted_with_all_its_files(tmp_path: Path) -> None:
    program = Program(tmp_path / "home")
    program.run("libraries", "--create", "Work", tmp_path / "work")
    assert program.run("index", write_documents(tmp_path / "documents"), "--library", "Work").code == 0
    assert program.run("libraries", "--delete", "Work").code == 0
    assert not (tmp_path / "work").exists()
    assert (tmp_path / "documents" / "lease.md").is_file()
