"""Compares which way a computed difference goes with the lines: what rose by 106 did not fall by 106.

“B has 186 more than A” is wrong if the lines give A the larger amount.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations

from desktop_rag.agent.citations.check_words import FALLS
from desktop_rag.agent.citations.checks.claim_changes import BRACKETS, direction, pairs, rises
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.sums.common_units import in_common_units
from desktop_rag.agent.citations.sums.source_rows import scaled_amount, source_rows
from desktop_rag.index.keywords.analysis import STOP_WORDS
from desktop_rag.text.figures import Figure, read_figures

_DIFFERENCE = re.compile(r"(?:^|; )(\d[\d.,'’]*) − (\d[\d.,'’]*) = ([^;]+)")
_TOTAL = re.compile(r"(?:^|; )(?P<terms>\d[\d.,]*(?: \+ \d[\d.,]*)+) = (?P<result>[^;]+)")
_TERM = r"\(*\s*[$€£]?(\d(?:[\d,]*\d)?(?:\.\d+)?)\)*"
_RATE = re.compile(rf"{_TERM}\s*[-−–]\s*{_TERM}\s*[/÷]\s*{_TERM}(?![\d.,])")  # (900 − 850) ÷ 850
_SENTENCE = re.compile(r"(?<=[^\W\d][.;])\s+|\n")
_CLAUSE = re.compile(r"[;,]\s+|[.]\s+(?!\d)|\s(?:and|und|et|y|while|whereas|versus|vs\.?|but)\s|\n")
_TOKEN = re.compile(r"\w+")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_ADVERBS = r"(?:\s+[^\W\d_]+){0,3}?"
_MORE = re.compile(
    rf"\b(?:more|higher|larger|greater|bigger|heavier|longer|taller|older|dearer|mehr|höher|größer|schwerer|länger|teurer)"
    rf"\b{_ADVERBS}.{{0,60}}?\b(?P<than>than|als)\b(?P<other>[^,;]*)",
    re.IGNORECASE,
)
_LESS = re.compile(
    rf"\b(?:less|fewer|lower|smaller|lighter|shorter|cheaper|younger|weniger|niedriger|kleiner|leichter|kürzer|billiger)"
    rf"\b{_ADVERBS}.{{0,60}}?\b(?P<than>than|als)\b(?P<other>[^,;]*)",
    re.IGNORECASE,
)


def other_growth(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the direction of a claim that a growth rate contradicts: what is divided by was there before."""
    claim, lines = statement.text, evidence.lines
    word, rate = direction(claim), _RATE.search("; ".join(statement.sums))
    if word is None or rate is None or BRACKETS.search(lines):
        return
    one, other, base = (Decimal(text.replace(",", "")) for text in rate.groups())
    if base not in (one, other) or one == other:
        return
    has_risen = (other if one == base else one) > base
    if has_risen != rises(word):
        earlier, later = (rate[1], rate[2]) if one == base else (rate[2], rate[1])
        yield ClaimFault("direction", word.text, f"{earlier} → {later}")


