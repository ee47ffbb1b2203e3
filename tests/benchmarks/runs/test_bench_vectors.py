"""The benchmark of vector files, on a few vectors."""

import argparse
from pathlib import Path

import numpy as np
import pytest

from benchmarks.encoding import vectors
from benchmarks.report import OURS
from desktop_rag.errors import BenchError

DIMENSIONS = 64


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    made = np.random.default_rng(1).standard_normal((700, DIMENSIONS)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    np.save(tmp_path / "one.npy", made[:400])
    np.save(tmp_path / "two.npy", made[400:])
    return tmp_path


def options(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    vectors.add_arguments(parser)
    return parser.parse_args(arguments)


def test_every_size_is_queried_and_compared(rows: Path) -> None:
    told: list[str] = []
    report = vectors.run(options("--vectors", str(rows), "--rows", "0.5k,1000", "--queries", "5"), told.append)
    recall = {(row.what, row.subject): row.median for row in report.rows if row.what.startswith("recall")}
    assert recall["recall@10, 500 rows", OURS] >= 0.97
    assert recall["recall@10, 1k rows", OURS] >= 0.97
    assert recall["recall@10, 1k rows", "numpy float32"] == 1.0
    assert "1k: 695 real rows, 305 shifted ones." in report.notes
    assert told


def test_rows_are_deterministic(rows: Path) -> None:
    given, _ = vectors._given(options("--vectors", str(rows), "--queries", "5"))
    few, many = np.concatenate(list(given.blocks(900))), np.concatenate(list(given.blocks(20_000)))
    assert np.array_equal(few, many[:900])
    assert np.linalg.norm(many, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_a_folder_without_vectors_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"no \.npy files"):
        vectors.run(options("--vectors", str(tmp_path)), lambda _: None)


def test_sizes_accept_k_and_m() -> None:
    assert options("--rows", "100k,1.5M,300").rows == (100_000, 1_500_000, 300)
    with pytest.raises(SystemExit):
        options("--rows", "many")
