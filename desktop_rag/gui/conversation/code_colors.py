"""Colours for blocks of code in an answer, in the present look."""

from functools import lru_cache

from desktop_rag.gui.theme_colors import Colors
from desktop_rag.gui.tones import Tone, shades, toned


def code_spans(text: str, language: str, colors: Colors) -> tuple[tuple[int, int, str], ...]:
    """Return (start, end, `#rrggbb`) of the coloured parts of `text`; none for an unknown language."""
    shade = shades(colors)
    return tuple((start, end, shade[tone]) for start, end, tone in _spans(text, language.lower()))


@lru_cache(maxsize=64)
def _spans(text: str, language: str) -> tuple[tuple[int, int, Tone], ...]:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return ()
    tokens = toned(lexer.get_tokens_unprocessed(text))
    return tuple((start, start + len(words), tone) for start, words, tone in tokens)
