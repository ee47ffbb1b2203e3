"""Documents found, filtered and sorted by the dates in their names and titles, in a real library."""

from collections.abc import Iterator

import pytest

from desktop_rag.retrieval.api import Mode, SearchRequest, Sort
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary

FILES = {
    "2021-04-17_minutes.txt": "The treasurer reported on the roof.\n",
    "second.md": "# Minutes of 3 May 2022\n\nThe roof was discussed again.\n",
    "minutes-2024-02.md": "# Minutes, 6 February 2024\n\nThe tank was full.\n",
    "minutes-2024-03.md": "# Minutes, 9 April 2024\n\nThe tank was empty.\n",
    "roof 03-04-2023.txt": "The roof is repaired.\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    library = SmallLibrary(tmp_path_factory.mktemp("dated"))
    library.add(FILES)
    engine = SearchEngine(library.layout.folder)
    yield engine
    engine.close()
    library.close()


def names(engine: SearchEngine, query: str, sort: Sort = Sort.RELEVANCE, since: str = "") -> list[str]:
    filters = (Filter(FileField.DATE, since),) if since else ()
    request = SearchRequest(query, Mode.KEYWORD, sort=sort, filters=filters)
    return [hit.path.name for hit in engine.search(request, Stop()).hits]


def test_documents_are_found_by_the_dates_in_their_names_and_titles(engine: SearchEngine) -> None:
    assert names(engine, "date:2021-04 roof") == ["2021-04-17_minutes.txt"]
    assert names(engine, "roof", since="2022-05-03") == ["second.md"]
    assert names(engine, "date:2023 roof") == []  # 3 April or 4 March: the date of the file


def test_the_day_of_a_title_completes_the_month_of_a_file_name(engine: SearchEngine) -> None:
    assert names(engine, "date:2024-02-06 tank") == ["minutes-2024-02.md"]
    assert names(engine, "date:2024-02-01 tank") == []
    assert names(engine, "date:2024-03 tank") == ["minutes-2024-03.md"]


def test_a_month_has_a_name_with_or_without_its_year(engine: SearchEngine) -> None:
    assert names(engine, "date:may 2022 roof") == ["second.md"]
    assert names(engine, 'date:"17 April 2021" roof') == ["2021-04-17_minutes.txt"]
    assert names(engine, "date:february tank") == ["minutes-2024-02.md"]
    assert names(engine, "roof", since="april") == ["2021-04-17_minutes.txt"]


def test_hits_are_sorted_by_these_dates(engine: SearchEngine) -> None:
    assert names(engine, "roof", Sort.DATE) == ["roof 03-04-2023.txt", "second.md", "2021-04-17_minutes.txt"]
