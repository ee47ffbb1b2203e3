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
