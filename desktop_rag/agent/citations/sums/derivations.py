"""Derives a figure that cited lines do not write but that a reader computes from them, in two steps at most.

The claim's own words ask for an operation (“together”, “less”, “a month”, “each”), or a unit proves it, as a rate
times its time. Operands are not sought among all figures: they are a whole collection (column, list, sentence), the
part of it that the claim names, or its only two. The fewer digits a figure has, the fewer other results may be near.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations, islice, pairwise, product

from desktop_rag.agent.citations.sums.asked_figures import JOINED, MAX_COUNT, Asked, read_asked
from desktop_rag.agent.citations.sums.computed_pairs import PERCENT, is_result, stems
from desktop_rag.agent.citations.sums.computed_rates import PART
from desktop_rag.agent.citations.sums.quantities import (
    EACH,
    AmountPassage,
    Quantity,
    alike,
    as_operand,
    difference,
    divided,
    read_passage,
    times,
    total_of,
)
from desktop_rag.agent.citations.sums.table_collections import (
    MAX_PAIRED,
    AmountGroup,
    converted,
    measured,
    quotients,
    table_collections,
)
from desktop_rag.index.keywords.analysis import stem
from desktop_rag.text.figures import Figure, read_figures
from desktop_rag.text.units import CURRENCIES, UNITS

MAX_RESULTS = 400  # of all passages
MAX_QUANTITIES = 100  # that are multiplied and divided
MAX_POOL = 14  # quantities that a second step combines
MAX_PROSE = 4  # quantities of one kind in all sentences that are taken together
MAX_ITEMS = 60  # of a collection whose pairs are compared: two that the claim names
NEAR = 2  # factor between a figure and the results that it may be by chance
CHANCE_SURE = Decimal("0.4")  # other results near the figure × its width, where operands are named or whole
CHANCE = Decimal("0.12")
_OFTEN = frozenset({"time"})  # thirteen times a year
_FRACTION_WIDTH = Decimal("0.1")
_SHARED = re.compile(r"\b(?:equal\w*|split|shares? (?:the|it|them)|evenly|gleich\w*|teilen)\b", re.IGNORECASE)
_FOR_EACH = re.compile(r"\b(?:each|apiece|per (?:person|head)|a head|jeweils|pro (?:Kopf|Person))\b", re.IGNORECASE)
_WHOLE = re.compile(r"total|gesamt|betrag|summe|balance|altogether|income|revenue", re.IGNORECASE)
_AND = re.compile(r"\b(?:and|und|et|y)\b")
_OF_THEM = re.compile(r"\bof (?:them|which|whom|these|those)\b|\b(?:davon|dont|for|against|dafür|dagegen)\b")
_ELSE = re.compile(r"\b(?:everything else|all the rest|alles andere)\b", re.IGNORECASE)
_HALVES = re.compile(r"\bhal(?:f|ves)\b|\bHälfte\b", re.IGNORECASE)
_LEFT = re.compile(r"\b(?:left|rest|remain\w*|others?|still|übrig\w*|noch|restlich\w*)\b", re.IGNORECASE)
_OFF = re.compile(r"\b(?:off|skonto|nachlass|saves?|spar\w*)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Result:
    """A derived quantity, or a ratio in per cent or without unit; `sure` if its operands are named or whole."""

    quantity: Quantity
    sure: bool
    shown: str = ""  # sum whose result is no quantity

    @property
    def text(self) -> str:
        return self.shown or self.quantity.text


def derive(target: Figure, claim: str, sources: Sequence[str], cues: Iterable[str]) -> str | None:
    """Return the sum that yields a figure of a claim, or None; `cues` are the operations that its words name."""
    if not target.values or not target.values[0] or target.when or target.name or target.ordinal:
        return None
    asked = read_asked(target, claim, frozenset(cues))
    results = list(islice((each for source in sources for each in _results(read_passage(source), asked)), MAX_RESULTS))
    scales = frozenset[int]().union(*(read_figures(source).scales for source in sources))
    for chosen, limit in (([each for each in results if each.sure], CHANCE_SURE), (results, CHANCE)):
        fitting = [each for each in chosen if _fits(each.quantity, asked, scales)]
        if fitting and _others(chosen, fitting[0], asked) * _width(target) <= limit:
            return f"{fitting[0].text} = {target.text}"
    return None


def _fits(quantity: Quantity, asked: Asked, scales: frozenset[int]) -> bool:
    if asked.target.fraction and (quantity.units or quantity.figures):
        return False  # no ratio
    scales = frozenset() if quantity.scaled or "%" in quantity.kinds else scales
    figures = [Figure("", scales=(1,))] if quantity.scaled else quantity.figures
    return is_result(asked.target, quantity.value, quantity.units, figures, asked.said.scales, scales)


def _others(results: Sequence[_Result], fitting: _Result, asked: Asked) -> int:
    """Return how many other values than the fitting one are near it and of the figure's kind."""
    size, kinds = abs(fitting.quantity.value), asked.target.kinds
    near = {
        abs(each.quantity.value)
        for each in results
        if size <= NEAR * abs(each.quantity.value) <= NEAR**2 * size
        and (not kinds or not each.quantity.kinds or kinds & each.quantity.kinds)
    }
    return len(near - {size})


