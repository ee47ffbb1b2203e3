"""Merges several segments into one without reading any text: copies arrays, a range of terms at a time.

A merge is a generator that can pause between any two steps: the longest takes some tens of milliseconds, and its
memory does not grow with the number of postings.
"""

from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.segments.posting_arrays import document_type
from desktop_rag.index.keywords.columnar.segments.segment import (
    FieldKind,
    FieldSpec,
    GroupedField,
    PostedField,
    Segment,
    Unsigned,
)
from desktop_rag.index.keywords.columnar.segments.segment_building import narrowed, union_sizes, vocabulary_arrays
from desktop_rag.index.keywords.columnar.segments.segment_file import Region, SegmentFile, SegmentSeal, SplitRegion
from desktop_rag.index.keywords.columnar.segments.split_numbers import SplitNumbers
from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary, joined, ordered

STRETCH = 1 << 19  # postings or positions copied in one step
TERMS = 1 << 15  # terms of all sources compared in one step
_SYNC = 1 << 24  # bytes that may be unsynced

Numbers = npt.NDArray[np.int64]


class Merged(NamedTuple):
    """A merged segment, and for each source the new numbers of its documents (-1: deleted)."""

    size: int
    seal: SegmentSeal
    numbers: tuple[Numbers, ...]


class _Part(NamedTuple):
    """The contribution of one source to a field with postings.

    `terms` are the kept terms (numbers in its vocabulary, ascending), `places` their numbers in the new vocabulary,
    `postings` and `positions` how many of each are kept by term.
    """

    field: PostedField
    numbers: Numbers
    terms: Numbers
    postings: Numbers
    positions: Numbers
    places: Numbers


class _Moved(NamedTuple):
    """The postings of `part.terms[first:last]` with new document numbers."""

    part: _Part
    first: int
    last: int
    documents: Unsigned
    counts: Unsigned
    positions: Unsigned


def merge(sources: Sequence[Segment], path: Path) -> Generator[None, None, Merged]:
    """Write the live documents of `sources`, which have the same fields, as one segment to `path`.

    Closing the generator before its end deletes the file.
    """
    file = SegmentFile(path)
    try:
        numbers = _renumbered(sources)
        for name in sources[0].columns:
            kept = [source.columns[name][new >= 0] for source, new in zip(sources, numbers, strict=True)]
            file.put_all({f"column/{name}": np.concatenate(kept)})
        totals: dict[FieldSpec, int] = {}
        renamed: dict[str, Sequence[Numbers]] = {}
        for field in sources[0].fields.values():
            same = [source.fields[field.spec.name] for source in sources]
            posted = [each for each in same if isinstance(each, PostedField)]
            grouped = [each for each in same if isinstance(each, GroupedField)]
            if posted:
                renamed[field.spec.name], totals[field.spec] = yield from _posted(posted, numbers, file)
            else:
                yield from _grouped(grouped, numbers, renamed[field.spec.groups], file)
                totals[field.spec] = 0
        file.sync(0)
        yield
        size = sum(int(np.count_nonzero(new >= 0)) for new in numbers)
        return Merged(size, file.seal(size, totals), tuple(numbers))
    except BaseException:
        file.abandon()
        raise


def _renumbered(sources: Sequence[Segment]) -> list[Numbers]:
    numbers = []
    base = 0
    for source in sources:
        kept = np.ones(source.size, np.bool_) if source.deleted is None else ~source.deleted
        numbers.append(np.where(kept, np.cumsum(kept) - 1 + base, -1))
        base += int(np.count_nonzero(kept))
    return numbers


def _posted(
    fields: Sequence[PostedField], numbers: Sequence[Numbers], file: SegmentFile
) -> Generator[None, None, tuple[Sequence[Numbers], int]]:
    """Write a field with postings; return the new number of each old term (-1: dropped), and the total length."""
    spec = fields[0].spec
    kept = []
    for field, new in zip(fields, numbers, strict=True):
        kept.append((yield from _kept(field, new)))
    places = yield from _joined(spec.name, [f.vocabulary for f in fields], [terms for terms, *_ in kept], file)
    parts = [_Part(*rest) for rest in zip(fields, numbers, *zip(*kept, strict=True), places, strict=True)]
    size = 1 + max((int(part.places[-1]) for part in parts if len(part.places)), default=-1)
    counted = np.zeros((2, size + 1), np.int64)
    for part in parts:
        counted[0, part.places + 1] += part.postings
        counted[1, part.places + 1] += part.positions
    starts, position_starts = np.cumsum(counted, axis=1)
    file.put_all({f"{spec.name}/starts": narrowed(starts)})
    if spec.kind is FieldKind.POSITIONS:
        file.put_all({f"{spec.name}/position_starts": narrowed(position_starts)})
    if spec.scored:
        lengths = np.concatenate([part.field.lengths[part.numbers >= 0] for part in parts])
        file.put_all({f"{spec.name}/lengths": lengths})
    yield
    documents = document_type(sum(int(np.count_nonzero(new >= 0)) for new in numbers))
    regions = _Regions(file, parts, documents, starts, position_starts)
    for first, last in _stretches(position_starts if spec.kind is FieldKind.POSITIONS else starts):
        regions.append(first, last)
        file.sync(_SYNC)
        yield
    regions.finish()
    return [_renaming(part) for part in parts], int(lengths.sum(dtype=np.int64)) if spec.scored else 0


