import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.keywords.columnar.segments.posting_arrays import are_among, joined_ranges

numbers = st.lists(st.one_of(st.integers(0, 40), st.integers(0, 1 << 63)), max_size=30)


@given(numbers, numbers)
def test_numbers_are_found_among_others_as_numpy_does(column: list[int], wanted: list[int]) -> None:
    values, others = np.array(column, np.uint64), np.array(sorted(set(wanted)), np.uint64)
    assert are_among(values, others).tolist() == np.isin(values, others).tolist()


@pytest.mark.processes
def test_masked_arrays_are_not_imported_for_it() -> None:
    program = (
        "import sys, numpy as np\n"
        "from desktop_rag.index.keywords.columnar.segments.posting_arrays import are_among\n"
        "assert are_among(np.array([1, 900], np.uint64), np.array([900], np.uint64)).tolist() == [False, True]\n"
        "assert 'numpy.ma' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=8))
def test_ranges_that_adjoin_are_one(steps: list[tuple[int, int]]) -> None:
    edges = np.cumsum(np.array(steps, np.int64))
    begins, ends = joined_ranges(edges[::2], edges[1::2])
    inside = [at for first, last in zip(begins.tolist(), ends.tolist(), strict=True) for at in range(first, last)]
    assert inside == [at for a, b in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True) for at in range(a, b)]
    assert (begins[1:] != ends[:-1]).all()
