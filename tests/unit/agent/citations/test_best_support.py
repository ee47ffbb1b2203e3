from desktop_rag.agent.citations.support import best_support, is_significant, repeats

LINES = {
    4: "The monthly rent is 950 euros and must be trans-",
    5: "ferred to the landlord’s account before the third working day.",
    6: "An eﬃcient heating system was in­stalled — in 2019.",
}


def test_a_short_quote_is_not_significant_but_four_chinese_characters_are() -> None:
    assert not is_significant("950 euros")
    assert is_significant("950 euros a month")
    assert is_significant("每月租金")


def test_the_best_sentence_is_the_one_that_shares_most_with_the_claim() -> None:
    support = best_support("Heating was put in during 2019", LINES)
    assert support is not None
    assert (support.first_line, support.last_line) == (6, 6)
    assert "heating" in support.text


def test_a_sentence_over_two_lines_is_joined() -> None:
    support = best_support("Money goes to the landlord’s account", LINES)
    assert support is not None
    assert support.text.startswith("The monthly rent is 950 euros and must be transferred")
    assert (support.first_line, support.last_line) == (4, 5)


def test_a_claim_that_repeats_a_sentence_contains_it() -> None:
    assert repeats("As it says, “The rent is 950 euros.” [1]", "The rent is 950 euros.")
    assert not repeats("The rent is 900 euros.", "The rent is 950 euros.")
