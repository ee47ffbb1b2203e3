"""Two answers are compared part by part: however long they are, a turn of the event loop has little to do."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from benchmarks.libraries.hostile_answers import HOSTILE
from desktop_rag.gui.conversation.answer import parsing
from desktop_rag.gui.conversation.answer.markdown_blocks import Unit, parse, plain_text
from desktop_rag.gui.conversation.answer.parsing import LONGEST
from desktop_rag.gui.conversation.timeline.comparison_dialog import PAGE, ComparedAnswers
from tests.slow_cases import slow_but

SIZE = 10_000


@pytest.fixture
def sheet(qtbot: QtBot) -> QWidget:
    sheet = QWidget()
    qtbot.addWidget(sheet)
    return sheet


def _compared(qtbot: QtBot, sheet: QWidget, left: str, right: str) -> ComparedAnswers:
    answers = ComparedAnswers((left, right), sheet)
    qtbot.waitUntil(lambda: answers.is_ready, timeout=60_000)
    return answers


def _pages(answers: ComparedAnswers, column: int) -> list[str]:
    while answers.switch.previous.isEnabled():
        answers.switch.previous.click()
    shown = [answers.labels[column].accessibleName().removeprefix("Answer: ")]
    while answers.switch.next.isEnabled():
        answers.switch.next.click()
        shown.append(answers.labels[column].accessibleName().removeprefix("Answer: "))
    return shown


@pytest.mark.parametrize("kind", slow_but(list(HOSTILE)[::3], HOSTILE))
def test_the_work_of_a_turn_is_bounded(
    kind: str, qtbot: QtBot, sheet: QWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed, lengths, turn = [0], list[int](), ComparedAnswers._on_turn

    def counted(text: str) -> tuple[Unit, ...]:
        parsed[-1] += len(text)
        return parse(text)

    def on_turn(answers: ComparedAnswers) -> None:
        parsed.append(0)
        turn(answers)

    monkeypatch.setattr(parsing, "parse", counted)
    monkeypatch.setattr(ComparedAnswers, "_on_turn", on_turn)
    answers = _compared(qtbot, sheet, HOSTILE[kind](SIZE), HOSTILE[kind](SIZE)[:-9])
    lengths += (len(page) for column in (0, 1) for page in _pages(answers, column))
    assert max(parsed) <= 2 * (LONGEST + 3_000)  # twice where a block is cut
    assert max(lengths) <= PAGE


def test_a_long_answer_is_shown_page_by_page_and_whole(qtbot: QtBot, sheet: QWidget) -> None:
    text = HOSTILE["10,000 rows"](SIZE)
    answers = _compared(qtbot, sheet, text, "No.")
    assert not answers.switch.isHidden()
    assert not answers.switch.previous.isEnabled()
    shown = " ".join(_pages(answers, 0)).split()
    cells = plain_text([block for unit in parse(text) for block in unit.blocks]).replace("\t", " · ")
    assert shown == cells.split()
    assert answers.labels[1].text() == "–"  # the other answer ends before the last page
    answers.switch.previous.click()
    assert answers.switch.next.isEnabled()


def test_a_sentence_on_another_page_of_the_other_answer_is_in_both(qtbot: QtBot, sheet: QWidget) -> None:
    filling = "".join(f"Sentence number {n} is here. " for n in range(400))
    answers = _compared(qtbot, sheet, f"{filling}\n\nRent is due.", f"Rent is due.\n\n{filling}\n\nOnly this.")
    _pages(answers, 0)
    assert answers.labels[0].accessibleDescription() == ""
    assert answers.labels[1].accessibleDescription() == "Only here: Only this."


def test_hidden_characters_are_neither_shown_nor_a_difference(qtbot: QtBot, sheet: QWidget) -> None:
    answers = _compared(qtbot, sheet, "Rent\u202e is\u200b due.", "Rent is due.")
    assert [label.text() for label in answers.labels] == ["Rent is due.", "Rent is due."]
    assert answers.switch.isHidden()
