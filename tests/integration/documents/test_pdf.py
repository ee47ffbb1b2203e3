"""PDF files generated with PyMuPDF: boxes, reading order, line kinds, and errors."""

import re
import time

import numpy as np
import pymupdf
import pytest

from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.pdf import pdf_reader as pdf
from desktop_rag.documents.formats.source_file import StepReached
from desktop_rag.errors import DocumentError
from tests.integration.documents.conftest import PROSE, a_scan, make_pdf


def texts(document: Document) -> list[str]:
    return [line.text for line in document.lines() if line.kind is not LineKind.BLANK]


def turned(rotation: int, *, cropped: bool) -> bytes:
    """Return a page with words near every corner, rotated and possibly cropped."""
    with pymupdf.open() as file:
        page = file.new_page(width=600, height=800)
        page.insert_text((150, 200), "Upper left words", fontsize=14)
        page.insert_text((330, 340), "Words in the middle", fontsize=9)
        page.insert_text((200, 560), "Lower words of the page", fontsize=12)
        if cropped:
            page.set_cropbox(pymupdf.Rect(100, 130, 520, 640))
        page.set_rotation(rotation)
        return file.tobytes()


@pytest.mark.parametrize("cropped", [False, True])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_box_of_a_line_is_where_the_rendered_page_has_its_ink(rotation: int, cropped: bool) -> None:
    data = turned(rotation, cropped=cropped)
    document = read_document("a.pdf", data)
    with pymupdf.open(stream=data, filetype="pdf") as file:
        shown = file[0].get_pixmap(matrix=pymupdf.Matrix(2, 2), alpha=False)
    page = document.pages[0]
    assert (round(page.width * 2), round(page.height * 2)) == (shown.width, shown.height)
    rows = np.frombuffer(shown.samples, np.uint8).reshape(shown.height, shown.stride)
    ink = rows[:, : shown.width * shown.n : shown.n] < 128
    boxes = [line.box for line in document.lines() if line.box]
    assert len(boxes) == 3
    for box in boxes:
        inside = ink[int(box.y0 * 2) - 1 : int(box.y1 * 2) + 2, int(box.x0 * 2) - 1 : int(box.x1 * 2) + 2]
        assert inside.sum() > 100
        inside[:] = False
    assert not ink.any()


@pytest.mark.parametrize("cropped", [False, True])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_text_inside_a_box_is_the_line(rotation: int, cropped: bool) -> None:
    data = turned(rotation, cropped=cropped)
    document = read_document("a.pdf", data)
    with pymupdf.open(stream=data, filetype="pdf") as file:
        page = file[0]
        back = page.derotation_matrix
        for line in document.lines():
            if line.box:
                box = pymupdf.Rect(line.box.x0, line.box.y0, line.box.x1, line.box.y1) * back
                assert page.get_text(clip=box).strip() == line.text


def test_lines_know_their_page_and_pages_their_first_line() -> None:
    document = read_document("a.pdf", make_pdf(["First page.", "", "Third page."]))
    assert [page.number for page in document.pages] == [1, 2, 3]
    places = {line.text: document.page_of(number) for number, line in enumerate(document.lines(), 1)}
    assert places["First page."] == 1
    assert places["Third page."] == 3


def test_columns_are_read_one_after_the_other_under_their_title() -> None:
    with pymupdf.open() as file:
        page = file.new_page(width=600, height=800)
        page.insert_text((100, 60), "A title over both of the columns of this page", fontsize=20)
        page.insert_textbox(pymupdf.Rect(50, 100, 290, 700), "LEFT " + PROSE * 3, fontsize=10)
        page.insert_textbox(pymupdf.Rect(310, 100, 550, 700), "RIGHT " + PROSE * 3, fontsize=10)
        text = " ".join(texts(read_document("a.pdf", file.tobytes())))
    assert text.index("title") < text.index("LEFT") < text.index("RIGHT")
    assert text.count("keeps the flat in good order") == 6


def test_a_table_is_read_row_by_row() -> None:
    with pymupdf.open() as file:
        page = file.new_page(width=600, height=800)
        for column, x in enumerate((60, 300, 450)):  # drawn column by column, as some programs do
            for row in range(5):
                page.insert_text((x, 100 + 18 * row), "Revenue of the year" if column == 0 else f"{column}{row},000")
        document = read_document("a.pdf", file.tobytes())
    assert texts(document)[2] == "Revenue of the year\t12,000\t22,000"
    assert {line.kind for line in document.lines()} == {LineKind.ROW}


