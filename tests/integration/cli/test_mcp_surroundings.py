"""What is secret only because of what stands around it reaches no client, however small the part that it asks for."""

import hashlib
import re
from pathlib import Path

import pytest
from mcp import Client

from desktop_rag.settings import PrivacyOptions, Settings, save
from tests.integration.cli.conftest import Program
from tests.integration.cli.mcp_sessions import driven

pytestmark = pytest.mark.processes

ROWS = "\n".join(f"| user{n:02} | host{n} | Zk{n:02}vbQ7mmx{n} |" for n in range(60))
TABLE = f"# Accounts flamenco\n\n| user | host | password |\n|---|---|---|\n{ROWS}\n"
NOTES = (
    "# Wifi toucan\n\nThe password of toucan:\n\nQw8rTz55pLm\n\nPassword: Yx7secretXYZ99 of the lease\n\n"
    "We met with Falkenstein Holding about the merger of Blue\nHarbour into the group.\n"
)
LONG = " ".join(f"maple grass river password: sEcReT{n:04}qqZ9x" for n in range(600)) + "\n"
SECRET = re.compile(r"Zk\d\dvbQ7|Qw8rTz|secretXYZ|cretXYZ|Falkenst|kenstein|qqZ9x|sEcReT|Blue|Harbour")


@pytest.fixture
def guarded(copied: Program, tmp_path: Path) -> Program:
    """A library with secrets, and words that are never sent."""
    folder = tmp_path / "accounts"
    folder.mkdir()
    for name, text in (("table.md", TABLE), ("notes.md", NOTES), ("long.txt", LONG)):
        (folder / name).write_text(text, encoding="utf-8")
    assert copied.run("index", folder).code == 0
    save(copied.home / "settings.json", Settings(privacy=PrivacyOptions(never_words=("Falkenstein", "Blue Harbour"))))
    return copied


CALLS: list[tuple[str, dict[str, object]]] = [
    ("search", {"queries": ["user45 host45"], "limit": 2}),
    ("search", {"queries": ["toucan", "merger group"], "limit": 5}),
    ("search", {"queries": ["maple token grass river"], "limit": 20, "mode": "keyword"}),
    ("search", {"queries": ["user31"], "mode": "exact"}),
    ("list_documents", {"query": "accounts"}),
    ("ask", {"question": "What is the password of user45 on host45?", "model": "built-in"}),
    ("verify_citations", {"text": "The entry of user45 is on host45 [table.md, line 50]."}),
]


PARTS = [("table", "20-21"), ("table", "40/from/24"), ("notes", "5"), ("notes", "7/from/14"), ("notes", "7/from/15")]
PARTS += [("notes", "9/from/16"), ("notes", "9"), ("notes", "10"), ("long", "1/from/300")]


async def everything(client: Client) -> dict[str, str]:
    """Return what came back, by what was asked."""
    seen: dict[str, str] = {}
    for part in PARTS:
        digest = hashlib.sha256({"table": TABLE, "notes": NOTES, "long": LONG}[part[0]].encode()).hexdigest()
        read = await client.read_resource(f"library://document/{digest}/lines/{part[1]}")
        seen[" ".join(part)] = read.model_dump_json()
    for name, arguments in CALLS:
        found = await client.call_tool(name, arguments)
        assert not found.is_error
        seen[f"{name} {arguments}"] = found.model_dump_json()
    names: dict[str, str] = {}
    for word in ("flamenco", "toucan", "maple"):
        found = await client.call_tool("search", {"queries": [word], "limit": 1, "mode": "keyword"})
        assert found.structured_content is not None
        names[word] = found.structured_content["results"][0]["reference"]
    for line in (5, 30, 40, 64):
        opened = await client.call_tool("open", {"reference": names["flamenco"], "line": line, "lines": 1})
        assert f"user{line - 5:02}" in opened.model_dump_json()
        seen[f"open {line}"] = opened.model_dump_json()
    sought = await client.call_tool("find", {"reference": names["flamenco"], "patterns": ["host31"]})
    seen["find"] = sought.model_dump_json()
    for word, reference in names.items():
        read_on = await client.call_tool("read_chunks", {"references": [reference], "chunks": [1, 2, 3]})
        seen[f"read {word}"] = read_on.model_dump_json()
    return seen


def test_no_part_of_a_document_shows_what_the_whole_would_hide(guarded: Program) -> None:
    async def session(client: Client) -> None:
        seen = await everything(client)
        assert {asked: found for asked, text in seen.items() if (found := SECRET.findall(text))} == {}
        assert len([asked for asked, text in seen.items() if "{{" in text]) > len(seen) / 2

    driven(guarded, session)
