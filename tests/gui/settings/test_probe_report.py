"""The result of a connection test is shown in the language of the window."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from desktop_rag.errors import ModelRefused
from desktop_rag.gui.catalogues import install_catalogues
from desktop_rag.gui.settings.endpoint.examination_dialog import ProbeReport
from desktop_rag.llm.probe import ProbeResult


@pytest.fixture
def report(qapp: QApplication, qtbot: QtBot) -> Iterator[ProbeReport]:
    before = QLocale()
    install_catalogues(qapp, "de")
    report = ProbeReport()
    qtbot.addWidget(report)
    yield report
    for translator in qapp.findChildren(QTranslator):
        QCoreApplication.removeTranslator(translator)
        translator.setParent(None)
    QLocale.setDefault(before)


def shown(report: ProbeReport) -> str:
    return "\n".join(label.text() for label in report.findChildren(QLabel) if not label.isHidden())


def test_sentences_are_translated_with_what_is_filled_in(report: ProbeReport) -> None:
    sentences = ("qwen3:8b answered after 1.5 seconds.", "4 models are listed.")
    report.show_result(ProbeResult(ok=True, sentences=sentences), 0, is_chosen=True)
    assert "qwen3:8b antwortete" in shown(report)
    assert "answered" not in shown(report)
    assert "The model" not in shown(report)


def test_the_title_of_an_error_is_translated_with_its_full_stop(report: ProbeReport) -> None:
    report.show_result(
        ProbeResult(ok=False, sentences=(f"{ModelRefused.title}.", "unknown words 17")), 0, is_chosen=True
    )
    headline, detail = shown(report).split("\n")
    assert headline.endswith(".")
    assert not headline.startswith("The model")
    assert detail == "unknown words 17"
