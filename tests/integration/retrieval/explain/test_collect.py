"""Explanations: ranks equal those of the real search, and missing clauses and conditions are named."""

from pathlib import Path

import pytest

from desktop_rag.errors import QueryError
from desktop_rag.index.links.link_sync import LinkSync
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.explain.explanation import (
    Clause,
    Explanation,
    QueryPart,
    SearchExplanation,
    render_explanation,
)
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.retrieval.ranking.test_linked_mode import FILES as LINKED

LEASE, MINUTES, CATS = Path("papers", "lease.md"), Path("papers", "old", "minutes.txt"), Path("cats.md")


def explain(engine: SearchEngine, library: SmallLibrary, name: Path, request: SearchRequest | None) -> Explanation:
    return engine.explain(library.files / "home" / name, request, Stop())


def search(engine: SearchEngine, library: SmallLibrary, name: Path, request: SearchRequest) -> SearchExplanation:
    found = explain(engine, library, name, request).in_search
    assert found is not None
    return found


def said(explanation: Explanation) -> list[str]:
    return [remark.sentence for remark in render_explanation(explanation)]


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("query", ["rent of the tenant", "meeting AND quiet", "cats veterinarian"])
def test_ranks_equal_those_of_the_search(engine: SearchEngine, library: SmallLibrary, mode: Mode, query: str) -> None:
    library.encode()
    request = SearchRequest(query, mode, limit=20, per_file=20)
    hits = engine.search(request, Stop()).hits
    for name in (LEASE, MINUTES, CATS):
        found = search(engine, library, name, request)
        own = [hit for hit in hits if hit.path == library.files / "home" / name]
        place = found.rank_in(mode)
        assert place is not None
        assert found.shown == len(own)
        assert found.place == place.rank == (own[0].rank if own else None)
        if own and mode in (Mode.KEYWORD, Mode.SEMANTIC):
            other = own[0].why.keyword_rank if mode is Mode.KEYWORD else own[0].why.semantic_rank
            assert place.rank == other
        if own:
            assert found.best is not None
            assert found.best.snippet == own[0].snippet


def test_a_rank_below_the_result_list_is_found(engine: SearchEngine, library: SmallLibrary) -> None:
    library.add({f"filler/{number}.txt": f"The rent, the rent, the rent {number}.\n" for number in range(70)})
    request = SearchRequest("rent", Mode.KEYWORD, limit=1)
    found = search(engine, library, LEASE, request)
    everything = engine.search(SearchRequest("rent", Mode.KEYWORD, limit=500, per_file=50), Stop()).hits
    rank = next(hit.rank for hit in everything if hit.path.name == "lease.md")
    assert rank > 50  # beyond the first pool
    place = found.rank_in(Mode.KEYWORD)
    assert place is not None
    assert (found.place, place.rank) == (None, rank)
    assert f"Further down: its best passage is at place {rank}, and the list shows 1." in said(
        explain(engine, library, LEASE, request)
    )


def test_each_clause_counts_matches_in_the_file(engine: SearchEngine, library: SmallLibrary) -> None:
    request = SearchRequest('rent AND ("notice period" OR deposit) AND xylophone NOT landlord', Mode.KEYWORD)
    found = search(engine, library, LEASE, request)
    assert {clause.text: (clause.part, clause.matches > 0, clause.elsewhere) for clause in found.clauses} == {
        "rent": (QueryPart.REQUIRED, True, True),
        '"notice period"': (QueryPart.OPTIONAL, False, False),
        "deposit": (QueryPart.OPTIONAL, True, True),
        "xylophone": (QueryPart.REQUIRED, False, False),
        "landlord": (QueryPart.EXCLUDED, True, True),
    }
    sentences = said(explain(engine, library, LEASE, request))
    assert "“xylophone” does not occur in it, nor anywhere else in the library." in sentences
    assert "Not found by this search." in sentences


def test_words_that_never_share_a_passage_are_reported(engine: SearchEngine, library: SmallLibrary) -> None:
    story = "Alpha begins. " + "Nothing happens here for a long while. " * 60 + "Omega ends."
    library.add({"story.txt": story}, root="home")
    request = SearchRequest("alpha AND omega", Mode.KEYWORD)
    found = explain(engine, library, Path("story.txt"), request)
    assert found.in_search is not None
    assert [clause.matches for clause in found.in_search.clauses] == [1, 1]
    assert not found.in_search.in_one_passage
    assert any("no single passage" in sentence for sentence in said(found))


