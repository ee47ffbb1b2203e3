"""A sorted vocabulary finds terms, and the place of those it lacks, like a bisection of a list."""

from bisect import bisect_left

import pytest

from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary


@pytest.mark.parametrize("size", [0, 1, 31, 32, 33, 64, 200])
def test_a_place_is_that_of_a_bisection(size: int) -> None:
    terms = [b"%04d" % (2 * number) for number in range(size)]
    vocabulary = Vocabulary.of(terms)
    asked = [b"", b"\xff", *(b"%04d" % number for number in range(2 * size + 2))]
    assert [vocabulary.at_least(term) for term in asked] == [bisect_left(terms, term) for term in asked]
    assert [vocabulary.find(term) for term in asked] == [terms.index(t) if t in terms else -1 for t in asked]
    for prefix in (b"0", b"00", b"001", b"0110", b"\xff", b""):
        first, last = vocabulary.prefixed(prefix)
        assert terms[first:last] == [term for term in terms if term.startswith(prefix)]
