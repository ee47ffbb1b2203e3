"""Recomputes a figure that the cited lines do not write but yield: differences, sums, shares, growth, averages, spans.

A wrong figure must not be accepted by chance. So the claim has to name a computation (“increase”, “total”, “share of”),
operands must be written in the claim or in rows that it names, rows and columns of a table are combined as a
reader would (one row over two years, two rows of one year), and the more results are possible, the more digits the
figure must have.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, permutations

from desktop_rag.agent.citations.check_words import FALLS, RISES
from desktop_rag.agent.citations.numbers import agrees
from desktop_rag.agent.citations.sums.common_units import in_common_units
from desktop_rag.agent.citations.sums.computed_pairs import MARGIN, PROFIT, change_written
from desktop_rag.agent.citations.sums.computed_rates import recompute_rate
from desktop_rag.agent.citations.sums.computed_spans import recompute_clock, recompute_date, recompute_span
from desktop_rag.agent.citations.sums.counted_parts import recompute_count
from desktop_rag.agent.citations.sums.derivations import derive
from desktop_rag.agent.citations.sums.likely_sums import recompute_likely
from desktop_rag.agent.citations.sums.named_ratios import recompute_difference, recompute_ratio
from desktop_rag.agent.citations.sums.source_rows import WHOLE, is_operand, scaled_amount, source_rows
from desktop_rag.agent.citations.sums.stated_sums import recompute_stated
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem
from desktop_rag.text.figures import Figure, FigureText, read_figures
from desktop_rag.text.normalize import fold_quote, words
from desktop_rag.text.units import CURRENCIES, MeasureUnit

MAX_OPERANDS = 12
MAX_SUM = 6  # operands of a sum or an average
CHANCE_NAMED = Decimal("0.4")  # results tried × width of the figure's last digit, as a share of the figure
CHANCE_OTHER = Decimal("0.06")
MIN_LABEL = Decimal("0.5")  # share of a row's words that the claim writes
_PAIR = 2  # figures in the cited lines that need no name in the claim
_SURE_WIDTH = Decimal("0.01")  # of a figure of three digits
_FEW = 4  # figures in the cited lines that are all taken for operands
_MAX_LINES = 10_000  # of one source
_WHOLE_SHARE = 100
# The names of reports, as in “ACME_2023_10K.pdf”, are not ten thousand.
_FORM = re.compile(r"(?<![^\W_])(?<![$€£¥.,-])(?:10-?[KQ]|[68]-K|[24]0-F)(?![^\W_])|(?<=\d{4}[ _])[68]K(?![^\W_])")
_LAST_YEAR = 2_100  # larger numbers of four digits are amounts
_PERCENT = (MeasureUnit("%"),)

_CHANGE = (
    r"differ\w*|increas\w*|decreas\w*|r(?:ais|is)(?:e[sd]?|ing|en)|rose|fell|fall\w*|grew|grow\w*|gain\w*|los[st]\w*|lower\w*|higher|"
    r"more|less|fewer|up|down|gap|shr[aiu]nk\w*|chang\w*|declin\w*|drop\w*(?! out)|reduc\w*|improv\w*|narrow\w*|"
    r"widen\w*|sav\w+|jump\w*|exceed\w*|(?<=% )(?:below|above)|outnumber\w*|swing|remain\w*|left|after|before|"
    r"compar\w*|Differenz|Unterschied|Anstieg|Zunahme|Zuwachs|Rückgang|Abnahme|stieg\w*|sank\w*|wuchs|gewachsen|gestiegen|gesunken|mehr|weniger|Veränderung|Wachstum|höher|niedriger|Überschuss|"
    r"différence|gagn\w*|hausse|augment\w*|baiss\w*|diminu\w*|croissance|plus|moins|écart|diferencia|aument\w*|increment\w*|"
    r"dismin\w*|descen\w*|crec\w*|subi\w*|baj[oóa]\w*|más|menos|variación"
)
_TOTAL = (
    r"total\w*|add(?:s|ed|ing)? up|sums?|together|combined|altogether|overall|in all|both|aggregate|cumulative\w*|"
    r"gesamt\w*|Summe|zusammen|insgesamt|beide\w*|somme|ensemble|au total|suma\w*|juntos|conjunto"
)
_SHARE = (
    r"ratio\w*|margins?|rates?|per|shares?|proportions?|portion|percent\w*|times|accounts? for|accounted|comprise[sd]?|"
    r"represent\w*|makes? up|made up|consist\w*|of (?:the |its |all )?total|\d+ of (?:the )?\d+|yield|return|turnover|"
    r"leverage|coverage|conversion|% of|half|third|quarter|Anteil\w*|Verhältnis|Marge|Quote|Prozent|pro|"
    r"entspricht|parts?|marge|taux|rapport|représent\w*|proporción|margen|cuota|tasa|porcentaje|represent\w*|por"
)
_GROWTH = r"growth|year[- ]over[- ]year|yoy|cagr|compound\w*|annuali[sz]ed|Wachstum\w*|croissance|crecimiento"
_MEAN = r"averag\w*|mean|Durchschnitt\w*|Mittel\w*|durchschnittlich\w*|moyenne|en moyenne|promedio|media"
_CUES = {
    name: re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)
    for name, pattern in (
        ("change", _CHANGE),
        ("total", _TOTAL),
        ("share", _SHARE),
        ("growth", f"{_GROWTH}|{_CHANGE}"),
        ("mean", _MEAN),
    )
}
_OTHERS = re.compile(
    r"(?<!\w)(?:others?|rest|remain\w*|outside|without|not|non|übrig\w*|andere\w*|ohne|nicht|autres?|reste|sans|"
    r"otr[oa]s|resto|sin)(?!\w)",
    re.IGNORECASE,
)
_ADDED = re.compile(rf"(?<!\w)(?:{_TOTAL}|{_MEAN})(?!\w)", re.IGNORECASE)
_COMPOUND = re.compile(r"(?<!\w)(?:cagr|compound\w*|annuali[sz]ed|durchschnittliche\w* jährliche\w*)(?!\w)", re.I)
_CHINESE = {"change": "增减多少比降升除", "total": "共总合", "share": "占率", "growth": "增长", "mean": "均"}
_TIMES = frozenset(["times", "x", "mal", "fois", "veces", "fold"])


@dataclass(frozen=True, slots=True)
class _Operand:
    """A figure of the cited lines, with its place in a table; `amount` includes its scale."""

    figure: Figure
    amount: Decimal
    text: str
    row: int
    column: int
    year: int
    named: int  # words of its label in the claim
    label: Decimal  # the share of its label's words in the claim
    prose: bool  # not in a table
    written: bool  # the claim or its neighbours write it too
    whole: bool  # its row is a total, which shares and margins refer to


@dataclass(frozen=True, slots=True)
class _Result:
    """A computed value with its sum as text; `percent` results are percentages."""

    value: Decimal
    sum: str
    operands: tuple[_Operand, ...]
    percent: bool = False
    plain: bool = False  # a ratio without unit


def recompute(figure: str, sources: Sequence[str], claim: str, near: str = "", sentence: str = "") -> str | None:
    """Return the sum that yields a figure of the claim from the figures of the sources, or None.

    `sources` are cited lines and their context; `near` is the text around the claim, whose figures may be operands too.
    `sentence` is that of the sources which is most like the claim: its few figures may be enough where a sum is named.
    """
    said = read_figures(claim)
    target = next((each for each in said.figures if each.text == figure or figure in each.text), None)
    if target is None or not figure:
        return None
    near, *sources = (_FORM.sub(_blank, text) for text in (near, *sources))
    cues = _cues(target, claim)
    if found := _recompute_plainly(target, claim, near, sources, cues):
        return found
    if not _may_be_computed(target):
        return None
    common = in_common_units(sources, target)
    sources, own = common.sources, cues
    if not cues and _width(target) <= _SURE_WIDTH and _count_operands(sources) <= _FEW:
        # The source itself computes, “£412 more than a year ago”; a column called “Total value” does not.
        cues = _cues(target, " ".join(sources)) - {"total"}
    texts = [read_figures(source) for source in sources]
    scales = frozenset[int]().union(*(text.scales for text in texts))
    operands = _operands(texts, target, said, read_figures(near), scales)
    found = _recompute_from(operands, cues, target, said, scales) if cues else None
    found = found or recompute_likely(target, claim, sources, cues)
    found = found or derive(target, claim, sources, own)
    if not found and sentence and (own or "%" in target.kinds):
        return recompute(figure, [sentence], claim)
    return common.as_written(found)


def _recompute_from(
    operands: Sequence[_Operand], cues: set[str], target: Figure, said: FigureText, scales: frozenset[int]
) -> str | None:
    """Return a sum of the kinds that the claim names, from the operands that it names best, or None."""
    named = sum(map(_is_written, operands)) >= _PAIR
    for tier, chance in _TIERS:
        chosen = [operand for operand in operands if tier(operand)]
        results = [
            each for each in _results(chosen, cues, target, said.plain) if len(chosen) <= _PAIR or _is_tied(each)
        ]
        if named and chance:
            chance = CHANCE_OTHER
        if chance and len(chosen) > _PAIR and len(results) * _width(target) > chance:
            continue
        for result in results:
            if _yields(result, target, said.scales, scales):
                return f"{result.sum} = {target.text}"
    return None


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _may_be_computed(target: Figure) -> bool:
    year = target.is_year and bool(target.values) and target.values[0] <= _LAST_YEAR
    return bool(target.values) and not (target.name or target.period or target.ordinal or year)


def _recompute_plainly(target: Figure, claim: str, near: str, sources: Sequence[str], cues: set[str]) -> str | None:
    """Return a sum that the words of claim and lines name, such as a span of time, a margin or a rate; else None."""
    spans = recompute_span(target, claim, sources) or recompute_date(target, claim, sources)
    if spans := spans or recompute_clock(target, sources):
        return spans
    if stated := recompute_stated(target, claim, sources):
        return stated
    if not _may_be_computed(target):
        return None
    common = in_common_units(sources, target)
    sources = common.sources
    return common.as_written(
        _rest(target, claim, sources)
        or recompute_count(target, claim, sources)
        or recompute_ratio(target, claim, near, sources)
        or recompute_difference(target, claim, near, sources)
        or recompute_rate(target, claim, near, sources)
    )


def _rest(target: Figure, claim: str, sources: Sequence[str]) -> str | None:
    """Return what a percentage of the lines leaves of a hundred if a claim is about the rest: over 95 %, under 5 %."""
    if "%" not in target.kinds:
        return None
    shares = (each for source in sources for each in read_figures(source).figures if "%" in each.kinds and each.values)
    if not _OTHERS.search(claim):
        shares = (each for each in shares if {each.bound, target.bound} == {"over", "under"})
    fitting = (each for each in shares if 100 - each.values[0] in target.values)
    return next((f"100 − {each.digits} = {target.text}" for each in fitting), None)


def _count_operands(sources: Sequence[str]) -> int:
    return sum(is_operand(figure) for source in sources for figure in read_figures(source).figures)


def _cues(target: Figure, claim: str) -> set[str]:
    """Return the kinds of computation that the claim names; a percentage may always be a share."""
    cues = {name for name, cue in _CUES.items() if cue.search(claim) or any(sign in claim for sign in _CHINESE[name])}
    if target.fraction or target.noun in _TIMES or ("%" in target.kinds and cues and not cues & {"change", "growth"}):
        cues.add("share")
    return cues


def _operands(
    texts: Sequence[FigureText], target: Figure, said: FigureText, near: FigureText, scales: frozenset[int]
) -> list[_Operand]:
    """Return the figures that may be operands, those that the claim names best first."""
    claimed = [each for each in (*said.figures, *near.figures) if each.values and each.text != target.text]
    stems = _stems(f"{said.plain} {near.plain}")
    if stems & MARGIN:
        stems |= PROFIT
    years = _years((*said.figures, *near.figures))
    if _ADDED.search(said.plain) and years:  # the years 2020 to 2022
        years = frozenset(range(min(years), max(years) + 1))
    if len(years) == 1 and _CUES["growth"].search(said.plain):  # growth in 2023 is growth from 2022
        years |= {year - 1 for year in years}
    found: list[_Operand] = []
    for index, text in enumerate(texts):
        for row in source_rows(text, index * _MAX_LINES):
            for column, (each, label) in enumerate(row.figures):
                found.append(
                    _Operand(
                        each,
                        scaled_amount(each),
                        each.digits or each.text,
                        row.number,
                        column,
                        row.years[column] if len(row.years) == len(row.figures) else 0,
                        len(stems & (called := _stems(label))),
                        Decimal(len(stems & called)) / max(len(called), 1),
                        prose=label is not row.label,
                        written=any(agrees(mine, each, frozenset(), scales) for mine in claimed),
                        whole=bool(WHOLE.search(label)),
                    )
                )
    unique = {(operand.text, operand.row, operand.column): operand for operand in found}
    few = len(unique) <= _FEW
    kept = [
        operand
        for operand in unique.values()
        if (few or operand.written or operand.named > operand.prose or operand.whole > operand.prose)
        and (operand.written or not (years and operand.year) or operand.year in years)
    ]
    kept.sort(key=lambda operand: (-operand.written, -operand.label, -operand.named, operand.row, operand.column))
    return kept[:MAX_OPERANDS]


def _is_written(operand: _Operand) -> bool:
    return operand.written


def _is_labelled(operand: _Operand) -> bool:
    return operand.written or operand.whole or operand.label >= MIN_LABEL


def _is_called(operand: _Operand) -> bool:
    return operand.written or operand.label == 1


_TIERS = ((_is_written, None), (_is_called, CHANCE_NAMED), (_is_labelled, CHANCE_NAMED), (bool, CHANCE_OTHER))


def _is_tied(result: _Result) -> bool:
    """Return whether the claim writes or names at least one operand."""
    return any(operand.written or operand.named for operand in result.operands)


def _years(figures: Sequence[Figure]) -> frozenset[int]:
    """Return the years that figures name."""
    days = {day.year for each in figures if each.when for day in each.when.days}
    return frozenset(days | {int(each.values[0]) for each in figures if each.is_year and each.values})


@lru_cache(maxsize=1 << 10)
def _stems(text: str) -> frozenset[str]:
    folds = {word.text for word in words(fold_quote(text)) if len(word.text) > 2 and not word.text[0].isdigit()}
    return frozenset(stem(word) for word in folds - STOP_WORDS)


def _width(target: Figure) -> Decimal:
    """Return the width of the last digit written as a share of the figure."""
    if target.fraction:
        return Decimal("0.1")
    return target.place / abs(target.values[0]) if target.values[0] else Decimal(1)


def _results(operands: Sequence[_Operand], cues: set[str], target: Figure, claim: str) -> Iterator[_Result]:
    """Yield what the claim's words may mean, for a percentage or for an amount."""
    percent = bool(target.kinds & {"%", "points"})
    wholes = any(operand.whole for operand in operands)
    for one, other in permutations(operands, 2):
        if not _comparable(one, other):
            continue
        differs = one.amount > other.amount and _same_place(one, other) and not _mixed(one, other)
        if "change" in cues and differs and _may_differ(one, other) and (not percent or _may_be_share(one, other)):
            # Cash paid is in brackets: it is subtracted from another row, whatever its sign.
            less = abs(other.amount) if one.row != other.row and one.amount > 0 else other.amount
            yield _Result(one.amount - less, f"{one.text} − {other.text}", (one, other))
        if (
            percent
            and other.amount
            and (_both_written(one, other) or not ("%" in one.figure.kinds or "%" in other.figure.kinds))
        ):
            if "growth" in cues and one.amount != other.amount and _same_row(one, other) and _are_apart(one, other):
                yield from _growth(one, other, claim)
            if cues & {"share", "mean"} and _same_column(one, other) and (not wholes or _is_part(one, other)):
                yield _Result(one.amount / other.amount * 100, f"{one.text} ÷ {other.text}", (one, other), percent=True)
        if not percent and "share" in cues and other.amount and one.amount != other.amount and _same_place(one, other):
            yield _Result(one.amount / other.amount, f"{one.text} ÷ {other.text}", (one, other), plain=True)
    if percent and "share" in cues:
        yield from _share_changes(operands)
    if cues & {"total", "mean"}:
        yield from _sums(operands, cues)


