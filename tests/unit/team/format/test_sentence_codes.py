"""Sentence vectors as fields of the server."""

import numpy as np
import pytest

from desktop_rag.team.format.document_cards import codes_of, cosine_of, mean_of, packed_codes, unit_rows


def test_packed_rows_come_back_as_unit_vectors_also_without_padding() -> None:
    rows = np.random.default_rng(1).standard_normal((5, 385)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    codes = codes_of(rows)
    for packed in (packed_codes(codes), packed_codes(codes).rstrip("=")):
        assert np.abs(unit_rows([packed]) - rows).max() < 0.002
    mean = rows.mean(axis=0)
    assert unit_rows([packed_codes(mean_of(codes))])[0] @ mean == pytest.approx(np.linalg.norm(mean), abs=1e-3)
    assert not unit_rows([packed_codes(np.zeros((1, 4), np.int8))]).any()


@pytest.mark.parametrize("largest", [1.0, 40.0])
def test_the_inner_product_of_codes_is_the_cosine_whatever_the_length(largest: float) -> None:
    rows = np.random.default_rng(2).standard_normal((40, 384)).astype(np.float32)
    rows[:, 0] *= largest  # some encoders have a component that outweighs the others
    query, others = rows[0], rows[1:]
    products = codes_of(others).astype(int) @ codes_of(query * 3).astype(int)
    cosines = others @ query / (np.linalg.norm(others, axis=1) * np.linalg.norm(query))
    scores = [1 + product if product >= 0 else 1 / (1 - product) for product in map(float, products)]
    found = np.array([cosine_of(score) for score in scores])
    if largest == 1.0:
        assert np.abs(found - cosines).max() < 0.01
    assert np.abs(found).max() < 1.01


def test_a_sentence_of_many_passages_has_other_codes_in_each_and_the_same_direction() -> None:
    row = np.random.default_rng(3).standard_normal((1, 384)).astype(np.float32)
    row /= np.linalg.norm(row)
    codes = np.concatenate([codes_of(row, chance) for chance in range(50)])
    assert len(np.unique(codes, axis=0)) == 50
    assert np.array_equal(codes_of(row, 7), codes[7:8])  # written again it is the same
    assert (unit_rows([packed_codes(codes)]) @ row[0]).min() > 0.999
    assert not codes_of(np.zeros((1, 384), np.float32), 1).any()
