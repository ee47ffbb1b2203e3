"""Tags of documents as conditions, filters and facets, and in catalogs that were made before there were any."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.retrieval.api import DocumentQuery, Mode, SearchRequest
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import SmallLibrary, names

FILES = {
    "lisbon.md": "---\ntags: [Travel, portugal]\n---\n# Lisbon\n\nThe flat costs 640 euros.\n",
    "porto.md": "# Porto\n\nThe hotel costs 95 euros. #travel #people/ines\n",
    "bread.md": "# Bread\n\nFlour costs 2 euros. #recipes\n",
    "plain.txt": "A plain text that costs nothing.\n",
}


@pytest.fixture(scope="module")
def tagged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallLibrary]:
    library = SmallLibrary(tmp_path_factory.mktemp("tags"))
    library.add(FILES)
    yield library
    library.close()


@pytest.fixture
def search(tagged: SmallLibrary) -> Iterator[SearchEngine]:
    with closing(SearchEngine(tagged.layout.folder)) as engine:
        yield engine


def found(engine: SearchEngine, query: str, *filters: Filter) -> set[str]:
    return set(names(engine.search(SearchRequest(query, Mode.KEYWORD, filters=filters), Stop())))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("costs tag:travel", {"lisbon.md", "porto.md"}),
        ("costs tag:#Travel", {"lisbon.md", "porto.md"}),
        ("costs tag:people", {"porto.md"}),
        ("costs tag:tra*", {"lisbon.md", "porto.md"}),
        ("costs tag:trav", set()),
        ("costs AND NOT tag:travel", {"bread.md", "plain.txt"}),
        ("tag:recipes", {"bread.md"}),
    ],
)
def test_documents_are_found_by_their_tags(search: SearchEngine, query: str, expected: set[str]) -> None:
    assert found(search, query) == expected


def test_tags_are_filters_and_facets(search: SearchEngine) -> None:
    travel, recipes = Filter(FileField.TAG, "travel"), Filter(FileField.TAG, "recipes")
    assert found(search, "costs", travel) == {"lisbon.md", "porto.md"}
    assert found(search, "costs", travel, recipes) == {"lisbon.md", "porto.md", "bread.md"}
    facets = search.facets(SearchRequest("costs", Mode.KEYWORD, filters=(travel,)), Stop())
    assert {facet.label: facet.count for facet in facets.tags} == {
        "travel": 2, "portugal": 1, "people/ines": 1, "recipes": 1,
    }  # fmt: skip
    assert facets.documents == 2


def test_a_rare_tag_is_among_the_facets(tmp_path: Path) -> None:
    library = SmallLibrary(tmp_path)
    library.add({f"{number}.md": f"Text #often{number % 20} #rare{number}" for number in range(60)})
    with closing(SearchEngine(library.layout.folder)) as engine:
        facets = engine.documents(DocumentQuery(limit=0, with_facets=True), Stop()).facets
    library.close()
    assert "rare59" in {facet.label for facet in facets.tags}


def test_a_damaged_tag_is_noticed_and_an_older_catalog_has_none(tagged: SmallLibrary) -> None:
    with closing(CatalogReader.open(tagged.layout.catalog)) as reader:
        contents = reader.contents.all_ids()
        assert all(map(reader.contents.is_intact, contents))
        tagged.catalog.database.execute("UPDATE tag SET name = 'Other' WHERE name = 'recipes'")
        assert sum(not reader.contents.is_intact(content) for content in contents) == 1
        tagged.catalog.database.execute("UPDATE tag SET name = 'recipes' WHERE name = 'Other'")
    tagged.catalog.database.execute("ALTER TABLE tag RENAME TO later")
    with closing(CatalogReader.open(tagged.layout.catalog)) as reader:
        assert not any(content.tags for content in reader.contents.by_id(contents).values())
    tagged.catalog.database.execute("ALTER TABLE later RENAME TO tag")
