"""BM25 follows Lucene's formula."""

from math import log

import pytest

from desktop_rag.index.keywords.keyword_query import lucene_idf, saturation


def test_a_rare_word_weighs_more_than_a_frequent_one() -> None:
    assert lucene_idf(1000, 1) > lucene_idf(1000, 10) > lucene_idf(1000, 900)


def test_a_word_in_every_document_still_weighs_something() -> None:
    assert 0 < lucene_idf(1000, 1000) < 0.001


def test_the_weight_is_lucenes() -> None:
    assert lucene_idf(100, 7) == pytest.approx(log(1 + 93.5 / 7.5))


def test_a_word_counts_less_each_time_it_comes_again() -> None:
    counts = [saturation(frequency, 1.0) for frequency in (1, 2, 3, 100)]
    assert counts[0] == pytest.approx(1.0)
    assert counts == sorted(counts)
    assert counts[1] - counts[0] > counts[2] - counts[1]
    assert counts[3] < 2.2


def test_a_word_counts_less_in_a_longer_text() -> None:
    assert saturation(1, 0.5) > saturation(1, 1.0) > saturation(1, 2.0)
