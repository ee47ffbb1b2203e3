"""Formulas are drawn inside the text, amounts of money are not taken for them, and hostile TeX costs little."""

import time

import pytest
from PySide6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import Alteration, Claim
from desktop_rag.gui.conversation.answer.answer_view import AnswerView
from desktop_rag.gui.conversation.answer.formulas import OBJECT, load_formulas, ready_formula, typeset
from desktop_rag.gui.conversation.answer.markdown_blocks import Paragraph, parse, plain_text
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.stop import Stop
from tests.gui.conversation.conftest import CITATIONS


@pytest.fixture
def view(qtbot: QtBot, requests: ConversationRequests) -> AnswerView:
    view = AnswerView(requests.viewer)
    qtbot.addWidget(view)
    view.resize(700, 400)
    view.show()
    return view


def _formulas(text: str) -> list[str]:
    blocks = (block for unit in parse(text) for block in unit.blocks)
    return [piece.text for block in blocks if isinstance(block, Paragraph) for piece in block.pieces if piece.math]


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("Energy is $E=mc^2$ here.", ["E=mc^2"]),
        (r"With \(a + b\) and \[c\] too", ["a + b", "c"]),
        (r"The $COP = \frac{Q}{W}$ of it", [r"COP = \frac{Q}{W}"]),
        ("Here $n$, $x'$ and $12$.", ["n", "x'", "12"]),
        ("$$\na^2\n+ b^2\n$$", ["a^2\n+ b^2"]),
        ("\\[\n\\frac{a}{b}\n\\]\nafter", [r"\frac{a}{b}"]),
        ("> - $$x_1$$", ["x_1"]),
        (r"a \$5 tip and $x\$y$", [r"x\$y"]),
        ("**bold $a^2$**", ["a^2"]),
    ],
)
def test_formulas_are_found(text: str, formulas: list[str]) -> None:
    assert _formulas(text) == formulas


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $10.",
        "Between $5-$10, or $5/$6, or US$ 7 and US$ 8.",
        "The rent rose from $2.7 billion [1](cite:1) to $3.2 billion [2](cite:2).",
        "It is $5, plus fees of $3 (all in $).",
        "Set $HOME and $PATH, then `$x^2$`.",
        "```\n$a^2$\n```",
        "    $a^2$",
        "An open $x^2 and no end",
        "$$",
        "$ x^2 $",
        "\\[ never closed\n\nother paragraph \\]",
    ],
)
def test_amounts_code_and_unfinished_formulas_stay_text(text: str) -> None:
    assert _formulas(text) == []
    shown = plain_text([block for unit in parse(text) for block in unit.blocks])
    assert shown.count("$") == text.count("$")


def _colors(image: QImage) -> set[int]:
    return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}


def test_a_formula_is_drawn_on_the_line_of_its_text(view: AnswerView) -> None:
    text = r"Energy is $E=mc^2$ here."
    load_formulas(text, Stop())
    view.show_answer(text)
    assert view.toPlainText() == f"Energy is {OBJECT} here."
    block = view.document().begin()
    assert block.layout().lineCount() == 1
    line = block.layout().lineAt(0)
    left, right = (line.cursorToX(at)[0] for at in (10, 11))  # type: ignore[index]
    assert 30 < right - left < 150
    picture = view.viewport().grab().toImage().copy(int(left), 0, int(right - left), view.height())
    assert len(_colors(picture)) > 5


def test_a_fraction_makes_its_line_higher_and_stays_whole(view: AnswerView) -> None:
    view.show_answer("One line.")
    before = view.height()
    text = "One $$" + r"\frac{\frac{a}{b}}{c}" + "$$ line."
    load_formulas(text, Stop())
    view.show_answer(text)
    assert view.height() > before * 1.3


def test_a_formula_that_cannot_be_drawn_is_readable_as_tex(view: AnswerView) -> None:
    text = r"Here $\frac{a$ stands."
    load_formulas(text, Stop())
    view.show_answer(text)
    assert view.toPlainText() == r"Here \frac{a stands."


def test_a_selection_is_copied_with_tex(view: AnswerView) -> None:
    text = "First $a^2$, then $b_1$; end."
    load_formulas(text, Stop())
    view.show_answer(text)
    view.selectAll()
    view.copy()
    assert QGuiApplication.clipboard().text() == text
    assert view.as_plain_text() == "First a², then b₁; end."


def test_a_marked_statement_with_a_formula_keeps_it_whole(view: AnswerView) -> None:
    text = "The mass is $m = E/c^2$ [1](cite:1). Other."
    load_formulas(text, Stop())
    view.show_answer(text, CITATIONS, (Claim(0, 36, "altered", (1,), Alteration("E", "F")),))
    assert view.toPlainText().count(OBJECT) == 1


@pytest.mark.parametrize(
    "tex",
    [
        r"\frac{" * 200 + "x" + "}{y}" * 200,
        "{" * 500,
        r"\left(" * 80,
        r"\def\x{\x\x}\x",
        r"\newcommand{\a}{\b\b}\newcommand{\b}{\a\a}\a",
        r"\sqrt" * 119,
        "^^^",
        "&<",
        r"\begin{matrix}",
        r"\input{/etc/passwd}",
        "x" * 2_000,
        "",
    ],
)
def test_hostile_tex_costs_little_and_raises_nothing(tex: str) -> None:
    typeset("x", display=False)  # the font is loaded
    started = time.process_time()
    typeset(tex, display=True)
    assert time.process_time() - started < 5


def test_a_streaming_answer_shows_a_formula_as_soon_as_it_is_complete(view: AnswerView) -> None:
    text = "Energy $E=mc^2$ and\n\n$$\n\\sum_i x_i\n$$\n\nend."
    for start in range(0, len(text), 3):
        load_formulas(text[: start + 3], Stop())
        view.feed(text[start : start + 3])
        view.flush()
    view.show_answer(text)
    assert view.toPlainText().count(OBJECT) == 2
    assert ready_formula(r"\sum_i x_i", display=True) is not None
