"""Finds a claim that calls an amount the lowest or highest where a row beside it has a lower or higher one.

Silent unless the claim says nothing else of what is compared: “the cheapest flat with a balcony” may cost more than the
cheapest one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from desktop_rag.agent.citations.check_words import FUNCTION_WORDS
from desktop_rag.agent.citations.checks.claim_alterations import is_negation
from desktop_rag.agent.citations.claim_words import split_words, stems_of
from desktop_rag.agent.citations.numbers import agrees
from desktop_rag.agent.citations.sums.computed_pairs import is_amount
from desktop_rag.agent.citations.sums.source_rows import WHOLE, scaled_amount
from desktop_rag.agent.events import ClaimFault
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem
from desktop_rag.text.figures import Figure, read_figures

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
class _Row:
    """The stems of a line outside of its amounts, and its amounts."""

    stems: frozenset[str]
    figures: tuple[Figure, ...]


def wrong_extreme(claim: str, lines: str, table: str) -> Iterator[ClaimFault]:
    """Yield the only amount of a claim that calls it the lowest or the highest if a row beside it exceeds it.

    `table` are the cited lines with the headings above them.
    """
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
