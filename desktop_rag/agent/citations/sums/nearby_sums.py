"""Recomputes a figure from the few figures of one sentence or row that a claim is about.

They may be subtracted where the claim compares or writes one of them, divided where it says how many times or “each”,
and an amount may be multiplied by a small count beside it: twelve instalments, thirteen salaries, two months' rent. A
product may be compared as well, and two counts joined by “and” are added.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import permutations

from desktop_rag.agent.citations.check_words import word_sides
from desktop_rag.agent.citations.numbers import agrees
from desktop_rag.agent.citations.sums.computed_pairs import amount, is_amount, is_result, subjects, written
from desktop_rag.text.figures import Figure, FigureText, read_figures
from desktop_rag.text.sentences import split_sentences
from desktop_rag.text.units import CURRENCIES

MAX_FIGURES = 8  # of a sentence or row
MAX_COUNT = 60
CHANCE = Decimal("0.4")  # results near the figure × width of its last digit, as a share of it
PART = 20  # characters after a count that say that it is a part
NEAR = 2  # factor between a figure and the results that it may be by chance
_TIMES = re.compile(r"\btimes\b|-?fold\b|\bmal\b|\bfois\b|\bveces\b", re.IGNORECASE)
_EACH = re.compile(r"\b(?:each|apiece|per (?:person|head)|jeweils|chacun|cada un)\b", re.IGNORECASE)
_HALVES = re.compile(r"\bhal(?:f|ves)\b|\bHälfte\b|\bmoitié\b|\bmitad\b", re.IGNORECASE)
_OF_THEM = re.compile(r"\bof (?:them|which|whom|these|those)\b|\b(?:davon|dont|de ellos)\b", re.IGNORECASE)
_AND = re.compile(r"\b(?:and|und|et|y)\b", re.IGNORECASE)
_MORE = word_sides("more than")[0] | word_sides("less than")[0]

_Result = tuple[Decimal, str, tuple[Figure, ...]]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a claim says of its figure: that it is a change, how many times, or what each has; the figures it writes."""

    changes: bool
    times: bool
    each: bool
    said: Sequence[Figure]


def recompute_nearby(target: Figure, claim: str, sources: Sequence[str], *, changes: bool) -> str | None:
    """Return the sum of the figures of one sentence or row that yields the figure; `changes`: the claim names one."""
    if not target.values or not target.values[0] or target.fraction or target.scales or "%" in target.kinds:
        return None
    said, wanted = read_figures(claim), subjects(claim)
    changes = changes or not _MORE.isdisjoint(claim.casefold().split())
    times = bool(_TIMES.match(claim, claim.find(target.text) + len(target.text) + 1))
    others = [each for each in said.figures if each.values and each.text != target.text]
    asked = _Asked(changes, times, bool(_EACH.search(claim)), others)
    for text in map(read_figures, sources):
        for figures, sentence in _groups(text, wanted):
            results = list(_results(figures, sentence, asked))
            fitting = [
                each
                for each in results
                if is_result(target, each[0], each[2][0].units, each[2], said.scales, text.scales)
            ]
            size = abs(target.values[0])
            near = {value for value, *_ in results if size <= NEAR * value <= NEAR**2 * size}
            if fitting and len(near) * target.place <= CHANCE * size:
                return f"{fitting[0][1]} = {target.text}"
    return None


def _groups(text: FigureText, wanted: frozenset[str]) -> Iterator[tuple[list[Figure], str]]:
    """Yield the figures of each sentence and of each line that shares a word with the claim, and its text."""
    start = 0
    for line in text.plain.split("\n"):
        spans = [*((start + first, start + last) for first, last in split_sentences(line)), (start, start + len(line))]
        for first, last in dict.fromkeys(spans):
            here = [each for each in text.figures if first <= each.start < last and is_amount(each)]
            here = [each for each in here if "%" not in each.kinds]
            if 1 <= len(here) <= MAX_FIGURES and subjects(text.plain[first:last]) & wanted:
                yield here, text.plain[first:last]
        start += len(line) + 1


def _results(figures: Sequence[Figure], sentence: str, asked: _Asked) -> Iterator[_Result]:
    if asked.each and _HALVES.search(sentence):
        yield from ((amount(one) / 2, f"{written(one)} ÷ 2", (one,)) for one in figures)
    for one, other in permutations(figures, 2):
        a, b = amount(one), amount(other)
        alike = not one.kinds or not other.kinds or bool(one.kinds & other.kinds)
        is_written = not (one.kinds or _is_part(other, sentence)) and any(
            agrees(each, one, frozenset(), frozenset()) for each in asked.said
        )
        if asked.times and alike and a > b > 0:
            yield a / b, f"{written(one)} ÷ {written(other)}", (Figure("", values=(a,)), one, other)
        elif (asked.changes or is_written) and alike and a > b:
            yield a - b, f"{written(one)} − {written(other)}", (one, other)
        if len(figures) == 2 and alike and one.start < other.start and _are_joined(one, other, sentence):
            yield a + b, f"{written(one)} + {written(other)}", (one, other)
        if not _is_count(other) or one.scales:
            continue
        if asked.each:
            yield a / other.values[0], f"{written(one)} ÷ {written(other)}", (one, other)
        product, text = a * other.values[0], f"{written(other)} × {written(one)}"
        yield product, text, (one, other)
        for third in figures if asked.changes else ():
            if third is not one and third is not other and third.kinds & one.kinds & CURRENCIES:
                more, less = (product, text), (amount(third), written(third))
                if more[0] < less[0]:
                    more, less = less, more
                yield more[0] - less[0], f"{more[1]} − {less[1]}", (one, other, third)


def _is_part(figure: Figure, sentence: str) -> bool:
    """Return whether a sentence counts a part: “three of which”."""
    return bool(_OF_THEM.search(sentence.partition(figure.text)[2][:PART]))


def _are_joined(one: Figure, other: Figure, sentence: str) -> bool:
    """Return whether a sentence says both of two counts of one kind, none a part of the other."""
    after = sentence.partition(one.text)[2]
    between, found, _ = after.partition(other.text)
    return bool(found and _AND.search(between)) and not _OF_THEM.search(after)


def _is_count(figure: Figure) -> bool:
    """Return whether a figure counts a few things, times or periods."""
    value = figure.values[0]
    small = 1 < value <= MAX_COUNT and value == int(value) and value % 10 != 0
    return small and not figure.scales and not figure.kinds & CURRENCIES
