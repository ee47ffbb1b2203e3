"""Postings are sorted by term, document and position, however many terms there are."""

import numpy as np
import pytest

from desktop_rag.index.keywords.columnar.segments.segment import FieldKind, FieldSpec
from desktop_rag.index.keywords.columnar.segments.segment_building import Tokens, build_postings
from desktop_rag.index.keywords.columnar.segments.split_numbers import SplitNumbers
from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary

BODY = FieldSpec("body", FieldKind.POSITIONS, scored=True)
DOCUMENTS, LENGTH = 50, 400


@pytest.mark.parametrize("terms", [1, 10, 70_000, 600_000])
@pytest.mark.parametrize("ascending", [True, False])
def test_postings_are_in_order(terms: int, ascending: bool) -> None:
    chance = np.random.default_rng(terms)
    names = [b"%06d" % number for number in reversed(range(terms))]
    chosen = chance.integers(0, terms, DOCUMENTS * LENGTH, np.uint32)
    chosen[:2] = 0, terms - 1
    documents = np.repeat(np.arange(DOCUMENTS, dtype=np.uint32), LENGTH)
    places = np.arange(DOCUMENTS * LENGTH, dtype=np.uint32) % LENGTH
    places = places if ascending else places[::-1].copy()
    arrays = build_postings(BODY, Tokens(Vocabulary.of(names), chosen, documents, places), DOCUMENTS)

    found = sorted(
        (names[term], document, place) for term, document, place in zip(chosen, documents, places, strict=True)
    )
    used = sorted({name for name, _, _ in found})
    assert arrays["body/terms"].tobytes() == b"".join(used)
    counts, positions = (SplitNumbers(f"body/{name}", arrays) for name in ("counts", "positions"))
    assert positions.run(0, len(positions)).tolist() == [place for _, _, place in found]
    postings = sorted({(name, document) for name, document, _ in found})
    assert arrays["body/documents"].tolist() == [document for _, document in postings]
    assert counts.run(0, len(counts)).sum() == len(found)
    assert len(arrays["body/starts"]) == len(used) + 1


def test_numbers_too_large_to_be_sorted_as_one_are_in_order() -> None:
    terms, documents = np.array([2**20 - 1, 0, 2**20 - 1], np.uint32), np.array([2**22 - 1, 7, 0], np.uint32)
    places = np.array([3, 2**32 - 1, 5], np.uint32)
    names = Vocabulary.of([b"%07d" % number for number in range(2**20)])
    tokens = Tokens(names, terms, documents, places)
    arrays = build_postings(FieldSpec("body", FieldKind.POSITIONS, scored=False), tokens, 2**22)

    assert arrays["body/terms"].tobytes() == b"0000000" + b"%07d" % (2**20 - 1)
    assert arrays["body/documents"].tolist() == [7, 0, 2**22 - 1]
    assert SplitNumbers("body/positions", arrays).run(0, 3).tolist() == [2**32 - 1, 5, 3]
