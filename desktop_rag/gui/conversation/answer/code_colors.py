"""Syntax colours for the code blocks of an answer, in the current theme."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from desktop_rag.gui.theme.theme_colors import Colors
from desktop_rag.gui.theme.token_kinds import TokenKind, shades, toned

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_FENCE = re.compile(r"^[ >]*(?:```+|~~~+) *([\w+#.-]+)", re.MULTILINE)


def code_spans(text: str, language: str, colors: Colors) -> tuple[tuple[int, int, str], ...]:
    """Return (start, end, `#rrggbb`) of the coloured tokens of `text`; empty for an unknown language."""
    shade = shades(colors)
    return tuple((start, end, shade[tone]) for start, end, tone in _spans(text, language.lower()))


def load_languages(markdown: str) -> None:
    """Load the lexers of the code blocks in `markdown`; for a background thread, because the imports are slow."""
    for language in set(_FENCE.findall(markdown)):
        _spans("x", language.lower())


@lru_cache(maxsize=64)
def _spans(text: str, language: str) -> tuple[tuple[int, int, TokenKind], ...]:
    lexer = _lexer(language)
    tokens = toned(lexer.get_tokens_unprocessed(text)) if lexer else ()
    return tuple((start, start + len(words), tone) for start, words, tone in tokens)


@lru_cache(maxsize=32)
def _lexer(language: str) -> "Lexer | None":
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
