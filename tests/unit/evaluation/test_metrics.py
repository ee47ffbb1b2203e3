"""Measures of known rankings, and bootstrap intervals."""

import math

import pytest

from desktop_rag.evaluation.datasets import MeanDifference, by_question, difference, mean

JUDGED = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}


def test_measures_of_a_known_ranking() -> None:
    pytest.importorskip("ir_measures")
    run = {"q1": {"a": 0.9, "x": 0.8, "b": 0.7}, "q2": {"x": 1.0}}
    values = by_question(JUDGED, run, ("nDCG@10", "R@2"))
    ideal = 1 + 1 / math.log2(3)
    assert values["nDCG@10"] == pytest.approx({"q1": (1 + 1 / math.log2(4)) / ideal, "q2": 0.0})
    assert values["R@2"] == {"q1": 0.5, "q2": 0.0}


def test_a_question_without_results_counts_as_none_found() -> None:
    pytest.importorskip("ir_measures")
    values = by_question(JUDGED, {"q2": {"c": 0.1}}, ("R@5",))["R@5"]
    assert values == {"q1": 0.0, "q2": 1.0}
    assert mean(values) == 0.5


def test_the_interval_of_equal_systems_is_zero() -> None:
    values = {str(number): number / 10 for number in range(10)}
    assert difference(values, values) == MeanDifference(0.0, 0.0, 0.0)


def test_the_interval_separates_a_real_difference_from_chance() -> None:
    base = {str(number): 0.5 for number in range(200)}
    better = {question: value + 0.1 for question, value in base.items()}
    noise = {question: value + (0.1 if int(question) % 2 else -0.1) for question, value in base.items()}
    real, chance = difference(better, base), difference(noise, base)
    assert real.low == pytest.approx(0.1)
    assert chance.low < 0 < chance.high
    assert chance.mean == pytest.approx(0.0)
    assert str(real) == "+0.100 (+0.100 to +0.100)"
