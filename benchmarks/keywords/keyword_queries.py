"""Keyword queries of every kind, drawn from passages with the word frequencies of the texts."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from benchmarks.corpus import SEED
from desktop_rag.index.keywords.analysis import STOP_WORDS

_WORD = re.compile(r"\w+")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SHORTEST = 3  # minimum length of a queried word
_PREFIX = 4
_FUZZY = 6  # minimum length of a word that gets a spelling mistake


class Kind(StrEnum):
    """The kinds of queries."""

    TERM = "term"
    AND = "AND"
    NOT = "NOT"
    PHRASE = "phrase"
    OR5 = "OR of 5"
    PREFIX = "prefix"
    FUZZY = "fuzzy"


@dataclass(frozen=True, slots=True)
class SampleQuery:
    """One query: a word, several words, a prefix, or a misspelled word."""

    kind: Kind
    words: tuple[str, ...]


def plain_words(text: str) -> list[str]:
    """Return the words of a text in lower case: the plain analysis all engines are compared with."""
    return _WORD.findall(text.lower())


def drawn(passages: Sequence[str], count: int) -> list[SampleQuery]:
    """Return `count` queries of each kind; the same passages always give the same queries."""
    chance = random.Random(SEED)
    queries = []
    for kind in Kind:
        found: list[SampleQuery] = []
        while len(found) < count:
            words = _words(kind, plain_words(chance.choice(passages)), chance)
            if words:
                found.append(SampleQuery(kind, words))
        queries += found
    return queries


def _words(kind: Kind, passage: list[str], chance: random.Random) -> tuple[str, ...]:
    """Return the words of a query drawn from a passage; empty if none fit."""
    telling = [word for word in passage if _tells(word)]
    if len(set(telling)) < 5:
        return ()
    match kind:
        case Kind.TERM:
            return (chance.choice(telling),)
        case Kind.AND | Kind.NOT:
            return _different(telling, 2, chance)
        case Kind.OR5:
            return _different(telling, 5, chance)
        case Kind.PREFIX:
            return (chance.choice(telling)[:_PREFIX],)
        case Kind.FUZZY:
            long = [word for word in telling if len(word) >= _FUZZY]
            return (_misspelled(chance.choice(long), chance),) if long else ()
        case Kind.PHRASE:
            at = chance.randrange(len(passage) - 2)
            phrase = tuple(passage[at : at + chance.choice((2, 2, 3))])
            return phrase if any(_tells(word) for word in phrase) else ()


def _different(words: list[str], count: int, chance: random.Random) -> tuple[str, ...]:
    found: dict[str, None] = {}
    while len(found) < count:
        found[chance.choice(words)] = None
    return tuple(found)


def _tells(word: str) -> bool:
    return len(word) >= _SHORTEST and word.isascii() and word.isalpha() and word not in STOP_WORDS


def _misspelled(word: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(word))
    return word[:at] + chance.choice(_LETTERS) + word[at + chance.choice((0, 1)) :]
