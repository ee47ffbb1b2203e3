"""Sentence vectors as fields of the server."""

import numpy as np
import pytest

from desktop_rag.team.sentence_codes import codes_of, mean_of, packed_codes, unit_rows


def test_packed_rows_come_back_as_unit_vectors_also_without_padding() -> None:
    rows = np.random.default_rng(1).standard_normal((5, 385)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    codes = np.stack([codes_of(row) for row in rows])
    for packed in (packed_codes(codes), packed_codes(codes).rstrip("=")):
        assert np.abs(unit_rows(packed) - rows).max() < 0.002
    mean = rows.mean(axis=0)
    assert unit_rows(packed_codes(mean_of(codes)))[0] @ mean == pytest.approx(np.linalg.norm(mean), abs=1e-3)
    assert not unit_rows(packed_codes(np.zeros((1, 4), np.int8))).any()
