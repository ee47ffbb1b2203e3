"""Marks text that a document holds but does not show: a reader of the page cannot see it, a model would read it."""

import re

LEAST_SIZE = 2.0  # points; smaller letters are not read by anybody
BEGIN, END = "[hidden: ", "]"
DELETED = "[deleted: "  # before text that is struck out
HIDDEN_PART = " (hidden)"  # after the name of a slide or sheet
_PARTS = re.compile(r"\](\s*)\[hidden: ")
_HIDDEN = re.compile(r"\[hidden: [^\]]*\]")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\b.*\)")
_HEXADECIMAL = re.compile(
    r"#?(?:([0-9a-f])([0-9a-f])([0-9a-f])[0-9a-f]?|([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})(?:[0-9a-f]{2})?)"
)
_NAMED = {
    "white": "ffffff", "snow": "fffafa", "ivory": "fffff0", "ghostwhite": "f8f8ff", "whitesmoke": "f5f5f5",
    "black": "000000", "gray": "808080", "silver": "c0c0c0", "red": "ff0000", "maroon": "800000", "yellow": "ffff00",
    "lime": "00ff00", "green": "008000", "blue": "0000ff", "navy": "000080", "teal": "008080", "purple": "800080",
    "orange": "ffa500", "transparent": "", "windowtext": "000000", "window": "ffffff",
}  # fmt: skip
_WHITE = re.compile(r"hsla?\([^,/]*[\s,]+[^,/]*[\s,]+(?:9[6-9]|100)(?:\.\d+)?%.*\)")
_WHITE_ELSEWHERE = re.compile(  # white in the other notations of CSS
    r"rgba?\(\s*(?:(?:9[6-9]|100)(?:\.\d+)?%[\s,]*){3}(?:[/,].*)?\)|(?:ok)?l(?:ab|ch)\(\s*(?:1|0?\.9[89]\d*|(?:98|99|100)(?:\.\d+)?%)"
    r"\s+0(?:\.00\d*)?%?\s+[^,]*\)|(?:lab|lch)\(\s*(?:98|99|100)(?:\.\d+)?\s+0(?:\.\d*)?%?\s+[^,]*\)"
    r"|hwb\([^,/()]*\s(?:9[6-9]|100)(?:\.\d+)?%?\s[^,]*\)"
)
_SAME = 10  # levels of a colour that the eye does not tell apart


def mark_hidden(text: str) -> str:
    """Return `text` marked as hidden, without its outer white space; white space alone is not marked."""
    core = text.strip()
    start = text.find(core)
    return f"{text[:start]}{BEGIN}{held(core)}{END}{text[start + len(core) :]}" if core else text


def mark_deleted(text: str) -> str:
    """Return `text` marked as struck out, without its outer white space; white space alone is not marked."""
    core = text.strip()
    start = text.find(core)
    return f"{text[:start]}{DELETED}{held(core)}{END}{text[start + len(core) :]}" if core else text


def held(text: str) -> str:
    """Return hidden text without what would end its mark: a look-alike that the search for quotations folds."""
    return text.replace("]", "⟧") if "]" in text else text


def join_hidden(text: str) -> str:
    """Return `text` with neighbouring hidden parts as one."""
    return _PARTS.sub(r"\1", text) if BEGIN in text else text


def without_hidden(text: str) -> str:
    """Return `text` without what is marked in it."""
    return _HIDDEN.sub(" ", text) if BEGIN in text else text


def are_alike(first: str, second: str) -> bool:
    """Return whether two colours, as hexadecimal digits or in CSS, cannot be told apart; not if one is unknown."""
    levels, others = _levels(first), _levels(second)
    return bool(levels) and bool(others) and all(abs(a - b) <= _SAME for a, b in zip(levels, others, strict=True))


def _levels(colour: str) -> tuple[int, ...]:
    """Return red, green and blue up to 255; empty for what is not understood."""
    colour = colour.strip().lower()
    if found := _RGB.fullmatch(colour):
        return tuple(map(int, found.groups()))
    if found := _HEXADECIMAL.fullmatch(_NAMED.get(colour, colour)):
        return tuple(int(2 * digits if len(digits) == 1 else digits, 16) for digits in found.groups() if digits)
    return (255, 255, 255) if _WHITE.fullmatch(colour) or _WHITE_ELSEWHERE.fullmatch(colour) else ()
