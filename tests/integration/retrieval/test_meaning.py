from pathlib import Path

import pytest

from desktop_rag.errors import Stopped
from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.engine import Engine
from desktop_rag.retrieval.hits import Mode, Scope, SearchRequest
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import CATS, Ask, SmallLibrary, names


@pytest.mark.parametrize("mode", [Mode.SEMANTIC, Mode.HYBRID])
def test_other_words_for_the_same_thing_are_found(ask: Ask, library: SmallLibrary, mode: Mode) -> None:
    library.encode()
    result = ask("How long does a feline rest?", mode)
    assert names(result)[0] == "cats.md"
    assert result.coverage == 1.0
    assert "sleeps up to sixteen hours" in result.hits[0].snippet.text


def test_a_hit_by_meaning_says_so(ask: Ask, library: SmallLibrary) -> None:
    library.encode()
    hit = ask("How long does a feline rest?", Mode.SEMANTIC).hits[0]
    assert hit.why.semantic_rank == 1
    assert 0 < hit.score <= 1.0
    span = hit.snippet.span
    assert hit.snippet.text.strip("…") == CATS[span.start : span.end].replace("\n", " ")


def test_hybrid_joins_both_orders(ask: Ask, library: SmallLibrary) -> None:
    library.encode()
    hits = ask("deposit paid back", Mode.HYBRID).hits
    assert (hits[0].why.keyword_rank, hits[0].why.semantic_rank) == (1, 1)
    assert hits[0].score == pytest.approx(2 / 61)
    assert {hit.path.name for hit in hits} == {"lease.md", "minutes.txt", "cats.md", "rent.py"}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@pytest.mark.parametrize("mode", [Mode.SEMANTIC, Mode.HYBRID])
def test_before_anything_is_encoded_words_lead_to_meaning(ask: Ask, mode: Mode) -> None:
    result = ask("kitten feeding times", mode)
    assert result.coverage == 0.0
    assert result.note == ""
    assert result.hits[0].path.name == "cats.md"
    assert result.hits[0].why.semantic_rank == 1
    assert "Feed your kitten" in result.hits[0].snippet.text


def test_vectors_made_on_demand_are_handed_over_once(library: SmallLibrary) -> None:
    kept: list[tuple[ChunkId, str, bytes]] = []
    engine = Engine(library.layout.folder, keep=lambda chunk, encoder, data: kept.append((chunk, encoder, data)))
    request = SearchRequest("kitten", Mode.HYBRID)
    engine.search(request, Stop())
    assert kept
    count = len(kept)
    library.ledger.store_vectors(kept[0][1], [(chunk, data) for chunk, _, data in kept])
    assert library.catalog.unencoded([chunk for chunk, _, _ in kept]) == frozenset()
    assert len(kept[0][2]) == 4 * 384 * len(library.catalog.chunks([kept[0][0]])[kept[0][0]].sentences)
    engine.search(request, Stop())
    assert len(kept) == count
    assert 0 < engine.search(request, Stop()).coverage < 1
    engine.close()


def test_what_a_query_forbids_is_not_found_by_meaning_either(ask: Ask, library: SmallLibrary) -> None:
    library.encode()
    assert "lease.md" in names(ask("raising the rent", Mode.HYBRID))
    assert "lease.md" not in names(ask("raising the rent -tenant -deposit", Mode.HYBRID))
    assert names(ask("+kitten sleep", Mode.SEMANTIC)) == ["cats.md"]


def test_conditions_and_scope_hold_for_meaning(ask: Ask, library: SmallLibrary) -> None:
    library.encode()
    assert names(ask("feline rest ext:py", Mode.SEMANTIC)) == ["rent.py"]
    only = library.content("papers/lease.md")
    assert names(ask("feline rest", Mode.HYBRID, scope=Scope(contents=(only,)))) == ["lease.md"]


def test_without_an_encoder_words_answer_and_a_note_says_why(library: SmallLibrary, tmp_path: Path) -> None:
    library.encode()
    engine = Engine(library.layout.folder, tmp_path / "nowhere")
    for mode in (Mode.SEMANTIC, Mode.HYBRID):
        result = engine.search(SearchRequest("deposit", mode), Stop())
        assert result.hits[0].path.name == "lease.md"
        assert result.hits[0].why.keyword_rank == 1
        assert result.coverage == 0.0
        assert "encoder" in result.note
    engine.close()


def test_new_vectors_and_removed_folders_are_seen_at_once(ask: Ask, library: SmallLibrary) -> None:
    library.encode()
    assert "owl.md" not in names(ask("nocturnal bird", Mode.SEMANTIC))
    folder = library.add({"owl.md": "The owl is a bird that hunts at night."}, root="birds")
    library.encode()
    assert names(ask("nocturnal bird", Mode.SEMANTIC))[0] == "owl.md"
    library.catalog.remove_folder(folder)
    assert "owl.md" not in names(ask("nocturnal bird", Mode.SEMANTIC))


def test_a_stopped_search_ends(library: SmallLibrary, engine: Engine) -> None:
    stop = Stop()
    stop.set()
    for mode in Mode:
        with pytest.raises(Stopped):
            engine.search(SearchRequest("rent", mode), stop)
