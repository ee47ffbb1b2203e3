"""Recomputes figures from rates of the cited lines: a monthly rent over a year, 12 chairs at 89 euros, plus 19 % VAT.

Only a figure whose own words make it a rate is multiplied (“per month”, “each”, “at 85 euros per hour”), and only by
what it is a rate of; a percentage only where its words name a tax, a discount or a part. So few results are possible.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from desktop_rag.agent.citations.sums.computed_pairs import amount, is_amount, is_result, stems, subjects, written
from desktop_rag.text.figures import Figure, FigureText, read_figures
from desktop_rag.text.sentences import split_sentences
from desktop_rag.text.units import CURRENCIES, MeasureUnit

MAX_AMOUNTS = 4  # to which a percentage of the lines may belong
MAX_RESULTS = 24  # tried in all
_TIMES = {
    "hour": "hourly hour hours stunde std heure hora stündlich",
    "day": "daily day days tag tage jour día täglich",
    "week": "weekly week weeks woche wochen semaine semana wöchentlich",
    "month": "monthly month months monat monate mois mensuel mensuelle mensuels mes meses mensual monatlich monatliche "
    "monatlichen monatsmiete monats calendar",
    "quarter": "quarterly quarter quarters quartal trimestre trimestriel vierteljährlich",
    "year": "yearly annual annually year years annum pa jahr jahre jährlich jährliche jährlichen jahresmiete jahres "
    "an ans année annuel annuelle año años anual",
}
TIME_OF = {word: unit for unit, words in _TIMES.items() for word in words.split()}
_PER_YEAR = {"year": 1, "quarter": 4, "month": 12, "week": 52, "day": 365}
_SECONDS = {"hour": 3_600, "day": 86_400, "week": 604_800}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_WORD = re.compile(r"[^\W\d_]+")
_AFTER = re.compile(
    r"\W{0,3}(?:per|an?|each|every|je|pro|im|par|por|al|/)\W{0,2}(?:calendar |full |working )?(?P<unit>[^\W\d_]+)|"
    r",? (?:payable |paid |due )?(?P<unit2>monthly|weekly|yearly|annually|quarterly|hourly|daily|monatlich|jährlich)",
    re.IGNORECASE,
)
_FOR_EACH = re.compile(
    r"(?: (?:a|an|per|each|every|pro|im|je) \w+)?,? (?:for (?:each|every)|per|each|pro|je|für jede[ns]?) (\w+)",
    re.IGNORECASE,
)
_EACH = re.compile(r"\s?(?:each|apiece|a piece|per piece|je Stück|pro Stück|pièce|cada un[oa])\b", re.IGNORECASE)
_AT = re.compile(r"(?:\bat(?: a (?:rate|price) of)?|@|×|\bx|\bà|\bzu(?: je)?|\bje|\bfor)\s*$", re.IGNORECASE)
_CLAUSE = re.compile(r";|\n|(?<=[^\W\d])\.\s|(?<=\d)\.\s+(?=[^\W\d])|\b(?:and|und|et|y)\b")
_SUM = re.compile(
    r"(?<!\w)(?:total\w*|all|together|altogether|overall|sums?|comes? to|adds? up|amounts?|gesamt\w*|insgesamt|"
    r"zusammen|ensemble|au total|suma\w*|en total)(?!\w)",
    re.IGNORECASE,
)
PART = re.compile(
    r"\b(?:vat|tax\w*|discount\w*|interest|deposit|commission|tip|rebate|surcharge|fees?|reduction|increase|raise|"
    r"mwst|ust|umsatzsteuer|mehrwertsteuer|rabatt|skonto|zins\w*|aufschlag|provision|tva|remise|intérêts?|iva|descuento)\b",
    re.IGNORECASE,
)
_WITH = re.compile(
    r"\b(?:incl\w*|plus|gross|with|after|brutto|inkl\w*|nach|abzüglich|zuzüglich|"
    r"ttc|ht|avec|après|con|después)\b",
    re.IGNORECASE,
)
_PART_OF = re.compile(r"\s*(?:of|von|der|des|de)\s(?:the |its |all |our |den |les |los )?$", re.IGNORECASE)
_A_THING = re.compile(r"\W{0,3}(?:an?|per|each|every|pro|je|le|la|par|por)\s([^\W\d_]{3,})", re.IGNORECASE)
_THINGS_OF = re.compile(r"\s[^\W\d_]{3,}\s(?:of|zu|à|de|at)\s(?:je )?[€$£¥]?", re.IGNORECASE)
_OFTEN_TIMES = {
    word: times
    for times, words in ((2, "twice zweimal"), (3, "thrice dreimal"), (4, "viermal"))
    for word in words.split()
} | {f"{word} times": times for word, times in (("two", 2), ("three", 3), ("four", 4))}
_OFTEN = re.compile(
    rf"(?:\s[^\W\d_]+){{0,2}}?\s(?P<often>{'|'.join(_OFTEN_TIMES)})\s(?:an?|per|daily|pro|am|täglich)\b", re.IGNORECASE
)
_NEAR = 30  # characters around a figure whose words make it a rate

_Found = tuple[Decimal, str, Sequence[Figure], tuple[MeasureUnit, ...]]


@dataclass(frozen=True, slots=True)
class _Rate:
    """A figure of the lines that is a rate of a time or of a counted thing, with the count that its clause names."""

    figure: Figure
    time: str = ""
    count: Figure | None = None


def recompute_rate(target: Figure, claim: str, near: str, sources: Sequence[str]) -> str | None:
    """Return the product or quotient of a rate that yields the figure, or None."""
    if not target.values or "%" in target.kinds:
        return None
    said = read_figures(claim)
    texts = [read_figures(source) for source in sources]
    scales = frozenset[int]().union(*(text.scales for text in texts))
    found = (
        *_of_rates(texts, said, claim),
        *_of_counts(texts, f"{claim} {near}"),
        *_of_things(texts),
        *_of_shares(texts, f"{claim} {near}"),
        *_per_head(texts, claim),
    )
    for value, text, operands, units in found[:MAX_RESULTS]:
        if is_result(target, value, units, operands, said.scales, scales):
            return f"{text} = {target.text}"
    return None


def _of_rates(texts: Sequence[FigureText], said: FigureText, claim: str) -> Iterator[_Found]:
    rates = [rate for text in texts for rate in _rates(text)]
    periods = {TIME_OF[word] for word in map(str.casefold, _WORD.findall(claim)) if word in TIME_OF}
    durations = [*filter(_is_time, said.figures), *_durations(texts, rates, claim)]
    products: list[tuple[Decimal, str, Figure]] = []
    for rate in rates:
        value, text, units = amount(rate.figure), written(rate.figure), rate.figure.units
        if rate.count is not None and (times := _times(rate.count, rate.time)):
            product = (value * times, f"{written(rate.count)} × {text}")
            products.append((*product, rate.figure))
            yield *product, (rate.figure,), units
        for period in periods - {rate.time} if rate.time in _PER_YEAR else ():
            if period in _PER_YEAR:
                above, below = _PER_YEAR[rate.time], _PER_YEAR[period]
                factor = f"× {above // below}" if above % below == 0 else f"÷ {below // above}"
                yield value * above / below, f"{text} {factor}", (rate.figure,), units
        for duration in durations if rate.time else ():
            if times := _times(duration, rate.time):
                yield value * times, f"{text} × {_plain(times)}", (rate.figure,), units
    if products and _SUM.search(claim):
        yield from _totals(texts, products, rates)


def _is_time(figure: Figure) -> bool:
    return bool(figure.kinds & {"months", "seconds"})


def _durations(texts: Sequence[FigureText], rates: Sequence[_Rate], claim: str) -> Iterator[Figure]:
    """Yield the durations of the lines that may be meant: a notice of three months is no factor of the rent.

    They are in the sentence of a rate or in one with a word of the claim, or a total is said and there is no other.
    """
    known = [(each, text) for text in texts for each in text.figures if _is_time(each)]
    wanted, priced = subjects(claim), {id(rate.figure) for rate in rates}
    for figure, text in known:
        spans = ((start, end) for start, end in split_sentences(text.plain) if start <= figure.start < end)
        start, end = next(spans, (figure.start, figure.end))
        beside = any(id(each) in priced and start <= each.start < end for each in text.figures)
        about = subjects(f"{text.plain[start : figure.start]} {text.plain[figure.end : end]}")
        if beside or about & wanted or (len(known) == 1 and _SUM.search(claim)):
            yield figure


def _of_counts(texts: Sequence[FigureText], asked: str) -> Iterator[_Found]:
    """Yield an amount “for each car” times the number of cars that the claim or question counts."""
    counted = read_figures(asked)
    for text in texts:
        for each in text.figures:
            thing = _FOR_EACH.match(text.plain, each.end) if is_amount(each) and each.kinds & CURRENCIES else None
            for count in counted.figures if thing else ():
                after = stems(" ".join(counted.plain[count.end :].split()[:1]))
                if thing and is_amount(count) and not count.units and after & stems(thing[1]):
                    product = f"{written(each)} × {_plain(count.values[0])}"
                    yield amount(each) * count.values[0], product, (each,), each.units


def _of_things(texts: Sequence[FigureText]) -> Iterator[_Found]:
    """Yield what lines tell of several equal things: “8 bags, 6.50 a bag”, “12 instalments of £28”, “twice a day”."""
    for text in texts:
        amounts = [each for each in text.figures if is_amount(each) and "%" not in each.kinds]
        for each in amounts:
            thing, often = _A_THING.match(text.plain, each.end), _OFTEN.match(text.plain, each.end)
            if often and each.units:
                times = _OFTEN_TIMES[often["often"].casefold()]
                yield amount(each) * times, f"{times} × {written(each)}", (each,), each.units
            for count in amounts if each.kinds & CURRENCIES or thing else ():
                between = text.plain[count.end : each.start]
                after = stems(" ".join(text.plain[count.end :].split()[:1]))
                of_thing = bool(thing and thing[1].casefold() not in TIME_OF and after & stems(thing[1]))
                if not count.units and count is not each and (of_thing or _THINGS_OF.fullmatch(between)):
                    yield amount(each) * count.values[0], f"{written(count)} × {written(each)}", (each,), each.units


def _totals(
    texts: Sequence[FigureText], products: Sequence[tuple[Decimal, str, Figure]], rates: Sequence[_Rate]
) -> Iterator[_Found]:
    """Yield the sum of all products of the lines, alone and with their other amounts of the same currency."""
    figure = products[0][2]
    total, text = sum((each[0] for each in products), Decimal(0)), " + ".join(each[1] for each in products)
    yield total, text, (figure,), figure.units
    used = {id(rate.figure) for rate in rates}
    others = [
        each
        for source in texts
        for each in source.figures
        if is_amount(each) and id(each) not in used and each.kinds & CURRENCIES and each.kinds & figure.kinds
    ]
    if others:
        value = total + sum(map(amount, others), Decimal(0))
        yield value, " + ".join((text, *map(written, others))), (figure,), figure.units


def _of_shares(texts: Sequence[FigureText], claim: str) -> Iterator[_Found]:
    """Yield an amount times a percentage that the lines name a tax, a discount or a part of it, and with it."""
    figures = [(each, text.plain) for text in texts for each in text.figures if is_amount(each)]
    amounts = [each for each, _ in figures if "%" not in each.kinds and each.kinds & CURRENCIES]
    named = stems(claim)
    for share, plain in figures:
        if "%" not in share.kinds:
            continue
        part = amount(share) / 100
        around = plain[max(share.start - _NEAR, 0) : share.end + _NEAR]
        words = PART.findall(around)
        meant = bool(words) and bool(stems(" ".join(words)) & named or _WITH.search(claim))
        for each in amounts if meant and len(amounts) <= MAX_AMOUNTS else ():
            yield amount(each) * part, f"{written(each)} × {written(share)} %", (each,), each.units
            yield amount(each) * (1 + part), f"{written(each)} × (1 + {written(share)} %)", (each,), each.units
            yield amount(each) * (1 - part), f"{written(each)} × (1 − {written(share)} %)", (each,), each.units
        for each, other in figures:
            if other is plain and share.end < each.start and _PART_OF.fullmatch(plain[share.end : each.start]):
                yield amount(each) * part, f"{written(share)} % × {written(each)}", (each,), each.units


def _per_head(texts: Sequence[FigureText], claim: str) -> Iterator[_Found]:
    """Yield an amount divided by a count of what the claim says “per” of: revenue per employee."""
    asked = stems(" ".join(match[1] for match in re.finditer(r"\b(?:per|each|pro|je|par|por) (\w+)", claim)))
    figures = [each for text in texts for each in text.figures if is_amount(each)]
    counts = [each for each in figures if stems(f"{each.text} {each.noun}") & asked and amount(each)]
    for each in figures:
        if each.kinds & (CURRENCIES | {"people"}):
            for count in counts[:2]:
                yield amount(each) / amount(count), f"{written(each)} ÷ {written(count)}", (each,), each.units


def _rates(text: FigureText) -> Iterator[_Rate]:
    """Yield the rates of a text; a count belongs to a rate if it stands before it in its clause."""
    plain = text.plain
    money = [each for each in text.figures if is_amount(each) and "%" not in each.kinds]
    for each in money:
        if each.kinds & {"months", "seconds"} or not (each.units or each.scales or len(each.digits) > 1):
            continue
        begin = max((m.end() for m in _CLAUSE.finditer(plain, 0, each.start)), default=0)
        start = each.start - 1 if plain[max(each.start - 1, 0)] in "€$£¥₹" else each.start
        before = [other for other in money if begin <= other.start < each.start and not other.kinds & CURRENCIES]
        time = _time_after(plain, each.end) or _time_before(plain[max(begin, each.start - _NEAR) : each.start])
        count = (
            before[-1] if before and (time or _AT.search(plain, begin, start) or _EACH.match(plain, each.end)) else None
        )
        if time or count is not None:
            yield _Rate(each, time, count)


def _time_after(plain: str, end: int) -> str:
    match = _AFTER.match(plain, end)
    return TIME_OF.get((match["unit"] or match["unit2"]).casefold(), "") if match else ""


def _time_before(before: str) -> str:
    """Return the time of “the monthly rent is”; a word between two figures belongs to neither."""
    adjectives = [TIME_OF[word] for word in map(str.casefold, _WORD.findall(before)) if word in TIME_OF]
    return adjectives[-1] if adjectives and not re.search(r"\d", before) else ""


def _times(duration: Figure, unit: str) -> Decimal:
    """Return how many units of time a duration has, its own value if it is a count, 0 if they cannot be converted."""
    if not unit or not duration.kinds & {"months", "seconds"}:
        return duration.values[0]
    for measure in duration.units:
        if measure.kind == "months" and unit in _MONTHS:
            return duration.values[0] * measure.factor / _MONTHS[unit]
        if measure.kind == "seconds" and unit in _SECONDS:
            return duration.values[0] * measure.factor / _SECONDS[unit]
    return Decimal(0)


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"