def _kept(field: PostedField, numbers: Numbers) -> Generator[None, None, tuple[Numbers, Numbers, Numbers]]:
    """Return the terms of a source that live documents hold, and how many postings and positions each has."""
    starts = field.starts.astype(np.int64)
    positioned = field.spec.kind is FieldKind.POSITIONS
    if (numbers >= 0).all():
        ends = field.position_starts.astype(np.int64) if positioned else np.zeros(len(starts), np.int64)
        return np.arange(len(starts) - 1), starts[1:] - starts[:-1], ends[1:] - ends[:-1]
    postings, positions = np.zeros(len(starts) - 1, np.int64), np.zeros(len(starts) - 1, np.int64)
    for first, last in _stretches(starts):
        documents, counts = field.run(first, last)
        held = numbers[documents] >= 0
        begins = starts[first:last] - starts[first]
        postings[first:last] = np.add.reduceat(held, begins, dtype=np.int64)
        if positioned:
            positions[first:last] = np.add.reduceat(held * counts, begins, dtype=np.int64)
        yield
    terms: Numbers = np.flatnonzero(postings)
    return terms, postings[terms], positions[terms]


def _joined(
    name: str, vocabularies: Sequence[Vocabulary], kept: Sequence[Numbers], file: SegmentFile
) -> Generator[None, None, list[Numbers]]:
    """Write the union of the kept terms; return for each source the new numbers of its terms."""
    places = [np.empty(len(terms), np.int64) for terms in kept]
    done = [0] * len(kept)
    unions = [Vocabulary.of(())]
    size = 0
    stride = max(1, TERMS // len(kept))
    while any(at < len(terms) for at, terms in zip(done, kept, strict=True)):
        ends = [min(at + stride, len(terms)) for at, terms in zip(done, kept, strict=True)]
        sources = list(zip(vocabularies, kept, done, ends, strict=True))
        # Terms after the last one read of an unfinished source cannot be merged yet.
        unfinished = [vocabulary[int(terms[end - 1])] for vocabulary, terms, _, end in sources if end < len(terms)]
        if unfinished:
            last = min(unfinished)
            ends = [min(end, int(terms.searchsorted(known.after(last)))) for known, terms, _, end in sources]
        union, numbers = ordered(
            joined([known.taken(terms[at:end]) for (known, terms, at, _), end in zip(sources, ends, strict=True)])
        )
        first = 0
        for place, at, end in zip(places, done, ends, strict=True):
            place[at:end] = numbers[first : first + end - at]
            place[at:end] += size
            first += end - at
        unions.append(union)
        size += len(union)
        done = ends
        yield
    file.put_all(vocabulary_arrays(name, joined(unions)))
    return places


def _stretches(starts: Numbers) -> Iterator[tuple[int, int]]:
    """Yield ranges of terms with at most `STRETCH` entries, or of a single term with more."""
    first, size = 0, len(starts) - 1
    while first < size:
        last = max(first + 1, int(np.searchsorted(starts, starts[first] + STRETCH, side="right")) - 1)
        yield first, last
        first = last


class _Regions:
    """The postings of the new field, written from all sources, a range of terms at a time."""

    def __init__(
        self,
        file: SegmentFile,
        parts: Sequence[_Part],
        documents: np.dtype[np.unsignedinteger],
        starts: Numbers,
        position_starts: Numbers,
    ) -> None:
        spec = parts[0].field.spec
        self._parts = parts
        self._starts = starts
        self._position_starts = position_starts
        size, positions = int(starts[-1]), int(position_starts[-1])
        fields = [part.field for part in parts]
        self._documents = file.reserve(f"{spec.name}/documents", documents, size)
        self._counts: SplitRegion | None = None
        self._positions: SplitRegion | None = None
        if spec.kind is not FieldKind.PRESENCE:
            counts = [field.counts for field in fields if field.counts is not None]
            self._counts = _reserved(file, f"{spec.name}/counts", counts, size)
        if spec.kind is FieldKind.POSITIONS:
            held = [field.all_positions for field in fields]
            self._positions = _reserved(file, f"{spec.name}/positions", held, positions)

    def append(self, first: int, last: int) -> None:
        """Write the postings of the new terms in `range(first, last)`."""
        moved = [each for part in self._parts if (each := _moved(part, first, last)) is not None]
        starts = self._starts[first : last + 1] - self._starts[first]
        columns: list[tuple[Region | SplitRegion, Sequence[Unsigned]]]
        columns = [(self._documents, [each.documents for each in moved])]
        if self._counts is not None:
            columns.append((self._counts, [each.counts for each in moved]))
        lengths = [each.part.postings[each.first : each.last] for each in moved]
        _interleave(columns, lengths, moved, first, starts)
        if self._positions is not None:
            starts = self._position_starts[first : last + 1] - self._position_starts[first]
            lengths = [each.part.positions[each.first : each.last] for each in moved]
            _interleave([(self._positions, [each.positions for each in moved])], lengths, moved, first, starts)

    def finish(self) -> None:
        """Write what the regions keep back."""
        for region in (self._counts, self._positions):
            if region is not None:
                region.finish()


def _reserved(file: SegmentFile, name: str, sources: Sequence[SplitNumbers], count: int) -> SplitRegion:
    widest = max((each.dtype for each in sources), key=lambda dtype: dtype.itemsize)
    return SplitRegion(file, name, widest, count, sum(each.count_large() for each in sources))


def _interleave(
    columns: Sequence[tuple[Region | SplitRegion, Sequence[Unsigned]]],
    lengths: Sequence[Numbers],
    moved: Sequence[_Moved],
    first: int,
    starts: Numbers,
) -> None:
    """Write the runs of all sources ordered by term, then by source; `lengths` are those of each source's runs."""
    if len(starts) == 2 or len(moved) == 1:  # already in order
        for region, values in columns:
            for brought in values:
                region.append(brought)
        return
    filled = starts[:-1].copy()
    targets = []
    for each, length in zip(moved, lengths, strict=True):
        terms = each.part.places[each.first : each.last] - first
        ends = np.cumsum(length)
        targets.append(np.arange(ends[-1]) + np.repeat(filled[terms] - (ends - length), length))
        filled[terms] += length
    for region, values in columns:
        gathered = np.empty(starts[-1], np.result_type(*values))
        for target, brought in zip(targets, values, strict=True):
            gathered[target] = brought
        region.append(gathered)


def _moved(part: _Part, first: int, last: int) -> _Moved | None:
    begin, end = np.searchsorted(part.places, (first, last)).tolist()
    if begin == end:
        return None
    field = part.field
    run = int(part.terms[begin]), int(part.terms[end - 1]) + 1
    documents, counts = field.run(*run)
    positions = field.position_run(*run) if field.spec.kind is FieldKind.POSITIONS else counts[:0]
    new = part.numbers[documents]
    held = new >= 0
    if not held.all():
        positions = positions[np.repeat(held, counts)] if len(positions) else positions
        new, counts = new[held], counts[held]
    return _Moved(part, begin, end, new.astype(np.uint32), counts, positions)


def _renaming(part: _Part) -> Numbers:
    renamed = np.full(len(part.field.vocabulary), -1, np.int64)
    renamed[part.terms] = part.places
    return renamed


def _grouped(
    fields: Sequence[GroupedField], numbers: Sequence[Numbers], renamed: Sequence[Numbers], file: SegmentFile
) -> Generator[None, None, None]:
    """Write a grouped field; `renamed` are the new numbers of its source's terms."""
    name = fields[0].spec.name
    groups, kept = [], []
    for field, new in zip(fields, renamed, strict=True):
        groups.append(field.group_of_terms())
        held = np.zeros(len(field.vocabulary), np.bool_)
        held[groups[-1][new >= 0]] = True
        kept.append(np.flatnonzero(held))
        yield
    places = yield from _joined(name, [field.vocabulary for field in fields], kept, file)
    size = 1 + max((int(place[-1]) for place in places if len(place)), default=-1)
    joined = np.zeros(1 + max((int(new.max()) for new in renamed if len(new)), default=-1), np.uint32)
    frequencies = np.zeros(size, np.int64)
    for field, new, group, terms, place, number in zip(fields, renamed, groups, kept, places, numbers, strict=True):
        becomes = np.zeros(len(field.vocabulary), np.int64)
        becomes[terms] = place
        joined[new[new >= 0]] = becomes[group[new >= 0]]
        counts = field.document_frequencies(0, len(field.vocabulary)).astype(np.int64)
        if (number < 0).any() and isinstance(field.source, PostedField):
            source = field.source
            lost = yield from union_sizes(group, source.starts.astype(np.int64), source.documents, number < 0)
            counts -= lost
        frequencies[place] += counts[terms]
        yield
    sizes = np.bincount(joined, minlength=size)
    file.put_all(
        {
            f"{name}/member_starts": narrowed(np.append(0, np.cumsum(sizes))),
            f"{name}/members": np.argsort(joined, kind="stable").astype(np.uint32),
            f"{name}/document_frequencies": frequencies.astype(np.uint32),
        }
    )
