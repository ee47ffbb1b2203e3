"""The set-up of the guide, literally: its requests and commands, against the real cluster with its security plugin."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.retrieval.conftest import FILES
from tests.integration.team.conftest import Nodes
from tests.integration.team.test_team_rights import GUIDE

pytestmark = pytest.mark.slow

_REQUEST = re.compile(r"```json\n\s*PUT _plugins/_security/api/(\S+)\n(.*?)```", re.DOTALL)
_COMMANDS = re.compile(r"```sh\n(.*?)```", re.DOTALL)


def test_the_set_up_of_the_guide_works_as_it_is_written(nodes: Nodes, tmp_path: Path) -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    files = tmp_path / "files"
    for name, text in FILES.items():
        (files / name).parent.mkdir(parents=True, exist_ok=True)
        (files / name).write_text(text, encoding="utf-8")
    requests = sorted(_REQUEST.findall(guide), key=lambda request: "mapping" in request[0])
    assert [path for path, _ in requests] == [
        "internalusers/writer", "internalusers/ada", "roles/team_writer", "roles/team_reader",
        "rolesmapping/team_writer", "rolesmapping/team_reader",
    ]  # fmt: skip
    for path, body in requests:
        nodes.configure(path, json.loads(body))
    environment = {**os.environ, "DESKTOP_RAG_HOME": str(tmp_path / "home")}
    said = ""
    setup = guide[guide.index("## Set up") : guide.index("## What is written")]
    commands = [
        shlex.join(shlex.split(line, comments=True))
        for block in _COMMANDS.findall(setup)
        for line in block.strip().splitlines()
    ]
    assert [command.split()[1] for command in commands] == [
        "index", "DESKTOP_RAG_TEAM_PASSWORD=Quiet-harbour-at-9", "serve-index", "libraries", "search",
        "libraries", "libraries",
    ]  # fmt: skip
    for command in commands:
        if command.startswith("export "):
            name, _, environment[name] = command.removeprefix("export ").partition("=")
            continue
        if "libraries" in command:  # the reader's computer, which has no keychain here
            environment["DESKTOP_RAG_TEAM_PASSWORD"] = json.loads(dict(requests)["internalusers/ada"])["password"]
            environment["DESKTOP_RAG_HOME"] = str(tmp_path / "desktop")
        words = [
            re.sub(r"https://search2?\.example\.org:9200/team", nodes.place("guide"), word)
            .replace("/srv/files", str(files))
            .replace("new.pem", "ca.pem")
            .replace("ca.pem", nodes.ca)
            for word in shlex.split(command)[1:]
        ]
        done = subprocess.run(
            [sys.executable, "-P", "-m", "desktop_rag", *words],
            env=environment, capture_output=True, text=True, timeout=300.0, check=False,
        )  # fmt: skip
        said += done.stdout + done.stderr
        assert done.returncode == 0, said
    assert "lease.md" in said
    assert said.count("“Office” was changed.") == 2
