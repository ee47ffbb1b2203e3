"""The style sheets of a web page, as far as they say whether and how its text is seen.

Selectors of elements, classes, ids and attributes are understood, also below others; rules with further conditions
(states, siblings, printers, narrow screens) are left out.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lxml import etree

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


class PageStyles:
    """The styles of one page; `is_complete` unless it names sheets that are not in it."""

    def __init__(self, root: "etree._Element", relevant: frozenset[str], others: str = "") -> None:
        tree = root.getroottree()
        sheets = [sheet.text or "" for sheet in tree.iter("style")]
        text = _plain("\n".join((others, *sheets))[:_LONGEST])
        self._text = text
        self.is_complete = "@import" not in text and (bool(others) or not any(map(_is_sheet, tree.iter("link"))))
        self._variables: dict[str, str] = {}
        self._above: dict[etree._Element, frozenset[str]] = {}
        self._rules: dict[str, list[_Rule]] = {}  # by what the element must have: “.class”, “#id”, its tag or “*”
        for place, (selectors, body) in enumerate(_rules(text)):
            declared = declarations(body)
            self._variables.update((name, value) for name, value in declared.items() if name.startswith("--"))
            if relevant.isdisjoint(declared):
                continue
            for selector in selectors.split(","):
                if (rule := _rule(selector.strip(), place, declared)) is not None:
                    self._rules.setdefault(_key(rule.compounds[-1]), []).append(rule)

    def says(self, words: re.Pattern[str]) -> bool:
        """Return whether the sheets have words of this form at all."""
        return words.search(self._text) is not None

    def of(self, element: "etree._Element") -> Declarations:
        """Return what is declared for an element, its own style included."""
        rules = self._candidates(element) if self._rules else ()
        found = sorted((rule for rule in rules if rule.matches(element)), key=lambda rule: rule.weight)
        merged: dict[str, str] = {}
        for declared in (*(rule.declared for rule in found), declarations(element.get("style", ""))):
            for name, value in declared.items():
                if "!important" in value or "!important" not in merged.get(name, ""):
                    merged[name] = value
        return {name: self._resolved(value) for name, value in merged.items()}

    def may_name(self, element: "etree._Element") -> bool:
        """Return whether anything may be declared for an element."""
        return bool(element.attrib) or element.tag in self._rules or "*" in self._rules

    def _candidates(self, element: "etree._Element") -> "Iterator[_Rule]":
        classes = dict.fromkeys(element.get("class", "").split())
        above = self._keys_above(element)
        for key in (*(f".{name}" for name in classes), f"#{element.get('id', '')}", element.tag, "*"):
            for rule in self._rules.get(str(key), ()):
                if rule.needed <= above:
                    yield rule

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
