"""Writes workbooks in Office Open XML: sheets of texts, numbers with units, dates and links."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from xml.sax.saxutils import escape, quoteattr

# The parts that all packages of Office Open XML have: their content types and relations.

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # characters that XML does not have
DECLARED = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def content_types(parts: Mapping[str, str]) -> str:
    """Return the list of parts with their types, without the ending `+xml`."""
    each = "".join(f'<Override PartName="{part}" ContentType="{kind}+xml"/>' for part, kind in parts.items())
    return (
        f'{DECLARED}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{each}</Types>'
    )


def relations(parts: Sequence[tuple[str, str, str, str]]) -> str:
    """Return relations from their name, type, target, and mode: empty within the package."""
    each = "".join(
        f"<Relationship Id={quoteattr(name)} Type={quoteattr(kind)} Target={quoteattr(target)}"
        f"{f' TargetMode={quoteattr(mode)}' if mode else ''}/>"
        for name, kind, target, mode in parts
    )
    return f'{DECLARED}<Relationships xmlns="{_PACKAGE}/relationships">{each}</Relationships>'


MOST_CHARACTERS = 32_000  # of a cell, as Excel allows
MOST_LINKS = 60_000  # of a sheet
LONGEST_LINK = 2_000
_FIRST_DAY = date(1899, 12, 30)  # day 0 of spreadsheets, from March 1900 on
_UNNAMED = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_FIRST_FORMAT = 164  # own number formats begin here
_PLAIN, _BOLD, _GREY, _DATE = range(4)  # styles; those of units follow


@dataclass(frozen=True, slots=True)
class SheetCell:
    """A value of a sheet; a number may have a unit, which its format shows."""

    value: str | Decimal | date = ""
    unit: str = ""
    link: str = ""
    bold: bool = False
    grey: bool = False


def workbook(sheets: Mapping[str, Sequence[Sequence[SheetCell]]]) -> bytes:
    """Return a workbook with these sheets; the first row of each stays in sight."""
    every = (cell for rows in sheets.values() for row in rows for cell in row)
    formats = list(dict.fromkeys(_number_format(cell) for cell in every if isinstance(cell.value, Decimal)))
    names = _sheet_names(sheets)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        numbers = range(1, len(names) + 1)
        parts = {"/xl/workbook.xml": "sheet.main", "/xl/styles.xml": "styles"}
        parts |= {f"/xl/worksheets/sheet{n}.xml": "worksheet" for n in numbers}
        types = {part: f"{_TYPE}.{kind}" for part, kind in parts.items()}
        archive.writestr("[Content_Types].xml", content_types(types))
        archive.writestr("_rels/.rels", relations([("rId1", f"{RELATIONS}/officeDocument", "xl/workbook.xml", "")]))
        archive.writestr("xl/workbook.xml", _workbook(names))
        related = [(f"rId{n}", f"{RELATIONS}/worksheet", f"worksheets/sheet{n}.xml", "") for n in numbers]
        related.append((f"rId{len(names) + 1}", f"{RELATIONS}/styles", "styles.xml", ""))
        archive.writestr("xl/_rels/workbook.xml.rels", relations(related))
        archive.writestr("xl/styles.xml", _styles(formats))
        for number, rows in zip(numbers, sheets.values(), strict=True):
            links = [
                (f"{_letters(at)}{line}", cell.link)
                for line, row in enumerate(rows, 1)
                for at, cell in enumerate(row)
                if cell.link and len(cell.link) <= LONGEST_LINK
            ][:MOST_LINKS]
            archive.writestr(f"xl/worksheets/sheet{number}.xml", "".join(_sheet(rows, formats, links)))
            if links:
                targets = [
                    (f"rId{n}", f"{RELATIONS}/hyperlink", link, "External") for n, (_, link) in enumerate(links, 1)
                ]
                archive.writestr(f"xl/worksheets/_rels/sheet{number}.xml.rels", relations(targets))
    return written.getvalue()


def _sheet_names(sheets: Mapping[str, object]) -> list[str]:
    names: list[str] = []
    for at, name in enumerate(sheets, 1):
        plain = CONTROL.sub("", _UNNAMED.sub(" ", name)).strip(" '")[:31] or f"Sheet {at}"
        names.append(plain if plain.casefold() not in (each.casefold() for each in names) else f"{plain[:27]} {at}")
    return names


def _workbook(names: Sequence[str]) -> str:
    sheets = "".join(f'<sheet name={quoteattr(name)} sheetId="{n}" r:id="rId{n}"/>' for n, name in enumerate(names, 1))
    return f'{DECLARED}<workbook xmlns="{_MAIN}" xmlns:r="{RELATIONS}"><sheets>{sheets}</sheets></workbook>'


def _styles(formats: Sequence[str]) -> str:
    declared = "".join(
        f'<numFmt numFmtId="{_FIRST_FORMAT + 1 + at}" formatCode={quoteattr(each)}/>' for at, each in enumerate(formats)
    )
    dates = f'<numFmt numFmtId="{_FIRST_FORMAT}" formatCode="yyyy-mm-dd"/>'
    own = "".join(
        f'<xf numFmtId="{_FIRST_FORMAT + 1 + at}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
        for at in range(len(formats))
    )
    return (
        f'{DECLARED}<styleSheet xmlns="{_MAIN}"><numFmts count="{len(formats) + 1}">{dates}{declared}</numFmts>'
        '<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font>'
        '<font><b/><sz val="11"/><name val="Calibri"/></font>'
        '<font><i/><sz val="11"/><color rgb="FF808080"/><name val="Calibri"/></font></fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill>'
        '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        f'<cellXfs count="{4 + len(formats)}">'
        '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
        '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
        '<xf numFmtId="0" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
        f'<xf numFmtId="{_FIRST_FORMAT}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
        f"{own}</cellXfs></styleSheet>"
    )


def _number_format(cell: SheetCell) -> str:
    """Return the format of a number: grouped, decimals where there are some, its unit behind it."""
    whole = isinstance(cell.value, Decimal) and cell.value == cell.value.to_integral_value()
    unit = cell.unit.replace('"', "")
    return ("#,##0" if whole else "#,##0.00") + (f'\\ "{unit}"' if unit else "")


def _sheet(
    rows: Sequence[Sequence[SheetCell]], formats: Sequence[str], links: Sequence[tuple[str, str]]
) -> Iterator[str]:
    yield f'{DECLARED}<worksheet xmlns="{_MAIN}" xmlns:r="{RELATIONS}"><sheetViews><sheetView workbookViewId="0">'
    yield '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
    widest = max(map(len, rows), default=1)
    yield f'<cols><col min="1" max="{widest}" width="28" customWidth="1"/></cols><sheetData>'
    for line, row in enumerate(rows, 1):
        yield f'<row r="{line}">'
        yield from (_cell(cell, f"{_letters(at)}{line}", formats) for at, cell in enumerate(row))
        yield "</row>"
    yield "</sheetData>"
    if links:
        each = "".join(f'<hyperlink ref="{place}" r:id="rId{n}"/>' for n, (place, _) in enumerate(links, 1))
        yield f"<hyperlinks>{each}</hyperlinks>"
    yield "</worksheet>"


def _cell(cell: SheetCell, place: str, formats: Sequence[str]) -> str:
    match cell.value:
        case Decimal():
            return f'<c r="{place}" s="{_DATE + 1 + formats.index(_number_format(cell))}"><v>{cell.value:f}</v></c>'
        case date():
            if cell.value > date(1900, 3, 1):
                return f'<c r="{place}" s="{_DATE}"><v>{(cell.value - _FIRST_DAY).days}</v></c>'
            text = cell.value.isoformat()  # before the first day of spreadsheets
        case str():
            text = cell.value
    if not text:
        return ""
    style = _BOLD if cell.bold else _GREY if cell.grey else _PLAIN
    shown = escape(CONTROL.sub("\ufffd", text[:MOST_CHARACTERS]))
    return f'<c r="{place}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{shown}</t></is></c>'


def _letters(at: int) -> str:
    """Return the letters of a column, counted from 0: A, …, Z, AA."""
    letters = ""
    at += 1
    while at:
        at, rest = divmod(at - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
