"""Reads Excel workbooks (.xlsx, .xlsm, .xlsb, .xls) with calamine, a parser written in Rust.

Calamine trusts the sizes that a package declares and allocates a sheet as a rectangle. Therefore it gets a package
repacked within the limits, and sheets whose rectangle is far larger than their content are left out.
"""

import html
import io
import re
import zipfile
from collections.abc import Container, Generator, Iterator
from contextlib import contextmanager
from itertools import chain, repeat

import python_calamine
from lxml import etree

from desktop_rag.documents import file_types
from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.inline_text import HIDDEN_PART, append_words, mark_hidden
from desktop_rag.documents.formats.office.binary.sheet_records import STARTS as EARLY_STARTS
from desktop_rag.documents.formats.office.binary.sheet_records import (
    BookLooks,
    SheetLook,
    read_early_workbook,
    xls_look,
    xls_looks,
    xlsb_look,
    xlsb_looks,
    xlsb_sheets,
)
from desktop_rag.documents.formats.office.binary.xls_records import XlsRecords, decrypted
from desktop_rag.documents.formats.office.drawings import A, append_chart
from desktop_rag.documents.formats.office.hidden.hidden_cells import HiddenCells, hidden_cells, hiding_styles
from desktop_rag.documents.formats.office.legacy import read_misnamed
from desktop_rag.documents.formats.office.number_formats import NumberFormat, Value, cell_formats, format_value
from desktop_rag.documents.formats.office.package import PROTECTED, Package, build, is_encrypted
from desktop_rag.documents.formats.office.sheet_cells import (
    Formats,
    SheetExtras,
    column_number,
    is_too_sparse,
    shortened,
    unstored_formulas,
    with_looks,
    without_far_cells,
)
from desktop_rag.documents.formats.office.sheet_lines import Row, append_sheet
from desktop_rag.documents.formats.source_file import ReadBudget, ReadLimitReached, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_X = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_DRAWN = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_LARGEST_SHEET = 512 * 1024 * 1024  # bytes of XML
_DAMAGED = "This file is damaged or not a workbook."
_NEEDED = (".xml", ".rels", ".bin")
_SKIPPED = ("media/", "printersettings", "vbaproject", "embeddings/", "theme/", "docprops/", "drawings/", "charts/")
_CELL = re.compile(rb'<c r="([A-Z]{1,3})(\d+)"[^>]*? s="(\d+)"')
_PREFIXED = re.compile(rb"<(\w{1,20}:)worksheet\b")
_MARGIN = re.compile(rb"<(?:odd|even|first)(?:Header|Footer)>([^<]+)<")
_CODES = re.compile(r'&(?:"[^"]*"|K[0-9A-F]{6}|\d+|[A-Za-z]|(&))')  # of fonts, places, page numbers and dates
_PASSWORD = re.compile(  # an encryption record at the start of a workbook (MS-XLS 2.4.117), of Excel 97 and of 5
    rb"\x09\x08(?:\x10\x00\x00\x06.{14}|\x08\x00\x00\x05.{6})(?:\x86\x00\x00\x00)?\x2f\x00", re.DOTALL
)
_SHEET_ID = re.compile(rb"<(?:\w+:)?sheet\s[^>]*?:id=[\"']([^\"']*)")
_BINARY_SHEET_ID = re.compile(rb"(?:r\0I\0d\0(?:[0-9]\0)+)")
_NO_SHEET = f'<Relationship Id="{{}}" Type="{_RELATION_ID[1:-3]}/worksheet" Target="worksheets/none.xml"/>'


def read_workbook(source: SourceFile, kind: Format) -> Document:
    """Return the cells of a workbook, a line and a section for each row."""
    if source.data.startswith(EARLY_STARTS):
        return read_early_workbook(source)
    builder = DocumentBuilder(kind)
    if (document := read_misnamed(source)) is not None:
        return document
    if source.data.startswith(file_types.OLE) and not is_encrypted(source.data):
        data: bytes | None = source.data
        if _PASSWORD.search(source.data) and (data := decrypted(source.data)) is None:
            raise DocumentError(PROTECTED, ProblemKind.PROTECTED)
        assert data is not None
        with source.keep_partial(builder):
            _Workbook(data, None, builder, source.budget).read()
        return builder.build("This file contains no text.")
    package = Package(source, "a workbook")
    with source.keep_partial(builder):
        package.read_metadata(builder)
        _Workbook(_repacked(package), package, builder, source.budget).read()
    return build(package, builder)


