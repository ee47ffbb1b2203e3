"""Finds the matches of a query in a text, like the keyword index: by stems, phrases, wildcards and fuzzy words.

Each highlight has the number of its part of the query, so that a snippet can show as many parts as possible.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, filterfalse
from typing import NamedTuple

from desktop_rag.index.keywords.analysis import MAX_TERM, STOP_WORDS, Term, fold, terms, unwrapped
from desktop_rag.index.keywords.identifiers import hump_places, identifier_parts
from desktop_rag.index.keywords.inflection import STEMMERS, stem_in
from desktop_rag.index.keywords.proximity import side_by_side, windows
from desktop_rag.retrieval.query.term_expansion import COMPOUNDING, code_pattern, is_part, pattern_of
from desktop_rag.retrieval.query.tokenizer import is_number
from desktop_rag.retrieval.query.tree import Fuzzy, Phrase, Spelled, TextLeaf, Wildcard, Word, wildcard_expression
from desktop_rag.text import normalize

# Signs between words, such as quotation marks and dashes, for signs of ASCII that separate words as they do.
_PLAIN_SIGNS = str.maketrans({"’": "'", **dict.fromkeys("\u00a0\u2009‘“”„‚«»‐‑–—−…•·×÷±→≤≥§©®°€£", " ")})
_BETWEEN = re.compile(r"(?:'s(?![a-z0-9]))?[^a-z0-9]+")  # two words of ASCII text in lower case
_AROUND = " \"'()[]{},.;:!?"  # a word
_SPACES = "\t\n\v\f\r\x1c\x1d\x1e\x1f"  # of ASCII
_CONSONANTS = frozenset("bcdfghjklmnpqrstvwxz")
_DIVIDER = r"[-./:'’ \u00a0\u202f\u2060]?"  # between two characters of a number or code
_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_LEAST_CODE, _MOST_CODE, _LEAST_DIGITS = 4, 40, 4
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


class Beginning(NamedTuple):
    """The first letters of terms, in lower case; a `whole` one is all letters of them."""

    text: str
    whole: bool = False


def candidate_pieces(text: str, beginnings: Sequence[Beginning] | None) -> set[str]:
    """Return the pieces of a text that may contain a term with one of the (ASCII) beginnings; all for None.

    A term begins at the start of a word. Pieces with an identifier like camelCase are always returned, as are those
    that are not ASCII, because folding may change their first letters.
    """
    if beginnings is None:
        return pieces(text)
    joined, lowered, others = _prepared(text)
    found = set(others)
    for beginning, whole in beginnings:
        at = lowered.find(beginning)
        while at >= 0:
            end = at + 1
            after = at + len(beginning)
            if not (lowered[at - 1 : at].isalpha() or (whole and lowered[after : after + 1].isalpha())):
                piece, end = _piece_at(joined, at)
                found.add(piece)
            at = lowered.find(beginning, end)
    return found


@lru_cache(maxsize=256)  # as the user types, the same texts are found for each letter
def _prepared(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Return the ASCII of a text with spaces only, the same in lower case, and the pieces that are always candidates.

    These are not ASCII or may have identifiers.
    """
    others: set[str] = set()
    if text.isascii():
        joined = text
        for space in _SPACES:  # in a tenth of the time of `translate`
            joined = joined.replace(space, " ")
    else:
        every = text.split()
        others.update(filterfalse(str.isascii, every))
        joined = " ".join(filter(str.isascii, every))
    others.update(_piece_at(joined, at)[0] for at in hump_places(joined.encode()))
    return joined, joined.lower(), tuple(others)


def _piece_at(joined: str, at: int) -> tuple[str, int]:
    """Return the piece around a place in a text with spaces only, and where it ends."""
    end = joined.find(" ", at)
    end = end if end >= 0 else len(joined)
    return joined[joined.rfind(" ", 0, at) + 1 : end], end


def occurrences(piece: str, text: str) -> Iterator[int]:
    """Yield the offsets of a piece in a text, except inside a longer piece."""
    at = text.find(piece)
    while at >= 0:
        end = at + len(piece)
        if (at == 0 or text[at - 1].isspace()) and (end == len(text) or text[end].isspace()):
            yield at
        at = text.find(piece, end)


