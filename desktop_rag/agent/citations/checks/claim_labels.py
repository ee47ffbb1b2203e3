"""Finds an amount that a claim binds to another label or year than its lines: the deposit is 1,200 over rent 1,200.

Silent unless the lines bind both: the label of the claim to another amount, and its amount to another label.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from desktop_rag.agent.citations.check_words import word_set
from desktop_rag.agent.citations.checks.claim_changes import dated_amounts
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.numbers import agrees
from desktop_rag.agent.citations.sums.computed_pairs import is_amount, stems
from desktop_rag.index.keywords.analysis import stem
from desktop_rag.text.figures import Figure, read_figures

_SURE_DIGITS = 3
MAX_LABEL = 6  # words before an amount that name it
_BREAK = re.compile(r"[,;:|\t\n()]| (?:and|und|et|y|but|while) ", re.IGNORECASE)
_FILL = re.compile(r"[\s|:$€£¥]*")
_FROM = re.compile(r"\b(?:from|von|de|desde)$", re.IGNORECASE)
_IS_WORD = frozenset(
    map(stem, word_set("is was are were ist war wurde est était es era fue amounts costs comes totals beträgt"))
)


@dataclass(frozen=True, slots=True)
class _Labelled:
    """An amount with the stems of the words that name it, and its column in a table row."""

    figure: Figure
    stems: frozenset[str]
    column: int = 0


def misbound(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the only amount of a claim that its lines bind to another label or year."""
    amounts = [each for each in read_figures(statement.text).figures if is_amount(each)]
    if len(amounts) == 1 and not statement.denies and not statement.sums:
        yield from _mislabelled(statement.text, evidence.lines)
        yield from _misdated(statement.text, evidence.lines)


def _mislabelled(claim: str, lines: str) -> Iterator[ClaimFault]:
    mine, theirs = _labelled(claim), _labelled(lines)
    subject = stems(claim)
    for said in mine:
        same = [each for each in theirs if agrees(said.figure, each.figure, frozenset(), frozenset())]
        if not same or not said.stems or any(each.stems & subject or not each.stems for each in same):
            continue
        columns = {each.column for each in same}
        meant = [
            each
            for each in theirs
            if each.stems
            and each.stems <= said.stems
            and each.column in columns
            and _is_alike(each.figure, said.figure)
        ]
        if len({each.figure.values for each in meant}) == 1:
            yield ClaimFault("figure", said.figure.text, meant[0].figure.text)
            return


def _misdated(claim: str, lines: str) -> Iterator[ClaimFault]:
    """Yield an amount that the lines bind to another year, if they bind another amount to the claim's year."""
    figures = [each for each in read_figures(claim).figures if is_amount(each) or each.is_year]
    years = {int(each.values[0]) for each in figures if each.is_year}
    amounts = [each for each in figures if not each.is_year and _is_measured(each)]
    dated = dated_amounts(lines) if len(years) == 1 and len(amounts) == 1 else []
    bound = {year for year, each in dated if agrees(amounts[0], each, frozenset(), frozenset())}
    if bound and not bound & years:
        meant = [each for year, each in dated if year in years and _is_alike(each, amounts[0])]
        if meant:
            unique = len({each.values for each in meant}) == 1
            yield ClaimFault("figure", amounts[0].text, meant[0].text if unique else "")


def _is_alike(one: Figure, other: Figure) -> bool:
    return not one.kinds or not other.kinds or bool(one.kinds & other.kinds)


@lru_cache(maxsize=256)
def _labelled(text: str) -> tuple[_Labelled, ...]:
    """Return the amounts of a text with what stands before each up to the last break; of a table row with its label."""
    read = read_figures(text)
    found: list[_Labelled] = []
    end = 0
    for figure in read.figures:
        between = read.plain[end : figure.start]
        if is_amount(figure) and not figure.is_year and _is_measured(figure):
            line = "\n" not in between
            if found and line and _FILL.fullmatch(between):
                label, column = found[-1].stems, found[-1].column + 1
            else:
                column = 0
                piece = _last_piece(between)
                label = (stems(piece) - _IS_WORD) if len(piece.split()) <= MAX_LABEL else frozenset()
            found.append(_Labelled(figure, label, column))
        end = figure.end
    return tuple(found)


def _is_measured(figure: Figure) -> bool:
    """Return whether an amount is more than a day of a month or an item number."""
    return bool(figure.units or figure.scales or figure.noun) or len(figure.digits) >= _SURE_DIGITS


def _last_piece(between: str) -> str:
    """Return the words directly before an amount: “rent”, “Rent: ”, “| Rent | ”."""
    trimmed = between.rstrip(" \t|:$€£¥(")
    if _FROM.search(trimmed):  # “rose from 5 to 7” over “was 7”
        return ""
    return _BREAK.split(trimmed)[-1]
