"""Compares a claim with the rows of the cited table: the amount of one row is none of the row that the claim names."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import split_words
from desktop_rag.agent.citations.numbers import agrees
from desktop_rag.agent.citations.sums.computed_pairs import is_amount
from desktop_rag.agent.citations.sums.source_rows import source_rows
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
_RULE = re.compile(r"[\s|:-]+$")
_CELL = re.compile(r"\s*[\t|]\s*")

_TAB = "\t"


@dataclass(frozen=True, slots=True)
class _Row:
    """The folded words of the label of a row, and its amounts."""

    label: frozenset[str]
    figures: tuple[Figure, ...]


def other_row(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield a figure of a claim that is only in rows other than those whose whole label the claim has.

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
    amounts = [each for each in said.figures if is_amount(each)]
    for mine in amounts if len(amounts) == 1 and amounts[0].digits[1:] else ():
        holding = [row for row in rows if any(agrees(mine, each, said.scales, scales) for each in row.figures)]
        apart = any(agrees(mine, each, said.scales, prose.scales) for each in prose.figures)
        if holding and not apart and not any(row.label <= wanted for row in holding):
            yield ClaimFault("figure", mine.text, _instead(mine, holding[0], named[0]))
            return


def other_record(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield what a claim says of the only row it names if that is another row's, and this one has something else there.

    The row is the one whose name or number the claim has first: “Eskdalen has 31,750 passengers”.
    """
    claim = statement.text
    lines = [line for line in evidence.lines.split("\n") if line.count(_TAB) > 1 and not _heads_columns(line)]
    rows = [[cell.strip() for cell in line.split(_TAB)] for line in lines]
    if len(rows) < 2 or len(set(map(len, rows))) > 1 or statement.sums or _COMPARES.search(claim):
        return
    cells = [(row, column) for row in range(len(rows)) for column in range(len(rows[0])) if rows[row][column]]
    places = [(_place(rows[row][column], claim), row, column) for row, column in cells]
    said = sorted((rows[row][column][0].isdigit(), at, row, column) for at, row, column in places if at is not None)
    named = {row for no_name, at, row, _ in said if (no_name, at) == said[0][:2]}
    if len(named) != 1 or named != {row for *_, row, column in said if column == said[0][3]}:
        return  # none, or several
    [own] = named
    for *_, row, column in said:
        instead, cell = rows[own][column], rows[row][column]
        if instead and all(_place(each, cell) is None for each in rows[own] if each) and _place(instead, claim) is None:
            yield ClaimFault("figure" if cell[0].isdigit() else "name", cell, instead)
            return


def other_column(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield a figure of a claim that the row it names has in another column than the one it names: 2025."""
    claim = statement.text
    lines = dict.fromkeys(line for line in evidence.table.split("\n") if _TABLE.search(line) and not _RULE.match(line))
    rows = [[cell.strip() for cell in (_CELL.split(line.strip().strip("|")))] for line in lines]
    if len(rows) < 2 or len(set(map(len, rows))) > 1 or statement.sums or _COMPARES.search(claim):
        return
    header, wanted = [_words(cell) for cell in rows[0]], _words(claim)
    own = [each - frozenset().union(*header[:at], *header[at + 1 :]) for at, each in enumerate(header)]
    columns = [at for at, each in enumerate(own) if each & wanted]
    amounts = [each for each in read_figures(claim).figures if is_amount(each)]
    named = [(row, label) for row in rows[1:] if (label := _row_named(row, columns, wanted))]
    said = [each for each in amounts if named and each.digits not in named[0][1]]
    if len(columns) == len(named) == len(said) == 1:
        [(row, _)], [column] = named, columns
        held = [at for at, cell in enumerate(row) if _has(cell, said[0])]
        if held and column not in held and any(map(is_amount, read_figures(row[column]).figures)):
            yield ClaimFault("figure", said[0].text, row[column])


def _row_named(row: Sequence[str], columns: Sequence[int], wanted: frozenset[str]) -> str:
    """Return the label of a row if a claim has it, its figures aside: “larch board” of “Larch board 30 mm”."""
    for at, cell in enumerate(row):
        figures = [each.text for each in read_figures(cell).figures]
        words = _words(cell) if at == 0 else _words(re.sub("|".join(map(re.escape, figures)) or "$^", " ", cell))
        if at not in columns and (at == 0 or len(words) > 1) and words and words <= wanted:
            return cell
    return ""


def _has(cell: str, figure: Figure) -> bool:
    return any(agrees(figure, each, frozenset(), frozenset()) for each in read_figures(cell).figures)


def _heads_columns(line: str) -> bool:
    """Return whether the figures of a row are years only."""
    figures = read_figures(line).figures
    return bool(figures) and all(each.is_year or each.when for each in figures)


def _place(cell: str, text: str) -> int | None:
    """Return where a text has what a cell has: the number, or the name with a capital letter."""
    figures = [each for each in read_figures(cell).figures if each.values and not (each.name or each.when)]
    if len(figures) == 1 and cell[0].isdigit():
        return next((each.start for each in read_figures(text).figures if each.values == figures[0].values), None)
    match = re.search(rf"(?<!\w){re.escape(cell)}(?!\w)", text, re.IGNORECASE) if cell[1:] else None
    return match.start() if match and match[0][0].isupper() else None


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
