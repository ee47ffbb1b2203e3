"""The top-k of many documents is right without scoring all of them, and a stop ends each step."""

import numpy as np
import pytest

from desktop_rag.errors import Stopped
from desktop_rag.index.keywords.columnar.execution.executor import search
from desktop_rag.index.keywords.columnar.execution.query_planner import QueryPlanner
from desktop_rag.index.keywords.columnar.execution.scoring import LUCENE
from desktop_rag.index.keywords.columnar.execution.segment_readers import IndexReader
from desktop_rag.index.keywords.columnar.segments.segment import FieldKind, FieldSpec, segment_of
from desktop_rag.index.keywords.columnar.segments.segment_building import Tokens, build_postings
from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary
from desktop_rag.index.keywords.keyword_query import (
    AdjacentQuery,
    AllOfQuery,
    AnyOfQuery,
    KeywordQuery,
    NearQuery,
    PatternQuery,
    TermQuery,
)
from desktop_rag.stop import Stop
from tests.unit.index.keywords.columnar.oracle import KEY

SIZE, WORDS = 40_000, 12
NAMES = "abcdefghijkl"
BODY = FieldSpec("body", FieldKind.POSITIONS, scored=True)


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Return documents of words of one letter that are the rarer the later in the alphabet they come."""
    chance = np.random.default_rng(7)
    lengths = chance.integers(4, 2 * WORDS, SIZE)
    terms = np.minimum(chance.geometric(0.45, lengths.sum()) - 1, len(NAMES) - 1)
    letters = np.frombuffer(NAMES.encode(), np.uint8).take(terms).tobytes().decode()
    return [
        letters[end - length : end] for end, length in zip(np.cumsum(lengths).tolist(), lengths.tolist(), strict=True)
    ]


@pytest.fixture(scope="module")
def reader(texts: list[str]) -> IndexReader:
    """Return an index of `texts`."""
    lengths = np.array([len(text) for text in texts])
    documents = np.repeat(np.arange(SIZE, dtype=np.uint32), lengths)
    places = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    terms = np.frombuffer("".join(texts).encode(), np.uint8).astype(np.uint32) - ord("a")
    arrays = build_postings(
        BODY,
        Tokens(Vocabulary.of([letter.encode() for letter in NAMES]), terms, documents, places.astype(np.uint32)),
        SIZE,
    )
    arrays[f"column/{KEY}"] = np.arange(SIZE, dtype=np.uint64)
    return IndexReader([segment_of("one", SIZE, {BODY: len(terms)}, arrays)], LUCENE)


def body(*words: str) -> tuple[KeywordQuery, ...]:
    return tuple(TermQuery("body", word) for word in words)


def phrase(*words: str) -> KeywordQuery:
    return AdjacentQuery("body", words)


QUERIES = (
    *body("a", "i"),
    TermQuery("body", "a", boost=-1.0),
    PatternQuery("body", "*"),
    AllOfQuery(body("a", "i")),
    AllOfQuery(body("a"), body("b")),
    AllOfQuery(body("a"), (PatternQuery("body", "*"),)),
    AllOfQuery(body("a", "b"), body("c")),
    AnyOfQuery(body("a", "b", "f")),
    AnyOfQuery(body("a", "e", "f", "d", "c")),
    phrase("a", "b"),
    phrase("b", "a", "b"),
    NearQuery("body", ("a", "b"), 2),
    AnyOfQuery((phrase("a", "b"), *body("f"))),
    AllOfQuery((AllOfQuery(body("a", "b")),), optional=(phrase("a", "b"),)),
    AllOfQuery((phrase("a", "b"),), (phrase("b", "a"),)),
)


@pytest.mark.parametrize("query", QUERIES, ids=str)
@pytest.mark.parametrize("masked", [False, True])
def test_the_top_k_are_the_best_of_all(reader: IndexReader, query: KeywordQuery, masked: bool) -> None:
    (segment,) = reader.segments
    node = QueryPlanner(reader, Stop()).node(query)
    documents, scores = node.matches(segment, Stop())
    mask = np.arange(SIZE) % 3 == 0 if masked else None
    if mask is not None:
        documents, scores = documents[mask[documents]], scores[mask[documents]]
    best = search(reader, node, 10, KEY, {segment: mask}, Stop())
    assert [score for _, score in best] == pytest.approx(np.sort(scores)[::-1][:10].tolist(), rel=1e-5)
    known = dict(zip(documents.tolist(), scores.tolist(), strict=True))
    assert dict(best) == pytest.approx({number: known[number] for number, _ in best}, rel=1e-5)


@pytest.mark.parametrize("words", ["ia", "ai", "iab", "aai", "ij", "bib", "ab", "lll", "aaaaaaaaai"])
def test_a_phrase_is_in_the_texts_that_have_its_words_side_by_side(
    reader: IndexReader, texts: list[str], words: str
) -> None:
    (segment,) = reader.segments
    found = QueryPlanner(reader, Stop()).node(phrase(*words)).matches(segment, Stop())
    assert found.documents.tolist() == [number for number, text in enumerate(texts) if words in text]
    counts = np.array([[texts[number].count(word) for number in found.documents.tolist()] for word in words])
    weights = [reader.term("body", word.encode()).weight for word in words]
    rows = zip(counts, weights, strict=True)
    scores = np.sum([segment.scores("body", found.documents, row, weight) for row, weight in rows], axis=0)
    assert found.scores == pytest.approx(scores, rel=1e-5)


def test_equal_scores_are_ordered_by_number(reader: IndexReader) -> None:
    node = QueryPlanner(reader, Stop()).node(AllOfQuery())
    assert search(reader, node, 5, KEY, dict.fromkeys(reader.segments), Stop()) == [(n, 1.0) for n in range(5)]


@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_a_stop_ends_each_step(reader: IndexReader, query: KeywordQuery) -> None:
    stop = Stop()
    node = QueryPlanner(reader, stop).node(query)
    stop.set()
    with pytest.raises(Stopped):
        search(reader, node, 10, KEY, dict.fromkeys(reader.segments), stop)
    with pytest.raises(Stopped):
        node.matches(reader.segments[0], stop)


def test_a_segment_cache_outlives_a_commit(reader: IndexReader) -> None:
    (segment,) = reader.segments
    gone = np.zeros(SIZE, np.bool_)
    gone[0] = True
    later = IndexReader([segment.arrays.with_deleted(gone)], LUCENE, reader)
    assert later.segments[0].cache is segment.cache
    assert IndexReader([segment.arrays], LUCENE).segments[0].cache is not segment.cache


def test_occurrences_of_a_field_without_lengths_are_counted_beyond_a_byte() -> None:
    tag = FieldSpec("tag", FieldKind.COUNTS, scored=False)
    arrays = build_postings(tag, Tokens(Vocabulary.of([b"x"]), *(np.zeros(300, np.uint32) for _ in range(3))), 1)
    arrays[f"column/{KEY}"] = np.zeros(1, np.uint64)
    reader = IndexReader([segment_of("one", 1, {tag: 0}, arrays)], LUCENE)
    node = QueryPlanner(reader, Stop()).node(PatternQuery("tag", "*"))
    assert search(reader, node, 5, KEY, dict.fromkeys(reader.segments), Stop()) == [(0, 300.0)]


def test_cached_scores_are_those_of_the_frequencies_and_cannot_be_changed(reader: IndexReader) -> None:
    (segment,) = reader.segments
    for word in NAMES:
        weight, places = reader.term("body", word.encode())
        documents, counts = places[segment].postings
        expected = segment.scores("body", documents, counts, weight)
        for _ in range(2):
            assert segment.term_scores(places[segment], weight).tolist() == expected.tolist()
        at = np.arange(0, len(documents), 3)
        assert segment.term_scores(places[segment], weight, at).tolist() == expected[at].tolist()
        assert segment.term_scores(places[segment], 2 * weight) == pytest.approx(2 * expected, rel=1e-6)
    rare = TermQuery("body", "l")
    found = QueryPlanner(reader, Stop()).node(rare).matches(segment, Stop())
    with pytest.raises(ValueError, match="read-only"):
        found.scores[0] = 1
