"""The privacy ledger, end to end: the lines that it names are exactly those that an endpoint got, in each run."""

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from desktop_rag.settings import Profile, Settings, save
from tests.endpoint import Call, ScriptedEndpoint, SeenRequest, Turn

pytestmark = pytest.mark.processes

SUBJECTS = ("rent", "deposit", "harbour", "crane", "winter", "boat", "paint", "fee")
QUESTION = "How much is the harbour fee?"
SEARCH = Call("search", json.dumps({"queries": ["harbour fee", "crane"]}))
LATER = [
    Call("open", json.dumps({"reference": "turn1search1", "line": 150})),
    Call("find", json.dumps({"reference": "turn1search2", "patterns": ["winter"]})),
]


def text_of(name: str) -> str:
    """Return a document each line of which has a word of its own."""
    lines = (
        f"The {SUBJECTS[n % 8]} of {name}{n:03}x is {n} euros, as agreed for berth {n % 40}." for n in range(1, 301)
    )
    return "\n".join(lines) + "\n"


def run(environment: Mapping[str, str], *arguments: str) -> str:
    command = [sys.executable, "-P", "-m", "desktop_rag", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def lines_of(requests: Sequence[SeenRequest]) -> dict[str, set[int]]:
    """Return which lines of which file are in requests, whatever their form is."""
    found = defaultdict[str, set[int]](set)
    for name, number in re.findall(r"\b(alpha|beta)(\d{3})x", json.dumps([each.body for each in requests])):
        found[name].add(int(number))
    return dict(found)


def test_the_ledger_names_exactly_the_lines_that_an_endpoint_got(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    for name in ("alpha", "beta"):
        (files / f"{name}.txt").write_text(text_of(name))
    environment = {**os.environ, "DESKTOP_RAG_HOME": str(tmp_path / "home"), "DESKTOP_RAG_API_KEY": "sk-none"}
    script = [Turn(calls=[SEARCH]), Turn(calls=LATER), Turn(text="3 euros [turn1search1].")]
    script += [Turn(calls=[SEARCH]), Turn(text="3 euros [turn1search1].")]
    with ScriptedEndpoint(script) as endpoint:
        profile = Profile("mine", endpoint.base_url, "scripted")
        save(tmp_path / "home" / "settings.json", Settings(profiles=(profile,), active_profile="mine"))
        run(environment, "index", str(files))
        counts = []
        for _ in range(2):
            run(environment, "ask", QUESTION)
            counts.append(len(endpoint.requests))
        wire = [lines_of(endpoint.requests[: counts[0]]), lines_of(endpoint.requests[counts[0] :])]
    ledger = defaultdict[str, defaultdict[str, set[int]]](lambda: defaultdict(set))
    for row in map(json.loads, run(environment, "sent", "--json").splitlines()):
        assert row["host"] == endpoint.base_url.split("/")[2]
        if row["path"]:
            ledger[row["run"]][Path(row["path"]).stem].update(range(row["first_line"], row["last_line"] + 1))
    assert sorted(map(dict, ledger.values()), key=repr) == sorted(wire, key=repr)
    assert all(0 < len(lines) < 300 for each in wire for lines in each.values()), wire
    assert wire[0] != wire[1], wire
