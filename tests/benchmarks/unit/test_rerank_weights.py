import numpy as np
import pytest

from benchmarks.rerank_weights import Pool, fit_weights
from desktop_rag.errors import BenchError
from desktop_rag.retrieval.ranking.reranking import WEIGHTS, RerankFeatures

PIECES = len(WEIGHTS)


def pool(seed: int, discriminative: int, passages: int = 20) -> Pool:
    """Return a pool in which one feature separates the relevant passages, and the others are noise."""
    rows = np.random.default_rng(seed).random((passages, PIECES))
    grades = (rows[:, discriminative] > 0.7).astype(float)
    return Pool(rows, grades, tuple(int(grade) for grade in grades if grade))


def test_discriminative_features_weigh_most() -> None:
    for discriminative in (0, 3, PIECES - 1):
        weights = fit_weights({"one": {str(seed): pool(seed, discriminative) for seed in range(30)}})
        assert int(np.argmax(weights)) == discriminative
        assert weights[discriminative] > 4 * max(
            abs(weight) for at, weight in enumerate(weights) if at != discriminative
        )


def test_every_collection_counts_alike() -> None:
    many = {str(seed): pool(seed, 1) for seed in range(90)}
    few = {str(seed): pool(seed, 2) for seed in range(6)}
    weights = fit_weights({"many": many, "few": few})
    assert weights[2] > weights[1] / 3


def test_ndcg_is_that_of_the_weighted_order() -> None:
    rows = np.eye(3, PIECES)
    found = Pool(rows, np.array([0.0, 2.0, 1.0]), (2, 1))
    assert found.ndcg(RerankFeatures(0, 3, 1, 0, 0, 0, 0)) == pytest.approx(1.0)
    assert found.ndcg(RerankFeatures(3, 2, 1, 0, 0, 0, 0)) < 0.8


def test_without_pairs_learning_raises() -> None:
    same = Pool(np.zeros((3, PIECES)), np.ones(3), (1, 1, 1))
    with pytest.raises(BenchError, match="No question"):
        fit_weights({"one": {"1": same}})
