"""The answers of two runs side by side."""

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import RunStopped
from desktop_rag.gui.conversation.timeline.comparison_dialog import ComparableRun, ComparisonDialog
from tests.gui.conversation.conftest import QUESTION, answered, working_events

HOUR = 3_600 * 10**9  # ns
TABLE = "The rent is **due** [1](cite:1) .\n\n| year | rent |\n|---|---|\n| 2023 | 840 [2](cite:2) |\n"


@pytest.fixture
def dialog(qtbot: QtBot) -> ComparisonDialog:
    one, other = (
        Turn(n, QUESTION, (*working_events(), answered(text)), n * 3_600 * 10**9)
        for n, text in ((1, TABLE), (2, "No. Never."))
    )
    dialog = ComparisonDialog(one, [ComparableRun(other)])
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_runs_of_the_same_model_differ_by_their_time(dialog: ComparisonDialog) -> None:
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    asked = texts.index("Asked")
    assert [text.partition(" · ")[0] for text in texts[asked - 2 : asked]] == ["1 of 2", "2 of 2"]
    one, other = texts[asked + 1 : asked + 3]
    assert one
    assert one != other


def test_answers_are_compared_without_mark_up(dialog: ComparisonDialog) -> None:
    answers = [label for label in dialog.findChildren(QLabel) if label.accessibleName().startswith("Answer: ")]
    assert [label.accessibleName() for label in answers] == [
        "Answer: The rent is due. year · rent 2023 · 840",
        "Answer: No. Never.",
    ]
    assert "<br>" in answers[0].text()
    assert "|" not in answers[0].text()


def test_formulas_are_compared_as_text_that_can_be_read(qtbot: QtBot) -> None:
    one, other = (
        Turn(n, QUESTION, (*working_events(), answered(rf"It is $\frac{{a}}{{{n}}} \le \alpha$.")), n) for n in (1, 2)
    )
    dialog = ComparisonDialog(one, [ComparableRun(other)])
    qtbot.addWidget(dialog)
    names = [label.accessibleName() for label in dialog.findChildren(QLabel)]
    assert [name for name in names if name.startswith("Answer: ")] == [
        "Answer: It is a/1 ≤ α.",
        "Answer: It is a/2 ≤ α.",
    ]


@pytest.mark.parametrize(
    ("now", "reason"), [(True, "Only the searches were repeated"), (False, "Stopped before an answer was written")]
)
def test_a_side_without_an_answer_says_why(qtbot: QtBot, now: bool, reason: str) -> None:
    one = Turn(1, QUESTION, (*working_events(), answered("It is due.")), 1)
    other = Turn(2, QUESTION, (*working_events(), RunStopped("", (), 1.0)), 2)
    dialog = ComparisonDialog(one, [ComparableRun(other, now=now)])
    qtbot.addWidget(dialog)
    answers = [label for label in dialog.findChildren(QLabel) if label.accessibleName().startswith("Answer: ")]
    assert [label.accessibleName() for label in answers] == ["Answer: It is due.", f"Answer: {reason}"]
    assert answers[1].text() == reason
