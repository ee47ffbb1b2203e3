import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.errors import EncoderError, Stopped
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.records import ChunkId
from desktop_rag.index.vectors.vector_reader import VectorReader
from desktop_rag.index.vectors.vector_sync import VectorSync
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import Mode, Scope, SearchRequest
from desktop_rag.retrieval.retrievers import on_demand_encoding, vector
from desktop_rag.retrieval.retrievers.vector import VectorRetriever
from desktop_rag.retrieval.service import search_engine
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.retrieval.conftest import CATS, Ask, SmallLibrary, names


@pytest.fixture(autouse=True)
def _time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Encode on demand as many sentences as may be, and count what is encoded each time: also on a busy machine."""
    monkeypatch.setattr(on_demand_encoding, "BUDGET_SECONDS", 60)
    monkeypatch.setattr(search_engine, "_COUNT_FACTOR", 0)


@pytest.mark.parametrize("mode", [Mode.SEMANTIC, Mode.HYBRID])
def test_synonyms_are_found_by_meaning(ask: Ask, library: SmallLibrary, mode: Mode) -> None:
    library.encode()
    result = ask("How long does a feline rest?", mode)
    assert names(result)[0] == "cats.md"
    assert result.coverage == 1.0
    assert "sleeps up to sixteen hours" in result.hits[0].snippet.text


def test_a_semantic_hit_has_its_semantic_rank(ask: Ask, library: SmallLibrary) -> None:
    library.encode()
    hit = ask("How long does a feline rest?", Mode.SEMANTIC).hits[0]
    assert hit.why.semantic_rank == 1
    assert 0 < hit.score <= 1.0
    span = hit.snippet.span
    assert hit.snippet.text.strip("…") == CATS[span.start : span.end].replace("\n", " ")


def test_hybrid_fuses_both_rankings(ask: Ask, library: SmallLibrary) -> None:
    library.encode()
    hits = ask("was the deposit paid back", Mode.HYBRID).hits
    assert (hits[0].why.keyword_rank, hits[0].why.semantic_rank) == (1, 1)
    assert 0.9 < hits[0].score <= 1.0  # first by words and by meaning
    assert {hit.path.name for hit in hits} == {"lease.md", "minutes.txt", "cats.md", "rent.py"}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_text_about_the_question_comes_before_one_that_mentions_it(ask: Ask, library: SmallLibrary) -> None:
    library.add(
        {
            "bread.md": "Bread is baked from dough. The dough is made of flour. It rises in a warm place.",
            "diary.md": "We met the mayor. Then we baked bread from dough. The train was late. It rained all day.",
        },
        root="kitchen",
    )
    library.encode()
    assert names(ask("How do I bake bread?", Mode.SEMANTIC))[:2] == ["bread.md", "diary.md"]


@pytest.mark.parametrize("mode", [Mode.SEMANTIC, Mode.HYBRID])
def test_keyword_hits_are_encoded_on_demand(ask: Ask, mode: Mode) -> None:
    result = ask("kitten feeding times", mode)
    assert result.coverage == 0.0
    assert result.note == ""
    assert result.hits[0].path.name == "cats.md"
    assert result.hits[0].why.semantic_rank == 1
    assert "Feed your kitten" in result.hits[0].snippet.text


def test_on_demand_vectors_are_written_back_once(library: SmallLibrary) -> None:
    kept: list[tuple[ChunkId, str, bytes]] = []
    engine = SearchEngine(library.layout.folder, keep=lambda chunk, encoder, data: kept.append((chunk, encoder, data)))
    request = SearchRequest("kitten", Mode.HYBRID)
    engine.search(request, Stop())
    assert kept
    count = len(kept)
    library.keep(kept)
    chunks = {chunk for chunk, _, _ in kept}
    assert library.catalog.chunks.not_encoded_among(chunks) == frozenset()
    sentences = sum(len(chunk.sentences) for chunk in library.catalog.chunks.by_id(chunks).values())
    assert sum(len(data) for _, _, data in kept) == sentences * (20 + 384)
    engine.search(request, Stop())
    assert len(kept) == count
    assert 0 < engine.search(request, Stop()).coverage < 1
    engine.close()


def test_on_demand_vectors_are_reused_by_the_next_engine(
    library: SmallLibrary, encoded: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_demand_encoding, "BUDGET_SENTENCES", 3)
    kept: list[tuple[ChunkId, str, bytes]] = []
    request = SearchRequest("kitten feeding", Mode.HYBRID)
    with closing(SearchEngine(library.layout.folder, keep=lambda *one: kept.append(one))) as engine:
        first = engine.search(request, Stop())
    assert first.coverage == 0.0
    assert library.catalog.chunks.not_encoded_among({chunk for chunk, _, _ in kept})  # only some sentences of them
    library.keep(kept)
    before = set(encoded)
    encoded.clear()
    with closing(SearchEngine(library.layout.folder)) as engine:
        assert engine.search(request, Stop()).hits[0].chunk == first.hits[0].chunk
    asked_anew = {"kitten feeding", "Keeping cats", "Lease agreement"}
    assert set(encoded) & before <= asked_anew


def test_vectors_of_the_previous_encoder_are_searched_while_it_is_installed(
    library: SmallLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = tmp_path / "models"
    earlier, renewed = models / "earlier", models / "renewed"
    for folder in (earlier, renewed):
        shutil.copytree(encoder_folder(), folder)
        description = json.loads((folder / "encoder.json").read_bytes())
        (folder / "encoder.json").write_text(json.dumps(description | {"id": folder.name}), "utf-8")
    library.encode(earlier)
    request = SearchRequest("How long does a feline rest?", Mode.SEMANTIC)
    with closing(SearchEngine(library.layout.folder, renewed)) as engine:
        found = engine.search(request, Stop())
        assert found.hits[0].path.name == "cats.md"
        assert (found.coverage, found.note) == (1.0, vector.EARLIER)
        assert engine.search(SearchRequest("cat", Mode.KEYWORD), Stop()).note == ""
        shutil.rmtree(earlier)
    with closing(SearchEngine(library.layout.folder, renewed)) as engine:
        assert engine.search(request, Stop()).note == vector.RENEWED
        copy = VectorSync(library.layout.vectors, renewed, library.catalog, library.catalog.lineage())
        while copy.encode_some(Stop()) or copy.follow():
            pass
        copy.close()
        again = engine.search(request, Stop())
        assert (again.hits[0].path.name, again.coverage, again.note) == ("cats.md", 1.0, "")


def test_excluded_words_filter_semantic_hits(ask: Ask, library: SmallLibrary) -> None:
    library.encode()
    assert "lease.md" in names(ask("raising the rent", Mode.HYBRID))
    assert "lease.md" not in names(ask("raising the rent -tenant -deposit", Mode.HYBRID))
    assert names(ask("+kitten sleep", Mode.SEMANTIC)) == ["cats.md"]


def test_conditions_and_scope_filter_semantic_hits(ask: Ask, library: SmallLibrary) -> None:
    library.encode()
    assert names(ask("feline rest ext:py", Mode.SEMANTIC)) == ["rent.py"]
    only = library.content("papers/lease.md")
    assert names(ask("feline rest", Mode.SEMANTIC, scope=Scope(contents=(only,)))) == ["lease.md"]


def test_without_an_encoder_keyword_hits_and_a_note_are_returned(library: SmallLibrary, tmp_path: Path) -> None:
    library.encode()
    engine = SearchEngine(library.layout.folder, tmp_path / "nowhere")
    for mode in (Mode.SEMANTIC, Mode.HYBRID):
        result = engine.search(SearchRequest("deposit", mode), Stop())
        assert result.hits[0].path.name == "lease.md"
        assert result.hits[0].why.keyword_rank == 1
        assert result.coverage == 0.0
        assert "encoder" in result.note
    engine.close()


def test_new_vectors_and_removed_folders_take_effect_at_once(ask: Ask, library: SmallLibrary) -> None:
    library.encode()
    assert "owl.md" not in names(ask("nocturnal bird", Mode.SEMANTIC))
    folder = library.add({"owl.md": "The owl is a bird that hunts at night."}, root="birds")
    library.encode()
    assert names(ask("nocturnal bird", Mode.SEMANTIC))[0] == "owl.md"
    library.catalog.folders.remove(folder)
    assert "owl.md" not in names(ask("nocturnal bird", Mode.SEMANTIC))


def test_a_stopped_search_ends(library: SmallLibrary, engine: SearchEngine) -> None:
    stop = Stop()
    stop.set()
    for mode in Mode:
        with pytest.raises(Stopped):
            engine.search(SearchRequest("rent", mode), stop)


def test_in_a_language_unknown_to_the_encoder_keywords_decide(ask: Ask, library: SmallLibrary) -> None:
    library.add({"kaffee.md": "القهوة العربية مشروب ساخن", "rest.md": "تعرض المكتبة كتبا قديمة"}, root="ar")
    library.encode()
    result = ask("مشروب القهوة العربية", Mode.HYBRID)
    assert names(result) == ["kaffee.md"]
    assert result.note == vector.STRANGE
    assert ask("القهوة الباردة", Mode.SEMANTIC).note == vector.STRANGE
    assert ask("سفينة", Mode.BEST).hits == ()
    assert ask("مشروب القهوة العربية", Mode.RERANKED).note == vector.STRANGE
    assert ask("Wie hoch ist die Miete, die wir zahlen?", Mode.HYBRID).note == ""
    assert ask("IL-6 4711", Mode.HYBRID).note == ""
    assert ask("مشروب القهوة العربية", Mode.KEYWORD).note == ""


def test_where_nothing_is_close_and_no_word_is_found_nothing_is_shown(ask: Ask, library: SmallLibrary) -> None:
    library.encode()
    assert ask("quantum chromodynamics lattice", Mode.HYBRID).hits == ()
    assert ask("pkwzxq", Mode.BEST).hits == ()
    assert names(ask("how long do felines doze", Mode.HYBRID))[0] == "cats.md"


def test_the_language_of_a_query_is_that_of_its_words(ask: Ask, library: SmallLibrary) -> None:
    assert ask('"Shipping Co" date:2024', Mode.KEYWORD).languages is None
    assert ask("kiedy jest czynsz i jak to jest", Mode.KEYWORD).languages == ("pl", "en")


def test_an_encoder_that_is_loaded_ahead_is_the_one_that_encodes(library: SmallLibrary) -> None:
    with closing(CatalogReader.open(library.layout.catalog)) as catalog:
        retriever = VectorRetriever(VectorReader(library.layout.vectors), encoder_folder())
        retriever.begin_loading()
        retriever.begin_loading()  # does nothing more
        query = retriever.encode_query("rent", catalog, Stop())
        assert retriever.encode_query("deposit", catalog, Stop()).encoder is query.encoder


def test_an_encoder_that_cannot_be_loaded_ahead_says_so_when_it_is_needed(
    library: SmallLibrary, tmp_path: Path
) -> None:
    with closing(CatalogReader.open(library.layout.catalog)) as catalog:
        folder = tmp_path / "encoder"
        retriever = VectorRetriever(VectorReader(library.layout.vectors), folder)
        retriever.begin_loading()
        with pytest.raises(EncoderError, match="missing"):
            retriever.encode_query("rent", catalog, Stop())
        shutil.copytree(encoder_folder(), folder)  # it is repaired
        assert retriever.encode_query("rent", catalog, Stop()).trust > 0
