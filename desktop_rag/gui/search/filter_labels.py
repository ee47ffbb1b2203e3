"""Labels of filters: PDF, Mail (EML), German, March 2024, 2021 – 2023."""

from collections.abc import Sequence

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QWidget

from desktop_rag.documents.file_types import format_of
from desktop_rag.gui.files.file_wording import kind_name
from desktop_rag.gui.formatting import language_name
from desktop_rag.gui.widgets.chips import Chip, FlowRow
from desktop_rag.retrieval.query.tree import FileField, Filter
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


# The active filters of a search as buttons.


class ActiveFilters(FlowRow):
    """A chip for each filter, which removes it; hidden without filters."""

    removed = Signal(object)  # the Filter

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hide()

    def show_filters(self, filters: Sequence[Filter]) -> None:
        """Show these filters instead."""
        chips = []
        for each in filters:
            chip = Chip(filter_label(each), icon="close")
            chip.setToolTip(self.tr("Remove this filter"))
            chip.clicked.connect(lambda _=False, chosen=each: self.removed.emit(chosen))
            chips.append(chip)
        self.set_items(chips)
        self.setVisible(bool(chips))

    def chips(self) -> tuple[Chip, ...]:
        """Return the chips in order."""
        return tuple(chip for chip in self.findChildren(Chip) if not chip.isHidden())
