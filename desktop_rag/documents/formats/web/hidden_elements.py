"""Recognises elements of a web page that a browser does not show, by their attributes and the page's own styles."""

import re
from collections.abc import Iterator

from lxml import etree

from desktop_rag.documents.formats.hidden_text import is_white

_HIDING = re.compile(
    r"(?<![\w-])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0*(?:\.0+)?\s*(?:;|!|$)"
    r"|font-size\s*:\s*(?:[01](?:\.\d+)?(?:px|pt)|0*(?:\.0\d*)?(?:em|rem|%)?)\s*(?:;|!|$)"
    r"|(?:text-indent|left|top|margin-left)\s*:\s*-\d{4,}|clip(?:-path)?\s*:\s*(?:rect\(\s*0|inset\(\s*(?:50|100)%))",
    re.IGNORECASE,
)
_COLOUR = re.compile(r"(?<![\w-])color\s*:\s*([^;!]+)", re.IGNORECASE)
_BACKGROUND = re.compile(r"background(?:-color)?\s*:\s*([^;!]+)", re.IGNORECASE)
_AT_RULE = re.compile(r"@[\w-]+[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")  # for printers, small screens …
_RULE = re.compile(r"([^{}]{1,500})\{([^{}]{1,5000})\}")
_SIMPLE = re.compile(r"\s*(?:[a-z][a-z0-9]*)?([.#])([\w-]+)\s*", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LONGEST = 200_000  # characters of style sheets that are looked at
_LAID_OUT = frozenset(("head", "title"))


class HiddenElements:
    """The hidden elements of one page."""

    def __init__(self, root: "etree._Element") -> None:
        self._classes = set[str]()
        self._ids = set[str]()
        for kind, name in _hiding_selectors(root):
            (self._classes if kind == "." else self._ids).add(name)

    def hides(self, element: "etree._Element", tag: str) -> bool:
        """Return whether a browser would not show the text of this element."""
        if not element.attrib or tag in _LAID_OUT:
            return False
        if element.get("hidden") is not None and element.get("hidden") != "until-found":
            return True
        style = element.get("style", "")
        if style and (_HIDING.search(style) or _is_white_on_white(element, style)):
            return True
        if tag == "font" and is_white(element.get("color", "")) and not _has_background(element):
            return True
        return (bool(self._ids) and element.get("id") in self._ids) or (
            bool(self._classes) and not self._classes.isdisjoint(element.get("class", "").split())
        )


def _hiding_selectors(root: "etree._Element") -> Iterator[tuple[str, str]]:
    """Yield the classes (".", name) and ids ("#", name) that the page's own style sheets hide everywhere."""
    sheets = "\n".join(sheet.text or "" for sheet in root.getroottree().iter("style"))[:_LONGEST]
    for selectors, declarations in _RULE.findall(_AT_RULE.sub("", _COMMENT.sub("", sheets))):
        if _HIDING.search(declarations):
            for selector in selectors.split(","):
                if named := _SIMPLE.fullmatch(selector):
                    yield named[1], named[2]


def _is_white_on_white(element: "etree._Element", style: str) -> bool:
    colour = _COLOUR.search(style)
    return colour is not None and is_white(colour[1]) and not _has_background(element)


def _has_background(element: "etree._Element") -> bool:
    """Return whether an element may stand on another colour than white: its own style, or any class, may say so."""
    for each in (element, *element.iterancestors()):
        background = _BACKGROUND.search(each.get("style", ""))
        if background is not None:
            return not is_white(background[1])
        if (colour := each.get("bgcolor")) is not None:
            return not is_white(colour)
        if each.get("class") or each.get("background"):
            return True
    return False
