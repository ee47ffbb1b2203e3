from desktop_rag.evaluation.qa.summary import grouped, intent_recovery, planned_intents, same_intent_overlap
from tests.unit.evaluation.qa.values import search

KEY = search("where is the spare key", ("1", "2"))
KEY_AGAIN = search("spare key hidden", ("2", "3"), gold=(0,))
RENT = search("monthly rent due", ("7",))


def test_queries_that_share_words_have_one_intent() -> None:
    assert grouped((KEY, RENT, KEY_AGAIN)) == [[KEY, KEY_AGAIN], [RENT]]
    assert same_intent_overlap((KEY, RENT, KEY_AGAIN)) == 0.5
    assert intent_recovery((KEY, RENT, KEY_AGAIN)) == 1.0


def test_a_judge_groups_the_queries() -> None:
    assert grouped((KEY, RENT, KEY_AGAIN), (1, 1, 2)) == [[KEY, RENT], [KEY_AGAIN]]
    assert same_intent_overlap((KEY, RENT, KEY_AGAIN), (1, 1, 2)) == 0.0
    assert intent_recovery((KEY, RENT, KEY_AGAIN), (1, 1, 2)) == 0.0


def test_single_or_successful_searches_have_nothing_to_recover() -> None:
    assert same_intent_overlap((KEY, RENT)) is None
    assert intent_recovery((KEY_AGAIN, KEY)) is None
    assert intent_recovery(()) is None


def test_without_a_judge_plan_lines_are_the_intents() -> None:
    plan = ("1. When the rent is due", "2. Where the spare key lies")
    assert planned_intents((KEY, RENT, KEY_AGAIN), plan) == (1, 0, 1)
    assert planned_intents((KEY, RENT), plan[:1]) == ()
