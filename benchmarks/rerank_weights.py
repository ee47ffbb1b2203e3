"""Fits the weights of the re-ranking features (`retrieval/ranking/reranking`), and tests them on collections unseen.

Pairwise logistic regression (Burges et al. 2005, RankNet, with a linear model): of two passages of one question the
more relevant one should have the greater score. All collections have equal weight, and within one all questions.
Leave-one-out: each collection is also scored with weights learned from the others, which shows overfitting. The weights
that the product contains are those of all given collections together; copy them from the notes of the report.
"""

import argparse
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import log2
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.report import OURS, Measurement, Report
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.datasets import Collection, collections_below, difference, mean, read_collection
from desktop_rag.evaluation.indexing import Say
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.evaluation.retrieval.passage_library import index_passages
from desktop_rag.evaluation.retrieval.systems import search_question
from desktop_rag.paths import encoder_folder
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="collections, or folders of them")
    parser.add_argument("--keep", type=Path, required=True, metavar="FOLDER", help="keep and reuse libraries there")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Fit on all collections but one, test on that one; then fit on all."""
    found = [read_collection(below) for folder in options.folders for below in collections_below(folder)]
    pools = {each.name: _pools(each, options.keep, say) for each in found}
    rows, notes = [], []
    for name, own in pools.items():
        others = {other: its for other, its in pools.items() if other != name}
        hybrid = _ndcg(own, HYBRID)
        weighed = {OURS: WEIGHTS, **({"weights of the others": fit_weights(others)} if others else {})}
        scores = {"hybrid": hybrid, **{subject: _ndcg(own, weights) for subject, weights in weighed.items()}}
        rows += [Measurement(name, subject, "nDCG@10", (mean(each),), "more") for subject, each in scores.items()]
        gains = (f"{subject} {difference(scores[subject], hybrid)}" for subject in weighed)
        notes.append(f"{name}, above hybrid: {', '.join(gains)}")
    learned = ", ".join(f"{name} {weight:.2f}" for name, weight in fit_weights(pools)._asdict().items())
    return Report("Weights of re-ranking", tuple(rows), (*notes, f"Fitted on all: {learned}"), this_machine())


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


def _pools(collection: Collection, keep: Path, say: Say) -> dict[str, Pool]:
    made = index_passages(collection, keep, say)
    found: dict[str, Pool] = {}
    with closing(SearchEngine(made.library, encoder_folder())) as engine:
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
