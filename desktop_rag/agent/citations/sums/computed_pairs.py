"""Recomputes figures from two figures that the cited lines themselves compare: “$3.2 billion compared to $2.7 billion”.

A sentence pairs one figure of each kind on both sides of its comparison, so few results are possible however many
figures the lines have. The claim must write one of both figures, or name what they measure. Two figures that are alone
of their kind in the lines, and two counts that the claim names, are pairs as well.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import permutations

from desktop_rag.agent.citations.check_words import FUNCTION_WORDS, word_set
from desktop_rag.agent.citations.numbers import agrees
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem
from desktop_rag.text.figures import Figure, FigureText, read_figures
from desktop_rag.text.normalize import fold_quote, words
from desktop_rag.text.units import CURRENCIES, MeasureUnit

_NAMING = 2  # words of the beginning of a sentence that the claim must have
MAX_LABELLED = 3  # sentences whose first amounts may be parts of each other
PERCENT = (MeasureUnit("%"),)
MIN_NAMED = Decimal(
    "0.6"
)  # share of the words before the first figure of a sentence that the claim has, or the reverse
_COMPARES = re.compile(
    r"(?<!\w)(?:(?:compared|in comparison) (?:to|with)|versus|vs\.?|against|(?:up|down) from|from|instead of|than|"
    r"gegenüber|verglichen mit|statt|von|nach|contre|par rapport à|frente a|comparado con|desde)(?!\w)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[^\W\d][.;])\s+|(?<=%[.;])\s+|(?<=\d[.;])\s+(?=[^\W\d])|\n")
_CHANGE_WORDS = frozenset(
    stem(word)
    for word in word_set(
        "increased rose grew fell decreased declined dropped gained improved was were is had up down by from to of "
        "increase decrease rise change total approximately about fiscal year quarter percent percentage points billion "
        "million thousand dollars euros compared gestiegen stieg sank um auf betrug"
    )
)
MARGIN = frozenset(map(stem, ("margin", "margins", "marge")))
PROFIT = frozenset(map(stem, ("profit", "income", "earnings", "ergebnis", "gewinn", "bénéfice", "résultat")))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two figures that are compared: the later or larger one first, as the source writes it."""

    one: Figure
    other: Figure


def recompute_pair(target: Figure, claim: str, near: str, sources: Sequence[str], cues: Iterable[str]) -> str | None:
    """Return the sum of a pair of the cited lines that yields the figure, or None; `cues` name the computations."""
    if not cues or not target.values:
        return None
    said = read_figures(claim)
    texts = [read_figures(source) for source in sources]
    scales = frozenset[int]().union(*(text.scales for text in texts))
    named = stems(claim) or stems(near)
    named |= PROFIT if named & MARGIN else frozenset()
    for pair in (*_compared(texts, said, named), *_alone(texts), *_counted(texts, named), *_labelled(texts, named)):
        for value, text, units in _results(pair, target, set(cues)):
            if is_result(target, value, units, (pair.one, pair.other), said.scales, scales):
                return f"{text} = {target.text}"
    return None


def subjects(text: str) -> frozenset[str]:
    """Return the stems that tell what a text is about: no “die”, and no “beträgt”, which occurs with any amount."""
    return stems(text) - FUNCTION_WORDS - stems("beträgt betrug betragen beläuft belief amounts comes importe monte")


