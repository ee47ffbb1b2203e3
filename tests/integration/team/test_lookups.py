"""What a search looks up on the server: together what can be asked for together, and again what may have changed."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.stop import Stop
from desktop_rag.team.format.document_cards import shared_id
from desktop_rag.team.format.team_indexes import DOCUMENTS
from desktop_rag.team.reader import team_catalog
from desktop_rag.team.reader.team_catalog import TeamCatalog
from desktop_rag.team.reader.team_engine import TeamEngine
from desktop_rag.team.server.node_http import NodeHttp, Reply
from desktop_rag.team.server.team_connection import BulkAction
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.team.conftest import Copy, Nodes, copy_of

pytestmark = pytest.mark.slow

_STATE = re.compile(r"/_cluster/|/_settings/")  # how the server is, looked at every 20 s
_TEXTS = {
    f"notes/valve {kind} {number}.md": f"# Note {number}\n\nThe {kind} valve {number} leaks.\n"
    for kind in ("inlet", "outlet")
    for number in range(6)
}


@pytest.fixture(scope="module")
def copy(nodes: Nodes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copy]:
    library = SmallLibrary(tmp_path_factory.mktemp("lookups"))
    library.add(_TEXTS)
    library.encode()
    found = copy_of(library, nodes, "lookups")
    yield found
    for each in (found.local, found.team, found.connection, library):
        each.close()


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of all requests, which are sent as ever."""
    paths: list[str] = []
    send = NodeHttp.send

    def noted(
        client: NodeHttp, method: str, path: str, data: bytes | None, kind: str, connecting: float, waiting: float
    ) -> Reply:
        paths.append(path.partition("?")[0])
        return send(client, method, path, data, kind, connecting, waiting)

    monkeypatch.setattr(NodeHttp, "send", noted)
    return paths


@pytest.mark.parametrize("most", [2_000, 8])
def test_the_words_of_names_are_looked_up_together(
    copy: Copy, requests: list[str], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(team_catalog, "_MOST_NAMED", most)
    words = ("valv", "outlet", "3", "nothing")
    alone = TeamCatalog(copy.connection)
    expected = [alone.file_names.holding((word,)) for word in words]
    assert list(map(len, expected)) == [12 if most > 12 else 0, 6, 2, 0]
    del requests[:]
    together = TeamCatalog(copy.connection)
    together.names.expect(words)
    asked = len(requests)
    assert [together.file_names.holding((word,)) for word in words] == expected
    assert len(requests) == asked == (1 if most > 12 else 2)


def test_documents_that_will_be_wanted_are_looked_up_with_others(copy: Copy, requests: list[str]) -> None:
    one, other, third = (ContentId(shared_id(1, copy.library.content(name))) for name in list(_TEXTS)[:3])
    shared = TeamCatalog(copy.connection).shared
    shared.expected = {other, third}
    assert shared.fetch_documents((one,)).keys() == {one}
    assert shared.fetch_documents((third, other)).keys() == {other, third}
    assert len(requests) == 1


def test_a_known_document_is_asked_for_again_in_each_request(nodes: Nodes, tmp_path: Path, requests: list[str]) -> None:
    library = SmallLibrary(tmp_path)
    library.add(_TEXTS)
    copy = copy_of(library, nodes, "again")
    one, other = (str(shared_id(1, library.content(name))) for name in list(_TEXTS)[:2])
    shared = TeamCatalog(copy.connection).shared

    def titles() -> list[str]:
        shared.start()
        found = shared.fetch_documents((ContentId(int(one)), ContentId(int(other))))
        return [record.content.title for record in found.values()]

    assert titles() == ["Note 0", "Note 1"]
    del requests[:]
    assert titles() == ["Note 0", "Note 1"]
    assert len(requests) == 1
    entry = copy.connection.mget(DOCUMENTS, [other], ("card", "space"))[other]
    copy.connection.bulk([BulkAction(DOCUMENTS, one, entry)], 1 << 60, Stop())
    assert titles() == ["Note 1", "Note 1"]
    copy.connection.bulk([BulkAction(DOCUMENTS, other, None)], 1 << 60, Stop())
    assert titles() == ["Note 1"]
    for each in (copy.local, copy.team, copy.connection, library):
        each.close()


@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.SEMANTIC, Mode.RERANKED])
def test_texts_come_with_the_sentences_that_are_shown(
    copy: Copy, nodes: Nodes, requests: list[str], mode: Mode
) -> None:
    request = SearchRequest("dripping stopcock 3", mode)
    with closing(TeamEngine(nodes.connect("lookups"))) as team:
        hits = team.search(request, Stop()).hits
    expected = copy.local.search(request, Stop()).hits
    assert {hit.path: hit.snippet.span for hit in hits} == {hit.path: hit.snippet.span for hit in expected}
    sought = [path for path in requests if "passages" in path and not _STATE.search(path)]
    assert mode is Mode.RERANKED or sought == []  # they are looked up by their ids


def test_more_words_take_no_more_requests(copy: Copy, requests: list[str]) -> None:
    """Which of them no document has is asked for at once."""

    def asked(query: str) -> int:
        request = SearchRequest(query, Mode.KEYWORD)
        note = copy.team.search(request, Stop()).note
        assert note == copy.local.search(request, Stop()).note
        assert ("stopcock" in note) == ("stopcock" in query)
        del requests[:]
        copy.team.search(request, Stop())
        return len(requests)

    assert asked("inlet leaks") == asked("inlet valve leaks note 3")
    assert asked("inlet stopcock") == asked("inlet valve leaks note stopcock")
