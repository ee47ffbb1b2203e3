"""The writer: a killed, repeated or late writer leaves the team library equal to the library on this computer."""

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

import pytest

from desktop_rag.errors import Stopped, TeamConflict
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.stop import Stop
from desktop_rag.team.format.document_cards import shared_id
from desktop_rag.team.format.team_indexes import DOCUMENTS, LINES, PASSAGES
from desktop_rag.team.reader.team_catalog import TeamCatalog
from desktop_rag.team.reader.team_engine import TeamEngine
from desktop_rag.team.server.team_connection import BulkAction, TeamConnection
from desktop_rag.team.writer import team_sync
from desktop_rag.team.writer.source_files import TeamSource
from desktop_rag.team.writer.team_sync import TeamSync
from tests.integration.retrieval.conftest import LEASE, SmallLibrary
from tests.integration.team.conftest import Copy, Nodes, connect, copy_of, count, refresh

pytestmark = pytest.mark.slow

_TEXTS = {f"notes/{number}.md": f"# Note {number}\n\nThe valve {number} leaks.\n" for number in range(40)}


@pytest.fixture
def small(tmp_path: Path) -> Iterator[SmallLibrary]:
    library = SmallLibrary(tmp_path)
    library.add(_TEXTS)
    yield library
    library.close()


@pytest.fixture
def copy(small: SmallLibrary, nodes: Nodes, request: pytest.FixtureRequest) -> Iterator[Copy]:
    name = request.node.name.removeprefix("test_").replace("_", "-").lower()
    found = copy_of(small, nodes, name)
    yield found
    found.connection.ask("DELETE", f"/{found.connection.name}-*")
    for each in (found.local, found.team, found.connection):
        each.close()


def found(copy: Copy, query: str) -> list[str]:
    hits = copy.team.search(SearchRequest(query, Mode.KEYWORD, 100), Stop()).hits
    return sorted(hit.path.name for hit in hits)


def remove(library: SmallLibrary, path: bytes) -> None:
    files = library.catalog.files
    folder = library.catalog.folders.all()[0]
    files.remove(files.of_folder(folder.id)[path].id)


def test_a_removed_file_leaves_nothing_behind(copy: Copy) -> None:
    assert found(copy, "leaks") == sorted(Path(name).name for name in _TEXTS)
    before = [count(copy.connection, kind) for kind in (DOCUMENTS, PASSAGES, LINES)]
    remove(copy.library, b"notes/7.md")
    copy.follow()
    assert "7.md" not in found(copy, "leaks")
    after = [count(copy.connection, kind) for kind in (DOCUMENTS, PASSAGES, LINES)]
    assert [earlier - later for earlier, later in zip(before, after, strict=True)] == [1, 1, 2]


def test_what_was_removed_is_not_shown_before_searches_see_it(copy: Copy) -> None:
    copy.connection.ask("PUT", f"/{copy.connection.name}-*/_settings", {"index": {"refresh_interval": "-1"}})
    content = copy.library.content("notes/3.md")
    shared = shared_id(1, content)
    copy.connection.bulk([BulkAction(DOCUMENTS, str(shared), None)], 1 << 50, Stop())
    listed = copy.connection.msearch(PASSAGES, [{"query": {"term": {"content": shared}}}])[0]
    assert listed["hits"]["total"]["value"] == 1  # type: ignore[index]
    assert "3.md" not in found(copy, "leaks")


def test_a_moved_file_is_found_at_its_new_place(copy: Copy) -> None:
    files = copy.library.catalog.database
    files.execute("UPDATE file SET path = ? WHERE path = ?", (b"archive/old 5.md", b"notes/5.md"))
    copy.follow()
    assert found(copy, "folder:archive") == ["old 5.md"]
    assert "5.md" not in found(copy, "leaks")


def test_repeated_and_late_requests_change_nothing(copy: Copy) -> None:
    shared = str(shared_id(1, copy.library.content("notes/1.md")))
    known = copy.connection.mget(DOCUMENTS, [shared], ("card", "digest"))[shared]
    late = [BulkAction(DOCUMENTS, shared, {**known, "digest": "late"})]
    assert copy.connection.bulk(late, 1, Stop()) == 0
    assert copy.connection.mget(DOCUMENTS, [shared], ("digest",))[shared]["digest"] == known["digest"]
    gone = [BulkAction(DOCUMENTS, shared, None)]
    copy.connection.bulk(gone, 1 << 60, Stop())
    assert copy.connection.bulk(late, 1 << 59, Stop()) == 0  # what was deleted does not come back
    assert copy.connection.mget(DOCUMENTS, [shared], ("digest",)) == {}


def test_a_second_writer_takes_over_and_the_first_one_stops(copy: Copy) -> None:
    second = TeamSync(copy.library.catalog, copy.connection, TeamSource(copy.connection.name, "everyone"))
    second.start(Stop())
    while second.step(Stop()):
        pass
    copy.library.add({"notes/new.md": "# New\n\nThe valve is new.\n"}, root="more")
    with pytest.raises(TeamConflict, match="--name"):
        copy.follow()
    while second.step(Stop()):
        pass
    refresh(copy.connection)
    assert found(copy, "new") == ["new.md"]


