"""Heading levels, emphasis and list numbers from the styles of an OpenDocument file."""

from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lxml import etree

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.formats.inline_text import with_bases
from desktop_rag.documents.formats.list_numbers import format_number

_SPACE = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
TEXT, TABLE, OFFICE = _SPACE % "text", _SPACE % "table", _SPACE % "office"
DRAW, SHOW, STYLE = _SPACE % "drawing", _SPACE % "presentation", _SPACE % "style"

_FO = _SPACE % "xsl-fo-compatible"
_FONT_FAMILY = f"{_SPACE % 'svg-compatible'}font-family"
_LEVELS = frozenset((f"{TEXT}list-level-style-number", f"{TEXT}outline-level-style"))
_FORMS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "1": "decimal"}
_FORMS |= {"一, 二, 三, ...": "chineseCounting", "①, ②, ③, ...": "decimalEnclosedCircle"}
_TITLES = ("Title", "Subtitle")
_LINES = ("style", "type")  # of a line through text


@dataclass(frozen=True, slots=True)
class _Level:
    form: str  # empty if the level has no number
    prefix: str
    suffix: str
    shown_levels: int
    start: int


@dataclass(frozen=True, slots=True)
class _Style:
    parent: str
    outline: int
    font: str
    marks: Mapping[MarkKind, bool]  # that it gives to text, or takes from it


class OdfStyles:
    """The styles of one file, from all its parts."""

    def __init__(self, roots: "Iterable[etree._Element]") -> None:
        self._styles: dict[str, etree._Element] = {}
        self._families: dict[str, list[_Style]] = {}  # of the styles in use, with those that they are based on
        self._fonts: dict[str, str] = {}  # the families of fonts by the names that styles use
        self._marks: dict[str, tuple[tuple[MarkKind, ...], frozenset[MarkKind]]] = {}
        self._lists: dict[str, dict[int, _Level | None]] = {}
        self._outline: dict[int, _Level | None] = {}
        for root in roots:
            for face in root.iter(f"{STYLE}font-face"):
                family = face.get(_FONT_FAMILY, "").strip("'\"")
                self._fonts[face.get(f"{STYLE}name", "")] = family
            for style in root.iter(f"{STYLE}style"):
                self._styles[style.get(f"{STYLE}name", "")] = style
            for listed in root.iter(f"{TEXT}list-style"):
                self._lists[listed.get(f"{STYLE}name", "")] = _levels(listed)
            for outline in root.iter(f"{TEXT}outline-style"):
                self._outline = _levels(outline)

    def heading_level(self, name: str) -> int:
        """Return the heading level of a paragraph style: 1 for the document title, 0 for text."""
        if name in _TITLES:
            return 1 + _TITLES.index(name)
        for style in self._family(name):
            if style.outline:
                return style.outline
            if style.parent in _TITLES:
                return 1 + _TITLES.index(style.parent)
        return 0

    def kinds(self, name: str, around: tuple[MarkKind, ...] = ()) -> tuple[MarkKind, ...]:
        """Return the inline marks of text of a style within text that has those `around` it."""
        if (known := self._marks.get(name)) is None:
            known = self._marks[name] = self._own_marks(name)
        given, taken = known
        if not given and not taken:
            return around
        kept = tuple(kind for kind in around if kind not in taken and kind not in given)
        return (*kept, *given)

    def _own_marks(self, name: str) -> tuple[tuple[MarkKind, ...], frozenset[MarkKind]]:
        """Return the marks that a style or its parents give to text, and those that they take from it."""
        said = ChainMap(*(dict(style.marks) for style in self._family(name)))
        return tuple(kind for kind, on in said.items() if on), frozenset(kind for kind, on in said.items() if not on)

    def font(self, name: str) -> str:
        """Return the family of the font of a style; empty if neither it nor its parents name one."""
        font = next((style.font for style in self._family(name) if style.font), "")
        return self._fonts.get(font, font) if font else ""

    def _family(self, name: str) -> list[_Style]:
        if (found := self._families.get(name)) is None:
            found = self._families[name] = list(map(_style, with_bases(self._styles, name, parent_of)))
        return found

    def list_label(self, name: str, counts: list[int]) -> str:
        """Return the bullet or number of an item; `counts` has one number per level, outermost first."""
        return _label(self._lists.get(name, {}), counts, "•")

    def list_start(self, name: str, depth: int) -> int:
        """Return the first number of a list at `depth` from 1."""
        level = self._lists.get(name, {}).get(depth)
        return level.start if level else 1

    def heading_label(self, counts: list[int]) -> str:
        """Return the number of a heading, empty if headings are not numbered."""
        return _label(self._outline, counts, "")


