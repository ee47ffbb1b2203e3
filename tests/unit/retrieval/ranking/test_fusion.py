import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.ranking.reranking import FOREIGN_WORDS, SEMANTIC_WEIGHT, fuse, reciprocal_rank_fusion
from desktop_rag.retrieval.retrievers.on_demand_encoding import VectorMatch

SCORES = st.dictionaries(st.integers(1, 20).map(ChunkId), st.floats(0.01, 40), max_size=8)
COSINES = st.dictionaries(st.integers(1, 20).map(ChunkId), st.tuples(st.floats(-1, 1), st.floats(-1, 1)), max_size=8)


def match(chunk: int, best: float, whole: float) -> VectorMatch:
    return VectorMatch(ChunkId(chunk), 0, best, whole)


def test_a_chunk_first_in_both_lists_scores_one() -> None:
    words = [(ChunkId(1), 12.0), (ChunkId(2), 6.0)]
    joined = fuse(words, [match(1, 0.8, 0.6), match(2, 0.4, 0.3)], truncated=False)
    assert [chunk for chunk, _ in joined] == [1, 2]
    assert [score for _, score in joined] == [pytest.approx(1.0), pytest.approx(0.5)]


def test_a_chunk_missing_from_a_truncated_list_gets_its_lowest_score() -> None:
    words = [(ChunkId(1), 10.0), (ChunkId(2), 4.0)]
    nearest = [match(1, 0.9, 0.9), match(3, 0.9, 0.9)]
    assert dict(fuse(words, nearest, truncated=True))[ChunkId(3)] == pytest.approx(
        (1 - SEMANTIC_WEIGHT) * 0.4 + SEMANTIC_WEIGHT
    )
    assert dict(fuse(words, nearest, truncated=False))[ChunkId(3)] == pytest.approx(SEMANTIC_WEIGHT)


def test_a_chunk_without_vectors_is_not_ranked_as_dissimilar() -> None:
    words = [(ChunkId(7), 10.0), (ChunkId(8), 1.0)]
    joined = fuse(words, [match(8, 0.5, 0.5), match(9, 0.4, 0.4)], truncated=False)
    assert joined[0][0] == 7


def test_words_of_another_language_count_less() -> None:
    words = [(ChunkId(1), 10.0), (ChunkId(2), 8.0)]
    nearest = [match(1, 0.5, 0.5), match(2, 0.5, 0.5), match(3, 0.9, 0.9)]
    joined = dict(fuse(words, nearest, truncated=False, foreign={ChunkId(1)}))
    assert joined[ChunkId(1)] == pytest.approx((1 - SEMANTIC_WEIGHT) * FOREIGN_WORDS + SEMANTIC_WEIGHT * 5 / 9)
    assert joined[ChunkId(2)] > joined[ChunkId(3)] > joined[ChunkId(1)]


def test_reciprocal_ranks_are_summed() -> None:
    words = [(ChunkId(1), 12.0), (ChunkId(2), 6.0)]
    joined = reciprocal_rank_fusion(words, [match(2, 0.9, 0.1), match(3, 0.8, 0.1)])
    assert [chunk for chunk, _ in joined] == [2, 1, 3]
    assert [score for _, score in joined] == [pytest.approx(1 / 62 + 1 / 61), pytest.approx(1 / 61), 1 / 62]


@given(SCORES, COSINES, st.booleans())
def test_scores_are_between_0_and_1_in_order_for_every_chunk(
    words: dict[ChunkId, float], cosines: dict[ChunkId, tuple[float, float]], truncated: bool
) -> None:
    ordered = sorted(words.items(), key=lambda pair: -pair[1])
    joined = fuse(ordered, [match(chunk, *pair) for chunk, pair in cosines.items()], truncated=truncated)
    assert {chunk for chunk, _ in joined} == words.keys() | cosines.keys()
    assert len(joined) == len({chunk for chunk, _ in joined})
    assert [score for _, score in joined] == sorted((score for _, score in joined), reverse=True)
    assert all(0 <= score <= 1 + 1e-9 for _, score in joined)
