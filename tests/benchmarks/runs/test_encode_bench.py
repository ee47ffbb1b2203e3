"""The encoding benchmark runs on the real encoder, with a stub that speaks the protocol of the peer process."""

import argparse
import os
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest

from benchmarks.encoding import encode, encode_peer, encode_quality, encode_threads
from benchmarks.encoding.encode_quality import Variant
from benchmarks.report import OURS, Report
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.datasets import Collection, CollectionPassage, CollectionQuestion
from desktop_rag.evaluation.retrieval.systems import VectorCache
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.paths import encoder_folder

# Stands in for sentence-transformers; all its vectors are equal.
STAND_IN = """
class SentenceTransformer:
    def __init__(self, name, device): self.max_seq_length = 0
    def encode(self, texts, **kwargs):
        import numpy
        return numpy.full((len(texts), 384), 384 ** -0.5, numpy.float32)
__version__ = "0"
def set_num_threads(count): pass
"""

PASSAGES = (
    CollectionPassage("cats", "Cats", "A cat sleeps most of the day. It hunts at night."),
    CollectionPassage("rent", "Lease", "Rent is due on the third. The deposit is paid back after six months."),
    CollectionPassage("rocket", "", "The rocket left the launch pad. It was never seen again."),
)
QUESTIONS = (CollectionQuestion("1", "When does a feline rest?"), CollectionQuestion("2", "When must the tenant pay?"))
COLLECTION = Collection("small", PASSAGES, QUESTIONS, {"1": {"cats": 1}, "2": {"rent": 1}}, multi_hop=False)


def options(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    encode.add_arguments(parser)
    return parser.parse_args(arguments)


def subjects(report: Report) -> set[str]:
    return {row.subject for row in report.rows}


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder.load(encoder_folder())


@pytest.mark.processes
def test_ours_and_the_peer_alternate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("sentence_transformers", "torch"):
        (tmp_path / f"{module}.py").write_text(STAND_IN, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), sysconfig.get_path("purelib")]))
    python = tmp_path / "python"  # another name than ours, or the packages would be looked up in this process
    python.symlink_to(sys.executable)
    report = encode.run(
        options("--passages", "2", "--sentences", "20", "--rounds", "2", "--peer-python", str(python)), lambda _: None
    )
    speeds = [row for row in report.rows if row.what == "sentences per CPU second"]
    assert [len(row.values) for row in speeds] == [2] * len(speeds)
    assert {row.subject for row in speeds} >= {OURS, encode.TORCH}
    assert any("sentence-transformers 0, torch 0" in note for note in report.notes)
    farthest = next(row for row in report.rows if row.what.startswith("largest distance"))
    assert farthest.median > 1000  # the stub's vectors carry no meaning


def test_without_the_peer_a_note_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encode, "absent", lambda *_: "sentence-transformers is left out.")
    report = encode.run(options("--passages", "2", "--sentences", "10", "--rounds", "1"), lambda _: None)
    assert encode.TORCH not in subjects(report)
    assert any("--peer-python" in note for note in report.notes)
    assert any(row.what.startswith("one query") and row.goal == encode.SLOWEST_QUERY for row in report.rows)


def test_threads_are_compared_by_the_busiest() -> None:
    metered = encode_threads.MeteredEncoder.load(encoder_folder())
    sentences = [f"The tenant of flat {number} pays the rent on the third of each month." for number in range(40)]
    ours, one = encode_threads.measured(metered, sentences, threads=2, rounds=1)
    assert ours.subject == OURS
    assert one.goal == pytest.approx(1.7)
    assert ours.median > 0 < one.median
    assert max(metered.seconds.values()) == one.median  # of the last run, which had one thread


@pytest.mark.processes
def test_a_crashed_peer_is_named(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    python.chmod(0o755)
    with pytest.raises(BenchError, match="ended with code 3"):
        encode.run(options("--passages", "2", "--sentences", "5", "--peer-python", str(python)), lambda _: None)


def test_quality_is_compared_with_float32(encoder: Encoder, tmp_path: Path) -> None:
    for module in ("bm25s", "Stemmer", "ir_measures"):
        pytest.importorskip(module)
    variants = (
        Variant("exact", encoder, encoder, as_codes=False),
        Variant("kept as codes", encoder, encoder, as_codes=True),
    )
    cache = VectorCache(tmp_path / "cache")
    rows, notes = encode_quality.compare([COLLECTION], variants, cache, lambda _: None)
    found = {(row.what, row.subject): row.median for row in rows}
    assert found["small, hybrid, nDCG@10", OURS] == 1.0
    assert [row.goal for row in rows if row.goal is not None] == [pytest.approx(1.0 - encode_quality.MOST_LOST)]
    assert "small, hybrid, nDCG@10: kept as codes − exact = +0.000 (+0.000 to +0.000)" in notes


def test_vectors_are_cached(encoder: Encoder, tmp_path: Path) -> None:
    said: list[str] = []
    texts = ["one", "two"]
    first = VectorCache(tmp_path / "new").encode(encoder, texts, said.append, "texts")
    again = VectorCache(tmp_path / "new").encode(encoder, texts, said.append, "texts")
    assert (first == again).all()
    assert said == ["Encoding texts: 0 of 2"]
    assert (VectorCache(None).encode(encoder, ["two", "one"], said.append, "texts")[::-1] == first).all()


def test_codes_lose_less_than_a_step() -> None:
    vectors = np.random.default_rng(1).normal(size=(5, 384)).astype(np.float32)
    steps = np.abs(vectors).max(axis=1, keepdims=True) / 127
    kept = encode_quality.as_kept(vectors)
    assert (np.abs(kept - vectors) <= steps / 2 + 1e-6).all()


def test_the_peer_takes_packaged_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert encode_peer.model_name() == encode_peer.PUBLISHED
    package = tmp_path / encode_peer.PACKAGED
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    assert encode_peer.model_name() == str(package / "model")
