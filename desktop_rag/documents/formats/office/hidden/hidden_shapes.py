"""Recognises text on slides that is not shown: of hidden shapes, beside the slide, or of its background's colour."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lxml import etree

from desktop_rag.documents.formats.inline_text import LEAST_SIZE, are_alike
from desktop_rag.documents.formats.office.package import Package

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_FILLS = frozenset(f"{_A}{name}" for name in ("solidFill", "gradFill", "blipFill", "pattFill", "grpFill", "noFill"))
_PICTURES = frozenset((f"{_P}pic", f"{_P}graphicFrame"))
_DRAWN = frozenset((f"{_P}sp", f"{_P}cxnSp")) | _PICTURES
_CLEAR = 5_000  # thousandths of a percent
_NAMES = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}
_DEFAULT = {"lt1": "ffffff", "dk1": "000000"}

Box = tuple[int, int, int, int]  # left, top, right, bottom
Shapes = list[tuple["etree._Element", Box | None]]


@dataclass(frozen=True, slots=True)
class Surface:
    """What the text of a shape stands on: a colour (empty if not known), and whether the shape is seen at all."""

    colour: str = ""
    is_hidden: bool = False
    scheme: Mapping[str, str] = field(default_factory=dict)

    def hides(self, properties: "etree._Element | None") -> bool:
        """Return whether text with these run properties is not shown."""
        if self.is_hidden or properties is None:
            return self.is_hidden
        size, fill = properties.get("sz", ""), _fill(properties)
        if (size.isdecimal() and int(size) < 100 * LEAST_SIZE) or fill == f"{_A}noFill":
            return True
        colour = properties.find(f"{_A}solidFill")
        if colour is None:
            return False
        return _is_clear(colour) or are_alike(_colour(colour, self.scheme), self.colour)


class SlideSurfaces:
    """The surfaces of the shapes of one slide; `known` is what is drawn on the layouts and masters of the others."""

    def __init__(
        self, package: Package, part: str, root: "etree._Element", size: tuple[int, int], known: "dict[str, Shapes]"
    ) -> None:
        self._size = size
        layouts = package.related(part, "slideLayout")
        masters = package.related(layouts[0], "slideMaster") if layouts else []
        self._pages, self._behind = [root], _shapes(root)
        for name in (*layouts[:1], *masters[:1]):
            if (page := package.shared_xml(name)) is not None:
                self._pages.append(page)
                if name not in known:
                    known[name] = _shapes(page)
                self._behind += known[name]
        themes = package.related(masters[0], "theme") if masters else []
        self._scheme = _scheme(package.shared_xml(themes[0]) if themes else None)
        self._order = list(root.iter(*_DRAWN))
        self._moves = next(root.iter(f"{_P}timing"), None) is not None

    def of(self, shape: "etree._Element") -> Surface:
        """Return what the text of a shape stands on."""
        box = _box(shape)
        hidden = any(named.get("hidden") in ("1", "true") for named in _names(shape))
        if not hidden and box is not None:
            width, height = self._size
            hidden = box[2] <= 0 or box[3] <= 0 or (0 < width <= box[0]) or (0 < height <= box[1])
            hidden = hidden or (not self._moves and self._is_covered(shape, box))
        return Surface(self._colour_behind(shape, box), hidden, self._scheme)

    def _is_covered(self, shape: "etree._Element", box: Box) -> bool:
        """Return whether a picture or a filled shape lies over all of a shape."""
        if shape not in self._order:
            return False
        above = self._order[self._order.index(shape) + 1 :]
        return any(
            (other.tag == f"{_P}pic" or _is_opaque(other)) and (over := _box(other)) is not None and _covers(over, box)
            for other in above
        )

    def _colour_behind(self, shape: "etree._Element", box: Box | None) -> str:
        own = shape.find(f"{_P}spPr")
        fill = _fill(own) if own is not None else ""
        if own is not None and fill == f"{_A}solidFill":
            return _colour(own.find(fill), self._scheme)
        if fill not in ("", f"{_A}noFill") or shape.find(f"{_P}style") is not None or shape.tag in _PICTURES:
            return ""
        if box is None or _meet(self._behind, box, shape):
            return ""
        for page in self._pages:
            background = page.find(f"{_P}cSld/{_P}bg")
            if background is not None:
                named = background.find(f"{_P}bgRef")
                found = named if named is not None else background.find(f"{_P}bgPr/{_A}solidFill")
                return _colour(found, self._scheme) if found is not None else ""
        return self._scheme.get("lt1", "")


def _shapes(page: "etree._Element") -> Shapes:
    """Return what is drawn on a slide, a layout or a master, and where: pictures and shapes with a colour."""
    return [
        (element, _box(element))
        for element in page.iter(*_DRAWN)
        if element.tag in _PICTURES or _may_be_filled(element)
    ]


def _meet(shapes: Shapes, box: Box, shape: "etree._Element") -> bool:
    """Return whether anything but `shape` may be drawn within a box."""
    return any(
        other is not shape and (at is None or (at[0] < box[2] and at[2] > box[0] and at[1] < box[3] and at[3] > box[1]))
        for other, at in shapes
    )


def _names(shape: "etree._Element") -> "Iterator[etree._Element]":
    """Yield the names of a shape and of the groups around it, which say whether they are hidden."""
    for each in (shape, *shape.iterancestors(f"{_P}grpSp")):
        if len(each):
            yield from each[0].iterchildren(f"{_P}cNvPr")


def _box(shape: "etree._Element") -> Box | None:
    """Return where a shape lies, in English Metric Units; None if it or its group is placed by something else."""
    if next(shape.iterancestors(f"{_P}grpSp"), None) is not None:
        return None
    placed = shape.find(f"{_P}spPr/{_A}xfrm")
    placed = shape.find(f"{_P}xfrm") if placed is None else placed
    offset, extent = (placed.find(f"{_A}off"), placed.find(f"{_A}ext")) if placed is not None else (None, None)
    if offset is None or extent is None:
        return None
    try:
        x, y, width, height = (
            int(at.get(name, "")) for at, name in ((offset, "x"), (offset, "y"), (extent, "cx"), (extent, "cy"))
        )
    except ValueError:
        return None
    return x, y, x + width, y + height


def _covers(over: Box, box: Box) -> bool:
    return over[0] <= box[0] and over[1] <= box[1] and over[2] >= box[2] and over[3] >= box[3]


def _fill(properties: "etree._Element") -> str:
    return next((str(child.tag) for child in properties if child.tag in _FILLS), "")


def _may_be_filled(shape: "etree._Element") -> bool:
    properties = shape.find(f"{_P}spPr")
    fill = _fill(properties) if properties is not None else ""
    return fill not in ("", f"{_A}noFill") or (not fill and shape.find(f"{_P}style") is not None)


def _is_opaque(shape: "etree._Element") -> bool:
    fill = shape.find(f"{_P}spPr/{_A}solidFill")
    return fill is not None and next(fill.iter(f"{_A}alpha"), None) is None


def _is_clear(fill: "etree._Element") -> bool:
    alpha = next(fill.iter(f"{_A}alpha"), None)
    amount = alpha.get("val", "") if alpha is not None else ""
    return amount.isdecimal() and int(amount) <= _CLEAR


def _colour(fill: "etree._Element | None", scheme: Mapping[str, str]) -> str:
    """Return a colour as hexadecimal digits; empty if it is not known, as one with a tint."""
    given = fill[0] if fill is not None and len(fill) else None
    if given is None or any(child.tag != f"{_A}alpha" for child in given):
        return ""
    value = str(given.get("lastClr") or given.get("val", ""))
    return scheme.get(_NAMES.get(value, value), "") if given.tag == f"{_A}schemeClr" else value


def _scheme(theme: "etree._Element | None") -> Mapping[str, str]:
    colours = next(theme.iter(f"{_A}clrScheme"), None) if theme is not None else None
    if colours is None:
        return _DEFAULT
    return {str(named.tag).removeprefix(_A): _colour(named, {}) for named in colours}
