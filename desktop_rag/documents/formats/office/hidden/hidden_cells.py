"""Recognises cells of a workbook that are not shown: in hidden rows and columns, or of a style that hides them."""

import io
import re
from dataclasses import dataclass, field

from lxml import etree

from desktop_rag.documents.formats.inline_text import LEAST_SIZE, are_alike
from desktop_rag.documents.formats.office.odf_styles import number
from desktop_rag.documents.formats.office.sheet_cells import column_number

_X = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_MAY_HIDE = re.compile(rb"\bhidden\s*=|\b(?:ht|width)\s*=\s*[\"']\s*[01]?(?:\.\d*)?\s*[\"']")
_NOTHING_SHOWN = re.compile(r"\s*;\s*;\s*;\s*")
_REFERENCE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_THEME = {"0": "ffffff", "1": "000000"}  # the paper and the text of a theme, which few change
_INDEXED = {"0": "000000", "1": "ffffff", "8": "000000", "9": "ffffff"}
_ON = ("1", "true")
_MOST_COLUMNS = 16_384


@dataclass(slots=True)
class HiddenCells:
    """The hidden rows (from 1), columns (from 0) and cells of a sheet."""

    rows: set[int] = field(default_factory=set)
    columns: set[int] = field(default_factory=set)
    cells: set[tuple[int, int]] = field(default_factory=set)

    def __contains__(self, cell: tuple[int, int]) -> bool:
        row, column = cell
        return row in self.rows or column in self.columns or cell in self.cells


def hiding_styles(styles: "etree._Element | None") -> frozenset[str]:
    """Return the numbers of the cell styles whose text cannot be seen."""
    cells = styles.find(f"{_X}cellXfs") if styles is not None else None
    if styles is None or cells is None:
        return frozenset()
    fonts, fills = (
        list(found) if (found := styles.find(f"{_X}{name}")) is not None else [] for name in ("fonts", "fills")
    )
    codes = {each.get("numFmtId"): each.get("formatCode", "") for each in styles.iter(f"{_X}numFmt")}
    hiding = {each for each, code in codes.items() if _NOTHING_SHOWN.fullmatch(code)}
    unseen = (
        str(index)
        for index, cell in enumerate(cells.iterchildren(f"{_X}xf"))
        if cell.get("numFmtId") in hiding or _is_unseen(_at(fonts, cell.get("fontId")), _at(fills, cell.get("fillId")))
    )
    return frozenset(unseen)


def hidden_cells(xml: bytes, styles: frozenset[str]) -> HiddenCells:
    """Return the hidden cells of a sheet by its XML and the styles that hide."""
    found = HiddenCells()
    if not styles and not _MAY_HIDE.search(xml):
        return found
    row = column = 0
    tags = [f"{_X}{name}" for name in ("col", "row", "c")]
    events = ("start", "end")
    parsed = etree.iterparse(io.BytesIO(xml), events=events, tag=tags, resolve_entities=False, no_network=True)
    try:
        for event, element in parsed:
            if event == "end":  # an element that is cleared before its end is still written to by the parser
                element.clear(keep_tail=True)
            elif element.tag == tags[0]:
                if _is_closed(element, "width"):
                    first, last = number(element.get("min"), 1), number(element.get("max"), 1)
                    found.columns.update(range(first - 1, min(last, _MOST_COLUMNS)))
            elif element.tag == tags[1]:
                row, column = number(element.get("r"), row + 1), 0
                if _is_closed(element, "ht"):
                    found.rows.add(row)
            else:
                if (place := _REFERENCE.fullmatch(element.get("r", ""))) is not None:
                    column = column_number(place[1])
                if element.get("s", "0") in styles:
                    found.cells.add((row, column))
                column += 1
    except etree.XMLSyntaxError:  # calamine reads what comes before a damage, too
        pass
    return found


def _is_closed(element: "etree._Element", size: str) -> bool:
    """Return whether a row or column is hidden or has hardly a size."""
    given = element.get(size, "")
    try:
        is_flat = bool(given) and float(given) < (LEAST_SIZE if size == "ht" else 0.3)  # points; letters
    except ValueError:
        is_flat = False
    return is_flat or element.get("hidden") in _ON


def _is_unseen(font: "etree._Element | None", fill: "etree._Element | None") -> bool:
    """Return whether a font is too small to read, or of the colour of its cell; not if a table may give another."""
    if font is None:
        return False
    size = font.find(f"{_X}sz")
    try:
        if size is not None and float(size.get("val", "")) < LEAST_SIZE:
            return True
    except ValueError:
        pass
    pattern = fill.find(f"{_X}patternFill") if fill is not None else None
    is_filled = fill is not None and len(fill) > 0 and (pattern is None or pattern.get("patternType", "none") != "none")
    behind = _colour(pattern.find(f"{_X}fgColor") if pattern is not None else None) if is_filled else "ffffff"
    return are_alike(_colour(font.find(f"{_X}color")), behind)


def _colour(colour: "etree._Element | None") -> str:
    """Return a colour as hexadecimal digits; empty if it is automatic or not known."""
    if colour is None or colour.get("tint", "0") not in ("0", "0.0"):
        return ""
    if (theme := colour.get("theme")) is not None:
        return _THEME.get(theme, "")
    if (index := colour.get("indexed")) is not None:
        return _INDEXED.get(index, "")
    return colour.get("rgb", "")[-6:]


def _at(elements: "list[etree._Element]", index: str | None) -> "etree._Element | None":
    at = number(index, 0)
    return elements[at] if at < len(elements) else None
