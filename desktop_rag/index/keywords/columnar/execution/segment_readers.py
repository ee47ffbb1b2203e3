"""The segments of one commit as queries see them: statistics over all of them, cached arrays of each."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.analysis import MAX_TERM
from desktop_rag.index.keywords.columnar.execution.few_bounds import FewBounds
from desktop_rag.index.keywords.columnar.execution.scoring import Weighting, saturate
from desktop_rag.index.keywords.columnar.segments.posting_arrays import (
    SEARCHES,
    Documents,
    Indices,
    Mask,
    Scores,
    are_among,
    lookup,
    run_indices,
)
from desktop_rag.index.keywords.columnar.segments.segment import Field, PostedField, Postings, Segment
from desktop_rag.index.keywords.columnar.segments.vocabulary import KNOWN, Vocabulary
from desktop_rag.index.keywords.keyword_query import CONTENT
from desktop_rag.index.records import ContentId

# Finds a string within the terms of a vocabulary by its rarest group of three letters.

LENGTH = 3  # bytes of a group
_PLACE_BITS = 16
_GROUP_BLOCK = 1 << _PLACE_BITS  # bytes that are sorted together
_BITS, _LETTER = 5, 0b11111  # of each byte; others of equal bits are told apart when the string is compared


class LetterGroups:
    """The places of every group of three bytes in some text; 4 bytes for each byte, made in some 5 ms a megabyte.

    Blocks of the text are sorted apart: as numbers of 32 bits, in a third of the time of all together.
    """

    __slots__ = ("_blocks", "_counts", "_text")

    def __init__(self, text: npt.NDArray[np.uint8]) -> None:
        self._text = text
        self._counts = np.zeros(1 << LENGTH * _BITS, np.int64)
        self._blocks: list[npt.NDArray[np.uint32]] = []
        for first in range(0, len(text) - LENGTH + 1, _GROUP_BLOCK):
            groups = _groups(text[first : first + _GROUP_BLOCK + LENGTH - 1])
            self._counts += np.bincount(groups, minlength=len(self._counts))
            self._blocks.append(_sorted(groups))

    def find(self, wanted: bytes) -> npt.NDArray[np.int64]:
        """Return all places of a string of at least three bytes, in order."""
        letters = np.frombuffer(wanted, np.uint8)
        groups = _groups(letters)
        rarest = int(self._counts.take(groups).argmin())
        edges = np.array([0, _GROUP_BLOCK], np.uint32) + (np.uint32(groups[rarest]) << np.uint32(_PLACE_BITS))
        parts = [np.empty(0, np.int64)]
        for number, keys in enumerate(self._blocks):
            begin, end = keys.searchsorted(edges).tolist()
            parts.append(
                (keys[begin:end] & np.uint32(_GROUP_BLOCK - 1)).astype(np.int64) + (number * _GROUP_BLOCK - rarest)
            )
        found = np.concatenate(parts)
        found = found[(found >= 0) & (found <= len(self._text) - len(wanted))]
        for place, letter in enumerate(wanted):
            found = found[self._text.take(found + place) == letter]
        return found


def _sorted(groups: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint32]:
    """Return each group with its place below it, in order."""
    keys = groups.astype(np.uint32) << np.uint32(_PLACE_BITS)
    keys |= np.arange(len(groups), dtype=np.uint32)
    keys.sort()
    return keys


def _groups(text: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    bits = text.astype(np.uint16) & np.uint16(_LETTER)
    groups: npt.NDArray[np.uint16] = bits[:-2] << np.uint16(2 * _BITS) | bits[1:-1] << np.uint16(_BITS) | bits[2:]
    return groups


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


class PlaceTable:
    """Which of `size` documents are some given ones, and the index of each of these: 0 for others, else from 1."""

    __slots__ = ("_places",)

    def __init__(self, documents: Documents, size: int) -> None:
        self._places = np.zeros(size, np.min_scalar_type(len(documents)))
        self._places[documents.astype(np.intp)] = np.arange(1, len(documents) + 1, dtype=self._places.dtype)

    @property
    def bytes(self) -> int:
        """Return its size."""
        return self._places.nbytes

    def lookup(self, wanted: Documents) -> tuple[Indices, Indices]:
        """Return which of `wanted` are among the documents, and the index of each of these."""
        found = self._places.take(wanted)
        kept = (found > 0).nonzero()[0]
        places = found.take(kept).astype(np.intp)
        places -= 1
        return kept, places


_SUMS, _PLACES, _SCORES, _KEYS = 32, 112, 64, 256  # most bytes for each document of the segment
_MOST_BYTES = 16_000_000  # of a cache; of tables and keys those of all segments together
_MOST_BOUNDS = 12_000_000  # bytes of the bounds of frequent strings, in all segments
LEAST_BYTES = 256  # of one array, with its place in the cache
_KNOWN_GROUPS = 16  # the contents in each language, mostly
_FEW_WANTED = 16  # fewer than one in this many documents are looked up in the sorted column
_LEAST = 1 << 14  # documents; smaller segments have the cache of this many

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Term = tuple[str, int]  # a field and the number of a term in it


class LruCache(Generic[Key, Value]):
    """A least-recently-used cache limited by bytes."""

    __slots__ = ("_kept", "_left", "capacity")

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._kept: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._left = capacity

    def find(self, key: Key) -> Value | None:
        """Return the cached value of a key."""
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[0]

    def get(self, key: Key, make: Callable[[], Value], size: int) -> Value:
        """Return the cached value of a key, else the result of `make`, which takes about `size` bytes."""
        found = self.find(key)
        if found is not None:
            return found
        value = make()
        self.keep(key, value, size)
        return value

    def keep(self, key: Key, value: Value, size: int) -> None:
        """Cache a value that takes about `size` bytes; one beyond the capacity is left out."""
        if size > self.capacity:
            return
        _, before = self._kept.pop(key, (None, 0))
        self._kept[key] = value, size
        self._left += before - size
        while self._left < 0:
            _, (_, freed) = self._kept.popitem(last=False)
            self._left += freed


class ContentGroups(NamedTuple):
    """Groups of contents with none in common; `numbers` has the number of each document's group, from 1, 0 for none."""

    groups: tuple[frozenset[ContentId], ...]
    numbers: npt.NDArray[np.unsignedinteger]
    present: frozenset[int]

    def are_in(self, wanted: Sequence[int], documents: Documents) -> Mask:
        """Return which documents are of the wanted groups."""
        table = np.zeros(len(self.groups) + 1, np.bool_)
        table[wanted] = True
        mask: Mask = table.take(self.numbers.take(documents))
        return mask


