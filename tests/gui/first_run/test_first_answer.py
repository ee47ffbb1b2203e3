"""From the first start to a cited answer of a connected model, in at most ten actions of the user."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import Answered
from desktop_rag.app import App
from desktop_rag.gui.conversation.composer.question_field import QuestionField
from desktop_rag.gui.first_run.first_run_control import FirstRunDialog
from desktop_rag.paths import resources
from tests.endpoint import Call, ScriptedEndpoint, Turn
from tests.gui.test_end_to_end import READY_MILLISECONDS, part, wait_until_ready

pytestmark = pytest.mark.processes

MOST_ACTIONS = 10


class User:
    """Clicks and types, and counts: a text that is typed or pasted is one action, a key of its own another."""

    def __init__(self) -> None:
        self.actions = 0

    def click(self, widget: QWidget) -> None:
        assert widget.isVisible()
        assert widget.isEnabled(), widget
        self.actions += 1
        if isinstance(widget, QRadioButton | QCheckBox):
            widget.click()  # its middle may be beside its text
        else:
            QTest.mouseClick(widget, Qt.MouseButton.LeftButton)

    def type(self, widget: QWidget, text: str) -> None:
        self.actions += 1
        widget.setFocus()
        QTest.keyClicks(widget, text)

    def press(self, widget: QWidget, key: Qt.Key) -> None:
        self.actions += 1
        QTest.keyClick(widget, key)


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    return Path(shutil.copytree(resources() / "sample", tmp_path / "me" / "Documents"))


def test_a_new_user_has_a_cited_answer_after_ten_actions(
    documents: Path, app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert documents.is_dir()
    user = User()
    script = [
        Turn(calls=[Call("search", '{"queries": ["deposit"]}')]),
        Turn(text="The deposit is 2,520 euros [turn1search1]."),
    ]
    with ScriptedEndpoint(script, key="secret") as endpoint:
        app.introduction.offer()
        qtbot.waitUntil(lambda: bool(app.window.findChildren(FirstRunDialog)), timeout=READY_MILLISECONDS)
        (dialog,) = app.window.findChildren(FirstRunDialog)
        qtbot.waitUntil(dialog.isVisible)

        def button(text: str) -> QPushButton:
            return next(each for each in dialog.findChildren(QPushButton) if each.text() == text)

        def field(name: str) -> QLineEdit:
            return next(each for each in dialog.findChildren(QLineEdit) if each.accessibleName() == name)

        user.click(button("Continue"))
        user.click(next(each for each in dialog.findChildren(QRadioButton) if "elsewhere" in each.text()))
        user.type(field("Address of the model"), endpoint.base_url)
        user.type(field("Key of the model"), "secret")
        user.click(button("List its models"))
        qtbot.waitUntil(lambda: dialog.model.is_complete(), timeout=READY_MILLISECONDS)
        user.click(button("Continue"))
        tour = next(each for each in dialog.findChildren(QCheckBox) if "Show me around" in each.text())
        assert not tour.isChecked(), "the tour is for who asks for it: it would cost actions"
        user.click(button("Start"))
        wait_until_ready(app, qtbot)
        question = part(app.pane, QuestionField)
        user.type(question, "How high is the deposit?")
        with qtbot.waitSignal(app.conversations.answered, timeout=READY_MILLISECONDS) as ended:
            user.press(question, Qt.Key.Key_Return)
        (last,) = ended.args
        assert isinstance(last, Answered), last
        assert last.citations
        assert user.actions <= MOST_ACTIONS, user.actions
