"""`desktop-rag status`: true beside a running indexer and without one, which it must not start."""

from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.index.library_client import LibraryClient
from desktop_rag.stop import Stop
from tests.integration.cli.conftest import Program

pytestmark = pytest.mark.processes

STATUS = {
    "phase",
    "folders",
    "sentences",
    "current_file",
    "files_per_second",
    "sentences_per_second",
    "eta_seconds",
    "trouble",
    "hold",
    "waiting_files",
    "unread_pages",
    "ocr",
}
FOLDER = {
    "id",
    "path",
    "state",
    "found",
    "searchable",
    "ready",
    "skipped",
    "failed",
    "pictures",
    "set_aside",
    "scanning",
    "note",
}


def test_json_has_the_documented_shape(copied: Program, documents: Path) -> None:
    ran = copied.run("status", "--json")
    assert (ran.code, ran.err) == (0, "")
    now = ran.object
    assert set(now) == STATUS | {"running"}
    assert (now["phase"], now["running"], now["trouble"]) == ("idle", False, "")
    folders = now["folders"]
    assert isinstance(folders, list)
    assert set(folders[0]) == FOLDER
    assert folders[0]["path"] == str(documents)
    assert (folders[0]["found"], folders[0]["ready"], folders[0]["skipped"]) == (4, 3, 1)
    assert not copied.library.address.exists()


def test_problem_files_are_listed_with_their_reasons(copied: Program, documents: Path) -> None:
    listed = copied.run("status", "--problems", "--json").object["problems"]
    reason = "This file is empty."
    assert listed == [{"path": str(documents / "empty.txt"), "state": "skipped", "reason": reason, "set_aside": False}]
    assert f"{documents / 'empty.txt'}  This file is empty." in copied.run("status", "--problems").out


def test_the_status_is_printed_in_short_lines(copied: Program, documents: Path) -> None:
    ran = copied.run("status", COLUMNS="30")
    assert ran.out.splitlines()[:2] == [str(documents), "  4 files, 3 searchable, 3 ready, 1 left out"]
    assert ran.out.splitlines()[2].startswith("idle: ")


def test_a_running_indexer_provides_the_status(copied: Program) -> None:
    with closing(LibraryClient(copied.library)) as client, closing(client.follow(Stop())) as statuses:
        next(statuses)
        assert copied.run("status", "--json").object["running"] is True
        assert "lease.md" in copied.run("search", "rent").out
