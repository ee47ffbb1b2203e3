"""Signs, counted weeks, amounts per month, ratios and scores: the number alone does not make a figure right."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.numbers import figures_not_in
from desktop_rag.agent.citations.support import CitedLines

FROST = "Temperatures ranged from −12 °C to +4 °C."
TRIAL = "At week 16, 52.4% of patients reached the goal."
LOAN = "Interest is 3.5 percent per annum, capped at €400 per month."
SCALE = "The scale is 1:500."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The lowest temperature was 12 °C.", FROST),
        ("The highest temperature was −4 °C.", FROST),
        ("The balance was +£250.", "The balance was −£250."),
        ("At month 16 most patients reached the goal.", TRIAL),
        ("Interest is 3.5 percent per month.", LOAN),
        ("It is capped at €400 a year.", LOAN),
        ("The levy is £3.40 per gram.", "The levy is £3.40 per kilogram."),
        ("The scale is 1:50.", SCALE),
        ("The scale is 1:5000.", SCALE),
    ],
)
def test_a_number_with_another_sign_or_unit_beside_it_is_missing(claim: str, source: str) -> None:
    assert figures_not_in(claim, [source])


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The lowest temperature was minus 12 °C.", FROST),
        ("It was 12 °C below zero.", FROST),
        ("The lowest temperature was −12 °C.", "It was –12 °C in January."),
        ("The highest temperature was 4 °C.", FROST),
        ("The account was overdrawn by £250.", "The balance was −£250."),
        ("At week 16, 52.4% of patients reached the goal.", TRIAL),
        ("In the 16 weeks 52.4% of patients reached the goal.", "Within 16 weeks, 52.4% reached it."),
        ("Interest is 3.5 % a year, at most €400 each month.", LOAN),
        ("The levy is £3.40 per kg.", "The levy is £3.40 per kilogram."),
        ("The scale is 1:500.", SCALE),
    ],
)
def test_the_same_figure_written_otherwise_is_found(claim: str, source: str) -> None:
    assert not figures_not_in(claim, [source])


RELAPSES = "Of 400 patients, 200 received it. 38 patients in one group and 57 in the other had a relapse."
MEMBERS = "The membership grew from 142 members in 2022 to 159 in 2023."
BUILT = "It was built between 1903 and 1906; in 2011 there were 4,960 vehicles."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("38 % of the first group relapsed.", RELAPSES),
        ("57 % of the others relapsed.", RELAPSES),
        ("Headache affected 22 % of them.", "Headache was the most common (22 versus 19 patients)."),
        ("Membership grew by 159 %.", MEMBERS),
        ("Membership grew from 142 %.", MEMBERS),
        ("Subscribers rose by 5,400 %.", "The channel has 5,400 subscribers."),
        ("The bridge cost £1,903.", BUILT),
        ("The bridge cost 1906 euros.", BUILT),
        ("2,011 vehicles cross it.", BUILT),
    ],
)
def test_a_count_is_no_percentage_and_a_year_no_amount(claim: str, source: str) -> None:
    assert figures_not_in(claim, [source])


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("38 % of the patients relapsed.", "38% of patients and 57% of doctors"),
        ("The score rose to 80.5 %.", "pushing the score to 80.5 (7.7 point absolute improvement)"),
        ("The margin was 41 %.", "(in percent)\nGross margin 41 39 38"),
        ("An accuracy of 85 %.", "Accuracy 85 Recall 79"),
        ("62 % of them slept better.", "62 vom Hundert der Teilnehmer"),
        ("The rent was 1,950 euros.", "The rent was 1950 euros in 1950."),
        ("In 2011 there were 4,960.", BUILT),
        ("Sales were $2,018 million.", "(in millions) 2018\nSales 2,018"),
    ],
)
def test_a_percentage_or_an_amount_without_its_sign_is_found(claim: str, source: str) -> None:
    assert not figures_not_in(claim, [source])


SHARES = "The index covers articles over 2 KB (40%) and shows it as the second of the ten largest after the German one."
BESIDE = {3: SHARES, 4: "Of the others 4% are lists, and 30 months passed between two counts."}


@pytest.mark.parametrize(("right", "wrong"), [("40%", "4%"), ("2 KB", "4 KB")])
def test_a_figure_of_another_sentence_in_a_repeated_one_is_doubted(right: str, wrong: str) -> None:
    assert check_claim(SHARES, [CitedLines(BESIDE)], "").faults == ()
    faults = check_claim(SHARES.replace(right, wrong), [CitedLines(BESIDE)], "").faults
    assert (faults[0].kind, faults[0].text, faults[0].found) == ("figure", wrong, right)


def test_a_figure_of_another_sentence_in_other_words_is_not() -> None:
    assert check_claim("Lists make up 4% of the other articles.", [CitedLines(BESIDE)], "").faults == ()
