"""Heading levels and list numbers of Word paragraphs, from the styles and numbering of the document."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml import etree

from desktop_rag.documents.formats.equations import limits, over, root
from desktop_rag.documents.formats.inline_text import InlineText, with_bases
from desktop_rag.documents.formats.list_numbers import format_number
from desktop_rag.text.raised import lowered, raised

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
VALUE = f"{W}val"
OFF = ("0", "false", "off")  # values of a disabled on/off property
HYPERLINK = re.compile(r'\s*HYPERLINK\s+"([^"]*)"', re.IGNORECASE)  # field instruction

_ILVL = f"{W}ilvl"
_NUMBER_ID = f"{W}numId"
_OUTLINE = f"{W}outlineLvl"
_NUMBERING = f"{W}numPr"
_NO_HEADING = 9  # the outline level of body text
_HEADING_NAME = re.compile(  # the names that programs write instead of Word's built-in name
    r"(?:heading|überschrift|titre|título|titulo|titolo|kop|rubrik|overskrift|nagłówek|заголовок|otsikko|nadpis|címsor"
    r"|başlık|naslov|titlu|επικεφαλίδα|标题|標題|見出し|제목|כותרת|عنوان)\s*(\d)",
    re.I,
)
_TITLE_NAME = re.compile(r"title|titel|titre|título|titolo|название|表題|标题|標題|제목", re.I)
_BASE = re.compile(rb"<w:basedOn [^>]*/>")
_PLACEHOLDER = re.compile(r"%(\d)")
_BULLET = "•"
_FIELD, _PROMPT = f"{W}sdt", f"{W}sdtPr/{W}showingPlcHdr"
_PROPERTIES = f"{W}pPr"

Properties = Mapping[str, "etree._Element"]  # of a paragraph or run, by their tags
_NONE: Properties = {}


@dataclass(frozen=True, slots=True)
class _Style:
    name: str
    outline: int | None
    number: str
    depth: int | None


@dataclass(frozen=True, slots=True)
class _Level:
    form: str
    pattern: str
    start: int
    is_legal: bool = False  # all numbers in its label are decimal


@dataclass(slots=True)
class _List:
    """One list; lists with the same definition share their counters, `restarts` holds where this one restarts."""

    levels: dict[int, _Level]
    counts: dict[int, int] = field(default_factory=dict)
    restarts: dict[int, int] = field(default_factory=dict)


def properties_of(element: "etree._Element", tag: str) -> Properties:
    """Return what the first child with this tag holds, the last of each tag: a search for each of them is slow."""
    first = element[0] if len(element) else None  # as the format wants it; the search for another child is slow
    return _children(first if first is None or first.tag == tag else next(element.iterchildren(tag), None))


def is_placeholder(element: "etree._Element") -> bool:
    """Return whether an element is a field of a form that is not filled in: what it shows is a prompt."""
    shown = element.find(_PROMPT) if element.tag == _FIELD else None
    return shown is not None and shown.get(VALUE) not in OFF


def heading_level_of_name(style: str) -> int:
    """Return the heading level of a style by its name in any language, or 0."""
    found = _HEADING_NAME.fullmatch(style)
    return max(1, int(found[1])) if found else 0


def without_unread(styles: bytes) -> bytes:
    """Return the part of the styles without most of its bytes: menus, and how tables look but for their colours."""
    if b"<!--" in styles:  # may hold anything
        return styles
    head, *parts = styles.split(b"<w:style ")
    before, found, rest = head.partition(b"<w:latentStyles ")
    _, end, after = rest.partition(b"</w:latentStyles>")
    return b"<w:style ".join((before + after if found and end else head, *map(_without_look, parts)))


def _without_look(style: bytes) -> bytes:
    attributes, _, rest = style.partition(b">")
    content, end, after = rest.partition(b"</w:style>")
    if b'w:type="table"' not in attributes or attributes.count(b'"') % 2 or not end:
        return style
    base = _BASE.search(content)
    shading = b"<w:shd/>" if b"<w:shd" in content else b""
    return b"".join((attributes, b">", base[0] if base else b"", shading, end, after))


class DocxStyles:
    """The paragraph styles of a document."""

    def __init__(self, root: "etree._Element | None") -> None:
        self._styles: dict[str, etree._Element] = {}
        self._families: dict[str, list[_Style]] = {}  # of the styles in use, with those that they are based on
        self._levels: dict[str, int] = {}
        self._numbers: dict[str, tuple[str, int]] = {}
        self._default = ""
        for style in root.iter(f"{W}style") if root is not None else ():
            if style.get(f"{W}type") != "paragraph":
                continue
            name = style.get(f"{W}styleId", "")
            self._styles[name] = style
            if style.get(f"{W}default") in ("1", "true", "on"):
                self._default = name

    def heading_level(self, style: str, properties: Properties) -> int:
        """Return the heading level from 1, or 0 for text; the document title has level 1."""
        own = _number(properties, _OUTLINE)
        if own is not None:
            return own + 1 if own < _NO_HEADING else 0
        if (level := self._levels.get(style)) is None:
            level = self._levels[style] = self._level(style)
        return level

    def _level(self, style: str) -> int:
        for one in self._family(style):
            if level := heading_level_of_name(one.name):
                return level
            if one.outline is not None:
                return one.outline + 1 if one.outline < _NO_HEADING else 0
            if _TITLE_NAME.fullmatch(one.name):
                return 1
        return 0

    def numbering(self, style: str, properties: Properties) -> tuple[str, int]:
        """Return the id of a paragraph's list ("0" or empty for none) and its depth from 0."""
        if _NUMBERING in properties:
            return self._numbered(style, _children(properties[_NUMBERING]))
        if (found := self._numbers.get(style)) is None:
            found = self._numbers[style] = self._numbered(style, _NONE)
        return found

    def _numbered(self, style: str, own: Properties) -> tuple[str, int]:
        number, depth = _value(own, _NUMBER_ID), _number(own, _ILVL)
        for one in self._family(style):
            number = number or one.number
            depth = one.depth if depth is None else depth
        return number, depth or 0

    def _family(self, name: str) -> list[_Style]:
        if (found := self._families.get(name)) is None:
            elements = with_bases(self._styles, name or self._default, based_on)
            found = self._families[name] = list(map(_style, elements))
        return found


