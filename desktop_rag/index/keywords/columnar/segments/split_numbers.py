"""Numbers as their low bytes, with the high parts of those above 255 apart: most counts and positions are small.

A bitmap says which numbers have a high part, and a table how many have one before each `BLOCK` of numbers, so that any
number is found without reading those before it (Jacobson's rank, 1989).
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.segments.posting_arrays import NO_PLACES, Indices, joined_ranges

Unsigned = npt.NDArray[np.unsignedinteger]
Type = np.dtype[np.unsignedinteger]

LOW = 256  # numbers from here have a high part
BLOCK = 256  # numbers whose bits are counted together
WORDS = BLOCK // 64
BYTE, WORD = np.dtype(np.uint8), np.dtype(np.uint64)
_LEFT_OUT = ("flags", "before", "high")


class SplitNumbers:
    """An array of numbers, read from `arrays`; without high parts they are as wide as their array."""

    __slots__ = ("_before", "_flags", "_high", "_large", "_low", "dtype")

    def __init__(self, name: str, arrays: Mapping[str, Unsigned]) -> None:
        self._low = arrays[name]
        self.dtype: Type = self._low.dtype
        flags, before, high = (arrays.get(f"{name}/{part}") for part in _LEFT_OUT)
        self._high: Unsigned | None = None
        self._large: Indices | None = None  # the places of numbers with a high part, once they are asked for
        if flags is not None and before is not None and high is not None:
            self._flags, self._before, self._high = flags, before, high
            self.dtype = np.dtype(np.uint16 if high.dtype == BYTE else np.uint32)

    def __len__(self) -> int:
        return len(self._low)

    def count_large(self) -> int:
        """Return how many numbers have a high part, or are as large; at most, after a merge."""
        if self._high is not None:
            return len(self._high)
        return 0 if self.dtype == BYTE else int(np.count_nonzero(self._low >= LOW))

    def run(self, first: int, last: int) -> Unsigned:
        """Return the numbers in `range(first, last)`, as a view of their low bytes where no number is larger."""
        low = self._low[first:last]
        places, high = self._large_in(first, last)
        return self._with_high(low, places, high) if len(places) else low

    def runs(self, begins: Indices, ends: Indices) -> Unsigned:
        """Return the numbers in several ranges, which ascend, concatenated; faster than `take` for long ranges."""
        begins, ends = joined_ranges(begins, ends)
        low = np.concatenate([self._low[begin:end] for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)])
        if self._high is None:
            return low
        large = self._every_large()
        ranges = begins.searchsorted(large, side="right") - 1
        held = (large < ends.take(ranges)) & (ranges >= 0)
        ranges, sizes = ranges[held], ends - begins
        places = (np.cumsum(sizes) - sizes - begins).take(ranges) + large[held]
        high = self._high[: len(large)]  # a merge that left out documents kept room for more
        return self._with_high(low, places, high[held]) if len(places) else low

    def _every_large(self) -> Indices:
        """Return the places of all numbers with a high part."""
        if self._large is None:
            words = self._flags.nonzero()[0]
            bits = np.unpackbits(self._flags.take(words).view(np.uint8), bitorder="little").view(np.bool_)
            at = bits.nonzero()[0]
            self._large = (words.take(at >> 6) << 6) + (at & 63)
        return self._large

    def add_run(self, sums: Unsigned, first: int, last: int) -> None:
        """Add the numbers in `range(first, last)` to as many others, which are wide enough for the sums."""
        sums += self._low[first:last]
        places, high = self._large_in(first, last)
        if len(places):
            sums[places] += np.left_shift(high, 8, dtype=sums.dtype)

    def _large_in(self, first: int, last: int) -> tuple[Indices, Unsigned]:
        """Return the places within `range(first, last)` of numbers with a high part, and these parts."""
        if self._high is None:
            return NO_PLACES, self._low[:0]
        flags = self._flags.view(np.uint8)[first >> 3 : (last + 7) >> 3]
        if not flags.any():
            return NO_PLACES, self._high[:0]
        within = first & 7
        bits = np.unpackbits(flags, bitorder="little").view(np.bool_)  # numpy finds truth values faster
        places = bits[within : within + last - first].nonzero()[0]
        begin = self._before_one(first)
        return places, self._high[begin : begin + len(places)]

    def take(self, indices: Indices) -> Unsigned:
        """Return the numbers at some places."""
        low = self._low.take(indices)
        if self._high is None:
            return low
        bits = self._flags.view(np.uint8).take(indices >> 3) >> (indices & 7).astype(np.uint8)
        places = (bits & 1).nonzero()[0]
        if not len(places):
            return low
        return self._with_high(low, places, self._high.take(self._before_each(indices.take(places))))

    def _with_high(self, low: Unsigned, places: Indices, high: Unsigned) -> Unsigned:
        numbers = low.astype(self.dtype)
        numbers[places] |= high.astype(self.dtype) << 8
        return numbers

    def _before_one(self, index: int) -> int:
        """Return how many numbers before `index` have a high part."""
        word, block = index >> 6, index // BLOCK
        last = self._flags.item(word) & ((1 << (index & 63)) - 1)
        whole = sum(self._flags.item(at).bit_count() for at in range(block * WORDS, word))
        return self._before.item(block) + whole + last.bit_count()

    def _before_each(self, indices: Indices) -> Indices:
        """Return how many numbers before each of `indices` have a high part."""
        blocks = indices // BLOCK
        before = self._before.take(blocks).astype(np.intp)
        words = indices >> 6
        for number in range(WORDS):
            at = blocks * WORDS + number
            bits = self._flags.take(np.minimum(at, words))
            until = (np.uint64(1) << (indices & 63).astype(np.uint64)) - np.uint64(1)
            bits = np.where(at < words, bits, np.where(at == words, bits & until, np.uint64(0)))
            before += np.bitwise_count(bits)
        return before


def split(name: str, numbers: Unsigned) -> dict[str, Unsigned]:
    """Return the arrays of some numbers."""
    if int(numbers.max(initial=0)) < LOW:
        return {name: numbers.astype(np.uint8)}
    large = numbers >= LOW
    flags = flags_of(large)
    high = numbers[large] >> 8
    return {
        name: numbers.astype(np.uint8),
        f"{name}/flags": flags,
        f"{name}/before": before_blocks(flags, 0),
        f"{name}/high": high.astype(np.min_scalar_type(int(high.max()))),
    }


def flags_of(large: npt.NDArray[np.bool_]) -> Unsigned:
    """Return the bitmap of some numbers, with whole blocks."""
    packed = np.zeros(-(-len(large) // BLOCK) * BLOCK // 8, np.uint8)
    packed[: -(-len(large) // 8)] = np.packbits(large, bitorder="little")
    return packed.view(WORD)


def before_blocks(flags: Unsigned, before: int) -> Unsigned:
    """Return how many bits are set before each block of a bitmap, `before` of them before the first."""
    counts = np.bitwise_count(flags).reshape(-1, WORDS).sum(axis=1, dtype=np.uint32)
    starts: Unsigned = counts.cumsum(dtype=np.uint32) - counts + np.uint32(before)
    return starts
