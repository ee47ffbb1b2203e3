import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.ranking.fusion import MEANING, fused, reciprocal
from desktop_rag.retrieval.retrievers.on_demand_encoding import VectorMatch

SCORES = st.dictionaries(st.integers(1, 20).map(ChunkId), st.floats(0.01, 40), max_size=8)
COSINES = st.dictionaries(st.integers(1, 20).map(ChunkId), st.tuples(st.floats(-1, 1), st.floats(-1, 1)), max_size=8)


def meant(chunk: int, best: float, whole: float) -> VectorMatch:
    return VectorMatch(ChunkId(chunk), 0, best, whole)


def test_a_chunk_that_leads_both_lists_has_the_whole_score() -> None:
    words = [(ChunkId(1), 12.0), (ChunkId(2), 6.0)]
    joined = fused(words, [meant(1, 0.8, 0.6), meant(2, 0.4, 0.3)], cut_off=False)
    assert [chunk for chunk, _ in joined] == [1, 2]
    assert [score for _, score in joined] == [pytest.approx(1.0), pytest.approx(0.5)]


def test_what_fell_off_a_list_counts_as_its_last() -> None:
    words = [(ChunkId(1), 10.0), (ChunkId(2), 4.0)]
    nearest = [meant(1, 0.9, 0.9), meant(3, 0.9, 0.9)]
    assert dict(fused(words, nearest, cut_off=True))[ChunkId(3)] == pytest.approx((1 - MEANING) * 0.4 + MEANING)
    assert dict(fused(words, nearest, cut_off=False))[ChunkId(3)] == pytest.approx(MEANING)


def test_a_chunk_without_vectors_is_not_taken_for_a_stranger() -> None:
    words = [(ChunkId(7), 10.0), (ChunkId(8), 1.0)]
    joined = fused(words, [meant(8, 0.5, 0.5), meant(9, 0.4, 0.4)], cut_off=False)
    assert joined[0].chunk == 7


def test_reciprocal_ranks_are_summed() -> None:
    words = [(ChunkId(1), 12.0), (ChunkId(2), 6.0)]
    joined = reciprocal(words, [meant(2, 0.9, 0.1), meant(3, 0.8, 0.1)])
    assert [chunk for chunk, _ in joined] == [2, 1, 3]
    assert [score for _, score in joined] == [pytest.approx(1 / 62 + 1 / 61), pytest.approx(1 / 61), 1 / 62]


@given(SCORES, COSINES, st.booleans())
def test_scores_are_shares_in_order_and_nobody_is_lost(
    words: dict[ChunkId, float], cosines: dict[ChunkId, tuple[float, float]], cut_off: bool
) -> None:
    ordered = sorted(words.items(), key=lambda pair: -pair[1])
    joined = fused(ordered, [meant(chunk, *pair) for chunk, pair in cosines.items()], cut_off=cut_off)
    assert {one.chunk for one in joined} == words.keys() | cosines.keys()
    assert len(joined) == len({one.chunk for one in joined})
    assert [one.score for one in joined] == sorted((one.score for one in joined), reverse=True)
    assert all(0 <= one.score <= 1 + 1e-9 for one in joined)
