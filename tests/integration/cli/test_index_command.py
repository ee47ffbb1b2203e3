"""`desktop-rag index`: adds folders, shows progress, survives its indexer, and lists problem files."""

import json
import os
import signal
import sys
import time
from contextlib import closing
from pathlib import Path

import msgspec
import psutil
import pytest

from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.indexer_api import Schedule
from desktop_rag.index.indexer_client import Address
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.stop import Stop
from tests.integration.cli.conftest import Program, broken_invariants, write_documents
from tests.integration.cli.test_status_command import FOLDER, STATUS

pytestmark = pytest.mark.processes

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="names and signals of POSIX")


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


def test_json_lines_are_progress_and_a_final_result(program: Program, tmp_path: Path) -> None:
    folder = write_documents(tmp_path / "documents")
    ran = program.run("index", folder, "--json")
    assert (ran.code, ran.err) == (0, "")
    *progress, end = ran.objects
    assert progress
    assert all(set(one) == STATUS | {"type"} and one["type"] == "progress" for one in progress)
    assert set(end) == STATUS | {"type", "problems", "seconds"}
    assert (end["type"], end["phase"], end["trouble"]) == ("indexed", "idle", "")
    folders = end["folders"]
    assert isinstance(folders, list)
    assert set(folders[0]) == FOLDER
    assert (folders[0]["found"], folders[0]["ready"]) == (4, 3)
    empty = {"path": str(folder / "empty.txt"), "state": "skipped", "reason": "This file is empty."}
    assert end["problems"] == [{**empty, "set_aside": False}]


def test_a_chosen_pause_ends_the_command_with_a_note(copied: Program, documents: Path) -> None:
    with closing(Catalog.open(copied.library.catalog)) as catalog:
        catalog.folders.set_schedule(Schedule(paused_until=time.time() + 3_600))
    later = documents / "later.md"
    later.write_text("Later.", encoding="utf-8")
    try:
        ran = copied.run("index")
        assert ran.code == 0
        assert "Waiting (paused)" in ran.out + ran.err
        assert copied.run("index", "--json").objects[-1]["hold"] == "paused"
    finally:
        later.unlink()  # other tests use the folder


