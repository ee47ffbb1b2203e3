"""Rank bitmaps: find the postings of any documents of a frequent word without a search."""

import numpy as np

from desktop_rag.index.keywords.columnar.segments.posting_arrays import Documents, Indices

_BITS = 64  # of a word of the bitmap
_SHIFT, _WITHIN = np.uint32(6), np.uint32(_BITS - 1)
_ONE = np.uint64(1)


class RankBitmap:
    """A bitmap of some of `size` documents, and how many of them precede each 64-bit word of it (Jacobson 1989)."""

    __slots__ = ("_before", "_words")

    def __init__(self, documents: Documents, size: int) -> None:
        held = np.zeros(-(-size // _BITS) * _BITS, np.bool_)
        held[documents.astype(np.intp)] = True
        self._words = np.packbits(held, bitorder="little").view("<u8")
        counts = np.bitwise_count(self._words)
        self._before = np.cumsum(counts, dtype=np.uint32)
        self._before -= counts

    def lookup(self, wanted: Documents) -> tuple[Indices, Indices]:
        """Return which of `wanted` are among the documents, and the index of each of these."""
        at = (wanted >> _SHIFT).astype(np.intp)
        words = self._words.take(at)
        bits = np.left_shift(_ONE, wanted & _WITHIN, dtype=np.uint64)
        kept = (words & bits).nonzero()[0]
        places = self._before.take(at.take(kept)).astype(np.intp)
        places += np.bitwise_count(words.take(kept) & (bits.take(kept) - _ONE))
        return kept, places
