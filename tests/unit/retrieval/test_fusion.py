from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.retrieval.fusion import reciprocal_ranks

RANKINGS = st.lists(st.lists(st.integers(0, 20), unique=True), max_size=4)


def test_an_item_in_both_rankings_wins() -> None:
    assert [item for item, _ in reciprocal_ranks((["a", "b"], ["c", "b"]))] == ["b", "a", "c"]


@given(RANKINGS)
def test_every_item_gets_the_sum_of_its_reciprocal_ranks(rankings: list[list[int]]) -> None:
    fused = reciprocal_ranks(rankings)
    assert {item for item, _ in fused} == {item for ranking in rankings for item in ranking}
    for item, score in fused:
        assert abs(score - sum(1 / (61 + r.index(item)) for r in rankings if item in r)) < 1e-12
    assert [score for _, score in fused] == sorted((score for _, score in fused), reverse=True)
