"""Keyword queries: terms of the fields with their weights, joined by Boolean nodes.

A query names fields and terms, not segments, so both engines take it: the columnar one has a node for each class,
stock Whoosh a query. Only leaves have a boost; the boosts of groups are multiplied into them beforehand.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log

from desktop_rag.index.records import ChunkId, ContentId

# The names of the fields of the keyword index; queries use them without Whoosh.

CHUNK = "chunk"
CONTENT = "content_id"
TITLE = "title"
HEADINGS = "headings"
TEXT_EXACT = "text"
TEXT_STEM = "stem"


# BM25 (Robertson and Zaragoza 2009) with Lucene's idf, which is never negative and ranks better than Whoosh's.

K1 = 1.2  # k1: saturation of the term frequency
B = 0.75  # b: strength of length normalisation


def lucene_idf(documents: int, holding: int) -> float:
    """Return ln(1 + (N - n + ½) / (n + ½)) for a term that `holding` of `documents` contain."""
    return log(1 + (max(documents - holding, 0) + 0.5) / (holding + 0.5))


def saturation(frequency: float, relative_length: float) -> float:
    """Return the saturated term frequency in a document of `relative_length` (length / average length)."""
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * relative_length))


@dataclass(frozen=True, slots=True)
class TermQuery:
    """Documents whose `field` holds a term, exactly as the index has it: folded, and stemmed in a field of stems."""

    field: str
    text: str
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class AdjacentQuery:
    """Documents that hold the words side by side, in this order."""

    field: str
    words: tuple[str, ...]
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class NearQuery:
    """Documents that hold all words in any order, with at most `slop` other words between the first and the last."""

    field: str
    words: tuple[str, ...]
    slop: int
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class PatternQuery:
    """Documents with a term that matches a pattern of `*`, `?` and `[…]`."""

    field: str
    pattern: str
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class FuzzyQuery:
    """Documents with a term at most `distance` edits away; swapping two adjacent letters is one edit (OSA)."""

    field: str
    text: str
    distance: int
    boost: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class InflectedQuery:
    """Documents with any inflected form of a word, scored as one term.

    Everywhere that is the term `text` of `field`; in the chunks of the contents in `forms` these words of the field
    `forms_field` count instead.
    """

    field: str
    text: str
    forms_field: str
    forms: tuple[tuple[frozenset[ContentId], tuple[str, ...]], ...]
    boost: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class IdQuery:
    """Documents whose id in `column` is among `scores`, each with the score given there."""

    column: str
    scores: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class AllOfQuery:
    """Documents that match all `required` (each one, with score 1, if there are none) and no `forbidden` part.

    The scores of required and `optional` parts add up.
    """

    required: tuple["KeywordQuery", ...] = ()
    forbidden: tuple["KeywordQuery", ...] = ()
    optional: tuple["KeywordQuery", ...] = ()


@dataclass(frozen=True, slots=True)
class AnyOfQuery:
    """Documents that match any part; the scores add up."""

    parts: tuple["KeywordQuery", ...]


@dataclass(frozen=True, slots=True)
class MaxOfQuery:
    """Documents that match any part; the highest score counts (a disjunction max)."""

    parts: tuple["KeywordQuery", ...]


@dataclass(frozen=True, slots=True)
class FilteredQuery:
    """Documents that match `query` and `condition`, with the score of `query` alone."""

    query: "KeywordQuery"
    condition: "KeywordQuery"


KeywordQuery = (
    TermQuery
    | AdjacentQuery
    | NearQuery
    | PatternQuery
    | FuzzyQuery
    | InflectedQuery
    | IdQuery
    | AllOfQuery
    | AnyOfQuery
    | MaxOfQuery
    | FilteredQuery
)


def of_contents(contents: Iterable[ContentId]) -> IdQuery:
    """Return the query for every chunk of some contents, each with score 1."""
    return IdQuery(CONTENT, dict.fromkeys(contents, 1.0))


def of_chunks(chunks: Iterable[ChunkId]) -> IdQuery:
    """Return the query for these chunks, each with score 1."""
    return IdQuery(CHUNK, dict.fromkeys(chunks, 1.0))