def _width(target: Figure) -> Decimal:
    """Return the share of a figure that its last digit leaves open."""
    if target.fraction:
        return _FRACTION_WIDTH
    value = abs(target.values[0])
    loose = Decimal(1).scaleb(int(value.normalize().as_tuple().exponent)) if target.bound else Decimal(0)
    return max(target.place, loose) / value


def _results(passage: AmountPassage, asked: Asked) -> Iterator[_Result]:
    """Yield what the words of the claim may mean, the plainest first."""
    pool: list[Quantity] = []
    for collection in _collections(passage, asked):
        for result in _of_collection(collection, asked):
            yield result
            if result.quantity.steps and not result.shown and len(pool) < MAX_POOL:
                pool.append(result.quantity)
    everything = [*islice(_quantities(passage), MAX_QUANTITIES)]
    for each in _rates(everything, asked):
        yield _Result(each, sure=True)
        pool.append(each)
    yield from (_Result(each, sure=True) for each in _exchanged(passage, asked))
    counts = [each for each in everything if each.is_count] if "change" in asked.cues else []
    written = [each for each in counts if any(said.values[0] == each.value for said in asked.counts)]
    for whole, part in product(written[:MAX_PAIRED], counts[:MAX_POOL]):  # 75 of the 84
        if part.value < whole.value:
            yield _Result(difference(whole, part), sure=False)
    named = [each for each in everything if asked.names(each.label)]
    yield from (_Result(each, sure=True) for each in _divided(pool[:MAX_POOL], passage, asked))
    wholes = [each for each in everything if any(map(_WHOLE.search, each.label))]
    amounts = [each for each in named if each.kinds & CURRENCIES] or wholes or everything
    yield from _part_of(passage, amounts, asked)
    yield from _second_steps(pool[:MAX_POOL], named[:MAX_POOL], asked)
    for one, whole in product(named[:MAX_POOL], sorted(wholes, key=_value)[-1:] if "change" in asked.cues else ()):
        if one.kinds & whole.kinds and whole.value > one.value:
            yield _Result(difference(whole, as_operand(one, whole)), sure=False)


def _quantities(passage: AmountPassage) -> Iterator[Quantity]:
    for table in passage.tables:
        yield from (each for row in table.rows for each in row.quantities if each)
    for _, found in passage.sentences:
        yield from found


