"""Phrases and near words are found as by reading the texts, however positions are numbered and cached."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from desktop_rag.index.keywords.columnar.execution.query_planner import QueryPlanner
from desktop_rag.index.keywords.columnar.execution.scoring import LUCENE
from desktop_rag.index.keywords.columnar.execution.segment_readers import IndexReader, LruCache
from desktop_rag.index.keywords.columnar.segments.segment import FieldKind, FieldSpec, segment_of
from desktop_rag.index.keywords.columnar.segments.segment_building import Tokens, build_postings
from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary
from desktop_rag.index.keywords.keyword_query import AdjacentQuery, KeywordQuery, NearQuery
from desktop_rag.stop import Stop
from tests.unit.index.keywords.columnar.oracle import KEY

BODY = FieldSpec("body", FieldKind.POSITIONS, scored=True)
Texts = list[dict[int, str]]  # the word at each position
QUERIES = 60


def index(texts: Texts, *, wide: bool = False) -> IndexReader:
    """Return an index of texts; `wide` stores more bytes for each position than they need."""
    words = [(word, number, at) for number, text in enumerate(texts) for at, word in sorted(text.items())]
    names = sorted({word for word, _, _ in words})
    tokens = [
        np.array(column, np.uint32) for column in zip(*((names.index(w), n, at) for w, n, at in words), strict=True)
    ]
    arrays = build_postings(BODY, Tokens(Vocabulary.of([name.encode() for name in names]), *tokens), len(texts))
    arrays[f"column/{KEY}"] = np.arange(len(texts), dtype=np.uint64)
    if wide:
        arrays["body/positions"] = arrays["body/positions"].astype(np.uint32)
    return IndexReader([segment_of("one", len(texts), {BODY: len(words)}, arrays)], LUCENE)


def matching(reader: IndexReader, query: KeywordQuery) -> list[int]:
    found = QueryPlanner(reader, Stop()).node(query).matches(reader.segments[0], Stop())
    numbers: list[int] = found.documents.tolist()
    return numbers


def is_phrase(text: dict[int, str], words: Sequence[str]) -> bool:
    return any(all(text.get(at + step) == word for step, word in enumerate(words)) for at in text)


def is_near(text: dict[int, str], words: Sequence[str], slop: int) -> bool:
    width = len(words) + slop
    needed = Counter(words)
    runs = ([text.get(at + step) for step in range(width)] for at in range(-width, max(text, default=0) + 1))
    return any(all(run.count(word) >= count for word, count in needed.items()) for run in runs)


@pytest.fixture(params=["narrow", "wide", "too many to cache"])
def reader(request: pytest.FixtureRequest, texts: Texts) -> IndexReader:
    found = index(texts, wide=request.param == "wide")
    if request.param == "too many to cache":
        found.segments[0].cache.keys = LruCache(0)
    return found


@pytest.fixture(scope="module")
def texts() -> Texts:
    """Return texts of some letters, with gaps at some positions."""
    chance = np.random.default_rng(3)
    lengths = chance.integers(0, 30, 120).tolist()
    return [
        {at: "abcdef"[min(5, letter)] for at, letter in enumerate(chance.geometric(0.4, length) - 1) if letter != 2}
        for length in lengths
    ]


@pytest.fixture(scope="module")
def answers(texts: Texts) -> list[tuple[KeywordQuery, list[int]]]:
    """Return queries with the numbers of the texts that match."""
    chance = np.random.default_rng(5)
    found: list[tuple[KeywordQuery, list[int]]] = []
    for _ in range(QUERIES):
        words = tuple("abdef"[letter] for letter in chance.integers(0, 5, chance.integers(2, 5)))
        slop = int(chance.integers(0, 5))
        phrases = [number for number, text in enumerate(texts) if is_phrase(text, words)]
        near = [number for number, text in enumerate(texts) if is_near(text, words, slop)]
        found += [(AdjacentQuery("body", words), phrases), (NearQuery("body", words, slop), near)]
    return found


def test_words_side_by_side_or_near_are_found_as_by_reading(
    reader: IndexReader, answers: list[tuple[KeywordQuery, list[int]]]
) -> None:
    assert [matching(reader, query) for query, _ in answers] == [numbers for _, numbers in answers]


def test_of_given_documents_the_same_ones_match(reader: IndexReader, texts: Texts) -> None:
    chance = np.random.default_rng(6)
    (segment,) = reader.segments
    for _ in range(QUERIES):
        words = tuple("abdef"[letter] for letter in chance.integers(0, 5, chance.integers(2, 4)))
        node = QueryPlanner(reader, Stop()).node(AdjacentQuery("body", words))
        documents = np.flatnonzero(chance.random(len(texts)) < 0.3).astype(np.uint32)
        every, probed = node.matches(segment, Stop()), node.probe(segment, documents, Stop())
        expected = np.isin(every.documents, documents)
        assert documents[probed.kept].tolist() == every.documents[expected].tolist()
        assert probed.scores.tolist() == every.scores[expected].tolist()


@pytest.mark.parametrize("query", [AdjacentQuery("body", ("a", "b")), NearQuery("body", ("a", "b"), 3)], ids=str)
def test_no_phrase_goes_from_one_document_to_the_next(query: KeywordQuery) -> None:
    last = (1 << 16) - 1
    reader = index([{last: "a"}, {0: "b"}, {last - 1: "a", last: "b"}, {0: "a", 1: "b"}])
    assert matching(reader, query) == [2, 3]


def test_the_keys_of_words_are_kept() -> None:
    reader = index([dict.fromkeys(range(0, 1200, 2), "a") | dict.fromkeys(range(1, 1200, 2), "b")])
    assert matching(reader, AdjacentQuery("body", ("a", "b"))) == [0]
    kept = [reader.segments[0].cache.keys.find(("body", number)) for number in (0, 1)]
    assert [[] if keys is None else keys[:2].tolist() for keys in kept] == [[0, 2], [1, 3]]
