"""How many passages are encoded again to be re-ranked: fewer where links decide."""

from collections.abc import Sequence

import pytest

from desktop_rag.retrieval.api import Mode
from desktop_rag.retrieval.ranking.hybrid_pool import DEPTH, NAMED_DEPTH
from desktop_rag.retrieval.retrievers.vector import EncodedQuery
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import Ask, SmallLibrary

FILES = {f"{n}.md": f"# Part {n}\n\nThe harbour has a pier of number {n}.\n" for n in range(30)}


@pytest.mark.parametrize(
    ("question", "mode", "count"),
    [
        ("Who built the harbour of Kiel?", Mode.BEST, NAMED_DEPTH),
        ("who built the harbour with a pier?", Mode.BEST, DEPTH),
        ("Who built the harbour of Kiel?", Mode.RERANKED, DEPTH),
    ],
)
def test_fewer_passages_are_encoded_for_questions_with_names(
    ask: Ask, library: SmallLibrary, monkeypatch: pytest.MonkeyPatch, question: str, mode: Mode, count: int
) -> None:
    encoded: list[str] = []
    similarities = EncodedQuery.similarities

    def counted(query: EncodedQuery, texts: Sequence[str], stop: Stop) -> list[float]:
        encoded.extend(texts)
        return similarities(query, texts, stop)

    monkeypatch.setattr(EncodedQuery, "similarities", counted)
    library.add(FILES, root="home")
    library.encode()
    ask(question, mode)
    assert len(encoded) == count
