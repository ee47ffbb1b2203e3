import numpy as np
import pytest

from desktop_rag.errors import BenchError
from desktop_rag.evaluation.retrieval.reranker_training import Pool, fitted
from desktop_rag.retrieval.ranking.reranking import WEIGHTS, RerankFeatures

PIECES = len(WEIGHTS)


def pool(seed: int, telling: int, passages: int = 20) -> Pool:
    """Return a pool in which one piece of evidence tells what is relevant, and the others say nothing."""
    rows = np.random.default_rng(seed).random((passages, PIECES))
    grades = (rows[:, telling] > 0.7).astype(float)
    return Pool(rows, grades, tuple(int(grade) for grade in grades if grade))


def test_what_tells_the_relevant_from_the_others_weighs_most() -> None:
    for telling in (0, 3, PIECES - 1):
        weights = fitted({"one": {str(seed): pool(seed, telling) for seed in range(30)}})
        assert int(np.argmax(weights)) == telling
        assert weights[telling] > 4 * max(abs(weight) for at, weight in enumerate(weights) if at != telling)


def test_every_collection_counts_alike() -> None:
    many = {str(seed): pool(seed, 1) for seed in range(90)}
    few = {str(seed): pool(seed, 2) for seed in range(6)}
    weights = fitted({"many": many, "few": few})
    assert weights[2] > weights[1] / 3


def test_ndcg_is_that_of_the_weighted_order() -> None:
    rows = np.eye(3, PIECES)
    found = Pool(rows, np.array([0.0, 2.0, 1.0]), (2, 1))
    assert found.ndcg(RerankFeatures(0, 3, 1, 0, 0, 0, 0)) == pytest.approx(1.0)
    assert found.ndcg(RerankFeatures(3, 2, 1, 0, 0, 0, 0)) < 0.8


def test_without_anything_to_compare_nothing_is_learned() -> None:
    same = Pool(np.zeros((3, PIECES)), np.ones(3), (1, 1, 1))
    with pytest.raises(BenchError, match="No question"):
        fitted({"one": {"1": same}})
