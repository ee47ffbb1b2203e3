from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.document import Span
from desktop_rag.index.records import Chunk, ChunkId, ContentId
from desktop_rag.retrieval.ranking.fusion import Parts
from desktop_rag.retrieval.ranking.reranking import WEIGHTS, RerankCandidate, RerankFeatures, evidence, judged, window

SHARES = st.floats(0, 1)
NOTHING = Parts(0, 0, 0)


def passage(text: str, title: str = "", sentence: int = 0, parts: Parts = NOTHING) -> RerankCandidate:
    starts = [0, *(place + 2 for place in range(len(text)) if text[place : place + 2] == ". ")]
    sentences = tuple(zip(starts, [*starts[1:], len(text)], strict=True))
    chunk = Chunk(ChunkId(1), ContentId(1), 0, Span(1, 1, 0, len(text)), "", text, sentences)
    return RerankCandidate(chunk, title, sentence, parts)


def looked_at(query: str, *candidates: RerankCandidate) -> list[RerankFeatures]:
    return evidence(query, candidates, lambda texts: [0.0] * len(texts))


def test_the_window_is_the_title_and_the_sentences_around_the_nearest() -> None:
    text = "One came. Two went. Three stayed. Four slept. Five woke."
    assert window(passage(text, "Who", 2)) == "Who. Two went. Three stayed. Four slept."
    assert window(passage(text, "", 0)) == "One came. Two went."
    assert window(passage(text, "", -1)) == "One came. Two went."


def test_windows_are_compared_in_the_order_of_the_passages() -> None:
    asked: list[str] = []

    def nearness(texts: Sequence[str]) -> list[float]:
        asked.extend(texts)
        return [0.2, -0.1, 0.4]

    found = evidence("x", [passage("A."), passage("B."), passage("C.")], nearness)
    assert asked == ["A.", "B.", "C."]
    assert [each.window for each in found] == pytest.approx([0.5, 0.0, 1.0])


def test_words_side_by_side_speak_for_a_passage() -> None:
    together, apart = looked_at(
        "notice period of the lease", passage("The notice period is long."), passage("A period of rest, a notice.")
    )
    assert together.covered == pytest.approx(apart.covered)
    assert together.adjacent > apart.adjacent == 0


def test_a_word_that_few_of_the_passages_have_says_more() -> None:
    common = passage("The lease is here.")
    rare, *_ = looked_at("lease deposit", passage("A deposit."), common, common)
    _, usual, _ = looked_at("lease deposit", passage("A deposit."), common, common)
    assert rare.covered > usual.covered


def test_a_title_counts_by_what_it_shares_and_what_it_has_besides() -> None:
    same, longer, other = looked_at(
        "boat mooring", passage("x", "Mooring a boat"), passage("x", "Mooring, bees, honey, wax"), passage("x", "Bees")
    )
    assert same.title > longer.title > other.title == 0


def test_inflected_words_are_the_same_and_stop_words_say_nothing() -> None:
    (found,) = looked_at("the renting of boats", passage("It rents a boat."))
    assert found.covered == pytest.approx(1.0)
    assert looked_at("the of and", passage("the of and"))[0].covered == 0


@given(st.builds(RerankFeatures, *[SHARES] * len(WEIGHTS)), SHARES)
def test_a_score_is_a_share_and_all_evidence_gives_all_of_it(found: RerankFeatures, trust: float) -> None:
    assert 0 <= judged(found, trust) <= 1 + 1e-9
    assert judged(RerankFeatures(*[1.0] * len(WEIGHTS)), trust) == pytest.approx(1.0)


def test_without_trust_in_the_encoder_only_words_count() -> None:
    by_meaning = RerankFeatures(0, 1, 1, 1, 0, 0, 0)
    assert judged(by_meaning, 0.0) == 0 < judged(by_meaning)


@given(st.text(), st.lists(st.tuples(st.text(max_size=60), st.text(max_size=20)), max_size=5))
def test_any_texts_give_shares(query: str, texts: list[tuple[str, str]]) -> None:
    for found in looked_at(query, *(passage(text, title) for text, title in texts)):
        assert all(0 <= each <= 1 + 1e-9 for each in found)
