"""Analysis: splits a text into terms (folded words; bigrams in scripts without spaces) and stems English ones.

Indexing, queries and highlights share it, so that they agree on what a word is. A term keeps its offsets in the text.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from desktop_rag.text.raised import RAISED, may_have_exponent

if TYPE_CHECKING:
    from Stemmer import Stemmer

_STEMMED = range(3, 41)  # characters
_KNOWN_STEMS = 1 << 17
MAX_TERM = 128  # characters; longer runs are no words and would only bloat the vocabulary

# The most frequent English words (the list of Lucene's EnglishAnalyzer); indexed for phrases, but useless for ranking.
_FREQUENT = """a an and are as at be but by for if in into is it no not of on or such that the their then there
these they this to was will with"""
STOP_WORDS = frozenset(_FREQUENT.split())

# Scripts written without spaces between words: Thai, Lao, Myanmar, Khmer, kana, Han, Hangul.
DENSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3031-\u3035\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_JOINERS = "\u00ad\u200b\u200c\u200d\u2060"  # invisible inside a word: soft hyphen, zero-width (non-)joiner …
_MARK_BLOCKS = ((0x300, 0x1E00), (0x20D0, 0x2100), (0xA66F, 0xAC00), (0xFE20, 0xFE30))
# Accents, Hebrew points and Arabic vowels are optional in writing; the vowel signs of Indic scripts are letters.
_OPTIONAL_MARKS = (
    (0x300, 0x370),
    (0x483, 0x488),
    (0x591, 0x5C8),
    (0x610, 0x61B),
    (0x64B, 0x660),
    (0x670, 0x671),
    (0x1AB0, 0x1B00),
    (0x1DC0, 0x1E00),
    (0x20D0, 0x2100),
    (0xFE20, 0xFE30),
)
_LETTERS = {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i"}
_LETTERS |= {"ی": "ي", "ى": "ي", "ک": "ك", "ة": "ه", "ہ": "ه", "ٱ": "ا"}  # one Arabic letter of several keyboards
_LETTERS |= {chr(zero + digit): str(digit) for zero in (0x660, 0x6F0, 0x966) for digit in range(10)}


WORD = rf"[^\W_{DENSE}]"
_LINE_END = rf"\n[ \t\u3000]*(?=[{DENSE}])"  # begins with a sign, for which `re` looks faster
_NOTE_MARK = re.compile(rf"(?:(?<=[0-9])|(?<=[^\W\d_]{{4}}))[{RAISED}]+")
_HYPHEN_END = re.compile(r"([-\u2010\u00ad])\n(?<=[^\W\d_].\n)(?=[^\W\d_])", re.DOTALL)
_HYPHENS = ("-\n", "\u2010\n", "\u00ad\n")  # at the ends of lines
_ASCII_TERMS = re.compile(r"(?P<word>[^\W_]+)(?:'s(?![^\W_]))?", re.ASCII)  # what `_any_terms` matches in ASCII

UNACCENT: dict[int, str | None] = {point: None for first, end in _OPTIONAL_MARKS for point in range(first, end)}
UNACCENT |= dict.fromkeys(map(ord, _JOINERS))
_SPELL_OUT = str.maketrans(_LETTERS)


JOINER = "\u2060"  # a word joiner, which is invisible


class Term(NamedTuple):
    """A term, its position (the number of its word in the text, from 0) and the offsets of its characters."""

    text: str
    position: int
    start: int
    end: int


def fold(word: str) -> str:
    """Return `word` without case, accents and typographic variants, at most `MAX_TERM` characters."""
    return (word.lower() if word.isascii() else _fold_any(word))[:MAX_TERM]


def fold_text(text: str) -> str:
    """Return a text of any length without case, accents and typographic variants."""
    return text.lower() if text.isascii() else _folded(text)


@lru_cache(maxsize=1 << 15)
def _fold_any(word: str) -> str:
    return _folded(word)


def _folded(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text).translate(UNACCENT).casefold().translate(_SPELL_OUT)
    return unicodedata.normalize("NFC", letters)


@lru_cache(maxsize=1 << 15)
def stem(term: str) -> str:
    """Return the English stem (Porter2) of a folded term; other terms are returned unchanged."""
    if len(term) not in _STEMMED or not (term.isascii() and term.isalpha()):
        return term
    return _stemmer().stemWord(term)


class _Stems(dict[bytes, bytes]):
    """The stem of each word of ASCII letters; kept, because each commit stems its whole vocabulary."""

    def __missing__(self, term: bytes) -> bytes:
        if not (term.isalpha() and len(term) in _STEMMED):
            return term
        if len(self) >= _KNOWN_STEMS:
            self.clear()
        found = self[term] = _stemmer().stemWord(term.decode()).encode()
        return found


_stems = _Stems()


def stems_of(terms: Sequence[bytes]) -> list[bytes]:
    """Return the stem of each UTF-8 term."""
    return list(map(_stems.__getitem__, terms))


@lru_cache(maxsize=1)
def _stemmer() -> "Stemmer":
    from Stemmer import Stemmer

    return Stemmer("english", 0)


def word_ranges(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the words in a run: raised figures behind a figure or a long word are apart."""
    if not text[start:end].isascii():
        for mark in _NOTE_MARK.finditer(text, start, end):
            yield start, mark.start()
            start = mark.start()
    yield start, end


