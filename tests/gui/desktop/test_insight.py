"""Privacy and diagnostics in the whole window: a real check, real logs, histories on the disk."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.gui.search.search_events import RecentSearch, SavedSearches, load, store
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from tests.gui.test_end_to_end import drop, wait_until_ready

pytestmark = pytest.mark.processes


def said(dialog: SettingsDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(PlainLabel))


def buttons(dialog: SettingsDialog, text: str) -> list[QPushButton]:
    return [button for button in dialog.findChildren(QPushButton) if button.text() == text]


def test_a_check_the_log_and_the_histories_of_a_real_library(app: App, qtbot: QtBot, documents: Path) -> None:
    drop(app, documents)
    wait_until_ready(app, qtbot)
    library = app.sessions.current.known.folder
    store(library, SavedSearches(recent=(RecentSearch("rent"),)))
    app.search.show_library(app.retriever, library)
    qtbot.waitUntil(lambda: app.search.recent_searches() == 1)
    app.settings.open_dialog("Diagnostics")
    qtbot.waitUntil(lambda: any(dialog.isVisible() for dialog in app.window.findChildren(SettingsDialog)))
    dialog = app.window.findChildren(SettingsDialog)[0]
    qtbot.waitUntil(lambda: "Qt " in said(dialog))
    assert "1 file found · 1 searchable by words" in said(dialog)
    assert str(library / "indexer.log") in said(dialog)
    log = dialog.diagnostics.findChild(QPlainTextEdit)
    assert isinstance(log, QPlainTextEdit)
    assert log.toPlainText()
    buttons(dialog, "Check now")[0].click()
    qtbot.waitUntil(lambda: "Everything is as it was stored" in said(dialog))
    report = dialog.diagnostics.report()
    assert "Files found: 1" in report
    assert str(documents) not in report
    assert documents.name not in report
    dialog.show_page("Privacy")
    searches = next(each for each in buttons(dialog, "Clear") if each.accessibleDescription() == "Recent searches")
    searches.click()
    qtbot.waitUntil(lambda: load(library).recent == ())
    searches.click()
    qtbot.waitUntil(lambda: load(library).recent == (RecentSearch("rent"),))
    assert "conversations and logs" in said(dialog)
    dialog.reject()
