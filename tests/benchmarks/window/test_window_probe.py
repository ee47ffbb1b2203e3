"""The instrumented window, as `bench window` and `bench library` start it."""

import json
import subprocess
from pathlib import Path

import pytest

from benchmarks.libraries.folders import write_folder
from benchmarks.libraries.long_conversation import write_long_conversation
from benchmarks.libraries.window import environment, probe_command
from desktop_rag.evaluation.indexing import wait_for_end
from desktop_rag.index.library import Library

pytestmark = pytest.mark.processes

SITUATIONS = [
    "idle",
    "first Settings",
    "first question, built-in",
    "theme switch",
    "typing",
    "scrolling",
    "searching as you type",
    "previewing hits",
    "opening documents",
    "scrolling documents",
    "citation card",
    "switch of conversation",
    "a conversation of 10,000 messages",
    "export dialog",
    "command palette",
    "list of files",
    "a folder dropped and indexed",
    "typing while indexing",
    "searching while indexing",
    "resizing while indexing",
    "a question while indexing",
]


def probe(home: Path, *arguments: str) -> list[dict[str, object]]:
    command = probe_command("--library", str(home / "library"), *arguments)
    done = subprocess.run(command, env=dict(environment(home, "offscreen")), stdout=-1, timeout=100, check=True)
    wait_for_end(Library(home / "library"))
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_window_reports_its_first_paint(tmp_path: Path) -> None:
    (line,) = probe(tmp_path, "--then", "end")
    assert isinstance(line["cpu"], float)
    assert line["cpu"] > 0


@pytest.mark.slow
def test_every_situation_is_played_and_has_beats(tmp_path: Path) -> None:
    write_folder(tmp_path / "big", [f"Passage {n} speaks of boats." for n in range(40)], 40)
    write_long_conversation(Library(tmp_path / "library").conversations, turns=30)
    lines = probe(tmp_path, "--seconds", "0.1", "--big", str(tmp_path / "big"))
    lived = [line for line in lines if "situation" in line]
    assert [line["situation"] for line in lived] == SITUATIONS
    assert all(line["beats"] for line in lived)
    assert not any("late" in line for line in lines)
    assert all(float(str(line["opened"])) > 0 for line in lines if "opened" in line)
    assert sum("opened" in line for line in lines) > 1
