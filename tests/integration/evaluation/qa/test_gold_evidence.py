"""An engine that hides the gold evidence returns it by no method."""

from collections.abc import Iterator

import pytest

from desktop_rag.evaluation.qa.run_question import EngineWithoutEvidence
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import FILES, SmallLibrary


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallLibrary]:
    library = SmallLibrary(tmp_path_factory.mktemp("library"))
    library.add(FILES)
    yield library
    library.close()


@pytest.fixture
def bereft(library: SmallLibrary) -> Iterator[EngineWithoutEvidence]:
    engine = EngineWithoutEvidence(library.layout.folder)
    lease = engine.search(SearchRequest("deposit", Mode.KEYWORD, 1), Stop()).hits[0]
    engine.hidden = frozenset({lease.content})
    yield engine
    engine.close()


def counts(engine: EngineWithoutEvidence, query: str) -> dict[str, int]:
    return {clause.text: clause.documents for clause in engine.clauses(SearchRequest(query, Mode.KEYWORD), Stop())}


def test_hidden_contents_are_not_counted(bereft: EngineWithoutEvidence) -> None:
    assert counts(bereft, "rent deposit") == {"rent": 1, "deposit": 0}
    bereft.hidden = frozenset()
    assert counts(bereft, "rent deposit") == {"rent": 2, "deposit": 1}


def test_counts_are_zero_if_everything_is_hidden(bereft: EngineWithoutEvidence) -> None:
    request = SearchRequest("rent OR cat OR budget", Mode.KEYWORD, 50)
    bereft.hidden |= {hit.content for hit in bereft.search(request, Stop()).hits}
    assert set(counts(bereft, "rent cat").values()) == {0}


def test_hidden_hits_are_replaced_by_the_next(bereft: EngineWithoutEvidence) -> None:
    request = SearchRequest("rent", Mode.KEYWORD, 1, per_file=0)
    assert [hit.path.name for hit in bereft.search(request, Stop()).hits] == ["rent.py"]
