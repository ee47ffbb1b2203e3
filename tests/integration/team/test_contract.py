"""The contract: a team library finds, counts and shows what the library on this computer does."""

import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise

import pytest

from desktop_rag.errors import LibraryRefused, QueryError
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.links.neighbours import naming, neighbours
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import DocumentQuery, Hit, Mode, Order, Scope, SearchRequest
from desktop_rag.retrieval.explorer import Explorer
from desktop_rag.retrieval.retrievers.on_demand_encoding import Floats
from desktop_rag.settings import Withheld
from desktop_rag.stop import Stop
from desktop_rag.team.format.document_cards import local_id, shared_id
from desktop_rag.team.reader.team_catalog import TeamCatalog
from desktop_rag.team.reader.team_engine import TeamEngine
from tests.integration.team.conftest import Copy, Nodes
from tests.integration.team.contract import FILES_ASKED, KNOWN, MEANING, MEANING_MODES, WORDS

pytestmark = pytest.mark.slow

ALL = 500
_TIE = 0.06  # share of a score by which Lucene's rounded lengths may move it


def hits_of(engine: Explorer, query: str, mode: Mode = Mode.KEYWORD, limit: int = ALL) -> tuple[Hit, ...]:
    return engine.search(SearchRequest(query, mode, limit, per_file=0), Stop()).hits


def key(hit: Hit) -> tuple[str, int]:
    return hit.sha256, hit.span.first_line


def shown(hit: Hit) -> tuple[object, ...]:
    """Return everything of a hit but its ids, its rank and its score."""
    return (
        hit.path, hit.also, hit.format, hit.title, hit.dated_ns, hit.size, hit.page, hit.heading, hit.span,
        hit.snippet, hit.section,
    )  # fmt: skip


def in_order(here: Sequence[Hit], there: Sequence[Hit]) -> bool:
    """Return whether the scores here never rise in the order of there, but for ties."""
    scores = {key(hit): hit.score for hit in here}
    order = [scores[key(hit)] for hit in there]
    return all(later <= earlier * (1 + _TIE) for earlier, later in pairwise(order))


@pytest.mark.parametrize("query", [*WORDS, *FILES_ASKED])
def test_a_query_finds_the_same_passages(copied: Copy, query: str) -> None:
    here, there = hits_of(copied.local, query), hits_of(copied.team, query)
    assert {key(hit): shown(hit) for hit in there} == {key(hit): shown(hit) for hit in here}
    assert in_order(here, there) or any(sign in query for sign in "*?~")  # a pattern scores by its most frequent word


@pytest.mark.parametrize("query", [*WORDS, *FILES_ASKED])
def test_a_query_counts_the_same_documents(copied: Copy, query: str) -> None:
    request = SearchRequest(query, Mode.KEYWORD)
    assert copied.team.facets(request, Stop()) == copied.local.facets(request, Stop())
    assert copied.team.clauses(request, Stop()) == copied.local.clauses(request, Stop())


@pytest.mark.parametrize("query", MEANING)
@pytest.mark.parametrize("mode", MEANING_MODES)
def test_a_question_finds_the_same_passages(copied: Copy, query: str, mode: Mode) -> None:
    here, there = hits_of(copied.local, query, mode, 10), hits_of(copied.team, query, mode, 10)
    assert len(there) == len(here)
    assert there[0].score == pytest.approx(here[0].score, abs=0.02)
    common = {key(hit) for hit in here} & {key(hit) for hit in there}
    snippets = {key(hit): hit.snippet for hit in here}
    assert all(hit.snippet == snippets[key(hit)] for hit in there if key(hit) in common)  # around the nearest sentence
    least = min(hit.score for hit in here)
    strangers = [hit for hit in there if key(hit) not in common]
    assert all(abs(hit.score - least) < 0.02 for hit in strangers)  # ties at the end of the list


