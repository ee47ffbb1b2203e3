"""Recognises text of an OpenDocument file that is not shown: by its styles, and by the sections and rows it is in."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lxml import etree

from desktop_rag.documents.formats.inline_text import LEAST_SIZE, are_alike

_SPACE = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_TEXT, _TABLE, _OFFICE, _DRAW = (_SPACE % name for name in ("text", "table", "office", "drawing"))
_STYLE, _SHOW, _FO = (_SPACE % name for name in ("style", "presentation", "xsl-fo-compatible"))
_NAMES = (*(f"{space}style-name" for space in (_TEXT, _TABLE, _DRAW, _SHOW)), f"{_TABLE}default-cell-style-name")
_COLLAPSED = ("collapse", "filter")
_CONDITIONAL = frozenset((f"{_TEXT}hidden-text", f"{_TEXT}hidden-paragraph"))
_MAX_PARENTS = 20
_MOST_COLUMNS = 16_384


@dataclass(frozen=True, slots=True)
class _Look:
    """What a style says of text and of what is behind it; None where it says nothing."""

    is_hidden: bool | None = None
    is_tiny: bool | None = None
    is_clear: bool | None = None
    colour: str | None = None
    fill: str | None = None

    def over(self, other: "_Look") -> "_Look":
        """Return this look, completed by another."""
        return _Look(
            other.is_hidden if self.is_hidden is None else self.is_hidden,
            other.is_tiny if self.is_tiny is None else self.is_tiny,
            other.is_clear if self.is_clear is None else self.is_clear,
            other.colour if self.colour is None else self.colour,
            other.fill if self.fill is None else self.fill,
        )


class HiddenSpans:
    """What the styles of one file hide."""

    def __init__(self, roots: "Iterable[etree._Element]") -> None:
        self._own: dict[str, tuple[str, _Look]] = {}
        self._merged: dict[str, _Look] = {}
        self._gone = set[str]()  # styles of sheets and slides that are not shown
        for style in (style for root in roots for style in root.iter(f"{_STYLE}style")):
            name = style.get(f"{_STYLE}name", "")
            self._own[name] = style.get(f"{_STYLE}parent-style-name", ""), _look(style)
            if any(_is_gone(properties) for properties in style):
                self._gone.add(name)

    def hides(self, element: "etree._Element") -> bool:
        """Return whether the text of a paragraph or span is not shown."""
        if element.tag in _CONDITIONAL or _is_conditional(element):
            return element.get(f"{_TEXT}is-hidden") != "false"
        look, behind = _Look(), "white"
        for each in (element, *element.iterancestors()):
            if each.get(f"{_TEXT}display") == "none" or each.get(f"{_TABLE}visibility") in _COLLAPSED:
                return True
            for name in filter(None, map(each.get, _NAMES)):
                look = look.over(self._look(name))
            if str(each.tag).startswith(_DRAW):
                behind = ""  # a drawing or a slide may have any colour
        if look.is_hidden or look.is_tiny or look.is_clear:
            return True
        return bool(look.colour) and are_alike(look.colour or "", look.fill or behind)

    def is_gone(self, part: "etree._Element") -> bool:
        """Return whether a sheet or slide is not shown."""
        return any(part.get(name) in self._gone for name in _NAMES)

    def _look(self, name: str) -> _Look:
        found = self._merged.get(name)
        if found is None:
            found, parent = _Look(), name
            for _ in range(_MAX_PARENTS):
                if parent not in self._own:
                    break
                parent, own = self._own[parent]
                found = found.over(own)
            self._merged[name] = found
        return found


def hidden_columns(sheet: "etree._Element") -> frozenset[int]:
    """Return the numbers (from 0) of the columns of a sheet that are not shown."""
    found, column = set[int](), 0
    for each in sheet.iter(f"{_TABLE}table-column"):
        repeated = each.get(f"{_TABLE}number-columns-repeated", "1")
        end = min(column + (int(repeated) if repeated.isdecimal() and len(repeated) < 6 else 1), _MOST_COLUMNS)
        if each.get(f"{_TABLE}visibility") in _COLLAPSED:
            found.update(range(column, end))
        column = end
    return frozenset(found)


def _is_conditional(paragraph: "etree._Element") -> bool:
    found = paragraph.find(f"{_TEXT}hidden-paragraph")
    return found is not None and found.get(f"{_TEXT}is-hidden") != "false"


def _is_gone(properties: "etree._Element") -> bool:
    return properties.get(f"{_TABLE}display") == "false" or properties.get(f"{_SHOW}visibility") == "hidden"


def _look(style: "etree._Element") -> _Look:
    look = _Look()
    for properties in style:
        values = {etree.QName(name).localname: value for name, value in _attributes(properties)}
        fill = values.get("background-color")
        if etree.QName(properties).localname == "graphic-properties":
            fill = values.get("fill-color") if values.get("fill") == "solid" else None
        own = _Look(fill=fill if fill != "transparent" else None)
        if properties.tag == f"{_STYLE}text-properties":
            shown = values.get("display")
            is_automatic = values.get("use-window-font-color") == "true"  # whose opacity LibreOffice writes as 0%
            own = replace(
                own,
                is_hidden=None if shown is None else shown == "none",
                is_tiny=_is_below(values.get("font-size"), "pt", LEAST_SIZE),
                is_clear=None if is_automatic else _is_below(values.get("opacity"), "%", 5),
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
