"""Tells how elements of a web page look (hidden, raised, struck out) by their attributes and the page's own styles."""

import re

from lxml import etree

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.formats.hidden_text import are_alike
from desktop_rag.documents.formats.web.page_styles import Declarations, PageStyles

_NEARLY_ZERO = r"(?:\+?(?:0*(?:\.0\d*)?|\d(?:\.\d+)?%)|calc\(\s*0*(?:\.0\d*)?%?\s*\))"
_TINY = (
    r"(?:calc\(\s*(?:0(?:r?em)?|[01]p[xt])\s*\)|0|[01](?:\.\d+)?(?:px|pt)|0*\.\d+(?:px|pt)"
    r"|0*\.0\d*(?:r?em)?|0r?em|\d(?:\.\d+)?%)"
)
_FAR_OFF = r"-(?:[5-9]\d\d|\d{4,})(?:\.\d+)?(?:px)?(?![\d.%a-z])|-\d{3,}(?:\.\d+)?(?:r?em|v[wh])"
_FAR = rf".*(?:{_FAR_OFF}).*"
_CLEAR = (
    rf"transparent|(?:rgb|hsl)a?\((?:(?:[^,/()]+,){{3}}|[^,/()]+/)\s*{_NEARLY_ZERO}\s*\)"
    r"|#[0-9a-f]{3}0|#[0-9a-f]{6}0[0-9a-f]"
)
_HIDING = {
    name: re.compile(values)
    for names, values in (
        ("display", "none"),
        ("visibility", "hidden|collapse"),
        ("content-visibility", "hidden"),
        ("opacity", _NEARLY_ZERO),
        ("filter", rf".*opacity\(\s*{_NEARLY_ZERO}\s*\).*"),
        (
            "transform",
            rf"matrix\(\s*0\s*,\s*0\s*,.*|.*scale(?:3d|x|y)?\(\s*0*(?:\.0\d*)?\s*[,)].*|.*translate[^)]*(?:{_FAR_OFF}).*",
        ),
        ("zoom scale", _NEARLY_ZERO),
        ("left right top bottom inset text-indent margin-left margin-top translate", _FAR),
        ("clip", r"rect\(\s*0.*|rect\(\s*1px[ ,]+1px.*"),
        (
            "clip-path",
            r"inset\(\s*(?:[5-9]\d|100)%.*|circle\(\s*0(?:px|%)?\s*(?:at.*)?\)|polygon\([0\s,px%]*\)|rect\(\s*0.*",
        ),
        ("font-size", _TINY),
        ("font", rf"(?:.*\s)?{_TINY}(?:/\S+)?\s.+"),
    )
    for name in names.split()
}
_CLEAR_COLOUR = re.compile(_CLEAR)
_COLOURS = ("color", "-webkit-text-fill-color")
_BACKGROUNDS = ("background", "background-color", "background-image")
_NO_SIZE = re.compile(r"[01](?:px)?|0\.\d+(?:px)?")
_SIZES = ("height", "max-height", "width", "max-width")
_STRIKING, _STRUCK = ("text-decoration", "text-decoration-line"), "line-through"
_ALIGNED = {"super": MarkKind.SUPERSCRIPT, "sub": MarkKind.SUBSCRIPT}
_NUMBERING = ("list-style", "list-style-type")
_NUMBERED = re.compile(r"\b(lower|upper)-(alpha|latin|roman)\b")
_TYPES = {("lower", "a"): "a", ("upper", "a"): "A", ("lower", "i"): "i", ("upper", "i"): "I"}
_SHIFT = r"(?:top|bottom)\s*:\s*-?\.?\d"
_MARKING = re.compile(
    r"line-through|vertical-align\s*:\s*su(?:per|b)\b"
    rf"|position\s*:\s*relative[^{{}}]{{0,200}}\b{_SHIFT}|\b{_SHIFT}[^{{}}]{{0,200}}position\s*:\s*relative"
)
_SHIFTED = re.compile(r"(-?)(?:0*\.\d*[1-9]|[1-9])[\d.]*(?:em|ex|p[xt]|%|rem)")
_SMALLER = re.compile(r"0*\.\d+r?em|[1-9]\d?(?:\.\d+)?%|\d(?:\.\d+)?(?:pt|px)|1[0-2](?:\.\d+)?px|smaller|x*-?small")
_CLIPPED = frozenset(("hidden", "clip", "hidden hidden"))
_CLIPPING = ("overflow", "background-clip", "-webkit-background-clip")
_RELEVANT = frozenset((*_HIDING, *_COLOURS, *_BACKGROUNDS, *_CLIPPING, *_STRIKING, "vertical-align", *_NUMBERING))
_LAID_OUT = frozenset(("head", "title"))
_MOST_LOOKED_AT = 2_000  # elements below one whose colour is that of the page


