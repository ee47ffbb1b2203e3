import pytest
from PySide6.QtGui import QTextCharFormat
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import Claim, ClaimFault
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.answer.markdown_blocks import MarkdownTable, Paragraph, parse
from desktop_rag.gui.conversation.answer.pieces_writing import CLAIM
from desktop_rag.gui.conversation.answer.statement_marks import mark_statements
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.theme.theme import current_colors
from tests.gui.conversation.conftest import citation

TEXT = (
    "The rent **is due** monthly [1](cite:1). Paris is *in* [France](https://a.b). Yes.\n\n"
    "| moon | 7 |\n|---|---|\n| sun | 8 |"
)


def uncited(text: str, *statements: str) -> tuple[Claim, ...]:
    return tuple(Claim(at := text.index(words), at + len(words), "uncited") for words in statements)


@pytest.fixture
def view(qtbot: QtBot, requests: ConversationRequests) -> AnswerView:
    view = AnswerView(requests.viewer)
    qtbot.addWidget(view)
    view.resize(500, 300)
    view.show()
    return view


def marked(view: AnswerView) -> str:
    """Return the words of an answer that are set apart."""
    found = []
    block = view.document().begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            if fragment.charFormat().hasProperty(CLAIM):
                found.append(fragment.text())
            iterator += 1
        block = block.next()
    return "".join(found)


def test_exactly_the_text_of_a_statement_is_marked() -> None:
    found = mark_statements(TEXT, uncited(TEXT, "Paris is *in* [France](https://a.b).", "| sun | 8 |"))
    blocks = [block for unit in found.mark(parse(TEXT)) for block in unit.blocks]
    paragraph, table = blocks
    assert isinstance(paragraph, Paragraph)
    assert "".join(piece.text for piece in paragraph.pieces if piece.faulty) == "Paris is in France (https://a.b)."
    assert isinstance(table, MarkdownTable)
    assert [piece.faulty for row in table.rows for cell in row for piece in cell] == [False, False, True, True]


def test_a_citation_in_a_cell_of_its_own_belongs_to_the_statement_of_its_row() -> None:
    text = "| Item | Value | Source |\n|---|---|---|\n| Rent | 3,150 | [1](cite:1) |\n| Area | 420 | [1](cite:1) |"
    rows = ("| Rent | 3,150 | [1](cite:1) |", "| Area | 420 | [1](cite:1) |")
    claims = [Claim(at := text.index(row), at + len(row), "unsupported", (1,)) for row in rows]
    [table] = [block for unit in mark_statements(text, claims).mark(parse(text)) for block in unit.blocks]
    assert isinstance(table, MarkdownTable)
    assert [piece.claim for row in table.rows for cell in row for piece in cell if piece.citation] == [1, 2]


def test_an_answer_without_claims_is_not_marked() -> None:
    assert mark_statements(TEXT, ()).mark(parse(TEXT)) == parse(TEXT)


def test_the_wrong_word_of_a_statement_is_marked() -> None:
    text = "The **rent** is due in *Edinburgh* [1](cite:1), it says [1](cite:1)."
    claim = Claim(0, text.index(" ["), "unsupported", (1,), (ClaimFault("name", "Edinburgh"),))
    later = Claim(text.index("it says"), len(text), "supported", (1,))
    [unit] = mark_statements(text, (claim, later)).mark(parse(text))
    [paragraph] = unit.blocks
    assert isinstance(paragraph, Paragraph)
    assert [piece.text for piece in paragraph.pieces if piece.faulty] == ["Edinburgh"]
    assert [piece.claim for piece in paragraph.pieces if piece.citation] == [1, 2]


def test_a_statement_without_a_source_is_underlined_when_the_answer_ends(view: AnswerView, qtbot: QtBot) -> None:
    view.feed(TEXT)
    view.flush()
    assert marked(view) == ""
    view.show_answer(TEXT, [citation(1)], uncited(TEXT, "Yes."))
    assert marked(view) == "Yes."
    cursor = view.textCursor()
    cursor.setPosition(view.toPlainText().index("Yes.") + 2)
    assert cursor.charFormat().underlineStyle() is QTextCharFormat.UnderlineStyle.DotLine
    view.clear_answer()
    view.feed("Yes.")
    view.flush()
    assert marked(view) == ""


def test_the_number_of_an_unsupported_citation_is_coloured(view: AnswerView) -> None:
    text = "One [1](cite:1). Two [2](cite:2). Three [3](cite:3)."
    view.feed(text)
    view.flush()
    assert view.toPlainText() == "One  1 . Two  2 . Three  3 ."
    view.show_answer(text, [citation(1), citation(2, "misattributed"), citation(3, "not found")])
    assert view.toPlainText() == "One  1 . Two  2↷ . Three  3! ."
    colors = current_colors()
    inks = []
    for words in ("1", "2↷", "3!"):
        cursor = view.textCursor()
        cursor.setPosition(view.toPlainText().index(words) + 1)
        inks.append(cursor.charFormat().foreground().color().name())
    assert inks == [colors.link, colors.warning, colors.danger]


def test_only_the_number_after_a_statement_that_failed_is_red(view: AnswerView) -> None:
    text = "The rent is due in Paris [1](cite:1). The rent is due [1](cite:1)."
    claims = (
        Claim(0, 37, "unsupported", (1,), (ClaimFault("name", "Paris"),)),
        Claim(38, len(text), "supported", (1,)),
    )
    view.show_answer(text, [citation(1)], claims)
    assert view.toPlainText() == "The rent is due in Paris  1! . The rent is due  1 ."
    assert marked(view).startswith("The rent is due in Paris")
    cursor = view.textCursor()
    cursor.setPosition(view.toPlainText().index("Paris") + 2)
    assert cursor.charFormat().underlineStyle() is QTextCharFormat.UnderlineStyle.WaveUnderline
    cursor.setPosition(view.toPlainText().index("1!") + 1)
    assert cursor.charFormat().anchorHref() == "cite:1#1"


def test_a_computed_figure_is_marked_at_its_citation(view: AnswerView) -> None:
    text = "Costs rose by 31.8 million [1](cite:1)."
    view.show_answer(text, [citation(1)], (Claim(0, len(text), "computed", (1,), (), "900.0 − 868.2 = 31.8"),))
    assert view.toPlainText() == "Costs rose by 31.8 million  1= ."
