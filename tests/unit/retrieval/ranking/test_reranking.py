from collections.abc import Sequence
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.document import Span
from desktop_rag.index.records import Chunk, ChunkId, ContentId
from desktop_rag.retrieval.ranking.reranking import (
    WEIGHTS,
    RerankCandidate,
    Reranker,
    RerankFeatures,
    ScoreParts,
    rerank_score,
    window,
)

NUMBERS = count(1)
SHARES = st.floats(0, 1)
NOTHING = ScoreParts(0, 0, 0)


def passage(text: str, title: str = "", sentence: int = 0, parts: ScoreParts = NOTHING) -> RerankCandidate:
    starts = [0, *(place + 2 for place in range(len(text)) if text[place : place + 2] == ". ")]
    sentences = tuple(zip(starts, [*starts[1:], len(text)], strict=True))
    chunk = Chunk(ChunkId(next(NUMBERS)), ContentId(1), 0, Span(1, 1, 0, len(text)), "", text, sentences)
    return RerankCandidate(chunk, title, sentence, parts)


def features(query: str, *candidates: RerankCandidate) -> list[RerankFeatures]:
    return Reranker(query, lambda texts: [0.0] * len(texts)).features(candidates)


def test_the_window_is_the_title_and_the_sentences_around_the_nearest() -> None:
    text = "One came. Two went. Three stayed. Four slept. Five woke."
    assert window(passage(text, "Who", 2)) == "Who. Two went. Three stayed. Four slept."
    assert window(passage(text, "", 0)) == "One came. Two went."
    assert window(passage(text, "", -1)) == "One came. Two went."


def test_a_long_window_is_cut_around_the_nearest_sentence() -> None:
    before, nearest, after = "Before " + "b" * 250 + ".", "Nearest " + "n" * 100 + ".", "After " + "a" * 50 + "."
    text = " ".join((before, nearest, after))
    cut = window(passage(text, "", 1))
    assert len(cut) == 300
    assert cut.endswith(f"b. {nearest} {after}")
    assert window(passage(text, "", 0)) == text[:300]
    assert window(passage("x" * 900, "", 0)) == "x" * 300


def test_windows_are_encoded_in_the_order_of_the_passages() -> None:
    asked: list[str] = []

    def similarities(texts: Sequence[str]) -> list[float]:
        asked.extend(texts)
        return [0.2, -0.1, 0.4]

    found = Reranker("x", similarities).features([passage("A."), passage("B."), passage("C.")])
    assert asked == ["A.", "B.", "C."]
    assert [each.window for each in found] == pytest.approx([0.5, 0.0, 1.0])


def test_a_passage_that_was_compared_before_is_not_encoded_again() -> None:
    asked: list[list[str]] = []

    def similarities(texts: Sequence[str]) -> list[float]:
        asked.append(list(texts))
        return [0.5] * len(texts)

    reranker, one, other = Reranker("boats", similarities), passage("A boat."), passage("A bee.")
    first, again = reranker.features([one]), reranker.features([one, other])
    assert asked == [["A boat."], ["A bee."]]
    assert first[0].covered == again[0].covered == 1


def test_adjacent_words_raise_the_score() -> None:
    together, apart = features(
        "notice period of the lease", passage("The notice period is long."), passage("A period of rest, a notice.")
    )
    assert together.covered == pytest.approx(apart.covered)
    assert together.adjacent > apart.adjacent == 0


def test_rare_words_weigh_more() -> None:
    common = passage("The lease is here.")
    rare, *_ = features("lease deposit", passage("A deposit."), common, common)
    _, usual, _ = features("lease deposit", passage("A deposit."), common, common)
    assert rare.covered > usual.covered


def test_a_title_counts_by_its_cosine() -> None:
    same, longer, other = features(
        "boat mooring", passage("x", "Mooring a boat"), passage("x", "Mooring, bees, honey, wax"), passage("x", "Bees")
    )
    assert same.title > longer.title > other.title == 0


def test_words_are_stemmed_and_stop_words_ignored() -> None:
    (found,) = features("the renting of boats", passage("It rents a boat."))
    assert found.covered == pytest.approx(1.0)
    assert features("the of and", passage("the of and"))[0].covered == 0


@given(st.builds(RerankFeatures, *[SHARES] * len(WEIGHTS)), SHARES)
def test_scores_are_between_0_and_1(found: RerankFeatures, trust: float) -> None:
    assert 0 <= rerank_score(found, trust) <= 1 + 1e-9
    assert rerank_score(RerankFeatures(*[1.0] * len(WEIGHTS)), trust) == pytest.approx(1.0)


def test_without_trust_in_the_encoder_only_words_count() -> None:
    by_meaning = RerankFeatures(0, 1, 1, 1, 0, 0, 0)
    assert rerank_score(by_meaning, 0.0) == 0 < rerank_score(by_meaning)


@given(st.text(), st.lists(st.tuples(st.text(max_size=60), st.text(max_size=20)), max_size=5))
def test_features_are_between_0_and_1(query: str, texts: list[tuple[str, str]]) -> None:
    for found in features(query, *(passage(text, title) for text, title in texts)):
        assert all(0 <= each <= 1 + 1e-9 for each in found)
