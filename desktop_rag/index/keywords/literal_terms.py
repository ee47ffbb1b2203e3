"""What a text that contains a keyword must have among its terms; so texts need not be read to rule them out.

A keyword is looked for literally, in lower case, also inside words. Its characters are folded as those of the text
were, so what they become stands in the terms too: whole terms inside the keyword, the ends of terms at its edges.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from desktop_rag.index.keywords.analysis import DENSE, MARKED, UNACCENT, WORD, fold

_RUNS = re.compile(rf"(?P<dense>[{DENSE}]+)|(?P<word>(?:{WORD}|{MARKED})+)")
_LEADING_MARKS = re.compile(rf"{MARKED}+")
_POSSESSIVE = re.compile(rf"s(?!{WORD})")
_APOSTROPHES = "'’"
_LONGEST = 64  # characters of a piece; well below the length at which terms are cut off
_SIMPLE = 0x590  # below, letters only combine with accents, which folding takes away


@dataclass(frozen=True, slots=True)
class RequiredTerm:
    """Folded characters that stand in one term; `first` where the term begins, `last` where it ends.

    The term of a piece that `follows` stands at the position behind that of the piece before.
    """

    text: str
    first: bool = False
    last: bool = False
    follows: bool = False


def pieces(keyword: str) -> tuple[RequiredTerm, ...]:
    """Return what every text that contains `keyword` (in lower case) has in its terms; nothing if that is unknown.

    Each occurrence of the keyword needs one of each piece of its own.
    """
    return tuple(_pieces(keyword))


def _pieces(keyword: str) -> Iterator[RequiredTerm]:
    after_word = False
    for run in _RUNS.finditer(keyword):
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
    """Yield the pairs of characters of a script without spaces, each a term of its own."""
    folded = [fold(char) for char in text]
    if len(folded) == 1:
        yield RequiredTerm(folded[0], first=True, last=True)
    for number, (one, other) in enumerate(pairwise(folded)):
        yield RequiredTerm(one + other, first=True, last=True, follows=number > 0)


def _of_word(text: str, *, bounded_left: bool, bounded_right: bool) -> Iterator[RequiredTerm]:
    """Yield what is left of a word, or of a part of one, where normalising it with its neighbours changes nothing."""
    if marks := _LEADING_MARKS.match(text):  # at the beginning of a word a mark is no part of it
        text, bounded_left = text[marks.end() :], False
    folded = "".join(map(fold, text[: 2 * _LONGEST]))
    bounded_right = bounded_right and len(text) <= 2 * _LONGEST and len(folded) <= _LONGEST
    stable = "".join(char if _is_stable(char) else "\0" for char in folded[:_LONGEST])
    parts = stable.split("\0")
    for number, part in enumerate(parts):
        if part:
            yield RequiredTerm(part, bounded_left and number == 0, bounded_right and number == len(parts) - 1)


def _may_be_possessive(keyword: str, start: int, end: int) -> bool:
    """Return whether this may be the “s” of “mother's”, which is no term."""
    return _POSSESSIVE.match(keyword, start, end) is not None and (start == 0 or keyword[start - 1] in _APOSTROPHES)


def _is_stable(char: str) -> bool:
    if unicodedata.combining(char):
        return False
    return ord(char) < _SIMPLE or char not in _composing()


@lru_cache(maxsize=1)
def _composing() -> frozenset[str]:
    """Return the characters that a neighbour may turn into others when a text is normalised."""
    found = set(map(chr, range(0x1100, 0x1200)))  # Hangul letters
    for point in range(_SIMPLE, 0x20000):
        parts = unicodedata.decomposition(chr(point)).split()
        if len(parts) == 2 and not parts[0].startswith("<") and int(parts[1], 16) not in UNACCENT:
            found.update((chr(point), *(chr(int(part, 16)) for part in parts)))
    return frozenset(found)
