"""The same documents in stock Whoosh and in our arrays, and generated queries over them."""

import atexit
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st
from whoosh.analysis import SpaceSeparatedTokenizer
from whoosh.fields import ID, NUMERIC, TEXT, Schema
from whoosh.filedb.filestore import FileStorage, RamStorage
from whoosh.index import FileIndex
from whoosh.scoring import BM25F
from whoosh.searching import Searcher
from whoosh.util.numeric import byte_to_length
from whoosh.writing import SegmentWriter

from desktop_rag.index.keywords.columnar.execution.scoring import Weighting
from desktop_rag.index.keywords.columnar.execution.segment_readers import IndexReader
from desktop_rag.index.keywords.columnar.segments.segment import FieldKind, FieldSpec, Segment, Unsigned, segment_of
from desktop_rag.index.keywords.columnar.segments.segment_building import Tokens, build_postings
from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary
from desktop_rag.index.keywords.keyword_query import (
    AdjacentQuery,
    AllOfQuery,
    AnyOfQuery,
    FilteredQuery,
    FuzzyQuery,
    KeywordQuery,
    NearQuery,
    PatternQuery,
    TermQuery,
)

SCHEMA = Schema(
    body=TEXT(SpaceSeparatedTokenizer()),
    title=TEXT(SpaceSeparatedTokenizer(), phrase=False),
    tag=ID(),
    size=NUMERIC(int, bits=32, signed=True),
)
SPECS = {
    "body": FieldSpec("body", FieldKind.POSITIONS, scored=True),
    "title": FieldSpec("title", FieldKind.COUNTS, scored=True),
    "tag": FieldSpec("tag", FieldKind.PRESENCE, scored=False),
    "size": FieldSpec("size", FieldKind.PRESENCE, scored=False),
}
KEY = "number"
TEMPORARY = tempfile.TemporaryDirectory(prefix="oracle")
atexit.register(TEMPORARY.cleanup)  # else the end of Python warns of it

WORDS = ("a", "ab", "abc", "abd", "acb", "b", "ba", "bad", "c", "cab", "dab", "é", "ée", "né", "東京", "東", "abcabca")
words = st.sampled_from(WORDS)


class WhooshWeighting(Weighting):
    """BM25 as Whoosh computes it: with its idf, and each length rounded to one of 256."""

    def norms(self, lengths: npt.NDArray[np.uint32], average: float) -> npt.NDArray[np.float32]:
        """Return the norms of the rounded lengths."""
        return super().norms(KEPT_LENGTHS[np.searchsorted(KEPT_LENGTHS, lengths)], average)


KEPT_LENGTHS = np.fromiter(map(byte_to_length, range(256)), np.uint32, 256)
WHOOSH = WhooshWeighting(lambda documents, holding: log(documents / (holding + 1)) + 1, pooled=False)
texts = st.lists(words, max_size=30).map(" ".join)


@dataclass(frozen=True, slots=True)
class Document:
    body: str
    title: str
    tag: str
    size: int


documents = st.builds(
    Document, texts, st.lists(words, max_size=5).map(" ".join), st.sampled_from(("x", "xy", "z")), st.integers(-40, 40)
)


class OwnStorage(RamStorage):
    """Whoosh's in-memory storage with its own folder for temporary files."""

    def temp_storage(self, name: str | None = None) -> FileStorage:
        """Return a new folder."""
        return FileStorage(tempfile.mkdtemp(dir=TEMPORARY.name)).create()


@dataclass(frozen=True, slots=True)
class Library:
    """Documents by segment, and the numbers of deleted ones over all."""

    segments: list[list[Document]]
    deleted: frozenset[int]

    def stock(self) -> Searcher:
        """Return a searcher of stock Whoosh."""
        index = FileIndex.create(OwnStorage(), SCHEMA)
        for documents in self.segments:
            writer = SegmentWriter(index)
            for d in documents:
                writer.add_document(body=d.body, title=d.title, tag=d.tag, size=d.size)
            writer.commit(merge=False)
        writer = SegmentWriter(index)
        for number in self.deleted:
            writer.delete_document(number)
        writer.commit(merge=False)
        return Searcher(index.reader(), BM25F())

    def ours(self) -> IndexReader:
        """Return our segments, to be ranked as Whoosh does."""
        segments: list[Segment] = []
        first = 0
        for documents in self.segments:
            gone = [number - first for number in self.deleted if first <= number < first + len(documents)]
            segments.append(_segment(documents, first, gone))
            first += len(documents)
        return IndexReader(segments, WHOOSH)


