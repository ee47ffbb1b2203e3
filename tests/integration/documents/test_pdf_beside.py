"""PDF content other than running text: headers, hyphenated words, comments, links, attachments."""

import pymupdf
import pytest

from benchmarks.readers.geometry import check_document
from desktop_rag.documents.document import Document, LineKind, MarkKind
from desktop_rag.documents.format_registry import read_document
from tests.integration.documents.conftest import PROSE

HEBREW = "שלום לכל מי שקורא את הדף הזה"


def lines(document: Document, kind: LineKind) -> list[str]:
    return [line.text for line in document.lines() if line.kind is kind]


def a_report(pages: int) -> bytes:
    """Return a report with paragraphs across pages, a running header and page numbers."""
    with pymupdf.open() as file:
        for number in range(pages):
            page = file.new_page(width=595, height=842)
            page.insert_text((72, 40), "Annual report of the harbour", fontsize=11)
            if number:
                page.insert_text((72, 90), f"of quay {'abcdefgh'[number]} and of all its cranes.", fontsize=11)
            page.insert_text((72, 150), f"Chapter {'abcdefgh'[number]}.", fontsize=11)
            page.insert_text((72, 210), "The harbour pays for the upkeep", fontsize=11)
            page.insert_text((290, 815), f"Page {number + 1} of {pages}", fontsize=11)
        return file.tobytes()


def hebrew_page(rows: list[tuple[int, int, str]]) -> bytes:
    """Return a page of Hebrew drawn from left to right in visual order; the origin is at the lower left."""
    letters = sorted(set("".join(text for _, _, text in rows)))
    codes = {letter: index + 0x41 for index, letter in enumerate(letters)}
    drawn = "\n".join(
        f"1 0 0 1 {x} {y} Tm <{''.join(f'{codes[letter]:02x}' for letter in reversed(text))}> Tj" for x, y, text in rows
    )
    mapping = "\n".join(f"<{code:02x}> <{ord(letter):04x}>" for letter, code in codes.items())
    streams = [
        f"BT /F 12 Tf {drawn} ET",
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
    return f"%PDF-1.7\n{body}trailer<</Root 1 0 R>>\n%%EOF".encode()


def test_running_headers_and_page_numbers_are_between_paragraphs() -> None:
    document = read_document("a.pdf", a_report(4))
    assert lines(document, LineKind.FIELD) == [
        text for page in range(1, 5) for text in ("Annual report of the harbour", f"Page {page} of 4")
    ]
    assert document.text.count("The harbour pays for the upkeep\nof quay ") == 3
    assert check_document("a.pdf", document, a_report(4)).mismatches == []


def test_text_that_differs_between_pages_is_not_a_header() -> None:
    with pymupdf.open() as file:
        for word in ("harbour", "quay", "crane", "ship"):
            file.new_page().insert_text((72, 40), f"The {word} of the town")
        assert lines(read_document("a.pdf", file.tobytes()), LineKind.FIELD) == []


def test_column_names_and_numbered_titles_are_not_running_headers() -> None:
    with pymupdf.open() as file:
        for number in range(4):
            page = file.new_page(width=600, height=800)
            for column, name in enumerate(("Name", "Age", "Office")):
                page.insert_text((60 + 150 * column, 40), name)
                page.insert_text((60 + 150 * column, 60), f"{'abcd'[number]}{number * column}")
            page.insert_text((60, 700), f"Exhibit {number * number}")
        document = read_document("a.pdf", file.tobytes())
    assert lines(document, LineKind.FIELD) == []
    assert lines(document, LineKind.ROW).count("Name\tAge\tOffice") == 4


def test_a_page_number_may_follow_where_a_page_ends_early() -> None:
    with pymupdf.open() as file:
        for number in range(4):
            page = file.new_page(width=600, height=800)
            page.insert_text((60, 100), f"Words of {'abcd'[number]}.")
            page.insert_text((300, 300 + 40 * number), f"{number + 7}")
        document = read_document("a.pdf", file.tobytes())
    assert lines(document, LineKind.FIELD) == ["7", "8", "9", "10"]


def test_a_page_of_one_line_has_that_line_as_its_text() -> None:
    with pymupdf.open() as file:
        for _ in range(4):
            file.new_page().insert_text((72, 40), "Notes")
        document = read_document("a.pdf", file.tobytes())
    assert lines(document, LineKind.PARAGRAPH) == ["Notes"] * 4


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("The owner pays for the repre-", "sentation of the house.", ("representation", "of the house.")),
        (
            "This well-known and well-",
            "known owner pays for it.",
            ("This well-known and well-known", "owner pays for it."),
        ),
        ("They all went to see the repre-", "sentation.", ("They all went to see the", "representation.")),
        ("They all went to see the twenty-", "five boats.", ("the twenty-five", "boats.")),
        ("The rent of a long term is a long-", "lived one.", ("is a long\u2060lived", "one.")),
    ],
)
def test_a_hyphenated_word_is_joined_on_one_line(first: str, second: str, joined: tuple[str, str]) -> None:
    with pymupdf.open() as file:
        page = file.new_page()
        page.insert_text((72, 100), [first, second], fontsize=11)
        data = file.tobytes()
    document = read_document("a.pdf", data)
    assert document.line(1).text.endswith(joined[0])
    assert document.line(2).text == joined[1]
    assert check_document("a.pdf", document, data).mismatches == []


