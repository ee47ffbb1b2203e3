"""Files without text are found by the words, forms and parts of their names, in every mode."""

import pytest

from desktop_rag.retrieval.api import Mode
from desktop_rag.retrieval.service.search_engine import SearchEngine
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.retrieval.test_textless import REASON, add_textless, found
from tests.slow_cases import slow_but

QUERIES: tuple[tuple[str, list[str]], ...] = (
    ("passport", ["Passport Anna 2021.psd"]),
    ("where is the passport of Anna?", ["Passport Anna 2021.psd"]),
    ("passport of somebody else entirely", []),
    ('"passport anna"', ["Passport Anna 2021.psd"]),
    ('"anna passport"', []),
    ('"port anna"', []),
    ("name:port", []),
    ("+beach -holiday", ["beachHouse.raw"]),
    ("beac*", ["beachHouse.raw", "holiday_beach.raw"]),
    ("pasport~1", ["Passport Anna 2021.psd"]),
    ("name:beach", ["beachHouse.raw", "holiday_beach.raw"]),
    ("ext:raw", ["beachHouse.raw", "holiday_beach.raw"]),
    ("notes", ["scanned_notes.pdf"]),
    ("scanned_notes.pdf", ["scanned_notes.pdf"]),
    ("beachhouse.raw", ["beachHouse.raw"]),
    ("beachHouse.pdf", []),
    ("title:passport", []),
    ("-passport", []),
    ("rent", []),
)


@pytest.fixture(scope="module")
def library(library_to_read: SmallLibrary) -> SmallLibrary:
    add_textless(library_to_read)
    return library_to_read


@pytest.mark.parametrize("mode", slow_but((Mode.KEYWORD, Mode.HYBRID), Mode))
@pytest.mark.parametrize(("query", "names"), QUERIES)
def test_names_are_searched_in_every_mode(query: str, names: list[str], mode: Mode, engine: SearchEngine) -> None:
    named = found(engine, query, mode=mode).named
    assert sorted(file.path.name for file in named) == names
    assert all(file.reason == REASON or file.path.suffix == ".pdf" for file in named)
