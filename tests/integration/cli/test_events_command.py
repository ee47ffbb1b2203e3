"""`desktop-rag events` reports what changes, in order, until the work is done or Ctrl+C."""

import json
import signal
from pathlib import Path

import pytest

from tests.integration.cli.conftest import Program, write_documents
from tests.integration.cli.test_status_command import FOLDER

pytestmark = pytest.mark.processes


def test_events_of_a_ready_library_end_with_settled(copied: Program) -> None:
    ran = copied.run("events", "--once", "--json")
    assert ran.code == 0
    kinds = [event["type"] for event in ran.objects]
    assert kinds[0] == "folder"
    assert set(ran.objects[0]) == {"type"} | FOLDER
    assert {"type": "phase", "phase": "idle"} in ran.objects
    assert kinds[-1] == "settled"
    assert ran.objects[-1]["waiting_files"] == 0
    shown = copied.run("events", "--once").out
    assert " files, " in shown
    assert shown.endswith(" sentences searchable by meaning\n")


def test_events_follow_another_command_until_ctrl_c(tmp_path: Path) -> None:
    program = Program(tmp_path / "home")
    first, second = write_documents(tmp_path / "one"), write_documents(tmp_path / "two")
    assert program.run("index", first).code == 0
    following = program.start("events", "--json")
    assert following.stdout is not None
    try:
        assert json.loads(following.stdout.readline())["path"] == str(first)
        assert program.run("index", second).code == 0
        seen = [json.loads(following.stdout.readline()) for _ in range(2)]
        while not any(event["type"] == "folder" and event["path"] == str(second) for event in seen):
            seen.append(json.loads(following.stdout.readline()))
        following.send_signal(signal.SIGINT)
        assert following.wait(60) == 130
    finally:
        following.kill()
        following.communicate()


def test_a_missing_library_has_no_events(tmp_path: Path) -> None:
    ran = Program(tmp_path / "home").run("events", "--once")
    assert ran.code == 1
    assert not ran.out


def test_events_end_when_their_reader_has_gone(copied: Program, tmp_path: Path) -> None:
    more = write_documents(tmp_path / "more")
    following = copied.start("events", "--json")
    assert following.stdout is not None
    assert following.stderr is not None
    try:
        assert json.loads(following.stdout.readline())["type"] == "folder"
        following.stdout.close()
        assert copied.run("index", more).code == 0
        assert (following.wait(60), following.stderr.read()) == (141, "")
    finally:
        following.kill()
        following.stderr.close()
