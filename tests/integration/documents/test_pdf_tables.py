"""Rows of tables in PDF files are whole: cells of several lines, empty and centred ones, cells that span rows."""

from collections.abc import Iterable, Sequence

import pymupdf
import pytest

from desktop_rag.documents.document import LineKind
from desktop_rag.documents.format_registry import read_document

_COLUMNS = (72, 172, 372, 450)
_LEADING, _MARGIN = 12, 8
ROWS = (
    ("Service", "Description of the work", "Price"),
    ("Hull cleaning", "Removal of growth and old paint\nbelow the waterline, including\ndisposal of residue", "1,250"),
    ("Engine check", "Oil change, new filters, test run of one\nhour and a written report for the\ninsurer", "480"),
    ("Rig tuning", "", "310"),
    ("", "Extra day on the crane\nand the lift", "95"),
)
READ = [
    "Service\tDescription of the work\tPrice",
    "Hull cleaning\tRemoval of growth and old paint below the waterline, including disposal of residue\t1,250",
    "Engine check\tOil change, new filters, test run of one hour and a written report for the insurer\t480",
    "Rig tuning\t\t310",
    "\tExtra day on the crane and the lift\t95",
]
PROSE = "The services of the yard and what they cost in the season are in the table, taxes included."


def drawn(rows: Iterable[Sequence[str]], place: float, lines: str) -> bytes:
    """Return a page with a table between paragraphs; `place` moves short cells down, up to 1 for the last line."""
    page = (file := pymupdf.open()).new_page()
    page.insert_text((72, 60), PROSE)
    y, heights = 80.0, [80.0]
    for row in rows:
        height = _LEADING * max(cell.count("\n") + 1 for cell in row) + _MARGIN
        for x, cell in zip(_COLUMNS, row, strict=False):
            down = (height - _MARGIN - _LEADING * (cell.count("\n") + 1)) * place
            for number, line in enumerate(cell.split("\n")):
                page.insert_text((x + 4, y + 14 + down + _LEADING * number), line, fontsize=10)
        if lines == "backgrounds" and len(heights) % 2:
            area = pymupdf.Rect(_COLUMNS[0], y, _COLUMNS[-1], y + height)
            page.draw_rect(area, color=None, fill=(0.9, 0.9, 0.9), overlay=False)
        y += height
        heights.append(y)
    for edge in heights if lines in ("grid", "rows") else ():
        page.draw_line((_COLUMNS[0], edge), (_COLUMNS[-1], edge), width=0.5)
    for x in _COLUMNS if lines == "grid" else ():
        page.draw_line((x, heights[0]), (x, heights[-1]), width=0.5)
    page.insert_text((72, y + 30), PROSE)
    return bytes(file.tobytes())


def rows_of(data: bytes) -> list[str]:
    return [line.text for line in read_document("a.pdf", data).lines() if line.kind is LineKind.ROW]


@pytest.mark.parametrize("lines", ["grid", "rows", "backgrounds", "none"])
@pytest.mark.parametrize("place", [0.0, 0.5, 1.0])
def test_a_row_is_whole(lines: str, place: float) -> None:
    assert rows_of(drawn(ROWS, place, lines)) == READ


def test_a_cell_that_spans_rows_belongs_to_each() -> None:
    page = (file := pymupdf.open()).new_page()
    for y in (80, 100, 140):
        page.draw_line((72, y), (372, y), width=0.5)
    page.draw_line((172, 120), (372, 120), width=0.5)
    for x in (72, 172, 272, 372):
        page.draw_line((x, 80), (x, 140), width=0.5)
    cells = ((76, 94, "Region"), (176, 94, "Half"), (276, 94, "Sales"), (76, 124, "North"), (176, 114, "first"))
    for x, y, text in (*cells, (276, 114, "10"), (176, 134, "second"), (276, 134, "11")):
        page.insert_text((x, y), text, fontsize=10)
    assert rows_of(bytes(file.tobytes())) == ["Region\tHalf\tSales", "North\tfirst\t10", "North\tsecond\t11"]


