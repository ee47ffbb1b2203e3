"""Derives the terms a text must have to contain a literal string, so that most texts are ruled out unread.

Literal search compares in lower case, also inside words. The string is folded as the texts were: inside it are whole
terms, at its edges the ends or beginnings of terms.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from desktop_rag.index.keywords.analysis import DENSE, UNACCENT, WORD, fold, marked

_APOSTROPHES = "'’"
_LONGEST = 64  # characters of a piece; well below `MAX_TERM`, where terms are truncated
_SIMPLE = 0x590  # below this code point letters combine only with accents, which folding removes


@dataclass(frozen=True, slots=True)
class RequiredTerm:
    """Folded characters that must occur in one term: at its beginning if `first`, at its end if `last`.

    If it `follows`, its term is at the position after that of the previous one.
    """

    text: str
    first: bool = False
    last: bool = False
    follows: bool = False


@lru_cache(maxsize=256)
def required_terms(keyword: str) -> tuple[RequiredTerm, ...]:
    """Return the required terms of a text that contains `keyword` (in lower case); empty if there are none for sure.

    Each occurrence of the keyword needs its own occurrence of each.
    """
    return tuple(_required_terms(keyword))


def _required_terms(keyword: str) -> Iterator[RequiredTerm]:
    after_word = False
    for run in _runs().finditer(keyword):
        start, end = run.span()
        text = run.group()
        found: list[RequiredTerm] = []
        if run.lastgroup == "dense":
            yield from _of_dense(text)
        elif not _may_be_possessive(keyword, start, end):
            found = list(_of_word(text, bounded_left=start > 0, bounded_right=end < len(keyword)))
        if found and after_word:
            found[0] = replace(found[0], follows=True)
        yield from found
        after_word = bool(found)


def _of_dense(text: str) -> Iterator[RequiredTerm]:
    """Yield the bigrams of a run in a script without spaces; each is a whole term."""
    folded = [fold(char) for char in text]
    if len(folded) == 1:
        yield RequiredTerm(folded[0], first=True, last=True)
    for number, (one, other) in enumerate(pairwise(folded)):
        yield RequiredTerm(one + other, first=True, last=True, follows=number > 0)


def _of_word(text: str, *, bounded_left: bool, bounded_right: bool) -> Iterator[RequiredTerm]:
    """Yield the stretches of a word whose normalisation does not depend on the characters around them."""
    if marks := _leading_marks().match(text):  # a mark at the beginning belongs to no word
        text, bounded_left = text[marks.end() :], False
    folded = "".join(map(fold, text[: 2 * _LONGEST]))
    bounded_right = bounded_right and len(text) <= 2 * _LONGEST and len(folded) <= _LONGEST
    stable = "".join(char if _is_stable(char) else "\0" for char in folded[:_LONGEST])
    parts = stable.split("\0")
    for number, part in enumerate(parts):
        if part:
            yield RequiredTerm(part, bounded_left and number == 0, bounded_right and number == len(parts) - 1)


def _may_be_possessive(keyword: str, start: int, end: int) -> bool:
    """Return whether this may be a possessive “s”, which is not in the index."""
    return _possessive().match(keyword, start, end) is not None and (start == 0 or keyword[start - 1] in _APOSTROPHES)


def _is_stable(char: str) -> bool:
    if unicodedata.combining(char):
        return False
    return ord(char) < _SIMPLE or char not in _composing()


@lru_cache(maxsize=1)
def _runs() -> re.Pattern[str]:
    """Return the pattern of words and dense runs; compiled late, as only exact searches need it."""
    return re.compile(rf"(?P<dense>[{DENSE}]+)|(?P<word>(?:{WORD}|{marked()})+)")


@lru_cache(maxsize=1)
def _possessive() -> re.Pattern[str]:
    return re.compile(rf"s(?!{WORD})")


@lru_cache(maxsize=1)
def _leading_marks() -> re.Pattern[str]:
    return re.compile(rf"{marked()}+")


@lru_cache(maxsize=1)
def _composing() -> frozenset[str]:
    """Return the characters that normalisation may compose with a neighbour."""
    found = set(map(chr, range(0x1100, 0x1200)))  # Hangul letters
    for point in range(_SIMPLE, 0x20000):
        parts = unicodedata.decomposition(chr(point)).split()
        if len(parts) == 2 and not parts[0].startswith("<") and int(parts[1], 16) not in UNACCENT:
            found.update((chr(point), *(chr(int(part, 16)) for part in parts)))
    return frozenset(found)
