"""Which documents hold a frequent word, as bits: where any document stands among its postings takes no search."""

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.arrays import Documents, Mask, Places

_BITS = 64  # of a word of the bitmap
_SHIFT, _WITHIN = np.uint32(6), np.uint32(_BITS - 1)
_ONE = np.uint64(1)


class Ranks:
    """The bitmap of some of `size` documents, and how many of them lie before each word of it (Jacobson 1989)."""

    __slots__ = ("_before", "_last", "_words")

    def __init__(self, documents: Documents, size: int) -> None:
        held = np.zeros(-(-size // _BITS) * _BITS, np.bool_)
        held[documents.astype(np.intp)] = True
        self._words = np.packbits(held, bitorder="little").view("<u8")
        counts = np.bitwise_count(self._words)
        self._before = np.cumsum(counts, dtype=np.uint32)
        self._before -= counts
        self._last = np.uint32(max(0, len(documents) - 1))

    def locate(self, wanted: Documents) -> tuple[Places, Mask]:
        """Return for each of `wanted` its place among the documents, and whether it is one of them."""
        at = (wanted >> _SHIFT).astype(np.intp)
        words = self._words.take(at)
        bits = np.left_shift(_ONE, (wanted & _WITHIN).astype(np.uint64))
        found: npt.NDArray[np.bool_] = (words & bits) != 0
        bits -= _ONE
        bits &= words
        places = self._before.take(at)
        places += np.bitwise_count(bits)
        np.minimum(places, self._last, out=places)
        return places.astype(np.intp), found
