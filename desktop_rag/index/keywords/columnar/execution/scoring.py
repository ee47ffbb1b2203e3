"""BM25 scores of term frequencies, in Lucene's variant (the product) and Whoosh's (to compare with)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, log

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.bm25 import K1, B, lucene_idf

_ROUNDING = 1e-5  # relative error of a float32 score
_NEVER = 1 << 32  # a frequency that no document has


@dataclass(frozen=True, slots=True)
class Weighting:
    """BM25 (Robertson and Zaragoza 2009, k1 1.2, b 0.75) and its conventions.

    `idf` takes how many documents there are and how many hold the term. `rounded` lengths are those Whoosh keeps in
    one byte. The terms that a pattern or fuzzy word matches are `pooled`, that is scored like one term with the
    occurrences of all of them (as Lucene's SynonymQuery does: rare words with many spellings do not outweigh the word
    itself), or their scores are added up.
    """

    idf: Callable[[int, int], float]
    rounded: bool
    pooled: bool

    def norms(self, lengths: npt.NDArray[np.uint32], average: float) -> npt.NDArray[np.float32]:
        """Return k1 · (1 - b + b · length / average) for each document."""
        known = _rounded(lengths) if self.rounded else lengths
        norms = known.astype(np.float32)
        norms *= np.float32(K1 * B / (average or 1.0))
        norms += np.float32(K1 * (1 - B))
        return norms


def whoosh_idf(documents: int, holding: int) -> float:
    """Return Whoosh's ln(N / (n + 1)) + 1."""
    return log(documents / (holding + 1)) + 1


LUCENE = Weighting(lucene_idf, rounded=False, pooled=True)
WHOOSH = Weighting(whoosh_idf, rounded=True, pooled=False)


def saturated(
    counts: npt.NDArray[np.float32], norms: npt.NDArray[np.float32], weight: float
) -> npt.NDArray[np.float32]:
    """Return weight · count · (k1 + 1) / (count + norm); `norms` is overwritten."""
    norms += counts
    counts = counts * np.float32(weight * (K1 + 1))
    counts /= norms
    return counts


def most(weight: float, count: float, least_norm: float) -> float:
    """Return the highest score of a term with this frequency, in a document of the least norm."""
    return weight * (K1 + 1) * count / (count + least_norm)


def least_count(weight: float, score: float, least_norm: float) -> int:
    """Return the least frequency that reaches a score in a document of the least norm."""
    room = weight * (K1 + 1) - score
    return max(1, ceil(score * least_norm / room * (1 - _ROUNDING))) if room > 0 else _NEVER


def _rounded(lengths: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    known = _kept_lengths()
    return known[np.minimum(np.searchsorted(known, lengths), len(known) - 1)]


@lru_cache(maxsize=1)
def _kept_lengths() -> npt.NDArray[np.uint32]:
    """Return the 256 lengths that Whoosh can keep in a byte."""
    from whoosh.util.numeric import byte_to_length

    return np.fromiter(map(byte_to_length, range(256)), np.uint32, 256)
