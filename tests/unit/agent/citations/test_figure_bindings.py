"""Signs, counted weeks, amounts per month, ratios and scores: the number alone does not make a figure right."""

import pytest

from desktop_rag.agent.citations.numbers import figures_not_in

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
