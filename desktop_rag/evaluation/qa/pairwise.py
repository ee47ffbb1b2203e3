"""Compares two systems on the same questions by McNemar's exact test."""

from dataclasses import dataclass
from math import comb

from desktop_rag.errors import BenchError
from desktop_rag.evaluation.metrics import MeanDifference, difference
from desktop_rag.evaluation.qa.summary import SystemScores

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class PairwiseComparison:
    """Two systems on one set: how often only one was correct, and the differences of their common measures."""

    collection: str
    first: str
    second: str
    questions: int
    only_first: int
    only_second: int
    p: float  # of McNemar's exact test
    differences: dict[str, MeanDifference]  # first − second

    @property
    def verdict(self) -> str:
        """Return a sentence naming the better system, if the difference is significant."""
        if self.p >= LEVEL:
            return f"not settled by {self.questions:,} questions"
        return f"{self.first if self.only_first > self.only_second else self.second} answers better"


def compare(first: SystemScores, second: SystemScores) -> PairwiseComparison:
    """Compare two systems question by question; raises `BenchError` if they share none."""
    shared = first.values.get("correct", {}).keys() & second.values.get("correct", {}).keys()
    if not shared:
        raise BenchError(f"{first.system.name} and {second.system.name} have no question in common.")
    right, other = first.values["correct"], second.values["correct"]
    only_first = sum(right[question] > other[question] for question in shared)
    only_second = sum(right[question] < other[question] for question in shared)
    differences = {}
    for measure in first.values:
        both = first.values[measure].keys() & second.values.get(measure, {}).keys()
        if both:
            ours = {question: first.values[measure][question] for question in both}
            differences[measure] = difference(ours, second.values[measure])
    names = first.system.name, second.system.name
    p = mcnemar(only_first, only_second)
    return PairwiseComparison(first.collection, *names, len(shared), only_first, only_second, p, differences)


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the two-sided p of McNemar's exact test (a binomial test on the discordant pairs)."""
    total, fewer = only_first + only_second, min(only_first, only_second)
    tail = sum(comb(total, count) for count in range(fewer + 1)) / (1 << total)
    return min(1.0, 2 * tail)
