"""Splits texts at white space into pieces. No term spans two, so each distinct piece is analysed once for all texts."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from desktop_rag.index.keywords.analysis import terms
from desktop_rag.index.keywords.identifiers import identifier_parts

_HUMP = re.compile("[a-z][A-Z]")
_MAX_CACHED = 64  # characters of a cached piece; in scripts without spaces a piece is a whole sentence


class TermSpan(NamedTuple):
    """A term of a piece, or a part of an identifier in it, with its character range."""

    text: str
    start: int
    end: int


def pieces(text: str) -> set[str]:
    """Return the distinct pieces of a text."""
    return set(text.split())


def analysed(piece: str) -> tuple[TermSpan, ...]:
    """Return the terms of a piece and the parts of its identifiers."""
    return _cached_analysis(piece) if len(piece) <= _MAX_CACHED else _analyse(piece)


class TermPrefixes:
    """Prefixes of terms in lower-case ASCII: at the start of a word, or inside an identifier like camelCase."""

    def __init__(self, prefixes: Iterable[str]) -> None:
        alternatives = "|".join(map(re.escape, prefixes)) or "(?!)"
        self._of_words, self._anywhere = re.compile(f"(?<![a-z])(?:{alternatives})"), re.compile(alternatives)

    def pattern(self, text: str) -> re.Pattern[str]:
        """Return the pattern that finds them in the lower-cased `text`."""
        return self._anywhere if _HUMP.search(text) else self._of_words


def candidate_pieces(some: Collection[str], prefixes: TermPrefixes | None) -> set[str]:
    """Return the pieces that may contain a term with one of the prefixes; all pieces for None.

    Pieces that are not ASCII are always returned, because folding may change their first letters.
    """
    if prefixes is None:
        return set(some)
    found = {piece for piece in some if not piece.isascii()}
    joined = " ".join(filter(str.isascii, some))
    lowered, end = joined.lower(), 0
    pattern = prefixes.pattern(joined)
    while match := pattern.search(lowered, end):
        begin, end = lowered.rfind(" ", 0, match.start()) + 1, lowered.find(" ", match.end())
        end = end if end >= 0 else len(joined)
        found.add(joined[begin:end])
    return found


def occurrences(piece: str, text: str) -> Iterator[int]:
    """Yield the offsets of a piece in a text, except inside a longer piece."""
    at = text.find(piece)
    while at >= 0:
        end = at + len(piece)
        if (at == 0 or text[at - 1].isspace()) and (end == len(text) or text[end].isspace()):
            yield at
        at = text.find(piece, end)


def _analyse(piece: str) -> tuple[TermSpan, ...]:
    return tuple(TermSpan(term.text, term.start, term.end) for term in chain(terms(piece), identifier_parts(piece)))


_cached_analysis = lru_cache(maxsize=1 << 15)(_analyse)
