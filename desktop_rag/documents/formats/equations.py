"""Equations of Word (OMML, ECMA-376, part 1, 22.1) and of web pages (MathML) on one line: (a+b)/2, √16, c², x₁."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from desktop_rag.text.raised import lowered, raised

if TYPE_CHECKING:
    from lxml import etree

_DEEPEST = 60


def equation(element: "etree._Element", depth: int = 0) -> str:
    """Return an equation, or a part of one, as text."""
    if depth > _DEEPEST:
        return "".join(map(str, element.itertext()))
    name = _name(element)
    if (write := _WRITERS.get(name)) is not None:
        return write(element, depth + 1)
    if name in _TEXTS or not len(element):
        return " ".join((element.text or "").split())
    return _children(element, depth)


def _name(element: "etree._Element") -> str:
    return str(element.tag).rpartition("}")[2]


def _children(element: "etree._Element", depth: int) -> str:
    return "".join(equation(child, depth + 1) for child in element if not _name(child).endswith("Pr"))


def _part(element: "etree._Element", name: str, depth: int) -> str:
    """Return a named part of an equation of Word."""
    found = next((child for child in element if _name(child) == name), None)
    return _children(found, depth) if found is not None else ""


def _parts(element: "etree._Element", depth: int) -> list[str]:
    """Return the parts of an element of MathML, in order."""
    return [equation(child, depth) for child in element.iterchildren("*")]


def _whole(text: str) -> str:
    """Return a part in brackets, unless it is one number or name."""
    return text if text.isalnum() or (text[:1] in "(√" and text.endswith(")")) else f"({text})"


def _over(above: str, below: str) -> str:
    return f"{_whole(above)}/{_whole(below)}"


def _power(base: str, exponent: str) -> str:
    up = raised(exponent) if exponent.strip("+-−").isdigit() else ""
    return f"{base}{up}" if up else f"{base}^{_whole(exponent)}"


def _index(base: str, index: str) -> str:
    return f"{base}{lowered(index)}" if index.isdigit() else f"{base}_{_whole(index)}"


def _root(inside: str, degree: str = "") -> str:
    return f"{raised(degree) if degree.isdigit() else degree}√{_whole(inside)}"


def _nary(element: "etree._Element", depth: int) -> str:
    sign = next((str(each) for node in element.iter() if _name(node) == "chr" for each in node.attrib.values()), "∫")
    below, above = _part(element, "sub", depth), _part(element, "sup", depth)
    limits = (f"_{_whole(below)}" if below else "") + (f"^{_whole(above)}" if above else "")
    return f"{sign}{limits} {_part(element, 'e', depth)}"


def _delimited(element: "etree._Element", depth: int) -> str:
    signs = {_name(node): next(map(str, node.attrib.values()), "") for node in element.iter() if len(node.attrib)}
    inside = (signs.get("sepChr") or "|").join(_children(each, depth) for each in element if _name(each) == "e")
    return f"{signs.get('begChr', '(')}{inside}{signs.get('endChr', ')')}"


def _fenced(element: "etree._Element", depth: int) -> str:
    return f"{element.get('open', '(')}{', '.join(_parts(element, depth))}{element.get('close', ')')}"


def _rows(element: "etree._Element", depth: int) -> str:
    rows = [row for row in element if _name(row) in ("mr", "mtr")]
    cells = ((_children(cell, depth) for cell in row if _name(cell) in ("e", "mtd")) for row in rows)
    return f"[{'; '.join(', '.join(row) for row in cells)}]"


def _of_two(write: Callable[[str, str], str]) -> "Callable[[etree._Element, int], str]":
    def written(element: "etree._Element", depth: int) -> str:
        parts = [*_parts(element, depth), "", ""]
        return write(parts[0], parts[1])

    return written


_TEXTS = frozenset(("t", "mi", "mn", "mo", "mtext", "ms"))
_WRITERS: "Mapping[str, Callable[[etree._Element, int], str]]" = {
    "f": lambda e, d: _over(_part(e, "num", d), _part(e, "den", d)),
    "rad": lambda e, d: _root(_part(e, "e", d), _part(e, "deg", d)),
    "sSup": lambda e, d: _power(_part(e, "e", d), _part(e, "sup", d)),
    "sSub": lambda e, d: _index(_part(e, "e", d), _part(e, "sub", d)),
    "sSubSup": lambda e, d: _power(_index(_part(e, "e", d), _part(e, "sub", d)), _part(e, "sup", d)),
    "nary": _nary,
    "d": _delimited,
    "m": _rows,
    "mtable": _rows,
    "mfenced": _fenced,
    "mfrac": _of_two(_over),
    "msup": _of_two(_power),
    "msub": _of_two(_index),
    "mroot": _of_two(_root),
    "msqrt": lambda e, d: _root(_children(e, d)),
    "annotation": lambda _, __: "",
    "annotation-xml": lambda _, __: "",
}
