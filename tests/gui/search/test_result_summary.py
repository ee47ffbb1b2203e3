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


def test_words_of_another_language_than_the_documents_are_named(qtbot: QtBot) -> None:
    summary = ResultSummary()
    qtbot.addWidget(summary)
    summary.show_result(SearchResult("wo ist es", Mode.KEYWORD, 1.0, (), 1.0, languages=("de", "en")), more=False)
    assert "your words look German, most of your documents are English" in summary.text()
    summary.show_result(SearchResult("wo ist es", Mode.KEYWORD, 1.0, (), 1.0), more=False)
    assert "German" not in summary.text()
