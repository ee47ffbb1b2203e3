"""What the XML of a sheet tells beside the values of its cells: formulas without a value, merged and far cells."""

import html
import re
from bisect import bisect_right
from collections.abc import Iterable, MutableSequence, Sequence
from dataclasses import dataclass
from itertools import islice

from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.formats.inline_text import InlineText
from desktop_rag.documents.formats.office.number_formats import NumberFormat, Value

_MAX_CELLS = 20_000_000  # in the rectangle of a sheet
_MAX_COLUMNS = 16_384
_SPARSE = 10  # maximum ratio of cells in the rectangle to cells with a value
_FEWEST_KEPT = 0.9  # of the cells, where the others are far away
_MOST_MERGED = 20_000  # ranges
_LONGEST_RANGE = 1_000  # rows or columns that are filled
_LONGEST_FORMULA = 200  # characters
_ROW = re.compile(rb'<row [^>]*?\br="(\d+)"')
_FILLED = re.compile(rb'<c r="([A-Z]{1,3})(\d+)"(?:[^>]*[^/>])?>')
_FORMULA = re.compile(
    rb'<c r="([A-Z]{1,3})(\d+)"[^>]*>\s*<f(?:\s[^>]*[^/])?>([^<]{1,8192})</f>\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>'
)
_ZERO = re.compile(rb'<c r="([A-Z]{1,3})(\d+)"[^>]*>\s*<f(?:\s[^>]*[^/])?>([^<]{1,8192})</f>\s*<v>0</v>\s*</c>')
_SHARED = re.compile(  # which only the first of its cells writes
    rb'<c r="([A-Z]{1,3})(\d+)"[^>]*>\s*<f [^>]*/>()\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>'
)
_UNSTORED = (
    b"/></c>",
    b"/><v></v></c>",
    b"</f></c>",
    b"</f><v></v>",
    b"</f><v/>",
    b"</f><v />",
)  # its end
_WHOLE_CELL = re.compile(rb'<c r="([A-Z]{1,3})(\d+)"[^>]*?(?:/>|>.*?</c>)', re.DOTALL)

Formats = dict[tuple[int, int], NumberFormat]  # by row (from 1) and column (from 0)
Range = tuple[int, int, int, int]  # first row, first column, last row, last column


@dataclass(frozen=True, slots=True)
class SheetExtras:
    """The number formats of cells, formulas without a stored value, and merged ranges by their first row."""

    formats: Formats
    formulas: dict[tuple[int, int], str]
    merged: Sequence[Range]

    def fill_merged(self, row: int, left: int, texts: MutableSequence[str], values: Sequence[Value]) -> None:
        """Write the texts of merged cells into all of their columns, and keep them for their further rows.

        A number is not repeated, which would count twice, unless all numbers of its row are merged, as years above
        columns are. Nor is a title over the whole sheet.
        """
        if not self.merged:
            return
        amounts = {at for at, value in enumerate(values, left) if isinstance(value, int | float)}
        names = {first for top, first, _, last in self.merged if top == row and last > first}
        for number in range(bisect_right(self.merged, (row - _LONGEST_RANGE,)), len(self.merged)):
            top, first, bottom, last = self.merged[number]
            if top > row:
                break
            if not top <= row <= bottom or first < left or last - left >= len(texts):
                continue
            if row == top and (isinstance(values[first - left], str) or amounts <= names):
                self.formulas[-number - 1, 0] = texts[first - left]
            text = self.formulas.get((-number - 1, 0), "")
            covers_all = last - first + 1 >= len(texts) and len(texts) > 1
            for column in range(first, last + 1):
                if not texts[column - left] and not covers_all:
                    texts[column - left] = text


def unstored_formulas(xml: bytes, *, zeros: bool = False) -> dict[tuple[int, int], str]:
    """Return the formulas whose results the file does not hold, as `=B2*0.24 (no stored value)`.

    With `zeros` that is said of those with the result 0, too: some programs write it for all and have them calculated
    when the file is opened.
    """
    found = dict[tuple[int, int], str]()
    zeros = zeros and b"</f><v>0</v>" in xml
    if not zeros and not any(end in xml for end in _UNSTORED):
        return found
    shared = _SHARED.findall(xml) if b"shared" in xml else ()
    for letters, row, formula in [*_FORMULA.findall(xml), *shared, *(_ZERO.findall(xml) if zeros else ())]:
        words = " ".join(clean(html.unescape(formula.decode("utf-8", "replace"))).split())[:_LONGEST_FORMULA]
        found[int(row), column_number(letters)] = no_value(words)
    return found


def no_value(formula: str) -> str:
    """Return what stands in a cell whose file does not hold the result of its formula."""
    return f"={formula} (no stored value)" if formula else "= (no stored value)"