def test_a_writer_that_ends_anywhere_loses_nothing(
    small: SmallLibrary, nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each writer ends after some requests, as if killed; the last one finds everything in place."""
    monkeypatch.setattr(team_sync, "BULK_BYTES", 2_000)
    monkeypatch.setattr(team_sync, "CHANGES", 10)
    connection = connect(nodes, "killed")
    ended = 0
    for requests in (*range(1, 40, 3), 10_000):
        catalog = small.catalog
        own = _Ending(nodes, connection, requests)
        sync = TeamSync(catalog, own, TeamSource("killed", "everyone"))
        try:
            sync.start(Stop())
            while sync.step(Stop()):
                pass
            break
        except Stopped:
            ended += 1
        finally:
            own.close()
        if ended == 3:
            small.add({"notes/late.md": LEASE}, root="late")
            remove(small, b"notes/9.md")
    refresh(connection)
    assert ended > 5
    visible = catalog.files.visible_contents()
    chunks = [chunk for content in visible for chunk in catalog.chunks.ids_of_content(content)]
    assert count(connection, DOCUMENTS) == len(visible)
    assert count(connection, PASSAGES) == len(chunks)
    engine = TeamEngine(nodes.connect("killed"))
    assert len(engine.search(SearchRequest("valve", Mode.KEYWORD, 100), Stop()).hits) == len(_TEXTS) - 1
    engine.close()
    connection.close()


@pytest.mark.parametrize("requests", range(6))
def test_a_file_removed_around_the_end_of_a_writer_leaves_nothing_behind(
    small: SmallLibrary, nodes: Nodes, monkeypatch: pytest.MonkeyPatch, requests: int
) -> None:
    """The writer ends while it writes or removes the file; nothing names the entries that it left."""
    monkeypatch.setattr(team_sync, "BULK_BYTES", 1)
    connection = connect(nodes, f"orphans{requests}")
    following(small, connection)
    for change in (lambda: small.add({"late.md": LEASE}, root="late"), lambda: remove(small, b"notes/9.md")):
        change()
        with suppress(Stopped), closing(_Ending(nodes, connection, requests)) as own:
            following(small, own)
    with closing(Catalog.open(small.layout.catalog)) as catalog:
        late = next(folder for folder in catalog.folders.all() if folder.path.endswith(b"late"))
        catalog.files.remove(catalog.files.of_folder(late.id)[b"late.md"].id)
    following(small, connection)
    refresh(connection)
    left = len(_TEXTS) - 1
    assert [count(connection, kind) for kind in (DOCUMENTS, PASSAGES, LINES)] == [left, left, 2 * left]
    connection.close()


def following(library: SmallLibrary, connection: TeamConnection) -> None:
    sync = TeamSync(library.catalog, connection, TeamSource("orphans", "everyone"))
    sync.start(Stop())
    while sync.step(Stop()):
        pass


class _Ending(TeamConnection):
    """A connection whose program ends after some bulk requests: before the next one is sent."""

    def __init__(self, nodes: Nodes, connection: TeamConnection, requests: int) -> None:
        super().__init__(connection.place, ca_file=nodes.ca, certificate=nodes.administrator)
        self._left = requests

    def bulk(self, actions: Sequence[BulkAction], version: int, stop: Stop, *, refresh: bool = False) -> int:
        self._left -= 1
        if self._left < 0:
            raise Stopped
        return super().bulk(actions, version, stop, refresh=refresh)


def test_a_passage_is_sent_once_though_it_was_added_and_encoded(small: SmallLibrary, nodes: Nodes) -> None:
    small.encode()
    connection = connect(nodes, "once")
    sync = TeamSync(small.catalog, connection, TeamSource("once", "everyone"))
    sync.start(Stop())
    while sync.step(Stop()):
        pass
    assert sync.counts.passages == len(_TEXTS)
    refresh(connection)
    assert count(connection, PASSAGES) == len(_TEXTS)
    connection.close()


def test_a_passage_is_read_before_searches_see_it(small: SmallLibrary, nodes: Nodes) -> None:
    connection = connect(nodes, "unseen")
    connection.ask("PUT", f"/{connection.name}-*/_settings", {"index": {"refresh_interval": "-1"}})
    sync = TeamSync(small.catalog, connection, TeamSource("unseen", "everyone"))
    sync.start(Stop())
    while sync.step(Stop()):
        pass
    chunks = small.catalog.chunks.ids_of_content(next(iter(small.catalog.contents.all_ids())))
    shared = [ChunkId(shared_id(sync.number, chunk)) for chunk in chunks]
    assert TeamCatalog(connection).chunks.by_id(shared).keys() == set(shared)
    connection.close()


def test_the_server_keeps_no_second_copy_of_the_vectors(small: SmallLibrary, nodes: Nodes) -> None:
    small.add(
        {f"long{at}.md": "\n\n".join(f"Valve {at} {n} leaks." for n in range(400)) for at in range(3)}, root="long"
    )
    small.encode()
    connection = connect(nodes, "sizes")
    sync = TeamSync(small.catalog, connection, TeamSource("sizes", "everyone"))
    sync.start(Stop())
    while sync.step(Stop()):
        pass
    connection.ask("POST", f"/{connection.index(PASSAGES)}/_flush")
    path = f"/{connection.index(PASSAGES)}/_stats/segments?include_segment_file_sizes=true"
    segments = connection.ask("GET", path)["_all"]["primaries"]["segments"]  # type: ignore[index]
    stored = segments["file_sizes"]["fdt"]["size_in_bytes"]
    assert 0 < stored < sync.counts.sentences * 384
    connection.close()
