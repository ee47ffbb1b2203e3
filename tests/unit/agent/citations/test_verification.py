import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.agent.citations.folded_lines import fold, fold_lines
from desktop_rag.agent.citations.verification import Match, best_support, contains, locate, telling

LINES = {
    4: "The monthly rent is 950 euros and must be trans-",
    5: "ferred to the landlord’s account before the third working day.",
    6: "An eﬃcient heating system was in­stalled — in 2019.",
}


@pytest.mark.parametrize(
    "quote",
    [
        "The monthly rent is 950 euros",
        "the monthly  rent is\n950 euros",
        "must be transferred to the landlord's account",
        "An efficient heating system was installed - in 2019.",
        "The monthly rent … before the third working day",
        "**The monthly rent** is 950 euros",
    ],
)
def test_differences_a_reader_would_not_see_do_not_count(quote: str) -> None:
    match = locate(quote, LINES)
    assert match is not None
    assert match.exact


def test_a_match_knows_its_lines() -> None:
    assert locate("must be transferred to the landlord", LINES) == Match(4, 5, exact=True)
    assert locate("heating system", LINES) == Match(6, 6, exact=True)


def test_a_quote_that_ends_inside_a_number_is_no_match() -> None:
    assert locate("The monthly rent is 95", LINES) is None


def test_one_wrong_word_at_the_end_is_a_paraphrase() -> None:
    match = locate("The monthly rent is 950 euros and must be transferred to the landlord’s account soon", LINES)
    assert match == Match(4, 5, exact=False)


def test_a_wrong_number_in_the_middle_is_not_found() -> None:
    assert locate("The monthly rent is 850 euros and must be transferred", LINES) is None


def test_pieces_in_the_wrong_order_are_not_found() -> None:
    assert locate("before the third working day … The monthly rent", LINES) is None


def test_nothing_is_found_in_nothing() -> None:
    assert locate("The monthly rent", {}) is None
    assert locate("…", LINES) is None


def test_a_few_letters_prove_nothing_but_four_chinese_characters_do() -> None:
    assert not telling("950 euros")
    assert telling("950 euros a month")
    assert telling("每月租金")


def test_the_best_sentence_is_the_one_that_shares_most_with_the_claim() -> None:
    support = best_support("Heating was put in during 2019", LINES)
    assert support is not None
    assert (support.first_line, support.last_line) == (6, 6)
    assert "heating" in support.text


def test_a_sentence_over_two_lines_is_put_together() -> None:
    support = best_support("Money goes to the landlord’s account", LINES)
    assert support is not None
    assert support.text.startswith("The monthly rent is 950 euros and must be transferred")
    assert (support.first_line, support.last_line) == (4, 5)


def test_a_claim_that_repeats_a_sentence_contains_it() -> None:
    assert contains("As it says, “The rent is 950 euros.” [1]", "The rent is 950 euros.")
    assert not contains("The rent is 900 euros.", "The rent is 950 euros.")


@given(st.lists(st.from_regex(r"[a-zé]{1,8}( [a-z]{1,8}|-[a-z]{2,5}|ﬁ){2,8}\.", fullmatch=True), min_size=1), st.data())
def test_what_stands_in_a_line_is_found_word_for_word(texts: list[str], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, len(texts)))
    match = locate(texts[number - 1], dict(enumerate(texts, 1)))
    assert match is not None
    assert match.exact
    assert match.first_line <= number  # the same words may stand further up


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.dictionaries(st.integers(1, 50), st.text(max_size=20), max_size=6))
def test_each_character_of_folded_lines_has_a_line(lines: dict[int, str]) -> None:
    folded = fold_lines(lines)
    assert all(folded.line_at(offset) in lines for offset in range(len(folded.text)))
