"""Splits camelCase identifiers into their parts; analysis itself splits snake_case and a.b.c at the punctuation.

The index holds an identifier whole at its position, and its parts after the end of the text, side by side, with a gap
before each identifier: “http request” finds “parseHttpRequest”, and no phrase matches across the inserted parts.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from desktop_rag.index.keywords.analysis import Term, terms

GAP = 1  # positions before the parts of each name
_LONGEST = 64  # characters of an identifier; longer runs are data
_TELLING = 3  # least letters of a part on average; words like mRNA and base64 are no identifiers
# Lower-case letters become “a”, capitals “A”, digits “0”, everything else a space.
_SHAPES = bytes(
    65 if 65 <= code <= 90 else 97 if 97 <= code <= 122 else 48 if 48 <= code <= 57 else 32 for code in range(256)
)
_HUMP = b"aA"
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def has_humps(data: bytes) -> bool:
    """Return whether a capital follows a lower-case letter anywhere in a UTF-8 text; only then it can have parts."""
    return _HUMP in data.translate(_SHAPES)


def hump_places(data: bytes) -> Iterator[int]:
    """Yield where a capital follows a lower-case letter in a UTF-8 text, in bytes."""
    shapes = data.translate(_SHAPES)
    at = shapes.find(_HUMP)
    while at >= 0:
        yield at
        at = shapes.find(_HUMP, at + 1)


def identifier_parts(text: str) -> Iterator[Term]:
    """Yield the folded parts of all identifiers in a text; positions run on, with a gap before each identifier."""
    position = 0
    for name, first in names_with_humps(text):
        found = parts_of(name)
        position += GAP if found else 0
        for part, start, end in found:
            yield Term(part, position, first + start, first + end)
            position += 1


def names_with_humps(text: str) -> Iterator[tuple[str, int]]:
    """Yield the words in which a capital follows a lower-case letter, with their offsets."""
    shapes = text.encode("ascii", "replace").translate(_SHAPES)
    end = 0
    while (hump := shapes.find(_HUMP, end)) >= 0:
        start, end = shapes.rfind(b" ", 0, hump) + 1, shapes.find(b" ", hump)
        end = end if end >= 0 else len(text)
        in_word = text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()  # with non-ASCII letters
        if end - start <= _LONGEST and not in_word:
            yield text[start:end], start


def indexed_terms(text: str) -> Iterator[Term]:
    """Yield the terms of a text, then the parts of its identifiers."""
    behind = 0
    for term in terms(text):
        behind = max(behind, term.position + 1)
        yield term
    for part in identifier_parts(text):
        yield part._replace(position=behind + part.position)


@lru_cache(maxsize=1 << 14)
def parts_of(name: str) -> tuple[tuple[str, int, int], ...]:
    """Return the parts of an identifier with their offsets in it; nothing for an ordinary word."""
    found = tuple((match.group().lower(), *match.span()) for match in _PART.finditer(name))
    telling = sum(len(part) > 1 and not part.isdigit() for part, _, _ in found)
    return found if telling > 1 and len(name) >= _TELLING * len(found) else ()
