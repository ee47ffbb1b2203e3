"""The sign bits and the catalog's vectors lead to the nearest sentences, and a search can be stopped."""

import random
from contextlib import closing
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from desktop_rag.errors import Stopped
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.records import ChunkId
from desktop_rag.index.vectors import vector_reader as searching
from desktop_rag.index.vectors.vector_reader import VectorReader
from desktop_rag.index.vectors.vector_writer import VectorWriter
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop
from tests.integration.index.vectors.files import stored
from tests.integration.index.vectors.rows import Floats, random_vectors, rows_of

WIDE = 384
COUNT = 3_000


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> tuple[VectorReader, Floats]:
    """A reader of some chunks in several shards, and their vectors: some hundred families of similar sentences."""
    families = random_vectors(300, seed=1, dimensions=WIDE)
    vectors = families[np.arange(COUNT) % 300] + 0.7 * random_vectors(COUNT, seed=2, dimensions=WIDE)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return reader_of(vectors, tmp_path_factory.mktemp("many")), vectors


def reader_of(vectors: Floats, folder: Path) -> VectorReader:
    """Write the vectors in chunks of six."""
    chunks = {1 + first // 6: vectors[first : first + 6] for first in range(0, len(vectors), 6)}
    with closing(VectorWriter.open(folder, "encoder", WIDE, "lineage", capacity=512)) as writer:
        writer.append([(ChunkId(chunk), rows_of(some)) for chunk, some in chunks.items()])
        writer.publish(1)
    return VectorReader.open(folder, stored(chunks))


def exact(vectors: Floats, query: Floats, limit: int, chunks: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return (chunk, ordinal) of the best sentences of the best chunks."""
    scores = np.where(np.repeat(chunks, 6), vectors @ query, -2).reshape(-1, 6)
    best = np.argsort(-scores.max(axis=1), kind="stable")[: min(limit, chunks.sum())]
    return [(int(chunk) + 1, int(scores[chunk].argmax())) for chunk in best]


@pytest.fixture
def by_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "CANDIDATES", 400)
    monkeypatch.setattr(searching, "SPARE", 100)


@pytest.mark.parametrize("share", [1.0, 0.5, 0.02])
@pytest.mark.usefixtures("by_signs")
def test_sign_bits_lead_to_the_nearest_sentences(many: tuple[VectorReader, Floats], share: float) -> None:
    reader, vectors = many
    chunks = np.random.default_rng(5).random(COUNT // 6) < share
    allowed = None if share == 1 else frozenset(map(ChunkId, (np.flatnonzero(chunks) + 1).tolist()))
    found = wanted = 0
    for number in range(40):
        query = vectors[number * 7] + 0.2 * random_vectors(1, seed=number, dimensions=WIDE)[0]
        hits = [hit[:2] for hit in reader.search(query, 10, allowed)]
        expected = exact(vectors, query, 10, chunks)
        assert len(hits) == len(expected)
        assert allowed is None or {chunk for chunk, _ in hits} <= allowed
        found += len(set(hits).intersection(expected))
        wanted += len(expected)
    assert found / wanted > 0.97


@pytest.mark.usefixtures("by_signs")
def test_as_many_chunks_as_were_asked_for_are_found(many: tuple[VectorReader, Floats]) -> None:
    reader, vectors = many
    assert len(reader.search(vectors[0], 60)) == 60
    assert len(reader.search(vectors[0], 10_000)) == COUNT // 6


def test_few_chunks_are_all_compared_by_their_vectors(many: tuple[VectorReader, Floats]) -> None:
    reader, vectors = many
    some = np.arange(COUNT // 6) < 200
    allowed = frozenset(map(ChunkId, range(1, 201)))
    for number in range(20):
        hits = reader.search(vectors[number], 5, allowed)
        assert hits[0][:2] == (number // 6 + 1, number % 6)
        assert hits[0][2] == pytest.approx(1.0, abs=1e-3)
        assert len({hit[:2] for hit in hits} & set(exact(vectors, vectors[number], 5, some))) >= 4


@pytest.mark.parametrize("spare", [10, 10_000])
def test_a_stopped_search_ends(many: tuple[VectorReader, Floats], spare: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "SPARE", spare)
    stop = Stop()
    stop.set()
    reader, vectors = many
    with pytest.raises(Stopped):
        reader.search(vectors[0], 1, stop=stop)


THINGS = ("rent", "lease", "deposit", "boat", "mast", "keel", "cat", "owl", "budget", "meeting", "garden", "recipe",
          "bridge", "violin", "vaccine", "volcano", "harbour", "invoice", "printer", "glacier")  # fmt: skip
WAYS = ("The {} is due in March.", "Nobody wrote about the {}.", "How much is the {}?", "A {} was found in {}.",
        "Please bring the {} to the office.", "Minutes: the {} was discussed at length.",
        "In {} we sold a {}.", "Our {} came from {}, where it was repaired.", "{} has no {} any more.")  # fmt: skip
PLACES = ("Oslo", "Lima", "Kyoto", "Cairo", "Quebec", "Hobart", "Turin", "Dakar", "Leeds", "Perth", "Ghent", "Basel")


def test_the_nearest_of_real_sentences_are_found_by_their_signs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recall at 10, when twenty of 300 chunks are compared, against all rows as floats."""
    sentences = sorted({way.format(*pair) for way in WAYS for a in THINGS for b in PLACES for pair in ((a, b), (b, a))})
    sentences = random.Random(1).sample(sentences, 1_800)
    encoder = Encoder.load(encoder_folder(), threads=1)
    vectors = encoder.encode(sentences)
    queries = encoder.encode([f"what about the {thing} in {place}" for thing in THINGS for place in PLACES[:4]])
    monkeypatch.setattr(searching, "CANDIDATES", 300)
    monkeypatch.setattr(searching, "_PER_CHUNK", 1)
    monkeypatch.setattr(searching, "_MOST_SPARE", 10)
    reader, found = reader_of(vectors, tmp_path), 0
    for query in queries:
        best = np.sort((vectors @ query).reshape(-1, 6).max(axis=1))[::-1]
        found += sum(score >= best[9] - 0.005 for _, _, score in reader.search(query, 10))
    assert found / (10 * len(queries)) >= 0.97