def _analyse(piece: str) -> tuple[TermSpan, ...]:
    plain = piece if piece.isascii() else piece.translate(_PLAIN_SIGNS)
    text = plain if plain.isascii() else piece
    word = text.strip(_AROUND)
    if word.isalpha() and word.isascii() and len(word) <= MAX_TERM and (word[1:].islower() or len(word) == 1):
        start = text.index(word)  # nearly always; the rest finds the same in ten times the time
        return (TermSpan(word.lower(), start, start + len(word)),)
    return tuple(TermSpan(term.text, term.start, term.end) for term in chain(terms(text), identifier_parts(text)))


_cached_analysis = lru_cache(maxsize=1 << 15)(_analyse)


_STOP_WEIGHT = 0.05
_PHRASE_WEIGHT = 3.0
_PART_WEIGHT = 0.5  # of a part of a compound
LEAF = 1000  # parts are numbered from here on for each leaf of the query


class Highlight(NamedTuple):
    """A character range of a text that matches part number `part` of the query, which has a `weight`."""

    start: int
    end: int
    part: int
    weight: float

    @property
    def is_content(self) -> bool:
        """Return whether it is more than a stop word."""
        return self.weight > _STOP_WEIGHT

    @property
    def leaf(self) -> int:
        """Return the number of the leaf of the query that it matches, from 0."""
        return self.part // LEAF


class Highlighter:
    """Matches the positive leaves of a query in many texts; caches the matches of each distinct piece of text."""

    def __init__(self, leaves: Iterable[TextLeaf]) -> None:
        self._words: dict[str, tuple[int, float]] = {}
        self._patterns: list[tuple[int, re.Pattern[str]]] = []
        self._literals: list[str] = []  # literal prefixes of the patterns
        self._fuzzy: list[tuple[int, str, int]] = []
        self._phrases: list[tuple[int, tuple[str, ...], int]] = []
        self._spelled: list[tuple[int, re.Pattern[str]]] = []
        self._stems: dict[str, dict[str, tuple[int, float]]] = {}
        self._in_pieces: dict[str, dict[str, tuple[Highlight, ...]]] = {}
        self._beginnings: dict[str, Sequence[Beginning] | None] = {}
        self._known: dict[tuple[str, str], tuple[int, float] | None] = {}
        for part, leaf in enumerate(leaves):
            self._add(part * LEAF, leaf)
        others = self._patterns or self._fuzzy or self._phrases or self._spelled
        if others or any(weight == 1.0 for _, weight in self._words.values()):
            self._words = {word: known for word, known in self._words.items() if known[1] == 1.0}

    def _add(self, part: int, leaf: TextLeaf) -> None:
        match leaf:
            case Phrase(text, slop) if len(found := folded_words(text)) > 1:
                self._phrases.append((part, found, slop))
            case Word(text) if is_number(text) and len(found := folded_words(text)) > 1:
                self._phrases.append((part, found, 0))
                self._spelled += [(part, pattern)] if (pattern := joined_code(text)) else []
            case Word(text) | Phrase(text):
                if pattern := joined_code(text):
                    self._spelled.append((part, pattern))
                for offset, term in enumerate(folded_words(text)):
                    weight = _STOP_WEIGHT if term in STOP_WORDS else 1.0
                    self._words.setdefault(term, (part + offset, weight))
            case Wildcard(pattern) if leaf.joined:
                self._spelled.append((part, code_pattern(pattern)))
            case Wildcard(pattern):
                self._patterns.append((part, wildcard_pattern(fold(pattern))))
                self._literals.append(re.split(r"[*?]", fold(pattern))[0])
            case Fuzzy(text, distance):
                self._fuzzy.append((part, fold(text), distance))
            case Spelled(text):
                self._spelled.append((part, pattern_of(text)))

    def marks(self, text: str, language: str = "") -> list[Highlight]:
        """Return the matches in a text of a known or unknown language, in order, without overlaps."""
        known = self._in_pieces.setdefault(language, {})
        marks: list[Highlight] = []
        text = unwrapped(text)
        for piece in candidate_pieces(text, self._beginnings_in(language)):
            found = known.get(piece)
            if found is None:
                found = known[piece] = self._in_piece(piece, language)
            if found:
                places = list(occurrences(piece, text))
                marks += (Highlight(at + mark.start, at + mark.end, *mark[2:]) for mark in found for at in places)
        for part, pattern in self._spelled:
            marks += (Highlight(*match.span(), part, _PHRASE_WEIGHT) for match in pattern.finditer(text))
        for part, words, slop in self._phrases:
            runs = near_each_other(terms(text), words, slop) if slop else _runs(text, words)
            marks += (Highlight(start, end, part, _PHRASE_WEIGHT) for run in runs for start, end in run)
        return without_overlaps(marks)

    def _in_piece(self, piece: str, language: str) -> tuple[Highlight, ...]:
        stems = self._stems_in(language)
        others = self._patterns or self._fuzzy or language == COMPOUNDING
        found = []
        for term, start, end in analysed(piece):
            known = stems.get(stem_in(term, language))
            if known is None and others:
                known = self._without_stem(term, language)
            if known is not None:
                found.append(Highlight(start, end, *known))
        return tuple(found)

    def _beginnings_in(self, language: str) -> Sequence[Beginning] | None:
        """Return the beginnings of all terms that can match, None if a match can begin with any letter."""
        if language not in self._beginnings:
            found = [*map(_common_beginning, self._stems_in(language)), *map(Beginning, self._literals)]
            any_letter = self._fuzzy or language in STEMMERS or not all(each.text for each in found)
            self._beginnings[language] = None if any_letter else tuple(dict.fromkeys(found))
        return self._beginnings[language]

    def _without_stem(self, term: str, language: str) -> tuple[int, float] | None:
        """Return the part and weight of the pattern, fuzzy word or compound that a term matches."""
        key = (term, language)
        if key not in self._known:
            self._known[key] = self._look_up(term, language)
        return self._known[key]

    def _look_up(self, term: str, language: str) -> tuple[int, float] | None:
        for number, pattern in self._patterns:
            if pattern.fullmatch(term):
                return number, 1.0
        for number, word, distance in self._fuzzy:
            if is_near(word, term, distance):
                return number, 1.0
        if language == COMPOUNDING:
            return next(((part, _PART_WEIGHT) for word, (part, _) in self._words.items() if is_part(term, word)), None)
        return None

    def _stems_in(self, language: str) -> dict[str, tuple[int, float]]:
        if language not in self._stems:
            self._stems[language] = {}
            for word, part in self._words.items():
                self._stems[language].setdefault(stem_in(word, language), part)
        return self._stems[language]


