"""A library whose catalog, keyword index or vectors were damaged while closed recovers when it is opened.

A small dose: `bench faults --only damage` damages each store in all eight ways.
"""

from collections.abc import Iterator

import pytest

from benchmarks.faults.damage import DamageSetup, Store

pytestmark = [pytest.mark.slow, pytest.mark.processes]


@pytest.fixture(scope="module")
def setup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DamageSetup]:
    setup = DamageSetup(tmp_path_factory.mktemp("damage"), seed=3)
    with setup.notes:
        yield setup


@pytest.mark.parametrize(
    ("store", "kind"),
    [(Store.CATALOG, "removed"), (Store.KEYWORDS, "truncated"), (Store.VECTORS, "an older copy restored")],
)
def test_a_damaged_store_recovers_by_itself(setup: DamageSetup, store: Store, kind: str) -> None:
    assert setup.damage(store, kind) == ""
