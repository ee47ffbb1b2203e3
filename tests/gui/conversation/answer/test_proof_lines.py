"""The quotations behind the citations of an answer, and what speaks against it, in sight below each paragraph."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextBlock, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import Alteration, Citation, Claim, Judgment, Mark
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.answer.rich_text import PROOF
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.theme.theme import current_colors
from tests.gui.conversation.conftest import citation

DUE, PAID = "on the third working day of each month", "Major repairs are paid by the owner."
CITED = (replace(citation(1), quote=DUE), replace(citation(2), quote=PAID))
TEXT = "The rent is due early [1](cite:1). The owner pays [2](cite:2).\n\n- Again early [1](cite:1).\n\nEnd."


@pytest.fixture
def view(qtbot: QtBot, requests: ConversationRequests) -> AnswerView:
    view = AnswerView(requests.viewer)
    qtbot.addWidget(view)
    view.resize(500, 300)
    view.show()
    return view


def proof_blocks(view: AnswerView) -> list[QTextBlock]:
    """Return the proof lines of an answer."""
    found, block = list[QTextBlock](), view.document().begin()
    while block.isValid():
        if block.blockFormat().hasProperty(PROOF):
            found.append(block)
        block = block.next()
    return found


def proofs(view: AnswerView) -> list[str]:
    return [block.text() for block in proof_blocks(view)]


def test_the_quotation_behind_a_citation_stands_once_below_its_paragraph(view: AnswerView) -> None:
    view.show_answer(TEXT, CITED)
    lines = view.toPlainText().split("\n")
    assert lines[1:4] == [f"[1] “{DUE}”", f"[2] “{PAID}”", "Again early  1 ."]
    assert proofs(view) == lines[1:3]
    look = proof_blocks(view)[0].begin().fragment().charFormat()
    assert look.foreground().color().name() == current_colors().muted
    assert look.font().pointSizeF() < view._writer.font.pointSizeF()
    assert "✓" not in view.toPlainText()


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("> It is due on the third working day. [1](cite:1)", CITED[0]),  # a quotation that proves itself
        ("**third working day** [1](cite:1)", CITED[0]),  # the value above it
        (f"It is due “{DUE}” [1](cite:1).", CITED[0]),  # has the words already
        ("# It is due early [1](cite:1)", CITED[0]),
        ("It is due early [1](cite:1).", replace(CITED[0], verdict="paraphrase")),
        ("It is due early [1](cite:1).", replace(CITED[0], verdict="not found")),
        ("It is due early [1](cite:1).", replace(CITED[0], quote=" ")),
    ],
)
def test_a_quotation_that_is_not_proven_or_there_already_is_not_added(
    view: AnswerView, text: str, cited: Citation
) -> None:
    view.show_answer(text, (cited,))
    assert proofs(view) == []


def test_a_statement_quoted_word_for_word_needs_no_quotation(view: AnswerView) -> None:
    text = "The rent is due early [1](cite:1)."
    view.show_answer(text, CITED, (Claim(0, len(text), "quoted", (1,)),))
    assert proofs(view) == []


def test_a_paragraph_and_a_table_have_three_quotations_at_most(view: AnswerView) -> None:
    cited = [replace(citation(n), quote=f"proof {n}") for n in range(1, 9)]
    row = "".join(f"[{n}](cite:{n})" for n in range(1, 5))
    view.show_answer(f"Much {row}.\n\n| a |\n|---|\n| b [5](cite:5) |\n| c [6](cite:6) |\n\nEnd.", cited)
    assert proofs(view) == [f"[{n}] “proof {n}”" for n in (1, 2, 3, 5, 6)]
    assert view.toPlainText().endswith("[6] “proof 6”\nEnd.")


@pytest.mark.parametrize(
    ("mark", "said", "color"),
    [
        ("otherwise", "The model reads otherwise: “on the last day”.", "danger"),
        ("silent", "The model does not find this in the cited lines.", "warning"),
        ("altered", "The lines seem to say otherwise: “late”, not “early”.", "danger"),
    ],
)
def test_what_speaks_against_a_statement_stands_below_it(view: AnswerView, mark: Mark, said: str, color: str) -> None:
    text = "The rent is due early [1](cite:1)."
    judged = Judgment("contradicts", "on the last day") if mark == "otherwise" else None
    view.show_answer(text, CITED, (Claim(0, len(text), mark, (1,), Alteration("early", "late"), judgment=judged),))
    assert proofs(view) == [f"[1] {said}", f"[1] “{DUE}”"]
    look = proof_blocks(view)[0].begin().fragment().charFormat()
    assert look.foreground().color().name() == getattr(current_colors(), color)


def test_the_words_that_the_model_read_stand_below_a_statement_without_a_proven_quotation(view: AnswerView) -> None:
    text = "The rent is due early [1](cite:1)."
    claim = Claim(0, len(text), "read", (1,), judgment=Judgment("says", "by the third day"))
    view.show_answer(text, (replace(CITED[0], verdict="paraphrase"),), (claim,))
    assert proofs(view) == ["[1] Read by the model: “by the third day”."]
    view.show_answer(text, CITED, (claim,))
    assert proofs(view) == [f"[1] “{DUE}”"]


def test_a_streamed_answer_gets_its_quotations_when_it_is_complete(view: AnswerView) -> None:
    for start in range(0, len(TEXT), 9):
        view.feed(TEXT[start : start + 9])
        view.flush()
    assert proofs(view) == []
    view.show_answer(TEXT, CITED)
    assert proofs(view) == [f"[1] “{DUE}”", f"[2] “{PAID}”"]


def test_an_answer_of_many_parts_has_each_quotation_once(view: AnswerView, qtbot: QtBot) -> None:
    paragraphs = [f"Statement {n}: {'words ' * 60}[{n % 3 + 1}](cite:{n % 3 + 1})." for n in range(60)]
    cited = [replace(citation(n), quote=f"proof {n}") for n in range(1, 4)]
    for items in (paragraphs, [f"- {each}" for each in paragraphs]):
        view.clear_answer()
        view.show_answer("\n\n".join(items), cited)
        qtbot.waitUntil(lambda: not view.is_rendering)
        assert proofs(view) == ["[1] “proof 1”", "[2] “proof 2”", "[3] “proof 3”"]
        assert view.toPlainText().count("Statement") == 60


def test_a_long_quotation_stays_on_one_line_and_the_view_does_not_scroll(view: AnswerView) -> None:
    view.show_answer("Much [1](cite:1).", (replace(citation(1), quote="many words " * 30),))
    [block] = proof_blocks(view)
    assert block.layout().lineCount() == 1
    assert block.layout().lineAt(0).naturalTextWidth() > view.width()
    bar = view.horizontalScrollBar()
    assert (bar.minimum(), bar.maximum()) == (0, 0)
    picture = view.grab().toImage()
    area = view.document().documentLayout().blockBoundingRect(block)
    edge = {picture.pixelColor(view.width() - 2, y).lightness() for y in range(int(area.top()), int(area.bottom()))}
    assert min(edge) > 240  # it fades out


def test_a_click_opens_the_source_and_tab_goes_to_the_numbers_only(
    view: AnswerView, qtbot: QtBot, requests: ConversationRequests
) -> None:
    view.show_answer("Early [1](cite:1). Paid [2](cite:2).", CITED)
    [first, second] = proof_blocks(view)
    area = view.document().documentLayout().blockBoundingRect(second)
    with qtbot.waitSignal(requests.viewer.citation_requested) as opened:
        QTest.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(int(area.left()) + 60, int(area.center().y()))
        )
    assert opened.args == [CITED[1], tuple(CITED)]
    view.setFocus()
    reached = []
    for _ in range(2):
        QTest.keyClick(view, Qt.Key.Key_Tab)
        reached.append(view.textCursor().selectedText().strip())
    assert reached == ["1", "2"]
    assert first.text().startswith("[1] ")


def test_a_copied_answer_has_no_proof_lines_but_a_part_of_one_can_be_copied(view: AnswerView) -> None:
    view.show_answer(TEXT, CITED)
    view.selectAll()
    view.copy()
    copied = QGuiApplication.clipboard().text()
    assert copied == "The rent is due early  1 . The owner pays  2 .\nAgain early  1 .\nEnd."
    cursor = QTextCursor(view.document())
    line = proof_blocks(view)[0]
    cursor.setPosition(4)
    cursor.setPosition(line.position() + 6, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    assert view.selected_text().startswith("rent is due")
    assert "[1]" not in view.selected_text()
    cursor.setPosition(line.position() + 5)
    cursor.setPosition(line.position() + 7, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    assert view.selected_text() == DUE[:2]
    assert "[1] “" not in view.as_plain_text().partition("\n\n[1]")[0]


def test_marks_that_come_later_change_only_what_they_concern(view: AnswerView, qtbot: QtBot) -> None:
    claims = (Claim(0, 33, "unchecked", (1,)), Claim(34, 61, "unchecked", (2,)))
    view.show_answer(TEXT, CITED, claims)
    height = view.height()
    document = view.document()
    view.show_answer(TEXT, CITED, claims)  # nothing new: nothing is rendered again
    assert (view.document(), view.height(), view.is_rendering) == (document, height, False)
    heights: list[int] = []
    document.documentLayout().documentSizeChanged.connect(lambda _: heights.append(view.height()))
    view.show_answer(TEXT, CITED, (replace(claims[0], mark="read"), claims[1]))
    assert "1✓" in view.toPlainText()
    assert view.height() == height
    assert set(heights) <= {height}  # it never collapsed meanwhile
