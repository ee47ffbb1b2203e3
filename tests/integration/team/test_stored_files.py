"""Files with pages reach desktops by a store: for readers of their space, and as long as the library has them."""

import hashlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from desktop_rag.errors import TeamError
from desktop_rag.index.library import Library
from desktop_rag.index.team_status import STORE_SECRET
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from desktop_rag.team.access.file_store import FileStore, StoreKey
from desktop_rag.team.access.team_joining import TeamAddress
from desktop_rag.team.writer.source_files import TeamSource
from desktop_rag.team.writer.team_worker import TeamWorker
from tests.integration.documents.conftest import make_pdf
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.team.conftest import Nodes, refresh
from tests.s3_server import S3Server, s3_server

pytestmark = pytest.mark.slow

_KEY = StoreKey("WRITER", "secret/of+writer")


class Stored(NamedTuple):
    """A library with a PDF in each of two spaces, and a text; its writer stores the files."""

    library: SmallLibrary
    server: S3Server
    nodes: Nodes
    hashes: dict[str, str]

    def write(self) -> None:
        sources = tuple(
            TeamSource(f"stored:{space}", space, (bytes(self.library.files / space),)) for space in ("open", "closed")
        )
        with closing(self.nodes.connect("stored")) as connection, closing(FileStore(self.server.url, _KEY)) as store:
            TeamWorker(self.library.layout, connection, sources, print, store).run(Stop(), 1, 1, once=True)
            refresh(connection)

    def reader(self, folder: Path, spaces: tuple[str, ...], key: str) -> SearcherClient:
        url, certificate = self.nodes.place("stored"), self.nodes.administrator
        address = TeamAddress(
            url, ca_file=self.nodes.ca, spaces=spaces, certificate=certificate,
            files_url=self.server.url, files_key=key,
        )  # fmt: skip
        address.store(Library(folder))
        return SearcherClient(folder)


@pytest.fixture
def stored(nodes: Nodes, tmp_path: Path) -> Iterator[Stored]:
    library = SmallLibrary(tmp_path)
    hashes = {}
    with s3_server() as server:
        for space in ("open", "closed"):
            data = make_pdf([f"The boiler of the {space} house is cold."])
            folder = library.add({"note.md": f"# Note\n\nThe {space} house.\n"}, root=space)
            (library.files / space / "boiler.pdf").write_bytes(data)
            library.put(folder, "boiler.pdf", library.files / space / "boiler.pdf")
            hashes[space] = hashlib.sha256(data).hexdigest()
        library.commit()
        library.encode()
        found = Stored(library, server, nodes, hashes)
        found.write()
        yield found
    library.close()


def remove(stored: Stored, space: str) -> None:
    folder = next(each for each in stored.library.catalog.folders.all() if each.path.endswith(space.encode()))
    files = stored.library.catalog.files
    files.remove(files.of_folder(folder.id)[b"boiler.pdf"].id)


def test_the_store_has_the_files_with_pages_and_no_others(stored: Stored) -> None:
    assert set(stored.server.objects) == {
        f"open/1/{stored.hashes['open']}",
        f"closed/2/{stored.hashes['closed']}",
    }
    stored.server.objects["open/1/" + "0" * 64] = b"left by a writer that was killed"
    remove(stored, "closed")
    stored.write()
    assert set(stored.server.objects) == {f"open/1/{stored.hashes['open']}"}


def test_a_reader_gets_the_files_of_the_own_space(
    stored: Stored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(STORE_SECRET, "of ada")
    stored.server.keys["ADA"], stored.server.readable["ADA"] = "of ada", "open/"
    mine, others = stored.hashes["open"], stored.hashes["closed"]
    with closing(stored.reader(tmp_path / "ada", ("open",), "ADA")) as ada:
        copy = ada.file_copy(mine, Stop())
        assert copy is not None
        assert hashlib.sha256(copy.read_bytes()).hexdigest() == mine
        assert copy.is_relative_to(tmp_path / "ada")
        assert ada.file_copy(others, Stop()) is None  # her spaces do not have it
    with closing(stored.reader(tmp_path / "eve", (), "ADA")) as eve, pytest.raises(TeamError, match="refuses"):
        eve.file_copy(others, Stop())  # the server lets her read it, the policy of the bucket does not


def test_a_store_that_is_away_stops_no_writer(stored: Stored) -> None:
    said: list[str] = []
    stop = Stop()

    def say(text: str) -> None:
        said.append(text)
        if "stored later" in text:
            stop.set()

    away = FileStore("http://127.0.0.1:9/files", _KEY)
    with closing(stored.nodes.connect("stored")) as connection:
        worker = TeamWorker(stored.library.layout, connection, (TeamSource("stored:open", "open"),), say, away)
        worker.run(stop, 1, 1)
    assert "does not answer" in said[-1]
    assert worker.reachable
