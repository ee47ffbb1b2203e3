"""Parts texts at white space, which no term spans, so that of all texts together each different piece is cut once."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from desktop_rag.index.keywords.analysis import terms
from desktop_rag.index.keywords.identifiers import parts

_HUMP = re.compile("[a-z][A-Z]")
_LONGEST = 64  # characters that are remembered; where no spaces are written, a piece is a sentence


class TermSpan(NamedTuple):
    """A term of a piece, or a part of a name in it, and the characters it was made of."""

    text: str
    start: int
    end: int


def pieces(text: str) -> set[str]:
    """Return the different pieces of a text."""
    return set(text.split())


def cuts(piece: str) -> tuple[TermSpan, ...]:
    """Return what `terms` and `parts` make of a piece."""
    return _remembered(piece) if len(piece) <= _LONGEST else _cut(piece)


class Beginnings:
    """What terms may begin with, in small ASCII letters: of a word, or inside of a name like camelCase."""

    def __init__(self, letters: Iterable[str]) -> None:
        some = "|".join(map(re.escape, letters)) or "(?!)"
        self._of_words, self._anywhere = re.compile(f"(?<![a-z])(?:{some})"), re.compile(some)

    def pattern(self, text: str) -> re.Pattern[str]:
        """Return what finds them in a text after it was written small."""
        return self._anywhere if _HUMP.search(text) else self._of_words


def promising(some: Collection[str], beginnings: Beginnings | None) -> set[str]:
    """Return those of some pieces in which terms with one of these beginnings may be; all if that is not known.

    Beginnings are looked for in small letters, and only in pieces of ASCII letters: others are folded in many ways.
    """
    if beginnings is None:
        return set(some)
    found = {piece for piece in some if not piece.isascii()}
    joined = " ".join(filter(str.isascii, some))
    lowered, end = joined.lower(), 0
    pattern = beginnings.pattern(joined)
    while match := pattern.search(lowered, end):
        begin, end = lowered.rfind(" ", 0, match.start()) + 1, lowered.find(" ", match.end())
        end = end if end >= 0 else len(joined)
        found.add(joined[begin:end])
    return found


def starts(piece: str, text: str) -> Iterator[int]:
    """Yield where a piece stands in a text, not as a part of a longer one."""
    at = text.find(piece)
    while at >= 0:
        end = at + len(piece)
        if (at == 0 or text[at - 1].isspace()) and (end == len(text) or text[end].isspace()):
            yield at
        at = text.find(piece, end)


def _cut(piece: str) -> tuple[TermSpan, ...]:
    return tuple(TermSpan(term.text, term.start, term.end) for term in chain(terms(piece), parts(piece)))


_remembered = lru_cache(maxsize=1 << 15)(_cut)
