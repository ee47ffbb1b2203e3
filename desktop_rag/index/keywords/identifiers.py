"""Splits the names that programs use, camelCase, into their parts; snake_case and a.b.c are parted by their signs.

The index holds such a name whole in its place, and its parts behind the text, side by side, with a gap before each:
“parseHttpRequest” is found by “http request”, and no phrase of the text meets a word that does not stand there.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from desktop_rag.index.keywords.analysis import Term, terms

GAP = 1  # positions before the parts of each name
_LONGEST = 64  # characters of a name; what is longer is data
_TELLING = 3  # letters a part has on average, at least: what is shorter is no program's name (mRNA, base64)
# Small letters become “a”, capitals “A”, digits “0”, and all else a space.
_SHAPES = bytes(
    65 if 65 <= code <= 90 else 97 if 97 <= code <= 122 else 48 if 48 <= code <= 57 else 32 for code in range(256)
)
_HUMP = b"aA"
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def has_humps(data: bytes) -> bool:
    """Return whether a capital stands behind a small letter anywhere in a text as bytes; nothing else has parts."""
    return _HUMP in data.translate(_SHAPES)


def parts(text: str) -> Iterator[Term]:
    """Yield the folded parts of all names in a text; positions count on, with a gap before each name."""
    position = 0
    for name, first in _names(text):
        found = _parts(name)
        position += GAP if found else 0
        for part, start, end in found:
            yield Term(part, position, first + start, first + end)
            position += 1


def _names(text: str) -> Iterator[tuple[str, int]]:
    """Yield the words with a capital behind a small letter, and where they begin; nearly as fast as memory is read."""
    shapes = text.encode("ascii", "replace").translate(_SHAPES)
    end = 0
    while (hump := shapes.find(_HUMP, end)) >= 0:
        start, end = shapes.rfind(b" ", 0, hump) + 1, shapes.find(b" ", hump)
        end = end if end >= 0 else len(text)
        in_word = text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()  # of letters beyond ASCII
        if end - start <= _LONGEST and not in_word:
            yield text[start:end], start


def indexed_terms(text: str) -> Iterator[Term]:
    """Yield the terms of a text and behind them the parts of its names."""
    behind = 0
    for term in terms(text):
        behind = max(behind, term.position + 1)
        yield term
    for part in parts(text):
        yield part._replace(position=behind + part.position)


@lru_cache(maxsize=1 << 14)
def _parts(name: str) -> tuple[tuple[str, int, int], ...]:
    """Return the parts of a name with their places in it; nothing if it is an ordinary word."""
    found = tuple((match.group().lower(), *match.span()) for match in _PART.finditer(name))
    telling = sum(len(part) > 1 and not part.isdigit() for part, _, _ in found)
    return found if telling > 1 and len(name) >= _TELLING * len(found) else ()
