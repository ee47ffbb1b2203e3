"""A passage has many places that fulfil a query; every one is shown, and those with all words come first."""

from contextlib import closing
from dataclasses import replace

import pytest

from desktop_rag.retrieval.api import Mode, SearchRequest, SearchResult
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary

OTHER = "Nothing else of the sort is said here. The quay was empty, and the lamps were out until the morning came. " * 3
TOLLS = "\n\n".join(f"In year {1900 + n} the pilotage toll was {5 + n} crowns. {OTHER}" for n in range(12))
ROWS = [f"{n};Customer {n % 5};{'anchor' if n % 4 else 'rope'}" for n in range(400)]
ROWS[300] = "300;Customer 77;anchor"
ROWS[100] = "100;Customer 77;rope"
ROWS[200] = "200;Customer 77;rope"


@pytest.fixture
def harbour(library: SmallLibrary) -> SmallLibrary:
    library.add({"tolls.txt": TOLLS, "sales.csv": "\n".join(("order;customer;product", *ROWS))}, root="harbour")
    return library


def search(library: SmallLibrary, query: str, mode: Mode, limit: int = 10) -> SearchResult:
    with closing(SearchEngine(library.layout.folder)) as engine:
        return engine.search(SearchRequest(query, mode, limit), Stop())


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.EXACT, Mode.HYBRID])
@pytest.mark.parametrize("query", ['"pilotage toll"', "pilotage", "pilotage AND toll"])
def test_every_place_of_a_phrase_or_word_is_shown(harbour: SmallLibrary, query: str, mode: Mode) -> None:
    hits = search(harbour, query, mode, limit=60).hits
    found = [place for hit in hits if hit.path.name == "tolls.txt" for place in hit.by_place()]
    years = [year for place in found for year in range(1900, 1912) if f"In year {year} " in place.snippet.text]
    assert sorted(years) == list(range(1900, 1912))
    assert all(place.snippet.marks and not place.further for place in found)
    assert len({place.snippet.span for place in found}) == len(found)


@pytest.mark.parametrize("query", ['"Customer 77" AND anchor', '"Customer 77" anchor'])
def test_rows_with_all_words_come_first_and_are_the_excerpt(harbour: SmallLibrary, query: str) -> None:
    best, *others = search(harbour, query, Mode.KEYWORD).hits
    assert best.snippet.text.startswith("300\tCustomer 77\tanchor".replace("\t", " "))
    assert others


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.HYBRID, Mode.EXACT])
def test_a_number_with_decimals_is_found_whole(library: SmallLibrary, mode: Mode) -> None:
    prices = ("oak;61.50;64.90", "ash;54.20;53.10", "pine;39.80;43.70", "glue;31.90;33.64", "oil;24.50;26.00")
    library.add({"prices.csv": "\n".join(("article;2024;2025", *prices))}, root="shop")
    hit = search(library, "64.90", mode).hits[0]
    assert "64.90" in hit.snippet.text
    assert [hit.snippet.text[start:end] for start, end in hit.snippet.marks] == ["64.90"]
    assert not hit.further


def test_the_excerpt_is_the_sentence_with_all_words(library: SmallLibrary) -> None:
    lines = [f"Line {number} of the harbour statutes. Members moor at berth {number}." for number in range(6)]
    library.add({"statutes.txt": " ".join((*lines, "The harbour fee is 90 euros.", *lines))}, root="harbour")
    hit = search(library, "harbour fee", Mode.HYBRID).hits[0]
    assert hit.snippet.text.startswith("The harbour fee")


@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.HYBRID, Mode.EXACT])
def test_places_left_out_by_the_cap_are_said_and_reachable(library: SmallLibrary, mode: Mode) -> None:
    lease = "\n\n".join(f"{n}. The demurrage clause number {n} applies. {OTHER}" for n in range(250))
    others = {f"other {n}.txt": f"Note {n}. {OTHER}" for n in range(80)}
    library.add({"lease.txt": lease, **others}, root="harbour")
    library.encode()
    for query in ("demurrage", "demurrage clause"):
        request = SearchRequest(query, mode, 60, per_file=12, unfinished=True)
        with closing(SearchEngine(library.layout.folder)) as engine:
            result = engine.search(request, Stop())
            while result.more:
                request = replace(request, limit=request.limit + 60, per_file=4 * request.per_file)
                longer = engine.search(request, Stop())
                assert len(longer.hits) > len(result.hits)
                result = longer
        places = [place for hit in result.hits if hit.why.by_words for place in hit.by_place()]
        assert len(places) == 250


def test_each_place_has_the_headings_above_it(library: SmallLibrary) -> None:
    names = ("Berth", "Crane", "Winter storage", "Notice")
    text = "\n\n".join(f"### {name}\n\nThe member pays for the {name.lower()}. {OTHER[:108]}" for name in names)
    library.add({"rules.md": f"# Rules\n\n{text}\n"}, root="harbour")
    hits = [hit for hit in search(library, "member pays", Mode.KEYWORD).hits if hit.path.name == "rules.md"]
    assert any(hit.further for hit in hits)
    headings = {place.heading for hit in hits for place in hit.by_place()}
    assert headings == {f"Rules › {name}" for name in names}