def test_larger_and_lone_bold_lines_are_headings_and_bullets_items() -> None:
    with pymupdf.open() as file:
        page = file.new_page(width=600, height=800)
        page.insert_text((60, 80), "The Lease", fontsize=24)
        page.insert_text((60, 130), "1  Rent", fontsize=16)
        page.insert_textbox(pymupdf.Rect(60, 150, 540, 260), PROSE * 2, fontsize=10)
        page.insert_text((60, 300), "When it is due", fontsize=10, fontname="hebo")
        page.insert_textbox(pymupdf.Rect(60, 320, 540, 400), PROSE, fontsize=10)
        page.insert_text((60, 440), "- by bank", fontsize=10)
        document = read_document("a.pdf", file.tobytes())
    kinds = {line.text: (line.kind, line.level) for line in document.lines()}
    assert document.title == "The Lease"
    assert kinds["The Lease"] == (LineKind.HEADING, 1)
    assert kinds["1  Rent"] == (LineKind.HEADING, 2)
    assert kinds["When it is due"] == (LineKind.HEADING, 3)
    assert kinds["- by bank"] == (LineKind.ITEM, 1)


def test_the_outline_names_headings_that_look_like_text() -> None:
    with pymupdf.open() as file:
        page = file.new_page(width=600, height=800)
        page.insert_text((60, 80), "2.1 Deposit", fontsize=10)
        page.insert_textbox(pymupdf.Rect(60, 120, 540, 260), PROSE, fontsize=10)
        file.set_toc([[1, "Lease", 1], [2, "Deposit", 1]])
        document = read_document("a.pdf", file.tobytes())
    assert (document.line(1).kind, document.line(1).level) == (LineKind.HEADING, 2)


def test_values_of_form_fields_are_read() -> None:
    with pymupdf.open() as file:
        page = file.new_page(width=600, height=800)
        page.insert_text((60, 80), "Name of the tenant:")
        field = pymupdf.Widget()
        field.rect, field.field_name, field.field_value = pymupdf.Rect(60, 100, 300, 125), "name", "Ada Lovelace"
        field.field_type = pymupdf.PDF_WIDGET_TYPE_TEXT
        page.add_widget(field)
        assert "Ada Lovelace" in texts(read_document("a.pdf", file.tobytes()))


def test_title_author_and_date_come_from_the_file() -> None:
    document = read_document(
        "a.pdf", make_pdf(["Text."], title="The Lease", author="Ada", creationDate="D:20240501120000+01'00'")
    )
    assert (document.title, document.author, document.created) == ("The Lease", "Ada", "2024-05-01")


@pytest.mark.parametrize("title", ["untitled", "Microsoft Word - lease.doc", "lease_final.docx", "..."])
def test_a_file_name_is_not_a_title(title: str) -> None:
    assert read_document("a.pdf", make_pdf(["Text."], title=title)).title == ""


def test_pages_without_text_are_counted_as_scans() -> None:
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 72), "Some text.")
        file.new_page().insert_image(pymupdf.Rect(0, 0, 500, 500), stream=a_scan())
        file.new_page()
        assert read_document("a.pdf", file.tobytes()).partial == "page 2 without text (a scan?)"


def test_pages_of_a_scan_are_named_as_pictures_of_their_text() -> None:
    with pymupdf.open() as file:
        for _ in range(2):
            file.new_page().insert_image(pymupdf.Rect(0, 0, 500, 500), stream=a_scan())
        document = read_document("a.pdf", file.tobytes())
    assert document.structure.textless == (1, 2)
    assert document.partial == "2 pages without text (a scan?)"
    assert not document.text.strip()


def test_a_scan_with_a_stamp_is_still_a_picture() -> None:
    with pymupdf.open() as file:
        page = file.new_page(width=600, height=800)
        page.insert_image(page.rect, stream=a_scan(), keep_proportion=False)
        page.insert_text((500, 780), "Received 7 May")
        document = read_document("a.pdf", file.tobytes())
    assert document.structure.textless == (1,)
    assert texts(document) == ["Received 7 May"]


def test_an_empty_pdf_is_refused_with_the_reason() -> None:
    with pytest.raises(DocumentError, match="nothing is drawn on its 1 page"):
        read_document("a.pdf", make_pdf([""]))


def test_a_damaged_pdf_without_a_readable_page_is_not_called_empty() -> None:
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 72), "This is text.")
        data = file.tobytes(deflate=True)
    content = re.search(rb"FlateDecode.*?stream\r?\n", data, re.DOTALL)
    assert content is not None
    end = data.index(b"endstream", content.end())
    zeroed = data[: content.end()] + bytes(end - content.end()) + data[end:]
    with pytest.raises(DocumentError, match="damaged: nothing can be read on its 1 page"):
        read_document("a.pdf", zeroed)


def test_a_protected_pdf_is_refused_with_the_reason() -> None:
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 72), "Secret.")
        data = file.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="owner", user_pw="user")
    with pytest.raises(DocumentError, match="protected by a password"):
        read_document("a.pdf", data)


