"""Compares “A is larger than B” and “most are in A” with the amounts that the lines give for A and B.

Silent unless the lines give exactly one amount of one kind for each of both: in a clause, or in a row and year of a
table.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise, takewhile

from desktop_rag.agent.citations.check_words import FUNCTION_WORDS, word_set
from desktop_rag.agent.citations.check_words import words as words_of
from desktop_rag.agent.citations.checks.claim_clauses import CLAUSE_BREAK
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_words import ClaimWord, is_content, is_negation, split_words, stems_of
from desktop_rag.agent.citations.numbers import agrees
from desktop_rag.agent.citations.sums.computed_pairs import is_amount
from desktop_rag.agent.citations.sums.source_rows import WHOLE, scaled_amount, source_rows
from desktop_rag.agent.events import ClaimFault
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem
from desktop_rag.text.figures import Figure, read_figures

MAX_LINES = 8_000  # characters
NAMED = 0.5  # share of the words of a row's label that a claim about the row has
FEWEST = 3  # things of which one can have the most
_THAN = word_set("than als que")
_MORE, _LESS = words_of("more than"), words_of("less than")
_EXCEEDS = word_set("exceeded exceeds outnumbered outnumber")
_MOST, _LEAST = words_of("most"), words_of("least")

_LOWEST = re.compile(
    r"\b(?:cheapest|lowest|smallest|shortest|least expensive|least|fewest|minimum|günstigste\w*|billigste\w*|"
    r"niedrigste\w*|kleinste\w*|kürzeste\w*|(?:moins|le plus bas|la plus basse)(?: ch(?:er|ère))?|más barat[oa])\b",
    re.IGNORECASE,
)
_HIGHEST = re.compile(
    r"\b(?:(?:most |more )?expensive|dearest|highest|largest|biggest|longest|greatest|maximum|teuerste\w*|höchste\w*|"
    r"größte\w*|längste\w*|(?:la |le )?plus (?:ch(?:er|ère)|élevée?)|más car[oa])\b",
    re.IGNORECASE,
)
_NEXT = re.compile(  # one of several
    r"\b(?:second|third|next|almost|nearly|among|one of|zweit\w*|dritt\w*|fast|deuxième|seconde?|segund[oa])\b", re.I
)
_SAYS_NOTHING = frozenset(
    stem(word)
    for word in STOP_WORDS
    | FUNCTION_WORDS
    | {"cost", "costs", "price", "prices", "amount", "kostet", "kosten", "preis", "coûte", "prix", "cuesta", "offer"}
)


@dataclass(frozen=True, slots=True)
class _Stated:
    """A clause with one amount."""

    stems: frozenset[str]
    figure: Figure


def compared_otherwise(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the comparative or superlative of a claim that the amounts of its lines contradict.

    `prose` has a sentence on each line, `table` the cited lines with the headings above them.
    """
    prose, table = evidence.prose, evidence.table
    words = statement.words
    if statement.denies or max(len(prose), len(table)) > MAX_LINES:
        return
    yield from _compared(words, prose, table)
    yield from _outermost(words, prose)


def _compared(words: Sequence[ClaimWord], prose: str, table: str) -> Iterator[ClaimFault]:
    at = [index for index, word in enumerate(words) if word.fold in _MORE | _LESS]
    than = [index for index, word in enumerate(words) if word.fold in _THAN]
    than = [index for index in at if words[index].fold in _EXCEEDS] or than
    if len(at) != 1 or len(than) != 1 or than[0] < at[0] or words[than[0] + 1 :][:1] == []:
        return
    after = list(takewhile(lambda word: word.fold not in ("by", "um"), words[than[0] + 1 :]))
    mine, others = _stems(words[: than[0]]), _stems(after)
    left, right = mine - others, others - mine
    amounts = _amounts(left, right, prose) or _cells(mine | others, left, right, table)
    if amounts is None:
        return
    one, other = (_value(each) for each in amounts)
    if one != other and (one > other) != (words[at[0]].fold in _MORE):
        found = f"{amounts[0].text} … {amounts[1].text}"
        yield ClaimFault("direction", words[at[0]].text, found)


def _outermost(words: Sequence[ClaimWord], prose: str) -> Iterator[ClaimFault]:
    """Yield “most” of the thing that has not the most of at least three that the lines count alike."""
    word = next((word for word in words if word.fold in _MOST | _LEAST), None)
    if word is None:
        return
    said = _stems(words)
    stated = _stated(prose)
    for mine in stated:
        alike = [each for each in stated if _is_alike(each.figure, mine.figure) and len(each.stems ^ mine.stems) == 2]
        told = said & mine.stems
        common = mine.stems.intersection(*(each.stems for each in alike)) if alike else frozenset()
        if len(alike) + 1 < FEWEST or not told - common or not told & common:
            continue
        values = [_value(each.figure) for each in (mine, *alike)]
        if values[0] != (max(values) if word.fold in _MOST else min(values)):
            yield ClaimFault("extent", word.text, mine.figure.text)
            return


def _amounts(left: frozenset[str], right: frozenset[str], prose: str) -> tuple[Figure, Figure] | None:
    """Return the only amounts of one kind in clauses about either side, in one sentence if there are any."""
    for text in (*prose.split("\n"), prose):
        stated = _stated(text)
        beside = frozenset[str]().union(*(each.stems for each in stated if right & each.stems))
        one = [each for each in stated if (left - beside) & each.stems]
        other = [each for each in stated if right & each.stems and each not in one]
        topic = left & beside or left - frozenset[str]().union(*(each.stems for each in one))
        elsewhere = not topic & beside and topic & _stems(split_words(prose))
        if one and other and not elsewhere:
            alike = len(one) == len(other) == 1 and _is_alike(one[0].figure, other[0].figure)
            return (one[0].figure, other[0].figure) if alike else None
    return None


