"""The chosen size of the text holds for the whole window from the start."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.gui.conversation.composer.question_field import QuestionField
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.index.library import Library
from desktop_rag.paths import settings_file
from desktop_rag.settings import Settings, save


@pytest.fixture
def large(qapp: QApplication, qtbot: QtBot, home: Path) -> Iterator[App]:
    save(settings_file(), Settings(font_percent=150))
    font, palette = qapp.font(), qapp.palette()
    app = App(qapp, Library(home / "library"))
    qtbot.addWidget(app.window)
    app.start()
    yield app
    app.window.close()
    app.close()
    app.look.use(app.settings.settings.theme)
    app.deleteLater()
    QCoreApplication.sendPostedEvents(app, QEvent.Type.DeferredDelete)
    qapp.setFont(font)
    qapp.setPalette(palette)


def test_no_part_of_the_window_starts_with_text_of_the_usual_size(large: App) -> None:
    usual = large.window.font().pointSizeF() / 1.5
    parts = [part for part in large.window.findChildren(IconButton) if part.isVisible()]
    assert parts
    assert {part.iconSize().width() for part in parts} == {27}
    field = large.pane.composer.findChild(QuestionField)
    assert field is not None
    assert field.viewport().font().pointSizeF() == usual * 1.5 + 0.5
    assert large.window.menuBar().fontMetrics().height() >= large.window.fontMetrics().height()
