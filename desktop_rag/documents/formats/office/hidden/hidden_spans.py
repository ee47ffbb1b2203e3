"""Recognises text of an OpenDocument file that is not shown: by its styles, and by the sections and rows it is in."""

from collections.abc import Iterator, Sequence
from functools import reduce

from lxml import etree

from desktop_rag.documents.formats.inline_text import LEAST_SIZE, TextLook, with_bases
from desktop_rag.documents.formats.office.odf_styles import DRAW, SHOW, STYLE, TABLE, TEXT, number, parent_of

_NAMES = (*(f"{space}style-name" for space in (TEXT, TABLE, DRAW, SHOW)), f"{TABLE}default-cell-style-name")
_COLLAPSED = ("collapse", "filter")
_CONDITIONAL = frozenset((f"{TEXT}hidden-text", f"{TEXT}hidden-paragraph"))
_MOST_COLUMNS = 16_384
_MOST_KEPT = 1_000
_DISPLAY, _VISIBILITY = f"{TEXT}display", f"{TABLE}visibility"


class HiddenSpans:
    """What the styles of one file hide."""

    def __init__(self, roots: "Sequence[etree._Element]") -> None:
        self._styles = {style.get(f"{STYLE}name", ""): style for root in roots for style in root.iter(f"{STYLE}style")}
        self._gone = {  # styles of sheets and slides that are not shown
            style.get(f"{STYLE}name", "")
            for root in roots
            for properties in root.iter(f"{STYLE}table-properties", f"{STYLE}drawing-page-properties")
            if _is_gone(properties) and (style := properties.getparent()) is not None
        }
        self._merged: dict[str, TextLook] = {}
        self._around: dict[etree._Element, tuple[bool, TextLook, str]] = {}  # of some elements that hold others

    def hides(self, element: "etree._Element") -> bool:
        """Return whether the text of a paragraph or span is not shown."""
        if element.tag in _CONDITIONAL or _is_conditional(element):
            return element.get(f"{TEXT}is-hidden") != "false"
        hidden, look, behind = self._within(element)
        return hidden or look.is_unseen(behind)

    def _within(self, element: "etree._Element") -> tuple[bool, TextLook, str]:
        """Return whether an element hides all that is in it, how letters look there, and the colour behind them."""
        given = dict(_attributes(element))
        parent = element.getparent()
        hidden, look, behind = self._known(parent) if parent is not None else (False, TextLook(), "white")
        hidden = hidden or given.get(_DISPLAY) == "none" or given.get(_VISIBILITY) in _COLLAPSED
        for name in filter(None, map(given.get, _NAMES[::-1])):
            look = self._look(name).over(look)
        return hidden, look, "" if str(element.tag).startswith(DRAW) else behind  # a drawing may have any colour

    def _known(self, element: "etree._Element") -> tuple[bool, TextLook, str]:
        found = self._around.get(element)
        if found is None:
            found = self._within(element)
            if len(self._around) > _MOST_KEPT:
                self._around.clear()
            self._around[element] = found
        return found

    def is_gone(self, part: "etree._Element") -> bool:
        """Return whether a sheet or slide is not shown."""
        return any(part.get(name) in self._gone for name in _NAMES)

    def _look(self, name: str) -> TextLook:
        found = self._merged.get(name)
        if found is None:
            family = with_bases(self._styles, name, parent_of)
            found = self._merged[name] = reduce(TextLook.over, map(_look, family), TextLook())
        return found


def hidden_columns(sheet: "etree._Element") -> frozenset[int]:
    """Return the numbers (from 0) of the columns of a sheet that are not shown."""
    found, column = set[int](), 0
    for each in sheet.iter(f"{TABLE}table-column"):
        end = min(column + number(each.get(f"{TABLE}number-columns-repeated"), 1), _MOST_COLUMNS)
        if each.get(f"{TABLE}visibility") in _COLLAPSED:
            found.update(range(column, end))
        column = end
    return frozenset(found)


def _is_conditional(paragraph: "etree._Element") -> bool:
    found = paragraph.find(f"{TEXT}hidden-paragraph")
    return found is not None and found.get(f"{TEXT}is-hidden") != "false"


def _is_gone(properties: "etree._Element") -> bool:
    return properties.get(f"{TABLE}display") == "false" or properties.get(f"{SHOW}visibility") == "hidden"


def _look(style: "etree._Element") -> TextLook:
    look = TextLook()
    for properties in style:
        values = {etree.QName(name).localname: value for name, value in _attributes(properties)}
        fill = values.get("background-color")
        if etree.QName(properties).localname == "graphic-properties":
            fill = values.get("fill-color") if values.get("fill") == "solid" else None
        own = TextLook(fill=fill if fill != "transparent" else None)
        if properties.tag == f"{STYLE}text-properties":
            shown = values.get("display")
            is_automatic = values.get("use-window-font-color") == "true"  # whose opacity LibreOffice writes as 0%
            own = own._replace(
                hidden=None if shown is None else shown == "none",
                tiny=_is_below(values.get("font-size"), "pt", LEAST_SIZE),
                clear=None if is_automatic else _is_below(values.get("opacity"), "%", 5),
                colour=None if is_automatic else values.get("color"),
            )
        look = own.over(look)
    return look


def _attributes(element: "etree._Element") -> "Iterator[tuple[str, str]]":
    for name, value in element.attrib.items():
        yield str(name), str(value)


def _is_below(value: str | None, unit: str, least: float) -> bool | None:
    if value is None or not value.endswith(unit):
        return None
    try:
        return float(value.removesuffix(unit)) < least
    except ValueError:
        return None
