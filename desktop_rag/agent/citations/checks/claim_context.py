"""Finds what a claim takes out of its context: another speaker, period or side of a figure, a condition made a fact.

Silent unless the cited lines write both: the words of the claim, and the speaker, period, verb or “if” beside them.
"""

import re
from collections.abc import Iterator

from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.numbers import is_same
from desktop_rag.agent.events import ClaimFault
from desktop_rag.text.figures import Figure, read_figures

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
