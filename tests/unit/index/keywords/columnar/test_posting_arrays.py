import subprocess
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.keywords.columnar.segments.posting_arrays import are_among

numbers = st.lists(st.one_of(st.integers(0, 40), st.integers(0, 1 << 63)), max_size=30)


@given(numbers, numbers)
def test_numbers_are_found_among_others_as_numpy_does(column: list[int], wanted: list[int]) -> None:
    values, others = np.array(column, np.uint64), np.array(sorted(set(wanted)), np.uint64)
    assert are_among(values, others).tolist() == np.isin(values, others).tolist()


def test_masked_arrays_are_not_imported_for_it() -> None:
    program = (
        "import sys, numpy as np\n"
        "from desktop_rag.index.keywords.columnar.segments.posting_arrays import are_among\n"
        "assert are_among(np.array([1, 900], np.uint64), np.array([900], np.uint64)).tolist() == [False, True]\n"
        "assert 'numpy.ma' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
