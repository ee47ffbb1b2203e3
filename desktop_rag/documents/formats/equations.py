"""Equations of Word and slides (OMML, ECMA-376, part 1, 22.1) and of web pages (MathML) on one line: (a+b)/2, √16, c².

What the page tells by size and place is told by signs: a part that is more than one number or name stands in brackets,
a fraction keeps a blank from what it does not belong to (1 1/2 is no 11/2), limits stand behind their sign: ∑_(i=1)^n.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from desktop_rag.text.raised import lowered, raised

if TYPE_CHECKING:
    from lxml import etree

_DEEPEST = 60
_VALUE = "{http://schemas.openxmlformats.org/officeDocument/2006/math}val"
_LETTER = r"[^\W\d_⁰¹²³⁴-⁹₀-₉]"
_NAME = rf"{_LETTER}+['′]*[₀-₉]*"
_ONE = re.compile(rf"\d+(?:[.,]\d+)*|{_NAME}|\W")  # a number, a name, a sign
_FACTORS = re.compile(rf"√?(?:\d+(?:[.,]\d+)*)?(?:{_NAME}[⁰¹²³⁴-⁹⁺⁻]*)?")  # 2x, c², √2
_BASE = re.compile(r"[^\W⁰¹²³⁴-⁹]+['′₀-₉]*|\W*")  # what a power or an index is put behind as it is
_WITH_LIMITS = frozenset("∑∏∐∫∬∭∮∯∰⋀⋁⋂⋃⨀⨁⨂⨄⨆")
_OPEN, _CLOSED = "([{⟨⌈⌊", ")]}⟩⌉⌋"
_BLANKS = re.compile(r"\s+")
_UNSEEN = dict.fromkeys((0x2062, 0x2063, 0x200B)) | {0x2061: " ", 0x2064: " "}  # times, comma; of a function, plus
_ENDS_OPEN = re.compile(rf"{_LETTER}{{2,}}[⁰¹²³⁴-⁹⁺⁻₀-₉]*$|[_^](?:\w+|\([^()]*\))$")  # what a name would go on
_LONG_NAME = re.compile(rf"{_LETTER}{{2,}}")
_ACCENTS = {
    "^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303", "¯": "\u0305", "‾": "\u0305", "―": "\u0305",
    "˙": "\u0307", ".": "\u0307", "¨": "\u0308", "ˇ": "\u030c", "→": "\u20d7", "_": "\u0332", "⃗": "\u20d7",
}  # fmt: skip
_BRACES = frozenset("⏞⏟⏜⏝⎴⎵︷︸")  # only group what they stand over


def equation(element: "etree._Element") -> str:
    """Return an equation as one line of text."""
    return _BLANKS.sub(" ", _written(element, 0).translate(_UNSEEN)).strip()


def _written(element: "etree._Element", depth: int) -> str:
    if depth > _DEEPEST:
        return "".join(map(str, element.itertext()))
    name = _name(element)
    if (write := _WRITERS.get(name)) is not None:
        return write(element, depth + 1)
    if name in _TEXTS:
        text = element.text or ""
        return _BLANKS.sub(" ", text) if name in ("t", "mtext") else text.strip()
    return _joined(element, depth) if len(element) else ""


def _name(element: "etree._Element") -> str:
    return str(element.tag).rpartition("}")[2]


def _joined(parent: "Iterable[etree._Element]", depth: int) -> str:
    """Return the parts of a row side by side, blanks where they would run into each other."""
    parts: list[str] = []
    before, last = "", ""
    for child in parent:
        name = _name(child)
        if name.endswith("Pr") or not (part := _written(child, depth + 1)):
            continue
        plain = name == last == "r"  # Word divides one text into runs where it likes
        parts += [part] if plain or not _run_together(before, part, last, name) else [" ", part]
        before, last = part, name
    return "".join(parts)


def _run_together(before: str, part: str, last: str, name: str) -> bool:
    """Return whether two parts of a row would be read as one number, name or fraction."""
    if not before or not (_is_word(before[-1]) and (_is_word(part[0]) or part[0] in _OPEN)):
        return False
    whole = {last, name} <= {*_TEXTS, "r"}
    if not whole and ("/" in part or (last not in _TEXTS and "/" in before)):
        return True
    if part[0] in "⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉":
        return True
    return part[0].isalnum() and bool(_ENDS_OPEN.search(before) or _LONG_NAME.match(part))


def _is_word(character: str) -> bool:
    return character.isalnum() or character in _CLOSED


def _part(element: "etree._Element", name: str, depth: int) -> str:
    """Return a named part of an equation of Word."""
    found = next((child for child in element if _name(child) == name), None)
    return _joined(found, depth).strip() if found is not None else ""


def _parts(element: "etree._Element", depth: int) -> list[str]:
    """Return the parts of an element of MathML, in order."""
    return [_written(child, depth).strip() for child in element.iterchildren("*")]


def _property(element: "etree._Element", name: str, default: str) -> str:
    """Return a property of an element of Word, which may be there without a value."""
    own = next((child for child in element if _name(child).endswith("Pr")), ())
    found = next((child for child in own if _name(child) == name), None)
    return default if found is None else str(found.get(_VALUE, ""))


def _is_bracketed(text: str) -> bool:
    """Return whether the first bracket of a text closes at its end."""
    if text[:1] not in _OPEN or text[-1:] not in _CLOSED:
        return False
    depth = 0
    for place, character in enumerate(text):
        depth += (character in _OPEN) - (character in _CLOSED)
        if depth == 0:
            return place == len(text) - 1
    return False


def _whole(text: str, form: re.Pattern[str] = _ONE) -> str:
    """Return a part in brackets, unless it is of this form or in brackets already."""
    text = text.translate(_UNSEEN).strip()
    return text if not text or form.fullmatch(text) or _is_bracketed(text) else f"({text})"


def over(above: str, below: str) -> str:
    """Return a fraction."""
    return f"{_whole(above, _FACTORS)}/{_whole(below) if below[:1].isdigit() else _whole(below, _FACTORS)}"


def _without_line(element: "etree._Element", depth: int) -> str:
    """Return a fraction; one without a line, as of binomials, as its two numbers."""
    above, below = _part(element, "num", depth), _part(element, "den", depth)
    return f"{above}; {below}" if _property(element, "type", "") == "noBar" else over(above, below)


def _power(base: str, exponent: str) -> str:
    return _both(base, "", exponent)


def _both(base: str, index: str, exponent: str = "") -> str:
    """Return a base with its index and exponent; signs with limits have them in plain figures: ∫_0^1."""
    text = _whole(base, _BASE)
    plain = base in _WITH_LIMITS
    if index:
        text += lowered(index) if index.isdecimal() and not plain else f"_{_whole(index)}"
    if not exponent.strip("′'*†"):
        return f"{text}{exponent}"
    return text + (raised(exponent) if exponent.strip("+-−").isdecimal() and not plain else f"^{_whole(exponent)}")


def limits(base: str, below: str, above: str = "") -> str:
    """Return what has something under and over it; an accent is one of its letters, a brace nothing."""
    for accent in (below, above):
        if accent in _ACCENTS and accent != ".":
            return _accented(base, accent)
    below, above = ("" if each in _BRACES else each for each in (below, above))
    text = _whole(base, _BASE) if below or above else base
    return text + (f"_{_whole(below)}" if below else "") + (f"^{_whole(above)}" if above else "")


def _accented(base: str, accent: str) -> str:
    mark = _ACCENTS.get(accent, accent)
    return "".join(f"{letter}{mark}" if letter.isalnum() else letter for letter in base)


def root(inside: str, degree: str = "") -> str:
    """Return a root."""
    return f"{raised(degree) if degree.isdecimal() else degree}√{_whole(inside)}"


def _nary(element: "etree._Element", depth: int) -> str:
    sign = _property(element, "chr", "∫")
    inside = _part(element, "e", depth)
    return f"{limits(sign, _part(element, 'sub', depth), _part(element, 'sup', depth))} {inside}"


def _delimited(element: "etree._Element", depth: int) -> str:
    inside = (_property(element, "sepChr", "|")).join(
        _joined(each, depth).strip() for each in element if _name(each) == "e"
    )
    return f"{_property(element, 'begChr', '(')}{inside}{_property(element, 'endChr', ')')}"


def _fenced(element: "etree._Element", depth: int) -> str:
    signs = "".join(element.get("separators", ",").split())
    text = ""
    for place, part in enumerate(_parts(element, depth)):
        sign = signs[min(place, len(signs)) - 1] if place and signs else ""
        text += (f"{sign} " if sign == "," else sign) + part
    return f"{element.get('open', '(')}{text}{element.get('close', ')')}"


def _rows(element: "etree._Element", depth: int) -> str:
    rows = [row for row in element if _name(row) in ("mr", "mtr", "mlabeledtr")]
    cells = ((_joined(cell, depth).strip() for cell in row if _name(cell) in ("e", "mtd")) for row in rows)
    return f"[{'; '.join(', '.join(row) for row in cells)}]"


def _lines(element: "etree._Element", depth: int) -> str:
    """Return equations that stand one under the other; & only aligns them."""
    return "; ".join(_joined(line, depth).replace("&", "").strip() for line in element if _name(line) == "e")


def _function(element: "etree._Element", depth: int) -> str:
    name, argument = _part(element, "fName", depth), _part(element, "e", depth)
    return f"{name}{argument}" if argument[:1] in tuple(_OPEN) else f"{name} {argument}"


def _before(element: "etree._Element", depth: int) -> str:
    return _beside(_part(element, "sub", depth), _part(element, "sup", depth)) + _part(element, "e", depth)


def _beside(below: str, above: str) -> str:
    """Return what stands before a letter, as the numbers of an isotope do."""
    return "".join(
        (write(text) if text.isdecimal() else f"{sign}{_whole(text)}") if text else ""
        for text, write, sign in ((above, raised, "^"), (below, lowered, "_"))
    )


def _around(element: "etree._Element", depth: int) -> str:
    """Return an element with indices and exponents behind it and, after `mprescripts`, before it."""
    children = list(element.iterchildren("*"))
    names = [_name(child) for child in children]
    split = names.index("mprescripts") if "mprescripts" in names else len(children)
    texts = [_written(child, depth).strip() for child in children]
    base = texts[0] if texts else ""
    after, before = texts[1:split], texts[split + 1 :]
    for below, above in zip(after[::2], [*after[1::2], ""], strict=False):
        base = _both(base, below, above)
    return "".join(_beside(*pair) for pair in zip(before[::2], [*before[1::2], ""], strict=False)) + base


def _of_parts(write: Callable[..., str], count: int) -> "Callable[[etree._Element, int], str]":
    """Return a writer for an element of MathML with `count` parts in a fixed order."""

    def written(element: "etree._Element", depth: int) -> str:
        return write(*[*_parts(element, depth), *[""] * count][:count])

    return written


def _fraction(element: "etree._Element", depth: int) -> str:
    above, below = [*_parts(element, depth), "", ""][:2]
    return f"{above}; {below}" if element.get("linethickness", "") in ("0", "0pt", "0px") else over(above, below)


def _nothing(_: "etree._Element", __: int) -> str:
    return ""


_TEXTS = frozenset(("t", "mi", "mn", "mo", "mtext", "ms"))
_WRITERS: "Mapping[str, Callable[[etree._Element, int], str]]" = {
    "f": _without_line,
    "rad": lambda e, d: root(_part(e, "e", d), _part(e, "deg", d)),
    "sSup": lambda e, d: _power(_part(e, "e", d), _part(e, "sup", d)),
    "sSub": lambda e, d: _both(_part(e, "e", d), _part(e, "sub", d)),
    "sSubSup": lambda e, d: _both(_part(e, "e", d), _part(e, "sub", d), _part(e, "sup", d)),
    "sPre": _before,
    "limLow": lambda e, d: limits(_part(e, "e", d), _part(e, "lim", d)),
    "limUpp": lambda e, d: limits(_part(e, "e", d), "", _part(e, "lim", d)),
    "acc": lambda e, d: _accented(_part(e, "e", d), _property(e, "chr", "^")),
    "bar": lambda e, d: _accented(_part(e, "e", d), "_" if _property(e, "pos", "bot") == "bot" else "¯"),
    "phant": lambda e, d: "" if _property(e, "show", "1") in ("0", "off", "false") else _part(e, "e", d),
    "func": _function,
    "nary": _nary,
    "d": _delimited,
    "eqArr": _lines,
    "m": _rows,
    "mtable": _rows,
    "mfenced": _fenced,
    "mfrac": _fraction,
    "msup": _of_parts(_power, 2),
    "msub": _of_parts(_both, 2),
    "msubsup": _of_parts(_both, 3),
    "munder": _of_parts(limits, 2),
    "mover": _of_parts(lambda base, above: limits(base, "", above), 2),
    "munderover": _of_parts(limits, 3),
    "mmultiscripts": _around,
    "mroot": _of_parts(root, 2),
    "msqrt": lambda e, d: root(_joined(e, d)),
    "mspace": lambda _, __: " ",
    "maction": lambda e, d: next(iter(_parts(e, d)), ""),
    **dict.fromkeys(("annotation", "annotation-xml", "mphantom", "none", "del", "moveFrom"), _nothing),
}
