"""Suggestions for the next question, in the language of the one that was asked."""

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.follow_up_topics import FollowUpTopic, TopicKind
from desktop_rag.gui.conversation.conversation_view import FollowUpRow

TOPIC = FollowUpTopic(TopicKind.SECTION, "传感器笔记", "传感器笔记.md")


@pytest.mark.parametrize(
    ("asked", "suggested"),
    [
        ("湿度传感器S4什么时候发生故障？", "传感器笔记.md 中的“传感器笔记”说了什么？"),
        ("Wann ist der Sensor ausgefallen?", "Was steht unter „传感器笔记“ in 传感器笔记.md?"),
        ("When did the sensor fail?", "What does “传感器笔记” in 传感器笔记.md say?"),
    ],
)
def test_suggestions_are_in_the_language_of_the_question(qtbot: QtBot, asked: str, suggested: str) -> None:
    row = FollowUpRow((TOPIC,), asked)
    qtbot.addWidget(row)
    assert [chip.question for chip in row.chips] == [suggested]