def test_a_pdf_that_only_restricts_its_use_is_read() -> None:
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 72), "Not secret.")
        data = file.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="owner", user_pw="")
    assert texts(read_document("a.pdf", data)) == ["Not secret."]


def _with_encryption(data: bytes, filters: bytes) -> bytes:
    """Return a PDF with an update that declares encryption; nothing in it is encrypted."""
    start = int(data[data.rindex(b"startxref") + 9 :].split()[0])
    root, size = (re.search(rb"/%s (\d+)" % name, data) for name in (b"Root", b"Size"))
    assert root is not None
    assert size is not None
    facts = b"/Filter/Standard/V 4/R 4/Length 128/P -4/O(%s)/U(%s)" % (b"o" * 32, b"u" * 32)
    facts += b"/CF<</StdCF<</AuthEvent/EFOpen/CFM/AESV2/Length 16>>>>" + filters
    number = int(size[1])
    update = b"\n%d 0 obj<<%s>>endobj\n" % (number, facts)
    table = b"xref\n%d 1\n%010d 00000 n \n" % (number, len(data) + 1)
    trailer = b"trailer<</Size %d/Root %s 0 R/Prev %d/Encrypt %d 0 R/ID[<00><00>]>>" % (
        number + 1,
        root[1],
        start,
        number,
    )
    return data + update + table + trailer + b"\nstartxref\n%d\n%%%%EOF\n" % (len(data) + len(update))


def test_a_password_for_attachments_alone_leaves_the_pages_readable() -> None:
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 72), "The pages are open.")
        file.embfile_add("secret.txt", b"for your eyes only")
        plain = file.tobytes()
    data = _with_encryption(plain, b"/StmF/Identity/StrF/Identity/EFF/StdCF")
    document = read_document("a.pdf", data)
    assert texts(document) == [
        "Attached file: secret.txt – it is protected by a password",
        "The pages are open.",
    ]
    with pytest.raises(DocumentError, match="protected by a password"):
        read_document("a.pdf", _with_encryption(plain, b"/StmF/StdCF/StrF/StdCF/EFF/StdCF"))


def test_a_truncated_pdf_keeps_what_can_be_repaired() -> None:
    data = make_pdf([PROSE * 3] * 5)
    document = read_document("a.pdf", data[: len(data) - 300])
    assert "damaged" in document.partial
    assert "tenant pays the rent" in document.text


def test_a_pdf_of_rubbish_is_refused() -> None:
    with pytest.raises(DocumentError, match="damaged"):
        read_document("a.pdf", b"%PDF-1.7\n" + b"rubbish " * 50)


def test_a_slow_pdf_is_truncated_and_marked_partial(monkeypatch: pytest.MonkeyPatch) -> None:
    processor, clock = iter(range(100)), iter(range(100))  # the wall clock decides when the CPU time is read
    monkeypatch.setattr(time, "process_time", lambda: float(next(processor)))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    document = read_document("a.pdf", make_pdf(["One.", "Two.", "Three.", "Four."]), seconds=2.5)
    assert document.partial.startswith("only the first 2 of 4 pages were read")
    assert texts(document) == ["One.", "Two."]


def test_pages_before_an_earlier_crash_are_kept() -> None:
    data = make_pdf(["One.", "Two.", "Three.", "Four."])
    document = read_document("a.pdf", data, until=StepReached(3, "Page three made the reader crash."))
    assert document.partial == "only the first 2 of 4 pages were read (Page three made the reader crash)"
    assert texts(document) == ["One.", "Two."]


def test_a_pdf_of_very_many_pages_is_read_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "MAX_PAGES", 3)
    document = read_document("a.pdf", make_pdf(["One.", "Two.", "Three.", "Four."]))
    assert document.partial.startswith("only the first 3 of 4 pages were read")


def test_a_small_file_that_claims_endless_pages_is_refused() -> None:
    with pytest.raises(DocumentError, match="damaged"):
        read_document("a.pdf", page_bomb(levels=6))


def page_bomb(levels: int) -> bytes:
    """Return a small file of 10**levels pages: each node of the page tree refers to the next one ten times."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>"]
    for level in range(levels):
        kids = b" ".join([b"%d 0 R" % (3 + level)] * 10)
        objects.append(b"<</Type/Pages/Count %d/Kids[%s]>>" % (10 ** (levels - level), kids))
    page = len(objects) + 1
    objects.append(
        b"<</Type/Page/MediaBox[0 0 100 100]/Contents %d 0 R/Resources<</Font<</F %d 0 R>>>>>>" % (page + 1, page + 2)
    )
    stream = b"BT /F 10 Tf 10 10 Td (hello) Tj ET"
    objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream))
    objects.append(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    body = b"%PDF-1.7\n"
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return body + b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        table,
        len(objects) + 1,
        len(body),
    )