def test_amounts_below_each_other_stay_rows() -> None:
    dense = [("Berth", "100"), ("Crane", "200"), ("Water", "30")]
    page = (file := pymupdf.open()).new_page()
    for number, row in enumerate(dense):
        for x, text in zip((76, 200), row, strict=True):
            page.insert_text((x, 94 + 12 * number), text, fontsize=10)
    page.draw_rect(pymupdf.Rect(72, 80, 300, 130), width=0.5)
    page.draw_line((190, 80), (190, 130), width=0.5)
    assert rows_of(bytes(file.tobytes())) == ["\t".join(row) for row in dense]


def test_a_list_with_numbers_is_no_table() -> None:
    page = (file := pymupdf.open()).new_page()
    for number in range(4):
        page.insert_text((72, 80 + 40 * number), f"{number + 1}.", fontsize=10)
        page.insert_text((100, 80 + 40 * number), "The tenant pays the rent on the first day", fontsize=10)
        page.insert_text((100, 92 + 40 * number), "of every month.", fontsize=10)
    document = read_document("a.pdf", file.tobytes())
    assert document.text.count("\t") == 0
    assert document.text.count("of every month.") == 4


def test_names_of_columns_keep_their_places() -> None:
    page = (file := pymupdf.open()).new_page()
    for x, text in ((200, "2023"), (320, "2022")):
        page.insert_text((x, 80), text, fontsize=10, fontname="hebo")
    for number in range(3):
        for x, text in ((72, "Operating income"), (200, f"{number}95"), (320, f"{number}39")):
            page.insert_text((x, 94 + 14 * number), text, fontsize=10)
    lines = list(read_document("a.pdf", file.tobytes()).lines())
    assert [line.level for line in lines] == [1, 0, 0, 0]
    assert lines[0].text == "\t2023\t2022"


def test_tables_of_one_width_are_apart_and_wide_cells_name_their_columns() -> None:
    page = (file := pymupdf.open()).new_page()

    def grid(top: float, rows: Sequence[Sequence[str]], inner: Sequence[float], merged: bool) -> None:
        bottom = top + 20 * len(rows)
        for number in range(len(rows) + 1):
            page.draw_line((72, top + 20 * number), (450, top + 20 * number), width=0.5)
        for x in (72, *inner, 450):
            page.draw_line((x, top + 20 * (merged and x in (200, 340))), (x, bottom), width=0.5)
        for number, row in enumerate(rows):
            for x, cell in zip((72, *inner), row, strict=False):
                page.insert_text((x + 4, top + 14 + 20 * number), cell, fontsize=10)

    grid(80, (("Service", "Price"), ("Crane", "480"), ("Lift", "95")), (300,), merged=False)
    page.insert_text((80, 160), "By half years:", fontsize=10)
    years = (("", "2023", "", "2024", ""), ("Region", "H1", "H2", "H1", "H2"), ("North", "10", "11", "12", "13"))
    grid(180, years, (130, 200, 270, 340), merged=True)
    assert rows_of(file.tobytes()) == [
        "Service\tPrice",
        "Crane\t480",
        "Lift\t95",
        "\t2023\t2023\t2024\t2024",
        "Region\tH1\tH2\tH1\tH2",
        "North\t10\t11\t12\t13",
    ]


def test_an_empty_cell_keeps_its_place_without_lines() -> None:
    page = (file := pymupdf.open()).new_page()
    for number, row in enumerate(
        (("Region", "2023", "2024"), ("North", "10", "11"), ("South", "", "22"), ("East", "5"))
    ):
        for x, cell in zip((72, 200, 330), row, strict=False):
            page.insert_text((x, 100 + 13 * number), cell, fontsize=11)
    assert rows_of(file.tobytes()) == ["Region\t2023\t2024", "North\t10\t11", "South\t\t22", "East\t5"]


def test_one_long_cell_does_not_make_columns_of_a_table() -> None:
    page = (file := pymupdf.open()).new_page()
    rows = (
        ("Part", "Qty", "Note"),
        ("Bolt M8", "12", ""),
        ("Nut, stainless steel A4 quality", "", "on order until the end of May"),
        ("Washer", "40", "grey"),
    )
    for number, row in enumerate(rows):
        for x, cell in zip((50, 205, 232), row, strict=True):
            page.insert_text((x, 80 + 16 * number), cell, fontsize=10)
    read = [line.text for line in read_document("a.pdf", bytes(file.tobytes())).lines() if line.text]
    assert read[1:] == [
        "Bolt M8\t12",
        "Nut, stainless steel A4 quality\t\ton order until the end of May",
        "Washer\t40\tgrey",
    ]
