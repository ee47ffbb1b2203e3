"""Lines through words, letters of symbol fonts and printed page numbers of PDF files."""

import pymupdf
import pytest

from desktop_rag.documents.format_registry import read_document


def texts(file: pymupdf.Document) -> list[str]:
    return [line.text for line in read_document("a.pdf", file.tobytes()).lines() if line.text]


def written(pieces: list[tuple[str, str]]) -> pymupdf.Document:
    """Return a page with a line of pieces, each with a line through it, below it, or none."""
    page = (file := pymupdf.open()).new_page()
    page.insert_text((72, 100), "".join(text for text, _ in pieces), fontsize=12)
    x = 72.0
    for text, look in pieces:
        width = pymupdf.get_text_length(text, fontsize=12)
        height = {"through": 96.5, "below": 101.5, "above": 90.0}.get(look)
        if height is not None:
            page.draw_line((x, height), (x + width, height), width=0.7)
        x += width
    return file


@pytest.mark.parametrize(
    ("pieces", "read"),
    [
        ([("It costs ", ""), ("1,200", "through"), (" 1,450.", "")], "It costs [deleted: 1,200] 1,450."),
        ([("two weeks", "through"), (" three", "")], "[deleted: two weeks] three"),
        ([("It is over.", "through")], "[deleted: It is over.]"),
        ([("It costs ", ""), ("1,200", "below"), (" crowns.", "")], "It costs 1,200 crowns."),
        ([("It costs ", ""), ("1,200", "above"), (" crowns.", "")], "It costs 1,200 crowns."),
    ],
)
def test_a_line_through_words_deletes_them(pieces: list[tuple[str, str]], read: str) -> None:
    assert texts(written(pieces)) == [read]


def test_a_long_line_behind_words_is_none_through_them() -> None:
    file = written([("20 %", "")])
    file[0].draw_line((60, 96.5), (500, 96.5), width=0.5)
    assert texts(file) == ["20 %"]


@pytest.mark.parametrize(
    ("font", "letter", "shown"),
    [("zadb", "3", "✓"), ("zadb", "4", "✔"), ("zadb", "8", "✘"), ("zadb", "o", "☐"), ("symb", "a", "α")],
)
def test_letters_of_symbol_fonts_are_symbols(font: str, letter: str, shown: str) -> None:
    page = (file := pymupdf.open()).new_page()
    page.insert_text((72, 100), letter, fontname=font, fontsize=12)
    page.insert_text((84, 100), "Insured", fontsize=12)
    page.insert_text((72, 130), f"{letter} is a letter", fontsize=12)
    lines = texts(file)
    assert lines[0].replace(" ", "") == f"{shown}Insured"
    assert lines[1] == f"{letter} is a letter"


def test_a_long_number_beside_larger_letters_is_not_raised() -> None:
    page = (file := pymupdf.open()).new_page()
    page.insert_text((72, 100), "Milk", fontsize=12)
    page.insert_text((72 + pymupdf.get_text_length("Milk", fontsize=12), 96), "1100", fontsize=8)
    assert "1100" in "".join(texts(file))


def test_pages_with_printed_numbers_name_them() -> None:
    file = pymupdf.open()
    for number in range(4):
        file.new_page().insert_text((72, 100), f"Words {number}.")
    assert read_document("a.pdf", file.tobytes()).structure.sections == ()
    file.set_page_labels(
        [
            {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1},
            {"startpage": 2, "prefix": "A-", "style": "D", "firstpagenum": 7},
        ]
    )
    document = read_document("a.pdf", file.tobytes())
    assert [section.label for section in document.structure.sections] == ["p. i", "p. ii", "p. A-7", "p. A-8"]
    found = next(number for number, line in enumerate(document.lines(), 1) if line.text == "Words 2.")
    assert (document.page_of(found), document.structure.section_of(found)) == (3, "p. A-7")


@pytest.mark.parametrize(
    ("labels", "sections"),
    [
        ("<</Nums[0<</P(Cover)>>1<</S/D>>]>>", ["p. Cover", "p. 1"]),
        ("<</Nums[0<</S/D>>]>>", []),
        ("<</Nums[0 7]>>", []),
        ("<</Nums[(a)<</S/Z/St(x)>>]>>", []),
    ],
)
def test_odd_names_of_pages_cost_no_page(labels: str, sections: list[str]) -> None:
    file = pymupdf.open()
    for number in range(2):
        file.new_page().insert_text((72, 100), f"Words {number}.")
    file.xref_set_key(file.pdf_catalog(), "PageLabels", labels)
    document = read_document("a.pdf", file.tobytes())
    assert "Words 0.\n\nWords 1." in document.text
    assert [section.label for section in document.structure.sections] == sections
