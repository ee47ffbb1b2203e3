"""Passages with all words in one sentence come first; no more texts are read for that than are wanted."""

import pytest

from desktop_rag.index.records import Chunk, Content
from desktop_rag.retrieval.api import Mode
from desktop_rag.retrieval.ranking.snippets import Excerpts
from tests.integration.retrieval.conftest import Ask, SmallLibrary, names

APART = {f"apart{n}.md": "The harbour is old.\n\nThe lighthouse stands alone.\n" + f"Ship {n}.\n" for n in range(3)}
TOGETHER = {f"near{n}.md": f"Ship {n} left.\n\nThe old harbour has a lighthouse, and {n} ships.\n" for n in range(60)}


def test_words_in_one_sentence_come_before_words_apart(ask: Ask, library: SmallLibrary) -> None:
    library.add(APART | dict(list(TOGETHER.items())[:2]))
    found = names(ask("harbour AND lighthouse"))
    assert {name[:4] for name in found[:2]} == {"near"}
    assert len(found) == 5


def test_in_exact_mode_they_come_forward_from_below_the_best_scores(ask: Ask, library: SmallLibrary) -> None:
    twice = {
        f"apart{n}.md": "The harbour, the harbour.\n\nA lighthouse, a lighthouse.\n" * 2 + f"{n}" for n in range(20)
    }
    library.add(twice | {"near.md": "The old harbour has a lighthouse.\n"})
    assert names(ask("harbour AND lighthouse", Mode.EXACT))[0] == "near.md"


def test_texts_are_compared_until_the_list_is_full(
    ask: Ask, library: SmallLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.add(TOGETHER)
    compared = list[Chunk]()
    in_a_sentence, in_an_excerpt = Excerpts.sentence_fulfils, Excerpts.excerpt_fulfils

    def counted(self: Excerpts, chunk: Chunk, content: Content) -> bool:
        compared.append(chunk)
        return in_a_sentence(self, chunk, content)

    def counted_too(self: Excerpts, chunk: Chunk, content: Content) -> bool:
        compared.append(chunk)
        return in_an_excerpt(self, chunk, content)

    monkeypatch.setattr(Excerpts, "sentence_fulfils", counted)
    monkeypatch.setattr(Excerpts, "excerpt_fulfils", counted_too)
    result = ask("harbour AND lighthouse")
    assert len(result.hits) == 10
    assert len(compared) == 10
    assert result.more
