"""Small segments in memory, built as those of an index are."""

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from desktop_rag.index.keywords.columnar.segments.segment import FieldSpec, Segment, Unsigned, segment_of
from desktop_rag.index.keywords.columnar.segments.segment_building import Tokens, build_groups, build_postings
from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary


def build(
    name: str,
    specs: Sequence[FieldSpec],
    documents: Sequence[Mapping[str, Sequence[str]]],
    columns: Mapping[str, Sequence[int]],
    group_of: Callable[[bytes], bytes] = bytes,
    deleted: Collection[int] = (),
) -> Segment:
    """Return a segment; each document gives the terms of its fields, in order."""
    size = len(documents)
    arrays: dict[str, Unsigned] = {f"column/{key}": np.array(values, np.uint64) for key, values in columns.items()}
    totals: dict[FieldSpec, int] = {}
    for spec in specs:
        if spec.groups:
            arrays |= build_groups(spec, spec.groups, arrays, lambda terms: list(map(group_of, terms)))
            totals[spec] = 0
        else:
            texts = [document.get(spec.name, ()) for document in documents]
            tokens = _tokens(texts)
            arrays |= build_postings(spec, tokens, size)
            totals[spec] = len(tokens.terms) if spec.scored else 0
    mask = np.zeros(size, np.bool_)
    mask[list(deleted)] = True
    return segment_of(name, size, totals, arrays, mask if deleted else None)


def _tokens(texts: Sequence[Sequence[str]]) -> Tokens:
    numbers: dict[bytes, int] = {}
    terms = [numbers.setdefault(term.encode(), len(numbers)) for text in texts for term in text]
    lengths = list(map(len, texts))
    return Tokens(
        Vocabulary.of(list(numbers)),
        np.array(terms, np.uint32),
        np.repeat(np.arange(len(texts), dtype=np.uint32), lengths),
        np.array([position for length in lengths for position in range(length)], np.uint32),
    )
