"""Tables as CSV, Markdown and XLSX: values, quotations, links, states; nothing of a document becomes code."""

import csv
import io
import zipfile
from datetime import date

from python_calamine import CalamineWorkbook

from desktop_rag.text.desktop_links import OpenLink, parse_link
from desktop_rag.work.table_export import exported
from desktop_rag.work.xlsx import SheetCell, workbook
from tests.unit.work.tables import COLUMNS, a_table, found

TABLE = a_table()


def test_csv_has_quotations_and_links_and_no_formula() -> None:
    text = exported(TABLE, "csv").decode("utf-8-sig")
    first, second, *_ = csv.DictReader(io.StringIO(text))
    assert first["Rent"] == "1,200 euros"
    assert first["Rent: quotation"] == "it says 1,200 euros"
    link = parse_link(first["Rent: link"])
    assert isinstance(link, OpenLink)
    assert (link.path, link.first_line) == ("/home/me/1.md", 5)
    assert second["Landlord"].startswith("'=")
    assert second["Start: state"] == "not in this document"
    assert second["Pets: state"] == "no answer: The model sent an empty message"


def test_markdown_has_a_note_for_each_quotation() -> None:
    text = exported(TABLE, "md").decode()
    assert text.startswith("# Leases: all\n")
    assert "| Lease 1 | Anna Meier [^1] | 1,200 euros [^2] |" in text
    assert "[^2]: “it says 1,200 euros” – [Lease 1, line 5](<desktop-rag://open?file=/home/me/1.md&line=5" in text
    assert "Ben Cole *(corrected by hand)*" in text
    assert "*not in this document*" in text
    assert "| Σ 1,590.5 EUR |" in text


def test_a_workbook_has_numbers_dates_and_links() -> None:
    data = exported(TABLE, "xlsx")
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    assert book.sheet_names == ["Leases  all", "Quotations"]
    rows = book.get_sheet_by_index(0).to_python()
    assert rows[0] == ["Document", "Landlord", "Rent", "Start", "Pets"]
    assert rows[1] == ["Lease 1", "Anna Meier", 1200.0, date(2021, 3, 3), "yes"]
    assert rows[2][1:3] == ['=HYPERLINK("x")', 300.5]
    assert rows[3][1] == "Ben Cole"
    proofs = book.get_sheet_by_index(1).to_python()
    assert proofs[1][:6] == ["Lease 1", "Landlord", "Anna Meier", "Anna Meier", "it says Anna Meier", "line 5"]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
        assert "<f>" not in sheet
        assert (
            "desktop-rag://open?file=/home/me/1.md&amp;line=5"
            in archive.read("xl/worksheets/_rels/sheet1.xml.rels").decode()
        )


def test_the_texts_of_a_workbook_are_neither_read_nor_changed() -> None:
    texts = ["=1+1", "_x0041_", "12", "https://example.org/", " two\nlines "]
    data = workbook({"A": [[SheetCell("Head", bold=True)], *([SheetCell(text)] for text in texts)]})
    rows = CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(0).to_python()
    assert rows == [["Head"], *([text] for text in texts)]
    assert not [name for name in zipfile.ZipFile(io.BytesIO(data)).namelist() if "sheet1.xml.rels" in name]


def test_only_the_rows_that_are_looked_at_are_written_in_their_order() -> None:
    text = exported(TABLE, "md", (TABLE.rows[1], TABLE.rows[0])).decode()
    assert text.index("| Lease 2 |") < text.index("| Lease 1 |")
    assert "Lease 3" not in text


def test_values_of_a_document_that_is_gone_are_told_and_have_no_link() -> None:
    table = TABLE.with_cell((5, 2), found(COLUMNS[1], "7 euros", 5))
    rows = (table.rows[4],)
    (row,) = csv.DictReader(io.StringIO(exported(table, "csv", rows).decode("utf-8-sig")))
    assert (row["Rent"], row["Rent: state"], row["Rent: link"]) == ("7 euros", "the document is gone", "")
    text = exported(table, "md", rows).decode()
    assert "Lease 5 (the document is gone)" in text
    assert "(1 left out)" in text
    assert "desktop-rag://" not in text
    with zipfile.ZipFile(io.BytesIO(exported(table, "xlsx", rows))) as archive:
        written = "".join(archive.read(name).decode() for name in archive.namelist())
    assert "Lease 5 (the document is gone)" in written
    assert "desktop-rag://" not in written
