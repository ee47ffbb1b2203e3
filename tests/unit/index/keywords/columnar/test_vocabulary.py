"""A sorted vocabulary finds terms, and the place of those it lacks, like a bisection of a list."""

from bisect import bisect_left, bisect_right

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary, joined, ordered


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


# Terms that share the bytes which are compared as numbers, and terms that end within them.
_BEGINNINGS = st.sampled_from([b"", b"x" * 7, b"x" * 8, b"x" * 24, b"x" * 30])
_ENDS = st.lists(st.sampled_from([b"", b"\0", b"a", b"b", b"\xff"]), max_size=4).map(b"".join)
_terms = st.lists(st.builds(bytes.__add__, _BEGINNINGS, _ENDS), max_size=30)


@given(_terms, _terms)
def test_distinct_terms_are_ordered_by_their_bytes(some: list[bytes], others: list[bytes]) -> None:
    vocabulary, numbers = ordered(joined((Vocabulary.of(some), Vocabulary.of(others))))
    assert list(vocabulary) == sorted({*some, *others})
    assert [vocabulary[number] for number in numbers.tolist()] == [*some, *others]


@given(_terms, _terms)
def test_the_first_greater_term_is_found(terms: list[bytes], asked: list[bytes]) -> None:
    vocabulary, _ = ordered(Vocabulary.of(terms))
    assert [vocabulary.after(term) for term in asked] == [bisect_right(list(vocabulary), term) for term in asked]