def _collections(passage: AmountPassage, asked: Asked) -> Iterator[AmountGroup]:
    """Yield what stands together; in a sentence a first or last item that is the sum of the others is their total."""
    for table in passage.tables:
        yield from table_collections(table, asked)
    for items in passage.lists:
        yield from map(AmountGroup, _by_kind(items))
    told = any(found and stems(text) & asked.named for text, found in passage.sentences)
    for text, found in passage.sentences:
        about = not told or bool(stems(text) & asked.named)
        for group in _by_kind(_with_products(found, asked)) if about else ():
            total = total_of(group).value
            whole = next((each for each in (group[0], group[-1]) if len(group) > 2 and each.value * 2 == total), None)
            joined = len(found) == 2 and bool(_AND.search(text)) and not _OF_THEM.search(text)
            joined = joined or bool(_ELSE.search(text))
            if joined and len(found) == 2 and all(each.is_count for each in found):
                group = found
            yield AmountGroup([each for each in group if each is not whole], taken=joined, whole=whole)
    for group in _by_kind([each for _, found in passage.sentences for each in _with_products(found, asked)]):
        named = [each for each in group if asked.names(each.label)]
        if group[0].kinds and 1 < len(chosen := group if len(group) == 2 else named) <= MAX_PROSE:
            yield AmountGroup(chosen)


def _by_kind(quantities: Sequence[Quantity]) -> Iterator[list[Quantity]]:
    """Yield the quantities of each kind that the figure may be a result of, in the unit of the first."""
    groups: list[list[Quantity]] = []
    for each in quantities:
        group = next((one for one in groups if _same_kind(one[0], each)), None)
        if group is None:
            groups.append([each])
        else:
            group.append(as_operand(each, group[0]))
    yield from groups


def _same_kind(one: Quantity, other: Quantity) -> bool:
    return alike(one, other) and (bool(one.kinds) == bool(other.kinds) or one.kinds | other.kinds <= {"people"})


def _with_products(found: Sequence[Quantity], asked: Asked) -> list[Quantity]:
    """Return the quantities of a sentence, rates as products with their count: four nights at 1,650 a night."""
    made: list[Quantity] = []
    for each in found:
        count = next((one for one in found if one is not each and each.per and _counts(one, each.per)), None)
        if each.per == EACH:
            before = [one for one in found[: found.index(each)] if one.is_count and one.thing]
            count = next((one for one in before if asked.names(one.label)), before[-1] if before else None)
        if (each.kinds or each.per == EACH) and count and each.per not in asked.per:
            made.append(replace(times(each, count), label=each.label | count.label))
        else:
            made += converted([each], asked)
    return made


def _counts(quantity: Quantity, per: str) -> bool:
    """Return whether a quantity counts what a rate is of, a time included: 4 nights, 12 months."""
    return (quantity.is_count and (per in quantity.thing or quantity.thing >= _OFTEN)) or (
        per in UNITS and quantity.kinds == {UNITS[per][0].kind} and quantity.units[0] == UNITS[per][0]
    )


def _rates(everything: Sequence[Quantity], asked: Asked) -> Iterator[Quantity]:
    """Yield rates times the count of their thing, that the lines or the claim have: 20 pieces at 2.80 a piece."""
    claimed = [
        Quantity(each.values[0], (), f"{each.values[0]:f}", (each,), thing=frozenset({stem(each.noun)}))
        for each in asked.counts
        if each.noun
    ]
    counted = [each for each in everything if each.is_count and each.thing and each.value <= MAX_COUNT]
    for rate in everything:
        if rate.per == EACH:
            yield from (times(rate, each) for each in (*claimed, *counted)[:MAX_PAIRED])
        elif rate.per and rate.per not in asked.per:
            counts = [each for each in (*claimed, *everything) if each is not rate and _counts(each, rate.per)]
            yield from (times(rate, each) for each in counts[:2])
    for count, each in product(counted, everything):  # 42 minutes, 14 crossings a day
        if count.per in asked.per and each.kinds and not each.per and each.label & count.thing:
            yield times(each, count)
    for span, each in product(everything, everything):  # two months' rent
        if span.kinds == {"months"} and each.kinds != {"months"} and _is_of(span, each) and asked.names(span.label):
            yield times(each, span)


def _is_of(span: Quantity, amount: Quantity) -> bool:
    """Return whether a number of months is one of an amount: two months' rent."""
    return bool(span.label & amount.label) and 1 < span.value <= MAX_COUNT and amount.value > span.value


