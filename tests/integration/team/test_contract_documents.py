"""Two documents compare the same in a team library, and what is said where nothing is found is the same."""

from collections.abc import Iterator

import pytest

from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentQuery, Mode, SearchRequest
from desktop_rag.stop import Stop
from desktop_rag.team.format.document_cards import local_id, shared_id
from desktop_rag.team.reader import team_engine, team_records
from desktop_rag.team.reader.team_catalog import TeamCatalog
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.team.conftest import Copy, Nodes, copy_of

pytestmark = pytest.mark.slow

_SENTENCES = [
    f"The valve of the pump number {number} was opened, and its seal was replaced in the workshop by the engineer."
    for number in range(3_000)
]
_CHANGED = [
    text.replace("replaced", "cleaned") if n in (7, 1_500, 2_990) else text for n, text in enumerate(_SENTENCES)
]
_TEXTS = {
    "manual.md": "# Manual\n\n" + "\n\n".join(_SENTENCES),
    "revised.md": "# Manual\n\n" + "\n\n".join(_CHANGED),
    "note.txt": "The lease ends in May. The rent is due on Monday.",
    "wrapped.txt": "The lease ends\nin May. The rent is\ndue on Monday.",
    "other.txt": "The turbine runs at night. Nobody hears it in the town.",
}


@pytest.fixture(scope="module")
def copy(nodes: Nodes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copy]:
    library = SmallLibrary(tmp_path_factory.mktemp("documents"))
    library.add(_TEXTS)
    found = copy_of(library, nodes, "documents")
    yield found
    for each in (found.local, found.team, found.connection, library):
        each.close()


@pytest.mark.parametrize(
    ("one", "other", "changes"),
    [
        ("note.txt", "other.txt", 1),
        ("note.txt", "wrapped.txt", 0),
        ("manual.md", "revised.md", 3),
        ("revised.md", "note.txt", 1),
    ],
)
def test_two_documents_differ_the_same(copy: Copy, one: str, other: str, changes: int) -> None:
    mine, theirs = copy.library.content(one), copy.library.content(other)
    here = copy.local.difference(mine, theirs, 10, Stop())
    shared = [ContentId(shared_id(1, content)) for content in (mine, theirs)]
    there = copy.team.difference(shared[0], shared[1], 10, Stop())
    assert there == here
    assert there.total == changes


def test_the_passages_of_a_long_document_come_in_several_requests(copy: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team_records, "_AT_ONCE", 50)
    content = copy.library.content("manual.md")
    known = copy.library.catalog.chunks.of_content(content)
    assert len(known) > 100
    found = TeamCatalog(copy.connection).chunks.of_content(ContentId(shared_id(1, content)))
    assert [(local_id(chunk.id), chunk.span, chunk.text, chunk.sentences) for chunk in found] == [
        (chunk.id, chunk.span, chunk.text, chunk.sentences) for chunk in known
    ]


@pytest.mark.parametrize("query", ["from:grace", "wie hoch sind die Kosten der neuen Anlage", "zebra"])
def test_a_search_without_hits_says_the_same(copied: Copy, copy: Copy, query: str) -> None:
    request = SearchRequest(query, Mode.KEYWORD)
    for each in (copied, copy):  # with mails, and without
        here, there = each.local.search(request, Stop()), each.team.search(request, Stop())
        assert (there.note, there.languages) == (here.note, here.languages)
    assert ("no mail" in there.note) == (query == "from:grace")
    assert (there.languages is not None) == query.startswith("wie")


def test_values_are_counted_of_all_documents_that_fit(copied: Copy) -> None:
    for words in ("", "report"):
        query = DocumentQuery(words, limit=0, with_facets=True)
        here, there = copied.local.documents(query, Stop()), copied.team.documents(query, Stop())
        assert there.facets == here.facets
        assert not there.facets.about
    assert there.facets.documents > 10


def test_counts_of_the_best_documents_alone_are_about(copied: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    request = SearchRequest("pump", Mode.KEYWORD)
    here = copied.local.facets(request, Stop())
    monkeypatch.setattr(team_engine, "_COUNTED", 5)
    there = copied.team.facets(request, Stop())
    assert (there.about, there.documents) == (True, here.documents)
    assert sum(facet.count for facet in there.types) == 5
    assert copied.team.documents(DocumentQuery(limit=0, with_facets=True), Stop()).facets.about
    assert not any(clause.about for clause in copied.team.clauses(request, Stop()))
    monkeypatch.setattr(team_engine, "_EXACTLY", 5)
    assert all(clause.about for clause in copied.team.clauses(request, Stop()))


def test_languages_are_counted_the_same(copied: Copy) -> None:
    counts = TeamCatalog(copied.connection).languages.counts()
    assert counts == copied.library.catalog.languages.counts()
    assert counts["de"] >= 7


@pytest.mark.parametrize("query", ["boundary", "lease", "from:ada", "研究人员"])
def test_related_passages_are_the_same(copied: Copy, query: str) -> None:
    request = SearchRequest(query, Mode.KEYWORD)
    here = copied.local.search(request, Stop()).hits[0]
    there = next(hit for hit in copied.team.search(request, Stop()).hits if hit.sha256 == here.sha256)
    mine = copied.local.related(here.chunk, 5, Stop()).hits
    ours = copied.team.related(there.chunk, 5, Stop()).hits
    scores = {hit.sha256: hit.score for hit in mine}
    assert len(ours) == len(mine) > 0
    least = min(scores.values())
    for hit in ours:
        assert hit.score == pytest.approx(scores.get(hit.sha256, least), abs=0.02)  # ties at the end of the list
