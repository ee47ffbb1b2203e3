"""Retrieval measures, computed by ir-measures, and confidence intervals of differences between systems."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from desktop_rag.evaluation.datasets import Judged

Run = Mapping[str, Mapping[str, float]]  # question → passage → score
Values = dict[str, float]  # by question

RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """A mean over questions with its 95 % confidence interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return the text for a table cell."""
        return f"{self.mean:+.3f} ({self.low:+.3f} to {self.high:+.3f})"


def by_question(judged: Judged, run: Run, measures: Sequence[str]) -> dict[str, Values]:
    """Return each measure (“nDCG@10”, “R@5”, as ir-measures names them) for each judged question."""
    import ir_measures

    parsed = [ir_measures.parse_measure(name) for name in measures]
    values: dict[str, Values] = {name: dict.fromkeys(judged, 0.0) for name in measures}
    for metric in ir_measures.iter_calc(parsed, judged, run):
        values[str(metric.measure)][metric.query_id] = metric.value
    return values


def mean(values: Mapping[str, float]) -> float:
    """Return the mean over the questions."""
    return sum(values.values()) / len(values)


def difference(ours: Mapping[str, float], other: Mapping[str, float], seed: int = 1) -> MeanDifference:
    """Return the mean of ours − other over the questions with a paired bootstrap interval (Sakai 2006)."""
    deltas = np.array([ours[question] - other[question] for question in sorted(ours)])
    drawn = np.array(random.Random(seed).choices(range(len(deltas)), k=RESAMPLES * len(deltas)))
    low, high = np.percentile(deltas[drawn].reshape(RESAMPLES, -1).mean(axis=1), (2.5, 97.5))
    return MeanDifference(float(deltas.mean()), float(low), float(high))
