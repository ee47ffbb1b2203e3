"""Colours for blocks of code in an answer, by Pygments, in the present look."""

from collections.abc import Iterator
from functools import lru_cache

from desktop_rag.gui.theme_colors import Colors

_KINDS = ("Comment", "Keyword", "String", "Number", "Function", "Class", "Tag", "Attribute", "Decorator", "Builtin")
_LIGHT = dict(
    zip(
        _KINDS,
        ("#5d6b7a", "#8a2ba8", "#176b41", "#9a4a00", "#2a4fc4", "#2a4fc4", "#8a2ba8", "#2a4fc4", "#805100", "#00687a"),
        strict=True,
    )
)
_DARK = dict(
    zip(
        _KINDS,
        ("#949cab", "#d3a0f0", "#8bd5a8", "#f0b070", "#9db6ff", "#9db6ff", "#d3a0f0", "#9db6ff", "#f0c063", "#7fd3e0"),
        strict=True,
    )
)


def code_spans(text: str, language: str, colors: Colors) -> tuple[tuple[int, int, str], ...]:
    """Return (start, end, `#rrggbb`) of the coloured parts of `text`; none for an unknown language."""
    return _spans(text, language.lower(), colors.dark) if language else ()


@lru_cache(maxsize=64)
def _spans(text: str, language: str, dark: bool) -> tuple[tuple[int, int, str], ...]:  # noqa: FBT001 - a cache key
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return ()
    shades = _DARK if dark else _LIGHT
    return tuple(_colored(lexer.get_tokens_unprocessed(text), shades))


def _colored(tokens: "Iterator[tuple[int, object, str]]", shades: dict[str, str]) -> Iterator[tuple[int, int, str]]:
    done = 0
    for start, kind, words in tokens:
        name = str(kind)
        shade = next((shades[part] for part in reversed(name.split(".")) if part in shades), None)
        if shade and words.strip() and start >= done:  # lexers inside lexers may go back
            done = start + len(words)
            yield start, done, shade