@lru_cache(maxsize=1 << 10)
def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that say something by themselves."""
    folds = {word.text for word in words(fold_quote(text)) if len(word.text) > 1 and not word.text[0].isdigit()}
    return frozenset(map(stem, folds - STOP_WORDS)) - _CHANGE_WORDS


def amount(figure: Figure) -> Decimal:
    """Return the value of a figure with its scale word."""
    return figure.values[0] * (figure.scales[0] if figure.scales else 1)


def written(figure: Figure) -> str:
    """Return a figure as written in a sum, without its unit."""
    return figure.digits or figure.text


def change_written(change: Decimal, later: str, earlier: str) -> str:
    """Return the sum of a relative change; of a fall the terms are swapped, so that it yields its size."""
    return f"({later} − {earlier}) ÷ {earlier}" if change > 0 else f"({earlier} − {later}) ÷ {earlier}"


def is_result(
    target: Figure,
    value: Decimal,
    units: tuple[MeasureUnit, ...],
    operands: Sequence[Figure],
    said_scales: frozenset[int] = frozenset(),
    scales: frozenset[int] = frozenset(),
) -> bool:
    """Return whether a value, rounded as the figure is written, is the figure; `scales` are those of bare operands."""
    fixed = "%" in (unit.kind for unit in units) or any(each.scales for each in operands)
    computed = Figure("", values=(abs(value),), scales=(1,) if fixed else (), units=units)
    return agrees(target, computed, said_scales, frozenset() if fixed else scales)


def is_amount(figure: Figure) -> bool:
    """Return whether a figure can be computed with: no date, name, year or fraction."""
    usable = bool(figure.values) and not (figure.name or figure.when or figure.period or figure.fraction or figure.part)
    return usable and not figure.ordinal and not (figure.is_year and 1900 <= figure.values[0] <= 2100)


def _results(pair: Pair, target: Figure, cues: set[str]) -> Iterator[tuple[Decimal, str, tuple[MeasureUnit, ...]]]:
    one, other = amount(pair.one), amount(pair.other)
    first, second = written(pair.one), written(pair.other)
    units = pair.one.units or pair.other.units
    shares = "%" in (pair.one.kinds | pair.other.kinds)
    percent = "%" in target.kinds
    if "change" in cues and (shares or not percent):
        as_points = target.units if shares and target.kinds & {"points", "%"} else units
        yield abs(one - other), f"{first} − {second}" if one > other else f"{second} − {first}", as_points
    if percent and not shares and other:
        if cues & {"change", "growth"}:
            yield (one - other) / other * 100, change_written(one - other, first, second), PERCENT
        if "share" in cues:
            yield one / other * 100, f"{first} ÷ {second}", PERCENT
            if one:
                yield other / one * 100, f"{second} ÷ {first}", PERCENT
    if not target.kinds and not target.scales and "share" in cues and one and other:
        yield (one / other, f"{first} ÷ {second}", ()) if one > other else (other / one, f"{second} ÷ {first}", ())
    if "total" in cues and not shares:
        yield one + other, f"{first} + {second}", units
    if "mean" in cues:
        yield (one + other) / 2, f"({first} + {second}) ÷ 2", units


def _compared(texts: Sequence[FigureText], said: FigureText, subject: frozenset[str]) -> Iterator[Pair]:
    """Yield the pairs around comparisons, of each kind the figures next to it, if the claim is about them."""
    for text in texts:
        for start, end in _sentences(text.plain):
            here = [each for each in text.figures if start <= each.start < end and is_amount(each)]
            if len(here) < 2:
                continue
            named = _names(subject, text.plain[start : here[0].start])
            marks = [match.start() for match in _COMPARES.finditer(text.plain, start, end)]
            for index, mark in enumerate(marks):
                low = marks[index - 1] if index else start
                high = marks[index + 1] if index + 1 < len(marks) else end
                for pair in _around(here, mark, low, high):
                    is_written = any(
                        agrees(mine, each, said.scales, text.scales)
                        for mine in said.figures
                        for each in (pair.one, pair.other)
                        if is_amount(mine)
                    )
                    if named or is_written:
                        yield pair


def _names(subject: frozenset[str], label: str) -> bool:
    """Return whether a claim names what a label does, or the label most of what the claim names."""
    called = stems(label)
    common = len(called & subject)
    return bool(common) and common >= MIN_NAMED * min(len(called), len(subject))


def _labelled(texts: Sequence[FigureText], named: frozenset[str]) -> Iterator[Pair]:
    """Yield the first amounts of sentences that begin with what the claim names: expenses of net sales."""
    first: list[Figure] = []
    for text in texts:
        for start, end in _sentences(text.plain):
            here = [each for each in text.figures if start <= each.start < end and is_amount(each)]
            money = next((each for each in here if each.kinds & CURRENCIES), None)
            called = stems(text.plain[start : here[0].start]) if here else frozenset()
            if money and called and len(called & named) >= min(_NAMING, len(called)):
                first.append(money)
    if len(first) <= MAX_LABELLED:
        yield from (Pair(one, other) for one, other in permutations(first, 2) if amount(one) < amount(other))


def _around(here: Sequence[Figure], mark: int, low: int, high: int) -> Iterator[Pair]:
    """Yield a pair of each kind: the last figure before the mark and the first after it; “from X to Y” follows it."""
    before = {_kind(each): each for each in here if low <= each.start < mark}
    after = [each for each in here if mark < each.start < high]
    paired: set[str] = set()
    for other in after:
        kind = _kind(other)
        if kind in before and kind not in paired:
            paired.add(kind)
            yield Pair(before[kind], other)
    if len(after) > 1 and _kind(after[0]) == _kind(after[1]) and _kind(after[0]) not in paired:
        yield Pair(after[1], after[0])


def _alone(texts: Sequence[FigureText]) -> Iterator[Pair]:
    """Yield the two figures of a currency, or the two percentages, if the lines have no third one."""
    by_kind: dict[str, dict[Decimal, Figure]] = {}
    for text in texts:
        for each in filter(is_amount, text.figures):
            if each.kinds & (CURRENCIES | {"%"}):
                by_kind.setdefault(_kind(each), {}).setdefault(amount(each), each)
    for found in by_kind.values():
        if len(found) == 2:
            one, other = found.values()
            yield Pair(one, other)
            yield Pair(other, one)


def _counted(texts: Sequence[FigureText], named: frozenset[str]) -> Iterator[Pair]:
    """Yield the parts of a whole that the claim names by what is counted: 72 women of 240 members."""
    counts = [
        each
        for text in texts
        for each in text.figures
        if is_amount(each) and not each.units and stems(each.after[:24]) & named
    ]
    for whole in counts[:4]:
        for one in counts[:4]:
            if 0 < amount(one) < amount(whole):
                yield Pair(one, whole)


def _kind(figure: Figure) -> str:
    return min(figure.kinds) if figure.kinds else ""


def _sentences(plain: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _SENTENCE.finditer(plain):
        yield start, match.start()
        start = match.end()
    yield start, len(plain)
