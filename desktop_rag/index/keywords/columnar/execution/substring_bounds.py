"""Upper bounds of how often documents contain a literal string, from the terms they hold: no text is read."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.execution.adjacent_terms import Occurrences, following, size_of
from desktop_rag.index.keywords.columnar.execution.few_bounds import FewBounds
from desktop_rag.index.keywords.columnar.execution.segment_readers import LEAST_BYTES, SegmentReader
from desktop_rag.index.keywords.columnar.execution.term_matching import occurrences
from desktop_rag.index.keywords.columnar.segments.posting_arrays import Indices, Scores
from desktop_rag.index.keywords.columnar.segments.segment import Field, PostedField
from desktop_rag.index.keywords.literal_terms import RequiredTerm, required_terms
from desktop_rag.stop import Stop

_SHORT = 2  # bytes; so short a string is in this many terms that all are compared at once
_SMALL = 1 << 15  # bytes of terms that are searched as fast without an index of their letters
APART = -1.0  # where all words are, surely not in a row
FEW = 256  # documents; so few texts are read faster than the positions of their words
_READ = 32  # texts that are read sooner than the positions of a few documents are compared
_SLOW = 2  # postings for each document; bounds from fewer are not cached


def occurrence_bounds(segment: SegmentReader, name: str, keyword: str, stop: Stop, few: int = FEW) -> Scores:
    """Return for each document an upper bound of how often its text contains `keyword` (in lower case).

    It is infinite where nothing is known: for strings without letters, and in texts with truncated terms. It is
    `APART` in documents that have the words and count for the rarity of the keyword, but not for its occurrences.
    Slow ones are cached.
    """
    field = segment.field(name)
    if field is None:
        return np.zeros(segment.size, np.float32)
    known = segment.cache.occurrences.find((keyword, few))
    if known is not None:
        return known.of_all(segment.size)
    bounds = np.full(segment.size, np.inf, np.float32)
    asked = required_terms(keyword)
    held = [_holding(segment, field, piece) for piece in asked]
    for terms, times in held:
        np.minimum(bounds, occurrences(segment, field, terms, times, stop), out=bounds)
    _limit_to_rows(field, [terms for terms, _ in held], asked, bounds, few, stop)
    bounds[segment.cut_off(field)] = np.inf
    if isinstance(field, PostedField) and sum(size_of(field, terms) for terms, _ in held) > _SLOW * segment.size:
        kept = FewBounds.made(bounds)
        segment.cache.occurrences.keep((keyword, few), kept, LEAST_BYTES + kept.bytes)
    return bounds


def _limit_to_rows(
    field: Field, held: Sequence[Indices], asked: Sequence[RequiredTerm], bounds: Scores, few: int, stop: Stop
) -> None:
    """Lower the bounds of documents in which the terms of the pieces do not follow one another as often.

    While more than `few` are left, a bound is 0 where two neighbours never do; it is `APART` where only all do not.
    """
    if not any(piece.follows for piece in asked):
        return
    in_row = np.full(len(bounds), np.inf, np.float32)
    chain: Occurrences | None = None
    for number, piece in enumerate(asked[1:], start=1):
        many = np.count_nonzero(bounds) > few
        wanted = bounds > 0 if many else (bounds > 0) & (in_row > 0)
        pairs = None
        if piece.follows and (many or np.count_nonzero(wanted) > _READ):
            pairs = following(field, held[number - 1], held[number], wanted, stop)
        chain = pairs if chain is None or pairs is None else pairs.after(chain)
        if pairs is not None and chain is not None:
            if many:
                np.minimum(bounds, pairs.counts(len(bounds)), out=bounds)
            np.minimum(in_row, chain.counts(len(bounds)), out=in_row)
    apart = (in_row == 0) & (bounds > 0)
    np.minimum(bounds, in_row, out=bounds)
    bounds[apart] = APART


def _holding(segment: SegmentReader, field: Field, piece: RequiredTerm) -> tuple[Indices, Scores]:
    """Return the terms that may contain a required piece, and how often each may contain it."""
    known, text = field.vocabulary, piece.text.encode("utf-8", "surrogatepass")
    if piece.first and piece.last:
        place = known.find(text)
        return np.array([place] if place >= 0 else [], np.intp), np.ones(int(place >= 0), np.float32)
    if piece.first:
        terms = np.arange(*known.prefixed(text))
        return terms, np.ones(len(terms), np.float32)
    found = _found(segment, field, text)
    terms = known.offsets.searchsorted(found.astype(np.uint32), side="right") - 1  # another type copies all offsets
    ends = known.offsets.take(terms + 1)
    inside = found + len(text) == ends if piece.last else found + len(text) <= ends
    terms, times = np.unique(terms[inside], return_counts=True)
    return terms, times.astype(np.float32)


def _found(segment: SegmentReader, field: Field, text: bytes) -> npt.NDArray[np.int64]:
    """Return all offsets of `text` in the concatenated terms."""
    if len(text) <= _SHORT:
        letters = field.vocabulary.blob
        last = max(0, len(letters) - len(text) + 1)
        same = np.ones(last, np.bool_)
        for place, code in enumerate(text):
            same &= letters[place : last + place] == code
        return np.flatnonzero(same)
    if len(field.vocabulary.blob) > _SMALL:
        return segment.letter_groups(field).find(text)
    blob = field.vocabulary.blob.tobytes()
    found: list[int] = []
    at = blob.find(text)
    while at >= 0:
        found.append(at)
        at = blob.find(text, at + 1)
    return np.array(found, np.int64)
