"""The programs: a library is written with `serve-index`, added with `libraries --team`, and searched like any other."""

import time
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.credentials import Credentials
from desktop_rag.errors import LibraryRefused, TeamError, TeamMisconfigured
from desktop_rag.index.libraries import Libraries
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.server_trouble import ServerTrouble
from desktop_rag.index.team_status import TeamStatus, note_team_status, team_library_status
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from desktop_rag.team.access.team_joining import TeamAddress, join_team_library
from desktop_rag.team.format.team_indexes import DOCUMENTS, LINES, PASSAGES
from desktop_rag.team.reader.any_searcher import engine_of
from desktop_rag.team.reader.team_engine import TeamEngine
from desktop_rag.team.server.json_answers import Json
from desktop_rag.team.server.team_connection import TeamConnection
from desktop_rag.team.writer.source_files import TeamSource
from desktop_rag.team.writer.team_worker import TeamWorker, serving_metrics
from tests.integration.retrieval.conftest import FILES, SmallLibrary
from tests.integration.team.conftest import Nodes, connect


@pytest.mark.slow
def test_a_worker_writes_what_the_searcher_child_finds(nodes: Nodes, tmp_path: Path) -> None:
    library = SmallLibrary(tmp_path)
    library.add(FILES)
    library.encode()
    library.close()
    said: list[str] = []
    with closing(nodes.connect("office")) as connection:
        worker = TeamWorker(library.layout, connection, (TeamSource("office:all", "all"),), said.append)
        worker.run(Stop(), 1, 1, once=True)
        with serving_metrics(0, worker.metrics) as port:
            text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    assert 'desktop_rag_team_documents_total{source="office:all"} 4' in text
    assert text.endswith("# EOF\n")
    address = TeamAddress(nodes.place("office"), ca_file=nodes.ca, certificate=nodes.administrator)
    team = join_team_library(Libraries(tmp_path / "home"), "Office", address, "", Credentials(), Stop()).library
    assert [(folder.path, folder.found) for folder in team_library_status(team).folders] == [(address.url.encode(), 4)]
    with closing(SearcherClient(team.folder)) as searcher:
        hits = searcher.search(SearchRequest("when is the deposit paid back", Mode.HYBRID), Stop()).hits
        assert hits[0].path.name == "lease.md"
        lines = searcher.read_lines(hits[0].content, hits[0].span.first_line, 2, Stop())
        assert lines.lines
    with closing(LibraryClient(team)) as indexer, pytest.raises(LibraryRefused, match="server"):
        indexer.add([tmp_path], Stop())


@pytest.mark.slow
def test_a_space_that_is_written_no_longer_is_emptied(nodes: Nodes, tmp_path: Path) -> None:
    library = SmallLibrary(tmp_path)
    for root, text in (("hr", "The salary is low."), ("public", "The valve leaks.")):
        library.add({f"{root}.md": f"# Note\n\n{text}\n"}, root=root)
    library.encode()
    library.close()
    said: list[str] = []
    whole = TeamSource("files:everyone", "everyone")
    others = TeamSource("others:everyone", "everyone")
    spaces = [TeamSource(f"files:{each}", each, (bytes(library.files / each),)) for each in ("hr", "public")]
    with closing(nodes.connect("spaces")) as connection:
        for sources in ((whole,), (others,), spaces):
            TeamWorker(library.layout, connection, sources, said.append).run(Stop(), 1, 1, once=True)
        written: list[Json] = [{"query": {"term": {"space": space}}} for space in ("everyone", "hr", "public")]
        for kind, parts in ((DOCUMENTS, 1), (PASSAGES, 1), (LINES, 2)):
            answers = connection.msearch(kind, written)
            found = [answer["hits"]["total"]["value"] for answer in answers]  # type: ignore[index]
            assert found == [2 * parts, parts, parts]  # those of the other name are kept
    assert "The space “everyone” is written no longer; its documents are removed." in said
    assert said[-1] == "Everything is copied. Documents in each space: hr 1, public 1"


