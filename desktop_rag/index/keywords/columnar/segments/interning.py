"""Interning: numbers the pieces of a long text, equal ones alike, without creating a Python object for each.

Each piece becomes a key of 64 bits: its bytes and length, if they fit, else the number of its text among the longer
pieces. A hash table is filled and read for all keys at once; those that meet a different key in their slot try again
with another hash.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary, cut

SPACE = 32
_WORD = 8  # bytes
_IN_KEY = _WORD - 1  # bytes of a piece that fit into its key, beside its length
_LONGEST = 3 * _WORD  # longer pieces are rare and go through a dictionary
_SLICE = 1 << 16  # pieces processed at a time, so that their words stay in the processor's cache
_MASKS = np.array([(1 << (8 * size)) - 1 for size in range(_WORD + 1)], np.uint64)
_LENGTH, _IS_LONG = np.uint64(8 * _IN_KEY), np.uint64(1 << 63)
_MULTIPLIERS = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], np.uint64)  # of SplitMix64
_SHIFT = np.uint64(31)
_KEY_BITS, _ROUNDS = 64, 16
_REPEATED = 2  # bits: of words, a distinct one occurs about 16 times, so the table may have fewer slots than pieces

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.uint32]
Indices = npt.NDArray[np.int64]


class InternedPieces(NamedTuple):
    """The distinct pieces of a text, unordered; the number of each occurrence, and the byte where it begins."""

    names: Vocabulary
    numbers: Numbers
    starts: Indices


def intern_pieces(text: bytes) -> InternedPieces:
    """Return the pieces of a text, which are separated by spaces."""
    padded = b"".join((b" ", text, b" " * (_LONGEST + 1)))
    gaps = np.frombuffer(padded, np.uint8) == SPACE
    edges = (gaps[1:] != gaps[:-1]).nonzero()[0] + 1  # of pieces and gaps in turn
    starts, lengths = edges[::2].copy(), edges[1::2] - edges[::2]
    del gaps, edges
    keys = np.empty(len(starts), np.uint64)
    for some in _slices(len(starts)):
        keys[some] = _word(padded, starts[some], np.minimum(lengths[some], _IN_KEY))
        keys[some] |= lengths[some].astype(np.uint64) << _LENGTH
    long = np.flatnonzero(lengths > _IN_KEY)
    keys[long] = _long_keys(padded, starts[long], lengths[long]) | _IS_LONG
    equal = equal_keys(keys)
    is_first = np.zeros(len(keys), np.bool_)
    is_first[equal] = True
    ranks = np.cumsum(is_first, dtype=np.uint32)
    ranks -= 1
    names = cut(np.frombuffer(padded, np.uint8), starts[is_first], lengths[is_first])
    return InternedPieces(names, ranks.take(equal), starts - 1)


def equal_keys(keys: Words) -> Indices:
    """Return for each key the index of one that equals it, the same for all equal ones.

    Each round writes the indices of the keys that are left into a table, at a slot given by their hash, and compares
    each key with the one that its slot names.
    """
    size = len(keys)
    bits = max(1, size.bit_length() - _REPEATED)
    table = np.empty(1 << bits, np.intp)
    left = equal = np.arange(size)
    hashes, wanted = keys, keys
    for _ in range(_ROUNDS):
        hashes = hashes * _MULTIPLIERS[0]
        slots = (hashes >> np.uint64(_KEY_BITS - bits)).astype(np.intp)
        table[slots] = left
        named = table.take(slots)
        rest = (keys.take(named) != wanted).nonzero()[0]
        if len(left) == size:
            equal = named
        else:
            equal[left] = named
        if not len(rest):
            return equal
        left, hashes, wanted = left.take(rest), hashes.take(rest), wanted.take(rest)
    _, firsts, numbers = np.unique(keys.take(left), return_index=True, return_inverse=True)
    equal[left] = left.take(firsts).take(numbers)
    return equal


def hashed(words: Words) -> Words:
    """Return a hash of each piece of three words (shape 3 × pieces)."""
    key = np.zeros(words.shape[1], np.uint64)
    for word, multiplier in zip(words, _MULTIPLIERS, strict=True):
        key += word
        key *= multiplier
        key ^= key >> _SHIFT
    return key


def _long_keys(data: bytes, starts: Indices, lengths: Indices) -> Words:
    """Return a key for each piece that does not fit into one, equal ones alike."""
    fit = np.flatnonzero(lengths <= _LONGEST)
    begins, sizes = starts.take(fit), lengths.take(fit)
    words = np.empty((_LONGEST // _WORD, len(fit)), np.uint64)
    for number, place in enumerate(range(0, _LONGEST, _WORD)):
        words[number] = _word(data, begins + place, np.clip(sizes - place, 0, _WORD))
    equal = equal_keys(hashed(words))
    same = sizes == sizes.take(equal)
    for word in words:
        same &= word == word.take(equal)
    if not same.all():  # two hashes collide
        return _numbered(data, starts, lengths)
    keys = equal.astype(np.uint64)
    if len(fit) < len(starts):
        rest = np.flatnonzero(lengths > _LONGEST)
        keys, few = np.empty(len(starts), np.uint64), keys
        keys[fit] = few
        keys[rest] = _numbered(data, starts.take(rest), lengths.take(rest)) + np.uint64(len(starts))
    return keys


def _numbered(data: bytes, starts: Indices, lengths: Indices) -> Words:
    """Return the number of each piece in a dictionary."""
    known: defaultdict[bytes, int] = defaultdict()
    known.default_factory = known.__len__
    found = cut(np.frombuffer(data, np.uint8), starts, lengths)
    return np.fromiter(map(known.__getitem__, found), np.uint64, len(found))


def _word(data: bytes, starts: Indices, lengths: Indices) -> Words:
    """Return the bytes at some places as one machine word each, padded with zeros."""
    every = np.ndarray((len(data) - _WORD + 1,), np.dtype("<u8"), data, strides=(1,))
    words: Words = every[starts]  # `take` would copy the whole text
    words &= _MASKS.take(lengths)
    return words


def _slices(size: int) -> Iterator[slice]:
    return (slice(first, first + _SLICE) for first in range(0, size, _SLICE))
