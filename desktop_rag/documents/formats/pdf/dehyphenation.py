"""Joins words that are hyphenated at the end of a line, so that every kind of search finds them.

The whole word moves to the line where it starts; if it is all of the second line, it moves there. The
rectangles of the lines do not change. Where the hyphen may belong to the word or not, an invisible word joiner stands
in its place or behind it: the word is then found in both forms.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from desktop_rag.documents.formats.pdf.printed_words import PrintedLine
from desktop_rag.text.number_words import spelled_numbers

_STEM = re.compile(r"(?:^|(?<=[\s(\[{\"'“‘„«‹–—\u2010-]))([^\W\d_]+)([-\u2010\u00ad])$")
_REST = re.compile(r"([^\W\d_]+)\S*")
_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_JOINER = "\u2060"
_BATCH = 1000  # lines


def join_hyphenated_words(lines: Sequence[PrintedLine]) -> None:
    """Join the words hyphenated between adjacent `lines`, the running text of a document."""
    hyphenated = [
        (before, line)
        for before, line in pairwise(lines)
        if before.text[-1:] in ("-", "\u2010", "\u00ad") and line.text[:1].islower() and _may_join(before, line)
    ]
    if not hyphenated:
        return
    ends, begins = {id(before) for before, _ in hyphenated}, {id(line) for _, line in hyphenated}
    known = _known_words([_whole(line.text, ends=id(line) in ends, begins=id(line) in begins) for line in lines])
    for before, line in hyphenated:
        _join(before, line, known)


def _may_join(before: PrintedLine, line: PrintedLine) -> bool:
    return not line.gap and before.cells <= 1 and line.cells <= 1


def _whole(text: str, *, ends: bool, begins: bool) -> str:
    """Return a line without the half words at its end (`ends`) and start (`begins`)."""
    if begins:
        text = text.partition(" ")[2]
    return text.rpartition(" ")[0] if ends else text


def _known_words(texts: Sequence[str]) -> set[str]:
    """Return the lower-case words of a document; compounds with hyphens are single words."""
    known: set[str] = set()
    for first in range(0, len(texts), _BATCH):
        text = "\n".join(texts[first : first + _BATCH]).lower()
        known.update(_WORDS.findall(text.replace("\u2010", "-").replace("\u00ad", "")))
    return known


def _join(before: PrintedLine, line: PrintedLine, known: set[str]) -> None:
    stem, rest = _STEM.search(before.text), _REST.match(line.text)
    if stem is None or rest is None:
        return
    hyphen = "" if stem[2] == "\u00ad" else _hyphen(stem[1].lower(), rest[1].lower(), known)
    word = f"{stem[1]}{hyphen}{rest[0]}"
    if rest.end() < len(line.text):
        before.text = before.text[: stem.start(1)] + word
        line.text = line.text[rest.end() :].lstrip()
    elif stem.start(1) > 0:
        before.text = before.text[: stem.start(1)].rstrip()
        line.text = word


def _hyphen(stem: str, rest: str, known: set[str]) -> str:
    """Return what stands between the halves of a word, by the other words of the document."""
    if stem + rest in known:
        return ""
    if f"{stem}-{rest}" in known or (_is_number(stem) and _is_number(rest)):
        return "-"
    words = sum(half in known or _is_number(half) for half in (stem, rest) if len(half) > 2 or half is rest)
    return ("", _JOINER, f"-{_JOINER}")[words]


def _is_number(word: str) -> bool:
    return any(number.end - number.start == len(word) for number in spelled_numbers(word))
