"""The MCP bundle: its manifest keeps the rules of the published format, and a host can start what it holds."""

import json
import re
import stat
import sys
import zipfile
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client

import mcpb
from desktop_rag.mcp_server.tool_answers import ToolAnswers

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the program is a script of the shell here")

# The fields of a manifest by its published schema (0.3), which allows no other ones, as far as one is written.
REQUIRED = {"manifest_version", "name", "version", "description", "author", "server"}
OPTIONAL = {
    *("display_name", "long_description", "homepage", "documentation", "support", "repository", "icon", "icons"),
    *("screenshots", "localization", "tools", "tools_generated", "prompts", "prompts_generated", "keywords"),
    *("license", "privacy_policies", "compatibility", "user_config", "_meta"),
}


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    program = tmp_path / "program"
    (program / "lib").mkdir(parents=True)
    script = program / "desktop-rag"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m desktop_rag "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    (program / "lib" / "data").write_bytes(b"data")
    (program / "lib" / "link").symlink_to("data")
    return mcpb.write(program, tmp_path / "dist")


def read(bundle: Path) -> dict[str, Any]:
    with zipfile.ZipFile(bundle) as archive:
        return dict(json.loads(archive.read("manifest.json")))


def test_the_manifest_keeps_the_rules_of_its_format(bundle: Path) -> None:
    told = read(bundle)
    assert set(told) >= REQUIRED
    assert set(told) <= REQUIRED | OPTIONAL
    assert told["manifest_version"] == "0.3"
    assert re.fullmatch(r"\d+\.\d+\.\d+", told["version"])
    assert re.fullmatch(r"[a-z][a-z-]+", told["name"])
    assert set(told["author"]) <= {"name", "email", "url"}
    assert told["author"]["name"]
    assert set(told["server"]) == {"type", "entry_point", "mcp_config"}
    assert told["server"]["type"] in ("python", "node", "binary")
    start = told["server"]["mcp_config"]
    assert set(start) <= {"command", "args", "env", "platform_overrides"}
    assert all(isinstance(text, str) for text in (start["command"], *start["args"], *start["env"].values()))
    assert all(set(tool) == {"name", "description"} for tool in told["tools"])
    assert [tool["name"] for tool in told["tools"]] == [spec.name for spec in ToolAnswers.specs()]
    assert set(told["compatibility"]) <= {"claude_desktop", "platforms", "runtimes"}
    assert told["compatibility"]["platforms"] == [sys.platform]
    assert all(isinstance(told[name], str) for name in ("display_name", "description", "long_description", "license"))


def test_a_bundle_holds_all_that_its_manifest_names(bundle: Path) -> None:
    told = read(bundle)
    with zipfile.ZipFile(bundle) as archive:
        assert archive.testzip() is None
        assert archive.read(told["icon"]).startswith(b"\x89PNG")
        entry = archive.getinfo(told["server"]["entry_point"])
        assert entry.external_attr >> 16 & 0o777 == 0o755
        assert archive.read("server/lib/link") == b"data", "a host unpacks no links"
        assert not stat.S_ISLNK(archive.getinfo("server/lib/link").external_attr >> 16)


@pytest.mark.processes
def test_a_host_starts_the_server_of_a_bundle(bundle: Path, tmp_path: Path) -> None:
    installed = tmp_path / "extensions" / "desktop-rag"
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(installed)
        for entry in archive.infolist():
            (installed / entry.filename).chmod(entry.external_attr >> 16)
    start = read(bundle)["server"]["mcp_config"]
    command = start["command"].replace("${__dirname}", str(installed))
    server = StdioServerParameters(
        command=command, args=start["args"], env={"DESKTOP_RAG_HOME": str(tmp_path / "home")}
    )

    async def run() -> None:
        async with Client(stdio_client(server)) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == {s.name for s in ToolAnswers.specs()}

    anyio.run(run)


def test_a_missing_program_is_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"is missing: make it with .*dev\.py build"):
        mcpb.write(tmp_path, tmp_path)
