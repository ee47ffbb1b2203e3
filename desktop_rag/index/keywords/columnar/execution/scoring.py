"""BM25 scores of term frequencies, in Lucene's variant."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.keyword_query import K1, B, lucene_idf

_ROUNDING = 1e-5  # relative error of a float32 score
_NEVER = 1 << 32  # a frequency that no document has


@dataclass(frozen=True, slots=True)
class Weighting:
    """BM25 (Robertson and Zaragoza 2009, k1 1.2, b 0.75) and its conventions.

    `idf` takes how many documents there are and how many hold the term. The terms that a pattern or fuzzy word matches
    are `pooled`, that is scored like one term with the occurrences of all of them (as Lucene's SynonymQuery does: rare
    words with many spellings do not outweigh the word itself), or their scores are added up, as Whoosh does.
    """

    idf: Callable[[int, int], float]
    pooled: bool

    def norms(self, lengths: npt.NDArray[np.uint32], average: float) -> npt.NDArray[np.float32]:
        """Return k1 · (1 - b + b · length / average) for each document."""
        norms = lengths.astype(np.float32)
        norms *= np.float32(K1 * B / (average or 1.0))
        norms += np.float32(K1 * (1 - B))
        return norms


LUCENE = Weighting(lucene_idf, pooled=True)


def saturate(counts: npt.NDArray[np.float32], norms: npt.NDArray[np.float32], weight: float) -> None:
    """Replace counts by weight · count · (k1 + 1) / (count + norm)."""
    divisors = norms + counts
    counts *= np.float32(weight * (K1 + 1))
    counts /= divisors


def most(weight: float, count: float, least_norm: float) -> float:
    """Return the highest score of a term with this frequency, in a document of the least norm."""
    return weight * (K1 + 1) * count / (count + least_norm)


def least_count(weight: float, score: float, least_norm: float) -> int:
    """Return the least frequency that reaches a score in a document of the least norm."""
    room = weight * (K1 + 1) - score
    return max(1, ceil(score * least_norm / room * (1 - _ROUNDING))) if room > 0 else _NEVER