class LiteralHighlighter:
    """Matches the positive leaves of a query in exact mode: substrings, ignoring case and accents.

    Fuzzy words, `=` and words near each other match like in the other modes.
    """

    def __init__(self, leaves: Iterable[TextLeaf]) -> None:
        self._keywords: list[tuple[int, re.Pattern[str], float]] = []
        others: list[tuple[int, TextLeaf]] = []
        for number, leaf in enumerate(leaves):
            match leaf:
                case Fuzzy() | Spelled():
                    others.append((number, leaf))
                case Phrase(_, slop) if slop:
                    others.append((number, leaf))
                case Wildcard(pattern):
                    self._keywords.append((number, pattern_inside(normalize.fold(pattern)), float(len(pattern))))
                case _ if keyword := normalize.fold(leaf.text):
                    expression = r"\s".join(map(re.escape, keyword.split(" ")))
                    self._keywords.append((number, re.compile(expression), float(len(keyword))))
        self._others = Highlighter(leaf for _, leaf in others)
        self._numbers = [number for number, _ in others]

    def marks(self, text: str, language: str = "") -> list[Highlight]:
        """Return the matches in `text` in order, without overlaps; the weight is the length of the keyword."""
        folded = normalize.FoldedText(text)
        found = [
            Highlight(*span, number * LEAF, weight)
            for number, keyword, weight in self._keywords
            for span in folded.original_ranges(match.span() for match in keyword.finditer(folded.text))
        ]
        others = self._others.marks(text, language) if self._numbers else ()
        renumbered = (mark._replace(part=self._numbers[mark.leaf] * LEAF + mark.part % LEAF) for mark in others)
        return without_overlaps((*found, *renumbered))


def joined_code(text: str) -> re.Pattern[str] | None:
    """Return the pattern of a number, code or compound however its parts are divided; None for other words."""
    if _COMPOUND.fullmatch(text):
        return re.compile(rf"(?<!\w){text.replace('-', '-?')}(?!\w)", re.IGNORECASE)
    parts = re.sub(r"[-./:'’ \u00a0]", "", text)
    if not (_LEAST_CODE <= len(parts) <= _MOST_CODE and parts.isascii() and parts.isalnum()):
        return None
    if sum(map(str.isdigit, parts)) < _LEAST_DIGITS:
        return None
    return re.compile(rf"(?:(?<!\w)|(?<=\bv)){_DIVIDER.join(parts)}(?!\w)", re.IGNORECASE)


