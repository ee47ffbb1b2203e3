"""Where each program keeps its settings on each system, and the entry that it understands."""

import importlib.util
import json
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest

from desktop_rag.errors import SettingsError
from desktop_rag.mcp_server import client_entries
from desktop_rag.mcp_server.client_entries import (
    CLIENTS,
    SERVER,
    carry_out,
    is_added,
    is_installed,
    plan_adding,
    plan_removing,
    set_member,
)
from desktop_rag.text.json_types import Json

HOME = "/home/ada"
EVERYWHERE = {
    "lm-studio": f"{HOME}/.lmstudio/mcp.json",
    "windsurf": f"{HOME}/.codeium/windsurf/mcp_config.json",
    "gemini-cli": f"{HOME}/.gemini/settings.json",
}
LINUX = {
    "claude-desktop": f"{HOME}/.config/Claude/claude_desktop_config.json",
    "claude-code": f"{HOME}/.claude.json",
    "vscode": f"{HOME}/.config/Code/User/mcp.json",
    "cursor": f"{HOME}/.cursor/mcp.json",
    "zed": f"{HOME}/.config/zed/settings.json",
    **EVERYWHERE,
}
MACOS = {
    "claude-desktop": f"{HOME}/Library/Application Support/Claude/claude_desktop_config.json",
    "claude-code": f"{HOME}/.claude.json",
    "vscode": f"{HOME}/Library/Application Support/Code/User/mcp.json",
    "cursor": f"{HOME}/.cursor/mcp.json",
    "zed": f"{HOME}/.config/zed/settings.json",
    **EVERYWHERE,
}
WINDOWS = {
    "claude-desktop": f"{HOME}/AppData/Roaming/Claude/claude_desktop_config.json",
    "claude-code": f"{HOME}/.claude.json",
    "vscode": f"{HOME}/AppData/Roaming/Code/User/mcp.json",
    "cursor": f"{HOME}/.cursor/mcp.json",
    "zed": f"{HOME}/AppData/Roaming/Zed/settings.json",
    **EVERYWHERE,
}
SERVERS = {
    "claude-desktop": "mcpServers",
    "claude-code": "mcpServers",
    "vscode": "servers",
    "cursor": "mcpServers",
    "zed": "context_servers",
    "lm-studio": "mcpServers",
    "windsurf": "mcpServers",
    "gemini-cli": "mcpServers",
}


@pytest.mark.skipif(os.name == "nt", reason="paths of POSIX")
@pytest.mark.parametrize(("system", "files"), [("linux", LINUX), ("darwin", MACOS), ("win32", WINDOWS)])
def test_the_settings_are_where_their_makers_say(
    system: str, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(Path, "home", lambda: Path(HOME))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("APPDATA", f"{HOME}/AppData/Roaming")
    assert {name: str(client.file()) for name, client in CLIENTS.items()} == files


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize(
    "before",
    [
        "",
        '// mine\n{\n  "a": 1, // one\n}\n',
        "{ /* all */ }\n",
        '{"SERVERS": {"other": {"command": "x",},}, /* end */}\n',
        '\ufeff{\r\n\t"SERVERS": {\r\n\t\t// none yet\r\n\t}\r\n}\r\n',
    ],
)
def test_an_entry_is_added_and_undone(name: str, before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "Roaming"))
    before = before.replace("SERVERS", SERVERS[name])
    file = CLIENTS[name].file()
    if before:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(before.encode())
    carry_out(plan_adding(name))
    text = file.read_bytes().decode()
    entry = json.loads(text[text.index("{", text.index('"desktop-rag"')) :].partition("}")[0] + "}")
    assert entry.pop("type", None) == ("stdio" if name in ("claude-code", "vscode") else None)
    assert entry["args"][-1] == "mcp"
    assert Path(entry["command"]).is_absolute()
    for comment in ("// mine", "// one", "/* all */", "/* end */", "// none yet"):
        assert (comment in text) == (comment in before)
    assert not plan_adding(name).changes
    made = [each for each in file.parents if each != tmp_path and each.is_relative_to(tmp_path)]
    carry_out(plan_removing(name))
    if not before:  # there was no file, nor its folder
        assert not file.exists()
        assert not any(each.exists() for each in made)
        assert not is_installed(name) or file.parent == tmp_path
        return
    left = file.read_bytes().decode()
    if '"other"' in before:
        assert left == before
    assert all(comment in left for comment in ("// mine", "// one", "/* all */", "/* end */") if comment in before)
    assert "desktop-rag" not in file.read_text(encoding="utf-8")


