"""Interning: numbers the pieces of a long text, equal ones alike, without creating a Python object for each.

A piece of up to 24 bytes is three machine words. They are hashed into one number; the hashes are sorted together with
their indices, so that equal pieces become neighbours. Equality is then verified, because hashes may collide. Longer
pieces are rare and go through a dictionary.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

SPACE = 32
_WORD = 8  # bytes
_LONGEST = 3 * _WORD
_SLICE = 1 << 16  # pieces processed at a time, so that their words stay in the processor's cache
_MASKS = np.array([(1 << (8 * size)) - 1 for size in range(_WORD + 1)], np.uint64)
_MULTIPLIERS = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], np.uint64)  # of SplitMix64
_SHIFT = np.uint64(31)

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.uint32]
Indices = npt.NDArray[np.int64]


class InternedPieces(NamedTuple):
    """The distinct pieces of a text, unordered; the number of each occurrence, and the byte where it begins."""

    names: list[bytes]
    numbers: Numbers
    starts: Indices


def intern_pieces(text: bytes) -> InternedPieces:
    """Return the pieces of a text, which are separated by spaces."""
    padded = b"".join((b" ", text, b" " * (_LONGEST + 1)))
    gaps = np.frombuffer(padded, np.uint8) == SPACE
    starts = np.flatnonzero(gaps[:-1] & ~gaps[1:]) + 1
    lengths = np.flatnonzero(gaps[1:] & ~gaps[:-1]) + 1 - starts
    del gaps
    short = lengths <= _LONGEST
    if short.all():
        names, numbers = _short(padded, starts, lengths)
        return InternedPieces(names, numbers, starts - 1)
    names, some = _short(padded, starts[short], lengths[short])
    others, rest = _by_dictionary(padded, starts[~short], lengths[~short])
    numbers = np.empty(len(starts), np.uint32)
    numbers[short] = some
    numbers[~short] = rest + len(names)
    return InternedPieces(names + others, numbers, starts - 1)


def hashed(words: Words) -> Words:
    """Return a hash of each piece of three words (shape 3 × pieces)."""
    key = np.zeros(words.shape[1], np.uint64)
    for word, multiplier in zip(words, _MULTIPLIERS, strict=True):
        key += word
        key *= multiplier
        key ^= key >> _SHIFT
    return key


def _short(data: bytes, starts: Indices, lengths: Indices) -> tuple[list[bytes], Numbers]:
    """Return the distinct pieces, all of them short, and the number of each occurrence."""
    size = len(starts)
    bits = np.uint64(size.bit_length())
    keys = np.empty(size, np.uint64)
    for some in _slices(size):
        keys[some] = hashed(_words(data, starts[some], lengths[some]))
    keys <<= bits
    keys |= np.arange(size, dtype=np.uint64)
    keys.sort()
    order = (keys & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.uint32)
    keys >>= bits
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[:size])
    numbers = np.empty(size, np.uint32)
    numbers[order] = np.repeat(np.arange(len(first), dtype=np.uint32), np.diff(first, append=size))
    chosen = order[first]
    if not _are_equal(numbers, chosen, data, starts, lengths):
        return _by_dictionary(data, starts, lengths)
    return _cut(data, starts[chosen], lengths[chosen]), numbers


def _are_equal(numbers: Numbers, chosen: Numbers, data: bytes, starts: Indices, lengths: Indices) -> bool:
    """Return whether each piece equals the one `chosen` for its number (no hash collision)."""
    words, sizes = _words(data, starts[chosen], lengths[chosen]), lengths[chosen]
    for some in _slices(len(starts)):
        here, there = _words(data, starts[some], lengths[some]), numbers[some]
        if not np.array_equal(here[0], words[0].take(there)) or not np.array_equal(lengths[some], sizes.take(there)):
            return False
        long = np.flatnonzero(lengths[some] > _WORD)  # the others are a single word
        if not np.array_equal(here[1:].take(long, axis=1), words[1:].take(there[long], axis=1)):
            return False
    return True


def _by_dictionary(data: bytes, starts: Indices, lengths: Indices) -> tuple[list[bytes], Numbers]:
    known: defaultdict[bytes, int] = defaultdict()
    known.default_factory = known.__len__
    found = _cut(data, starts, lengths)
    numbers = np.fromiter(map(known.__getitem__, found), np.uint32, len(found))
    return list(known), numbers


def _cut(data: bytes, starts: Indices, lengths: Indices) -> list[bytes]:
    return [data[start:end] for start, end in zip(starts.tolist(), (starts + lengths).tolist(), strict=True)]


def _words(data: bytes, starts: Indices, lengths: Indices) -> Words:
    """Return the three words of each piece, padded with zeros."""
    every = np.ndarray((len(data) - _WORD + 1,), np.dtype("<u8"), data, strides=(1,))
    words = np.zeros((3, len(starts)), np.uint64)
    np.bitwise_and(every[starts], _MASKS[np.minimum(lengths, _WORD)], out=words[0])
    long = np.flatnonzero(lengths > _WORD)
    for place, offset in ((1, _WORD), (2, 2 * _WORD)):
        left = np.clip(lengths[long] - offset, 0, _WORD)
        words[place, long] = every[starts[long] + offset] & _MASKS[left]
    return words


def _slices(size: int) -> Iterator[slice]:
    return (slice(first, first + _SLICE) for first in range(0, size, _SLICE))
