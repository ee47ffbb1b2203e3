"""Interning: numbers the pieces of a long text, equal ones alike, without creating a Python object for each.

A piece of up to 24 bytes is three machine words. They are hashed, and a hash table is filled and read for all pieces
at once; those that meet a different piece in their slot try again with other bits. Longer pieces are rare and go
through a dictionary.
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
_KEY_BITS, _ROUNDS = 64, 16

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
    words = np.empty((3, size), np.uint64)
    keys = np.empty(size, np.uint64)
    for some in _slices(size):
        words[:, some] = _words(data, starts[some], lengths[some])
        keys[some] = hashed(words[:, some])
    equal = _equal_pieces(words, lengths, keys)
    if equal is None:
        return _by_dictionary(data, starts, lengths)
    is_first = np.zeros(size, np.bool_)
    is_first[equal] = True
    ranks = np.cumsum(is_first, dtype=np.uint32)
    ranks -= 1
    return _cut(data, starts[is_first], lengths[is_first]), ranks.take(equal)


def _equal_pieces(words: Words, lengths: Indices, keys: Words) -> Indices | None:
    """Return for each piece the index of one that equals it, the same for all equal ones.

    Each round writes the indices of the pieces that are left into a table, at a slot given by their hash, and compares
    each piece with the one that its slot names. None if some are left after the last round: their hashes collide.
    """
    equal = np.arange(len(keys))
    left = equal
    bits = len(keys).bit_length() + 1
    table = np.empty(1 << bits, np.intp)
    for _ in range(_ROUNDS):
        slots = (keys >> np.uint64(_KEY_BITS - bits)).astype(np.intp)
        table[slots] = left
        named = table.take(slots)
        same = words[0].take(named) == words[0].take(left)
        same &= lengths.take(named) == lengths.take(left)
        long = np.flatnonzero(same & (lengths.take(left) > _WORD))  # the others are a single word
        same[long] = (words[1:].take(named[long], axis=1) == words[1:].take(left[long], axis=1)).all(axis=0)
        equal[left[same]] = named[same]
        rest = np.flatnonzero(~same)
        if not len(rest):
            return equal
        left, keys = left[rest], keys[rest] * _MULTIPLIERS[0]
    return None


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
