"""Brute-force and sign-bit search find the same sentences, and both can be stopped."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from desktop_rag.errors import Stopped
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.records import ChunkId
from desktop_rag.index.vectors import vector_reader as searching
from desktop_rag.index.vectors.vector_codes import pack_rows
from desktop_rag.index.vectors.vector_reader import VectorReader
from desktop_rag.index.vectors.vector_writer import VectorWriter
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop
from tests.integration.index.vectors.rows import Floats, random_vectors, rows_of

WIDE = 384
COUNT = 3_000


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> tuple[VectorReader, Floats]:
    """A reader of some chunks in several shards, and their vectors: some hundred families of similar sentences."""
    folder = tmp_path_factory.mktemp("many")
    families = random_vectors(300, seed=1, dimensions=WIDE)
    vectors = families[np.arange(COUNT) % 300] + 0.7 * random_vectors(COUNT, seed=2, dimensions=WIDE)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    writer = VectorWriter.open(folder, "encoder", WIDE, "lineage", capacity=512)
    writer.append([(ChunkId(1 + first // 6), rows_of(vectors[first : first + 6])) for first in range(0, COUNT, 6)])
    writer.publish(1)
    writer.close()
    return VectorReader.open(folder), vectors


def exact(vectors: Floats, query: Floats, limit: int, chunks: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return (chunk, ordinal) of the best sentences of the best chunks."""
    scores = np.where(np.repeat(chunks, 6), vectors @ query, -2).reshape(-1, 6)
    best = np.argsort(-scores.max(axis=1), kind="stable")[: min(limit, chunks.sum())]
    return [(int(chunk) + 1, int(scores[chunk].argmax())) for chunk in best]


@pytest.fixture
def by_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "EXACT_ROWS", 100)
    monkeypatch.setattr(searching, "CANDIDATES", 400)


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


def test_few_sentences_are_searched_by_brute_force(many: tuple[VectorReader, Floats]) -> None:
    reader, vectors = many
    everything = np.ones(COUNT // 6, np.bool_)
    for number in range(20):
        hits = reader.search(vectors[number], 5)
        assert hits[0][:2] == (number // 6 + 1, number % 6)
        assert hits[0][2] == pytest.approx(1.0, abs=1e-3)
        assert len({hit[:2] for hit in hits} & set(exact(vectors, vectors[number], 5, everything))) >= 4


@pytest.mark.parametrize("exact_rows", [100, 10_000])
def test_a_stopped_search_ends(
    many: tuple[VectorReader, Floats], exact_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "EXACT_ROWS", exact_rows)
    monkeypatch.setattr(searching, "CANDIDATES", 10)
    stop = Stop()
    stop.set()
    reader, vectors = many
    with pytest.raises(Stopped):
        reader.search(vectors[0], 1, stop=stop)


def test_quantised_search_equals_float_search_on_real_sentences(tmp_path: Path) -> None:
    """Recall at 5 over sentences about a few dozen things in a few dozen ways, ties within 0.001 counting as found."""
    things = ("rent", "lease", "deposit", "boat", "mast", "keel", "cat", "owl", "budget", "meeting", "garden", "recipe")
    ways = ("The {} is due in March.", "Nobody wrote about the {}.", "How much is the {}?", "A {} was found.",
            "Please bring the {} to the office.", "Minutes: the {} was discussed at length.")  # fmt: skip
    sentences = [way.format(thing) for thing in things for way in ways]
    encoder = Encoder.load(encoder_folder(), threads=1)
    vectors = encoder.encode(sentences)
    queries = encoder.encode([f"what about the {thing}" for thing in things])
    writer = VectorWriter.open(tmp_path, "encoder", encoder.dimensions, "lineage")
    rows = pack_rows([bytes([number]) * 16 for number in range(len(sentences))], vectors).values()
    writer.append([(ChunkId(number), row) for number, row in enumerate(rows, start=1)])
    writer.publish(1)
    writer.close()
    reader = VectorReader.open(tmp_path)
    found = 0
    for query in queries:
        scores = vectors @ query
        least = np.sort(scores)[-5]
        found += sum(scores[chunk - 1] >= least - 0.001 for chunk, _, _ in reader.search(query, 5))
    assert found / (5 * len(queries)) >= 0.97
