"""The sorted terms of a field: one blob of bytes and the offset of each term; and how terms are sorted."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import overload

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.segments.posting_arrays import Mask, run_indices

KNOWN = 4096  # cached lookups
_STEP = 32  # terms between two of the sample, in which a search begins


_WORD, _COMPARED = 8, 24  # bytes of a machine word, and of a term that are compared as such
_MASKS = np.array([(1 << 64) - (1 << 8 * (_WORD - size)) for size in range(_WORD + 1)], np.uint64)


class Vocabulary(Sequence[bytes]):
    """Terms sorted by their bytes; term i is `blob[offsets[i]:offsets[i + 1]]`. Nothing is loaded ahead.

    Those of the functions below may be unsorted; they cannot be searched. `blob` is uint8; `offsets`
    is unsigned and one longer than there are terms.
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
        last = min(len(self), first + _STEP)
        edge, data = self.offsets.item, self._bytes
        while first < last:  # by hand in half the time of `bisect_left`, which would need all these terms first
            middle = (first + last) // 2
            if bytes(data[edge(middle) : edge(middle + 1)]) < term:
                first = middle + 1
            else:
                last = middle
        return first

    def after(self, term: bytes) -> int:
        """Return the number of the first term that is greater."""
        place = self.at_least(term)
        return place + 1 if place < len(self) and self[place] == term else place

    def prefixed(self, prefix: bytes) -> tuple[int, int]:
        """Return the first term with this prefix and the one after the last."""
        first = self.at_least(prefix)
        successor = prefix.rstrip(b"\xff")
        if not successor:
            return first, len(self)
        return first, self.at_least(successor[:-1] + bytes((successor[-1] + 1,)))

    def taken(self, places: npt.NDArray[np.intp]) -> "Vocabulary":
        """Return the vocabulary of the terms with these numbers, in their order."""
        begins = self.offsets.take(places).astype(np.int64)
        return cut(self.blob, begins, self.offsets.take(places + 1) - begins)


def cut(blob: npt.NDArray[np.uint8], begins: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> Vocabulary:
    """Return the pieces of `blob` that begin at some places, unsorted."""
    offsets = np.zeros(len(begins) + 1, np.uint32)
    np.cumsum(lengths, out=offsets[1:])
    return Vocabulary(blob.take(run_indices(begins, lengths)), offsets)


def joined(parts: Sequence[Vocabulary]) -> Vocabulary:
    """Return the terms of all parts, one after another, unsorted."""
    blob = np.concatenate([part.blob[part.offsets.item(0) : part.offsets.item(-1)] for part in parts])
    offsets = np.zeros(sum(map(len, parts)) + 1, np.uint32)
    np.cumsum(np.concatenate([np.diff(part.offsets) for part in parts]), out=offsets[1:])
    return Vocabulary(blob, offsets)


def ordered(terms: Vocabulary) -> tuple[Vocabulary, npt.NDArray[np.uint32]]:
    """Return the distinct ones of unsorted terms, sorted, and the number among these of each given term.

    The first bytes of the terms are sorted as numbers, and those where they are equal by the next ones.
    """
    order, repeats = _sorted(terms)
    numbers = np.empty(len(terms), np.uint32)
    numbers[order] = np.cumsum(~repeats, dtype=np.uint32) - np.uint32(1)
    return terms.taken(order[~repeats]), numbers


def _sorted(terms: Vocabulary) -> tuple[npt.NDArray[np.intp], Mask]:
    """Return the numbers of the terms in their order, and which of these equal the one before."""
    repeats = np.zeros(len(terms), np.bool_)
    firsts = _words(terms, np.arange(len(terms)), 0)
    order = firsts.argsort()
    alike = _next_equal(firsts.take(order))
    tied = np.flatnonzero(np.append(alike, False) | np.append(False, alike))
    if not len(tied):
        return order, repeats
    some = order.take(tied)
    lengths = np.diff(terms.offsets).take(some)
    words = [firsts.take(some), *(_words(terms, some, place) for place in range(_WORD, _COMPARED, _WORD))]
    inside = np.lexsort((lengths, *reversed(words)))
    lengths, order[tied] = lengths.take(inside), some.take(inside)
    equal = np.logical_and.reduce([_next_equal(word.take(inside)) for word in words])
    long = equal & (lengths[1:] > _COMPARED)
    repeats[tied[1:]] = equal & (lengths[1:] == lengths[:-1])
    for first, last in _runs(long):
        held = sorted(zip(terms.some(order[tied[first:last]]), order[tied[first:last]].tolist(), strict=True))
        order[tied[first:last]] = [number for _, number in held]
        repeats[tied[first + 1 : last]] = [one == other for (one, _), (other, _) in pairwise(held)]
    return order, repeats


def _runs(joins: Mask) -> list[tuple[int, int]]:
    """Return the runs of more than one place, each joined to the next where `joins` says so."""
    edges = np.flatnonzero(np.diff(joins.astype(np.int8), prepend=0, append=0))
    return [(first, last + 1) for first, last in edges.reshape(-1, 2).tolist()]


def _next_equal(values: npt.NDArray[np.uint64]) -> Mask:
    same: Mask = values[1:] == values[:-1]
    return same


def _words(terms: Vocabulary, numbers: npt.NDArray[np.intp], place: int) -> npt.NDArray[np.uint64]:
    """Return the eight bytes at a place of each term as a number that sorts like them, padded with zeros."""
    letters = np.concatenate((terms.blob, np.zeros(_COMPARED, np.uint8)))
    every = np.ndarray((len(letters) - _WORD + 1,), ">u8", letters, strides=(1,))
    begins = terms.offsets.take(numbers).astype(np.int64)
    left = np.clip(terms.offsets.take(numbers + 1) - begins - place, 0, _WORD)
    words: npt.NDArray[np.uint64] = every[np.where(left > 0, begins + place, 0)].astype(np.uint64)
    words &= _MASKS.take(left)
    return words