def other_difference(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the word of a claim that names the wrong direction of a computed difference."""
    claim, lines, table = statement.text, evidence.lines, evidence.table
    for match in _DIFFERENCE.finditer("; ".join(statement.sums)):
        larger, smaller, result = match.groups()
        target = next(iter(read_figures(result).figures), None)
        if target is None or target.kinds & {"months", "seconds"}:
            continue  # the time between two dates
        if direction(claim) and result.rstrip(" .").endswith(("%", "percent")) and _are_shares(larger, smaller, lines):
            yield ClaimFault("figure", result, f"{result.rstrip(' .%')} percentage points")
            return
        converted = in_common_units([lines, table], target).sources
        for cited, headed in ((lines, table), converted):
            if _place(larger, cited) and _place(smaller, cited):
                yield from _contradicted(claim, larger, smaller, cited, headed)
                return


def other_year_summed(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the total for years that a claim names if an amount of it stands only in the line of another year."""
    years = set(_YEAR.findall(statement.text))
    lines = [(line, set(_YEAR.findall(line))) for line in evidence.lines.split("\n")]
    for match in _TOTAL.finditer("; ".join(statement.sums)):
        terms = match["terms"].split(" + ")
        for term in dict.fromkeys(terms):
            dated = [named for line, named in lines if re.search(rf"(?<![\d.,]){re.escape(term)}(?![\d])", line)]
            meant = sum(not named.isdisjoint(years) for named in dated)
            if len(years) > 1 and all(dated) and meant < terms.count(term) <= len(dated):
                yield ClaimFault("figure", match["result"], elsewhere=True)
                return


def _are_shares(larger: str, smaller: str, lines: str) -> bool:
    """Return whether both terms of a difference are percentages."""
    shares = {_digits(each) for each in read_figures(lines).figures if "%" in each.kinds}
    return {larger, smaller} <= shares


def _contradicted(claim: str, larger: str, smaller: str, lines: str, table: str) -> Iterator[ClaimFault]:
    above, below = _beside(larger, smaller, lines)
    for pattern, wrong in ((_MORE, above), (_LESS, below)):
        if (match := pattern.search(claim)) and (named := _tokens(match["other"]) & (above | below)):
            if named <= wrong:
                yield ClaimFault("direction", match["than"], f"{larger} > {smaller}")
            return
    word = direction(claim)
    if word is None:
        return
    has_risen = rises(word)
    changes = [*_changes(larger, smaller, lines, table)]
    years = sorted(set(_YEAR.findall(claim)))
    if not changes and len(years) == 2 and {years[0], years[1]} <= above ^ below:
        changes = [years[1] in above]
    changes = changes or [*_told(larger, smaller, lines)]
    if changes and all(change != has_risen for change in changes):
        first, last = (smaller, larger) if changes[0] else (larger, smaller)
        yield ClaimFault("direction", word.text, f"{first} → {last}")


def _changes(larger: str, smaller: str, lines: str, table: str) -> Iterator[bool]:
    """Yield whether the pairs and rows of the lines that hold both amounts rise."""
    for later, earlier in pairs(read_figures(lines)):
        if {_digits(later), _digits(earlier)} == {larger, smaller}:
            yield scaled_amount(later) > scaled_amount(earlier)
    for row in source_rows(read_figures(table), 0):
        if len(row.years) == len(row.figures):
            dated = zip(row.years, (figure for figure, _ in row.figures), strict=True)
            for (year, one), (following, other) in combinations(dated, 2):
                if year != following and {_digits(one), _digits(other)} == {larger, smaller}:
                    yield (scaled_amount(other) > scaled_amount(one)) == (following > year)


def _told(larger: str, smaller: str, lines: str) -> Iterator[bool]:
    """Yield whether the sentences that write an amount say that it rose."""
    for sentence in _SENTENCE.split(lines):
        if _place(larger, sentence) or _place(smaller, sentence):
            word = direction(sentence)
            if word is not None:
                yield word.fold not in FALLS


def _beside(larger: str, smaller: str, lines: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that only the clause of one amount has."""
    found: dict[str, frozenset[str]] = {larger: frozenset(), smaller: frozenset()}
    for clause in _CLAUSE.split(lines):
        here = [each for each in found if _place(each, clause)]
        if len(here) == 1:
            found[here[0]] |= _tokens(clause)
    return found[larger] - found[smaller], found[smaller] - found[larger]


def _tokens(text: str) -> frozenset[str]:
    """Return the words of a text that tell things apart: years and single capitals, too."""
    return frozenset(
        each.casefold() for each in _TOKEN.findall(text) if each.casefold() not in STOP_WORDS or each == "A"
    )


def _place(digits: str, text: str) -> re.Match[str] | None:
    return re.search(rf"(?<![\d.,]){re.escape(digits)}(?!\d|[.,]\d)", text)


def _digits(figure: Figure) -> str:
    return figure.digits or figure.text
