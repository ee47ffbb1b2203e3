"""A rank bitmap gives the same indices as a binary search."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.keywords.columnar.execution.segment_readers import RankBitmap

SIZE = 300
documents = st.sets(st.integers(0, SIZE - 1)).map(lambda numbers: np.array(sorted(numbers), np.uint32))


@given(documents, documents)
def test_rank_lookup_equals_binary_search(held: np.ndarray, wanted: np.ndarray) -> None:
    kept, places = RankBitmap(held, SIZE).lookup(wanted)
    assert kept.tolist() == np.flatnonzero(np.isin(wanted, held)).tolist()
    assert places.tolist() == np.searchsorted(held, wanted[kept]).tolist()