def shortened(ranges: Iterable[Range]) -> list[Range]:
    """Return the ranges that are filled, in order: not more than a sheet can have, none too long."""
    kept = (each for each in ranges if each[2] - each[0] < _LONGEST_RANGE and each[3] - each[1] < _LONGEST_RANGE)
    return sorted(islice(kept, _MOST_MERGED))


def is_too_sparse(xml: bytes) -> bool:
    """Return whether the rectangle around the cells with a value is too large and mostly empty."""
    rows = [int(number) for number in _ROW.findall(xml)]
    if not rows or (max(rows) - min(rows) + 1) * _MAX_COLUMNS <= _MAX_CELLS:
        return False
    filled = [(int(row), column_number(letters)) for letters, row in _FILLED.findall(xml)]
    cells = _size(filled)
    return cells > _MAX_CELLS and cells > _SPARSE * len(filled)


def without_far_cells(xml: bytes) -> bytes | None:
    """Return a sheet without the few cells that are far from all others; None if they are all far apart."""
    filled = sorted((int(row), column_number(letters)) for letters, row in _FILLED.findall(xml))
    kept: Sequence[tuple[int, int]] = filled
    while len(kept) > max(1, _FEWEST_KEPT * len(filled) - 1) and _size(kept) > _MAX_CELLS:
        fewer: list[Sequence[tuple[int, int]]] = [kept[:-1], kept[1:], _but_last_column(kept)]
        kept = min(fewer, key=_size)
    if not kept or len(kept) == 1 or _size(kept) > _MAX_CELLS:
        return None
    near = frozenset(kept)

    def left(cell: re.Match[bytes]) -> bytes:
        return cell[0] if (int(cell[2]), column_number(cell[1])) in near else b""

    return _WHOLE_CELL.sub(left, xml)


def _but_last_column(cells: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    last = max(column for _, column in cells)
    return [cell for cell in cells if cell[1] < last]


def _size(cells: Sequence[tuple[int, int]]) -> int:
    if not cells:
        return 0
    rows, columns = [row for row, _ in cells], [column for _, column in cells]
    return (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1)


def column_number(letters: bytes | str) -> int:
    """Return the number of a column, from 0, by its letters."""
    index = 0
    for letter in letters.encode() if isinstance(letters, str) else letters:
        index = index * 26 + letter - 64
    return index - 1


# Cells of workbooks whose words look unlike each other: raised and lowered figures, words struck out.

_SIGNS = (b"vertAlign", b"strike")
_ITEM = re.compile(rb"<((?:\w{1,20}:)?)(si|is)>(.*?)</\1\2>", re.DOTALL)
_RUN = re.compile(rb"<(?:\w{1,20}:)?r>(.*?)</(?:\w{1,20}:)?r>", re.DOTALL)
_TEXT = re.compile(rb"<(?:\w{1,20}:)?t(?: [^>]*)?>([^<]*)</")
_STRUCK = re.compile(rb"<(?:\w{1,20}:)?strike(?! +val=[\"'](?:0|false)[\"'])\b")
_MOVED = re.compile(rb"<(?:\w{1,20}:)?vertAlign +val=[\"'](superscript|subscript)[\"']")
_KINDS = {b"superscript": MarkKind.SUPERSCRIPT, b"subscript": MarkKind.SUBSCRIPT}

Run = tuple[str, tuple[MarkKind, ...]]


def with_looks(xml: bytes) -> bytes:
    """Return the XML of a sheet or of the texts of a workbook, each text of several looks as one that tells them."""
    return _ITEM.sub(_as_one, xml) if any(sign in xml for sign in _SIGNS) else xml


def words_of(runs: Iterable[Run]) -> str:
    """Return runs of text as one line."""
    inline = InlineText()
    for text, kinds in runs:
        inline.add(text, kinds)
    return inline.text()


def _as_one(item: re.Match[bytes]) -> bytes:
    if not any(sign in item[3] for sign in _SIGNS):
        return item[0]
    text = html.escape(words_of(map(_run, _RUN.findall(item[3]))), quote=False)
    prefix = item[1]
    return b"<%b%b><%bt>%b</%bt></%b%b>" % (prefix, item[2], prefix, text.encode(), prefix, prefix, item[2])


def _run(run: bytes) -> Run:
    kinds = [MarkKind.STRIKETHROUGH] if _STRUCK.search(run) else []
    if moved := _MOVED.search(run):
        kinds.append(_KINDS[moved[1]])
    text = b"".join(_TEXT.findall(run)).decode("utf-8", "replace")
    return html.unescape(text), tuple(kinds)
