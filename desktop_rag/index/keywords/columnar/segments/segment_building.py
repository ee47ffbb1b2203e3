"""Builds the arrays of a segment from the tokens of its documents: one sort a field."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.segments.posting_arrays import document_type
from desktop_rag.index.keywords.columnar.segments.segment import (
    FieldKind,
    FieldSpec,
    Unsigned,
    vocabulary_of,
)
from desktop_rag.index.keywords.columnar.segments.split_numbers import split
from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary, ordered
from desktop_rag.stop import result_of

_KEY_BITS = 64
PIECE = 1 << 20  # postings united at a time


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """The tokens of one field in any order: for each the number of its term in `names`, its document and its position.

    `names` need not be sorted nor distinct.
    """

    names: Vocabulary
    terms: npt.NDArray[np.uint32]
    documents: npt.NDArray[np.uint32]
    positions: npt.NDArray[np.uint32]


def build_postings(spec: FieldSpec, tokens: Tokens, size: int) -> dict[str, Unsigned]:
    """Return the arrays of a field with postings of its own, over `size` documents."""
    names, numbers = ordered(tokens.names)
    bits = max(0, size - 1).bit_length()
    pairs, positions = _sorted(numbers.take(tokens.terms), tokens.documents, tokens.positions, bits)
    begins = _changes(pairs)  # of a posting
    postings = pairs.take(begins)
    posting_terms = postings >> np.uint64(bits)
    term_begins = _changes(posting_terms)
    if len(term_begins) < len(names):  # some terms have no token
        names = names.taken(posting_terms[term_begins].astype(np.intp))
    postings &= _lowest(bits)
    arrays = vocabulary_arrays(spec.name, names)
    arrays[f"{spec.name}/starts"] = narrowed(np.append(term_begins, len(begins)))
    arrays[f"{spec.name}/documents"] = postings.astype(document_type(size))
    if spec.kind is not FieldKind.PRESENCE:
        arrays |= split(f"{spec.name}/counts", np.diff(begins, append=len(pairs)).astype(np.uint32))
    if spec.kind is FieldKind.POSITIONS:
        arrays |= split(f"{spec.name}/positions", positions)
        arrays[f"{spec.name}/position_starts"] = narrowed(np.append(begins[term_begins], len(pairs)))
    if spec.scored:
        arrays[f"{spec.name}/lengths"] = np.bincount(tokens.documents, minlength=size).astype(np.uint32)
    return arrays


def build_groups(
    spec: FieldSpec,
    source: str,
    arrays: Mapping[str, Unsigned],
    groups_of: Callable[[Sequence[bytes]], Sequence[bytes]],
) -> dict[str, Unsigned]:
    """Return the arrays of a field that groups the terms of `source` by `groups_of`."""
    terms = vocabulary_of(source, arrays)
    names, group = ordered(Vocabulary.of(groups_of(terms[:])))
    return group_arrays(spec, names, group, arrays[f"{source}/starts"], arrays[f"{source}/documents"])


def group_arrays(
    spec: FieldSpec, names: Vocabulary, group: npt.NDArray[np.uint32], starts: Unsigned, documents: Unsigned
) -> dict[str, Unsigned]:
    """Return the arrays of a grouped field with the terms `names`; `group` has the group of each term of the source."""
    frequencies = result_of(union_sizes(group, starts.astype(np.int64), documents))
    sizes = np.bincount(group, minlength=len(names))
    arrays = vocabulary_arrays(spec.name, names)
    arrays[f"{spec.name}/member_starts"] = narrowed(np.append(0, np.cumsum(sizes)))
    arrays[f"{spec.name}/members"] = np.argsort(group, kind="stable").astype(np.uint32)
    arrays[f"{spec.name}/document_frequencies"] = frequencies.astype(np.uint32)
    return arrays


def union_sizes(
    group: npt.NDArray[np.uint32],
    starts: npt.NDArray[np.int64],
    documents: Unsigned,
    among: npt.NDArray[np.bool_] | None = None,
) -> Generator[None, None, npt.NDArray[np.int64]]:
    """Return the document frequency of each group (within the mask `among`); every group has a term.

    Term i of the source belongs to `group[i]` and has the postings `documents[starts[i]:starts[i + 1]]`. Yields
    between steps.
    """
    members = np.argsort(group, kind="stable")
    held = (starts[1:] - starts[:-1])[members]
    edges = np.flatnonzero(np.diff(group[members], prepend=-1, append=len(members) + 1))
    sizes = np.add.reduceat(held, edges[:-1]) if len(members) else held
    several = np.repeat(np.diff(edges) > 1, np.diff(edges))
    if among is not None:
        sizes[:] = 0
        several[:] = True
    wanted, lengths = members[several], held[several]
    for some in _pieces(group[wanted], lengths):
        size = lengths[some]
        inside = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
        keys = documents[np.repeat(starts[wanted[some]], size) + inside].astype(np.uint64)
        chosen = slice(None) if among is None else among[keys]
        keys |= np.repeat(group[wanted[some]], size).astype(np.uint64) << np.uint64(32)
        keys = np.sort(keys[chosen])
        found, counts = np.unique(keys[_changes(keys)] >> np.uint64(32), return_counts=True)
        sizes[found.astype(np.int64)] = counts
        yield
    return sizes


def _pieces(group: npt.NDArray[np.uint32], lengths: npt.NDArray[np.int64]) -> Iterator[slice]:
    """Yield runs of whole groups with about `PIECE` postings."""
    if not len(group):
        return
    last_of_group = np.flatnonzero(np.append(group[1:] != group[:-1], True)) + 1
    filled = np.cumsum(lengths)[last_of_group - 1]
    ends = last_of_group[np.flatnonzero(np.append(np.diff(filled // PIECE), 1))]
    first = 0
    for end in ends.tolist():
        yield slice(first, end)
        first = end


def vocabulary_arrays(field: str, vocabulary: Vocabulary) -> dict[str, Unsigned]:
    """Return the arrays of a field's terms."""
    return {f"{field}/terms": vocabulary.blob, f"{field}/term_starts": vocabulary.offsets}