class Numbering:
    """The lists of a document and their counters."""

    def __init__(self, root: "etree._Element | None") -> None:
        self._bases: dict[str, _List] = {}  # by definition
        self._lists: dict[str, _List | None] = {}  # those in use
        self._abstract, self._numbers = (
            {one.get(f"{W}{name}Id", ""): one for one in root.iterchildren(f"{W}{name}")} if root is not None else {}
            for name in ("abstractNum", "num")
        )

    def label(self, number: str, depth: int) -> str:
        """Count one paragraph and return its number or bullet as displayed; empty if it has none."""
        if number not in self._lists:
            self._lists[number] = self._list(number)
        listed = self._lists[number]
        level = listed.levels.get(depth) if listed else None
        if listed is None or level is None:
            return ""
        counts = listed.counts
        counts[depth] = listed.restarts.pop(depth, counts.get(depth, level.start - 1) + 1)
        for deeper in [one for one in counts if one > depth]:
            del counts[deeper]
        if level.form == "bullet":
            return _BULLET

        def number_of(placeholder: re.Match[str]) -> str:
            which = int(placeholder[1]) - 1
            other = listed.levels.get(which, level)
            return format_number(counts.setdefault(which, other.start), "decimal" if level.is_legal else other.form)

        label = _PLACEHOLDER.sub(number_of, level.pattern).strip()
        return label if level.form != "none" or any(map(str.isalnum, label)) else ""

    def _list(self, number: str) -> _List | None:
        if (own := self._numbers.get(number)) is None:
            return None
        name = _value(_children(own), f"{W}abstractNumId")
        if name not in self._bases:
            if (abstract := self._abstract.get(name)) is None:
                return None
            self._bases[name] = _List({_depth(level): _level(level) for level in abstract.iter(f"{W}lvl")})
        return _overridden(self._bases[name], list(own.iterchildren(f"{W}lvlOverride")))


def based_on(style: "etree._Element") -> str:
    """Return the id of the style that one is based on, or nothing."""
    return _value(_children(style), f"{W}basedOn")


def _style(style: "etree._Element") -> _Style:
    properties = properties_of(style, _PROPERTIES)
    numbering = _children(properties.get(_NUMBERING))
    return _Style(
        name=_value(_children(style), f"{W}name"),
        outline=_number(properties, _OUTLINE),
        number=_value(numbering, _NUMBER_ID),
        depth=_number(numbering, _ILVL),
    )


def _level(level: "etree._Element") -> _Level:
    given = _children(level)
    start = _number(given, f"{W}start")
    form = _value(given, f"{W}numFmt") or "decimal"
    legal = given.get(f"{W}isLgl")
    is_legal = legal is not None and legal.get(VALUE, "1") not in OFF
    return _Level(form, _value(given, f"{W}lvlText"), 1 if start is None else start, is_legal)


