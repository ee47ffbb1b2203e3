"""Collects the tokens of new documents, field by field, for the arrays of a segment.

Fields analysed piece by piece (see `cached_analysis`) are the fast path: their texts are concatenated, and every
distinct piece is analysed once. For any other field, Whoosh's field type yields the terms.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
from whoosh.fields import NUMERIC, FieldConfigurationError, FieldType, Schema, UnknownFieldError
from whoosh.formats import Existence, Format, Frequency, Positions

from desktop_rag.index.keywords.analysis import MAX_TERM
from desktop_rag.index.keywords.cached_analysis import PieceAnalyser
from desktop_rag.index.keywords.columnar.segments.posting_arrays import Mask
from desktop_rag.index.keywords.columnar.segments.segment import FieldKind, FieldSpec, Unsigned
from desktop_rag.index.keywords.columnar.segments.segment_building import Tokens, build_groups, build_postings
from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary, cut, joined

# Interning: numbers the pieces of a long text, equal ones alike, without creating a Python object for each.
#
# Each piece becomes a key of 64 bits: its bytes and length, if they fit, else the number of its text among the longer
# pieces. A hash table is filled and read for all keys at once; those that meet a different key in their slot try again
# with another hash.

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


_SAMPLED, _WORD_BYTES = 128, 6  # bytes in which words are counted; bytes of a word and its space, at most as a mean
_NUMBER = 9  # bytes of a number: Whoosh's mark that it is shifted by 0 bits, and the eight bytes

_KINDS: tuple[tuple[type[Format], FieldKind], ...] = (
    (Positions, FieldKind.POSITIONS),
    (Frequency, FieldKind.COUNTS),
    (Existence, FieldKind.PRESENCE),
)


@runtime_checkable
class AnalysedField(Protocol):
    """A field type whose text is analysed piece by piece."""

    analyser: PieceAnalyser


@runtime_checkable
class GroupingField(Protocol):
    """A field type that groups the terms of the field `source`; `groups_of` returns the group of each."""

    source: str
    groups_of: Callable[[Sequence[bytes]], Sequence[bytes]]


class FieldBatch(Protocol):
    """Collects the values of one field, in the order of their documents."""

    def add(self, document: int, value: object) -> int:
        """Add a value; return about how many tokens it has."""

    def tokens(self) -> Tokens:
        """Return all tokens."""


def specs_of(schema: Schema) -> tuple[FieldSpec, ...]:
    """Return the indexed fields, grouped ones last.

    Raise `FieldConfigurationError` for a field with stored values, vectors or an unsupported format.
    """
    specs = [_spec(name, schema[name]) for name in schema.names() if schema[name].format is not None]
    for name in schema.names():
        if schema[name].stored or schema[name].vector:
            raise FieldConfigurationError(f"The field {name} stores values or vectors; this index keeps none.")
    return tuple(sorted(specs, key=lambda spec: (bool(spec.groups), spec.name)))


def _spec(name: str, field: FieldType) -> FieldSpec:
    kind = next((kind for format_, kind in _KINDS if type(field.format) is format_), None)
    if kind is None or field.format.field_boost != 1.0:
        raise FieldConfigurationError(f"The field {name} keeps more than terms and positions.")
    return FieldSpec(name, kind, bool(field.scorable), field.source if isinstance(field, GroupingField) else "")


class DocumentBatch:
    """The documents of a new segment."""

    def __init__(self, schema: Schema) -> None:
        self.size = 0
        self.token_count = 0
        self._schema = schema
        self._names = frozenset(schema.names())
        self._specs = specs_of(schema)
        self._batches = {spec.name: _field_batch(spec, schema[spec.name]) for spec in self._specs if not spec.groups}
        columns = {name: schema[name].column_type for name in schema.names()}
        self._defaults = {name: column.default_value() for name, column in columns.items() if column is not None}
        self._columns = {name: array("Q") for name in self._defaults}
        self._converted = {name: schema[name].to_column_value for name in self._defaults}

    def add(self, values: Mapping[str, object]) -> None:
        """Add a document; a grouped field needs no value, it has the text of its source."""
        if not values.keys() <= self._names:
            raise UnknownFieldError(f"There is no field {min(values.keys() - self._names)}.")
        for name, column in self._columns.items():
            value = values.get(name)
            column.append(self._defaults[name] if value is None else self._converted[name](value))
        for name, batch in self._batches.items():
            value = values.get(name)
            if value is not None:
                self.token_count += batch.add(self.size, value)
        self.size += 1

    def arrays(self) -> tuple[dict[str, Unsigned], dict[FieldSpec, int]]:
        """Return the arrays of the segment and the total length of each field."""
        arrays: dict[str, Unsigned] = {
            f"column/{name}": np.frombuffer(column, np.uint64) for name, column in self._columns.items()
        }
        totals: dict[FieldSpec, int] = {}
        for spec in self._specs:
            if spec.groups:
                field = self._schema[spec.name]
                if isinstance(field, GroupingField):
                    arrays |= build_groups(spec, spec.groups, arrays, field.groups_of)
                totals[spec] = 0
            else:
                tokens = self._batches[spec.name].tokens()
                arrays |= build_postings(spec, tokens, self.size)
                totals[spec] = len(tokens.terms) if spec.scored else 0
        return arrays, totals


def _field_batch(spec: FieldSpec, field: FieldType) -> FieldBatch:
    if isinstance(field, AnalysedField):
        return _PieceBatch(field.analyser)
    if isinstance(field, NUMERIC) and (field.numtype, field.bits, field.signed, field.shift_step) == (
        int,
        64,
        False,
        0,
    ):
        return _NumberBatch()
    return _TermBatch(spec, field)


class _PieceBatch:
    def __init__(self, analyser: PieceAnalyser) -> None:
        self._analyser = analyser
        self._texts: list[bytes] = []
        self._documents = array("I")

    def add(self, document: int, value: object) -> int:
        text = self._analyser.spaced(str(value))
        self._texts.append(text)
        self._documents.append(document)
        sample = text[:_SAMPLED]
        return max(sample.count(b" ") * len(text) // max(1, len(sample)), len(text) // _WORD_BYTES)

    def tokens(self) -> Tokens:
        ends = np.cumsum(np.fromiter(map(len, self._texts), np.int64, len(self._texts)) + 1)
        names, pieces, starts = intern_pieces(b" ".join(self._texts))
        lengths = np.diff(np.searchsorted(starts, ends), prepend=0)  # pieces of each text
        documents = np.repeat(np.frombuffer(self._documents, np.uint32), lengths)
        analyses = _Analyses.of(self._analyser, names)
        positions = np.zeros(len(pieces) + 1, np.uint32)
        np.cumsum(analyses.widths.take(pieces), out=positions[1:])
        before = positions[np.cumsum(lengths) - lengths]  # words before each text
        positions = positions[:-1]
        positions -= np.repeat(before, lengths)
        if analyses.plain:
            return Tokens(names, pieces, documents, positions)
        flat = analyses.firsts.take(pieces)
        single = (analyses.counts == 1).take(pieces)
        if not single.all():
            several = (~single).nonzero()[0]
            counts = analyses.counts.take(pieces.take(several))
            again = np.repeat(several, counts)  # the other tokens, behind those of pieces with one term
            inside = np.arange(len(again), dtype=np.uint32) - np.repeat(
                np.cumsum(counts, dtype=np.uint32) - counts, counts
            )
            documents = np.concatenate((documents[single], documents.take(again)))
            positions = np.concatenate((positions[single], positions.take(again)))
            flat = np.concatenate((flat[single], flat.take(again) + inside))
        positions += analyses.places.take(flat)
        return Tokens(analyses.names, analyses.terms.take(flat), documents, positions)


class _Analyses(NamedTuple):
    """The analyses of all pieces: piece i has `widths[i]` words and the terms `terms[firsts[i]:][:counts[i]]`.

    `plain` means that every piece is exactly one term, unchanged.
    """

    plain: bool
    names: Vocabulary
    terms: npt.NDArray[np.uint32]
    places: npt.NDArray[np.uint32]
    firsts: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.uint32]
    widths: npt.NDArray[np.uint32]

    @classmethod
    def of(cls, analyser: PieceAnalyser, pieces: Vocabulary) -> "_Analyses":
        firsts, counts = np.arange(len(pieces), dtype=np.uint32), np.ones(len(pieces), np.uint32)
        widths = counts.copy()
        others = np.flatnonzero(~_are_words(pieces, analyser))
        numbers: defaultdict[bytes, int] = defaultdict()  # of the terms that are no pieces
        numbers.default_factory = lambda: len(pieces) + len(numbers)
        found = [analyser.analyse(piece) for piece in pieces.some(others)]
        held = np.fromiter((len(each.terms) for each in found), np.uint32, len(found))
        firsts[others], counts[others] = len(pieces) + np.cumsum(held, dtype=np.uint32) - held, held
        widths[others] = np.fromiter((each.width for each in found), np.uint32, len(found))
        texts = chain.from_iterable(each.terms for each in found)
        terms = np.fromiter(map(numbers.__getitem__, texts), np.uint32)
        places = np.fromiter(chain.from_iterable(each.places for each in found), np.uint32)
        flat = np.concatenate((np.arange(len(pieces), dtype=np.uint32), terms))
        at = np.concatenate((np.zeros(len(pieces), np.uint32), places))
        names = joined((pieces, Vocabulary.of(list(numbers)))) if numbers else pieces
        return cls(not len(others), names, flat, at, firsts, counts, widths)


def _are_words(pieces: Vocabulary, analyser: PieceAnalyser) -> Mask:
    """Return which pieces (none of them empty) are exactly one term, unchanged."""
    lengths = np.diff(pieces.offsets)
    if not len(lengths):
        return np.empty(0, np.bool_)
    of_word = np.zeros(256, np.bool_)
    of_word[list(analyser.word_bytes)] = True
    return np.logical_and.reduceat(of_word.take(pieces.blob), pieces.offsets[:-1]) & (lengths <= MAX_TERM)


class _NumberBatch:
    """Unsigned 64-bit numbers, each one term in Whoosh's encoding, encoded all at once."""

    def __init__(self) -> None:
        self._documents = array("I")
        self._values = array("Q")

    def add(self, document: int, value: object) -> int:
        self._documents.append(document)
        if not isinstance(value, int):
            raise TypeError(f"{value!r} is not an integer")
        self._values.append(value)
        return 1

    def tokens(self) -> Tokens:
        values, terms = np.unique(np.frombuffer(self._values, np.uint64), return_inverse=True)
        encoded = np.zeros((len(values), _NUMBER), np.uint8)
        encoded[:, 1:] = values.astype(">u8").view(np.uint8).reshape(len(values), _NUMBER - 1)
        names = Vocabulary(encoded.reshape(-1), np.arange(0, encoded.size + 1, _NUMBER, dtype=np.uint32))
        documents = np.frombuffer(self._documents, np.uint32)
        return Tokens(names, terms.astype(np.uint32), documents, np.zeros(len(documents), np.uint32))


class _TermBatch:
    """The terms that any Whoosh field type yields."""

    def __init__(self, spec: FieldSpec, field: FieldType) -> None:
        self._spec = spec
        self._field = field
        self._numbers: dict[bytes, int] = {}
        self._terms, self._documents, self._positions = array("I"), array("I"), array("I")

    def add(self, document: int, value: object) -> int:
        before = len(self._terms)
        for term, frequency, weight, data in self._field.index(value):
            if weight != frequency:
                raise FieldConfigurationError(f"The field {self._spec.name} weighs its terms; this index only counts.")
            number = self._numbers.setdefault(term, len(self._numbers))
            at = (
                self._field.format.decode_positions(data)
                if self._spec.kind is FieldKind.POSITIONS
                else range(frequency)
            )
            for position in at:
                self._terms.append(number)
                self._documents.append(document)
                self._positions.append(position)
        return len(self._terms) - before

    def tokens(self) -> Tokens:
        arrays = (np.frombuffer(values, np.uint32) for values in (self._terms, self._documents, self._positions))
        return Tokens(Vocabulary.of(list(self._numbers)), *arrays)
