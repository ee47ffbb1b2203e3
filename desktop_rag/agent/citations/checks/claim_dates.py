"""Compares periods and dates: a rate for another period, “before” and “after” with the dates of both events.

Silent unless the cited lines write both sides of the comparison.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.checks.claim_owners import clauses
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import content_stems, split_words, stems_of
from desktop_rag.agent.citations.numbers import is_same
from desktop_rag.text.figures import Figure, read_figures

_ORDER = re.compile(
    r"\b(?:(?P<before>before|earlier than|prior to|bevor|vor(?! allem)|avant|antes)|"
    r"after|later than|nachdem|nach|après|después)\b",
    re.IGNORECASE,
)
_BREAK = re.compile(r"[;.](?=\s|$)")

_PERIODS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:hourly|(?:an|per|each|every) hour|stündlich|pro stunde)\b",
        r"\b(?:daily|(?:a|per|each|every) day|täglich|pro tag|par jour|(?:al|por) día)\b",
        r"\b(?:weekly|(?:a|per|each|every) week|wöchentlich|pro woche|par semaine|por semana)\b",
        r"\b(?:monthly|(?:a|per|each|every) month|monatlich\w*|(?:pro|im) monat|par mois|mensuel\w*|mensual\w*|"
        r"(?:al|por) mes)\b",
        r"\b(?:quarterly|(?:a(?! quarter of)|per|each|every) quarter|vierteljährlich\w*|(?:pro|im) quartal|"
        r"(?:par|por) trimestre|trimestr(?:iel|al)\w*)\b",
        r"\b(?:yearly|annual|annually|(?:a|per|each|every) year|jährlich\w*|pro jahr|im jahr(?! \d)|par an|"
        r"annuel\w*|anual\w*|(?:al|por) año)\b",
    )
)

_Date = tuple[int, int, int]


def other_order(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “before” of a claim whose lines date its first event after its second, and the other way round."""
    found = list(_ORDER.finditer(statement.text))
    if len(found) != 1 or statement.denies:
        return
    said, told = map(_stems, _sides(statement.text, found[0]))
    dated = [each for sentence in evidence.prose.split("\n") for each in _dated(sentence)]
    sides = _sides(statement.text, found[0])
    own, other_own = map(_own_date, sides)
    nothing = frozenset[str]()
    first = own or _date(dated, said - told, nothing if other_own else told - said)
    second = other_own or _date(dated, told - said, nothing if own else said - told)
    if first is None or second is None:
        return
    known = min(_known(first[0]), _known(second[0]))
    one, other = first[0][:known], second[0][:known]
    if one != other and (one < other) != bool(found[0]["before"]):
        yield ClaimFault("direction", found[0][0], f"{first[1].text} … {second[1].text}")


def _own_date(side: str) -> tuple[_Date, Figure] | None:
    """Return the only date that a claim gives for an event."""
    dates = [(date, each) for each in read_figures(side).figures if (date := _when(each))]
    return dates[0] if len(dates) == 1 else None


def _stems(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text without cardinal numbers."""
    counted = [each for each in read_figures(text).figures if not each.ordinal]
    words = [word for word in split_words(text) if not any(each.start <= word.start < each.end for each in counted)]
    return content_stems(words)


def _sides(text: str, match: re.Match[str]) -> tuple[str, str]:
    before, after = text[: match.start()], text[match.end() :]
    if before.strip():
        return _BREAK.split(before)[-1], _BREAK.split(after)[0]
    begun, _, rest = after.partition(",")  # “After A, B”
    return rest, begun


def _date(
    dated: Sequence[tuple[_Date, Figure, frozenset[str]]], stems: frozenset[str], others: frozenset[str]
) -> tuple[_Date, Figure] | None:
    """Return the date of the clause that has most words of one event, less those of the other; None if unclear."""
    often = Counter(stem for _, _, held in dated for stem in held)
    stems, others = (frozenset(stem for stem in each if often[stem] == 1) for each in (stems, others))
    scored = [(len(held & stems) - len(held & others), date, figure) for date, figure, held in dated if held & stems]
    most = max((score for score, *_ in scored), default=0)
    best = {date: figure for score, date, figure in scored if score == most}
    return next(iter(best.items())) if most > 0 and len(best) == 1 else None


def _dated(sentence: str) -> Iterator[tuple[_Date, Figure, frozenset[str]]]:
    """Yield the date of each clause, that of the sentence if it has only one, with the stems of the clause."""
    read = read_figures(sentence)
    words = split_words(read.plain)
    dates = [(date, each) for each in read.figures if (date := _when(each))]
    stems = frozenset[str]()
    alone = len({date for date, _ in dates}) == 1
    for start, end in clauses(read.plain, words):
        here = [pair for pair in dates if start <= pair[1].start < end]
        own = frozenset[str]().union(*(stems_of(word.text) for word in words if start <= word.start < end))
        stems = own if any(stem.isalpha() for stem in own) else stems | own  # “SPSS (2009)”
        for date, figure in dates[:1] if alone else here[:1]:
            yield date, figure, stems


def _known(date: _Date) -> int:
    """Return how many parts of a date are known."""
    return next((at for at, part in enumerate(date) if not part), len(date))


def _when(figure: Figure) -> _Date | None:
    if figure.is_year and figure.values:
        return (int(figure.values[0]), 0, 0)
    day = figure.when.days[0] if figure.when and len(figure.when.days) == 1 else None
    return (day.year, day.month, day.day) if day and day.year else None


def other_period(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the period of a rate that the lines give for another one: £4,250 a year, the monthly rent is £4,250."""
    claim, sentence = statement.text, evidence.nearest
    mine = [(number, match) for number, each in enumerate(_PERIODS) if (match := each.search(claim))]
    theirs = {number: match for number, each in enumerate(_PERIODS) if (match := each.search(sentence))}
    if len(mine) != 1 or len(theirs) != 1 or mine[0][0] in theirs:
        return
    said, written = _amounts(claim), _amounts(sentence)
    if said and all(any(is_same(each, other) for other in written) for each in said):
        yield ClaimFault("figure", mine[0][1][0], next(iter(theirs.values()))[0])


def _amounts(text: str) -> list[Figure]:
    return [each for each in read_figures(text).figures if not each.when and not each.spelled and not each.name]