class SegmentCache:
    """The caches of one segment, which has a `share` of all documents."""

    __slots__ = (
        *(
            "cut_off",
            "groups",
            "keys",
            "letter_groups",
            "longest",
            "occurrences",
            "orders",
            "places",
            "signatures",
            "sums",
        ),
    )

    def __init__(self, documents: int, share: float) -> None:
        documents = max(_LEAST, documents)
        self.groups: dict[tuple[int, ...], ContentGroups] = {}
        self.orders: dict[str, Indices | None] = {}
        self.signatures: dict[str, Signatures] = {}
        self.longest: dict[str, int] = {}
        self.letter_groups: dict[str, LetterGroups] = {}
        self.cut_off: dict[str, Documents] = {}
        self.occurrences: LruCache[tuple[str, int], FewBounds] = LruCache(int(_MOST_BOUNDS * share))
        self.sums: LruCache[Term, npt.NDArray[np.int64]] = LruCache(_SUMS * documents)
        self.keys: LruCache[Term, npt.NDArray[np.unsignedinteger]] = LruCache(
            min(_KEYS * documents, int(_MOST_BYTES * share))
        )
        self.places: LruCache[Term, PlaceTable] = LruCache(min(_PLACES * documents, int(_MOST_BYTES * share)))


class TermPlace(NamedTuple):
    """A term in one segment: its field, its number there, its document frequency; its postings if they are views."""

    field: Field
    number: int
    size: int
    views: Postings | None

    @classmethod
    def of(cls, field: Field, number: int) -> "TermPlace":
        """Return the place of a term."""
        views = field.postings(number) if isinstance(field, PostedField) else None
        return cls(field, number, field.document_frequency(number), views)

    @property
    def postings(self) -> Postings:
        """Return the postings."""
        return self.field.postings(self.number) if self.views is None else self.views


_SCORED = 1 << 16  # the scores of terms in more documents are not cached
_FREQUENT, _SHARE = 512, 128  # terms in this many documents, and in one of this many, get a table of places


