"""The weight of a word follows Lucene's formula."""

from math import log

import pytest

from desktop_rag.index.weighting import lucene_idf


def test_a_rare_word_weighs_more_than_a_frequent_one() -> None:
    assert lucene_idf(1000, 1) > lucene_idf(1000, 10) > lucene_idf(1000, 900)


def test_a_word_in_every_document_still_weighs_something() -> None:
    assert 0 < lucene_idf(1000, 1000) < 0.001


def test_the_weight_is_lucenes() -> None:
    assert lucene_idf(100, 7) == pytest.approx(log(1 + 93.5 / 7.5))
