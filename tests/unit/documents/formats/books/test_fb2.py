import pytest

from desktop_rag.documents.document import MarkKind, OutlineEntry, Section
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import shown

_BOOK = """<?xml version="1.0" encoding="{encoding}"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">
<description><title-info><author><first-name>Anna</first-name><last-name>Huber</last-name></author>
<author><nickname>ro</nickname></author><book-title>Договор</book-title><lang>en-GB</lang>
<date value="2024-03-05">2024</date></title-info></description>
<body><title><p>Договор</p></title><section><title><p>Part</p><p>One</p></title><epigraph><p>Pay.</p></epigraph>
<section><title><p>Notice</p></title><p>Three <emphasis>months</emphasis>, see
<a l:href="https://example.org/">here</a>.</p><poem><stanza><v>Line one</v><v>line two</v></stanza></poem>
<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></section></section></body>
<body name="notes"><section id="n1"><title><p>1</p></title><p>A note.</p></section></body>
<binary id="p.jpg" content-type="image/jpeg">{picture}</binary></FictionBook>"""


def _book(encoding: str = "utf-8", picture: str = "AAAA") -> bytes:
    return _BOOK.format(encoding=encoding, picture=picture).encode(encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1251"])
def test_chapters_poems_tables_and_notes_are_read(encoding: str) -> None:
    document = read_document("a.fb2", _book(encoding))
    assert shown(document) == [
        ("HEADING", 1, "Договор"),
        ("HEADING", 2, "Part One"),
        ("QUOTE", 1, "Pay."),
        ("HEADING", 3, "Notice"),
        ("PARAGRAPH", 0, "Three months, see here."),
        ("PARAGRAPH", 0, "Line one"),
        ("PARAGRAPH", 0, "line two"),
        ("ROW", 1, "a\tb"),
        ("ROW", 0, "1\t2"),
        ("HEADING", 2, "1"),
        ("PARAGRAPH", 0, "A note."),
    ]
    links = [mark.target for mark in document.structure.each_mark() if mark.kind is MarkKind.LINK]
    assert links == ["https://example.org/"]


def test_marks_of_notes_are_no_figures_of_numbers() -> None:
    book = _book().replace(b">here</a>.", b">here</a> 820<a l:href='#n1' type='note'>3</a>.")
    assert "see here 820³." in read_document("a.fb2", book).text


def test_chapters_are_sections_and_outline_entries() -> None:
    document = read_document("a.fb2", _book())
    assert document.structure.sections == (Section(3, "Part One"), Section(7, "Part One › Notice"), Section(17, "1"))
    assert document.structure.outline[1] == OutlineEntry(7, 2, "Notice")


def test_title_authors_date_and_language_come_from_the_description() -> None:
    document = read_document("a.fb2", _book())
    assert (document.title, document.author) == ("Договор", "Anna Huber, ro")
    assert (document.created, document.language) == ("2024-03-05", "en-GB")


def test_pictures_however_large_cost_no_text() -> None:
    assert "A note." in read_document("a.fb2", _book(picture="A" * 11_000_000)).text


def test_a_truncated_book_is_read_as_far_as_possible() -> None:
    data = _book()
    assert "Three months" in read_document("a.fb2", data[: data.index(b"<poem>")]).text


@pytest.mark.parametrize("data", [b"text", b"<html><p>x</p></html>", b"<FictionBook/>"])
def test_files_that_are_not_books_are_refused(data: bytes) -> None:
    with pytest.raises(DocumentError, match=r"not a FictionBook|contains no text"):
        read_document("a.fb2", data)


def test_entities_are_not_expanded() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "AAAAAAAAAA"><!ENTITY b "&a;&a;&a;">]>'
    data = _book().decode().replace("?>\n", f"?>{bomb}\n", 1).replace("Pay.", "Pay &b;.")
    text = read_document("a.fb2", data.encode()).text
    assert "Pay ." in text
    assert "AAAA" not in text
