"""Other forms of what a text has: the parts of camelCase names, codes without their signs, words divided by a line end.

Analysis itself splits snake_case and a.b.c at the punctuation. The index holds the words of a text at their positions,
and these forms after its end, with a gap before each: “http request” finds “parseHttpRequest”, “9783161484100”
978-3-16-148410-0, “international” inter-/national, and no phrase matches across the inserted ones.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from desktop_rag.index.keywords.analysis import DENSE, JOINER, Term, fold, terms

GAP = 1  # positions before the parts of each name
_LONGEST = 64  # characters of an identifier; longer runs are data
_TELLING = 3  # least letters of a part on average; words like mRNA and base64 are no identifiers
# Lower-case letters become “a”, capitals “A”, digits “0”, the signs inside codes “-”, everything else a space.
_SHAPES = bytes(
    65 if 65 <= code <= 90 else 97 if 97 <= code <= 122 else 48 if 48 <= code <= 57 else 45 if code in b"-./:'+" else 32
    for code in range(256)
)
LEAST_CODE = 6  # letters and digits; shorter ones are times, decimals, small ranges
_CODE = re.compile(
    r"[vV](?P<version>\d+(?:\.\d+)+)(?![.\d])|\+?[A-Za-z\d]{1,20}(?:[-./:'][A-Za-z\d]{1,20}){1,12}(?!\w)"
)
_SPACED = re.compile(
    r"(?:\+\d|[A-Z]{2}\d\d|0\d|97[89]|(?!(?:19|20)\d\d (?:19|20))\d{4}(?= \d{4} \d{4}\b))"
    r"[A-Z\d]{0,20}(?: ?\(0\) ?(?=\d))?(?:[ -]?[A-Z\d]{1,20})(?:[ -][A-Z\d]{1,20}){0,12}(?!\w)"
)
_BRACKETED = re.compile(r"\d{2,5}\) ?\d{2,8}(?:[ -]\d{2,8}){1,4}(?!\w)")  # behind a bracket
_SIGNS = re.compile(r"\(0\)|[^A-Za-z\d]")
_DIVISION = re.compile(f"[-\u2010][\n{JOINER}]|{JOINER}")  # between the halves of a word
_LONGEST_HALF = 30
_HALF = rf"([^\W\d_{DENSE}]{{2,{_LONGEST_HALF}}})"
_HUMP = b"aA"
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def hump_places(data: bytes) -> Iterator[int]:
    """Yield where a capital follows a lower-case letter in a UTF-8 text, in bytes."""
    shapes = data.translate(_SHAPES)
    at = shapes.find(_HUMP)
    while at >= 0:
        yield at
        at = shapes.find(_HUMP, at + 1)


def identifier_parts(text: str) -> Iterator[Term]:
    """Yield the folded parts of all identifiers in a text, codes as one word, and words that a line end divides.

    Positions run on, with a gap before each.
    """
    position = 0
    for parts in other_forms(text):
        position += GAP
        for part, start, end in parts:
            yield Term(part, position, start, end)
            position += 1


def other_forms(text: str) -> Iterator[Sequence[tuple[str, int, int]]]:
    """Yield the terms (with their offsets) that are indexed beside those of the text, in groups of adjacent ones."""
    shapes = text.encode("ascii", "replace").translate(_SHAPES)
    if _HUMP in shapes:
        for name, first in _humps(text, shapes):
            if found := parts_of(name):
                yield [(part, first + start, first + end) for part, start, end in found]
    if b"0" in shapes:
        yield from _joined_codes(text, shapes)
    if "-\n" in text or "\u2010\n" in text or JOINER in text:
        yield from _divided(text)


def _divided(text: str) -> Iterator[list[tuple[str, int, int]]]:
    """Yield the words that a line end divides, those with a joiner between them apart."""
    end = 0
    for division in _DIVISION.finditer(text):
        first = max(end, division.start() - _LONGEST_HALF)
        if (before := _halves()[0].search(text, first, division.start())) is None:
            continue
        if (after := _halves()[1].match(text, division.end())) is None:
            continue
        end = after.end()
        if division[0] == JOINER:
            yield [(fold(half[1]), *half.span()) for half in (before, after)]
        else:
            yield [(fold(before[1] + after[1]), before.start(), end)]


def _joined_codes(text: str, shapes: bytes) -> Iterator[list[tuple[str, int, int]]]:
    """Yield codes without their signs: 978-3-16-148410-0, FI21 1234 5600 0007 85, and the figures of v2.10.3."""
    known = set[int]()  # where codes begin
    for inside, pattern in _INSIDE:
        end, at = 0, shapes.find(inside)
        while at >= 0:
            start = shapes.rfind(b" ", end, at) + 1 or end
            end = at + 1
            if start not in known and _begins_code(text, shapes, start, at, pattern):
                match = pattern.match(text, start)
                if match is not None and match.end() > at:
                    end = match.end()
                    known.add(start)
                    if match.lastgroup == "version":
                        figures = re.finditer(r"\d+", match["version"])
                        yield [(each.group(), start + 1 + each.start(), start + 1 + each.end()) for each in figures]
                    elif len(joined := _SIGNS.sub("", match.group())) >= LEAST_CODE:
                        yield [(fold(joined), *match.span())]
            at = shapes.find(inside, end)


@lru_cache(maxsize=1)
def _halves() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of the halves before and behind a division; compiled late, as few texts need them."""
    return re.compile(rf"(?<!\w){_HALF}\Z"), re.compile(rf"{_HALF}(?!\w)")


_CODES, _GROUPS = (b"0-0", b"0-A", b"A-0"), (b"0 0", b"0  0")  # what has a sign inside; what is in groups
_INSIDE = (*((each, _CODE) for each in _CODES), *((each, _SPACED) for each in _GROUPS), (b"0  0", _BRACKETED))


def _begins_code(text: str, shapes: bytes, start: int, at: int, pattern: re.Pattern[str]) -> bool:
    """Return whether a code may begin at `start`, with two figures at `at`; excludes most numbers fast."""
    if pattern is _BRACKETED:
        return text[start - 1 : start] == "("
    if pattern is _SPACED:
        is_grouped = text[start] in "+0" or shapes.startswith((b"AA00", b"0000 0000 0000"), start)
        return is_grouped or text.startswith(("978", "979"), start)
    after = shapes.find(b" ", at)
    return text[start] in "vV" or (after if after >= 0 else len(text)) - start > LEAST_CODE


def names_with_humps(text: str) -> Iterator[tuple[str, int]]:
    """Yield the words in which a capital follows a lower-case letter, with their offsets."""
    return _humps(text, text.encode("ascii", "replace").translate(_SHAPES))


def _humps(text: str, shapes: bytes) -> Iterator[tuple[str, int]]:
    shapes = shapes.replace(b"-", b" ")
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
