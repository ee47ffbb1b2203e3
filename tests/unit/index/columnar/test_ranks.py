"""A frequent word's bitmap says of any document what a search among its postings says."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.keywords.columnar.execution.rank_bitmaps import RankBitmap

SIZE = 300
documents = st.sets(st.integers(0, SIZE - 1)).map(lambda numbers: np.array(sorted(numbers), np.uint32))


@given(documents, documents)
def test_places_are_those_of_a_search(held: np.ndarray, wanted: np.ndarray) -> None:
    kept, places = RankBitmap(held, SIZE).lookup(wanted)
    assert kept.tolist() == np.flatnonzero(np.isin(wanted, held)).tolist()
    assert places.tolist() == np.searchsorted(held, wanted[kept]).tolist()
