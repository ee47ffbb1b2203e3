"""Tokens of lines (keywords, strings, headings …): by Pygments for code, by line kinds for prose.

Runs in a background job in short slices: a long stretch of Python code would hold the interpreter lock and block
the window's thread as well.
"""

import re
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from desktop_rag.documents.document import LineKind, line_starts
from desktop_rag.gui.theme.token_kinds import Token, TokenKind, toned
from desktop_rag.gui.viewer.viewer_events import LinesTokenized
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from pygments.lexer import Lexer

LineTokens = tuple[tuple[int, int, int], ...]

LONGEST_COLORED = 2_000  # characters of a line; longer ones are data, not text to read
_MAX_CHARACTERS = 200_000
_SLICE_SECONDS = 0.004


_WHOLE = {
    LineKind.HEADING: TokenKind.HEADING,
    LineKind.CODE: TokenKind.CODE,
    LineKind.QUOTE: TokenKind.QUOTED,
    LineKind.FIELD: TokenKind.COMMENT,
}
_MARKER = re.compile(r"\s*(?:[-*+•‣◦▪–—·]|\d{1,9}[.)])(?=\s)")
_INLINE = re.compile(
    r"(?P<code>`[^`\n]+`)|(?P<strong>\*\*(?=\S).+?(?<=\S)\*\*|__(?=\S).+?(?<=\S)__)|(?P<link>!?\[[^\]\n]*\]\([^)\n]*\))"
)


def color_prose(lines: Sequence[str], first: int, kinds: bytes) -> LinesTokenized:
    """Return the tokens of lines from number `first` on; `kinds` are those of the whole document."""
    return LinesTokenized(
        first,
        tuple(
            _prose_line(line, LineKind(kinds[index] & 15)) if index < len(kinds) else ()
            for index, line in enumerate(lines, first - 1)
        ),
    )


def color_code(name: str, lines: Sequence[str], first: int, skipped: int, stop: Stop) -> Generator[LinesTokenized]:
    """Yield the tokens of code lines; the first `skipped` lines are context only.

    `first` is the number of the first line after the context. An unknown language yields nothing.
    """
    lexer = _lexer_of(name)
    if lexer is None:
        return
    shown = [line if len(line) <= LONGEST_COLORED else "" for line in lines]
    text = "\n".join(shown)[:_MAX_CHARACTERS]
    tokens: list[list[tuple[int, int, int]]] = [[] for _ in shown]
    parts = toned(_paced(lexer.get_tokens_unprocessed(text), stop))
    for line, start, end, token in _by_line(parts, line_starts(text)):
        tokens[line].append((start, end, token))
    yield LinesTokenized(first, tuple(map(tuple, tokens[skipped:])))


def _lexer_of(name: str) -> "Lexer | None":
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound

    try:
        return get_lexer_for_filename(name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def _paced(tokens: Iterable[Token], stop: Stop) -> Iterator[Token]:
    """Yield `tokens` and pause every few milliseconds for the window's thread."""
    until = time.monotonic() + _SLICE_SECONDS
    for token in tokens:
        if time.monotonic() > until:
            if stop.wait(_SLICE_SECONDS):
                return
            until = time.monotonic() + _SLICE_SECONDS
        yield token


def _by_line(
    parts: Iterator[tuple[int, str, TokenKind]], starts: Sequence[int]
) -> Iterator[tuple[int, int, int, TokenKind]]:
    """Yield (line from 0, start, end, kind) of tokens, split at line ends."""
    line = 0
    for offset, words, token in parts:
        while line + 1 < len(starts) and starts[line + 1] <= offset:
            line += 1
        left = offset - starts[line]
        for count, piece in enumerate(words.split("\n")):
            begin = left if count == 0 else 0
            if piece.strip():
                yield line + count, begin, begin + len(piece), token


def _prose_line(line: str, kind: LineKind) -> LineTokens:
    if len(line) > LONGEST_COLORED:
        return ()
    whole = ((0, len(line), int(token)),) if (token := _WHOLE.get(kind)) and line else ()
    if kind in (LineKind.CODE, LineKind.HEADING, LineKind.FIELD):
        return whole
    marker = _MARKER.match(line) if kind is LineKind.ITEM else None
    marked = ((marker.start(), marker.end(), int(TokenKind.MARKER)),) if marker else ()
    return (*whole, *marked, *((match.start(), match.end(), _inline_token(match)) for match in _INLINE.finditer(line)))


def _inline_token(match: re.Match[str]) -> int:
    if match.group("code"):
        return int(TokenKind.CODE)
    return int(TokenKind.STRONG if match.group("strong") else TokenKind.LINK)
