"""Indexes of a new encoder or format are built beside the ones that are read, which then give way to them."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.errors import TeamError, TeamMissing
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.stop import Stop
from desktop_rag.team.format import team_indexes
from desktop_rag.team.format.team_indexes import KINDS, PASSAGES, SOURCES, create_indexes, publish
from desktop_rag.team.reader.team_engine import TeamEngine
from desktop_rag.team.server.team_connection import TeamConnection
from desktop_rag.team.writer.source_files import TeamSource
from desktop_rag.team.writer.team_sync import TeamSync
from tests.integration.retrieval.conftest import FILES, SmallLibrary
from tests.integration.team.conftest import DIMENSIONS, Nodes, count, refresh

pytestmark = pytest.mark.slow


@pytest.fixture
def library(tmp_path: Path) -> Iterator[SmallLibrary]:
    library = SmallLibrary(tmp_path)
    library.add(FILES)
    yield library
    library.close()


def begin(nodes: Nodes, place: str, encoder: str) -> tuple[TeamConnection, frozenset[str]]:
    connection = nodes.connect(place)
    return connection, create_indexes(connection, DIMENSIONS, 1, 0, encoder)


def write(library: SmallLibrary, connection: TeamConnection, name: str) -> None:
    sync = TeamSync(library.catalog, connection, TeamSource(name, "everyone"))
    sync.start(Stop())
    while sync.step(Stop()):
        pass


def found(engine: TeamEngine) -> set[str]:
    return {hit.path.name for hit in engine.search(SearchRequest("rent", Mode.KEYWORD), Stop()).hits}


def test_readers_change_over_when_every_writer_is_there(library: SmallLibrary, nodes: Nodes) -> None:
    old, read = begin(nodes, "moved", "encoder 1")
    assert not read
    for name in ("a", "b"):
        write(library, old, name)
    refresh(old)
    new, read = begin(nodes, "moved", "encoder 2")
    assert read == {old.index(PASSAGES)}
    write(library, new, "b")
    with closing(TeamEngine(nodes.connect("moved"))) as engine:
        before = found(engine)
        assert before
        assert publish(new, read, Stop()) == ["a"]  # not written yet: the old ones are still read …
        assert new.ask("GET", f"/{new.alias(PASSAGES)}/_mapping").keys() == read
        write(library, new, "a")
        assert publish(new, read, Stop()) == []
        assert new.ask("GET", f"/{new.alias(PASSAGES)}/_mapping").keys() == {new.index(PASSAGES)}
        assert found(engine) == before  # … and the same reader goes on with the new ones
    with pytest.raises(TeamMissing):
        count(old, PASSAGES)
    numbers = {entry["name"]: entry["number"] for entry in team_indexes.sources_in(new, new.alias(SOURCES))}
    assert numbers == {"a": 1, "b": 2}  # the ids are as before
    for each in (old, new):
        each.close()


def test_an_index_from_before_aliases_gives_way_too(
    library: SmallLibrary, nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(nodes.connect("early")) as early:
        for kind in KINDS:
            early.ask("PUT", f"/{early.alias(kind)}", {"settings": {"number_of_replicas": 0}})
    connection, read = begin(nodes, "early", "encoder")
    assert read == {connection.alias(PASSAGES)}
    write(library, connection, "a")
    assert publish(connection, read, Stop()) == []
    with closing(TeamEngine(nodes.connect("early"))) as engine:
        assert found(engine)
    monkeypatch.setattr(team_indexes, "FORMAT", 3)
    with pytest.raises(TeamError, match="newer version"):
        create_indexes(connection, DIMENSIONS, 1, 0, "encoder")
    connection.close()