def narrowed(values: npt.NDArray[np.integer]) -> Unsigned:
    """Return non-negative numbers in the narrowest unsigned type that fits."""
    highest = int(values.max()) if len(values) else 0
    return values.astype(np.min_scalar_type(highest))


def _sorted(
    terms: npt.NDArray[np.uint32], documents: npt.NDArray[np.uint32], positions: npt.NDArray[np.uint32], bits: int
) -> tuple[npt.NDArray[np.uint64], Unsigned]:
    """Return the tokens sorted by term, document and position: term and document, in the lowest `bits`, and position.

    All three are packed into one number where they fit, which numpy sorts several times faster than it orders columns.
    """
    pairs = terms.astype(np.uint64)
    pairs <<= np.uint64(bits)
    pairs |= documents
    places = int(positions.max(initial=0)).bit_length()
    if int(pairs.max(initial=0)).bit_length() + places > _KEY_BITS:
        order = np.lexsort((positions, pairs))
        return pairs.take(order), positions.take(order)
    pairs <<= np.uint64(places)
    pairs |= positions
    pairs.sort()
    lowest = _lowest(places)
    sorted_positions = (pairs & lowest).astype(np.min_scalar_type(int(lowest)))
    pairs >>= np.uint64(places)
    return pairs, sorted_positions


def _lowest(bits: int) -> np.uint64:
    """Return a mask of so many bits."""
    return np.uint64((1 << bits) - 1)


def _changes(column: npt.NDArray[np.unsignedinteger]) -> npt.NDArray[np.int64]:
    """Return the rows that differ from the row before; always including the first."""
    different = np.ones(len(column), np.bool_)
    np.not_equal(column[1:], column[:-1], out=different[1:])
    return np.flatnonzero(different)