def test_titles_come_with_their_vectors(copied: Copy, nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    request = SearchRequest("how much money is needed every year", Mode.HYBRID)
    here = copied.local.search(request, Stop()).hits

    def encode(encoder: Encoder, texts: Sequence[str], stop: Stop | None = None, threads: int | None = None) -> Floats:
        raise AssertionError(f"{len(texts)} texts were encoded")

    monkeypatch.setattr(Encoder, "encode", encode)
    with closing(TeamEngine(nodes.connect("contract"))) as engine:
        there = engine.search(request, Stop()).hits
    assert [key(hit) for hit in there[:3]] == [key(hit) for hit in here[:3]]
    assert there[0].score == pytest.approx(here[0].score, abs=0.02)


@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.RERANKED])
def test_neighbours_in_meaning_are_counted_the_same(copied: Copy, mode: Mode) -> None:
    request = SearchRequest("how much money is needed every year", mode)
    here, there = copied.local.facets(request, Stop()), copied.team.facets(request, Stop())
    assert there.documents == pytest.approx(here.documents, abs=3)  # the last of the neighbours are ties


@pytest.mark.parametrize("query", KNOWN)
def test_known_differences_are_still_there(copied: Copy, query: str) -> None:
    assert {key(hit) for hit in hits_of(copied.team, query)} != {key(hit) for hit in hits_of(copied.local, query)}


def test_links_lead_to_the_same_places(copied: Copy) -> None:
    catalog, there = copied.library.catalog, TeamCatalog(copied.connection)
    chunks = catalog.chunks.by_id(
        chunk for content in catalog.files.visible_contents() for chunk in catalog.chunks.ids_of_content(content)
    )
    texts = {chunk.id: chunk.text for chunk in chunks.values()}
    mine = neighbours(catalog.links, texts)
    shared = {ChunkId(shared_id(1, id_)): text for id_, text in texts.items()}
    ours = neighbours(there.links, shared)
    assert {local_id(chunk): tuple(_local(each) for each in found) for chunk, found in ours.items()} == {
        chunk: tuple(found) for chunk, found in mine.items()
    }
    assert any(found.documents for found in mine.values())
    assert any(found.chunks for found in mine.values())
    named = {content: sorted(naming(catalog.links, content, 100)) for content in catalog.files.visible_contents()}
    for content, chunks_naming in named.items():
        found = naming(there.links, ContentId(shared_id(1, content)), 100)
        assert sorted(map(local_id, found)) == chunks_naming


def _local(weights: Mapping[ChunkId, float] | Mapping[ContentId, float]) -> dict[int, float]:
    return {local_id(id_): weight for id_, weight in weights.items()}


def test_a_refused_query_is_refused_with_the_same_words(copied: Copy) -> None:
    said = []
    for engine in (copied.local, copied.team):
        with pytest.raises(QueryError) as refused:
            hits_of(engine, "(rent")
        said.append((str(refused.value), refused.value.suggestion))
    assert said[0] == said[1]


def test_a_document_is_read_the_same(copied: Copy) -> None:
    for query in ("lease", "from:ada", "研究人员"):
        here = hits_of(copied.local, query)[0]
        there = next(hit for hit in hits_of(copied.team, query) if hit.sha256 == here.sha256)
        assert local_id(there.content) == here.content
        mine, ours = copied.local, copied.team
        for first, count in ((1, 3), (2, 100), (99, 5), (0, 1)):
            one, other = (
                engine.read_lines(hit.content, first, count, Stop()) for engine, hit in ((mine, here), (ours, there))
            )
            assert (one.first, one.lines, one.total, one.start, one.marks) == (
                other.first, other.lines, other.total, other.start, other.marks,
            )  # fmt: skip
        assert ours.layout(there.content, Stop()) == mine.layout(here.content, Stop())
        card, same = mine.describe(here.content, Stop()), ours.describe(there.content, Stop())
        assert card is not None
        assert same is not None
        assert (same.path, same.title, same.lines, same.sha256) == (card.path, card.title, card.lines, card.sha256)
        assert ours.lookup(card.sha256, None, Stop()) == same
        assert ours.lookup("", card.path, Stop()) == same
        (chunk,) = ours.read_chunks((there.chunk,), Stop())
        assert chunk.lines == mine.read_chunks((here.chunk,), Stop())[0].lines
        found, also = ours.find(there.content, ("e", "大"), 3, Stop()), mine.find(here.content, ("e", "大"), 3, Stop())
        assert [(each.first, each.lines, each.marks) for each in found] == [
            (each.first, each.lines, each.marks) for each in also
        ]