def _may_differ(one: _Operand, other: _Operand) -> bool:
    """Return whether a difference may be meant: rows of a table are subtracted only if the claim names both."""
    return one.row == other.row or one.prose or other.prose or (_is_labelled(one) and _is_labelled(other))


def _growth(one: _Operand, other: _Operand, claim: str) -> Iterator[_Result]:
    folds = {word.text for word in words(fold_quote(claim))}
    if one.amount > other.amount and folds & FALLS and not folds & RISES:
        return  # of a fall the larger amount is divided by
    yield _Result(
        (one.amount - other.amount) / abs(other.amount) * 100,
        change_written(one.amount - other.amount, one.text, other.text),
        (one, other),
        percent=True,
    )
    span = one.year - other.year
    if span > 1 and _COMPOUND.search(claim) and one.amount > 0 < other.amount:
        rate = ((one.amount / other.amount) ** (Decimal(1) / span) - 1) * 100
        yield _Result(rate, f"({one.text} ÷ {other.text})^(1/{span}) − 1", (one, other), percent=True)


def _share_changes(operands: Sequence[_Operand]) -> Iterator[_Result]:
    """Yield how a share of one row in another changed between two years of a table."""
    by_place = {(operand.row, operand.year): operand for operand in operands if operand.year}
    for (row, year), (whole, other_year) in permutations(by_place, 2):
        if row == whole or year <= other_year:
            continue
        four = [by_place.get(place) for place in ((row, year), (whole, year), (row, other_year), (whole, other_year))]
        a, b, c, d = four
        if a and b and c and d and b.amount and d.amount:
            value = (a.amount / b.amount - c.amount / d.amount) * 100
            text = f"{a.text} ÷ {b.text} − {c.text} ÷ {d.text}"
            yield _Result(value, text, (a, b, c, d), percent=True)


