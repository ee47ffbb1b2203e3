"""Mark-up in a quotation of a Markdown file is rendered; in one of any other file it stands as it is."""

import pytest

from desktop_rag.agent.extractive.answer import literal
from desktop_rag.gui.conversation.answer.formulas import has_markup, load_formulas, ready_formula, show_quoted_markup
from desktop_rag.gui.conversation.answer.markdown_blocks import MarkdownSpan, Paragraph, parse
from desktop_rag.stop import Stop


def _shown(quoted: str, markdown: frozenset[int] = frozenset({1})) -> tuple[str, str, str]:
    """Return the text shown for a quotation, its bold words and its code."""
    text = f"> {literal(quoted)} [1](cite:1)"
    (unit,) = show_quoted_markup(parse(text), markdown)
    (block,) = unit.blocks
    assert isinstance(block, Paragraph)
    words = [piece for piece in block.pieces if not piece.citation]
    return _text(words), _text([p for p in words if p.bold]), _text([p for p in words if p.code])


def _text(pieces: list[MarkdownSpan]) -> str:
    return "".join(piece.text for piece in pieces).strip()


@pytest.mark.parametrize(
    ("quoted", "shown"),
    [
        ("The **rent** is due.", ("The rent is due.", "rent", "")),
        ("## 3. Rent", ("3. Rent", "", "")),
        ("- **Rent:** `840`", ("Rent: 840", "Rent:", "840")),
        ("See [the lease](lease.md).", ("See the lease.", "", "")),
        ("**The rent is due.", ("The rent is due.", "", "")),
        ("ends on 31 March**", ("ends on 31 March", "", "")),
        ("2**3 is 8, a * b too", ("2**3 is 8, a * b too", "", "")),
        ("See [[Lease|the lease]] of the *rent*, 2*3*4", ("See the lease of the rent, 2*3*4", "", "")),
        (r"For every $n \geq x_1$ it holds", (r"For every n \geq x_1 it holds", "", "")),
    ],
)
def test_mark_up_of_a_markdown_file_is_rendered(quoted: str, shown: tuple[str, str, str]) -> None:
    assert _shown(quoted) == shown


def test_other_files_are_quoted_as_they_are() -> None:
    assert _shown("def f(**options): **all**", frozenset()) == ("def f(**options): **all**", "", "")


def test_what_is_not_quoted_stays() -> None:
    units = parse("Say \\*\\*this\\*\\* [1](cite:1)")
    assert show_quoted_markup(units, frozenset({1})) == units


def test_an_answer_without_escapes_is_not_rendered_again() -> None:
    assert has_markup(literal("**rent**"), {1})
    assert has_markup(literal(r"$\alpha$"), ())
    assert not has_markup("The **rent** [1](cite:1)", {1})


def test_formulas_are_those_of_the_file_in_quotations_of_any_format() -> None:
    assert _shown(r"For every $n \geq x_1$ it holds", frozenset())[0] == r"For every n \geq x_1 it holds"
    (unit,) = show_quoted_markup(parse(r"> A set $\{n \geq 1\}$ of a model [1](cite:1)"), ())
    (block,) = unit.blocks
    assert isinstance(block, Paragraph)
    assert [piece.text for piece in block.pieces if piece.math] == [r"\{n \geq 1\}"]


def test_a_quoted_formula_is_typeset_as_it_is_drawn() -> None:
    load_formulas("> " + literal(r"Every $m \geq 7$ holds") + " [1](cite:1)", Stop())
    assert ready_formula(r"m \geq 7", display=False) is not None


def test_latex_is_shown_as_the_reading_view_shows_it() -> None:
    quoted = literal(r"The mean error fell from 4.2\,\% to \textbf{0.8}\,\%.")
    (unit,) = show_quoted_markup(parse(f"> {quoted} [1](cite:1)"), frozenset(), frozenset({1}))
    (block,) = unit.blocks
    assert isinstance(block, Paragraph)
    assert _text(list(block.pieces)).startswith("The mean error fell from 4.2 % to 0.8 %.")


def test_a_value_set_in_bold_inside_of_bold_text_loses_its_signs() -> None:
    (unit,) = show_quoted_markup(parse(r"> The rent is \*\***840 euros**\*\* a month [1](cite:1)"), frozenset({1}))
    (block,) = unit.blocks
    assert isinstance(block, Paragraph)
    assert _text([piece for piece in block.pieces if not piece.citation]) == "The rent is 840 euros a month"
