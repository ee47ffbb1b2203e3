"""Letters that a PDF sets apart are joined to words, but only where that is certain."""

import pymupdf

from desktop_rag.documents.format_registry import read_document

PROSE = "This line has the spaces of any other line of text, and so the page has spaces of its own."


def text_of(*commands: str, prose: str = PROSE) -> str:
    with pymupdf.open() as file:
        page = file.new_page(width=595, height=842)
        page.insert_text((72, 100), prose, fontsize=10)
        shown = "\n".join(f"BT /helv 10 Tf {command} ET" for command in commands)
        file.update_stream(page.get_contents()[0], page.read_contents() + shown.encode())
        data = file.tobytes()
    return read_document("a.pdf", data).text


def test_letters_set_apart_are_words_with_the_spaces_of_the_page() -> None:
    text = text_of(
        "3 Tc 72 600 Td (Beijing 100031) Tj", "3 Tc 72 560 Td (China Ocean Shipping \\(Group\\) of Keelung) Tj"
    )
    assert "Beijing 100031" in text
    assert "China Ocean Shipping (Group) of Keelung" in text


def test_letters_that_may_be_words_stay_apart() -> None:
    spread = "".join(f"({letter}) Tj 15 0 Td " for letter in "ABCDEF")
    typed = "0 Tc 72 560 Td (a b c d e f) Tj"
    text = text_of(f"72 600 Td {spread}", typed)
    assert "ABC" not in text.replace("\n", " ")
    assert "a b c d e f" in text


def test_letters_stay_apart_where_a_page_has_no_spaces_of_its_own() -> None:
    assert "B e i j i n g" in text_of("3 Tc 72 600 Td (Beijing) Tj", prose="Without-any-space-in-it")
