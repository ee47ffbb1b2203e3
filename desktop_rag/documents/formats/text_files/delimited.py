"""Reads delimited tables: CSV, TSV and the like. Every row stays on the line where it starts in the file.

The further lines of a row with line breaks in its cells are left empty, so that line numbers agree with an editor.
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
_DELIMITERS = "\t;|,"  # in order of preference: the rarer in prose, the earlier
_SAMPLE_CHARACTERS, _SAMPLE_ROWS = 64 * 1024, 200
_MAX_CELL, _MAX_LINES = 1_000_000, 1000  # characters and lines; more means an unclosed quotation mark
_CHECKED_EVERY = 4096  # rows


def read_delimited(source: SourceFile, kind: Format) -> Document:
    """Return the rows of a table with tab-separated cells; the first is the header if it contains column names."""
    text = decode(source.data)
    declared = _declared_delimiter(text.partition("\n")[0].strip("\r\ufeff ").strip('"'))
    if declared:
        text = text[text.find("\n") if "\n" in text else len(text) :]  # the line is for spreadsheet programs only
    delimiter = declared or _OF_SUFFIX.get(suffix_of(source.name)) or delimiter_of(text)
    lines = SourceLines(source, kind, _with_tabs(text, delimiter, source))
    header = next((number for number in range(len(lines)) if not lines.is_blank(number)), None)
    below = next((number for number in range((header or 0) + 1, len(lines)) if not lines.is_blank(number)), None)
    second = lines[below].split("\t") if below is not None else ()
    if header is not None and names_columns(lines[header].split("\t"), second):
        lines.set(header, LineKind.ROW, 1)
    return lines.document()


def _declared_delimiter(first_line: str) -> str:
    """Return the delimiter from a `sep=;` line, which spreadsheet programs write above the table."""
    return first_line[4:] if first_line[:4].lower() == "sep=" and len(first_line) == 5 else ""


def delimiter_of(text: str) -> str:
    """Return the character that splits most of the first rows into the same number of cells, or an empty string."""
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
        agreement = rows / len(widths) + (widths[0] == width) * 0.1  # the header counts more
        if width > 1 and agreement > best + 0.05:
            best, delimiter = agreement, sign
    return delimiter


def _with_tabs(text: str, delimiter: str, source: SourceFile) -> str:
    """Return the lines of `text` with tab-separated cells."""
    if not delimiter:
        return text
    if '"' in text:
        try:
            return _unquoted(text, delimiter, source)
        except (csv.Error, ReadLimitReached):
            pass  # an unclosed quotation mark, or no time left: split the lines without regard to quotes
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
