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
        (".txt", ""),
        ("..hidden.txt", "txt"),
        ("scan. PDF", "pdf"),
        ("letter.txt ", "txt"),
    ],
)
def test_backup_and_rotation_suffixes_are_ignored(name: str, expected: str) -> None:
    assert suffix_of(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.md", Format.MARKDOWN), ("a.rs", Format.CODE), ("Makefile", Format.CODE), ("a.csv", Format.TABLE), ("x", None)],
)
def test_the_suffix_determines_the_format(name: str, expected: Format | None) -> None:
    assert format_of(name) is expected


def test_a_file_without_suffix_is_supported() -> None:
    assert is_supported("LICENSE")
    assert unread_reason("LICENSE") == ""


def test_known_unsupported_formats_are_named() -> None:
    assert unread_reason("Lease.wpd").startswith("WordPerfect files are not read yet; save them as .odt or .docx")
    assert unread_reason("holiday.PSD") == "Pictures (.psd) are not read yet"


def test_unknown_formats_are_named_by_their_suffix() -> None:
    assert unread_reason("model.xyz") == ".xyz files are not read yet"


@pytest.mark.parametrize("name", ["README.Debian", "readme.Bugs", "NEWS.old", "copying.LESSER", "changelog.Debian.1"])
def test_a_name_of_a_text_counts_more_than_an_unknown_suffix(name: str) -> None:
    assert unread_reason(name) == ""
    assert suffix_of(name) == ""


@pytest.mark.parametrize(("name", "suffix"), [("README.md", "md"), ("install.exe", "exe"), ("news.wpd", "wpd")])
def test_a_known_suffix_counts_more_than_the_name(name: str, suffix: str) -> None:
    assert suffix_of(name) == suffix


def test_an_unknown_suffix_of_another_name_is_not_read() -> None:
    assert unread_reason("boat.Debian") == ".debian files are not read yet"