class HiddenElements:
    """The hidden elements of one page; `others` are its style sheets in other files."""

    def __init__(self, root: "etree._Element", others: str = "") -> None:
        self._styles = PageStyles(root, _RELEVANT, others)
        self._may_mark, self._may_number = map(self._styles.says, (_MARKING, _NUMBERED))

    def hides(self, element: "etree._Element", tag: str) -> bool:
        """Return whether a browser would not show the text of this element."""
        if tag in _LAID_OUT or not (tag == "dialog" or self._styles.may_name(element)):
            return False
        if element.get("hidden") is not None or element.get("popover") is not None:
            return True
        if tag == "dialog" and element.get("open") is None:
            return True
        declared = self._styles.of(element)
        if not declared and tag != "font":
            return False
        return _is_hidden(declared) or self._is_of_its_background(element, declared)

    def marks(self, element: "etree._Element") -> tuple[MarkKind, ...]:
        """Return whether a browser raises or lowers the text of this element, or draws a line through it."""
        if not self._may_mark or not self._styles.may_name(element):
            own = element.get("style")
            if not own or not _MARKING.search(own.lower()):
                return ()
        declared = self._styles.of(element)
        moved = _ALIGNED.get(declared.get("vertical-align", "")) or _shifted(declared)
        struck = any(_STRUCK in declared.get(name, "") for name in _STRIKING)
        return ((MarkKind.STRIKETHROUGH,) if struck else ()) + ((moved,) if moved is not None else ())

    def numbering(self, element: "etree._Element") -> str:
        """Return the letter that the `type` of a list has, if its style numbers it by letters or Roman numbers."""
        if not _NUMBERED.search(element.get("style", "").lower()) and not self._may_number:
            return ""
        declared = self._styles.of(element)
        found = _NUMBERED.search(" ".join(declared.get(name, "") for name in _NUMBERING))
        return _TYPES[found[1], "i" if found[2] == "roman" else "a"] if found else ""

    def _is_of_its_background(self, element: "etree._Element", declared: Declarations) -> bool:
        """Return whether the text of an element has the colour of what it stands on."""
        clip = declared.get("background-clip", "") + declared.get("-webkit-background-clip", "")
        colour = next((declared[name] for name in _COLOURS[::-1] if name in declared), element.get("color", "").lower())
        if not colour or "text" in clip or "text-shadow" in declared:
            return False
        if _CLEAR_COLOUR.fullmatch(colour):
            return True
        behind = "white"
        for above in (element, *element.iterancestors()):
            found = self._background(above)
            if found is not None:
                behind = found
                break
        if not are_alike(colour, behind):
            return False
        below = list(element.iterdescendants())[:_MOST_LOOKED_AT]
        return len(below) < _MOST_LOOKED_AT and all(self._background(each) is None for each in below)

    def _background(self, element: "etree._Element") -> str | None:
        """Return the colour behind an element: None if it has none, empty if it is not known."""
        if not isinstance(element.tag, str):
            return None
        declared = self._styles.of(element) if self._styles.may_name(element) else {}
        for name in _BACKGROUNDS:
            if (value := declared.get(name, "")) and value not in ("none", "transparent", "inherit"):
                return value
        if (colour := element.get("bgcolor")) is not None:
            return colour.lower()
        is_known = self._styles.is_complete and element.get("background") is None
        return None if is_known or not (element.get("class") or element.get("background")) else ""


def _shifted(declared: Declarations) -> MarkKind | None:
    """Return how small letters are moved up or down from their place in the line."""
    if declared.get("position") != "relative" or not _SMALLER.fullmatch(declared.get("font-size", "")):
        return None
    from_top = declared.get("top", "auto") not in ("auto", "")
    found = _SHIFTED.fullmatch(declared.get("top" if from_top else "bottom", ""))
    if found is None:
        return None
    return MarkKind.SUPERSCRIPT if from_top == bool(found[1]) else MarkKind.SUBSCRIPT


def _is_hidden(declared: Declarations) -> bool:
    """Return whether declarations hide an element, its colours aside."""
    if any(name in _HIDING and _HIDING[name].fullmatch(value) for name, value in declared.items() if value):
        return True
    clipped = declared.get("overflow", "") in _CLIPPED
    return clipped and any(_NO_SIZE.fullmatch(declared.get(name, "")) for name in _SIZES)