def test_a_file_that_changed_after_it_was_shown_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    change = plan_adding("cursor")
    change.file.parent.mkdir(parents=True)
    change.file.write_text('{"mcpServers": {"new": {}}}', encoding="utf-8")
    with pytest.raises(SettingsError, match="has just been changed by another program"):
        carry_out(change)
    assert "desktop-rag" not in change.file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "before",
    [
        '{"mcpServers": {"desktop-rag": {"command": "mine", "env": {"K": "v"}}}}',
        '{\n  "mcpServers": {\n    "desktop-rag": {"command": "d", "args": ["mcp", "--folder", "x"]} // own\n  }\n}\n',
        '{"mcpServers": {}}\n',
        '{\n  "mcpServers": {\n  },\n  "a": 1\n}\n',
        '{\r\n  "mcpServers": {\r\n    "o": {"command": "y"}\r\n  }\r\n}\r\n',
        '{\r\n  "a": 1\r\n}\r\n',
        "",
        " \n",
    ],
)
def test_what_the_person_had_comes_back(before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "program"))
    file = CLIENTS["cursor"].file()
    file.parent.mkdir(parents=True)
    file.write_bytes(before.encode())
    carry_out(plan_adding("cursor"))
    monkeypatch.setenv("DESKTOP_RAG_HOME", f"{tmp_path}/program/")  # renewed
    carry_out(plan_adding("cursor"))
    text = file.read_bytes().decode()
    assert '"args": [' in text
    assert "\r\n" not in before or text.count("\n") == text.count("\r\n")
    kept = tmp_path / "program" / "client-entries.json"
    assert kept.stat().st_mode & 0o077 == 0 or os.name == "nt"
    carry_out(plan_removing("cursor"))
    assert file.read_bytes().decode() == before
    assert kept.read_text() == "{}"


def test_a_file_that_was_made_stays_once_something_else_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    carry_out(plan_adding("cursor"))
    file = CLIENTS["cursor"].file()
    added = json.loads(file.read_text())
    added["mcpServers"]["other"] = {"command": "y"}
    file.write_text(json.dumps(added))
    carry_out(plan_removing("cursor"))
    assert json.loads(file.read_text()) == {"mcpServers": {"other": {"command": "y"}}}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are of POSIX")
def test_a_pipe_in_the_place_of_the_settings_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    os.mkfifo(tmp_path / ".claude.json")
    assert not is_added("claude-code")
    with pytest.raises(SettingsError, match="is no file"):
        plan_adding("claude-code")


@pytest.mark.skipif(os.name == "nt", reason="paths of POSIX")
def test_the_missing_package_is_installed_where_the_program_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(client_entries, "protocol_is_installed", lambda: False)
    monkeypatch.setattr(sys, "executable", "/opt/my programs/bin/python")

    def told() -> str:
        with pytest.raises(SettingsError) as caught:
            client_entries.require_protocol()
        return str(caught.value)

    assert told().endswith("'/opt/my programs/bin/python' -m pip install \"mcp>=2.3,<3\"")
    with monkeypatch.context() as without_pip:
        without_pip.setattr(importlib.util, "find_spec", lambda name: None)
        assert told().endswith("uv pip install --python '/opt/my programs/bin/python' \"mcp>=2.3,<3\"")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "desktop-rag"))
    (tmp_path / "desktop-rag").mkdir()
    (tmp_path / "desktop-rag" / "pipx_metadata.json").touch()
    assert told().endswith("Install it: pipx inject desktop-rag mcp")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert told().endswith("The released installers have it.")


def test_the_hint_names_the_versions_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["optional-dependencies"]["mcp"] == [client_entries.REQUIREMENT]


def test_the_blocks_to_paste_are_what_is_written() -> None:
    """Each block of the page is valid; those of programs whose settings can be changed are what `--add` writes."""
    page = (Path(__file__).parents[3] / "docs" / "mcp.md").read_text(encoding="utf-8")
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    for client in CLIENTS.values():
        typed: dict[str, Json] = {"type": "stdio"} if client.typed else {}
        entry: dict[str, Json] = {**typed, "command": "/usr/bin/desktop-rag", "args": ["mcp"]}
        assert json.loads(set_member("", (*client.path, SERVER), entry)) in blocks, client.title
    [codex] = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert tomllib.loads(codex)["mcp_servers"]["desktop-rag"]["args"] == ["mcp"]
