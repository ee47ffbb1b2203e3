"""The line above the results."""

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.search.result_summary import ResultSummary
from desktop_rag.retrieval.api import Mode, SearchResult


@pytest.mark.parametrize("without", [True, False])
def test_hits_without_the_words_are_said_to_be_similar(qtbot: QtBot, *, without: bool) -> None:
    summary = ResultSummary()
    qtbot.addWidget(summary)
    summary.show_result(SearchResult("xylophone", Mode.HYBRID, 1.0, (), 1.0, without_words=without), more=False)
    assert ("similar in meaning, without your words" in summary.text()) is without
