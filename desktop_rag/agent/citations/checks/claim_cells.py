"""Compares a claim with the rows of the cited table: the amount of one row is none of the row that the claim names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_words import split_words
from desktop_rag.agent.citations.numbers import agrees
from desktop_rag.agent.citations.sums.computed_pairs import is_amount
from desktop_rag.agent.citations.sums.source_rows import source_rows
from desktop_rag.agent.events import ClaimFault
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem
from desktop_rag.text.dates import MONTHS
from desktop_rag.text.figures import Figure, read_figures

_TABLE = re.compile(r"\t|^\s*\|")
_COMPARES = re.compile(  # amounts of several rows, or one computed from them
    r"\b(?:than|compared|total\w*|together|both|difference|combined|als|gegenüber|insgesamt|zusammen|que|"
    r"contre|ensemble|versus|vs)\b",
    re.IGNORECASE,
)
_MOST = 0.6  # share of the words of a row's label that a claim about the row has
_WHOLE = frozenset(map(stem, ("total", "net", "gesamt", "summe", "consolidated")))
_PART = re.compile(r",\s(?!\d{3}\b)|;\s|\s(?:and|und|et|y)\s", re.IGNORECASE)
_AMOUNT_IN_YEAR = re.compile(r"\d\S* .{0,16}\b(?:19|20)\d\d\b|\b(?:19|20)\d\d\b.{0,16} \S?\d")
_CELL = re.compile(r"\s*[\t|]\s*")

_TAB = "\t"
_RECORD = re.compile(r"[^\W\d][\w .'-]*(?:\t[^\t\n]+){2,}")


@dataclass(frozen=True, slots=True)
class _Row:
    """The folded words of the label of a row, and its amounts."""

    label: frozenset[str]
    figures: tuple[Figure, ...]


def other_row(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield a figure of a claim that stands in other rows only than those whose whole label the claim has.

    `table` are the cited lines with the headings above them, which may say “in thousands”.
    """
    if statement.sums:
        return
    claim, lines, table = statement.text, evidence.lines, evidence.table
    rows = [row for line in lines.split("\n") if _TABLE.search(line) and (row := _row(line))]
    if len(rows) < 2 or _COMPARES.search(claim):
        return
    said = read_figures(claim)
    wanted = _words(claim)
    named = [row for row in rows if row.label <= wanted]
    if not named or len({row.label for row in named}) > 1:
        return
    scales = read_figures(table).scales
    prose = read_figures("\n".join(line for line in lines.split("\n") if not _TABLE.search(line)))
    for mine in said.figures:
        if not is_amount(mine) or len(mine.digits) < 2:
            continue
        holding = [row for row in rows if any(agrees(mine, each, said.scales, scales) for each in row.figures)]
        apart = any(agrees(mine, each, said.scales, prose.scales) for each in prose.figures)
        if holding and not apart and not any(row.label <= wanted for row in holding):
            yield ClaimFault("figure", mine.text, _instead(mine, holding[0], named[0]))
            return


def other_record(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield a figure of a claim about one row of records that stands in other rows only; its first cell names it."""
    if statement.sums:
        return
    claim, lines = statement.text, evidence.lines
    rows = [
        line
        for line in lines.split("\n")
        if _RECORD.fullmatch(line) and any(map(is_amount, read_figures(line).figures))
    ]
    if len(rows) < 2 or len({row.count("\t") for row in rows}) > 1 or _COMPARES.search(claim):
        return
    wanted = _words(claim)
    named = [row for row in rows if _words(row.partition(_TAB)[0]) & wanted]
    if len(named) != 1 or not _words(named[0].partition(_TAB)[0]) <= wanted:
        return
    own = read_figures(named[0]).figures
    others = [each for row in rows if row is not named[0] for each in read_figures(row).figures]
    for mine in read_figures(claim).figures:
        if not mine.digits or mine.name or mine.when or not mine.values:
            continue
        held, elsewhere = (any(mine.values == each.values for each in cells) for cells in (own, others))
        if elsewhere and not held:
            yield ClaimFault("figure", mine.text)
            return


def other_year(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the amount of a claim about one year that the row which it names has under other years only.

    `table` are the cited lines with the headings above them. Of “9 in 2022 and 10 in 2023” each part is compared.
    """
    if statement.sums:
        return
    claim, table = statement.text, evidence.table
    if len(dated := [part for part in _PART.split(claim) if _AMOUNT_IN_YEAR.search(part)]) > 1:
        for part in dated:
            yield from _other_year(part, claim, table)
    else:
        yield from _other_year(claim, claim, table)


def _other_year(part: str, claim: str, table: str) -> Iterator[ClaimFault]:
    said = read_figures(part)
    years = {int(each.values[0]) for each in said.figures if each.is_year and each.values}
    years |= {day.year for each in said.figures if each.when for day in each.when.days}
    amounts = [each for each in said.figures if is_amount(each) and not each.is_year and len(each.digits) > 1]
    if len(years) != 1 or len(amounts) != 1 or _COMPARES.search(claim):
        return
    [year], wanted, read = years, _words(claim), read_figures(table)
    held: list[tuple[int, Figure]] = []
    for row in source_rows(read, 0):
        if len(row.figures) != len(row.years) or len(set(row.years)) < 2 or year not in row.years:
            continue
        cells = list(zip(row.years, (each for each, _ in row.figures), strict=True))
        named = (label := _words(row.label) - STOP_WORDS - _WHOLE) and len(label & wanted) >= _MOST * len(label)
        if any(agrees(amounts[0], each, said.scales, read.scales) for _, each in cells):
            if not named or any(agrees(amounts[0], each, said.scales, read.scales) for at, each in cells if at == year):
                return
            held += [(at, each) for at, each in cells if at == year]
    if len(held) == 1:
        yield ClaimFault("figure", amounts[0].text, held[0][1].text)


def _instead(mine: Figure, other: _Row, row: _Row) -> str:
    """Return the amount in the same column of the row that is meant, empty if the rows differ in length."""
    if len(other.figures) != len(row.figures):
        return ""
    places = (at for at, each in enumerate(other.figures) if agrees(mine, each, frozenset(), frozenset()))
    return next((row.figures[at].text for at in places), "")


def _row(line: str) -> _Row | None:
    cells = [cell for cell in _CELL.split(line.strip().strip("|")) if cell]
    texts = [cell for cell in cells if not any(character.isdigit() for character in cell)]
    figures = [each for cell in cells if cell not in texts for each in read_figures(cell).figures]
    label = _words(" ".join(texts)) - STOP_WORDS
    amounts = tuple(each for each in figures if is_amount(each))
    return _Row(frozenset(label), amounts) if label and amounts else None


def _words(text: str) -> frozenset[str]:
    """Return folded words, months by number, and neighbours joined: “BERT-Large” is BERTLARGE."""
    folds = [part for word in split_words(text) for part in re.split(r"[-/_]", word.fold) if part]
    known = [f"month {MONTHS[fold]}" if fold in MONTHS else stem(fold) for fold in folds]
    return frozenset((*known, *(one + other for one, other in pairwise(folds))) if len(folds) > 2 else known)
