"""`desktop-rag mcp --add PROGRAM`: the settings of other programs, changed only after consent."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_rag.mcp_server.client_entries import CLIENTS
from tests.integration.cli.conftest import Program, Ran

pytestmark = pytest.mark.processes


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


def run(program: Program, *arguments: str) -> Ran:
    home = program.home.parent / "user"
    return program.run("mcp", *arguments, HOME=str(home), XDG_CONFIG_HOME=str(home / ".config"))


def file_of(program: Program, name: str) -> Path:
    listed = [line.split(maxsplit=1) for line in run(program, "--clients").out.splitlines()]
    return Path(next(rest for client, rest in listed if client == name).rsplit(maxsplit=1)[1])


@pytest.mark.slow
@pytest.mark.parametrize("name", CLIENTS)
def test_the_command_in_the_settings_really_serves(program: Program, name: str) -> None:
    assert run(program, "--add", name, "--yes").code == 0
    servers = json.loads(file_of(program, name).read_text(encoding="utf-8"))
    for part in CLIENTS[name].path:
        servers = servers[part]
    entry = servers["desktop-rag"]
    started = subprocess.run(
        [entry["command"], *entry["args"]],
        input=b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
        capture_output=True,
        env=program.environment,
        timeout=60,
        check=False,
    )
    assert json.loads(started.stdout.splitlines()[0])["id"] == 1
    assert "added" in next(line for line in run(program, "--clients").out.splitlines() if line.startswith(name))


def test_nothing_is_written_without_consent(program: Program) -> None:
    ran = run(program, "--add", "cursor")
    assert ran.code == 1
    assert '+    "desktop-rag": {' in ran.out
    assert "Nothing was changed." in ran.err
    assert not file_of(program, "cursor").exists()


def test_other_servers_comments_and_the_mode_of_the_file_stay(program: Program) -> None:
    file = file_of(program, "zed")
    file.parent.mkdir(parents=True)
    before = '// mine\n{\n  "theme": "One", // dark\n  "context_servers": {\n    "other": {"command": "x"},\n  },\n}\n'
    file.write_text(before, encoding="utf-8")
    file.chmod(0o644)
    assert run(program, "--add", "zed", "--yes").code == 0
    added = file.read_text(encoding="utf-8")
    assert "// dark" in added
    assert '"other": {"command": "x"}' in added
    assert stat.S_IMODE(file.stat().st_mode) == 0o644
    assert "has it already" in run(program, "--add", "zed", "--yes").err
    assert run(program, "--remove", "zed", "--yes").code == 0
    assert file.read_text(encoding="utf-8") == before
    assert "does not have it" in run(program, "--remove", "zed").err


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{"mcpServers": {', "no valid JSON"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b'{"mcpServers": 5}', "edit the file by hand"),
        (b"[]", "edit the file by hand"),
        (b'{"a": "' + b"x" * 5_000_001 + b'"}', "larger than"),
    ],
)
def test_a_file_that_cannot_be_edited_safely_is_left_alone(program: Program, content: bytes, why: str) -> None:
    file = file_of(program, "cursor")
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    ran = run(program, "--add", "cursor", "--yes")
    assert (ran.code, why in ran.err) == (1, True)
    assert file.read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_ends_in_a_sentence(program: Program) -> None:
    file = file_of(program, "cursor")
    file.parent.mkdir(parents=True)
    file.parent.chmod(0o500)
    assert "cannot be written" in run(program, "--add", "cursor", "--yes").err


def test_an_unknown_program_lists_the_known(program: Program) -> None:
    ran = run(program, "--add", "emacs", "--yes")
    assert (ran.code, "claude-desktop" in ran.err) == (1, True)
