"""The welcome follows the status of the library and the settings."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.agent.question import ExampleQuestion
from desktop_rag.credentials import Credentials
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.conversation_view import ConversationView
from desktop_rag.gui.conversation.welcome import SuggestionButton, Welcome, WelcomeView
from desktop_rag.gui.conversation.welcome_control import StartPoints, WelcomeControl, sample_questions, welcome_for
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.gui.viewer.open_documents import RecentDocuments
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.chips import Chip
from desktop_rag.index.file_rows import ListedState
from desktop_rag.index.indexer_api import FolderStatus, IndexingPhase
from desktop_rag.paths import resources
from desktop_rag.retrieval.api import Facet
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.settings import Profile, Settings
from tests.gui.library_values import folder, library

EXAMPLES = tuple(map(ExampleQuestion, sample_questions()))
SAMPLE = os.fsencode(resources() / "sample")


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (folder(1), Welcome(has_documents=True, is_reading=True)),
        (folder(1, found=3, searchable=0, ready=0), Welcome(is_reading=True)),
        (folder(1, found=0, searchable=0, ready=0, scanning=True), Welcome(is_reading=True)),
        (folder(1, found=2, searchable=0, ready=0, failed=2), Welcome()),
        (folder(1, SAMPLE), Welcome(has_documents=True, is_reading=True, examples=EXAMPLES)),
    ],
)
def test_folders_decide_what_is_suggested(shown: FolderStatus, expected: Welcome) -> None:
    assert welcome_for(library(shown), has_model=False) == expected


def test_what_is_left_out_is_counted_and_listed_apart(qtbot: QtBot, requests: ConversationRequests) -> None:
    part = Facet("Bills", 9, Filter(FileField.FOLDER, "Bills"))
    status = library(replace(folder(1, found=13, failed=2), pictures=1))
    welcome = welcome_for(status, has_model=True, points=StartPoints(parts=(part,)))
    assert welcome.left_out == (
        ("2 not searchable", ListedState.PROBLEM),
        ("1 picture without text", ListedState.PICTURES),
    )
    view = WelcomeView(requests)
    qtbot.addWidget(view)
    view.show_welcome(welcome)
    chip = next(each for each in view.findChildren(Chip) if each.accessibleName().startswith("1 picture"))
    with qtbot.waitSignal(requests.files_requested) as asked:
        chip.click()
    assert asked.args == [(ListedState.PICTURES,)]


def test_a_missing_library_and_one_not_yet_known_are_told_apart() -> None:
    assert welcome_for(UNKNOWN, has_model=True) == Welcome(has_model=True, is_opening=True)
    assert welcome_for(replace(library(), missing=True), has_model=False) == Welcome(is_missing=True)


def test_work_that_waits_is_not_called_reading(qtbot: QtBot, requests: ConversationRequests) -> None:
    unread = library(folder(1, searchable=0, ready=0), phase=IndexingPhase.PAUSED)
    held = welcome_for(unread, has_model=False)
    assert held == Welcome(is_reading=True, is_held=True)
    view = WelcomeView(requests)
    qtbot.addWidget(view)
    view.show_welcome(held)
    said = " ".join(label.text() for label in view.findChildren(QLabel))
    assert "Your documents are not read yet" in said
    assert "Reading your documents" not in said


def test_the_view_follows_both(qtbot: QtBot, requests: ConversationRequests, tmp_path: Path) -> None:
    window, status = QWidget(), ShownStatus()
    view = ConversationView(requests, window)
    qtbot.addWidget(window)
    settings = SettingsControl(tmp_path / "settings.json", Credentials(), status, window)
    WelcomeControl(view, status, settings, RecentDocuments(window), window)

    def shown() -> str:
        return " ".join(label.text() for label in view.findChildren(QLabel) if label.isVisibleTo(view))

    assert "Opening your library" in shown()
    status.update(library())
    assert "Start with a folder" in shown()
    status.update(library(folder(1)))
    assert "Ask your documents" in shown()
    assert "No model is connected" in shown()
    settings.use(Settings((Profile("Local", "http://localhost:1/v1", "m"),), "Local"))
    assert "No model is connected" not in shown()
    status.reset()
    assert "Opening your library" in shown()
    settings.close()


@pytest.mark.parametrize("height", [560, 360, 300, 250])
def test_where_there_is_no_room_parts_are_left_out_and_none_is_squashed(qtbot: QtBot, height: int) -> None:
    pane = QWidget()  # that leaves the view no more room than it has
    qtbot.addWidget(pane)
    view = WelcomeView(ConversationRequests(ViewerRequests()), pane)
    questions = tuple(f"What does the lease of the house by the harbour say about repairs of part {n}?" for n in "123")
    view.show_welcome(Welcome(has_documents=True, examples=tuple(map(ExampleQuestion, questions))))
    view.resize(330, height)
    pane.show()
    QApplication.processEvents()
    parts = [w for w in view.findChildren(QWidget) if isinstance(w, SuggestionButton | QLabel) and w.isVisible()]
    assert parts
    for part in parts:
        assert part.height() >= part.heightForWidth(part.width()), part.accessibleName()
        assert view.rect().contains(QRect(part.mapTo(view, QPoint()), part.size()))
    shown = sum(isinstance(part, SuggestionButton) for part in parts)
    assert shown == 3 if height == 560 else shown < 3
    view.resize(330, 700)
    QApplication.processEvents()
    assert all(button.isVisible() for button in view.findChildren(SuggestionButton))
