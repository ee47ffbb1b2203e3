"""Labels of filters: PDF, Mail (EML), German, March 2024, 2021 – 2023."""

from PySide6.QtCore import QLocale

from desktop_rag.documents.file_types import format_of
from desktop_rag.gui.files.file_wording import kind_name
from desktop_rag.gui.language_names import language_name
from desktop_rag.retrieval.api import Filter
from desktop_rag.retrieval.query.tree import FileField
from desktop_rag.text.display import one_line


def filter_label(chosen: Filter) -> str:
    """Return the label of a filter."""
    text = chosen.text
    match chosen.field:
        case FileField.EXT:
            return type_name(text)
        case FileField.AUTHOR:
            return one_line(text.partition(" <")[0].strip('" ') or text)  # a mail's has an address behind the name
        case FileField.TAG:
            return one_line(f"#{text}")
        case FileField.LANGUAGE:
            return language_name(text)
        case FileField.MODIFIED | FileField.DATE:
            first, _, last = text.partition(" TO ")
            return period(first, last)
        case FileField.FOLDER:
            return one_line(text.replace("\\", "/").rstrip("/").rpartition("/")[2] or text)
        case _:
            return one_line(text)


def type_name(suffix: str) -> str:
    """Return a type in words, with its suffix unless that is the word: Mail (EML), PDF."""
    short, kind = one_line(suffix.lstrip(".").upper()), format_of(f"file{suffix}")
    name = kind_name(kind) if kind else short
    return short if name.upper() == short else f"{name} ({short})"


def period(first: str, last: str = "") -> str:
    """Return a month, a year, or a range of them, in the language of the interface."""
    if not last or last == first:
        return _moment(first)
    return f"{_moment(first)} – {_moment(last)}"


def _moment(text: str) -> str:
    year, _, month = text.partition("-")
    named = month.isdecimal() and 1 <= int(month) <= 12
    return f"{QLocale().standaloneMonthName(int(month), QLocale.FormatType.ShortFormat)} {year}" if named else text
