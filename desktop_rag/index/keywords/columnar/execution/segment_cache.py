"""Caches arrays derived from a segment; segments never change, so they stay valid."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.execution.letter_signatures import Signatures
from desktop_rag.index.keywords.columnar.execution.rank_bitmaps import RankBitmap
from desktop_rag.index.keywords.columnar.segments.posting_arrays import Indices

_OCCURRENCES, _SUMS, _RANKS = 64, 32, 16  # most bytes for each document of the segment
_LEAST = 1 << 14  # documents; smaller segments have the cache of this many

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Term = tuple[str, int]  # a field and the number of a term in it


class LruCache(Generic[Key, Value]):
    """A least-recently-used cache limited by bytes."""

    __slots__ = ("_kept", "_left")

    def __init__(self, capacity: int) -> None:
        self._kept: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._left = capacity

    def get(self, key: Key, make: Callable[[], Value], size: int) -> Value:
        """Return the cached value of a key, else the result of `make`, which takes about `size` bytes."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found[0]
        value = make()
        self._kept[key] = value, size
        self._left -= size
        while self._left < 0:
            _, (_, freed) = self._kept.popitem(last=False)
            self._left += freed
        return value


class SegmentCache:
    """The caches of one segment."""

    __slots__ = ("longest", "occurrences", "ranks", "signatures", "starts", "sums", "terms")

    def __init__(self, documents: int) -> None:
        documents = max(_LEAST, documents)
        self.signatures: dict[str, Signatures] = {}
        self.longest: dict[str, int] = {}
        self.starts: dict[str, Indices] = {}
        self.terms: dict[str, bytes] = {}
        self.occurrences: LruCache[Term, npt.NDArray[np.int64]] = LruCache(_OCCURRENCES * documents)
        self.sums: LruCache[Term, npt.NDArray[np.uint32]] = LruCache(_SUMS * documents)
        self.ranks: LruCache[Term, RankBitmap] = LruCache(_RANKS * documents)