class _Workbook:
    def __init__(self, data: bytes, package: Package | None, builder: DocumentBuilder, budget: ReadBudget) -> None:
        self._package = package
        self._builder = builder
        self._budget = budget
        self._parts: dict[str, str] = {}
        self._looks = BookLooks()
        self._hiding = frozenset[str]()  # styles of cells
        self._beside = ""  # the section of what is no cell
        self._is_uncalculated = False  # who wrote it left that to the program that opens it
        if package is not None:
            self._find_parts(package)
        self._old = XlsRecords(data) if package is None else None
        if self._old is not None:
            self._looks = xls_looks(self._old.first_records())
        self._workbook: python_calamine.CalamineWorkbook | None = None
        try:
            self._workbook = _opened(data if self._old is None else self._old.file)
        except CalaminePanic as error:
            if self._old is None or not self._old.sheets:
                raise DocumentError(_DAMAGED, ProblemKind.DAMAGED) from error

    def read(self) -> None:
        """Append each sheet; a damaged one is left out and named in `partial`."""
        for name in self._names():
            part = self._parts.get(name, "")
            written = self._package.read(part, _LARGEST_SHEET) if self._package and part.endswith(".xml") else b""
            xml = _without_prefix(written)
            if is_too_sparse(xml):
                near = without_far_cells(xml)
                if near is None:
                    self._builder.leave_out(
                        f"The cells of the sheet {name} are too far apart; it was left out.", ProblemKind.LIMIT
                    )
                    continue
                self._builder.leave_out(
                    f"Cells of the sheet {name} that are far from the others were left out.", ProblemKind.LIMIT
                )
            try:
                with _panic_as_error():
                    sheet = self._sheet(name)
            except (python_calamine.CalamineError, ValueError, OSError, DocumentError, CalaminePanic):
                self._builder.leave_out(f"The sheet {name} cannot be read; it was left out.", ProblemKind.DAMAGED)
            else:
                merged = shortened(
                    (top + 1, a, bottom + 1, z) for (top, a), (bottom, z) in sheet.merged_cell_ranges or ()
                )
                if (look := self._binary_look(name, part)) is not None:
                    extra = SheetExtras(look.formats, look.texts, look.merged or merged)
                    self._append(name, sheet, extra, look.hidden)
                else:
                    formats = _formats_of_cells(xml, self._looks.formats)
                    formulas = unstored_formulas(xml, zeros=self._is_uncalculated)
                    extra = SheetExtras(formats, formulas, merged)
                    self._append(name, sheet, extra, hidden_cells(written, self._hiding))
            self._beside = clean(name)
            self._comments(part)
            self._old_notes(name)
            self._margins(xml)

    def _binary_look(self, name: str, part: str) -> SheetLook | None:
        """Return how the cells of a sheet look that is no XML."""
        if self._package is not None:
            return xlsb_look(self._package.read(part, _LARGEST_SHEET), self._looks) if part.endswith(".bin") else None
        sheet = next((each for each in self._old.sheets if each.name == name), None) if self._old else None
        return xls_look(self._old.records_of(sheet), self._looks) if self._old and sheet else SheetLook()

    def _names(self) -> list[str]:
        if self._workbook is not None:
            return self._workbook.sheet_names
        return [sheet.name for sheet in self._old.sheets] if self._old is not None else []

    def _hidden_sheets(self) -> frozenset[str]:
        sheets = self._workbook.sheets_metadata if self._workbook is not None else ()
        return frozenset(each.name for each in sheets if each.visible != python_calamine.SheetVisibleEnum.Visible)

    def _sheet(self, name: str) -> python_calamine.CalamineSheet:
        """Return a sheet, from a file without the others if those together are too much for calamine."""
        workbook = self._workbook
        if workbook is None and self._old is not None:
            kept = next(sheet for sheet in self._old.sheets if sheet.name == name)
            self._budget.check(self._builder.characters)
            workbook = _opened(self._old.with_only(kept))
        assert workbook is not None
        return workbook.get_sheet_by_name(name)

    def _append(self, name: str, sheet: python_calamine.CalamineSheet, extra: SheetExtras, hidden: HiddenCells) -> None:
        left = _left(sheet, extra)
        shown = clean(name) + (HIDDEN_PART if name in self._hidden_sheets() else "")
        try:
            with _panic_as_error():
                rows = _rows(sheet, extra, hidden)
                append_sheet(self._builder, self._budget, shown, rows, left, sheet.total_height + 1)
        except CalaminePanic:
            self._builder.leave_out(f"The sheet {name} is damaged; only a part of it was read.", ProblemKind.DAMAGED)

    def _find_parts(self, package: Package) -> None:
        main = _main_part(package)
        relations = package.relations(main)
        root = package.xml(main) if main.endswith(".xml") else None
        calculation = root.find(f"{_X}calcPr") if root is not None else None
        self._is_uncalculated = calculation is not None and calculation.get("fullCalcOnLoad") in ("1", "true")
        for sheet in root.iter(f"{_X}sheet") if root is not None else ():
            relation = relations.get(sheet.get(_RELATION_ID, ""))
            if relation is not None:
                self._parts[sheet.get("name", "")] = relation.target
        styles = [relation.target for relation in relations.values() if relation.kind == "styles"]
        if main.endswith(".bin"):
            self._parts = {
                name: relations[identifier].target
                for name, identifier in xlsb_sheets(package.read(main))
                if identifier in relations
            }
            texts = [relation.target for relation in relations.values() if relation.kind == "sharedStrings"]
            self._looks = xlsb_looks(*(package.read(parts[0]) if parts else b"" for parts in (styles, texts)))
        elif styles and styles[0].endswith(".xml"):
            root = package.xml(styles[0])
            self._looks, self._hiding = BookLooks(cell_formats(root)), hiding_styles(root)

    def _margins(self, xml: bytes) -> None:
        """Append the distinct words of the printed headers and footers of a sheet."""
        margins = (html.unescape(found.decode("utf-8", "replace")) for found in _MARGIN.findall(xml))
        shown = (_CODES.sub(lambda code: code[1] or " ", margin) for margin in margins)
        for words in dict.fromkeys(" ".join(clean(margin).split()) for margin in shown):
            if any(map(str.isalpha, words)):
                self._put(words, LineKind.FIELD, 0)

    def _old_notes(self, name: str) -> None:
        """Append comments and text boxes of a sheet of an .xls file."""
        for sheet in self._old.sheets if self._old is not None else ():
            for note in self._old.notes(sheet) if self._old is not None and sheet.name == name else ():
                if words := " ".join(clean(note.text).split()):
                    label = f"Comment on {note.place}:" if note.place else "Text box:"
                    self._put(words, LineKind.QUOTE, 1, label)

    def _comments(self, part: str) -> None:
        """Append the comments on the cells of the sheet in `part`, and its text boxes."""
        for target in self._package.related(part, "comments") if self._package and part else ():
            root = self._package.xml(target) if self._package else None
            for comment in root.iter(f"{_X}comment") if root is not None else ():
                self._put(_text(comment), LineKind.QUOTE, 1, f"Comment on {comment.get('ref', '')}:")
        for target in self._package.related(part, "drawing") if self._package and part else ():
            root = self._package.xml(target) if self._package else None
            for box in root.iter(f"{_DRAWN}txBody") if root is not None else ():
                paragraphs = ("".join(run.text or "" for run in words.iter(f"{A}t")) for words in box.iter(f"{A}p"))
                if text := " ".join(" ".join(paragraphs).split()):
                    self._put(text, LineKind.QUOTE, 1, "Text box:")
            for chart in self._package.related(target, "chart") if self._package else ():
                if (drawn := self._package.xml(chart) if self._package else None) is not None:
                    self._builder.begin_section(self._beside)
                    append_chart(self._builder, drawn)

    def _put(self, words: str, kind: LineKind, level: int, label: str = "") -> None:
        """Append what stands beside the cells of a sheet, in the section of the sheet."""
        self._builder.begin_section(self._beside)
        append_words(self._builder, words, kind, level, label)