def test_conditions_and_filters_that_exclude_a_file_are_named(engine: SearchEngine, library: SmallLibrary) -> None:
    filters = (Filter(FileField.EXT, ".pdf"), Filter(FileField.FOLDER, "papers"))
    request = SearchRequest("rent modified:[2001 TO 2002]", Mode.KEYWORD, filters=filters)
    found = search(engine, library, LEASE, request)
    assert found.excluded
    assert [clause for clause in found.clauses if clause.part is QueryPart.OF_FILES] == [
        Clause("modified:[2001-01-01 TO 2002-12-31]", QueryPart.OF_FILES, 0),
        Clause("ext:.pdf", QueryPart.OF_FILES, 0),
        Clause("folder:papers", QueryPart.OF_FILES, 1),
    ]
    assert found.best is not None  # the nearest line is shown all the same


def test_a_deduplicated_copy_is_found_by_the_path_of_the_hit(engine: SearchEngine, library: SmallLibrary) -> None:
    text = (library.files / "home" / LEASE).read_text(encoding="utf-8")
    library.add({"a/much/deeper/copy of lease.md": text}, root="home")
    copy = explain(engine, library, Path("a/much/deeper/copy of lease.md"), SearchRequest("deposit", Mode.KEYWORD))
    assert copy.in_search is not None
    assert copy.in_search.place == 1
    assert copy.in_search.duplicate_of == library.files / "home" / LEASE
    assert copy.found


def test_passages_beyond_the_cap_per_file_are_counted(engine: SearchEngine, library: SmallLibrary) -> None:
    pages = "\n\n".join(f"# Part {number}\n\n" + f"The harbour pilot wrote note {number}. " * 25 for number in range(6))
    library.add({"log.md": pages, "other.md": "A pilot is mentioned here once, in a long text. " + "Filler. " * 90})
    request = SearchRequest("harbour pilot", Mode.KEYWORD, limit=5, per_file=2)
    hits = engine.search(request, Stop()).hits
    found = search(engine, library, Path("log.md"), request)
    assert found.shown == sum(hit.path.name == "log.md" for hit in hits) == 2
    assert found.capped >= 3


def test_the_sources_of_a_link_boost_are_named(engine: SearchEngine, library: SmallLibrary) -> None:
    library.add(LINKED, root="home")
    library.encode()
    links = LinkSync(library.catalog)
    while links.sync():
        pass
    request = SearchRequest("director of The Silent Harbour birthplace", Mode.LINKED)
    found = search(engine, library, Path("person.md"), request)
    assert [path.name for path in found.linked_from] == ["film.md"]
    linked, hybrid = found.rank_in(Mode.LINKED), found.rank_in(Mode.HYBRID)
    assert linked is not None
    assert hybrid is not None
    assert linked.rank == 2


def test_without_a_query_the_file_alone_is_explained(engine: SearchEngine, library: SmallLibrary) -> None:
    found = explain(engine, library, LEASE, None)
    assert (found.found, found.in_search, found.coverage) == (True, None, 0.0)
    assert "Search by meaning covers 0 % of its sentences so far." in said(found)
    library.encode()
    assert explain(engine, library, LEASE, None).coverage == 1.0
    elsewhere = engine.explain(library.files.parent / "nowhere.txt", SearchRequest("rent"), Stop())
    assert (elsewhere.found, elsewhere.in_search) == (False, None)
    assert said(elsewhere)[0].startswith("It lies in no folder of the library.")


def test_an_invalid_query_raises_as_in_a_search(engine: SearchEngine, library: SmallLibrary) -> None:
    with pytest.raises(QueryError):
        explain(engine, library, LEASE, SearchRequest("(rent"))


def test_related_passages_are_linked_or_similar(engine: SearchEngine, library: SmallLibrary) -> None:
    library.add(LINKED, root="home")
    library.encode()
    links = LinkSync(library.catalog)
    while links.sync():
        pass
    (film,) = library.catalog.chunks.ids_of_content(library.content("film.md"))
    (person,) = library.catalog.chunks.ids_of_content(library.content("person.md"))
    named = [hit.path.name for hit in engine.related(film, 10, Stop()).hits]
    assert named[0] == "person.md"
    assert "film.md" not in named
    assert {"film.md", "cafe.md"} <= {hit.path.name for hit in engine.related(person, 3, Stop()).hits}
