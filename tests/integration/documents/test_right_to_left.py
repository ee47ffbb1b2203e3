"""Lines of Hebrew and Arabic in PDF files are read in their order, however a program drew them."""

import re

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.pdf.text_directions import in_reading_order

_WIDTH = 7.2  # of each letter of Courier in 12 points

READ = [
    "החוזה נחתם ב-15 במאי 2024 על סך 4,310 שקלים",
    "המשרד (מספר 7) משתמש ב-Windows 10 מאז 2015",
    "טלפון 03-5051051 במשרד, עד 31/12/2025",
    "המחיר הוא 12.5% או $40 בלבד",
]
SEEN = [  # from left to right, as it is printed
    "םילקש 4,310 ךס לע 2024 יאמב 15-ב םתחנ הזוחה",
    "2015 זאמ Windows 10-ב שמתשמ (7 רפסמ) דרשמה",
    "31/12/2025 דע ,דרשמב 03-5051051 ןופלט",
    "דבלב $40 וא 12.5% אוה ריחמה",
]


def drawn(lines: list[list[tuple[float, str]]]) -> bytes:
    """Return a page with lines of pieces, each drawn from left to right at its place."""
    letters = sorted({letter for line in lines for _, text in line for letter in text})
    codes = {letter: index + 0x41 for index, letter in enumerate(letters)}
    pieces = "\n".join(
        f"1 0 0 1 {60 + x} {700 - 20 * number} Tm <{''.join(f'{codes[letter]:02x}' for letter in text)}> Tj"
        for number, line in enumerate(lines)
        for x, text in line
    )
    mapping = "\n".join(f"<{code:02x}> <{ord(letter):04x}>" for letter, code in codes.items())
    streams = [
        f"BT /F 12 Tf {pieces} ET",
        f"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /H def /CMapType 2 def "
        f"1 begincodespacerange <00> <ff> endcodespacerange {len(codes)} beginbfchar\n{mapping}\nendbfchar "
        "endcmap end end",
    ]
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Count 1/Kids[3 0 R]>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 6 0 R>>>>>>",
        *(f"<</Length {len(stream)}>>stream\n{stream}\nendstream" for stream in streams),
        "<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode 5 0 R>>",
    ]
    body = "".join(f"{number} 0 obj\n{text}\nendobj\n" for number, text in enumerate(objects, 1))
    return f"%PDF-1.7\n{body}trailer<</Root 1 0 R>>\n%%EOF".encode("latin-1")


def read(lines: list[list[tuple[float, str]]]) -> list[str]:
    document = read_document("a.pdf", drawn(lines))
    return [line.text for line in document.lines() if line.text]


def words(seen: str) -> list[tuple[float, str]]:
    return [(found.start() * _WIDTH, found.group()) for found in re.finditer(r"\S+", seen)]


def test_a_line_drawn_from_left_to_right() -> None:
    assert read([[(0.0, seen)] for seen in SEEN]) == READ


def test_a_line_drawn_word_by_word_from_the_right() -> None:
    assert read([words(seen)[::-1] for seen in SEEN]) == READ


def test_a_line_drawn_letter_by_letter_from_the_right() -> None:
    letters = [[(place * _WIDTH, letter) for place, letter in enumerate(seen)][::-1] for seen in SEEN]
    assert read(letters) == READ


@pytest.mark.parametrize(
    ("seen", "is_whole_page", "shown"),
    [
        ("The word םלוע םולש means peace.", False, "The word שלום עולם means peace."),
        ("The word םלוע םולש means peace on earth to all.", True, "The word שלום עולם means peace on earth to all."),
        ("رايل 5 :رعسلا", False, "السعر: 5 ليار"),
        ("رايل %5", True, "5% ليار"),
        ("رايل ١٢٣", True, "١٢٣ ليار"),
        ("Dana Levi", True, "Dana Levi"),
    ],
)
def test_a_line_as_it_is_seen(seen: str, *, is_whole_page: bool, shown: str) -> None:
    assert in_reading_order(seen, is_whole_page=is_whole_page) == shown