class CalaminePanic(Exception):
    """A sheet is too much for calamine."""


@contextmanager
def _panic_as_error() -> Generator[None]:
    """Raise `CalaminePanic` for a panic of Rust code, which is no `Exception`."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise CalaminePanic(str(error)) from error


def _opened(data: bytes) -> python_calamine.CalamineWorkbook:
    """Open a workbook; raises `DocumentError` or `CalaminePanic`."""
    try:
        with _panic_as_error():
            return python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    except (python_calamine.CalamineError, ValueError, OSError) as error:
        raise DocumentError(_DAMAGED, ProblemKind.DAMAGED) from error


def _text(comment: "etree._Element") -> str:
    return " ".join("".join(text.text or "" for text in comment.iter(f"{_X}t")).split())


def _left(sheet: python_calamine.CalamineSheet, extra: SheetExtras) -> int:
    """Return the first column (from 0) with anything in it; calamine knows no cells around those with values."""
    columns = [column for _, column in extra.formulas]
    return min([*columns, sheet.start[1]] if sheet.start else columns, default=0)


def _rows(sheet: python_calamine.CalamineSheet, extra: SheetExtras, hidden: HiddenCells) -> Iterator[Row]:
    left = _left(sheet, extra)
    width = max((column for _, column in extra.formulas), default=-1) - left + 1
    indent = [""] * (sheet.start[1] - left if sheet.start else 0)
    height = max((row for row, _ in extra.formulas), default=0)
    further: Iterator[list[Value]] = repeat([], max(0, height - (sheet.end[0] + 1 if sheet.end else 0)))
    for number, row in enumerate(chain(sheet.iter_rows(), further), start=1):
        values = [*indent, *row]
        values += [""] * (width - len(values))
        texts = [
            extra.formulas.get((number, column))
            or format_value(clean(value) if isinstance(value, str) else value, extra.formats.get((number, column)))
            for column, value in enumerate(values, start=left)
        ]
        if any(texts):
            extra.fill_merged(number, left, texts, values)
            yield (
                number,
                [
                    mark_hidden(text) if text and (number, column) in hidden else text
                    for column, text in enumerate(texts, start=left)
                ],
            )


def _formats_of_cells(xml: bytes, formats: dict[int, NumberFormat]) -> Formats:
    """Return the number formats of cells by (row from 1, column from 0)."""
    if not formats:
        return {}
    found: Formats = {}
    for cell in _CELL.finditer(xml):
        form = formats.get(int(cell[3]))
        if form is not None:
            found[int(cell[2]), column_number(cell[1])] = form
    return found


def _without_prefix(xml: bytes) -> bytes:
    """Return a sheet whose elements have no prefix, which some programs write (x:worksheet)."""
    found = _PREFIXED.search(xml[:4096])
    return re.sub(rb"<(/?)" + re.escape(found[1]), rb"<\1", xml) if found else xml


def _main_part(package: Package) -> str:
    return next(iter(package.related("", "officeDocument")), "xl/workbook.xml")


def _repacked(package: Package) -> bytes:
    """Return the parts that calamine needs, unpacked within the limits, as an uncompressed package."""
    main = _main_part(package)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as stored:
        for name in package.names():
            low = name.lower()
            if low.endswith(_NEEDED) and not any(part in low for part in _SKIPPED):
                data = package.read(name, _LARGEST_SHEET)
                if b"<!DOCTYPE" in data[:4096]:
                    raise ReadLimitReached(
                        "This file declares XML entities, which no workbook does; it was not read.", ProblemKind.DAMAGED
                    )
                if low == f"xl/_rels/{main[3:]}.rels".lower():
                    data = _with_all_sheets(data, package.relations(main), package.read(main))
                if low.startswith("xl/worksheets/") and low.endswith(".xml"):
                    data = with_looks(_shown_part(data))
                elif low == "xl/sharedstrings.xml":
                    data = with_looks(data)
                stored.writestr(name, data)
    return buffer.getvalue()


def _shown_part(data: bytes) -> bytes:
    """Return a sheet without the cells that would make its rectangle too large, unchanged where that is no help."""
    xml = _without_prefix(data)
    return (without_far_cells(xml) or data) if is_too_sparse(xml) else data


def _with_all_sheets(relations: bytes, known: Container[str], workbook: bytes) -> bytes:
    """Return the relations of a workbook with one for each sheet: calamine gives up a file for one that is missing."""
    named = [name.decode("utf-8", "replace") for name in _SHEET_ID.findall(workbook)]
    named += [name.decode("utf-16-le") for name in _BINARY_SHEET_ID.findall(workbook)]
    added = "".join(_NO_SHEET.format(name) for name in dict.fromkeys(named) if name not in known)
    return relations.replace(b"</Relationships>", f"{added}</Relationships>".encode())
