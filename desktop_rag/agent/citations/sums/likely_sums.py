"""Recomputes a figure from any two figures of the cited lines, if it could hardly agree with a result by chance.

No word of the claim has to name the computation (“£4,000 a month” over an annual rent). Instead the results that the
kind of figure allows are counted: their number times the width of the figure's last digit tells how likely one of them
agrees with a wrong figure. Words for a change or a share leave fewer results, so that fewer digits suffice.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import permutations

from desktop_rag.agent.citations.numbers import agrees
from desktop_rag.agent.citations.sums.asked_figures import JOINED
from desktop_rag.agent.citations.sums.computed_pairs import PERCENT, change_written, is_result, stems, subjects, written
from desktop_rag.agent.citations.sums.computed_rates import PART
from desktop_rag.agent.citations.sums.source_rows import WHOLE, scaled_amount, source_rows
from desktop_rag.text.figures import Figure, FigureText, read_figures
from desktop_rag.text.units import CURRENCIES, MeasureUnit

MAX_OPERANDS = 10
NEAR = 2  # factor between a figure and the results that it may be by chance
CHANCE = Decimal("0.06")  # results near the figure × width of its last digit, as a share of the figure
CHANCE_NAMED = Decimal("0.25")  # the same where the claim names rows and kind of computation
PAIR = 2  # operands that need no name in the claim
FEW = 4  # operands that are all tried
_MAX_COUNT = 12  # of rooms or months
_TIMES = frozenset(("months", "seconds"))
_FRACTION_WIDTH = Decimal("0.1")
_PERIODS = (
    (12, r"month\w*|monat\w*|mois|mensuel\w*|mes(?:es)?|mensual\w*"),
    (4, r"quarter\w*|quartal\w*|vierteljähr\w*|trimestr\w*"),
    (2, r"half[- ]year\w*|semi-?annual\w*|halbjähr\w*|semestr\w*"),
    (52, r"weeks?|weekly|wochen?|wöchentlich\w*|semaines?|hebdomadaire\w*|semanas?|semanal\w*"),
)
_PERIOD_WORDS = tuple((times, re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)) for times, words in _PERIODS)
_YEARLY = re.compile(r"(?<!\w)(?:annual\w*|year\w*|p\.a\.|jahr\w*|jähr\w*|an(?:s|nu\w*|née)?|año\w*|anual\w*)", re.I)
_OF = re.compile(r"\s*(?:of|der|des|von|vom|de|du|d['’]|del)\b")
_BOTH = re.compile(r"\b(?:both|beide\w*)\b", re.IGNORECASE)
_WITH = re.compile(r"\b(?:with|plus|including|mit|samt|inklusive|avec|con)\b", re.IGNORECASE)
_RAISED = re.compile(
    r"\b(?:increas|rais|reduc|lower|erhöh|steig|senk|verringer|augment|baiss|aument|reduci)", re.IGNORECASE
)
_PER = re.compile(r"\b(?:per|each|every|a (?:day|week|month|year)|pro|je|par|chaque|por|cada)\b", re.IGNORECASE)
_COMPOUND = range(1, 4)  # times that a rate is applied
_SINCE = re.compile(r"\b(?:since|seit|depuis|desde)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Operand:
    """A figure with its place; `named` is the share of its label's words that the claim writes, 1 if it writes it."""

    figure: Figure
    amount: Decimal
    row: int
    column: int
    prose: bool
    in_table: bool
    whole: bool  # its row is a total
    named: Decimal
    written: bool  # the claim writes it
    year: int  # of its column, 0 if unknown
    common: int  # words that its label shares with the claim

    @property
    def kinds(self) -> frozenset[str]:
        return self.figure.kinds

    @property
    def text(self) -> str:
        return written(self.figure)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The figure of a claim, the claim, all text that may name periods, and the kind of computation that it names."""

    target: Figure
    claim: str
    period: str
    kind: str
    rows: Sequence[_Operand] = ()
    alone: bool = False  # the lines have two figures only
    cues: frozenset[str] = frozenset()  # kinds of computation that the claim names


@dataclass(frozen=True, slots=True)
class _Result:
    """A result with its sum as text, and the units that it has."""

    value: Decimal
    text: str
    operands: tuple[_Operand, ...]
    units: tuple[MeasureUnit, ...] = ()


def recompute_likely(target: Figure, claim: str, sources: Sequence[str], cues: set[str]) -> str | None:
    """Return a sum of two figures of the sources that yields a figure of the claim, or None; `cues` name its kind."""
    if not target.values or not target.values[0]:
        return None
    said = read_figures(claim)
    texts = [read_figures(source) for source in sources]
    scales = frozenset[int]().union(*(text.scales for text in texts))
    found = _operands(target, said, texts)
    if any(_is_altered(target, each.figure) for each in found):
        return None
    found = _of_years(found, said)
    everything = _chosen(found)
    kind = _kind(target, claim, cues) or ("share" if "%" in target.kinds and _is_part(found, sources) else "")
    asked = _Asked(target, claim, "\n".join((claim, *sources)), kind, found, len(found) == PAIR, frozenset(cues))
    best = max((each.named for each in everything), default=Decimal(0))
    for operands in ([each for each in everything if each.named == best or each.whole], everything):
        results = list(_results(operands, asked))
        fitting = [each for each in results if _fits(each, target, said, scales)]
        named = len(operands) <= PAIR or all(each.common for each in operands)
        limit = CHANCE_NAMED if asked.kind and named else CHANCE
        is_sure = bool(fitting) and _near(results, fitting[0]) * _width(target) <= limit
        if is_sure and (len(operands) <= PAIR or _is_tied(fitting[0])):
            return f"{fitting[0].text} = {target.text}"
    return None


def _is_part(operands: Sequence[_Operand], sources: Sequence[str]) -> bool:
    """Return whether the only two figures of the sources are counts, one “of” the other."""
    counts = len(operands) == PAIR and not any(each.kinds for each in operands)
    whole = max(operands, key=lambda each: each.amount).text if counts else ""
    return bool(whole) and any(
        re.search(rf"\b(?:of|von|der|des|de)\W+(?:the\W+|\w+ )?{re.escape(whole)}", each, re.I) for each in sources
    )


def _of_years(operands: Sequence[_Operand], said: FigureText) -> list[_Operand]:
    """Return the operands of the years that a claim names; for one year, the year before may be meant, too."""
    years = {int(each.values[0]) for each in said.figures if each.is_year and each.values}
    kept = [each for each in operands if not each.year or each.written or not years or each.year in years]
    return kept if years and len({each.row for each in kept}) > 1 else list(operands)


def _is_altered(target: Figure, figure: Figure) -> bool:
    """Return whether a figure has the digits of another one, with another unit or decimal point: no result of a sum.

    A share of the count may begin with the same digits: 18 % are 1,800 of 10,000.
    """
    if "%" in target.kinds - figure.kinds and len(figure.digits) > len(target.digits):
        return False
    mine, theirs = ("".join(filter(str.isdigit, each.digits)).strip("0") for each in (target, figure))
    return bool(mine) and mine == theirs and (len(mine) > 1 or target.digits == figure.digits)


def _is_tied(result: _Result) -> bool:
    """Return whether the claim names the operands, or one of them as a part of a total."""
    names = [each.common for each in result.operands]
    return any(names) and all(each.common or each.whole for each in result.operands)


def _near(results: Sequence[_Result], fitting: _Result) -> int:
    """Return how many different results are near a fitting one, itself included."""
    size = abs(fitting.value)
    near = {abs(each.value) for each in results if size <= NEAR * abs(each.value) <= NEAR**2 * size}
    return len(near)


def _kind(target: Figure, claim: str, cues: set[str]) -> str:
    """Return the one kind of computation that a claim names, empty if none or several."""
    kinds = {"change" if cue == "growth" else cue for cue in cues}
    if target.kinds & {"%"} or target.fraction:
        if _OF.match(claim, claim.find(target.text) + len(target.text)):
            return "share"
        kinds -= {"total", "mean"}
    if _BOTH.search(claim):
        kinds -= {"total"}
    if not kinds and target.kinds & CURRENCIES and _WITH.search(claim):
        return "total"
    return next(iter(kinds)) if len(kinds) == 1 else ""


def _operands(target: Figure, said: FigureText, texts: Sequence[FigureText]) -> list[_Operand]:
    """Return the figures of the sources that can be computed with."""
    mine = [each for each in said.figures if each.values and each.text != target.text]
    wanted = subjects(said.plain)
    found: dict[tuple[str, int, int], _Operand] = {}
    for text in texts:
        for row in source_rows(text, 0):
            for column, (figure, label) in enumerate(row.figures):
                if figure.part:
                    continue
                called = stems(label)
                common = len(called & wanted)
                is_written = any(agrees(each, figure, said.scales, text.scales) for each in mine)
                named = Decimal(1) if is_written else Decimal(common) / max(len(called), 1)
                operand = _Operand(
                    figure,
                    scaled_amount(figure),
                    row.number,
                    column,
                    label is not row.label,
                    row.is_table,
                    bool(WHOLE.search(label)),
                    named,
                    is_written,
                    row.years[column] if len(row.years) == len(row.figures) else 0,
                    common + is_written,
                )
                found.setdefault((written(figure), row.number, column), operand)
    return list(found.values())


def _chosen(operands: Sequence[_Operand]) -> list[_Operand]:
    """Return the figures that the claim writes or names, the best first; all if they are few."""
    kept = [each for each in operands if each.common or each.whole or len(operands) <= FEW]
    return sorted(kept, key=lambda each: -each.named)[:MAX_OPERANDS]


def _width(target: Figure) -> Decimal:
    """Return the share of a figure that rounding leaves open."""
    if target.fraction:
        return _FRACTION_WIDTH
    value = abs(target.values[0])
    loose = Decimal(1).scaleb(int(value.normalize().as_tuple().exponent)) if target.bound else Decimal(0)
    return max(target.place, loose) / value


def _results(operands: Sequence[_Operand], asked: _Asked) -> Iterator[_Result]:
    target = asked.target
    if target.kinds & {"%", "points"} or target.fraction:
        for one, other in permutations(operands, 2):
            if _is_beside(one, other):
                yield from _shares(one, other, asked)
        yield from _shares_of_column(operands, asked)
        return
    for one, other in permutations(operands, 2):
        if _is_beside(one, other):
            yield from _amounts(one, other, asked)
    for each in operands:
        yield from _parts(each, asked)


def _shares(one: _Operand, other: _Operand, asked: _Asked) -> Iterator[_Result]:
    shares = "%" in one.kinds, "%" in other.kinds
    pair = (one, other)
    if all(shares):
        if one.amount > other.amount and not asked.target.fraction:
            yield _Result(one.amount - other.amount, f"{one.text} − {other.text}", pair, asked.target.units)
        if not (one.written and other.written):  # from 62 % to 44 %, by 29 %
            return
    if shares[0] != shares[1] or "points" in asked.target.kinds or not (one.amount and other.amount):
        return
    if not _is_same_kind(one, other):
        return
    along = one.row == other.row or not one.in_table
    if asked.kind != "share" and along:
        value = (one.amount - other.amount) / abs(other.amount) * 100
        yield _Result(value, change_written(value, one.text, other.text), pair, PERCENT)
    if asked.kind != "change" and 0 < one.amount < other.amount:
        yield _Result(one.amount / other.amount * 100, f"{one.text} ÷ {other.text}", pair, PERCENT)
    whole = one.amount + other.amount
    apart = (one.row != other.row or not one.in_table) and not any(each.amount >= whole for each in asked.rows)
    if asked.kind != "change" and apart and one.amount > 0 < other.amount:
        text = f"{one.text} ÷ ({one.text} + {other.text})"
        yield _Result(one.amount / whole * 100, text, pair, PERCENT)


def _shares_of_column(operands: Sequence[_Operand], asked: _Asked) -> Iterator[_Result]:
    """Yield the share of each row in the sum of its column, which the rows of the lines may be without a total."""
    if asked.kind == "change" or "points" in asked.target.kinds:
        return
    columns: dict[int, list[_Operand]] = {}
    for each in asked.rows:
        columns.setdefault(each.column, []).append(each)
    for column in columns.values():
        whole = sum((each.amount for each in column), Decimal(0))
        if len(column) > 1 and all(each.amount > 0 and "%" not in each.kinds for each in column):
            text = " + ".join(each.text for each in column)
            for one in column:
                if any(one is each for each in operands):
                    yield _Result(one.amount / whole * 100, f"{one.text} ÷ ({text})", tuple(column), PERCENT)


def _amounts(one: _Operand, other: _Operand, asked: _Asked) -> Iterator[_Result]:
    target, pair = asked.target, (one, other)
    if "%" in one.kinds | other.kinds:
        if "%" in other.kinds - one.kinds:
            yield from _with_rate(one, other, asked)
        return
    if target.kinds & CURRENCIES and any(map(_counts_something_else, pair)) and not _PER.search(asked.claim):
        return
    times = target.kinds & _TIMES
    if times and not one.kinds & other.kinds & _TIMES:
        return
    if _is_same_kind(one, other) and one.amount > other.amount:
        units = one.figure.units or other.figure.units
        joined = bool(JOINED.search(asked.claim))
        named = asked.alone or all(each.written or (each.common and (each.in_table or joined)) for each in pair)
        if asked.kind == "change" or (
            not asked.kind and (named or asked.cues & {"change", "growth"} or _SINCE.search(asked.claim))
        ):
            yield _Result(one.amount - other.amount, f"{one.text} − {other.text}", pair, units)
        if not times and (asked.kind == "total" or (not asked.kind and (named or "total" in asked.cues))):
            yield _Result(one.amount + other.amount, f"{one.text} + {other.text}", pair, units)
    if times or asked.kind in ("change", "total") or not other.amount:
        return
    if (one.kinds | target.kinds) & CURRENCIES and not other.kinds & CURRENCIES:
        units = one.figure.units or target.units
        yield _Result(one.amount / other.amount, f"{one.text} ÷ {other.text}", pair, units)
        yield _Result(one.amount * other.amount, f"{one.text} × {other.text}", pair, units)
    elif asked.alone and one.amount > other.amount > 1 and _PER.search(asked.period):
        yield _Result(one.amount * other.amount, f"{one.text} × {other.text}", pair, target.units)
        yield _Result(one.amount / other.amount, f"{one.text} ÷ {other.text}", pair, target.units)
    elif one.amount > other.amount and not target.scales:
        yield _Result(one.amount / other.amount, f"{one.text} ÷ {other.text}", pair, target.units)


def _counts_something_else(operand: _Operand) -> bool:
    """Return whether an operand is a small count of what the claim does not name: the rent times “three floors”."""
    small = operand.amount == int(operand.amount) and abs(operand.amount) <= _MAX_COUNT
    return small and not (operand.in_table or operand.common or operand.kinds - _TIMES or operand.figure.scales)


def _with_rate(one: _Operand, rate: _Operand, asked: _Asked) -> Iterator[_Result]:
    """Yield an amount raised or lowered by a percentage once or several times, if the lines say that it is."""
    part = rate.amount / 100
    if asked.alone:
        text, units = f"{one.text} × {rate.text} %", one.figure.units
        if PART.search(asked.claim):
            yield _Result(one.amount * part, text, (one, rate), units)
        if _PERIOD_WORDS[0][1].search(asked.claim) and _YEARLY.search(asked.period):
            yield _Result(one.amount * part / 12, f"{text} ÷ 12", (one, rate), units)
    for times in _COMPOUND if _RAISED.search(asked.period) else ():
        power = f"^{times}" if times > 1 else ""
        for sign, value in (("+", 1 + part), ("−", 1 - part)):
            text = f"{one.text} × (1 {sign} {rate.text} %){power}"
            yield _Result(one.amount * value**times, text, (one, rate), one.figure.units)


def _parts(one: _Operand, asked: _Asked) -> Iterator[_Result]:
    """Yield the amount for a month, quarter or week of an amount for a year that is named so."""
    if "%" in one.kinds or not _YEARLY.search(asked.period) or asked.target.kinds & _TIMES:
        return
    for times, words in _PERIOD_WORDS:
        if words.search(asked.period):
            yield _Result(one.amount / times, f"{one.text} ÷ {times}", (one,), one.figure.units)


def _is_beside(one: _Operand, other: _Operand) -> bool:
    """Return whether two figures are in one row, in one column or in prose."""
    return one.prose or other.prose or one.row == other.row or one.column == other.column


def _is_same_kind(one: _Operand, other: _Operand) -> bool:
    return not one.kinds or not other.kinds or bool(one.kinds & other.kinds)


def _fits(result: _Result, target: Figure, said: FigureText, scales: frozenset[int]) -> bool:
    operands = [each.figure for each in result.operands]
    if target.fraction:
        share = Figure("", values=(abs(result.value) / 100,))
        return agrees(target, share, frozenset(), frozenset())
    return is_result(target, result.value, result.units, operands, said.scales, scales)