def _label(levels: dict[int, _Level | None], counts: list[int], default: str) -> str:
    level = levels.get(len(counts))
    if level is None:
        return default
    if not level.form:
        return ""
    numbers: list[str] = []
    for depth in range(max(1, len(counts) - level.shown_levels + 1), len(counts) + 1):
        one = levels.get(depth)
        if one is not None and one.form:
            numbers.append(format_number(counts[depth - 1], one.form))
    return f"{level.prefix}{'.'.join(numbers)}{level.suffix}".strip()


def _levels(parent: "etree._Element") -> dict[int, _Level | None]:
    """Return the levels of a list; None is a bulleted level."""
    found: dict[int, _Level | None] = {}
    for level in parent:
        depth = number(level.get(f"{TEXT}level"), 1)
        found[depth] = None
        if level.tag in _LEVELS:
            found[depth] = _Level(
                _FORMS.get(level.get(f"{STYLE}num-format", ""), ""),
                level.get(f"{STYLE}num-prefix", ""),
                level.get(f"{STYLE}num-suffix", ""),
                number(level.get(f"{TEXT}display-levels"), 1),
                number(level.get(f"{TEXT}start-value"), 1),
            )
    return found


def parent_of(style: "etree._Element") -> str:
    """Return the name of the style that one is based on, or nothing."""
    return style.get(f"{STYLE}parent-style-name", "")


def _style(style: "etree._Element") -> _Style:
    properties = style.find(f"{STYLE}text-properties")
    return _Style(
        parent_of(style),
        number(style.get(f"{STYLE}default-outline-level"), 0),
        properties.get(f"{STYLE}font-name", "") if properties is not None else "",
        _marks_of(properties, is_inline=style.get(f"{STYLE}family") == "text") if properties is not None else {},
    )


def _marks_of(properties: "etree._Element", *, is_inline: bool) -> dict[MarkKind, bool]:
    """Return the marks of a style; whole paragraphs and cells are emphasised by what they are."""
    marks: dict[MarkKind, bool] = {}
    if is_inline:
        if weight := properties.get(f"{_FO}font-weight", ""):
            marks[MarkKind.STRONG] = weight in ("bold", "600", "700", "800", "900")
        if slant := properties.get(f"{_FO}font-style", ""):
            marks[MarkKind.EMPHASIS] = slant in ("italic", "oblique")
    if position := properties.get(f"{STYLE}text-position", "").split(" ")[0]:
        is_lowered, is_moved = position == "sub" or position.startswith("-"), position not in ("0%", "0")
        marks |= {MarkKind.SUBSCRIPT: is_moved and is_lowered, MarkKind.SUPERSCRIPT: is_moved and not is_lowered}
    lines = [line for name in _LINES if (line := properties.get(f"{STYLE}text-line-through-{name}"))]
    if lines:
        marks[MarkKind.STRIKETHROUGH] = "none" not in lines
    return marks


def number(text: str | None, otherwise: int) -> int:
    """Return the number in an attribute, or `otherwise` if it is missing or invalid."""
    return int(text) if text and text.isdecimal() and len(text) < 10 else otherwise