def test_comments_and_highlights_are_lines_with_their_box() -> None:
    with pymupdf.open() as file:
        page = file.new_page()
        page.insert_text((72, 72), "The rent is due on the first day")
        mark = page.add_highlight_annot(page.search_for("due on the first"))
        mark.set_info(title="Ada", content="ask for the third")
        mark.update()
        page.add_text_annot((300, 300), "Call the landlord").update()
        document = read_document("a.pdf", file.tobytes())
    assert lines(document, LineKind.QUOTE) == [
        "Marked by Ada: “due on the first” – ask for the third",
        "Comment: Call the landlord",
    ]
    assert all(line.box for line in document.lines() if line.kind is LineKind.QUOTE)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_highlighted_words_of_a_rotated_page_are_found(rotation: int) -> None:
    with pymupdf.open() as file:
        page = file.new_page()
        page.insert_text((72, 72), ["The rent is due on the first day", "of every month of the year"])
        page.add_highlight_annot(page.search_for("every month")).update()
        page.set_rotation(rotation)
        assert lines(read_document("a.pdf", file.tobytes()), LineKind.QUOTE) == ["Marked: “every month”"]


def test_links_mark_their_words() -> None:
    with pymupdf.open() as file:
        page = file.new_page()
        page.insert_text((72, 72), "Read here, and then read here again")
        place = page.search_for("here")[1]
        page.insert_link({"kind": pymupdf.LINK_URI, "from": place, "uri": "https://example.org/a"})
        document = read_document("a.pdf", file.tobytes())
    (mark,) = document.structure.each_mark()
    assert (mark.kind, mark.target) == (MarkKind.LINK, "https://example.org/a")
    assert (document.text[mark.start : mark.end], mark.start) == ("here", document.text.rindex("here"))


def test_outline_entries_point_to_their_lines() -> None:
    with pymupdf.open() as file:
        page = file.new_page()
        page.insert_text((72, 72), ["Of the rent and of", "the deposit", "Some words."], fontsize=11)
        file.new_page().insert_text((72, 72), "Other words.", fontsize=11)
        file.set_toc([[1, "Of the Rent and of the Deposit", 1], [2, "Not printed", 2]])
        document = read_document("a.pdf", file.tobytes())
    first, second = document.structure.outline
    assert (document.line(first.line).text, first.level) == ("Of the rent and of", 1)
    assert document.line(first.line + 1).kind is LineKind.HEADING
    assert (document.line(second.line).text, second.title) == ("Other words.", "Not printed")