def _overridden(base: _List, overrides: "list[etree._Element]") -> _List:
    levels, restarts = dict(base.levels), {}
    for override in overrides:
        own = override.find(f"{W}lvl")
        start = _number(_children(override), f"{W}startOverride")
        if own is not None:
            levels[_depth(override)] = _level(own)
        if start is not None:
            restarts[_depth(override)] = start
    return _List(levels, base.counts, restarts)


def _depth(element: "etree._Element") -> int:
    text = element.get(_ILVL, "")
    return int(text) if text.isdecimal() else 0


def _children(parent: "etree._Element | None") -> Properties:
    return {child.tag: child for child in parent} if parent is not None else _NONE


def _value(given: Properties, tag: str) -> str:
    element = given.get(tag)
    return element.get(VALUE, "") if element is not None else ""


def _number(given: Properties, tag: str) -> int | None:
    text = _value(given, tag)
    return int(text) if text.isdecimal() else None


# Equations that fields of Word spell out (`EQ`): fractions, roots, limits, and readings over Japanese words.

_BEGIN = re.compile(r"\s*EQ\s+(?=\S)", re.IGNORECASE)
_FORMATS = re.compile(r'\\\*\s*(?:"[^"]*"|\w+)\s*')  # how the whole field is set
_SWITCH = re.compile(r"\\([A-Za-z]{1,2})(?:\s*(-?\d+))?\s*")
_SIGN_FOLLOWS = frozenset(("lc", "rc", "bc", "fc", "vc"))  # of brackets and integrals
_SIGNS = {"su": "∑", "pr": "∏"}
_DEEPEST, _LONGEST = 20, 4_000


def equation_field(instruction: str) -> str:
    """Return what the instruction of a field shows if it is an equation, else nothing."""
    begin = _BEGIN.match(instruction[:_LONGEST])
    if begin is None:
        return ""
    return " ".join(_Field(_FORMATS.sub("", instruction[begin.end() : _LONGEST])).part(0).split())


def add_equation_field(inline: InlineText, instruction: str) -> None:
    """Append what the instruction of a field shows if it is an equation, apart from a number beside it."""
    shown = equation_field(instruction)
    is_apart = shown[:1].isdecimal() or shown.startswith(("√", "("))
    if is_apart:
        inline.keep_apart()
    inline.add(shown)
    if is_apart:
        inline.keep_apart()


class _Field:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def part(self, depth: int) -> str:
        """Return what is shown up to the next comma or bracket that belongs to what is around."""
        shown, switch, options = "", "", list[str]()
        while self._at < len(self._text):
            letter = self._text[self._at]
            found = _SWITCH.match(self._text, self._at)
            if letter == "(" and switch and depth < _DEEPEST:
                shown += _written(switch, options, self._arguments(switch, depth + 1))
                switch, options = "", []
            elif letter in ",;)" and depth:
                break
            elif found is None:
                self._at += 2 if letter == "\\" else 1
                shown += self._text[self._at - 1 : self._at]
            else:
                self._at = found.end()
                name = found[1].lower()
                if len(name) == 1:
                    switch = name
                elif name in _SIGN_FOLLOWS:
                    self._at += 2 if self._text.startswith("\\", self._at) else 1
                else:
                    options.append(name)
        return shown

    def _arguments(self, switch: str, depth: int) -> list[str]:
        given = list[str]()
        while self._at < len(self._text):
            self._at += 1  # the bracket or comma before
            is_reading = switch == "o" and self._text.startswith("\\s", self._at)
            shown = self.part(depth)
            given += [] if is_reading else [shown]  # it stands over the others
            if self._text[self._at : self._at + 1] not in (",", ";"):
                break
        self._at += 1
        return given


def _written(switch: str, options: list[str], given: list[str]) -> str:
    first, last = (given[at].strip() if given else "" for at in (0, -1))
    match switch:
        case "f" if len(given) == 2:
            return over(first, last)
        case "r":
            return root(last, first if len(given) > 1 else "")
        case "i" if len(given) == 3:
            sign = next((_SIGNS[each] for each in options if each in _SIGNS), "∫")
            return f"{limits(sign, first, given[1].strip())} {last}"
        case "s":
            return raised(last) if "up" in options else lowered(last) if "do" in options else last
        case "o":
            return "".join(given)
        case "b":
            return f"({', '.join(given)})"
        case "d":
            return ""
        case _:
            return ", ".join(given)
