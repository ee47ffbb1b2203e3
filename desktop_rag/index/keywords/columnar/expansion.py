"""Which terms a prefix, pattern, range or misspelled word stands for, and the postings of all of them together."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.columnar.arrays import Places, Scores, slices
from desktop_rag.index.keywords.columnar.nodes import Drawn
from desktop_rag.index.keywords.columnar.parts import Part
from desktop_rag.index.keywords.columnar.segment import Field, PostedField, Unsigned
from desktop_rag.stop import Stop

Terms = Callable[[Part, Field, Stop], Places]
"""What finds the numbers of the terms meant, ascending, in one segment."""

_BLOCK = 4096  # terms that are compared with a pattern in one step
_POSTINGS = 1 << 20  # postings that are added up in one step
_ALL_ABOUT = 8  # when one in so many terms of a stretch is meant, the stretch is read as a whole


def prefixed(prefix: bytes) -> Terms:
    """Return what finds the terms that begin with `prefix`."""

    def terms(part: Part, field: Field, stop: Stop) -> Places:
        del part, stop
        return np.arange(*field.vocabulary.prefixed(prefix))

    return terms


def between(first: bytes | None, last: bytes | None, *, without_first: bool, without_last: bool) -> Terms:
    """Return what finds the terms from `first` to `last`; None leaves that side open."""

    def terms(part: Part, field: Field, stop: Stop) -> Places:
        del part, stop
        known = field.vocabulary
        begin = 0 if first is None else known.at_least(first + b"\0" if without_first else first)
        end = len(known) if last is None else known.at_least(last if without_last else last + b"\0")
        return np.arange(begin, max(begin, end))

    return terms


def matching(pattern: re.Pattern[str], prefix: bytes) -> Terms:
    """Return what finds the terms that begin with `prefix` and match `pattern`."""

    def terms(part: Part, field: Field, stop: Stop) -> Places:
        del part
        first, last = field.vocabulary.prefixed(prefix)
        found: list[int] = []
        for begin in range(first, last, _BLOCK):
            stop.check()
            texts = field.vocabulary[begin : min(begin + _BLOCK, last)]
            found += [n for n, text in enumerate(texts, begin) if pattern.match(text.decode("utf-8", "replace"))]
        return np.array(found, np.intp)

    return terms


def near(word: str, distance: int, prefix: int) -> Terms:
    """Return what finds the terms within `distance` letters (Levenshtein) that share the first `prefix` letters."""

    def terms(part: Part, field: Field, stop: Stop) -> Places:
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cdist

        stop.check()
        first, last = field.vocabulary.prefixed(word[:prefix].encode())
        likely = part.signatures(field).near(word, distance, first, last)
        texts = [field.vocabulary[place].decode("utf-8", "replace") for place in likely.tolist()]
        if not texts:
            return likely
        far = cdist([word], texts, scorer=Levenshtein.distance, score_cutoff=distance, dtype=np.int32)[0]
        return likely[np.flatnonzero(far <= distance)]

    return terms


def united_postings(part: Part, field: Field, terms: Places, stop: Stop) -> Drawn:
    """Return the documents that hold any of `terms`, and how often each holds them."""
    sums = occurrences(part, field, terms, np.ones(len(terms), np.float32), stop)
    held = np.flatnonzero(sums > 0).astype(np.uint32)
    return Drawn(held, sums.take(held))


def occurrences(part: Part, field: Field, terms: Places, times: Scores, stop: Stop) -> Scores:
    """Return for each document how often it holds any of `terms`, each counted so many `times`."""
    sums = np.zeros(part.size, np.float32)
    if not len(terms):
        return sums
    first, last = int(terms[0]), int(terms[-1]) + 1
    if last - first > _ALL_ABOUT * len(terms):
        _add_scattered(field, terms, times, sums, stop)
        return sums
    factors = np.zeros(last - first, np.float32)
    factors[terms - first] = times
    frequencies = field.document_frequencies(first, last).astype(np.int64)
    for begin, end in _stretches(frequencies):
        stop.check()
        documents, counts = field.run(first + begin, first + end)
        weights = np.repeat(factors[begin:end], frequencies[begin:end])
        weights *= counts
        np.add.at(sums, documents, weights)
    return sums


def _add_scattered(field: Field, terms: Places, times: Scores, sums: Scores, stop: Stop) -> None:
    """Add the occurrences of terms that are few among their neighbours."""
    if not isinstance(field, PostedField):
        for term, factor in zip(terms.tolist(), times.tolist(), strict=True):
            stop.check()
            documents, counts = field.postings(term)
            np.add.at(sums, documents, counts * np.float32(factor))
        return
    everything = field.run(0, len(field.vocabulary))
    begins, sizes = extents(field.starts, terms)
    for first, last in _stretches(sizes):
        stop.check()
        held = slices(begins[first:last], sizes[first:last])
        weights = np.repeat(times[first:last], sizes[first:last])
        weights *= everything.counts.take(held)
        np.add.at(sums, everything.documents.take(held), weights)


def extents(starts: Unsigned, terms: Places) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return where what belongs to each of some terms begins, and how long it is."""
    begins = starts.take(terms).astype(np.int64)
    return begins, starts.take(terms + 1).astype(np.int64) - begins


def _stretches(frequencies: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Cut terms into stretches of about `_POSTINGS` postings."""
    ends = np.cumsum(frequencies)
    edges = np.searchsorted(ends, np.arange(_POSTINGS, ends[-1], _POSTINGS)) + 1
    return pairwise(np.unique(np.concatenate(([0], edges, [len(ends)]))).tolist())