def test_attachments_are_listed_and_read_as_sections_without_a_page() -> None:
    with pymupdf.open() as file:
        page = file.new_page()
        page.insert_text((72, 72), "The lease itself.")
        file.embfile_add("terms.txt", b"Dogs are welcome.\n", filename="terms.txt")
        file.embfile_add("song.mp3", b"\xff\xfb\x90\x64" * 20, filename="song.mp3")
        page.add_file_annot((100, 100), b"Cats are not.\n", "more.txt")
        document = read_document("a.pdf", file.tobytes(deflate=True))
    numbers = {line.text: number for number, line in enumerate(document.lines(), 1)}
    for text, label in (("Dogs are welcome.", "terms.txt"), ("Cats are not.", "more.txt")):
        assert document.page_of(numbers[text]) is None
        assert document.structure.section_of(numbers[text]) == label
    assert any(text.startswith("Attached file: song.mp3 (1 KB) – ") for text in numbers)
    assert document.page_of(numbers["The lease itself."]) == 1
    assert document.structure.section_of(numbers["The lease itself."]) == ""


def test_language_and_last_change_come_from_the_file() -> None:
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 72), "Miete.")
        file.set_language("de")
        file.set_metadata({"modDate": "D:20240611"})
        document = read_document("a.pdf", file.tobytes())
    assert (document.language, document.modified) == ("de", "2024-06-11")


def test_a_title_may_be_in_the_xmp_metadata_only() -> None:
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 72), "Text.")
        file.set_xml_metadata(
            '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
            '<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li>The Lease</rdf:li>'
            "</rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>"
        )
        assert read_document("a.pdf", file.tobytes()).title == "The Lease"


def test_hebrew_is_in_logical_order_and_its_right_column_comes_first() -> None:
    rows = [(x, 700 - 14 * row, f"{HEBREW}{'אבגד'[row]}") for x in (330, 60) for row in range(4)]
    rows = [(x, y, text if x == 330 else text.replace("שלום", "תודה")) for x, y, text in rows]
    data = hebrew_page(rows)
    document = read_document("a.pdf", data)
    assert [line.text for line in document.lines() if line.text] == [text for _, _, text in rows]
    assert check_document("a.pdf", document, data).mismatches == []


def test_chinese_text_continues_across_columns() -> None:
    with pymupdf.open() as file:
        page = file.new_page(width=600, height=800)
        for x in (50, 320):
            for row in range(5):
                page.insert_text((x, 100 + 15 * row), "房东每月第一天收取租金并且负责修理房屋", fontname="china-s")
        data = file.tobytes()
    document = read_document("a.pdf", data)
    assert [line.kind for line in document.lines()] == [LineKind.PARAGRAPH] * 10
    assert check_document("a.pdf", document, data).mismatches == []


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_sideways_page_is_read_like_an_upright_one(turn: int) -> None:
    ways = {0: ((60, 80), (0, 14)), 90: ((80, 700), (14, 0)), 180: ((500, 700), (0, -14)), 270: ((500, 80), (-14, 0))}
    (x, y), (right, down) = ways[turn]
    texts = [f"{PROSE[:60]} {row}" for row in range(4)]
    with pymupdf.open() as file:
        page = file.new_page(width=600, height=800)
        for row, text in enumerate(texts):
            page.insert_text((x + right * row, y + down * row), text, fontsize=10, rotate=turn)
        data = file.tobytes()
    document = read_document("a.pdf", data)
    assert [line.text for line in document.lines() if line.text] == texts
    assert check_document("a.pdf", document, data).mismatches == []


def test_the_first_row_of_a_table_is_its_header() -> None:
    with pymupdf.open() as file:
        page = file.new_page(width=600, height=800)
        rows = [("Year", "2023", "2024"), ("Rent", "1,200", "1,250"), ("Heating", "310", "290")]
        for row, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                page.insert_text((60 + 150 * column, 100 + 18 * row), cell)
        document = read_document("a.pdf", file.tobytes())
    assert [(line.kind, line.level) for line in document.lines()] == [(LineKind.ROW, 1)] + [(LineKind.ROW, 0)] * 2
