from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.formats.pdf.page_layout import in_reading_order
from desktop_rag.documents.formats.pdf.printed_words import PrintedPiece

PROSE = "a line of prose that is long enough"


def piece(text: str, x: float, y: float, *, width: float = 200, block: int = 0) -> PrintedPiece:
    return PrintedPiece(text, x, y, x + width, y + 10, base=y + 8, size=10, bold=False, block=block)


def texts(pieces: list[PrintedPiece]) -> list[str]:
    return [line.text for line in in_reading_order(pieces)]


@st.composite
def pages(draw: st.DrawFn) -> list[PrintedPiece]:
    pieces = []
    for number in range(draw(st.integers(0, 30))):
        x, y = draw(st.integers(0, 500)), draw(st.integers(0, 80)) * 9
        text = chr(ord("一") + number) + draw(st.sampled_from(["", " x", " " + PROSE]))
        pieces.append(piece(text, x, y, width=draw(st.integers(1, 400)), block=number // 3))
    return pieces


@given(pages())
def test_every_piece_is_in_one_line_inside_its_box(pieces: list[PrintedPiece]) -> None:
    lines = in_reading_order(pieces)
    for one in pieces:
        (line,) = [line for line in lines if one.text[0] in line.text]
        assert one.text in line.text
        assert line.box.x0 <= one.x0
        assert line.box.x1 >= one.x1


def test_columns_with_aligned_lines_are_still_columns() -> None:
    left = [piece(f"{PROSE} L{row}", 50, 12 * row) for row in range(4)]
    right = [piece(f"{PROSE} R{row}", 300, 12 * row) for row in range(4)]
    assert [text[-2:] for text in texts([*left, *right])] == ["L0", "L1", "L2", "L3", "R0", "R1", "R2", "R3"]


def test_a_centred_title_above_a_short_line_is_in_no_column() -> None:
    title = piece(f"{PROSE} title", 150, 0, width=250)
    left = [piece("Abstract", 50, 15, width=60), *(piece(f"{PROSE} L{row}", 50, 28 + 12 * row) for row in range(4))]
    right = [piece(f"{PROSE} R{row}", 300, 15 + 12 * row) for row in range(5)]
    found = [text.split()[-1] for text in texts([title, *left, *right])]
    assert found == ["title", "Abstract", "L0", "L1", "L2", "L3", "R0", "R1", "R2", "R3", "R4"]


def test_prose_beside_a_table_is_a_column() -> None:
    left = [piece(f"{PROSE} L{row}", 50, 13 * row) for row in range(6)]
    cells = [
        piece(f"c{row}{column}", 300 + 80 * column, 5 + 17 * row, width=30) for row in range(4) for column in (0, 1)
    ]
    assert texts([*left, *cells])[6:] == ["c00\tc01", "c10\tc11", "c20\tc21", "c30\tc31"]


def test_a_number_before_a_heading_is_not_a_cell() -> None:
    assert texts([piece("2.1", 50, 0, width=15), piece("Results", 90, 0)]) == ["2.1 Results"]


def test_a_superscript_number_is_on_the_line_of_its_word() -> None:
    note = PrintedPiece("(1)", 251, -2, 258, 5, base=4, size=6, bold=False, block=0)
    assert texts([note, piece("one", 50, 0), piece("12", 300, 0, width=20)]) == ["one (1)\t12"]


def test_table_cells_with_unaligned_lines_are_read_one_by_one() -> None:
    cells = [piece(f"{PROSE} {row}", 80, 9 * row) for row in range(2)]
    assert texts([*cells, piece("4.1", 50, 4.5, width=15), piece("8-K", 300, 4.5, width=15)]) == [
        "4.1",
        f"{PROSE} 0",
        f"{PROSE} 1",
        "8-K",
    ]


def test_a_wide_gap_in_justified_text_does_not_split_cells() -> None:
    above, below = piece(PROSE, 50, 0), piece(PROSE, 50, 24)
    stretched = [piece("mauris.", 50, 12, width=40), piece("Nam arcu", 105, 12, width=145)]
    assert texts([above, *stretched, below]) == [PROSE, "mauris. Nam arcu", PROSE]
    cells = [piece("Total", 50, 12, width=40), piece("1,200", 105, 12, width=145)]
    assert texts([above, *cells, below]) == [PROSE, "Total\t1,200", PROSE]


def test_a_paragraph_ends_at_a_gap_or_another_size_of_type() -> None:
    larger = PrintedPiece("heading", 50, 0, 250, 14, base=11, size=14, bold=False, block=0)
    lines = in_reading_order([larger, piece("one", 50, 16), piece("two", 50, 28), piece("three", 50, 60)])
    assert [line.gap for line in lines] == [False, True, False, True]
