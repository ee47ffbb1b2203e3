"""Documents are found among others in the same way by a kept table, by a table and by a binary search."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.keywords.columnar.execution.segment_readers import PlaceTable
from desktop_rag.index.keywords.columnar.segments.posting_arrays import lookup

SIZE, LARGE = 300, 4_000
documents = st.sets(st.integers(0, SIZE - 1)).map(lambda numbers: np.array(sorted(numbers), np.uint32))


@given(documents, documents)
def test_every_way_equals_membership(held: np.ndarray, wanted: np.ndarray) -> None:
    among = np.flatnonzero(np.isin(wanted, held)).tolist()
    for kept, places in (PlaceTable(held, SIZE).lookup(wanted), lookup(held, wanted, SIZE)):
        assert kept.tolist() == among
        assert places.tolist() == np.searchsorted(held, wanted[kept]).tolist()


@given(st.integers(0, LARGE), st.integers(0, LARGE), st.integers(0, 9))
def test_a_table_equals_a_binary_search(held: int, wanted: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    some, others = (np.sort(chance.choice(LARGE, count, replace=False)).astype(np.uint32) for count in (held, wanted))
    kept, places = lookup(some, others, LARGE)
    assert kept.tolist() == np.flatnonzero(np.isin(others, some)).tolist()
    assert places.tolist() == np.searchsorted(some, others[kept]).tolist()