class SegmentReader:
    """One segment of a commit."""

    def __init__(self, arrays: Segment, reader: "IndexReader", cache: SegmentCache) -> None:
        self.arrays = arrays
        self.size = arrays.size
        self.cache = cache
        self._reader = reader
        self._norms: dict[str, Scores | None] = {}
        self._least: dict[str, float] = {}
        # For this commit alone: rarity and norms depend on all of its documents.
        self._scores: LruCache[tuple[str, int, float], Scores] = LruCache(
            min(_SCORES * max(_LEAST, arrays.size), _MOST_BYTES)
        )

    def field(self, name: str) -> Field | None:
        """Return a field, None if no document of the segment has it."""
        return self.arrays.fields.get(name)

    def find(self, field: str, term: bytes) -> tuple[Field, int] | None:
        """Return a field and the number of a term in it, None if no document of the segment holds it."""
        found = self.arrays.fields.get(field)
        if found is None:
            return None
        place = found.vocabulary.find(term)
        return (found, place) if place >= 0 else None

    def groups_of(self, groups: tuple[frozenset[ContentId], ...]) -> "ContentGroups":
        """Return which documents are of which group of contents; cached by the sets, which many queries share."""
        key = tuple(map(id, groups))
        known = self.cache.groups.get(key)
        if known is None or any(one is not other for one, other in zip(known.groups, groups, strict=True)):
            numbers = np.zeros(self.size, np.min_scalar_type(len(groups)))
            for number, contents in enumerate(groups, start=1):
                wanted = np.fromiter(contents, np.uint64, len(contents))
                numbers[are_among(self.arrays.columns[CONTENT], wanted)] = number
            if len(self.cache.groups) >= _KNOWN_GROUPS:
                self.cache.groups.clear()
            known = self.cache.groups[key] = ContentGroups(
                groups, numbers, frozenset(np.bincount(numbers).nonzero()[0].tolist())
            )
        return known

    def with_ids(self, column: str, wanted: npt.NDArray[np.uint64]) -> Indices:
        """Return the documents, ascending, that have one of some ids (ascending) in a column."""
        ids = self.arrays.columns[column]
        if len(wanted) * _FEW_WANTED > len(ids):
            return are_among(ids, wanted).nonzero()[0]
        if column not in self.cache.orders:
            ascending = bool((ids[1:] >= ids[:-1]).all())
            self.cache.orders[column] = None if ascending else ids.argsort(kind="stable")
        order = self.cache.orders[column]
        begins = ids.searchsorted(wanted, sorter=order)
        places = run_indices(begins, ids.searchsorted(wanted, side="right", sorter=order) - begins)
        return places if order is None else np.sort(order.take(places))

    def scores(self, field: str, documents: Documents, counts: npt.NDArray[np.number], weight: float) -> Scores:
        """Return the scores of a term with these counts; in a field without lengths they are the counts."""
        scores = counts.astype(np.float32)
        norms = self._norms_of(field)
        if norms is None:
            scores *= np.float32(weight)
        else:
            saturate(scores, norms.take(documents), weight)
        return scores

    def term_scores(self, place: TermPlace, weight: float, at: Indices | None = None) -> Scores:
        """Return the scores of the postings `at` some places (None: of all); those of all may be cached."""
        key = place.field.spec.name, place.number, weight
        scores = self._scores.find(key)
        if scores is None:
            documents, counts = place.postings
            if at is not None and place.size > _SCORED:
                return self.scores(key[0], documents.take(at), counts.take(at), weight)
            scores = self.scores(key[0], documents, counts, weight)
            scores.flags.writeable = False
            if place.size <= _SCORED:
                self._scores.keep(key, scores, LEAST_BYTES + scores.nbytes)
        return scores if at is None else scores.take(at)

    def least_norm(self, field: str) -> float | None:
        """Return the norm of the shortest document, None for a field without lengths."""
        return None if self._norms_of(field) is None else self._least[field]

    def longest(self, field: Field) -> int:
        """Return the length of the longest document; only of fields with lengths."""
        name = field.spec.name
        if name not in self.cache.longest:
            self.cache.longest[name] = int(field.lengths.max(initial=0))
        return self.cache.longest[name]

    def signatures(self, field: Field) -> Signatures:
        """Return the signatures of all terms of a field."""
        name = field.spec.name
        if name not in self.cache.signatures:
            self.cache.signatures[name] = Signatures(field.vocabulary)
        return self.cache.signatures[name]

    def letter_groups(self, field: Field) -> LetterGroups:
        """Return the places of the letters in the terms of a field."""
        name = field.spec.name
        if name not in self.cache.letter_groups:
            self.cache.letter_groups[name] = LetterGroups(field.vocabulary.blob)
        return self.cache.letter_groups[name]

    def cut_off(self, field: Field) -> Documents:
        """Return the documents with truncated terms."""
        name = field.spec.name
        if name not in self.cache.cut_off:
            terms = np.flatnonzero(np.diff(field.vocabulary.offsets) >= MAX_TERM).tolist()
            held = [field.postings(term).documents for term in terms]
            self.cache.cut_off[name] = np.unique(np.concatenate(held)) if held else np.empty(0, np.uint32)
        return self.cache.cut_off[name]

    def position_ends(self, place: TermPlace) -> npt.NDArray[np.int64]:
        """Return the end of each posting's positions among those of the term."""
        counts = place.postings.counts

        def sums() -> npt.NDArray[np.int64]:
            return counts.cumsum(dtype=np.int64)

        if len(counts) < _FREQUENT:
            return sums()
        return self.cache.sums.get((place.field.spec.name, place.number), sums, 8 * len(counts))

    def lookup(self, place: TermPlace, wanted: Documents) -> tuple[Indices, Indices]:
        """Return which of `wanted` hold a term, and the index in its postings of each of these."""
        held = place.postings.documents
        if not len(wanted) * SEARCHES > len(held) >= max(_FREQUENT, self.size // _SHARE):
            return lookup(held, wanted, self.size)
        key = place.field.spec.name, place.number
        table = self.cache.places.find(key)
        if table is None:
            table = PlaceTable(held, self.size)
            self.cache.places.keep(key, table, LEAST_BYTES + table.bytes)
        return table.lookup(wanted)

    def _norms_of(self, field: str) -> Scores | None:
        """Return the norm of each document, None for a field without lengths."""
        if field not in self._norms:
            norms, known = None, self.arrays.fields[field]
            if known.spec.scored:
                norms = self._reader.weighting.norms(known.lengths, self._reader.average(field))
                self._least[field] = float(norms.min()) if len(norms) else 1.0
            self._norms[field] = norms
        return self._norms[field]


class KnownTerm(NamedTuple):
    """A term in all segments; `weight` is its idf."""

    weight: float
    places: Mapping[SegmentReader, TermPlace]


class IndexReader:
    """All segments of a commit; statistics count deleted documents, as Whoosh's do."""

    def __init__(self, segments: Sequence[Segment], weighting: Weighting, before: "IndexReader | None" = None) -> None:
        """Open the segments with the caches that the commit `before` has of them."""
        known = {id(segment.arrays.fields): segment.cache for segment in before.segments} if before else {}
        self.weighting = weighting
        total = max(1, sum(arrays.size for arrays in segments))
        self.segments: tuple[SegmentReader, ...] = tuple(
            SegmentReader(arrays, self, known.get(id(arrays.fields)) or SegmentCache(arrays.size, arrays.size / total))
            for arrays in segments
            if arrays.size
        )
        self._averages: dict[str, float] = {}
        self._terms: dict[tuple[str, bytes], KnownTerm] = {}
        self._scored: dict[str, bool] = {}

    @cached_property
    def documents(self) -> int:
        """How many documents there are."""
        return sum(segment.size for segment in self.segments)

    def term(self, field: str, term: bytes) -> KnownTerm:
        """Return a term with its idf, which is 1.0 in a field without lengths, where counts are the scores."""
        known = self._terms.get((field, term))
        if known is None:
            places = {}
            for segment in self.segments:
                found = segment.find(field, term)
                if found is not None:
                    places[segment] = TermPlace.of(*found)
            holding = sum(place.size for place in places.values())
            weight = self.weighting.idf(max(1, self.documents), holding) if self.scored(field) else 1.0
            if len(self._terms) >= KNOWN:
                self._terms.clear()
            known = self._terms[field, term] = KnownTerm(weight, places)
        return known

    def average(self, field: str) -> float:
        """Return the average length of a field over all documents."""
        if field not in self._averages:
            fields = (segment.field(field) for segment in self.segments)
            total = sum(found.total_length for found in fields if found is not None)
            self._averages[field] = total / max(1, self.documents)
        return self._averages[field]

    def scored(self, field: str) -> bool:
        """Return whether the terms of a field are weighted by their rarity."""
        if field not in self._scored:
            fields = (segment.field(field) for segment in self.segments)
            self._scored[field] = any(found.spec.scored for found in fields if found is not None)
        return self._scored[field]
