"""Quantised vectors: close to the originals, deterministic, and tied to their texts."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from desktop_rag.documents.document import Span
from desktop_rag.index.catalog.sentence_vectors import (
    row_bytes,
    rows_in,
    sentence_hash,
    sentence_hashes,
    sentence_texts,
)
from desktop_rag.index.records import Chunk, ChunkId, ContentId
from desktop_rag.index.vectors.vector_codes import (
    Floats,
    belong_to,
    dequantise,
    pack_rows,
    quantise,
    row_type,
    unpack_rows,
)

NUMBERS = st.floats(-10, 10, width=32, allow_subnormal=False)


@given(arrays.arrays(np.float32, st.tuples(st.integers(0, 5), st.just(24)), elements=NUMBERS))
def test_a_quantised_vector_has_length_one_and_nearly_its_direction(vectors: Floats) -> None:
    again = dequantise(*quantise(vectors))
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
    for vector, length, kept in zip(vectors, lengths, again, strict=True):
        if length < 1e-6:
            continue
        assert abs(np.linalg.norm(kept) - 1) < 1e-5
        assert kept @ vector / length > 0.999


def test_a_vector_of_length_zero_stays_zero() -> None:
    scales, codes = quantise(np.zeros((2, 24), np.float32))
    assert not scales.any()
    assert not codes.any()


def test_packed_rows_unpack_to_the_same_vectors() -> None:
    vectors = np.eye(3, 24, dtype=np.float32) - 0.5
    rows = pack_rows([bytes([number]) * 16 for number in range(3)], vectors)
    data = b"".join(rows.values())
    assert row_bytes(24) == row_type(24).itemsize == len(data) // 3
    assert list(rows_in(data + b"half a row", 24)) == list(rows.values())
    assert np.array_equal(unpack_rows(data, 24), dequantise(*quantise(vectors)))


def test_wrapping_makes_no_other_sentence() -> None:
    assert sentence_hash("The rent\n   is due.") == sentence_hash(" The rent is due. ")
    assert sentence_hash("The rent is due.") != sentence_hash("the rent is due.")
    assert sentence_hash("broken \ud800 character")


def test_rows_of_other_sentences_or_with_a_wrong_scale_are_rejected() -> None:
    text = "One.\nTwo.\nOne."
    chunk = Chunk(ChunkId(1), ContentId(1), 0, Span(1, 3, 100, 114), "", text, ((100, 104), (105, 109), (110, 114)))
    assert sentence_texts(chunk) == ["One.", "Two.", "One."]
    first, second, _ = sentence_hashes(chunk)
    rows = pack_rows([first, second], np.eye(2, 24, dtype=np.float32))
    one, two = rows[first], rows[second]
    assert belong_to(chunk, one + two + one, 24)
    assert belong_to(chunk, two, 24)
    assert not belong_to(chunk, two + two, 24)
    assert not belong_to(chunk, two[:-1], 24)
    assert not belong_to(chunk, one[:16] + b"\0\0\x80\x7f" + one[20:], 24)
