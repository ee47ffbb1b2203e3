import pytest

from desktop_rag.documents.document import LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError


def test_lines_are_numbered_as_an_editor_numbers_them() -> None:
    document = read_document("a.txt", b"one\r\ntwo\r\n\r\nfour\x0cstill four\x0bhere\xc2\x85and \xe2\x80\xa8here\r\n")
    assert [line.text for line in document.lines()] == ["one", "two", "", "four still four here and  here"]


def test_blank_lines_and_items_are_distinguished_from_prose() -> None:
    document = read_document("a.txt", "Shopping\n \n- milk\n  • bread\n1. first\n3.5 litres".encode())
    assert [line.kind for line in document.lines()] == [
        LineKind.PARAGRAPH,
        LineKind.BLANK,
        LineKind.ITEM,
        LineKind.ITEM,
        LineKind.ITEM,
        LineKind.PARAGRAPH,
    ]


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("a.py", Format.CODE, LineKind.CODE),
        ("a.tsv", Format.TABLE, LineKind.ROW),
        ("a.log", Format.LOG, LineKind.ROW),
        ("a.yaml", Format.DATA, LineKind.CODE),
    ],
)
def test_the_format_gives_the_lines_their_kind(name: str, kind: Format, expected: LineKind) -> None:
    document = read_document(name, b"a,b\n\n- c")
    assert [line.kind for line in document.lines()] == [expected, LineKind.BLANK, expected]
    assert document.format == kind


def test_a_file_of_white_space_is_refused() -> None:
    with pytest.raises(DocumentError, match="no text"):
        read_document("a.txt", b" \n\t\n")


def test_a_giant_line_is_one_line() -> None:
    assert read_document("a.txt", b"word " * 100_000).line_count == 1