def _common_beginning(stem: str) -> Beginning:
    """Return that of all English words with this stem: “die” is also that of “dying”, “happi” that of “happy”."""
    if len(stem) == 3 and stem.endswith("ie"):
        return Beginning(stem[:1])
    if len(stem) > 2 and stem.endswith(("e", "i", "l", "y")):
        return Beginning(stem[:-1])
    return Beginning(stem, whole=stem in _CONSONANTS)  # “o” is also the stem of “OED”


def wildcard_pattern(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a word with `*` and `?`."""
    return re.compile(wildcard_expression(pattern), re.DOTALL)


@lru_cache(maxsize=64)
def pattern_inside(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern with `*` and `?` that also begins or ends within a word."""
    return re.compile(wildcard_expression(pattern, r"\w"))


def is_near(word: str, term: str, distance: int) -> bool:
    """Return whether a term is within `distance` edits of a word; two letters swapped are one (OSA)."""
    from rapidfuzz.distance import OSA

    return abs(len(word) - len(term)) <= distance and OSA.distance(word, term, score_cutoff=distance) <= distance


def without_overlaps(marks: Iterable[Highlight]) -> list[Highlight]:
    """Return the marks in text order; of two that overlap the longer one, of two of equal length their union.

    In scripts without spaces a word matches by its letter pairs, which overlap: 図書館 by 図書 and 書館.
    """
    kept: list[Highlight] = []
    for mark in sorted(marks, key=lambda m: (m.start, -m.end)):
        if mark.end <= mark.start:
            continue
        if kept and mark.start < kept[-1].end:
            last = kept[-1]
            if mark.end - mark.start > last.end - last.start:
                kept[-1] = mark
            elif mark.end > last.end:
                kept[-1] = last._replace(end=mark.end)
        else:
            kept.append(mark)
    return kept


def marks_value(marks: Sequence[Highlight], start: int, end: int) -> float:
    """Return the sum of the weights of the query parts marked between `start` and `end`; repeats count 5 %."""
    parts: dict[int, float] = {}
    total = 0.0
    for mark in marks[bisect_left(marks, (start,)) :]:
        if mark.start >= end:
            break
        if mark.end > end:
            continue
        total += mark.weight * (0.05 if mark.part in parts else 1.0)
        parts[mark.part] = mark.weight
    return total


def folded_words(text: str) -> tuple[str, ...]:
    """Return the folded words of a part of a query."""
    return tuple(term.text for term in terms(text, query=True))


Runs = Sequence[Sequence[tuple[int, int]]]
"""Matches of several words, each as the character ranges to mark."""


def _runs(text: str, words: tuple[str, ...]) -> Runs:
    """Return the adjacent `words`, each run as one range."""
    plain = text if text.isascii() else text.translate(_PLAIN_SIGNS)
    if plain.isascii() and not any(word == "s" or len(word) == MAX_TERM for word in words):  # in “it’s”, s is no term
        return [[run] for run in _ascii_runs(plain.lower(), words)]
    positions = _positions(terms(text), words)
    runs = side_by_side(positions)
    return [[(positions[0][first].start, positions[-1][last].end)] for first, last in runs]


def _ascii_runs(lowered: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    begin = lowered.find(words[0])
    while begin >= 0:
        end = begin + len(words[0]) if not lowered[begin - 1 : begin].isalnum() else -1
        for word in words[1:] if end >= 0 else ():
            between = _BETWEEN.match(lowered, end)
            end = between.end() + len(word) if between and lowered.startswith(word, between.end()) else -1
            if end < 0:
                break
        if end >= 0 and not lowered[end : end + 1].isalnum():
            yield begin, end
        begin = lowered.find(words[0], begin + 1)


def near_each_other(found: Iterable[Term], words: Sequence[str], slop: int) -> Runs:
    """Return the words that occur in any order with at most `slop` others between, each word as a range."""
    needed = Counter(words)
    positions = _positions(found, tuple(needed))
    places = {position: term for of_word in positions for position, term in of_word.items()}
    return [
        [(term.start, term.end) for position, term in sorted(places.items()) if first <= position <= last]
        for first, last in windows(positions, tuple(needed.values()), slop)
    ]


def _positions(found: Iterable[Term], words: Sequence[str]) -> list[dict[int, Term]]:
    """Return the position of each occurrence of each word."""
    positions: list[dict[int, Term]] = [{} for _ in words]
    for term in found:
        for of_word, word in zip(positions, words, strict=True):
            if term.text == word:
                of_word[term.position] = term
    return positions
