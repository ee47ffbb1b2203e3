"""A file without a title of its own is titled by its name, in every mode."""

import pytest

from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary

TITLED = "# Rental agreement\n\nThe keys are handed over in May.\n"


@pytest.fixture(autouse=True)
def files(library: SmallLibrary) -> None:
    files = {
        "tenancy 2024.txt": "The keys are handed over.\n",
        "tenancy draft.md": TITLED,
        "boat.txt": "About the tenancy.\n",
    }
    library.add(files, root="papers")


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("title:tenancy", ["tenancy 2024.txt"]),
        ('title:"tenancy 2024"', ["tenancy 2024.txt"]),
        ("title:tenanc*", ["tenancy 2024.txt"]),
        ("title:tenancy AND keys", ["tenancy 2024.txt"]),
        ("title:rental", ["tenancy draft.md"]),
        ("title:keys", []),
    ],
)
def test_the_name_stands_for_a_missing_title(engine: SearchEngine, query: str, names: list[str], mode: Mode) -> None:
    hits = engine.search(SearchRequest(query, mode), Stop()).hits
    assert [hit.path.name for hit in hits] == names
