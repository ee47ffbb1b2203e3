"""Judges whether a calculation that an answer does not cite gives a figure of a claim: its value and its unit.

A ratio of two amounts is no amount. Where the operands stand is a matter of `citations`.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from desktop_rag.agent.citations.numbers import agrees, figures
from desktop_rag.agent.citations.sums.calculations import OPERAND, Sum
from desktop_rag.text.figures import Figure, read_figures
from desktop_rag.text.units import CURRENCIES

SHARES = frozenset(["%", "points"])
_DIVISOR = re.compile(rf"[/÷]\s*\(*\s*[$€£]?({OPERAND})")
_ADDS = re.compile(r"[-+−–]")
_TIMES = re.compile(r"[*×·]\s*(?!100\b)")
_HUNDRED = re.compile(r"(?<![\d.,])100(?![\d.,])")


def stated_results(sums: Sequence[Sum], claim: str, missing: Collection[str]) -> Iterator[tuple[Sum, Figure]]:
    """Yield for each missing figure of a claim the last sum whose result it is, with the figure as read."""
    said = read_figures(claim)
    for figure in (each for each in figures(claim) if each.text in missing):
        for chosen in (form for each in reversed(sums) for form in _forms(each, figure)):
            results = read_figures(f"= {chosen.result}").figures
            if any(agrees(figure, result, said.scales, frozenset()) for result in results):
                yield chosen, figure
                break


def has_unit(chosen: Sum, figure: Figure, operands: Collection[str], kinds: frozenset[str]) -> bool:
    """Return whether a sum may have the unit of a figure; `kinds` are the units that lines write with its operands."""
    if len(kinds - SHARES) > 1 and _ADDS.search(chosen.text) and not _TIMES.search(chosen.text):
        return False  # euros less months
    divides = not set(_DIVISOR.findall(chosen.text)).isdisjoint(operands)
    if "points" in figure.kinds:  # between two percentages or two ratios
        return (bool(kinds) and kinds <= SHARES) or len(_DIVISOR.findall(chosen.text)) > 1
    if figure.kinds & SHARES:
        return divides or (bool(kinds) and kinds <= SHARES)
    if divides and _HUNDRED.search(chosen.text):
        return not figure.kinds and not figure.scales
    money = figure.kinds & CURRENCIES
    if money:
        return (not kinds or bool(money & kinds)) and not (divides and kinds and kinds <= CURRENCIES)
    return divides or not (figure.kinds and kinds) or bool(figure.kinds & kinds)


def _forms(chosen: Sum, figure: Figure) -> Iterator[Sum]:
    """Yield a sum, for a percentage also times 100 unless it is already."""
    yield chosen
    amount = next((each.values[0] for each in read_figures(chosen.result).figures if each.values), None)
    if amount is not None and "%" in figure.kinds and not _HUNDRED.search(chosen.text):
        yield replace(chosen, text=f"({chosen.text}) × 100", result=f"{amount * 100:f}")
