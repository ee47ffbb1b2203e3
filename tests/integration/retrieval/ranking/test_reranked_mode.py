"""Mode `hybrid+rerank` over a real library."""

import pytest

from desktop_rag.retrieval.api import Mode
from desktop_rag.retrieval.ranking.hybrid_pool import DEPTH, KEPT
from desktop_rag.retrieval.ranking.reranking import rerank_score
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import Ask, SmallLibrary, names

FILES = {
    "bees.md": "# Bees\n\nThe colony swarms in May.\n\nThe hive is closed. Boards of notice stand a period.\n",
    "lease.md": "# The lease\n\nThe flat is let for a year. The notice period is three months. Keys are handed back.\n",
    "ferry.md": "# Ferry\n\nThe ferry leaves at nine. A period of rest is due. Notice the wind.\n",
}


def test_adjacent_words_rank_first(ask: Ask, library: SmallLibrary) -> None:
    library.add(FILES, root="trip")
    library.encode()
    assert names(ask("notice period", Mode.RERANKED))[0] == "lease.md"


def test_reranking_only_changes_the_order(ask: Ask, library: SmallLibrary) -> None:
    library.add(
        {f"{number}.md": f"# Boat {number}\n\nBoat {number} lies in the harbour.\n" for number in range(40)}, "trip"
    )
    library.encode()
    query = "which boat lies in the harbour"
    hybrid, reranked = (ask(query, mode, 40) for mode in (Mode.HYBRID, Mode.RERANKED))
    assert set(names(hybrid)) == set(names(reranked))
    scores = [hit.score for hit in reranked.hits]
    assert scores == sorted(scores, reverse=True)
    assert set(names(reranked)[:DEPTH]) == set(names(hybrid)[:DEPTH])
    assert names(reranked)[DEPTH:] == names(hybrid)[DEPTH:]


def test_without_vectors_words_alone_are_reranked(ask: Ask, library: SmallLibrary) -> None:
    library.add(FILES, root="trip")
    assert names(ask("notice period", Mode.RERANKED))[0] == "lease.md"


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("how long is the notice period of a flat that is let", KEPT),
        ("how long is the notice period of a flat in Oulu that is let", 0.0),
        ("how long is the notice period", 0.0),
    ],
)
def test_long_questions_about_a_subject_keep_most_of_the_fused_score(
    ask: Ask, library: SmallLibrary, engine: SearchEngine, query: str, kept: float
) -> None:
    library.add(FILES, root="trip")
    library.encode()
    fused = {hit.path.name: hit.score for hit in ask(query, Mode.HYBRID).hits}
    features = dict(engine.rerank_features(query, Stop()))
    scores = {hit.path.name: hit.score for hit in ask(query, Mode.RERANKED).hits}
    expected = {path.name: kept * fused[path.name] + (1 - kept) * rerank_score(each) for path, each in features.items()}
    assert scores == pytest.approx(expected)


def test_rerank_features_are_returned_for_training(library: SmallLibrary, engine: SearchEngine) -> None:
    library.add(FILES, root="trip")
    library.encode()
    found = dict(engine.rerank_features("notice period", Stop()))
    best = max(found, key=lambda path: found[path].adjacent)
    assert best.name == "lease.md"
    assert found[best].covered == 1
