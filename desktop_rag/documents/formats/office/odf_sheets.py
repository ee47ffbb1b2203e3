"""Reads the sheets of OpenDocument files: what their cells show, and the values behind it."""

import re
from collections.abc import Iterator

from lxml import etree

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import LineKind
from desktop_rag.documents.formats.hidden_text import BEGIN, HIDDEN_PART, mark_hidden
from desktop_rag.documents.formats.inline_text import InlineText, append_paragraph
from desktop_rag.documents.formats.office.hidden.hidden_spans import HiddenSpans, hidden_columns
from desktop_rag.documents.formats.office.number_formats import Value, with_value
from desktop_rag.documents.formats.office.odf_styles import OFFICE, TABLE, number
from desktop_rag.documents.formats.office.odf_text import TextReader, table_rows
from desktop_rag.documents.formats.office.sheet_cells import Range, SheetExtras, no_value
from desktop_rag.documents.formats.office.sheet_lines import Row, append_sheet, column_name
from desktop_rag.documents.formats.source_file import ReadBudget, ReadLimitReached

_MAX_REPEATED = 1000  # repetitions of a non-empty row or cell
_MAX_MERGED = 20_000
_NUMBERS = ("float", "percentage", "currency")
_DAY = re.compile(r"(\d{4,5}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?.*)?")
_TIME = re.compile(r"PT(\d+)H(\d+)M(?:(\d+)\D.*)?")
_PREFIX, _REFERENCE = re.compile(r"^(?:\w+:)?="), re.compile(r"\[\.?([^\[\]]*)\]")
_LONGEST_FORMULA = 200


class SheetReader:
    """Appends sheets to a document."""

    def __init__(self, builder: DocumentBuilder, text: TextReader, hidden: HiddenSpans, budget: ReadBudget) -> None:
        self._builder = builder
        self._text = text
        self._hidden = hidden
        self._budget = budget

    def read(self, sheet: "etree._Element") -> None:
        """Append a sheet and the comments on its cells."""
        comments: list[tuple[str, etree._Element]] = []
        height = sum(1 for _ in table_rows(sheet))
        name = sheet.get(f"{TABLE}name", "") + (HIDDEN_PART if self._hidden.is_gone(sheet) else "")
        append_sheet(self._builder, self._budget, name, self._rows(sheet, comments), 0, height)
        for label, comment in comments:
            inline = InlineText()
            self._text.plain(comment, inline)
            append_paragraph(self._builder, inline, LineKind.QUOTE, 1, label)

    def _rows(self, sheet: "etree._Element", comments: "list[tuple[str, etree._Element]]") -> Iterator[Row]:
        last = characters = 0
        hidden = hidden_columns(sheet)
        merged: list[Range] = []
        extra = SheetExtras({}, {}, merged)
        for row, _ in table_rows(sheet):
            repeated = number(row.get(f"{TABLE}number-rows-repeated"), 1)
            texts, values = self._cells(row, last + 1, comments, merged)
            extra.fill_merged(last + 1, 0, texts, values)
            cells = [_hidden(text) if column in hidden else text for column, text in enumerate(texts)]
            if any(cells):
                if repeated > _MAX_REPEATED:
                    raise ReadLimitReached("A sheet repeats a row too often; the rest of it was left out.")
                characters += sum(map(len, cells)) * repeated
                self._budget.check(characters)
                for further in range(1, repeated + 1):
                    yield last + further, cells
            last += repeated

    def _cells(
        self, row: "etree._Element", top: int, comments: "list[tuple[str, etree._Element]]", merged: list[Range]
    ) -> tuple[list[str], list[Value]]:
        """Return the texts and values of a row; the ranges of its merged cells are added."""
        texts, values = list[str](), list[Value]()
        filled = 0
        for cell in row:
            repeated = min(number(cell.get(f"{TABLE}number-columns-repeated"), 1), _MAX_REPEATED)
            text: str = ""
            value: Value = ""
            if cell.tag == f"{TABLE}table-cell":
                text, value = self._cell(cell)
                wide, high = (number(cell.get(f"{TABLE}number-{each}-spanned"), 1) for each in ("columns", "rows"))
                if (wide > 1 or high > 1) and len(merged) < _MAX_MERGED:
                    merged.append((top, len(texts), top + high - 1, len(texts) + wide - 1))
                for comment in cell.iterchildren(f"{OFFICE}annotation"):
                    comments.append((f"Comment on {column_name(len(texts))}{top}:", comment))
            texts += [text] * repeated
            values += [value] * repeated
            if text or cell.tag != f"{TABLE}table-cell":
                filled = len(texts)
        return texts[:filled], values[:filled]

    def _cell(self, cell: "etree._Element") -> tuple[str, Value]:
        """Return what a cell shows, with its value where that is not the same, and the value."""
        shown = ""
        if len(cell):
            inline = InlineText()
            self._text.plain(cell, inline)
            shown = inline.text()
        kind = cell.get(f"{OFFICE}value-type", "")
        if kind in _NUMBERS and (value := cell.get(f"{OFFICE}value", "")):
            if shown.startswith("["):
                return shown, 0.0
            text = with_value(shown, value, percent=kind == "percentage")
            return mark_hidden(text) if len(cell) and not shown else text, 0.0  # its format shows nothing
        if kind == "date" and (found := _DAY.fullmatch(cell.get(f"{OFFICE}date-value", ""))):
            day, time, seconds = found.groups(default="")
            time = "" if time + seconds in ("00:00", "00:00:00") else f" {time}{'' if seconds == ':00' else seconds}"
            return _beside(shown, f"{day}{time}".strip()), ""
        if not shown and kind == "time" and (found := _TIME.fullmatch(cell.get(f"{OFFICE}time-value", ""))):
            hours, minutes, seconds = found.groups(default="0")
            return f"{int(hours)}:{minutes}" + (f":{seconds}" if int(seconds) else ""), ""
        if not shown and kind == "boolean":
            return cell.get(f"{OFFICE}boolean-value", "").upper(), ""
        shown = shown or " ".join(cell.get(f"{OFFICE}string-value", "").split())
        if not shown and not kind and (formula := cell.get(f"{TABLE}formula", "")):
            return no_value(_REFERENCE.sub(r"\1", _PREFIX.sub("", formula))[:_LONGEST_FORMULA]), ""
        return shown, shown


def _beside(shown: str, value: str) -> str:
    if not shown or shown == value:
        return value
    return shown if value in shown or shown.startswith("[") else f"{shown} ({value})"


def _hidden(text: str) -> str:
    return text if text.startswith(BEGIN) else mark_hidden(text)
