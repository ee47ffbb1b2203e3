"""The sorted terms of a field: one blob of bytes and the offset of each term."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import overload

import numpy as np
import numpy.typing as npt

KNOWN = 4096  # cached lookups
_STEP = 32  # terms between two of the sample, in which a search begins


class Vocabulary(Sequence[bytes]):
    """Terms sorted by their bytes; term i is `blob[offsets[i]:offsets[i + 1]]`. Nothing is loaded ahead.

    `blob` is uint8; `offsets` is unsigned and one longer than there are terms.
    """

    __slots__ = ("_bytes", "_known", "_sample", "blob", "offsets")

    def __init__(self, blob: npt.NDArray[np.uint8], offsets: npt.NDArray[np.uint32]) -> None:
        self.blob = blob
        self.offsets = offsets
        self._bytes = blob.data
        self._known: dict[bytes, int] = {}
        self._sample: list[bytes] | None = None

    @classmethod
    def of(cls, terms: Sequence[bytes]) -> "Vocabulary":
        """Return the vocabulary of sorted, distinct terms."""
        offsets = np.zeros(len(terms) + 1, np.uint32)
        np.cumsum(np.fromiter(map(len, terms), np.uint32, len(terms)), out=offsets[1:])
        return cls(np.frombuffer(b"".join(terms), np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        """Return one term, or those of a range."""
        if isinstance(index, slice):
            first, last, step = index.indices(len(self))
            if step != 1 or first >= last:
                return [self[i] for i in range(first, last, step)]
            edges = self.offsets[first : last + 1].tolist()
            data = bytes(self._bytes[edges[0] : edges[-1]])
            base = edges[0]
            return [data[a - base : b - base] for a, b in pairwise(edges)]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        return bytes(self._bytes[self.offsets.item(index) : self.offsets.item(index + 1)])

    def __iter__(self) -> Iterator[bytes]:
        for first in range(0, len(self), KNOWN):
            yield from self[first : first + KNOWN]

    def some(self, places: npt.NDArray[np.intp]) -> list[bytes]:
        """Return the terms with these numbers."""
        edges = zip(self.offsets.take(places).tolist(), self.offsets.take(places + 1).tolist(), strict=True)
        return [bytes(self._bytes[begin:end]) for begin, end in edges]

    def find(self, term: bytes) -> int:
        """Return the number of a term, -1 if there is none."""
        place = self._known.get(term)
        if place is None:
            place = self.at_least(term)
            if place == len(self) or self[place] != term:
                place = -1
            if len(self._known) >= KNOWN:
                self._known.clear()
            self._known[term] = place
        return place

    def at_least(self, term: bytes) -> int:
        """Return the number of the first term that is not smaller."""
        if self._sample is None:
            self._sample = self.some(np.arange(0, len(self), _STEP))
        first = max(0, bisect_left(self._sample, term) - 1) * _STEP
        return first + bisect_left(self[first : first + _STEP], term)

    def prefixed(self, prefix: bytes) -> tuple[int, int]:
        """Return the first term with this prefix and the one after the last."""
        first = self.at_least(prefix)
        successor = prefix.rstrip(b"\xff")
        if not successor:
            return first, len(self)
        return first, self.at_least(successor[:-1] + bytes((successor[-1] + 1,)))
