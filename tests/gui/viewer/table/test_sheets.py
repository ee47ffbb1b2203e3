"""The sheets, rows and cell references of lines."""

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document
from desktop_rag.documents.formats.office.sheet_lines import Row, append_sheet
from desktop_rag.documents.formats.source_file import ReadBudget
from desktop_rag.gui.viewer.table.sheet_model import Cells, Sheet, cells_of, column_index, sheets_of


def workbook(*sheets: tuple[str, list[Row]], first_column: int = 0, height: int = 10) -> Document:
    builder = DocumentBuilder("sheets")
    for name, rows in sheets:
        append_sheet(builder, ReadBudget(), name, rows, first_column, height)
    return builder.build()


def sheets(document: Document) -> tuple[Sheet, ...]:
    return sheets_of(document.kinds, document.structure)


BUDGET: tuple[str, list[Row]] = (
    "Budget",
    [(1, ("Item", "Price")), (2, ("Rent", "840")), (3, ("Heating", "12")), (7, ("Sum", "852"))],
)
NOTES: tuple[str, list[Row]] = ("Notes", [(2, ("Written by Ada",))])


def test_each_sheet_has_its_lines() -> None:
    document = workbook(BUDGET, NOTES)
    first, second = sheets(document)
    lines = document.text.split("\n")
    assert (first.name, lines[first.first - 1], lines[first.last - 1]) == ("Budget", "Item\tPrice", "Sum\t852")
    assert (second.name, lines[second.first - 1 : second.last]) == ("Notes", ["Written by Ada"])


def test_rows_keep_the_numbers_they_have_in_the_workbook() -> None:
    (sheet,) = sheets(workbook(BUDGET))
    numbers = [sheet.number(line) for line in range(sheet.first, sheet.last + 1)]
    assert numbers == [1, 2, 3, 0, 7]


def test_row_numbers_of_a_section_are_known_until_a_row_is_missing() -> None:
    rows: list[Row] = [(number, (str(number), "x")) for number in (1, 2, 3, 5, 6)]
    (sheet,) = sheets(workbook(("Long", rows), height=6_000))
    numbers = [sheet.number(line) for line in range(sheet.first, sheet.last + 1)]
    assert numbers == [1, 2, 3, 0, 5, 6]


def test_lines_have_a_cell_reference() -> None:
    (sheet,) = sheets(workbook(BUDGET, first_column=2))
    line = sheet.first + 1
    assert sheet.reference(line, line + 1, 2) == "Budget!C2:D3"
    assert sheet.header_of(line) == sheet.first
    assert sheet.column_count == 2


def test_without_sheets_row_numbers_are_line_numbers() -> None:
    builder = DocumentBuilder("table")
    builder.add_row(["a", "b"], header=True)
    builder.add_row(["1", "2"])
    (sheet,) = sheets(builder.build())
    assert sheet.name == ""
    assert [sheet.number(line) for line in (1, 2)] == [1, 2]
    assert sheet.reference(2, 2, 2) == "A2:B2"


def test_column_letters_are_parsed() -> None:
    assert [column_index(characters) for characters in ("A", "Z", "AA", "BC")] == [0, 25, 26, 54]
    assert cells_of("It's!A1!B3:D5") == Cells(1, 3, 3, 5)
    assert cells_of("Budget") is None
