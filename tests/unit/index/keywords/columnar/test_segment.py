"""The arrays of a segment match its documents."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.index.keywords.columnar.segments.segment import Field, FieldKind, FieldSpec, Segment
from desktop_rag.index.keywords.columnar.segments.vocabulary import Vocabulary
from tests.unit.index.keywords.columnar.small_segments import build

TEXT = FieldSpec("text", FieldKind.POSITIONS, scored=True)
STEM = FieldSpec("stem", FieldKind.COUNTS, scored=True, groups="text")
ID = FieldSpec("id", FieldKind.PRESENCE, scored=False)

words = st.text("abäß\0", min_size=1, max_size=4)
texts = st.lists(st.lists(words, max_size=12), max_size=9)


def first_letter(term: bytes) -> bytes:
    return term.decode()[:1].encode()


def segment(documents: list[list[str]]) -> Segment:
    return build(
        "one",
        (TEXT, STEM, ID),
        [{"text": text, "id": [f"n{number}"]} for number, text in enumerate(documents)],
        {"chunk": range(10, 10 + len(documents))},
        first_letter,
    )


def held(field: Field) -> dict[bytes, list[tuple[int, int]]]:
    return {
        term: [(int(document), int(count)) for document, count in zip(*field.postings(number), strict=True)]
        for number, term in enumerate(field.vocabulary)
    }


@given(texts)
def test_postings_count_every_term_of_every_document(documents: list[list[str]]) -> None:
    wanted = defaultdict(list)
    for number, text in enumerate(documents):
        for term, count in Counter(text).items():
            wanted[term.encode()].append((number, count))
    field = segment(documents).fields["text"]
    assert held(field) == wanted
    assert list(field.vocabulary) == sorted(wanted)
    frequencies = field.document_frequencies(0, len(field.vocabulary))
    assert frequencies.tolist() == [len(wanted[term]) for term in sorted(wanted)]
    assert field.lengths.tolist() == list(map(len, documents))
    assert field.total_length == sum(map(len, documents))


@given(texts)
def test_positions_are_ordered_as_the_postings(documents: list[list[str]]) -> None:
    field = segment(documents).fields["text"]
    for number, term in enumerate(field.vocabulary):
        wanted = [[place for place, word in enumerate(text) if word.encode() == term] for text in documents]
        postings = field.postings(number)
        cuts = np.cumsum(postings.counts, dtype=np.int64)[:-1]
        found = [part.tolist() for part in np.split(field.positions(number), cuts)]
        assert found == [wanted[document] for document in postings.documents.tolist()]


@given(texts)
def test_a_group_is_the_union_of_its_terms(documents: list[list[str]]) -> None:
    wanted = defaultdict(list)
    for number, text in enumerate(documents):
        for letter, count in Counter(word[:1] for word in text).items():
            wanted[letter.encode()].append((number, count))
    field = segment(documents).fields["stem"]
    assert held(field) == wanted
    frequencies = field.document_frequencies(0, len(field.vocabulary))
    assert frequencies.tolist() == [len(wanted[term]) for term in field.vocabulary]
    assert field.lengths.tolist() == list(map(len, documents))


@given(texts)
def test_a_run_is_the_postings_of_neighbouring_terms(documents: list[list[str]]) -> None:
    for field in segment(documents).fields.values():
        terms = range(1, len(field.vocabulary))
        documents_of, counts = field.run(1, len(field.vocabulary)) if terms else field.run(0, 0)
        parts = [field.postings(term) for term in terms]
        assert documents_of.tolist() == [document for part in parts for document in part.documents.tolist()]
        assert counts.tolist() == [count for part in parts for count in part.counts.tolist()]


@given(st.sets(st.binary(max_size=3)), st.binary(max_size=3))
def test_a_vocabulary_finds_terms_and_prefixes(terms: set[bytes], wanted: bytes) -> None:
    ordered = sorted(terms)
    vocabulary = Vocabulary.of(ordered)
    assert list(vocabulary) == [*vocabulary[:]] == ordered
    assert vocabulary.find(wanted) == (ordered.index(wanted) if wanted in terms else -1)
    first, last = vocabulary.prefixed(wanted)
    assert ordered[first:last] == [term for term in ordered if term.startswith(wanted)]


def test_columns_and_deletions_belong_to_the_segment() -> None:
    one = segment([["a"], ["b"], ["a"]])
    assert one.columns["chunk"].tolist() == [10, 11, 12]
    assert (one.size, one.live) == (3, 3)
    fewer = one.with_deleted(np.array([False, True, False]))
    assert (fewer.size, fewer.live) == (3, 2)


def test_a_field_without_positions_raises() -> None:
    fields = segment([["a"]]).fields
    for name in ("stem", "id"):
        with pytest.raises(ValueError, match="no positions"):
            fields[name].positions(0)
