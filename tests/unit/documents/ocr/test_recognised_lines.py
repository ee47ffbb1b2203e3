"""Recognised lines are inserted into a document, and everything that points into it is shifted."""

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Box, Document, InlineMark, Line, LineKind, MarkKind
from desktop_rag.documents.ocr.ocr_child import joined
from desktop_rag.documents.ocr.recognised_lines import RecognisedLine, with_recognised
from desktop_rag.documents.ocr.tesseract import parse_tsv

BOX = Box(10, 20, 30, 40)


def paged(*pages: tuple[str, ...]) -> Document:
    """Return a document of these pages; a page without lines is textless."""
    builder = DocumentBuilder("pdf")
    for number, page in enumerate(pages, 1):
        builder.begin_page(100, 100, textless=not page)
        for text in page:
            builder.add_outline_entry(1, text)
            builder.add(Line(text, box=Box(0, number, 1, number + 1)), (InlineMark(0, len(text), MarkKind.STRONG),))
    textless = sum(not page for page in pages)
    builder.partial = f"{textless} pages without text (a scan?)" if textless else ""
    return builder.build()


def shown(document: Document) -> list[tuple[int | None, str]]:
    return [(document.page_of(number), document.line(number).text) for number in range(1, document.line_count + 1)]


def marked(document: Document) -> list[str]:
    return [document.text[mark.start : mark.end] for mark in document.structure.each_mark()]


def test_recognised_lines_are_on_their_page_and_later_lines_shift() -> None:
    document = paged(("one", "two"), (), ("five",), ())
    pages = {2: (RecognisedLine("three", BOX), RecognisedLine("four", BOX)), 4: (RecognisedLine("six", BOX),)}
    made = with_recognised(document, pages)
    assert shown(made) == [(1, "one"), (1, "two"), (2, "three"), (2, "four"), (3, "five"), (4, "six")]
    assert [made.box(number) for number in (1, 3, 5)] == [Box(0, 1, 1, 2), BOX, Box(0, 3, 1, 4)]
    assert marked(made) == ["one", "two", "five"]
    assert [made.line(entry.line).text for entry in made.structure.outline][:2] == ["one", "two"]
    assert made.structure.textless == ()
    assert made.partial == ""


def test_a_document_of_scans_becomes_a_document_of_text() -> None:
    made = with_recognised(paged((), ()), {1: (RecognisedLine("a  b", BOX),), 2: (RecognisedLine("c", BOX),)})
    assert shown(made) == [(1, "a b"), (2, "c")]
    assert len(made.boxes) == 32


def test_unrecognised_pages_stay_textless_and_are_reported() -> None:
    made = with_recognised(paged((), (), ()), {2: (RecognisedLine("two", BOX),), 3: ()})
    assert made.structure.textless == (1,)
    assert made.partial == "page 1 without text (a scan?)"
    assert shown(made) == [(2, "two")]


def test_paragraphs_are_separated_by_blank_lines() -> None:
    lines = (RecognisedLine("a", BOX, begins=True), RecognisedLine("b", BOX), RecognisedLine("c", BOX, begins=True))
    made = with_recognised(paged(()), {1: lines})
    assert [line.kind for line in made.lines()] == [
        LineKind.PARAGRAPH,
        LineKind.PARAGRAPH,
        LineKind.BLANK,
        LineKind.PARAGRAPH,
    ]
    assert made.box(3) is None


TABLE = """level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext
1\t1\t0\t0\t0\t0\t0\t0\t100\t100\t-1\t
5\t1\t1\t1\t1\t1\t20\t40\t40\t10\t96.5\tThe
5\t1\t1\t1\t1\t2\t70\t38\t50\t14\t93.0\trent
5\t1\t1\t1\t2\t1\t20\t60\t40\t10\t91.0\tis
5\t1\t2\t1\t1\t1\t20\t90\t40\t10\t12.0\t~=|
5\t1\t3\t1\t1\t1\t20\t120\t40\t10\t90.0\tdue.
"""


def test_words_of_tesseract_become_lines_with_boxes_in_points() -> None:
    assert parse_tsv(TABLE, scale=2.0) == (
        RecognisedLine("The rent", Box(10, 19, 60, 26), begins=True),
        RecognisedLine("is", Box(10, 30, 30, 35)),
        RecognisedLine("due.", Box(10, 60, 30, 65), begins=True),
    )
    assert parse_tsv("", scale=2.0) == ()


def test_pieces_of_one_line_are_joined_from_left_to_right() -> None:
    pieces = [
        RecognisedLine("rent", Box(50, 11, 80, 21)),
        RecognisedLine("The", Box(10, 10, 40, 20)),
        RecognisedLine("is due", Box(10, 24, 80, 34)),
        RecognisedLine("New.", Box(10, 60, 80, 70)),
    ]
    assert joined(pieces) == [
        RecognisedLine("The rent", Box(10, 10, 80, 21), begins=True),
        RecognisedLine("is due", Box(10, 24, 80, 34)),
        RecognisedLine("New.", Box(10, 60, 80, 70), begins=True),
    ]