def test_invalid_paths_are_refused_with_a_reason(copied: Program, documents: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    ran = copied.run("index", nowhere, "--json")
    assert ran.code == 1
    assert ran.object == {
        "type": "refused",
        "path": str(nowhere),
        "reason": "It cannot be opened: No such file or directory.",
    }
    ran = copied.run("index", documents / "deep", nowhere)
    assert (ran.code, ran.out) == (1, "")
    assert "It is already part of documents." in ran.err


def test_a_piped_run_prints_the_outcome_and_no_bars(copied: Program, documents: Path) -> None:
    ran = copied.run("index")
    assert ran.out == (
        f"{documents}\n  4 files, 3 searchable, 3 ready, 1 left out\n  {documents / 'empty.txt'}  This file is empty.\n"
    )
    assert ran.err == ""


def test_a_killed_indexer_is_restarted_during_a_run(copied: Program, documents: Path, tmp_path: Path) -> None:
    more = tmp_path / "more"
    more.mkdir()
    for number in range(60):
        (more / f"{number}.txt").write_text(f"Note {number} tells of {number} boats. Each has a mast.", "utf-8")
    running = copied.start("index", more, "--json")
    assert running.stdout is not None
    first = json.loads(running.stdout.readline())
    assert first["type"] == "progress"
    pid = msgspec.json.decode(copied.library.address.read_bytes(), type=Address).pid
    psutil.Process(pid).kill()
    out, _ = running.communicate(timeout=100)
    end = json.loads(out.splitlines()[-1])
    assert (running.returncode, end["type"]) == (0, "indexed")
    assert [folder["ready"] for folder in end["folders"]] == [3, 60]
    assert broken_invariants(copied.library) == set()


@posix_only
def test_ctrl_c_ends_a_run_and_the_next_one_continues(copied: Program, tmp_path: Path) -> None:
    more = tmp_path / "more"
    more.mkdir()
    for number in range(200):
        (more / f"{number}.txt").write_text(f"Note {number} tells of boats. Each has {number} masts.", "utf-8")
    running = copied.start("index", more, "--json")
    assert running.stdout is not None
    running.stdout.readline()
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (130, "")
    assert json.loads(out.splitlines()[-1])["error"] == "Stopped"
    end = copied.run("index", "--json").objects[-1]
    folders = end["folders"]
    assert isinstance(folders, list)
    assert [folder["ready"] for folder in folders] == [3, 200]


def test_two_runs_at_once_share_one_library(program: Program, tmp_path: Path) -> None:
    one, two = write_documents(tmp_path / "one"), tmp_path / "two"
    two.mkdir()
    (two / "tree.txt").write_text("The linden blooms in June.", "utf-8")
    running = [program.start("index", folder) for folder in (one, two)]
    ends = [run.communicate(timeout=100) for run in running]
    assert [run.returncode for run in running] == [0, 0]
    assert [err for _, err in ends] == ["", ""]
    assert str(one) in ends[0][0]
    assert str(two) in ends[1][0]
    assert "tree.txt" in program.run("search", "linden", "-k", "1").out


def test_it_works_beside_an_open_window(copied: Program, tmp_path: Path) -> None:
    late = tmp_path / "late.txt"
    late.write_text("The gangway is steep.", "utf-8")
    with closing(LibraryClient(copied.library)) as client, closing(client.follow(Stop())) as statuses:
        next(statuses)
        assert copied.run("index", late).code == 0
        assert "late.txt" in copied.run("search", "gangway", "-k", "1").out


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names are valid text")
def test_names_that_are_not_utf8_are_read_found_and_shown(program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / os.fsdecode(b"caf\xe9\xff.txt")).write_text("The zebra is in the kitchen.", "utf-8")
    (folder / "red\x1b[31m\nname.txt").write_text("The okapi is in the garden.\x1b[2J", "utf-8")
    assert program.run("index", folder).code == 0
    hit = program.run("search", "zebra", "--mode", "keyword", "--json").object["hits"]
    assert isinstance(hit, list)
    assert hit[0]["path"] == f"{folder}/caf\\xe9\\xff.txt"
    said = program.run("search", "okapi", "--mode", "keyword").out
    assert "\x1b" not in said
    assert said.count("\n") == 3
    assert program.run("ask", "Where is the zebra?").code == 0


@posix_only
def test_an_unwritable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    told = Program(tmp_path / "file").run("index", tmp_path, "--json").object
    assert told["error"] == "The library cannot be used"
    assert "cannot be written" in str(told["message"])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has priority classes instead")
@pytest.mark.parametrize(("options", "lowered"), [((), 0), (("--background",), 5)])
def test_an_indexer_that_somebody_waits_for_has_ordinary_priority(
    tmp_path: Path, options: tuple[str, ...], lowered: int
) -> None:
    program = Program(tmp_path / "home")
    assert program.run("index", write_documents(tmp_path / "documents"), *options).code == 0
    indexers = [
        process.nice()  # the indexer waits some seconds for another client
        for process in psutil.process_iter(["cmdline"])
        if "_indexer" in (process.info["cmdline"] or ()) and str(program.library.folder) in process.info["cmdline"]
    ]
    assert indexers == [min(19, psutil.Process().nice() + lowered)]


@posix_only
def test_a_folder_that_vanishes_while_it_is_read_is_an_error(program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "drive"
    folder.mkdir()
    for number in range(400):
        (folder / f"{number}.md").write_text(f"Rent {number}. " * 2_000, encoding="utf-8")
    running = program.start("index", folder, "--json")
    assert running.stdout is not None
    for line in running.stdout:
        if json.loads(line)["folders"]:
            folder.rename(tmp_path / "away")
            break
    rest, _ = running.communicate()
    assert (running.returncode, "is not there any more" in rest) == (1, True), rest
