import pytest

from desktop_rag.documents.file_types import Format, format_of, is_supported, suffix_of, unread_reason


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("notes.txt", "txt"),
        ("Report.PDF", "pdf"),
        ("README", ""),
        (".bashrc", ""),
        ("app.log.1", "log"),
        ("main.py~", "py"),
        ("letter.md.bak", "md"),
        ("archive.tar.gz", "gz"),
        ("a.", ""),
    ],
)
def test_the_suffix_of_a_name_is_what_an_editor_would_go_by(name: str, expected: str) -> None:
    assert suffix_of(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.md", Format.MARKDOWN), ("a.rs", Format.CODE), ("Makefile", Format.CODE), ("a.csv", Format.TABLE), ("x", None)],
)
def test_the_name_promises_a_format(name: str, expected: Format | None) -> None:
    assert format_of(name) is expected


def test_a_name_without_suffix_is_worth_opening() -> None:
    assert is_supported("LICENSE")
    assert unread_reason("LICENSE") == ""


def test_known_formats_that_are_not_read_yet_are_called_by_their_name() -> None:
    assert unread_reason("Lease.wpd") == "Word documents (.wpd) are not read yet"
    assert unread_reason("holiday.HEIC") == "Pictures (.heic) are not read yet"


def test_unknown_formats_are_called_by_their_suffix() -> None:
    assert unread_reason("model.xyz") == ".xyz files are not read yet"
