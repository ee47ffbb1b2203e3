"""The line above the results."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.documents.document import Span
from desktop_rag.gui.search.result_summary import ResultSummary
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.paths import resources
from desktop_rag.retrieval.api import Hit, MatchReason, Mode, SearchResult, Snippet


def test_words_of_another_language_than_the_documents_are_named(qtbot: QtBot) -> None:
    summary = ResultSummary()
    qtbot.addWidget(summary)
    summary.show_result(SearchResult("wo ist es", Mode.KEYWORD, 1.0, (), 1.0, languages=("de", "en")), more=False)
    assert "your words look German, most of your documents are English" in summary.text()
    summary.show_result(SearchResult("wo ist es", Mode.KEYWORD, 1.0, (), 1.0), more=False)
    assert "German" not in summary.text()


def test_the_counts_make_a_sentence_in_chinese(qapp: QApplication, qtbot: QtBot) -> None:
    catalogue = QTranslator(qapp)
    assert catalogue.load("desktop_rag_zh_CN", str(resources() / "translations"))
    QCoreApplication.installTranslator(catalogue)
    summary = ResultSummary()
    qtbot.addWidget(summary)
    span, path, why = Span(1, 1, 0, 4), Path("/a.md"), MatchReason()
    snippet = Snippet("Rent", (), span)
    hit = Hit(1, ChunkId(1), ContentId(1), "", path, (), "markdown", "", 0, 0, None, "", span, 1, snippet, why)
    summary.show_result(SearchResult("rent", Mode.KEYWORD, 1.0, (hit,), 1.0), more=True, documents=59)
    QCoreApplication.removeTranslator(catalogue)
    assert summary.text() == "59 个文档（列出 1 个）中：最佳的 1 段"