def unwrapped(text: str) -> str:
    """Return a text of the same length whose line ends inside words are word joiners, which are invisible.

    Inside words they are in scripts without spaces, and behind a hyphen.
    """
    if any(hyphen in text for hyphen in _HYPHENS):
        text = _HYPHEN_END.sub("\\1\u2060", text)
    if "\n" not in text or text.isascii():
        return text
    ends = [match.span() for match in _line_end().finditer(text)]
    for start, end in ends:
        before = text[max(0, start - 20) : start].rstrip(" \t\u3000")
        if before and dense().match(before[-1]):
            start -= min(start, 20) - len(before)
            text = f"{text[:start]}{JOINER * (end - start)}{text[end:]}"
    return text


@lru_cache(maxsize=1)
def _line_end() -> re.Pattern[str]:
    return re.compile(_LINE_END)


@lru_cache(maxsize=1)
def dense() -> re.Pattern[str]:
    """Return the pattern of a letter of scripts without spaces; most programs that start need none."""
    return re.compile(f"[{DENSE}]")


@lru_cache(maxsize=1)
def marked() -> str:
    """Return the expression of a mark or joiner inside a word."""
    points = (point for first, end in _MARK_BLOCKS for point in range(first, end))
    marks = (char for char in map(chr, points) if unicodedata.category(char).startswith("M"))
    return f"[{''.join(char for char in marks if not dense().match(char))}{_JOINERS}]"


def terms(text: str, *, query: bool = False) -> Iterator[Term]:
    """Yield the folded terms of `text` in order.

    In scripts without spaces, indexing yields every character and every bigram; a `query` yields the bigrams only
    (and a last single character if another word follows, so that a phrase has no gap there). The mark of a note is at
    the position of its word, and in no query, so that “320 euros” is found in 320¹ euros.
    """
    position = 0
    last: Term | None = None
    text = text if text.isascii() else unwrapped(text)
    for match in (_ASCII_TERMS if text.isascii() else _any_terms()).finditer(text):
        if last is not None:
            yield last
            last = None
        start, end = match.span(match.lastindex or 0)
        if match.lastgroup == "word":
            for begin, close in word_ranges(text, start, end):
                is_mark = begin > start and not may_have_exponent(text[max(0, begin - 6) : begin])
                if not (is_mark and query):
                    yield Term(fold(text[begin:close]), position - is_mark, begin, close)
                    position += not is_mark
            continue
        characters = [at for at in range(start, end) if text[at] != JOINER]
        for term in _pairs(text, characters, position):
            single = term.end - term.start == 1
            if query and single and len(characters) > 1:
                last = term if term.end == end else None
            else:
                yield term
        position += len(characters)


@lru_cache(maxsize=1)
def _any_terms() -> re.Pattern[str]:
    """Compile the pattern for all scripts when a text needs it: that takes 9 ms, and most queries are ASCII."""
    word = rf"(?P<word>{WORD}+(?:{marked()}+{WORD}*)*)"
    # The English possessive 's is part of the match, but not of the term.
    return re.compile(rf"(?P<dense>[{DENSE}]+(?:\u2060+[{DENSE}]+)*)|{word}(?:['’]s(?!{WORD}))?")


def _pairs(text: str, characters: Sequence[int], position: int) -> Iterator[Term]:
    """Yield the characters and bigrams of a run without spaces, each at the position of its first character."""
    folded = [fold(text[at]) for at in characters]
    for offset, (place, char) in enumerate(zip(characters, folded, strict=True)):
        if offset + 1 < len(folded):
            yield Term(char + folded[offset + 1], position + offset, place, characters[offset + 1] + 1)
        yield Term(char, position + offset, place, place + 1)
