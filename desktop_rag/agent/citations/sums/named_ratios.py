"""Recomputes ratios by their names: a gross margin is gross profit by sales, whatever else the cited lines have.

The name says which rows are divided, and the years of the claim which columns, so few results are possible: the ratio
of each year, what it changed from one year to the next, and its mean. The operands need not be in the claim.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise, product

from desktop_rag.agent.citations.sums.computed_pairs import is_result, stems, written
from desktop_rag.agent.citations.sums.source_rows import scaled_amount, source_rows
from desktop_rag.text.figures import Figure, FigureText, read_figures

MAX_COLUMNS = 6
MAX_ROWS = 3  # of one name: net earnings with and without minorities
CHANCE = Decimal("0.1")  # other results near the figure × width of its last digit, as a share of the figure
MIN_PARTS = 2  # of a row that ends with their sum
NEAR = 2  # factor between a figure and the results that it may be by chance
_ROWS = {
    "sales": r"(?:total |consolidated )?(?:net )?(?:revenues?|sales)\b(?! of|.*(?:cost|growth|percent))|umsatzerlöse",
    "cost": r"(?:total )?costs? (?:of (?:goods sold|sales|revenues?|products sold)|and expenses)|herstellungskosten",
    "gross profit": r"gross (?:profit|margin|income)|bruttoergebnis",
    "net income": r"(?:consolidated )?net (?:income|earnings|profit|loss|\(loss\))(?!.*(?:per share|controlling))|"
    r"jahresüberschuss",
    "operating income": r"operating (?:income|profit|earnings|loss)|(?:income|earnings|loss|profit) from operations|"
    r"betriebsergebnis",
    "pretax income": r".*before .*tax",
    "tax": r"(?:provision|benefit|expense|\W)*(?:\w+ )?(?:for )?income tax|(?:provision|benefit)\b.*tax",
    "current assets": r"total current assets",
    "current liabilities": r"total current liabilities",
    "inventory": r"(?:merchandise |total )?inventor",
    "raw materials": r"raw materials",
    "work in process": r"work.in.pro",
    "finished goods": r"finished goods",
    "assets": r"total assets|bilanzsumme",
    "liabilities": r"total liabilities(?!.*equity)",
    "equity": r"total (?:\w+['’]s?['’]? )?(?:shareholders|stockholders)?['’]?s? ?(?:equity|deficit)|eigenkapital",
    "capex": r".*(?:capital expenditures?|(?:purchases?|additions?|acquisitions?) (?:of|to) property)",
    "operating cash": r".*net cash .*operating",
    "cash": r"cash and cash equivalents",
    "receivables": r"(?:trade |accounts |net )?receivables?",
}
_PATTERNS = {name: re.compile(rf"\W*(?:{pattern})", re.IGNORECASE) for name, pattern in _ROWS.items()}


@dataclass(frozen=True, slots=True)
class NamedRatio:
    """A ratio: the rows that are added (or, with a minus, subtracted) above, and the row below."""

    above: tuple[str, ...]
    below: str


_FORMS = (
    (r"gross (?:profit )?margins?|bruttomarge", (("gross profit", "sales"), ("sales, -cost", "sales"))),
    (r"operating (?:profit |income )?margins?|operative marge", (("operating income", "sales"),)),
    (r"(?:net (?:profit |income )?|profit )margins?|nettomarge|umsatzrendite", (("net income", "sales"),)),
    (r"current ratio", (("current assets", "current liabilities"),)),
    (
        r"quick ratio|acid.test",
        (
            ("current assets, -inventory", "current liabilities"),
            ("current assets, -raw materials, -work in process, -finished goods", "current liabilities"),
            ("current assets, -raw materials, -work in process", "current liabilities"),
            ("cash, receivables", "current liabilities"),
        ),
    ),
    (r"effective tax rate|steuerquote", (("tax", "pretax income"),)),
    (r"asset turnover", (("sales", "assets"),)),
    (r"return on assets|\bROA\b", (("net income", "assets"),)),
    (r"return on equity|\bROE\b|eigenkapitalrendite", (("net income", "equity"),)),
    (r"debt.to.equity", (("liabilities", "equity"),)),
    (r"equity ratio|eigenkapitalquote", (("equity", "assets"),)),
    (r"inventory turnover", (("cost", "inventory"),)),
    (r"(?:capex|capital expenditures?)\b.*(?:revenue|sales)", (("capex", "sales"),)),
    (r"operating cash flow (?:ratio|to current)", (("operating cash", "current liabilities"),)),
)
_RATIOS = tuple(
    (
        re.compile(rf"\b(?:{name})", re.IGNORECASE),
        tuple(NamedRatio(tuple(above.split(", ")), below) for above, below in forms),
    )
    for name, forms in _FORMS
)
_DIFFERENCES = tuple(
    (re.compile(rf"(?<!to )(?<!on )\b(?:{name})(?! ratio| turnover)", re.IGNORECASE), above, below)
    for name, above, below in (
        (r"(?:shareholders['’]? |stockholders['’]? |total )?equity|net assets|eigenkapital\b", "assets", "liabilities"),
        (r"(?:net )?working capital", "current assets", "current liabilities"),
        (r"gross (?:profit|income)(?! margin)", "sales", "cost"),
        (r"free cash flow", "operating cash", "capex"),
    )
)
_CHANGES = re.compile(
    r"(?<!\w)(?:increas|decreas|ris|rose|fell|fall|grew|grow|declin|drop|improv|chang|jump|up|down|higher|lower|widen|narrow|"
    r"stieg|sank|gestiegen|gesunken|differ|fluctuat)",
    re.IGNORECASE,
)
_OF_TOTAL = re.compile(
    r"(?<!\w)(?:of (?:the |its |all )?total|% of|shares?|portion|account\w* for|makes? up|made up|anteil)(?!\w)",
    re.IGNORECASE,
)
_MEAN = re.compile(r"(?<!\w)(?:averag|mean|durchschnitt)", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SHORT_YEAR = re.compile(r"\bFY ?'?(\d\d)\b", re.IGNORECASE)

_Row = tuple[tuple[Figure, int], ...]  # the figures of a row with their years, 0 where no header tells them
_Column = tuple[Decimal, str]  # a ratio of one year with its sum as text


def recompute_ratio(target: Figure, claim: str, near: str, sources: Sequence[str]) -> str | None:
    """Return the sum of a ratio that the claim (or, if it names none, `near`) names and that yields the figure."""
    if not target.values or not target.values[0] or target.kinds - {"%", "points"} or target.scales:
        return None
    texts = [read_figures(source) for source in sources]
    units = target.units if target.kinds else ()
    for results in _tried(target, claim, near, texts):
        fitting = [text for value, text in results if is_result(target, value, units, ())]
        size = target.values[0]
        others = sum(size <= NEAR * abs(value) <= NEAR**2 * size for value, _ in results) - len(fitting)
        if fitting and others * target.place <= CHANCE * size:
            return f"{fitting[0]} = {target.text}"
    return None


def recompute_difference(target: Figure, claim: str, near: str, sources: Sequence[str]) -> str | None:
    """Return the sum of a difference that the claim names, such as equity, and that yields the figure."""
    named = [(above, below) for name, above, below in _DIFFERENCES if name.search(claim)]
    if not named or not target.values or "%" in target.kinds:
        return None
    texts = [read_figures(source) for source in sources]
    scales, said = frozenset[int]().union(*(text.scales for text in texts)), read_figures(claim).scales
    found, asked = _rows(texts), _asked(claim, near)
    for above, below in named:
        for one, other in product(found.get(above, []), found.get(below, [])[:1]):
            for (whole, year), (part, _) in zip(one, other, strict=False):
                value = scaled_amount(whole) - abs(scaled_amount(part))
                if asked and year not in asked | {0}:
                    continue
                if is_result(target, value, whole.units or target.units, (whole, part), said, scales):
                    return f"{written(whole)} − {written(part)} = {target.text}"
    return None


def _tried(target: Figure, claim: str, near: str, texts: Sequence[FigureText]) -> Iterator[list[_Column]]:
    """Yield the results of each form of the named ratios, then the shares of a row."""
    if "%" in target.kinds and _OF_TOTAL.search(claim):
        yield list(_row_shares(claim, texts))
    forms = _named(claim)
    said = claim if forms else f"{claim} {near}"
    forms = forms or _named(near)
    rows = _rows(texts) if forms else {}
    for form in forms:
        columns = _columns(form, rows, _asked(claim, near))
        yield [result for each in columns for result in _results(each, target, said)]


def _row_shares(claim: str, texts: Sequence[FigureText]) -> Iterator[_Column]:
    """Yield the percentages of the parts in a row that ends with their sum, if the claim has a word of its label."""
    named = stems(claim)
    for text in texts:
        for row in source_rows(text, 0):
            figures = [figure for figure, label in row.figures if label is row.label]
            if len(figures) < MIN_PARTS + 1 or not named & stems(row.label):
                continue
            *parts, whole = figures
            if sum(map(scaled_amount, parts)) == scaled_amount(whole) != 0:
                for part in parts:
                    yield scaled_amount(part) / scaled_amount(whole) * 100, f"{written(part)} ÷ {written(whole)}"


def _named(text: str) -> tuple[NamedRatio, ...]:
    return tuple(form for name, forms in _RATIOS if name.search(text) for form in forms)


def _asked(claim: str, near: str) -> frozenset[int]:
    """Return the years of a claim, else of what is around it; a change in one year is one from the year before."""
    years = _years(claim) or _years(near)
    return years | {year - 1 for year in years} if len(years) == 1 and _CHANGES.search(claim) else years


def _years(text: str) -> frozenset[int]:
    years = {int(year) for year in _YEAR.findall(text)} | {2000 + int(year) for year in _SHORT_YEAR.findall(text)}
    whole = bool(_MEAN.search(text)) and bool(years)  # the average of 2020 to 2022
    return frozenset(range(min(years), max(years) + 1)) if whole else frozenset(years)


def _rows(texts: Sequence[FigureText]) -> Mapping[str, list[_Row]]:
    """Return the rows of each name, totals first."""
    found: dict[str, list[_Row]] = {}
    for text in texts:
        for row in source_rows(text, 0):
            figures = [figure for figure, label in row.figures if label is row.label]
            if row.years:  # a row without a label may follow
                figures = figures[: len(row.years)]
            if not 0 < len(figures) <= MAX_COLUMNS:
                continue
            years = row.years if len(row.years) == len(figures) else (0,) * len(figures)
            for name, pattern in _PATTERNS.items():
                if pattern.match(row.label):
                    rows = found.setdefault(name, [])
                    at = 0 if row.label.strip().lower().startswith("total") else len(rows)
                    rows.insert(at, tuple(zip(figures, years, strict=True)))
    return {name: rows[:MAX_ROWS] for name, rows in found.items()}


def _columns(form: NamedRatio, rows: Mapping[str, list[_Row]], asked: frozenset[int]) -> Iterator[list[_Column]]:
    """Yield the ratio of each year, of the years that are asked for if any; again for other rows of these names."""
    names = [name.lstrip("-") for name in form.above]
    for below in rows.get(form.below, [])[:1]:
        kept = asked if asked and asked <= {year for _, year in below} else frozenset(year for _, year in below)
        for first in rows.get(names[0], []):
            above = [first, *(row for name in names[1:] for row in rows.get(name, [])[:1])]
            if len(above) == len(names) and all(len(row) == len(below) for row in above):
                yield [
                    (
                        sum(map(_signed, form.above, parts), Decimal(0)) / scaled_amount(whole),
                        f"{_written(form, parts)} ÷ {written(whole)}",
                    )
                    for at, (whole, year) in enumerate(below)
                    if scaled_amount(whole) and year in kept
                    for parts in [[row[at][0] for row in above]]
                ]


def _written(form: NamedRatio, parts: Sequence[Figure]) -> str:
    text = (" − " if form.above[-1].startswith("-") else " + ").join(map(written, parts))
    return f"({text})" if len(parts) > 1 else text


def _signed(name: str, figure: Figure) -> Decimal:
    return -abs(scaled_amount(figure)) if name.startswith("-") else scaled_amount(figure)


def _results(columns: Sequence[_Column], target: Figure, claim: str) -> Iterator[_Column]:
    """Yield the ratios, their changes from year to year, and their mean."""
    factor = 100 if target.kinds else 1
    if _MEAN.search(claim) and len(columns) > 1:
        mean = sum((value for value, _ in columns), Decimal(0)) / len(columns)
        yield mean * factor, f"({' + '.join(text for _, text in columns)}) ÷ {len(columns)}"
        return
    if target.kinds != {"points"}:
        yield from ((value * factor, text) for value, text in columns)
    if _CHANGES.search(claim):
        for (one, text), (other, before) in pairwise(columns):
            yield (one - other) * factor, f"{text} − {before}"
            if target.kinds and other:
                yield (one - other) / other * 100, f"({text}) ÷ ({before}) − 1"
