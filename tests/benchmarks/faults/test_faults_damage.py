"""A library whose catalog, keyword index or vectors were damaged while closed recovers when it is opened."""

from collections.abc import Iterator

import pytest

from benchmarks.faults.damage import RECIPES, Shelf, Store


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path_factory.mktemp("shelf"), seed=3)
    with shelf.patient:
        yield shelf


@pytest.mark.parametrize("store", Store)
@pytest.mark.parametrize("recipe", RECIPES)
def test_a_damaged_store_recovers_by_itself(shelf: Shelf, store: Store, recipe: str) -> None:
    assert shelf.treat(store, recipe) == ""
