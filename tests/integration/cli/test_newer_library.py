"""A library that a newer version of the program wrote: whoever asks is told so, and gets nothing from it."""

import asyncio
import http.client
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from desktop_rag import AsyncLibrary, Library
from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import RunStopped
from desktop_rag.errors import LibraryError
from tests.integration.cli.conftest import Program
from tests.integration.cli.test_serve_command import ASK, serving

pytestmark = pytest.mark.processes

SAID = "newer version of this program"


@pytest.fixture
def newer(copied: Program) -> Program:
    with closing(sqlite3.connect(copied.library.catalog)) as catalog:
        catalog.execute("PRAGMA user_version = 99")
    return copied


@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "rent"),
        ("search", "rent", "--mode", "exact"),
        ("ask", "What is the rent?"),
        ("cite", "NOTE"),
        ("index",),
        ("status",),
        ("status", "--json"),
        ("why", "lease.md"),
        ("check",),
        ("open", "lease.md:5", "--json"),
        ("events", "--once"),
        ("retry",),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_command_says_it(newer: Program, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    note = tmp_path / "note.md"
    note.write_text("The rent is 1,200 euros [lease.md, line 5].\n", encoding="utf-8")
    ran = newer.run(*(str(note) if each == "NOTE" else each for each in arguments))
    assert (ran.code, SAID in ran.err + ran.out, "--repair" in ran.err) == (1, True, False), ran
    assert "1,200" not in ran.out
    assert "searchable" not in ran.out


def test_conversations_of_a_newer_version_are_exported_with_a_notice(copied: Program) -> None:
    with closing(ConversationStore(copied.library.conversations)) as store:
        turn = Turn(1, "How high is the rent?", (RunStopped("It is 1,200 euros.", (), 0.0),), 1)
        store.save(store.begin(turn.question), turn)
    with closing(sqlite3.connect(copied.library.conversations)) as conversations:
        conversations.execute("PRAGMA user_version = 99")
    ran = copied.run("export", "last")
    assert (ran.code, "1,200" in ran.out, SAID in ran.err) == (0, True, True), ran


def test_python_programs_are_told(newer: Program) -> None:
    folder = newer.library.folder
    with pytest.raises(LibraryError, match=SAID), Library.open(folder) as library:
        list(library.search("rent"))

    async def search() -> None:
        async with await AsyncLibrary.open(folder) as library:
            await library.search("rent")

    with pytest.raises(LibraryError, match=SAID):
        asyncio.run(search())


def test_chat_programs_are_told(newer: Program) -> None:
    with serving(newer) as (told, _):
        parts = urlsplit(str(told["address"]))
        with closing(http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)) as connection:
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {told['key']}"}
            connection.request("POST", f"{parts.path}/chat/completions", json.dumps(ASK), headers)
            reply = connection.getresponse()
            said = json.loads(reply.read())
    assert reply.status >= 400
    assert SAID in said["error"]["message"]
