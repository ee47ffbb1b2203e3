"""Reads tables written as text: CSV, TSV and their relatives. A row of the table stays on the line where it begins.

The lines on which the cells of a row go on are left empty, so that every row keeps the number it has in an editor.
"""

import csv
import io
from collections import Counter
from itertools import islice

from desktop_rag.documents.decoding.encodings import decode
from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format, suffix_of
from desktop_rag.documents.formats.office.sheet_lines import names_columns
from desktop_rag.documents.formats.source_file import ReadLimitReached, SourceFile
from desktop_rag.documents.formats.text_files.source_lines import SourceLines

_OF_SUFFIX = {"tsv": "\t", "tab": "\t", "psv": "|"}
_DELIMITERS = "\t;|,"  # the rarer in prose, the sooner believed
_SAMPLE_CHARACTERS, _SAMPLE_ROWS = 64 * 1024, 200
_MAX_CELL, _MAX_LINES = 1_000_000, 1000  # characters and lines; more is a quotation mark that nobody closed
_CHECKED_EVERY = 4096  # rows


def read_delimited(source: SourceFile, kind: Format) -> Document:
    """Return the rows of a table with their cells set apart by tabs; the first is the header if it names columns."""
    text = decode(source.data)
    told = _told(text.partition("\n")[0].strip().strip('"'))
    delimiter = told or _OF_SUFFIX.get(suffix_of(source.name)) or delimiter_of(text)
    page = SourceLines(source, kind, _with_tabs(text, delimiter, source))
    header = next((number for number in range(int(bool(told)), len(page)) if not page.is_blank(number)), None)
    if told:
        page.set(0, LineKind.FIELD)
    if header is not None and names_columns(page[header].split("\t")):
        page.set(header, LineKind.ROW, 1)
    return page.document()


def _told(first_line: str) -> str:
    """Return the delimiter that a spreadsheet program has written above its table."""
    return first_line[4:] if first_line.startswith("sep=") and len(first_line) == 5 else ""


def delimiter_of(text: str) -> str:
    """Return the sign that divides most rows of the beginning into the same number of cells, or an empty text."""
    sample = text[:_SAMPLE_CHARACTERS]
    if len(text) > len(sample):
        sample = sample[: sample.rfind("\n") + 1] or sample
    best, delimiter = 0.0, ""
    for sign in _DELIMITERS:
        reader = csv.reader(io.StringIO(sample, newline=""), delimiter=sign)
        widths = [len(row) for row in islice(reader, _SAMPLE_ROWS) if row]
        if not widths:
            continue
        width, rows = Counter(widths).most_common(1)[0]
        agreement = rows / len(widths) + (widths[0] == width) * 0.1  # the header tells most
        if width > 1 and agreement > best + 0.05:
            best, delimiter = agreement, sign
    return delimiter


def _with_tabs(text: str, delimiter: str, source: SourceFile) -> str:
    """Return the lines of `text` with tabs between their cells."""
    if not delimiter:
        return text
    if '"' in text:
        try:
            return _unquoted(text, delimiter, source)
        except (csv.Error, ReadLimitReached):
            pass  # a lone quotation mark, or no time: the lines as they are
    return text if delimiter == "\t" else text.replace("\t", " ").replace(delimiter, "\t")


def _unquoted(text: str, delimiter: str, source: SourceFile) -> str:
    csv.field_size_limit(_MAX_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    lines: list[str] = []
    for number, cells in enumerate(reader):
        if number % _CHECKED_EVERY == 0:
            source.budget.check()
        if reader.line_num - len(lines) > _MAX_LINES:
            raise csv.Error
        row = "\t".join(cells)
        if "\n" in row or row.count("\t") >= len(cells):
            row = "\t".join(" ".join(cell.split()) for cell in cells)
        lines.append(row)
        lines.extend([""] * (reader.line_num - len(lines)))
    return "\n".join(lines)
