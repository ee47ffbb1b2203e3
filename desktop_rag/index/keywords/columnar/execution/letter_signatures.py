"""Letter signatures: a filter for fuzzy matching that compares a bitmap of letters for all terms at once."""

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.segments.posting_arrays import Indices
from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary

_LONGEST = 255  # lengths are capped here; words are shorter
_BLOCK = 1 << 15  # terms whose signatures are made in one step


class Signatures:
    """A 64-bit signature and the number of characters of each term.

    An edit changes at most two bits, so terms that differ in more bits are surely farther away.
    """

    __slots__ = ("_bits", "_lengths")

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._bits = np.zeros(len(vocabulary), np.uint64)
        self._lengths = np.zeros(len(vocabulary), np.uint8)
        for first in range(0, len(vocabulary), _BLOCK):
            last = min(first + _BLOCK, len(vocabulary))
            edges = vocabulary.offsets[first : last + 1].astype(np.int64)
            named = np.flatnonzero(np.diff(edges))  # without the empty term
            bits, ends = _letters(vocabulary.blob[edges[0] : edges[-1]])
            begins = edges[named] - edges[0]
            if len(named):
                self._bits[first + named] = np.bitwise_or.reduceat(bits, begins)
                lengths = np.add.reduceat(ends, begins, dtype=np.int32)
                self._lengths[first + named] = np.minimum(lengths, _LONGEST)

    def near(self, word: str, distance: int) -> Indices:
        """Return all terms within `distance` edits of `word`, and some others."""
        signature = np.bitwise_or.reduce(_letters(np.frombuffer(word.encode("utf-8", "replace"), np.uint8))[0])
        likely = np.bitwise_count(self._bits ^ signature) <= 2 * distance
        # Counted modulo 256: shorter terms wrap around to large numbers.
        shortest = np.uint8((min(len(word), _LONGEST) - distance) % (_LONGEST + 1))
        likely &= self._lengths - shortest <= 2 * distance
        return np.flatnonzero(likely)


def _letters(text: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
    """Return for each byte of UTF-8 the bit of the character it ends (else 0), and whether it ends one."""
    ends = np.ones(len(text), np.bool_)
    ends[:-1] = (text[1:] & 0xC0) != 0x80
    bits = np.left_shift(np.uint64(1), (text & 63).astype(np.uint64))
    bits *= ends
    return bits, ends
