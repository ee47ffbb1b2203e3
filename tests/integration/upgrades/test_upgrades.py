"""Libraries of every released version: this version opens them with all that they hold; newer ones stay untouched."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from desktop_rag.agent.conversations.bookmarks import BookmarkStore
from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.events import Answered

pytestmark = pytest.mark.processes

STORED = sorted(Path(__file__).parent.glob("library-*.zip"))


class Unpacked:
    """A stored library, unpacked and moved to another folder than that of its documents when it was stored."""

    def __init__(self, archive: Path, folder: Path) -> None:
        shutil.unpack_archive(archive, folder)
        self.home, self.documents = folder / "home", folder / "documents"
        self.library = self.home / "libraries" / "default"
        known = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
        self.expected: Mapping[str, str] = known
        for path in self.documents.rglob("*"):
            os.utime(path, (known["written"], known["written"]))

    def run(self, *arguments: str, code: int = 0) -> str:
        environment = {**os.environ, "DESKTOP_RAG_HOME": str(self.home)}
        command = [sys.executable, "-m", "desktop_rag", *arguments]
        result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert result.returncode == code, result.stdout + result.stderr
        return result.stdout + result.stderr


@pytest.fixture(params=STORED, ids=lambda archive: archive.stem)
def unpacked(request: pytest.FixtureRequest, tmp_path: Path) -> Unpacked:
    return Unpacked(request.param, tmp_path / "Stored library")


def test_a_library_of_every_version_is_stored() -> None:
    assert "library-0.1.0" in {archive.stem for archive in STORED}
    assert all(archive.stat().st_size < 300_000 for archive in STORED)


def test_a_stored_library_is_opened_with_conversations_and_bookmarks(unpacked: Unpacked) -> None:
    expected = unpacked.expected
    unpacked.run("relocate", expected["folder"], str(unpacked.documents))
    unpacked.run("index", "--json")
    hits = json.loads(unpacked.run("search", expected["query"], "--mode", "keyword", "--json"))["hits"]
    assert expected["file"] in {Path(hit["path"]).name for hit in hits}
    assert all(Path(hit["path"]).is_relative_to(unpacked.documents) for hit in hits)
    unpacked.run("check", "--deep")
    with closing(ConversationStore(unpacked.library / "conversations.sqlite")) as store:
        assert not store.notice
        (listed,) = store.summaries()
        (turn,) = store.load(listed.id).turns
        last = turn.events[-1]
        assert turn.question == expected["question"]
        assert isinstance(last, Answered)
        assert last.citations[0].quote == expected["quote"]
    with closing(BookmarkStore(unpacked.library / "bookmarks.sqlite")) as bookmarks:
        assert [(known.passage.quote, known.note) for known in bookmarks.all()] == [
            (expected["quote"], expected["note"])
        ]


def test_a_library_of_a_newer_version_is_not_written(unpacked: Unpacked) -> None:
    catalog = unpacked.library / "catalog.sqlite"
    with closing(apsw.Connection(str(catalog))) as database:
        database.execute("PRAGMA user_version = 999")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = catalog.read_bytes()
    keyword = {file.name: file.read_bytes() for file in (unpacked.library / "keyword").iterdir()}
    for command in (("index", str(unpacked.documents)), ("search", "lease", "--mode", "keyword")):
        refusal = unpacked.run(*command, code=1)
        assert "newer version of this program. Please update" in " ".join(refusal.split())
    assert catalog.read_bytes() == before
    assert {file.name: file.read_bytes() for file in (unpacked.library / "keyword").iterdir()} == keyword
