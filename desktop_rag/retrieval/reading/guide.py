"""Finds what a document mentions, in its lines as they were read; no model, and no words of one language.

A name is several capitalised words within a sentence, or what stands behind a label. A term is quoted where it is
defined: alone in brackets, or first in a sentence.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from desktop_rag.retrieval.api import DocumentGuide, GuideEntry, GuideKind
from desktop_rag.stop import Stop
from desktop_rag.text.dates import mentions
from desktop_rag.text.display import one_line
from desktop_rag.text.figures import Figure, read_figures

MOST_LINES = 8_000
MOST_ENTRIES = 300  # of a kind
_LONGEST_LINE = 4_000  # characters
_CURRENCY = 3  # letters of its code
_WORD = r"[^\W\d_a-zß-öø-ÿ][^\W\d_'’-]*(?:[-'’][^\W\d_]+)*"  # begins with no small letter
_CAPITALISED = rf"(?:{_WORD}|[A-Z]\.)"
_NAMES = re.compile(rf"{_CAPITALISED}(?: {_CAPITALISED}){{1,3}}")
# A full stop after two or three letters ends an abbreviation: Dr., Mrs.
_BEGINS = re.compile(r"(?:^|[!?:;•–—|]|(?<!\b[A-Z][a-z])(?<!\b[A-Z][a-z]{2})\.)[\s\"'“„«(*_#>-]*$")
_SIGN = re.compile(  # of a currency, or its code, before its amount
    r"(?:[A-Z]{0,3}[^\w\s.,;:()\[\]*|-]{1,2}|(?<![^\W_])[A-Z][A-Za-z]{1,2}\.?)\s?$"
)
_LABEL = re.compile(r"^[\s*_>|-]*(?P<label>[^\W\d_][^:|]{1,40}):[\s*_]+(?P<value>[^|]{3,80}?)[\s|.,;]*$")
_QUOTED = r"[“\"„«]\s?(?P<{0}>[^\W\d_][^“”\"„«»\n]{{1,60}}?)\s?[”\"“»]"
_TERMS = re.compile(
    rf"[(（][^()（）\n]{{0,30}}{_QUOTED.format('bracketed')}[)）]|(?:^|[.;]\s)[\s\d.()*_-]*{_QUOTED.format('first')}(?=\s+[^\W_])"
)
_MOST_WORDS = 6


def guide_of(lines: Iterable[str], headings: frozenset[int], stop: Stop) -> DocumentGuide:
    """Return what the lines mention; `headings` are the numbers (from 1) of those that are titles."""
    found: dict[tuple[GuideKind, str], GuideEntry] = {}
    waiting: dict[str, GuideEntry] = {}  # names seen at the beginning of a sentence only
    counts: dict[GuideKind, int] = {}
    number = 0
    for number, text in enumerate(islice(lines, MOST_LINES + 1), 1):
        stop.check()
        line = one_line(text[:_LONGEST_LINE])
        if number > MOST_LINES or not line.strip():
            continue
        every = [(*each, True) for each in _certain(line)]
        every += [("name", *each) for each in _names(line)] if number not in headings else []
        seen: set[tuple[GuideKind, str]] = set()
        for kind, words, certain in every:
            key: tuple[GuideKind, str] = (kind, words.casefold())
            if key in seen:
                continue
            seen.add(key)
            known = found.get(key) or waiting.pop(key[1], None)
            if known is None and not certain:
                waiting[key[1]] = GuideEntry("name", words, number)
            elif known is None and counts.get(kind, 0) >= MOST_ENTRIES:
                continue
            else:
                counts[kind] = counts.get(kind, 0) + (key not in found)
                first = known or GuideEntry(kind, words, number, 0)
                found[key] = GuideEntry(kind, first.text, first.line, first.lines + 1)
    order = ("term", "name", "date", "amount")
    entries = sorted(found.values(), key=lambda each: (order.index(each.kind), each.line))
    return DocumentGuide(tuple(entries), whole=number <= MOST_LINES)


def _certain(line: str) -> Iterator[tuple[GuideKind, str]]:
    """Yield dates with a day, a month and a year, amounts of money, and terms where they are defined."""
    for mention in mentions(line):
        if mention.days and mention.days[0].year and mention.days[0].day:
            yield "date", line[mention.start : mention.end].strip()
    if any(character.isdigit() for character in line):
        read = read_figures(line)
        for figure in read.figures:
            if currency := _currency(figure):
                yield "amount", _amount(read.plain, figure, currency)
    for found in _TERMS.finditer(line):
        words = (found["bracketed"] or found["first"]).strip()
        if len(words.split()) <= _MOST_WORDS and (found["bracketed"] or words[0].isupper()):
            yield "term", words


def _currency(figure: Figure) -> str:
    codes = (unit.kind for unit in figure.units if unit.kind.isupper() and len(unit.kind) == _CURRENCY)
    return next(codes, "") if figure.values else ""


def _amount(plain: str, figure: Figure, currency: str) -> str:
    """Return an amount with its currency, which may stand before it, or at another amount of the line."""
    words = plain[figure.start : figure.end].strip()
    sign = _SIGN.search(plain[max(0, figure.start - 8) : figure.start])
    for written in (words, f"{sign[0]}{words}" if sign else words):
        if any(map(_currency, read_figures(written).figures)):
            return written
    return f"{words} {currency}"


def _names(line: str) -> Iterator[tuple[str, bool]]:
    """Yield names, and whether they are certain: a first word of a sentence has its capital anyway."""
    if (label := _LABEL.match(line)) and _NAMES.fullmatch(label["value"].strip()):
        yield label["value"].strip(), True
        return
    for found in _NAMES.finditer(line):
        words = found[0]
        if words.isupper():
            continue
        begins = bool(_BEGINS.search(line[: found.start()]))
        rest = words.partition(" ")[2]
        if begins and " " in rest and rest[0].isupper():
            yield rest, True
        else:
            yield words, not begins