def _cells(
    said: frozenset[str], left: frozenset[str], right: frozenset[str], table: str
) -> tuple[Figure, Figure] | None:
    """Return the amounts of two rows in the year that a claim names, or of one row in two years."""
    cells: list[tuple[frozenset[str], str, Figure]] = []
    for row in source_rows(read_figures(table), 0):
        label = _stems([word for word in split_words(row.label) if not word.fold[:1].isdigit()])
        if row.is_table and label and len(label & said) >= NAMED * len(label) and len(row.years) == len(row.figures):
            cells += ((label, str(year), each) for year, (each, _) in zip(row.years, row.figures, strict=True))
    years = {year for _, year, _ in cells} & said
    if len(years) == 1:
        sides = [[each for label, year, each in cells if label & side and year in years] for side in (left, right)]
    else:
        sides = [[each for _, year, each in cells if year in side] for side in (left, right)]
    [one, other] = sides
    return (one[0], other[0]) if len(one) == len(other) == 1 and one != other else None


@lru_cache(maxsize=256)
def _stated(text: str) -> tuple[_Stated, ...]:
    """Return the clauses of a text that have exactly one amount."""
    read = read_figures(text)
    amounts = [each for each in read.figures if each.values and not (each.when or each.name or each.is_year)]
    words = split_words(text)
    ends = [0, *(match.start() for match in CLAUSE_BREAK.finditer(text) if match[0] != ":"), len(text)]
    found: list[_Stated] = []
    for start, end in pairwise(ends):
        here = [each for each in amounts if start <= each.start < end and not each.part and not each.ordinal]
        if len(here) == 1:
            around = [word for word in words if start <= word.start < end]
            around = [word for word in around if not here[0].start <= word.start < here[0].end]
            found.append(_Stated(_stems(around), here[0]))
    return tuple(found)


def _is_alike(one: Figure, other: Figure) -> bool:
    return one.kinds == other.kinds and (bool(one.kinds) or one.noun == other.noun or not (one.noun and other.noun))


def _value(figure: Figure) -> Decimal:
    factor = figure.units[0].factor if len(figure.units) == 1 else Decimal(1)
    return scaled_amount(figure) * factor


def _stems(words: Sequence[ClaimWord]) -> frozenset[str]:
    told = (word for word in words if word.fold not in _MORE | _LESS | _MOST | _LEAST)
    labels = (word for word in told if is_content(word) or word.fold[:1].isdigit() or word.text.isupper())
    return frozenset(word.stem for word in labels)


@dataclass(frozen=True, slots=True)
class _Row:
    """The stems of a line outside of its amounts, and its amounts."""

    stems: frozenset[str]
    figures: tuple[Figure, ...]


def wrong_extreme(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the only amount of a claim that calls it the lowest or the highest if a row beside it exceeds it.

    `table` are the cited lines with the headings above them.
    """
    claim, lines, table = statement.text, evidence.lines, evidence.table
    lowest, highest = _LOWEST.search(claim), _HIGHEST.search(claim)
    said = read_figures(claim)
    mine = [each for each in said.figures if is_amount(each)]
    if bool(lowest) == bool(highest) or len(mine) != 1 or _NEXT.search(claim):
        return
    rows = [row for line in lines.split("\n") if (row := _row(line)) and not WHOLE.search(line)]
    words = split_words(claim)
    for held in rows:
        at = next((i for i, each in enumerate(held.figures) if agrees(mine[0], each, said.scales, frozenset())), None)
        if at is None:
            continue
        rivals = [row for row in rows if row is not held and _is_comparable(row, held)]
        shared = stems_of(table.replace(lines, " ")).union(held.stems, *(row.stems for row in rivals))
        extreme = {word.stem for word in split_words(" ".join(m[0] for m in (lowest, highest) if m))}
        others = {word.stem for word in words if word.text[0].isalpha()} - shared - extreme - _SAYS_NOTHING
        counted = {word.stem for each in said.figures for word in split_words(claim[each.start : each.end])}
        beyond = [row for row in rivals if _exceeds(row.figures[at], held.figures[at], lower=bool(lowest))]
        if beyond and not others - counted and not any(map(is_negation, words)):
            best = (min if lowest else max)(beyond, key=lambda row: scaled_amount(row.figures[at]))
            yield ClaimFault("figure", mine[0].text, best.figures[at].text)
        return


def _row(line: str) -> _Row | None:
    read = read_figures(line)
    amounts = tuple(each for each in read.figures if is_amount(each) and not each.name)
    kinds = [each for each in amounts if each.kinds] or list(amounts)
    stems = frozenset(word.stem for word in split_words(line) if word.text[0].isalpha())
    return _Row(stems, tuple(kinds)) if kinds and stems else None


def _is_comparable(row: _Row, held: _Row) -> bool:
    return [each.kinds for each in row.figures] == [each.kinds for each in held.figures]


def _exceeds(one: Figure, other: Figure, *, lower: bool) -> bool:
    difference: Decimal = scaled_amount(one) - scaled_amount(other)
    return difference < 0 if lower else difference > 0