def _sums(operands: Sequence[_Operand], cues: set[str]) -> Iterator[_Result]:
    """Yield totals and averages of a row, of a column, and of what the claim writes."""
    groups = {tuple(o for o in operands if o.row == row) for row in {o.row for o in operands}}
    groups |= {tuple(o for o in operands if o.column == column) for column in {o.column for o in operands}}
    groups.add(tuple(o for o in operands if o.written))
    for group in sorted(groups, key=len):
        sizes = range(2, len(group) + 1) if len(group) <= MAX_SUM else (2, len(group))
        for size in sizes:
            for chosen in combinations(group, size):
                if len({o.figure.kinds for o in chosen if o.figure.kinds}) > 1:
                    continue
                total = sum((o.amount for o in chosen), Decimal(0))
                text = " + ".join(o.text for o in chosen)
                if "total" in cues:
                    yield _Result(total, text, chosen)
                if "mean" in cues:
                    yield _Result(total / size, f"({text}) ÷ {size}", chosen)


def _comparable(one: _Operand, other: _Operand) -> bool:
    kinds, others = one.figure.kinds, other.figure.kinds
    return not kinds or not others or bool(kinds & others) or not (kinds & CURRENCIES and others & CURRENCIES)


def _mixed(one: _Operand, other: _Operand) -> bool:
    return bool(one.figure.kinds and other.figure.kinds and not one.figure.kinds & other.figure.kinds)


