"""Two users of one library, each with an own space: nothing of the other's space comes with any answer or refusal.

The roles are those that the guide gives to an administrator.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import keyring
import pytest

from benchmarks.opensearch import security
from desktop_rag.credentials import Credentials
from desktop_rag.errors import DesktopRagError, TeamError, TeamRefused
from desktop_rag.index.libraries import Libraries
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.index.team_status import TEAM_PASSWORD
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import DocumentQuery, Mode, Scope, SearchRequest
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from desktop_rag.team.access.team_joining import TeamAddress, join_team_library
from desktop_rag.team.format.document_cards import shared_id
from desktop_rag.team.reader.team_engine import TeamEngine
from desktop_rag.team.server.team_connection import TeamConnection
from desktop_rag.team.writer.source_files import TeamSource
from desktop_rag.team.writer.team_worker import TeamWorker
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.retrieval.test_textless import add_unread
from tests.integration.team.conftest import Nodes, refresh
from tests.unit.test_credentials import MemoryKeychain

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
GUIDE = ROOT / "docs" / "team-library.md"
SECRET_OF_WRITER, SECRET_OF_ADA = "Quiet-harbour-at-9", "Correct-horse-at-5"
OPEN = {"open/report.md": "# Report of the harbour\n\nThe salary of a pilot is paid on the first day.\n"}
CLOSED = {
    "closed/zebedee-plan.md": "# Zebedee's plan\n\nThe quixotry of the salary is paid to Zebedee.\n\nSee report.md.\n",
    "closed/zebedee.eml": "From: Zebedee <zebedee@example.org>\nSubject: quixotry\n\nThe salary of a pilot.\n",
}
SECRETS = re.compile("zebedee|quixotry|closed|personnel", re.IGNORECASE)  # of the other's texts, names, people, space
QUERIES = (
    "salary", "quixotry", "zebedee", "zeb*", "qu?xotry", "quixotri~1", "=Zebedee", '"salary is paid"', "NOT pilot",
    '"paid salary"~5', "title:plan", "from:zebedee", "folder:closed", "name:zebedee", "subject:quixotry", "-ext:md",
    "harbour OR from:zebedee",
)  # fmt: skip


class Team(NamedTuple):
    """The two-space library on the cluster: the library it was copied from, and the ids of the closed documents."""

    nodes: Nodes
    library: SmallLibrary
    worker: TeamWorker
    contents: tuple[ContentId, ...]
    chunks: tuple[ChunkId, ...]
    hashes: tuple[str, ...]

    def address(self, user: str = "") -> TeamAddress:
        return TeamAddress(self.nodes.place("rights"), user, self.nodes.ca)

    def reader(self, name: str) -> TeamConnection:
        """Return the connection of ada, who signs in with a password, or of the others, who have tokens."""
        if name == "ada":
            return TeamConnection(self.address().url, "ada", SECRET_OF_ADA, ca_file=self.nodes.ca)
        return TeamConnection(self.address().url, token=security.token(name), ca_file=self.nodes.ca)


def role_of_guide(name: str, space: str) -> dict[str, object]:
    """Return a role as the guide writes it, for another space."""
    blocks = re.findall(r"```json\n(PUT \S*roles/(\S+)\n.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    text = next(block for block, role in blocks if role == name).partition("\n")[2]
    found: dict[str, object] = json.loads(text.replace("everyone", space))
    return found


@pytest.fixture(scope="module")
def team(nodes: Nodes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    for user, secret in (("writer", SECRET_OF_WRITER), ("ada", SECRET_OF_ADA)):
        nodes.configure(f"internalusers/{user}", {"password": secret})
    roles = (("team_writer", "", "writer"), ("team_reader", "open", "ada"), ("team_reader", "personnel", "bob"))
    for role, space, user in roles:
        nodes.configure(f"roles/{role}_{space}", role_of_guide(role, space))
        nodes.configure(f"rolesmapping/{role}_{space}", {"users": [user]})
    library = SmallLibrary(tmp_path_factory.mktemp("rights"))
    library.add(OPEN, root="one")
    two = library.add(CLOSED, root="two")
    add_unread(library, two, library.files / "two" / "zebedee-salary.raw", 10)
    library.encode(encoder_folder())
    sources = tuple(
        TeamSource(f"files:{space}", space, (bytes(library.files / root),))
        for space, root in (("open", "one"), ("personnel", "two"))
    )
    place = nodes.place("rights")
    connection = TeamConnection(place, "writer", SECRET_OF_WRITER, ca_file=nodes.ca)
    worker = TeamWorker(library.layout, connection, sources, print)
    worker.run(Stop(), 2, 1, once=True)
    closed = [library.content(name, "two") for name in CLOSED]
    chunks = [chunk for content in closed for chunk in library.catalog.chunks.ids_of_content(content)]
    known = library.catalog.contents.by_id(closed)
    with closing(nodes.connect("rights")) as administrator:
        refresh(administrator)
    yield Team(
        nodes,
        library,
        worker,
        tuple(ContentId(shared_id(2, content)) for content in closed),
        tuple(ChunkId(shared_id(2, chunk)) for chunk in chunks),
        tuple(known[content].sha256.hex() for content in closed),
    )
    connection.close()
    library.close()


def _found(engine: TeamEngine, request: SearchRequest) -> object:
    result = engine.search(request, Stop())
    return result.hits, result.named


def questions(engine: TeamEngine, team: Team) -> Iterator[Callable[[], object]]:
    """Yield a call of every method of the service, for what the closed space has."""
    for query in QUERIES:
        for mode in (Mode.KEYWORD, Mode.SEMANTIC, Mode.HYBRID, Mode.LINKED, Mode.RERANKED):
            yield lambda query=query, mode=mode: _found(engine, SearchRequest(query, mode))  # type: ignore[misc]
        yield lambda query=query: engine.facets(SearchRequest(query, Mode.KEYWORD), Stop())  # type: ignore[misc]
    yield lambda: engine.search(SearchRequest("salary", Mode.HYBRID), Stop())
    yield lambda: engine.search(SearchRequest("salary", Mode.KEYWORD, scope=Scope(contents=team.contents)), Stop())
    yield lambda: engine.facets(SearchRequest("who is paid", Mode.HYBRID), Stop())
    yield lambda: engine.documents(DocumentQuery(limit=100), Stop())
    yield lambda: engine.documents(DocumentQuery("plan"), Stop())
    yield lambda: engine.read_chunks(team.chunks, Stop())
    for content, digest in zip(team.contents, team.hashes, strict=True):
        yield lambda content=content: engine.read_lines(content, 1, 50, Stop())  # type: ignore[misc]
        yield lambda content=content: engine.find(content, ("salary",), 5, Stop())  # type: ignore[misc]
        yield lambda content=content: engine.layout(content, Stop())  # type: ignore[misc]
        yield lambda content=content: engine.describe(content, Stop())  # type: ignore[misc]
        yield lambda digest=digest: engine.lookup(digest, None, Stop())  # type: ignore[misc]
    for name in CLOSED:
        path = team.library.files / "two" / name
        yield lambda path=path: engine.lookup("", path, Stop())  # type: ignore[misc]
        # The path that was asked for comes back.
        yield lambda path=path: repr(engine.explain(path, None, Stop())).replace(os.fspath(path), "")  # type: ignore[misc]
    yield lambda: engine.related(team.chunks[0], 5, Stop())


def told(engine: TeamEngine, team: Team) -> list[str]:
    """Return all answers and refusals as texts."""
    texts = []
    for question in questions(engine, team):
        try:
            texts.append(repr(question()))
        except DesktopRagError as error:
            texts.append(f"refused: {error} {error.__cause__}")
    return texts


def test_a_reader_gets_nothing_of_the_other_space(team: Team) -> None:
    with closing(TeamEngine(team.reader("ada"))) as ada, closing(TeamEngine(team.reader("bob"))) as bob:
        mine = told(ada, team)
        assert [text for text in mine if SECRETS.search(text)] == []
        assert any("report.md" in text for text in mine)
        assert ada.facts(Scope(), Stop()).files == 1
        theirs = told(bob, team)
        assert sum("ebedee" in text for text in theirs) > len(QUERIES)  # the same questions do find it
        assert not any("harbour" in text for text in theirs)
        assert bob.facts(Scope(), Stop()).files == 2


def test_our_own_filter_alone_keeps_a_space_apart(team: Team) -> None:
    """As on a server without document-level security; the administrator may read everything there."""
    with closing(TeamEngine(team.nodes.connect("rights"), spaces=("open",))) as engine:
        mine = told(engine, team)
        assert [text for text in mine if SECRETS.search(text)] == []
        assert any("report.md" in text for text in mine)
        assert engine.facts(Scope(), Stop()).files == 1


def own_requests(team: Team) -> Iterator[tuple[str, str, object]]:
    """Yield requests that a reader may write by hand, past our program."""
    name = team.reader("ada").name
    content, chunk = str(team.contents[0]), str(team.chunks[0])
    everything: object = {"query": {"match_all": {}}, "size": 100}
    for kind, id_ in (("documents", content), ("passages", chunk), ("lines", f"{content}-1"), ("sources", "2")):
        index = f"/{name}-{kind}"
        yield "POST", f"{index}/_search", everything
        yield "POST", f"{index}/_search?scroll=1m", everything
        yield "GET", f"{index}/_doc/{id_}", None
        yield "GET", f"{index}/_doc/{id_}?realtime=true", None
        yield "GET", f"{index}/_source/{id_}", None
        yield "POST", f"{index}/_mget", {"ids": [id_]}
        yield "POST", f"{index}/_explain/{id_}", {"query": {"match_all": {}}}
        yield "GET", f"{index}/_termvectors/{id_}?fields=*", None
        yield "POST", f"{index}/_validate/query?explain=true", {"query": {"prefix": {"text": "qu"}}}
        yield "GET", f"{index}/_field_caps?fields=*", None
        yield "POST", f"{index}/_delete_by_query", {"query": {"match_all": {}}}
    passages = f"/{name}-passages/_search"
    for field in ("name", "folder", "space", "person_from", "author"):
        for least in (0, 1):
            yield "POST", passages, {"size": 0, "aggs": {"all": {"terms": {"field": field, "min_doc_count": least}}}}
    yield "POST", passages, {"explain": True, "profile": True, "query": {"prefix": {"text": "qu"}}}
    other: object = {"index": f"{name}-documents", "id": content, "path": "names"}
    yield "POST", passages, {"query": {"terms": {"text": other}}}
    yield "POST", "/_search", everything
    yield "GET", "/_cat/indices", None
    yield "GET", "/_plugins/_security/api/roles", None
    yield "PUT", "/_plugins/_security/api/rolesmapping/all_access", {"users": ["ada"]}


def test_a_reader_who_writes_requests_by_hand_gets_nothing_of_it(team: Team) -> None:
    leaked, refused = [], 0
    with closing(team.reader("ada")) as ada:
        for method, path, body in own_requests(team):
            try:
                text = json.dumps(ada.ask(method, path, body))
            except TeamError as error:
                text, refused = str(error), refused + 1
            echoed = json.dumps(body).lower()  # what was asked comes back in refusals
            leaked += [(path, body, found) for found in SECRETS.findall(text) if found.lower() not in echoed]
    assert leaked == []
    assert refused > 10


def test_a_writer_without_the_right_to_write_ends(team: Team) -> None:
    with closing(team.reader("ada")) as ada:
        worker = TeamWorker(team.library.layout, ada, (TeamSource("files:ada", "open", ()),), print)
        with pytest.raises(TeamRefused, match="role"):
            worker.run(Stop(), 1, 1, once=True)


def test_the_suggester_of_the_server_knows_words_of_all_spaces(team: Team) -> None:
    """A limit of document-level security that the guide names; the program never asks the suggester."""
    suggest = {"a": {"text": "quixotri", "term": {"field": "text"}}}
    with closing(team.reader("ada")) as ada:
        assert "quixotry" in json.dumps(ada.ask("POST", f"/{ada.name}-passages/_search", {"suggest": suggest}))
    assert "suggester" in GUIDE.read_text(encoding="utf-8")


def test_a_changed_right_counts_from_the_next_search_on(team: Team) -> None:
    def files(engine: TeamEngine) -> int:
        return len({hit.path for hit in engine.search(SearchRequest("salary", Mode.HYBRID), Stop()).hits})

    with closing(TeamEngine(team.reader("eve"))) as engine:
        with pytest.raises(TeamError, match="role"):
            files(engine)
        team.nodes.configure("rolesmapping/team_reader_personnel", {"users": ["bob", "eve"]})
        assert files(engine) == 2
        content = team.contents[0]
        assert engine.read_lines(content, 1, 9, Stop()).lines
        team.nodes.configure("rolesmapping/team_reader_personnel", {"users": ["bob"]})
        assert [text for text in told(engine, team) if SECRETS.search(text)] == []


class _Revoked(TeamConnection):
    """A connection whose user loses a right after some answers; `later` has what the server says from then on."""

    def __init__(self, team: Team, answers: int) -> None:
        super().__init__(team.address().url, token=security.token("eve"), ca_file=team.nodes.ca)
        self._team, self._answers = team, answers
        self.later: list[str] = []

    def _retried(
        self,
        method: str,
        path: str,
        data: bytes | None,
        kind: str,
        seconds: float,
        stop: Stop | None,
        tries: int = 6,
    ) -> bytes:
        answer = super()._retried(method, path, data, kind, seconds, stop, tries)
        self._answers -= 1
        if self._answers == 0:
            self._team.nodes.configure("rolesmapping/team_reader_personnel", {"users": ["bob"]})
        elif self._answers < 0:
            self.later.append(answer.decode())
        return answer


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.HYBRID, Mode.LINKED])
@pytest.mark.parametrize("answers", range(1, 7))
def test_a_right_that_is_lost_in_the_middle_of_a_search_counts_from_the_next_request_on(
    team: Team, mode: Mode, answers: int
) -> None:
    team.nodes.configure("rolesmapping/team_reader_personnel", {"users": ["bob", "eve"]})
    connection = _Revoked(team, answers)
    with closing(TeamEngine(connection)) as eve:
        try:
            shown = repr(eve.search(SearchRequest("salary", mode), Stop()))
        except TeamError as error:
            shown = str(error)
    team.nodes.configure("rolesmapping/team_reader_personnel", {"users": ["bob"]})
    assert [found for text in connection.later for found in SECRETS.findall(text)] == []
    if answers == 1:  # nothing of a document had been read
        assert SECRETS.findall(shown) == []


def test_what_is_removed_is_gone_at_once_for_readers_of_one_space(team: Team) -> None:
    with closing(TeamEngine(team.reader("ada"))) as ada:
        team.library.add({"open/late.md": "# Late\n\nThe anchor is lost.\n"}, root="one")
        team.worker.run(Stop(), 2, 1, once=True)
        with closing(team.nodes.connect("rights")) as administrator:
            refresh(administrator)
            assert [hit.path.name for hit in ada.search(SearchRequest("anchor", Mode.KEYWORD), Stop()).hits] == [
                "late.md"
            ]
            files = team.library.catalog.files
            roots = team.library.catalog.folders.all()
            folder = next(root.id for root in roots if root.path.endswith(b"one"))
            files.remove(files.of_folder(folder)[b"open/late.md"].id)
            team.worker.run(Stop(), 2, 1, once=True)
        assert ada.search(SearchRequest("anchor", Mode.KEYWORD), Stop()).hits == ()


def test_one_signs_in_with_a_password_a_token_or_a_certificate(
    team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = team.nodes.administrator
    before = keyring.get_keyring()
    keyring.set_keyring(MemoryKeychain())
    try:
        known, plain = Libraries(tmp_path), team.address()
        ways = (
            (TeamAddress(plain.url, "ada", plain.ca_file), SECRET_OF_ADA, 1),
            (TeamAddress(plain.url, "", plain.ca_file, token=True), security.token("bob"), 2),
            (TeamAddress(plain.url, "", plain.ca_file, certificate=certificate), "", 3),
        )
        for address, secret, files in ways:
            name = f"Team {files}"
            library = join_team_library(known, name, address, secret, Credentials(), Stop()).library
            assert secret == "" or secret not in library.team.read_text(encoding="utf-8")
            with closing(address.connect()) as connection, closing(TeamEngine(connection)) as engine:
                assert engine.facts(Scope(), Stop()).files == files
    finally:
        keyring.set_keyring(before)
    monkeypatch.setenv(TEAM_PASSWORD, SECRET_OF_ADA)  # where there is no keychain; the searcher child inherits it
    address = team.address("ada")
    library = join_team_library(known, "Child", address, "", Credentials(), Stop()).library
    with closing(SearcherClient(library.folder)) as searcher:
        assert len(searcher.search(SearchRequest("salary", Mode.KEYWORD), Stop()).hits) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"user": "ada", "password": "wrong-SECRET"}, "does not accept"),
        ({"token": "wrong-SECRET"}, "does not accept"),
        ({}, "does not accept"),
        ({"user": "ada", "password": SECRET_OF_ADA, "ca_file": ""}, "no secure connection"),
    ],
)
def test_a_refused_sign_in_says_so_without_the_secret(team: Team, change: dict[str, str], said: str) -> None:
    options = {"ca_file": team.nodes.ca, **change}
    with closing(TeamConnection(team.address().url, **options)) as connection, pytest.raises(TeamError) as refused:
        connection.ask("GET", f"/{connection.name}-documents/_mapping")
    assert said in str(refused.value)
    assert "SECRET" not in str(refused.value)
