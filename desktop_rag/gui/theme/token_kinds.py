"""Kinds of tokens in code and prose, and their colours in the light and dark themes."""

from collections.abc import Iterable, Iterator
from enum import IntEnum

from desktop_rag.gui.theme.theme_colors import Colors

Token = tuple[int, object, str]  # (start, Pygments type, text)


class TokenKind(IntEnum):
    """The kind of a part of a line."""

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
    "Comment": TokenKind.COMMENT,
    "Keyword": TokenKind.KEYWORD,
    "String": TokenKind.STRING,
    "Number": TokenKind.NUMBER,
    "Function": TokenKind.NAME,
    "Class": TokenKind.NAME,
    "Attribute": TokenKind.NAME,
    "Tag": TokenKind.TAG,
    "Decorator": TokenKind.DECORATOR,
    "Builtin": TokenKind.BUILTIN,
    "Heading": TokenKind.HEADING,
    "Subheading": TokenKind.HEADING,
}
_LIGHT = {
    TokenKind.COMMENT: "#5d6b7a",
    TokenKind.KEYWORD: "#8a2ba8",
    TokenKind.STRING: "#176b41",
    TokenKind.NUMBER: "#9a4a00",
    TokenKind.NAME: "#2a4fc4",
    TokenKind.TAG: "#8a2ba8",
    TokenKind.DECORATOR: "#805100",
    TokenKind.BUILTIN: "#00687a",
}
_DARK = {
    TokenKind.COMMENT: "#a3abb9",
    TokenKind.KEYWORD: "#d3a0f0",
    TokenKind.STRING: "#8bd5a8",
    TokenKind.NUMBER: "#f0b070",
    TokenKind.NAME: "#9db6ff",
    TokenKind.TAG: "#d3a0f0",
    TokenKind.DECORATOR: "#f0c063",
    TokenKind.BUILTIN: "#7fd3e0",
}


def shades(colors: Colors) -> dict[TokenKind, str]:
    """Return the colour of each coloured token kind, as `#rrggbb`."""
    return (_DARK if colors.dark else _LIGHT) | {TokenKind.HEADING: colors.text}


def toned(tokens: Iterable[Token]) -> Iterator[tuple[int, str, TokenKind]]:
    """Yield (start, text, kind) of the Pygments tokens that have a colour."""
    done = 0
    for start, kind, text in tokens:
        if start < done or not text.strip():  # nested lexers may go back
            continue
        tone = next((_TONES[part] for part in reversed(str(kind).split(".")) if part in _TONES), None)
        if tone is not None:
            done = start + len(text)
            yield start, text, tone