def _is_part(one: _Operand, other: _Operand) -> bool:
    """Return whether one operand may be a part of the other: of a total, or as the claim names both."""
    return other.whole or (_is_called(one) and _is_called(other))


def _may_be_share(*operands: _Operand) -> bool:
    return all(
        "%" in each.figure.kinds or (not each.figure.units and abs(each.amount) <= _WHOLE_SHARE) for each in operands
    )


def _both_written(one: _Operand, other: _Operand) -> bool:
    """Return whether the claim writes both: “by 29 %, from 62 % to 44 %”."""
    return one.written and other.written


def _same_row(one: _Operand, other: _Operand) -> bool:
    return one.row == other.row or (one.written and other.written)


def _are_apart(one: _Operand, other: _Operand) -> bool:
    """Return whether amounts may be of two years: no growth from three to six months of one year."""
    return one.year != other.year or not one.year or _both_written(one, other)


def _same_column(one: _Operand, other: _Operand) -> bool:
    if one.year and other.year:
        return one.year == other.year and one.row != other.row
    return one.prose or other.prose or one.column == other.column or _same_row(one, other)


def _same_place(one: _Operand, other: _Operand) -> bool:
    return _same_row(one, other) or _same_column(one, other)


def _yields(result: _Result, target: Figure, said_scales: frozenset[int], scales: frozenset[int]) -> bool:
    """Return whether a result, rounded as the figure is written, is the figure."""
    if result.percent:
        units: tuple[MeasureUnit, ...] = _PERCENT
    elif result.plain:
        if target.kinds or target.scales:
            return False
        units = ()
    else:
        units = next((operand.figure.units for operand in result.operands if operand.figure.units), ())
    if "points" in target.kinds and any(unit.kind == "%" for unit in units):
        units = target.units
    scaled = any(operand.figure.scales for operand in result.operands)
    computed = Figure(
        result.sum, values=(abs(result.value),), scales=(1,) if scaled or result.percent else (), units=units
    )
    return agrees(target, computed, said_scales, frozenset() if result.percent or scaled else scales)
