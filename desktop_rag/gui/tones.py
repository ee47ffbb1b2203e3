"""What a piece of code or prose is, and the colours of code in the light and in the dark look."""

from collections.abc import Iterable, Iterator
from enum import IntEnum

from desktop_rag.gui.theme_colors import Colors

Token = tuple[int, object, str]  # where it begins, its Pygments type, its text


class Tone(IntEnum):
    """What a part of a line is."""

    COMMENT = 1
    KEYWORD = 2
    STRING = 3
    NUMBER = 4
    NAME = 5
    TAG = 6
    DECORATOR = 7
    BUILTIN = 8
    HEADING = 9
    STRONG = 10
    MARKER = 11
    CODE = 12
    QUOTED = 13
    LINK = 14


_TONES = {
    "Comment": Tone.COMMENT,
    "Keyword": Tone.KEYWORD,
    "String": Tone.STRING,
    "Number": Tone.NUMBER,
    "Function": Tone.NAME,
    "Class": Tone.NAME,
    "Attribute": Tone.NAME,
    "Tag": Tone.TAG,
    "Decorator": Tone.DECORATOR,
    "Builtin": Tone.BUILTIN,
    "Heading": Tone.HEADING,
    "Subheading": Tone.HEADING,
}
_LIGHT = {
    Tone.COMMENT: "#5d6b7a",
    Tone.KEYWORD: "#8a2ba8",
    Tone.STRING: "#176b41",
    Tone.NUMBER: "#9a4a00",
    Tone.NAME: "#2a4fc4",
    Tone.TAG: "#8a2ba8",
    Tone.DECORATOR: "#805100",
    Tone.BUILTIN: "#00687a",
}
_DARK = {
    Tone.COMMENT: "#a3abb9",
    Tone.KEYWORD: "#d3a0f0",
    Tone.STRING: "#8bd5a8",
    Tone.NUMBER: "#f0b070",
    Tone.NAME: "#9db6ff",
    Tone.TAG: "#d3a0f0",
    Tone.DECORATOR: "#f0c063",
    Tone.BUILTIN: "#7fd3e0",
}


def shades(colors: Colors) -> dict[Tone, str]:
    """Return the colour of each tone that code has, as `#rrggbb`."""
    return (_DARK if colors.dark else _LIGHT) | {Tone.HEADING: colors.text}


def toned(tokens: Iterable[Token]) -> Iterator[tuple[int, str, Tone]]:
    """Yield (where it begins, its text, its tone) of the Pygments tokens that have a colour."""
    done = 0
    for start, kind, text in tokens:
        if start < done or not text.strip():  # lexers inside lexers may go back
            continue
        tone = next((_TONES[part] for part in reversed(str(kind).split(".")) if part in _TONES), None)
        if tone is not None:
            done = start + len(text)
            yield start, text, tone