def _exchanged(passage: AmountPassage, asked: Asked) -> Iterator[Quantity]:
    """Yield amounts in the currency of the figure by a rate of the lines: “1 pound is about 13.5 kroner”."""
    for _, found in passage.sentences:
        for one, rate in pairwise(found):
            if one.value != 1 or not (one.kinds & CURRENCIES and rate.kinds & CURRENCIES) or one.kinds & rate.kinds:
                continue
            for each in islice(_quantities(passage), MAX_QUANTITIES):
                if each is not rate and each.kinds & rate.kinds and asked.target.kinds & one.kinds:
                    yield replace(divided(each, rate), units=one.units)
                elif each is not one and each.kinds & one.kinds and asked.target.kinds & rate.kinds:
                    yield replace(times(each, rate), units=rate.units)


def _part_of(passage: AmountPassage, amounts: Sequence[Quantity], asked: Asked) -> Iterator[_Result]:
    """Yield amounts times a percentage that a sentence names a tax, a discount or an increase, and with it."""
    money = [each for each in amounts if each.kinds & CURRENCIES and each.kinds & asked.target.kinds]
    for text, found in passage.sentences:
        shares = [each for each in found if "%" in each.kinds]
        for share in [each for each in shares if asked.names(each.label)] or shares:
            if not (PART.search(text) or _OFF.search(text)):
                continue
            if not (
                asked.names(share.label)
                or stems(text) & asked.named
                or PART.search(asked.said.plain)
                or _OFF.search(asked.said.plain)
            ):
                continue
            part = share.value / 100
            for each in money[:3]:
                for value, shown in (
                    (each.value * part, f"{each.text} × {share.text} %"),
                    (each.value * (1 - part), f"{each.text} × (1 − {share.text} %)"),
                    (each.value * (1 + part), f"{each.text} × (1 + {share.text} %)"),
                ):
                    yield _Result(replace(each, value=value, text=shown, steps=1), sure=len(money) == 1)


def _divided(pool: Sequence[Quantity], passage: AmountPassage, asked: Asked) -> Iterator[Quantity]:
    """Yield amounts by the count of what the claim says “a” or “each” of, or by what shares them equally."""
    claimed = [Quantity(each.values[0], (), f"{each.values[0]:f}", (each,)) for each in asked.counts]
    everywhere = [each for each in _quantities(passage) if _is_divisor(each) and each.thing & asked.per]
    everywhere += claimed if _FOR_EACH.search(asked.said.plain) else []
    for text, found in passage.sentences:
        counts = [*measured(found, asked)]
        if _SHARED.search(text):
            everywhere += [each for each in found if _is_divisor(each)]
        yield from quotients(found, counts)
    if _HALVES.search(passage.text) and _FOR_EACH.search(asked.said.plain):
        everywhere.append(Quantity(Decimal(2), (), "2", ()))
    known = [*islice(_quantities(passage), MAX_QUANTITIES)]
    named = [each for each in known if asked.names(each.label)]
    amounts = [*pool, *(named or known if len(known) <= MAX_PROSE else named)]
    yield from quotients(amounts, everywhere[:4])


def _is_divisor(quantity: Quantity) -> bool:
    return quantity.is_count and 1 < quantity.value <= MAX_COUNT


def _of_collection(collection: AmountGroup, asked: Asked) -> Iterator[_Result]:
    """Yield what is computed from a collection: totals, averages, differences and shares of all, two or named ones."""
    items = collection.items
    yield from (_Result(each, sure=True) for each in items if each.steps)
    if len(items) < 2:
        return
    common = frozenset[str].intersection(*(each.label for each in items))
    named = [each for each in items if asked.names(each.label, common)]
    joined = bool(JOINED.search(asked.said.plain))
    for group in (items, *([named] if 1 < len(named) < len(items) else [])):
        if (
            "total" in asked.cues
            or collection.counted
            or (collection.taken and (items[0].kinds or joined or len(items) == 2))
            or (joined and group is named)
        ):
            yield _Result(total_of(group), sure=True)
        if "mean" in asked.cues:
            total = total_of(group)
            mean = replace(total, value=total.value / len(group), text=f"({total.text}) ÷ {len(group)}")
            yield _Result(mean, sure=True)
    if "%" in asked.target.kinds or asked.target.fraction:
        yield from _ratios(items, named, collection.whole, asked)
    else:
        yield from _compared(items, named, asked)


