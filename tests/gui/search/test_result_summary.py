"""The line above the results."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.documents.document import Span
from desktop_rag.gui.search.result_summary import ResultSummary
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.index.server_trouble import ServerTrouble
from desktop_rag.paths import resources
from desktop_rag.retrieval.api import Facets, Hit, MatchReason, Mode, SearchResult, Snippet

SPAN = Span(1, 1, 0, 4)
HIT = Hit(
    *(1, ChunkId(1), ContentId(1), "", Path("/a.md"), (), "markdown", "", 0, 0, None, "", SPAN, 1),
    Snippet("Rent", (), SPAN),
    MatchReason(),
)


@contextmanager
def translated(application: QApplication, language: str) -> Iterator[None]:
    catalogue = QTranslator(application)
    assert catalogue.load(f"desktop_rag_{language}", str(resources() / "translations"))
    QCoreApplication.installTranslator(catalogue)
    yield
    QCoreApplication.removeTranslator(catalogue)


def test_words_of_another_language_than_the_documents_are_named(qtbot: QtBot) -> None:
    summary = ResultSummary(holder := QWidget())
    qtbot.addWidget(holder)
    summary.show_result(SearchResult("wo ist es", Mode.KEYWORD, 1.0, (), 1.0, languages=("de", "en")), more=False)
    assert "your words look German, most of your documents are English" in summary.text()
    summary.show_result(SearchResult("wo ist es", Mode.KEYWORD, 1.0, (), 1.0), more=False)
    assert "German" not in summary.text()


def test_the_counts_make_a_sentence_in_chinese(qapp: QApplication, qtbot: QtBot) -> None:
    with translated(qapp, "zh_CN"):
        summary = ResultSummary(holder := QWidget())
        qtbot.addWidget(holder)
        summary.show_result(SearchResult("rent", Mode.KEYWORD, 1.0, (HIT,), 1.0), more=True, documents=59)
        assert summary.text() == "59 个文档（列出 1 个）中：最佳的 1 段"


def test_a_number_of_documents_that_may_be_off_is_about(qtbot: QtBot) -> None:
    summary = ResultSummary(holder := QWidget())
    qtbot.addWidget(holder)
    summary.show_result(SearchResult("rent", Mode.KEYWORD, 1.0, (HIT,), 1.0), more=True)
    summary.show_counted(Facets(2_345, about=True))
    assert summary.text() == "The best 1 passage in 1 of about 2,345 documents"


@pytest.mark.parametrize("language", ["de", "zh_CN"])
def test_what_is_wrong_with_a_teams_server_is_said_in_the_language_of_the_window(
    qapp: QApplication, qtbot: QtBot, language: str
) -> None:
    troubles = tuple(ServerTrouble)
    note = " ".join(each.sentence(1_700_000_000) for each in troubles)
    with translated(qapp, language):
        summary = ResultSummary(holder := QWidget())
        qtbot.addWidget(holder)
        result = SearchResult("rent", Mode.KEYWORD, 1.0, (HIT,), 1.0, note, troubles=troubles)
        summary.show_result(result, more=False)
        said = summary.text()
    assert not any(word in said for word in ("server", "library", "copy", "missing"))
    assert "2023-11-1" in said
