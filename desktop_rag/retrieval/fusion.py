"""Joins rankings by reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""

from collections.abc import Hashable, Sequence
from typing import TypeVar

K = 60

Item = TypeVar("Item", bound=Hashable)


def reciprocal_ranks(rankings: Sequence[Sequence[Item]], k: int = K) -> list[tuple[Item, float]]:
    """Return every item with Σ 1/(k + rank), ranks from 1, best first; ties keep the order of the first ranking."""
    scores: dict[Item, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + 1.0 / (k + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])