def _compared(items: Sequence[Quantity], named: Sequence[Quantity], asked: Asked) -> Iterator[_Result]:
    """Yield differences and multiples of two items: the only two, those that the claim names, the ends of a range."""
    chosen = [*{each.value: each for each in (named if len(named) > 1 else items)[:MAX_ITEMS]}.values()]
    pair = len(chosen) == 2 and (len(named) > 1 or len(items) == 2)
    if len(chosen) > 4:
        chosen = [max(chosen, key=_value), min(chosen, key=_value)]
    for one, other in combinations(chosen, 2):
        more, less = (one, other) if one.value >= other.value else (other, one)
        if "change" in asked.cues:
            yield _Result(difference(more, less), sure=pair)
        if "share" in asked.cues and less.value > 0 and not asked.target.units:
            yield _Result(Quantity(more.value / less.value, (), "", ()), pair, f"{more.text} ÷ {less.text}")
    if "change" in asked.cues and _LEFT.search(asked.said.plain) and len(items) > 2:
        largest = max(items, key=_value)
        yield _Result(difference(largest, total_of([each for each in items if each is not largest])), sure=True)


def _value(quantity: Quantity) -> Decimal:
    return quantity.value


def _ratios(
    items: Sequence[Quantity], named: Sequence[Quantity], whole: Quantity | None, asked: Asked
) -> Iterator[_Result]:
    """Yield shares and relative changes: of the only two items, of named ones, of one in the whole collection."""
    if any("%" in each.kinds for each in items):
        return
    chosen = list(items) if len(items) == 2 else list(named)[:4]
    pair = len(chosen) == 2
    shares = bool(asked.cues & {"share"}) or not asked.cues
    for one, other in combinations(chosen, 2):
        more, less = (one, other) if one.value >= other.value else (other, one)
        if not less.value > 0:
            continue
        if asked.cues & {"change", "growth"}:
            for below in (one, other):
                text = f"({more.text} − {less.text}) ÷ {below.text}"
                yield _percent((more.value - less.value) / below.value, text, asked, sure=pair)
        if shares:
            yield _percent(less.value / more.value, f"{less.text} ÷ {more.text}", asked, sure=pair)
    total = whole or total_of(items)
    shown = total.text if whole else f"({total.text})"
    for each in named or (items if len(items) == 2 else ()):
        if total.value > 0 and shares:
            yield _percent(each.value / total.value, f"{each.text} ÷ {shown}", asked, sure=len(named) < len(items))


def _percent(ratio: Decimal, text: str, asked: Asked, *, sure: bool) -> _Result:
    if asked.target.fraction:
        return _Result(Quantity(ratio, (), text, ()), sure, text)
    return _Result(Quantity(ratio * 100, PERCENT, text, ()), sure, text)


def _second_steps(pool: Sequence[Quantity], named: Sequence[Quantity], asked: Asked) -> Iterator[_Result]:
    """Yield the sum and difference of a total or product and another one, or one that the claim names."""
    made = [each for each in pool if each.kinds and " − " not in each.text]
    for one, other in (*combinations(made, 2), *product(made, named)):
        if not alike(one, other) or bool(one.kinds) != bool(other.kinds) or set(one.figures) & set(other.figures):
            continue
        other = as_operand(other, one)
        if "change" in asked.cues and one.value != other.value:
            more, less = (one, other) if one.value > other.value else (other, one)
            yield _Result(difference(more, less), sure=False)
        if "total" in asked.cues and asked.names(one.label) and asked.names(other.label):
            yield _Result(total_of([one, other]), sure=True)
