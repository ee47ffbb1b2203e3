from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.gui.conversation.answer import markdown_blocks
from desktop_rag.gui.conversation.answer.markdown_blocks import (
    Code,
    MarkdownSpan,
    MarkdownTable,
    Paragraph,
    Pieces,
    closed,
    parse,
    plain_text,
    without_unfinished,
)


def _words(text: str) -> str:
    return plain_text([block for unit in parse(text) for block in unit.blocks])


def test_a_citation_is_a_number_not_a_link_address() -> None:
    (unit,) = parse("Monthly [12](cite:12).")
    (block,) = unit.blocks
    assert isinstance(block, Paragraph)
    assert [(piece.text, piece.citation, piece.address) for piece in block.pieces][1] == ("12", 12, "")


def test_html_stays_visible_text() -> None:
    assert _words("a <b>bold</b> <img src='/etc/passwd'>") == "a <b>bold</b> <img src='/etc/passwd'>"


def test_an_image_becomes_its_alternative_text() -> None:
    assert _words("see ![the *plan*](file:///etc/passwd)") == "see the plan"


@pytest.mark.parametrize("address", ["https://example.org/a", "javascript:alert(1)", "file:///etc/passwd"])
def test_a_link_shows_its_address(address: str) -> None:
    assert _words(f"[here]({address})") == f"here ({address})"


def test_an_address_that_is_its_own_text_is_shown_once() -> None:
    assert _words("<https://example.org/>") == "https://example.org/"


def test_lists_keep_their_numbers_depth_and_tasks() -> None:
    units = parse("3. three\n4. four\n   - [x] done\n")
    blocks = [block for unit in units for block in unit.blocks]
    found = [(block.number, block.depth) for block in blocks if isinstance(block, Paragraph)]
    assert found == [(3, 1), (4, 1), (0, 2)]
    assert _words("- [x] done") == "• ☑ done"


def test_code_and_tables_are_read_with_language_and_alignment() -> None:
    code, table = (unit.blocks[0] for unit in parse("```py\nx = 1\n```\n\n|a|b|\n|-|-:|\n|1|2|\n"))
    assert code == Code("x = 1", "py")
    assert isinstance(table, MarkdownTable)
    assert table.aligns == ("left", "right")
    assert len(table.rows) == 2


@pytest.mark.parametrize("end", ["[", "[1", "[1]", "[1](", "[1](cit", "**", "`", "[the act](https://exam"])
def test_unfinished_mark_up_is_held_back(end: str) -> None:
    assert without_unfinished(f"Rent is due {end}") == "Rent is due "


def test_a_finished_citation_is_not_held_back() -> None:
    assert without_unfinished("due [1](cite:1)") == "due [1](cite:1)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It is **1,850 eur", "It is **1,850 eur**"),
        ("It is **1,850 ", "It is **1,850**"),
        ("It is **", "It is "),
        ("**a**\n\nx `2**3` y", "**a**\n\nx `2**3` y"),
    ],
)
def test_bold_words_of_an_interrupted_text_are_ended(text: str, shown: str) -> None:
    assert closed(text) == shown


@given(st.text(alphabet="ab12 \n#>-*`|[]()!.:_~\\<&", max_size=200))
def test_units_start_on_increasing_lines_for_any_text(text: str) -> None:
    lines = [unit.line for unit in parse(text)]
    assert lines == sorted(lines)
    assert all(line <= text.count("\n") for line in lines)


_PHRASES = (
    "The rent is **raised once** a year. ",
    "See [3](cite:3). ",
    "It is *never. By more* than that. ",
    "Call `f(a. B)` twice. ",
    "A 2 * 3 sum (in part. Of all). ",
    "An [act](http://x.y/z. Q) says so! ",
    "Half ~~gone. Away~~ now. ",
    "The mass $m = E/c^2$ is it. ",
    "Broken **bold stays. ",
    "Or _this. And that_ too. ",
)


@given(st.lists(st.sampled_from(_PHRASES), min_size=40, max_size=90))
def test_a_long_paragraph_is_parsed_in_parts_as_if_in_one(phrases: list[str]) -> None:
    text = "".join(phrases).strip()
    (unit,) = parse(text)
    (block,) = unit.blocks
    assert isinstance(block, Paragraph)

    def styled(pieces: Pieces) -> list[tuple[str, MarkdownSpan]]:
        return [(char, replace(piece, text="")) for piece in pieces for char in piece.text]

    assert styled(block.pieces) == styled(markdown_blocks._inline_pieces(text, {}))


def test_a_link_may_be_defined_elsewhere_in_the_text() -> None:
    text = "See [the act][1].\n\n| a |\n|---|\n| [here][1] |\n\n[1]: http://x.y/z"
    assert _words(text) == "See the act (http://x.y/z).\n\na\nhere (http://x.y/z)"


def test_a_quotation_is_indented_as_plain_text() -> None:
    assert _words("So:\n\n> Rent\n>\n> - due") == "So:\n\n    Rent\n\n    • due"


def test_deeply_nested_lists_are_shown() -> None:
    text = "".join(f"{'  ' * level}- level {level}.\n" for level in range(18))
    shown = "\n".join(plain_text(unit.blocks) for unit in parse(text))
    assert all(f"level {level}." in shown for level in range(18))


@pytest.mark.parametrize("text", ["A.\n\n*Quoted from your documents.*", "It is **six months**", "> *a b*"])
def test_emphasis_that_has_ended_is_not_opened_again(text: str) -> None:
    """Such text stands while a model reads or after it failed."""
    assert closed(text) == text


@pytest.mark.parametrize(("text", "kept"), [("It is *", "It is "), ("a **b*", "a **b**"), ("2 * 3 *", "2 * 3 ")])
def test_emphasis_that_has_only_begun_is_left_out(text: str, kept: str) -> None:
    assert closed(text) == kept
