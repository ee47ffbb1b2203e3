import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents import format_registry
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError, ProblemKind


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.txt", b"text", "text"),
        ("README", b"text", "text"),
        ("run", b"#!/bin/sh\necho", "code"),
        ("a.md", b"# text", "markdown"),
        ("a.py", b"import os", "code"),
        ("a.csv", b"a,b", "table"),
    ],
)
def test_the_name_chooses_the_reader_and_bytes_where_it_says_nothing(name: str, data: bytes, expected: str) -> None:
    assert read_document(name, data).format == expected


@pytest.mark.parametrize(
    ("name", "data", "kind", "reason"),
    [
        ("a.txt", b"", "empty", "This file is empty."),
        (
            "a.wpd",
            b"PK",
            "type",
            "WordPerfect files are not read yet; save them as .odt or .docx, such as with LibreOffice.",
        ),
        ("a.pdf", b"<html>not found</html>", "damaged", "This file is damaged or not a PDF."),
        ("a.txt", bytes(range(256)) * 20, "damaged", "This is a binary file, not a text file."),
        ("a.key", b"ssh-rsa", "damaged", "This is no presentation of Keynote. It may hold a key, and is not read."),
        ("a.fb2", b"PK\x03\x04", "damaged", "This file is a ZIP archive; name it .fb2.zip to have it read."),
    ],
)
def test_unreadable_files_are_refused_with_a_sentence(name: str, data: bytes, kind: str, reason: str) -> None:
    with pytest.raises(DocumentError) as refused:
        read_document(name, data)
    assert (str(refused.value), refused.value.kind) == (reason, ProblemKind(kind))


@pytest.mark.parametrize("kind", Format)
def test_every_format_has_suffixes_and_a_reader(kind: Format) -> None:
    assert kind in format_registry.SUFFIXES.values()
    assert callable(format_registry._reader(kind))


def test_a_huge_file_is_refused_by_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(format_registry, "MAX_FILE_BYTES", 10)
    with pytest.raises(DocumentError, match="are not read"):
        read_document("a.txt", b"x" * 11)


@given(st.sampled_from(["a.txt", "a.md", "a.py", "a", "a.json"]), st.binary(max_size=300))
def test_any_bytes_become_a_sound_document_or_a_reason(name: str, data: bytes) -> None:
    try:
        document = read_document(name, data)
    except DocumentError:
        return
    assert document.line_count == document.text.count("\n") + 1
    assert not document.text.endswith("\n") or document.line(document.line_count).text == ""
    document.text.encode("utf-8")
