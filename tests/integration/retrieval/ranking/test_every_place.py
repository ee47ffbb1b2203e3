"""A passage has many places that fulfil a query; every one is shown, and those with all words come first."""

from contextlib import closing

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


def test_the_excerpt_is_the_sentence_with_all_words(library: SmallLibrary) -> None:
    lines = [f"Line {number} of the harbour statutes. Members moor at berth {number}." for number in range(6)]
    library.add({"statutes.txt": " ".join((*lines, "The harbour fee is 90 euros.", *lines))}, root="harbour")
    hit = search(library, "harbour fee", Mode.HYBRID).hits[0]
    assert hit.snippet.text.startswith("The harbour fee")
