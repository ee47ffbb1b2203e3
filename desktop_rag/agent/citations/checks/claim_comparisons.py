"""Compares “A is larger than B” and “most are in A” with the amounts that the lines give for A and B.

Silent unless the lines give exactly one amount of one kind for each of both: in a clause, or in a row and year of a
table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise, takewhile

from desktop_rag.agent.citations.check_words import word_set
from desktop_rag.agent.citations.checks.claim_alterations import is_negation
from desktop_rag.agent.citations.checks.claim_clauses import CLAUSE_BREAK
from desktop_rag.agent.citations.checks.claim_polarity import is_content
from desktop_rag.agent.citations.claim_words import ClaimWord, split_words
from desktop_rag.agent.citations.sums.source_rows import scaled_amount, source_rows
from desktop_rag.agent.events import ClaimFault
from desktop_rag.text.figures import Figure, read_figures

MAX_LINES = 8_000  # characters
NAMED = 0.5  # share of the words of a row's label that a claim about the row has
FEWEST = 3  # things of which one can have the most
_THAN = word_set("than als que")
_MORE = word_set(
    "more higher larger bigger greater heavier longer taller exceeded exceeds outnumbered outnumber warmer hotter "
    "costlier dearer mehr hoher grosser schwerer langer haufiger ofter teurer plus superieur superieure mas mayor"
)
_LESS = word_set(
    "less fewer lower smaller lighter shorter cooler colder cheaper weniger niedriger kleiner leichter kurzer seltener "
    "gunstiger billiger moins inferieur inferieure menos menor"
)
_EXCEEDS = word_set("exceeded exceeds outnumbered outnumber")
_MOST = word_set("most meisten plupart mayoria")
_LEAST = word_set("fewest least wenigsten")


@dataclass(frozen=True, slots=True)
class _Stated:
    """A clause with one amount."""

    stems: frozenset[str]
    figure: Figure


def compared_otherwise(claim: str, prose: str, table: str) -> Iterator[ClaimFault]:
    """Yield the comparative or superlative of a claim that the amounts of its lines contradict.

    `prose` has a sentence on each line, `table` the cited lines with the headings above them.
    """
    words = split_words(claim)
    if any(map(is_negation, words)) or max(len(prose), len(table)) > MAX_LINES:
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
