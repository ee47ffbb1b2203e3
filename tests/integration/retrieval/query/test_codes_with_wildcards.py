"""Codes and identifiers with wildcards, in a real library: their signs count, in every mode."""

from collections.abc import Iterator

import pytest

from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary, names

FILES = {
    "limits.py": "MAX_DELAY_SECONDS = 30\n\ndef try_acquire(amount):\n    return amount < MAX_DELAY_SECONDS\n",
    "prose.txt": "Please try acquired tastes, with a max delay of an hour.\n",
    "codes.txt": "Parcel AB-1234/5 belongs to jo@example.org; parcel AB has 1234 grams.\n",
    "grams.txt": "Parcel AB weighs 1234 grams, jo at home of the example.\n",
    "try_acquire_notes.txt": "Nothing to see.\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    library = SmallLibrary(tmp_path_factory.mktemp("codes"))
    library.add(FILES)
    library.encode()
    engine = SearchEngine(library.layout.folder)
    yield engine
    engine.close()
    library.close()


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("MAX_DELAY*", {"limits.py"}),
        ("max_d*_sec*", {"limits.py"}),
        ("content:try_ac?uire", {"limits.py"}),
        ("AB-12*", {"codes.txt"}),
        ("jo@exam*", {"codes.txt"}),
        ("max_hour*", set()),
    ],
)
def test_only_the_code_as_written_is_found(engine: SearchEngine, query: str, found: set[str], mode: Mode) -> None:
    assert set(names(engine.search(SearchRequest(query, mode), Stop()))) == found


def test_it_is_found_in_file_names_and_marked_in_snippets(engine: SearchEngine) -> None:
    hits = engine.search(SearchRequest("try_acq*", Mode.KEYWORD), Stop()).hits
    assert {hit.path.name for hit in hits} == {"limits.py", "try_acquire_notes.txt"}
    snippet = next(hit.snippet for hit in hits if hit.path.name == "limits.py")
    assert [snippet.text[start:end] for start, end in snippet.marks] == ["try_acquire"]
