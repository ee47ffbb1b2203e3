from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCharFormat, QTextCursor
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import Alteration, Claim, Judgment, Mark
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.answer.markdown_blocks import MarkdownTable, Paragraph, parse
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
    """Return the words of an answer that are underlined."""
    found = []
    block = view.document().begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            if fragment.charFormat().underlineStyle() is not QTextCharFormat.UnderlineStyle.NoUnderline:
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
    claims = [Claim(at := text.index(row), at + len(row), "silent", (1,)) for row in rows]
    [table] = [block for unit in mark_statements(text, claims).mark(parse(text)) for block in unit.blocks]
    assert isinstance(table, MarkdownTable)
    assert [piece.claim for row in table.rows for cell in row for piece in cell if piece.citation] == [1, 2]


def test_an_answer_without_claims_is_not_marked() -> None:
    assert mark_statements(TEXT, ()).mark(parse(TEXT)) == parse(TEXT)


def test_the_wrong_word_of_a_statement_is_marked() -> None:
    text = "The **rent** is due in *Edinburgh* [1](cite:1), it says [1](cite:1)."
    claim = Claim(0, text.index(" ["), "altered", (1,), Alteration("Edinburgh", "Leith"))
    later = Claim(text.index("it says"), len(text), "unchecked", (1,))
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
    assert view.toPlainText().partition("\n")[0] == "One  1 . Two  2↷ . Three  3! ."
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
        Claim(0, 37, "altered", (1,), Alteration("Paris", "Rome")),
        Claim(38, len(text), "unchecked", (1,)),
    )
    view.show_answer(text, [citation(1)], claims)
    assert view.toPlainText().startswith("The rent is due in Paris  1! . The rent is due  1 .\n")
    assert marked(view) == "Paris"
    cursor = view.textCursor()
    cursor.setPosition(view.toPlainText().index("Paris") + 2)
    assert cursor.charFormat().underlineStyle() is QTextCharFormat.UnderlineStyle.WaveUnderline
    cursor.setPosition(view.toPlainText().index("1!") + 1)
    assert cursor.charFormat().anchorHref() == "cite:1#1"


def test_a_computed_figure_is_marked_at_its_citation(view: AnswerView) -> None:
    text = "Costs rose by 31.8 million [1](cite:1)."
    view.show_answer(text, [citation(1)], (Claim(0, len(text), "computed", (1,), computed="900.0 − 868.2 = 31.8"),))
    assert view.toPlainText().partition("\n")[0] == "Costs rose by 31.8 million  1= ."


STATED = "The flat costs 8,400 euros [1](cite:1)."
FOUND = Alteration("8,400", "4,800")


@pytest.mark.parametrize(
    ("mark", "number", "ink", "underlined"),
    [
        ("quoted", "1✓", "success", ""),
        ("read", "1✓", "link", ""),
        ("otherwise", "1!", "danger", "The flat costs 8,400 euros"),
        ("silent", "1?", "warning", "The flat costs 8,400 euros"),
        ("altered", "1!", "danger", "8,400"),
        ("computed", "1=", "muted", ""),
        ("missing", "1", "link", "8,400 euros"),
        ("unchecked", "1", "link", ""),
        ("uncited", "1", "link", "The flat costs 8,400 euros"),
        ("earlier", "1", "link", ""),
    ],
)
def test_each_mark_has_its_look(view: AnswerView, mark: Mark, number: str, ink: str, underlined: str) -> None:
    missing = ("8,400 euros",) if mark == "missing" else ()
    altered = FOUND if mark == "altered" else None
    view.show_answer(STATED, [citation(1)], (Claim(0, len(STATED), mark, (1,), altered, missing),))
    text = view.toPlainText()
    assert text.partition("\n")[0] == f"The flat costs 8,400 euros  {number} ."
    assert marked(view) == underlined
    cursor = view.textCursor()
    cursor.setPosition(text.index(f" {number} ") + 2)
    assert cursor.charFormat().foreground().color().name() == getattr(current_colors(), ink)
    cursor.setPosition(text.index("8,4") + 2)
    lines = {"missing": "muted", "uncited": "warning", "silent": "warning"}
    if underlined:
        assert cursor.charFormat().underlineColor().name() == getattr(current_colors(), lines.get(mark, "danger"))


def test_words_that_are_not_written_there_are_underlined_in_grey_beside_a_tick(view: AnswerView) -> None:
    claim = Claim(0, len(STATED), "read", (1,), missing=("8,400 euros",), judgment=Judgment("says", "the flat"))
    view.show_answer(STATED, [citation(1)], (claim,))
    assert marked(view) == "8,400 euros"
    view.show_answer(STATED, [citation(1)], (replace(claim, missing=("8.400 Euro",)),))
    assert marked(view) == ""  # words that stand there in another form underline nothing else


def test_a_quoted_passage_has_no_tick(view: AnswerView) -> None:
    text = "> The flat costs 8,400 euros. [1](cite:1)"
    view.show_answer(text, [citation(1)], (Claim(2, len(text), "quoted", (1,)),))
    assert view.toPlainText() == "The flat costs 8,400 euros.  1 "


def test_a_statement_says_what_is_known_of_it_in_its_tooltip(view: AnswerView) -> None:
    view.show_answer(STATED, [citation(1)], (Claim(0, len(STATED), "unchecked", (1,)),))
    place = view.cursorRect(QTextCursor(view.document())).center() + QPoint(20, 0)
    assert view._claim_tip(place) == "Cited, not checked: read the lines."