@pytest.mark.slow
def test_another_node_answers_for_one_that_is_away(nodes: Nodes) -> None:
    url = "https://127.0.0.1:9," + nodes.place("away").removeprefix("https://")
    with closing(TeamConnection(url, ca_file=nodes.ca, certificate=nodes.administrator)) as connection:
        assert connection.ask("GET", "/_cluster/health")["number_of_nodes"] == 2


@pytest.mark.slow
def test_a_part_that_is_away_is_told_with_the_result(nodes: Nodes) -> None:
    with closing(connect(nodes, "parted")) as connection:
        name, away, alias = connection.index("passages"), f"{connection.name}-away", connection.alias("passages")
        homeless = {"index": {"routing.allocation.require._name": "nobody", "number_of_replicas": 0}}
        mappings = connection.ask("GET", f"/{name}/_mapping")[name]
        settings = connection.ask("GET", f"/{name}/_settings")[name]["settings"]["index"]  # type: ignore[index]
        kept = {key: settings[key] for key in ("knn", "analysis", "similarity")}
        connection.ask("DELETE", f"/{name}")
        for index, more in ((f"{connection.name}-here", {}), (away, homeless["index"])):
            path = f"/{index}?wait_for_active_shards=0"
            connection.ask("PUT", path, {**mappings, "settings": {"index": {**kept, **more}}})  # type: ignore[dict-item]
        actions = [{"add": {"index": index, "alias": alias}} for index in (f"{connection.name}-here", away)]
        connection.ask("POST", "/_aliases", {"actions": actions})
    with closing(TeamEngine(nodes.connect("parted"))) as engine:
        found = engine.search(SearchRequest("rent", Mode.KEYWORD), Stop())
        assert found.troubles == (ServerTrouble.INCOMPLETE,)
        assert ServerTrouble.INCOMPLETE.sentence() in found.note


def test_a_server_that_is_away_is_told(tmp_path: Path) -> None:
    team = Library(tmp_path)
    TeamAddress("http://127.0.0.1:9/team").store(team)
    note_team_status(team, TeamStatus("http://127.0.0.1:9/team", 7))
    with closing(SearcherClient(team.folder)) as searcher:
        with pytest.raises(TeamError, match="does not answer"):
            searcher.search(SearchRequest("rent", Mode.KEYWORD), Stop())
        ends = time.monotonic() + 30.0
        while not (status := team_library_status(team)).trouble and time.monotonic() < ends:
            time.sleep(0.05)
    assert "does not answer" in status.trouble
    assert status.folders[0].found == 7  # it is not empty, it is away


def test_a_search_that_no_server_answers_replaces_what_was_told_before(tmp_path: Path) -> None:
    team, place = Library(tmp_path), "http://127.0.0.1:9/team"
    TeamAddress(place).store(team)
    note_team_status(team, TeamStatus(place, 7, ServerTrouble.COPY_MISSING.sentence()))
    with closing(engine_of(team)) as engine, pytest.raises(TeamError, match="does not answer"):
        engine.search(SearchRequest("rent", Mode.KEYWORD), Stop())
    status = team_library_status(team)
    assert "does not answer" in status.trouble
    assert "complete" not in status.trouble
    assert status.folders[0].found == 7


MALFORMED = ["ftp://server/team", "server", "http://:9200", "https://server:9200", "127.0.0.1:9200/team"]


@pytest.mark.parametrize("url", [*MALFORMED, "http://user:secret@127.0.0.1/team"])
def test_an_address_that_cannot_be_used_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(TeamMisconfigured) as refused:
        TeamAddress(url).store(Library(tmp_path))
    assert "secret" not in str(refused.value)
    assert not Library(tmp_path).is_team()


def test_a_password_is_sent_over_tls_only() -> None:
    with pytest.raises(TeamError, match="https"):
        TeamConnection("http://search.example.org:9200/team", "ada", "secret")
