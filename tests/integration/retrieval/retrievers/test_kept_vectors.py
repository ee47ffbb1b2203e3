"""Titles and the windows of re-ranking are encoded once, not for each query."""

from collections.abc import Sequence

import numpy as np
import pytest

from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import Mode
from desktop_rag.retrieval.retrievers.on_demand_encoding import Floats
from desktop_rag.retrieval.retrievers.vector import TextVectors
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import Ask, SmallLibrary


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of passages that are encoded from now on."""
    texts: list[str] = []
    encode = Encoder.encode

    def counted(encoder: Encoder, some: Sequence[str], stop: Stop | None = None, threads: int | None = None) -> Floats:
        texts.extend(some)
        return encode(encoder, some, stop, threads)

    monkeypatch.setattr(Encoder, "encode", counted)
    return texts


def test_only_unknown_texts_are_encoded_and_the_oldest_forgotten(encoded: list[str]) -> None:
    encoder = Encoder.load(encoder_folder())
    vectors = TextVectors(2)
    first = vectors.of(("rent", "cat"), encoder, Stop())
    again = vectors.of(("cat", "deposit"), encoder, Stop())
    assert encoded == ["rent", "cat", "deposit"]
    assert np.array_equal(first["cat"], again["cat"])
    assert np.allclose(vectors.of(("rent",), encoder, Stop())["rent"], first["rent"])
    assert encoded[3:] == ["rent"]


def test_another_question_encodes_no_known_window(library: SmallLibrary, ask: Ask, encoded: list[str]) -> None:
    library.encode()
    encoded.clear()
    asked = ask("how long does a cat sleep", Mode.RERANKED).hits
    windows = len(encoded)
    assert windows >= len(asked)
    assert ask("how many hours does a cat sleep", Mode.RERANKED).hits
    assert len(encoded) - windows < windows / 2
    known = len(encoded)
    repeated = ask("how long does a cat sleep", Mode.RERANKED).hits
    assert len(encoded) == known
    assert [(hit.chunk, hit.score) for hit in repeated] == [(hit.chunk, hit.score) for hit in asked]