@st.composite
def libraries(draw: st.DrawFn) -> Library:
    segments = draw(st.lists(st.lists(documents, min_size=1, max_size=8), min_size=1, max_size=3))
    count = sum(map(len, segments))
    return Library(segments, draw(st.frozensets(st.integers(0, count - 1), max_size=3)))


def _segment(documents: Sequence[Document], first: int, deleted: Sequence[int]) -> Segment:
    size = len(documents)
    arrays: dict[str, Unsigned] = {f"column/{KEY}": np.arange(first, first + size, dtype=np.uint64)}
    totals: dict[FieldSpec, int] = {}
    for name, spec in SPECS.items():
        terms: list[tuple[bytes, int, int]] = []
        for number, document in enumerate(documents):
            for place, term in enumerate(_terms(name, document)):
                terms.append((term, number, place))
        names = sorted({term for term, _, _ in terms})
        numbers = {term: number for number, term in enumerate(names)}
        tokens = Tokens(
            Vocabulary.of(names),
            np.array([numbers[term] for term, _, _ in terms], np.uint32),
            np.array([document for _, document, _ in terms], np.uint32),
            np.array([place for _, _, place in terms], np.uint32),
        )
        arrays |= build_postings(spec, tokens, size)
        totals[spec] = len(terms) if spec.scored else 0
    mask = np.zeros(size, np.bool_)
    mask[list(deleted)] = True
    return segment_of(str(first), size, totals, arrays, mask if deleted else None)


def _terms(name: str, document: Document) -> list[bytes]:
    if name == "size":
        return [term for term, *_ in SCHEMA[name].index(document.size)]
    if name == "tag":
        return [document.tag.encode()]
    return [word.encode() for word in (document.body if name == "body" else document.title).split()]


boosts = st.sampled_from((1.0, 1.0, 0.5, 2.5))
fields = st.sampled_from(("body", "body", "title", "tag", "nowhere"))
terms = st.builds(TermQuery, fields, st.sampled_from((*WORDS, "x", "zzz")), boosts)


def several(count: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(words, min_size=2, max_size=count).map(tuple)


phrases = st.one_of(
    st.builds(AdjacentQuery, st.just("body"), several(3), boosts),
    st.builds(NearQuery, st.just("body"), several(3), st.integers(0, 4), boosts),
)
text_fields = st.sampled_from(("body", "title"))
patterns = st.sampled_from(("a*", "ab*", "é*", "東*", "q*", "*b", "?b*", "[ab]*", "a?", "*é"))
expansions = st.one_of(
    st.builds(PatternQuery, text_fields, patterns),
    st.builds(FuzzyQuery, text_fields, words, st.integers(1, 2)),
)


def _groups(below: st.SearchStrategy[KeywordQuery]) -> st.SearchStrategy[KeywordQuery]:
    some = st.lists(below, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(AllOfQuery, some, st.lists(below, max_size=2).map(tuple)),
        st.builds(AllOfQuery, st.just(()), some),
        st.builds(AnyOfQuery, st.lists(below, min_size=2, max_size=4).map(tuple)),
        st.builds(FilteredQuery, below, below),
    )


# Queries joined and nested in every way that stock Whoosh gets right. It does not: `AndMaybe` under an `And` forgets
# its optional part, and `DisjunctionMax` takes the score of another document for this one's.
trees: st.SearchStrategy[KeywordQuery] = st.recursive(
    st.one_of(terms, terms, phrases, st.just(AllOfQuery()), expansions), _groups, max_leaves=8
)
