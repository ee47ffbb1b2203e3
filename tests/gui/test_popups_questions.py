"""What stands around a question is readable in both themes and whole: the list at an @, its editor, suggestions."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.follow_up_topics import FollowUpTopic, TopicKind
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.gui.conversation.composer.scope_picker import ScopeChoice
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.conversation_view import FollowUpRow
from desktop_rag.gui.conversation.turn_question import QuestionEditor, QuestionRow
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.settings import Theme
from tests.gui.conversation.conftest import QUESTION, answered, working_events
from tests.gui.picture_checks import PictureCheck
from tests.slow_cases import slow_but

TURNS = [Turn(n, QUESTION, (*working_events(), answered("Once a year.")), 0, n - 1) for n in (1, 2)]
TOPICS = (
    FollowUpTopic(TopicKind.SECTION, "4. Deposit", "lease agreement.pdf"),
    FollowUpTopic(TopicKind.NAME, "Maria de Silva"),
    FollowUpTopic(TopicKind.COMPARE, "lease agreement.pdf", "2024-03 increase.eml"),
)


@pytest.fixture(params=slow_but([Theme.LIGHT], [Theme.LIGHT, Theme.DARK]), ids=["light", "dark"])
def pane(request: pytest.FixtureRequest, qapp: QApplication, qtbot: QtBot) -> Iterator[ConversationPane]:
    look = Look(qapp)
    look.use(request.param)
    pane = ConversationPane(ViewerRequests(), ShownStatus())
    qtbot.addWidget(pane)
    yield pane
    look.use(Theme.LIGHT)
    look.deleteLater()


@pytest.mark.parametrize("size", [QSize(1280, 700), QSize(420, 600)], ids=["wide", "narrow"])
def test_questions_and_what_opens_at_them(pane: ConversationPane, qtbot: QtBot, tmp_path: Path, size: QSize) -> None:
    check = PictureCheck(tmp_path / "pictures")
    pane.resize(size)
    pane.show()
    pane.view.show_turns(TURNS, [(2, 3), (1, 1)])
    pane.view.show_follow_ups(TOPICS)
    for _ in range(6):
        QApplication.processEvents()
    pane.view.jump_to_latest()
    check.check(pane, "suggestions")
    (row,) = pane.view.findChildren(FollowUpRow)
    assert [chip.question for chip in row.chips] == [
        "What does “4. Deposit” in lease agreement.pdf say?",
        "What else is said about Maria de Silva?",
        "Compare lease agreement.pdf with 2024-03 increase.eml",
    ]
    pane.view.turns[0].findChildren(QuestionRow)[0].edit()
    pane.view.reveal(1)
    QApplication.processEvents()
    check.check(pane.view.turns[0].findChildren(QuestionEditor)[0], "editor")
    pane.composer.set_question("Who pays @le")
    folder, pdfs = Filter(FileField.FOLDER, "/home/anna/Legal"), Filter(FileField.EXT, ".pdf")
    choices = (
        ScopeChoice("Legal", folder, documents=12),
        ScopeChoice("PDF", pdfs, documents=1),
        ScopeChoice("lease.pdf", sha256="ab", detail="Flat"),
    )
    pane.composer.picker.show_choices("le", choices)
    check.check(pane.composer.picker, "list of scopes")
    assert pane.rect().contains(pane.composer.picker.geometry())
    check.report()


def test_a_suggestion_is_edited_or_asked_and_can_be_hidden(pane: ConversationPane, qtbot: QtBot) -> None:
    pane.show()
    pane.view.show_turns(TURNS)
    pane.view.show_follow_ups(TOPICS)
    (row,) = pane.view.findChildren(FollowUpRow)
    with qtbot.waitSignal(pane.requests.follow_up_chosen) as chosen:
        row.chips[1].click()
    assert chosen.args == ["What else is said about Maria de Silva?", False]
    row.close_button.click()
    assert row.isHidden()
    pane.view.show_follow_ups(TOPICS)
    pane.view.begin_turn("Next?")
    assert [each for each in pane.view.findChildren(FollowUpRow) if not each.isHidden()] == []
