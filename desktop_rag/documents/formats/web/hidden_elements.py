"""Tells how elements of a web page look (hidden, raised, struck out) by their attributes and the page's own styles."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from lxml import etree

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.formats.inline_text import are_alike

# The style sheets of a web page, as far as they say whether and how its text is seen.
#
# Selectors of elements, classes, ids and attributes are understood, also below others; rules with further conditions
# (states, siblings, printers, narrow screens) are left out.

_LONGEST = 200_000  # characters of style sheets that are looked at
_LONGEST_VALUE = 300
_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_STRING = re.compile(r"\"[^\"\n]{0,5000}\"|'[^'\n]{0,5000}'")
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|([^\n0-9a-fA-F]))")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)[^()]*\)")
_APPLIES = re.compile(  # at-rules whose content counts on every screen
    r"@(?:supports|layer|container)\b.*"
    r"|@media\s*(?:only\s+)?(?:screen|all)?(?:\s*(?:and\s*)?\(\s*min-width\s*:\s*[0-7]?\d{1,2}(?:\.\d+)?px\s*\))?\s*",
    re.DOTALL,
)
_COMPOUND = re.compile(r"(?P<tag>[a-z][\w-]*|\*)?(?P<rest>(?:[.#][\w-]+|\[[^\[\]]+\]|:root)*)")
_PART = re.compile(r"([.#])([\w-]+)|\[\s*([\w-]+)\s*(?:=\s*[\"']?([^\"'\]]*?)[\"']?\s*)?\]|(:root)")
_MOST_COMPOUNDS = 8  # in a selector

Attributes = Mapping[str, str]  # of an element, read once: each look into an element is slow
Declarations = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Compound:
    """What one element must be: its tag (empty for any), classes, id, and attributes."""

    tag: str
    classes: frozenset[str]
    identifier: str
    attributes: tuple[tuple[str, str | None], ...]

    def matches(self, element: "etree._Element") -> bool:
        """Return whether an element is such a one."""
        return (
            self.tag in ("", element.tag)
            and (not self.identifier or element.get("id") == self.identifier)
            and (not self.classes or self.classes.issubset(element.get("class", "").split()))
            and all(
                (given := element.get(name)) is not None and value in (None, given) for name, value in self.attributes
            )
        )


@dataclass(frozen=True, slots=True)
class _Rule:
    compounds: tuple[_Compound, ...]  # the last is the element itself
    children: tuple[bool, ...]  # whether each but the first is a direct child of the one before
    needed: frozenset[str]  # keys that elements above it have
    weight: tuple[int, int]
    declared: Declarations

    def matches(self, element: "etree._Element") -> bool:
        """Return whether the rule is about an element."""
        if not self.compounds[-1].matches(element):
            return False
        above = element.getparent()
        for compound, direct in zip(self.compounds[-2::-1], self.children[::-1], strict=True):
            while above is not None and not compound.matches(above):
                above = None if direct else above.getparent()
            if above is None:
                return False
            above = above.getparent()
        return True


@dataclass(frozen=True, slots=True)
class _Sheet:
    """What style sheets say; whether they name others; and which of what is asked for is in them at all."""

    is_partial: bool
    variables: Mapping[str, str]
    rules: Mapping[str, list[_Rule]]  # by what the element must have: “.class”, “#id”, its tag or “*”
    says: frozenset[re.Pattern[str]]


@lru_cache(4)  # the pages of a book share theirs
def _sheet(text: str, relevant: frozenset[str]) -> _Sheet:
    text = _plain(text)
    variables, rules = dict[str, str](), dict[str, list[_Rule]]()
    for place, (selectors, body) in enumerate(_rules(text)):
        declared = declarations(body)
        variables.update((name, value) for name, value in declared.items() if name.startswith("--"))
        if relevant.isdisjoint(declared):
            continue
        for selector in selectors.split(","):
            if (rule := _rule(selector.strip(), place, declared)) is not None:
                rules.setdefault(_key(rule.compounds[-1]), []).append(rule)
    says = frozenset(words for words in (_MARKING, _NUMBERED) if words.search(text))
    return _Sheet("@import" in text, variables, rules, says)


class PageStyles:
    """The styles of one page; `is_complete` unless it names sheets that are not in it."""

    def __init__(self, root: "etree._Element", relevant: frozenset[str], others: str = "") -> None:
        tree = root.getroottree()
        sheets = [sheet.text or "" for sheet in tree.iter("style")]
        sheet = _sheet("\n".join((others, *sheets))[:_LONGEST], relevant)
        self.says, self._variables, self._rules = sheet.says, sheet.variables, sheet.rules
        self.is_complete = not sheet.is_partial and (bool(others) or not any(map(_is_sheet, tree.iter("link"))))
        self._merged: dict[object, Declarations] = {}  # by the style of an element and its rules
        self._above: dict[etree._Element, frozenset[str]] = {}
        self._about: dict[tuple[str, str, str], list[_Rule]] = {}  # by tag, classes and id

    def of(self, element: "etree._Element", given: Attributes) -> Declarations:
        """Return what is declared for an element, its own style included."""
        own = given.get("style")
        candidates = self._candidates(element.tag, given) if self._rules else ()
        found = candidates and [
            rule
            for rule in candidates
            if (not rule.needed or rule.needed <= self._keys_above(element)) and rule.matches(element)
        ]
        if not found and not own:
            return {}
        key = (own, *map(id, found)) if found else own
        if (known := self._merged.get(key)) is not None:
            return known
        found = sorted(found, key=lambda rule: rule.weight)
        merged: dict[str, str] = {}
        for each in (*(rule.declared for rule in found), declarations(own or "")):
            for name, value in each.items():
                if "!important" in value or "!important" not in merged.get(name, ""):
                    merged[name] = value
        declared = self._merged[key] = {name: self._resolved(value) for name, value in merged.items()}
        return declared

    def may_name(self, tag: str, given: Attributes) -> bool:
        """Return whether anything may be declared for an element."""
        return bool(given) or tag in self._rules or "*" in self._rules

    def _candidates(self, tag: str, given: Attributes) -> list[_Rule]:
        """Return the rules that an element may be named by: looked up once for all that are named alike."""
        identifier = f"#{given.get('id', '')}"
        named = tag, given.get("class", ""), identifier if identifier in self._rules else ""
        if (found := self._about.get(named)) is None:
            keys = (*(f".{name}" for name in dict.fromkeys(named[1].split())), named[2], tag, "*")
            found = self._about[named] = [rule for key in keys for rule in self._rules.get(key, ())]
        return found

    def _keys_above(self, element: "etree._Element") -> frozenset[str]:
        """Return the keys of the elements around one; those of each parent are worked out once."""
        parent = element.getparent()
        if parent is None:
            return frozenset()
        found = self._above.get(parent)
        if found is None:
            classes = (f".{name}" for name in parent.get("class", "").split())
            own = (*classes, f"#{parent.get('id', '')}", str(parent.tag))
            found = self._above[parent] = self._keys_above(parent).union(own)
        return found

    def _resolved(self, value: str) -> str:
        value = value.replace("!important", "").strip()
        return _VARIABLE.sub(lambda name: self._variables.get(name[1], ""), value) if "var(" in value else value


def declarations(style: str) -> dict[str, str]:
    """Return the declarations of a style attribute or of the body of a rule, in lower case."""
    if not style:
        return {}
    pairs = (part.partition(":") for part in _plain(style).split(";"))
    return {name.strip(): " ".join(value.split())[:_LONGEST_VALUE] for name, _, value in pairs if value}


def _plain(css: str) -> str:
    """Return a style sheet in lower case, without comments, escapes, and marks within strings."""
    text = _COMMENT.sub("", css)
    if "\\" in text:
        text = _ESCAPE.sub(lambda found: chr(int(found[1], 16) % 0x110000) if found[1] else found[2], text)
    return _STRING.sub(lambda string: string[0].translate(_NO_MARKS), text).lower()


def _rules(css: str) -> Iterator[tuple[str, str]]:
    """Yield selectors and declarations of all rules that count on every screen."""
    position, live = 0, [True]
    while (start := css.find("{", position)) >= 0:
        before = css[position:start]
        for _ in range(min(before.count("}"), len(live) - 1)):
            live.pop()
        prelude = before.rpartition("}")[2].rpartition(";")[2].strip()
        position = start + 1
        if prelude.startswith("@"):
            live.append(live[-1] and _APPLIES.fullmatch(prelude) is not None)
            continue
        end = css.find("}", position)
        end = len(css) if end < 0 else end
        if live[-1]:
            yield prelude, css[position:end]
        position = end + 1


def _rule(selector: str, place: int, declared: Declarations) -> _Rule | None:
    """Return a rule; None for a selector with conditions that are not understood."""
    words = re.sub(r"\s*>\s*", " >", selector).split()
    parts = [_compound(word.removeprefix(">")) for word in words]
    if not parts or len(parts) > _MOST_COMPOUNDS:
        return None
    compounds = tuple(part for part in parts if part is not None)
    if len(compounds) < len(parts):
        return None
    ids = sum(bool(each.identifier) for each in compounds)
    others = sum(len(each.classes) + len(each.attributes) for each in compounds)
    needed = frozenset(map(_key, compounds[:-1])) - {"*"}
    weight = 10_000 * ids + 100 * others + sum(bool(each.tag) for each in compounds)
    return _Rule(compounds, tuple(word.startswith(">") for word in words[1:]), needed, (weight, place), declared)


def _compound(text: str) -> _Compound | None:
    found = _COMPOUND.fullmatch(text)
    if found is None or not text:
        return None
    classes, identifier, attributes, tag = set[str](), "", list[tuple[str, str | None]](), found["tag"] or ""
    for kind, name, attribute, value, root in _PART.findall(found["rest"]):
        if kind == ".":
            classes.add(name)
        elif kind == "#":
            identifier = name
        elif root:
            tag = "html"
        else:
            attributes.append((attribute, value or None))
    return _Compound("" if tag == "*" else tag, frozenset(classes), identifier, tuple(attributes))


def _key(compound: _Compound) -> str:
    if compound.identifier:
        return f"#{compound.identifier}"
    return f".{min(compound.classes)}" if compound.classes else compound.tag or "*"


def _is_sheet(link: "etree._Element") -> bool:
    return "stylesheet" in link.get("rel", "").lower()


_NO_MARKS = str.maketrans("", "", "{};")

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
_PLAIN: tuple[bool, tuple[MarkKind, ...]] = (False, ())
_NOTHING_SAID: tuple[bool, bool, tuple[MarkKind, ...]] = (False, False, ())
_MOST_LOOKED_AT = 2_000  # elements below one whose colour is that of the page


class HiddenElements:
    """The hidden elements of one page; `others` are its style sheets in other files."""

    def __init__(self, root: "etree._Element", others: str = "") -> None:
        self._styles = PageStyles(root, _RELEVANT, others)
        self._may_mark, self._may_number = (words in self._styles.says for words in (_MARKING, _NUMBERED))
        self._known: dict[int, tuple[bool, bool, tuple[MarkKind, ...]]] = {}  # by declarations

    def look(self, element: "etree._Element", tag: str, given: Attributes) -> tuple[bool, tuple[MarkKind, ...]]:
        """Return whether a browser would not show the text of this element; whether it raises, lowers or strikes it."""
        if tag != "dialog" and not self._styles.may_name(tag, given):
            return _PLAIN
        declared = self._styles.of(element, given)
        hidden, coloured, kinds = self._said(declared, given.get("style", "")) if declared else _NOTHING_SAID
        hidden = hidden or "hidden" in given or "popover" in given or (tag == "dialog" and "open" not in given)
        if not hidden and (coloured or given.get("color")) and (declared or tag == "font"):
            hidden = self._is_of_its_background(element, declared)
        return hidden and tag not in _LAID_OUT, kinds

    def _said(self, declared: Declarations, own: str) -> tuple[bool, bool, tuple[MarkKind, ...]]:
        """Return whether declarations hide, whether they give a colour, and the marks that they give."""
        known = self._known.get(id(declared))  # all elements that are declared alike have the same ones
        if known is None:
            coloured = any(name in declared for name in _COLOURS)
            kinds = _marks(declared) if self._may_mark or _MARKING.search(own.lower()) else ()
            known = self._known[id(declared)] = _is_hidden(declared), coloured, kinds
        return known

    def numbering(self, element: "etree._Element") -> str:
        """Return the letter that the `type` of a list has, if its style numbers it by letters or Roman numbers."""
        if not _NUMBERED.search(element.get("style", "").lower()) and not self._may_number:
            return ""
        declared = self._styles.of(element, attributes(element))
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
        given = attributes(element)
        declared = self._styles.of(element, given) if self._styles.may_name(element.tag, given) else {}
        for name in _BACKGROUNDS:
            if (value := declared.get(name, "")) and value not in ("none", "transparent", "inherit"):
                return value
        if (colour := given.get("bgcolor")) is not None:
            return colour.lower()
        is_known = self._styles.is_complete and "background" not in given
        return None if is_known or not (given.get("class") or given.get("background")) else ""


def attributes(element: "etree._Element") -> Attributes:
    """Return the attributes of an element."""
    return {str(name): str(value) for name, value in element.items()}


def _marks(declared: Declarations) -> tuple[MarkKind, ...]:
    """Return whether letters are raised or lowered, or have a line through them."""
    moved = _ALIGNED.get(declared.get("vertical-align", "")) or _shifted(declared)
    struck = any(_STRUCK in declared.get(name, "") for name in _STRIKING)
    return ((MarkKind.STRIKETHROUGH,) if struck else ()) + ((moved,) if moved is not None else ())


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


# Recognises the boilerplate of web pages: menus, cookie notices, invisible elements.

_INVISIBLE = (
    "script style template noscript title svg canvas audio video iframe frame applet noembed map datalist meter "
    "progress rp rt"
)
INVISIBLE_TAGS = frozenset(_INVISIBLE.split())

_NAVIGATION = frozenset(("navigation", "menu", "menubar", "tablist"))
_WHOLE = frozenset(("html", "body", "main", "article", "table", "form"))
_COOKIES = re.compile(
    r"cookie[-_ ]?(?:banner|bar|consent|notice|notification|law|popup|modal|overlay|dialog|disclaimer)"
    r"|(?:gdpr|consent|privacy)[-_]?(?:banner|bar|notice|popup|modal|overlay|dialog)"
    r"|onetrust|cookiebot|usercentrics|didomi|cmpbox|cc-window|truste[-_]|borlabs-cookie|klaro\b",
    re.I,
)
_MENU = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|submenu|portlet|sidebar|breadcrumbs?|pagination|share|social)(?:$|[\s_-])",
    re.I,
)
_MAX_ELEMENTS = 10_000  # maximum elements of a menu
_MAX_VISITED = 200_000  # elements in total per page; nested parts are counted repeatedly
_MAX_NOTICE = 3000  # characters; a longer text is an article about cookies
_MIN_LINK_SHARE = 0.6  # fraction of link text in a menu
_MIN_LINK_SHARE_BY_CLASS = 0.9  # the same for an element that is a menu only by its class
_MIN_LINKS = 3  # minimum links of such a menu


class Boilerplate:
    """Recognises the menus and notices of one page; the number of visited elements is limited."""

    def __init__(self) -> None:
        self._left = _MAX_VISITED

    def is_boilerplate(self, element: "etree._Element", tag: str, given: Attributes) -> bool:
        """Return whether an element is a menu or a cookie notice."""
        if tag == "nav" or given.get("role") in _NAVIGATION:
            return self._is_small(element) and _share_of_links(element) >= _MIN_LINK_SHARE
        if tag in _WHOLE:
            return False
        notice, menu = _named(given.get("id", ""), given.get("class", ""))
        if not (notice or menu) or not self._is_small(element):
            return False
        if notice:
            return _length(element) < _MAX_NOTICE
        return _share_of_links(element) >= _MIN_LINK_SHARE_BY_CLASS and _links(element) >= _MIN_LINKS

    def _is_small(self, element: "etree._Element") -> bool:
        limit = min(_MAX_ELEMENTS, self._left)
        count = sum(1 for _ in islice(element.iter(), limit + 1))
        self._left -= min(count, limit)
        return count <= limit


@lru_cache(4096)
def _named(identifier: str, classes: str) -> tuple[bool, bool]:
    """Return whether an element is named like a cookie notice, and like a menu."""
    named = f"{identifier} {classes}"
    return _COOKIES.search(named) is not None, _MENU.search(named) is not None


def is_larger(element: "etree._Element", limit: int) -> bool:
    """Return whether an element has more than `limit` descendants, counting no further."""
    return next(islice(element.iter(), limit, None), None) is not None


def _share_of_links(element: "etree._Element") -> float:
    """Return the fraction of link text in an element."""
    return sum(_length(link) for link in element.iter("a")) / max(1, _length(element))


def _links(element: "etree._Element") -> int:
    return sum(1 for _ in element.iter("a"))


def _length(element: "etree._Element") -> int:
    return sum(len(text.strip()) for text in element.itertext())
