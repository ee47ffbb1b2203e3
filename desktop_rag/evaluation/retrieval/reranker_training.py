"""Learns the weights of the re-ranking features (`retrieval/ranking/reranking`).

Pairwise logistic regression (Burges et al. 2005, RankNet, with a linear model): of two passages of one question the
more relevant one should have the greater score. All collections have equal weight, and within one all questions.
Leave-one-out: each collection is also scored with weights learned from the others, which shows overfitting.
"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import log2

import numpy as np
import numpy.typing as npt

from desktop_rag.errors import BenchError
from desktop_rag.evaluation.datasets import Collection, MeanDifference, difference
from desktop_rag.evaluation.indexing import Say
from desktop_rag.evaluation.retrieval.passage_library import index_passages
from desktop_rag.evaluation.retrieval.retrieval_runner import RetrievalPlan
from desktop_rag.evaluation.retrieval.systems import search_question
from desktop_rag.retrieval.ranking.reranking import SEMANTIC_WEIGHT, SENTENCE_WEIGHT, WEIGHTS, RerankFeatures
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop

RIDGE = 1e-3  # L2 penalty; keeps weights small that the pairs do not determine
STEPS, RATE = 400, 0.3
FIRST, SECOND = 0.9, 0.999  # moments of Adam (Kingma and Ba 2015)
DEPTH = 10

Floats = npt.NDArray[np.float64]
HYBRID = RerankFeatures(
    1 - SEMANTIC_WEIGHT,
    SEMANTIC_WEIGHT * SENTENCE_WEIGHT,
    SEMANTIC_WEIGHT * (1 - SENTENCE_WEIGHT),
    *(0.0, 0.0, 0.0, 0.0),
)


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The candidate passages of a question: a row of features each, their grades, and all grades of the question."""

    features: Floats
    grades: Floats
    every: tuple[int, ...]

    def ndcg(self, weights: Sequence[float]) -> float:
        """Return nDCG@10 of the passages ranked by their weighted sums."""
        order = np.argsort(-(self.features @ np.array(weights)), kind="stable")[:DEPTH]
        best = sorted(self.every, reverse=True)[:DEPTH]
        return _gain(self.grades[order].tolist()) / _gain(best)


@dataclass(frozen=True, slots=True)
class TrainingTrial:
    """nDCG@10 of one collection by hybrid search, and the change by the current weights and by the others' weights."""

    collection: str
    hybrid: float
    in_use: MeanDifference
    from_others: MeanDifference | None


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """The weights learned from all collections, and a trial on each."""

    weights: RerankFeatures
    trials: tuple[TrainingTrial, ...]


def learn(collections: Sequence[Collection], plan: RetrievalPlan, say: Say) -> TrainingResult:
    """Index the collections, compute the features of the top passages, and learn; raises `BenchError`."""
    pools = {each.name: _pools(each, plan, say) for each in collections}
    say("Learning from all collections, and from all but each")
    trials = []
    for name, own in pools.items():
        others = {other: its for other, its in pools.items() if other != name}
        hybrid = _ndcg(own, HYBRID)
        trials.append(
            TrainingTrial(
                name,
                sum(hybrid.values()) / len(hybrid),
                difference(_ndcg(own, WEIGHTS), hybrid),
                difference(_ndcg(own, fit_weights(others)), hybrid) if others else None,
            )
        )
    return TrainingResult(fit_weights(pools), tuple(trials))


def fit_weights(pools: Mapping[str, Mapping[str, Pool]]) -> RerankFeatures:
    """Return the weights that best order the pairs of more and less relevant passages; raises `BenchError`."""
    pairs, counts = [], []
    for some in pools.values():
        of_questions = [found for found in map(_pairs, some.values()) if len(found)]
        pairs += of_questions
        counts += [np.full(len(found), 1 / (len(found) * len(of_questions))) for found in of_questions]
    if not pairs:
        raise BenchError("No question has both a passage that answers it and one that does not among its best.")
    return RerankFeatures(*_logistic(np.concatenate(pairs), np.concatenate(counts)).tolist())


def _logistic(pairs: Floats, counts: Floats) -> Floats:
    counts = counts / counts.sum()
    weights = np.zeros(pairs.shape[1])
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        slope = RIDGE * weights - (counts / (1 + np.exp(pairs @ weights))) @ pairs
        first = FIRST * first + (1 - FIRST) * slope
        second = SECOND * second + (1 - SECOND) * slope**2
        weights -= RATE * first / (1 - FIRST**step) / (np.sqrt(second / (1 - SECOND**step)) + 1e-8)
    return weights


def _pairs(pool: Pool) -> Floats:
    """Return the feature differences of all pairs of a passage and one of a lower grade."""
    better, worse = np.nonzero(pool.grades[:, None] > pool.grades[None, :])
    differences: Floats = pool.features[better] - pool.features[worse]
    return differences


def _pools(collection: Collection, plan: RetrievalPlan, say: Say) -> dict[str, Pool]:
    made = index_passages(collection, plan.keep, say)
    found: dict[str, Pool] = {}
    with closing(SearchEngine(made.library, plan.encoder)) as engine:
        for number, question in enumerate(collection.questions):
            if number % 50 == 0:
                say(f"Computing the features of question {number + 1:,} of {len(collection.questions):,}")
            candidates = search_question(question.text, lambda query: engine.rerank_features(query, Stop()))
            judged = collection.judged[question.id]
            grades = [float(max(0, judged.get(made.passage_at(path), 0))) for path, _ in candidates]
            every = tuple(grade for grade in judged.values() if grade > 0)
            rows = np.array([one for _, one in candidates], np.float64).reshape(-1, len(WEIGHTS))
            found[question.id] = Pool(rows, np.array(grades), every)
    return found


def _ndcg(pools: Mapping[str, Pool], weights: RerankFeatures) -> dict[str, float]:
    return {question: pool.ndcg(weights) for question, pool in pools.items()}


def _gain(grades: Sequence[float]) -> float:
    return sum(grade / log2(rank + 2) for rank, grade in enumerate(grades))