def test_documents_and_facts_are_listed(copied: Copy) -> None:
    facts, same = copied.team.facts(Scope(), Stop()), copied.local.facts(Scope(), Stop())
    assert (facts.files, facts.contents, facts.chunks, facts.coverage) == (
        same.files, same.contents, same.chunks, same.coverage,
    )  # fmt: skip
    names = DocumentQuery(order=Order.NAME, limit=100)
    here, there = copied.local.documents(names, Stop()), copied.team.documents(names, Stop())
    assert [card.path for card in there.cards] == [card.path for card in here.cards]
    assert there.total == here.total
    offers = copied.team.documents(DocumentQuery("offer 10"), Stop())
    assert str(offers.cards[0].path).endswith("offer-10.eml")


def test_a_scope_narrows_the_search(copied: Copy) -> None:
    some = hits_of(copied.team, "pump")[:2]
    request = SearchRequest("pump", Mode.KEYWORD, scope=Scope(contents=(some[0].content,)))
    assert {hit.content for hit in copied.team.search(request, Stop()).hits} == {some[0].content}


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.SEMANTIC, Mode.HYBRID, Mode.LINKED])
@pytest.mark.parametrize(
    "query", ["boundary layer pump", '"boundary layer" AND turbine', "+rent deposit", "layer folder:turbine -zebra"]
)
def test_a_search_is_explained_the_same(copied: Copy, query: str, mode: Mode) -> None:
    request = SearchRequest(query, mode, 10)
    for name in ("reports/pump/36.md", "reports/turbine/38.md", "papers/lease.md"):
        path = copied.library.files / "home" / name
        here, there = (engine.explain(path, request, Stop()) for engine in (copied.local, copied.team))
        assert (there.found, there.coverage, there.status.included) == (here.found, here.coverage, True)
        one, other = here.in_search, there.in_search
        assert one is not None
        assert other is not None
        assert other.clauses == one.clauses
        assert (other.excluded, other.in_one_passage) == (one.excluded, one.in_one_passage)
        assert [rank.mode for rank in other.ranks] == [rank.mode for rank in one.ranks]
        assert [rank.rank is None for rank in other.ranks] == [rank.rank is None for rank in one.ranks]
        if one.best is not None:
            assert other.best is not None


def test_a_path_outside_is_explained(copied: Copy) -> None:
    found = copied.team.explain(copied.library.files / "none.md", SearchRequest("pump"), Stop())
    assert not found.found
    assert "no folder of the library" in found.status.sentence


def test_what_is_never_sent_is_left_out(copied: Copy) -> None:
    names = DocumentQuery(order=Order.NAME, limit=100)
    path = hits_of(copied.team, "pump")[0].path
    for each in (Withheld((os.fsencode(path),)), Withheld((os.fsencode(path.parent),))):
        scope = Scope(withheld=each)
        here = copied.local.documents(replace(names, scope=scope), Stop())
        there = copied.team.documents(replace(names, scope=scope), Stop())
        assert [card.path for card in there.cards] == [card.path for card in here.cards]
        assert there.total < copied.team.documents(names, Stop()).total
        assert copied.team.facts(scope, Stop()).contents == there.total
        for engine in (copied.local, copied.team):
            explained = engine.explain(path, SearchRequest("pump", Mode.KEYWORD, scope=scope), Stop()).in_search
            assert explained is not None
            assert explained.excluded
        found = copied.team.search(SearchRequest("pump", Mode.KEYWORD, 50, scope), Stop()).hits
        assert path not in {hit.path for hit in found}


def test_the_exact_mode_is_refused_with_another_way(copied: Copy) -> None:
    with pytest.raises(LibraryRefused, match="phrase"):
        hits_of(copied.team, "pump", Mode.EXACT)
