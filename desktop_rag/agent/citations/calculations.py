"""Calculations of the run: each has a reference that can be cited, and leads to the lines that write its operands."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.numbers import agrees, figures, figures_not_in
from desktop_rag.agent.citations.quoted_rows import cells_of, is_row
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem
from desktop_rag.index.records import ContentId
from desktop_rag.text.figures import Figure, read_figures
from desktop_rag.text.normalize import fold_quote, words

MAX_UNIT = 3  # letters of a cell that is an amount: 12 EUR
MAX_OPERANDS = 40  # that become citations
CONSTANTS = frozenset(map(Decimal, (24, 52, 60, 100, 360, 365, 1000, 10**6, 10**9)))
PLAIN_FACTOR = 2  # below it an operand is a share or a rate: 0.6, 1.19
_COUNT = 12  # a whole number up to here may count months or items and needs no line
_SCALES = (1, 10**3, 10**6, 10**9)
_SEPARATORS = re.compile(r"[.,'’\s]")
OPERAND = r"(?<![\w.])\d(?:[\d,]*\d)?(?:\.\d+)?%?"
_OPERAND = re.compile(OPERAND)
_DIVISOR = re.compile(rf"[/÷]\s*\(*\s*[$€£]?({OPERAND})")
_HUNDRED = re.compile(r"(?<![\d.,])100(?![\d.,])")


@dataclass(frozen=True, slots=True)
class Sum:
    """One line of a calculation: what was computed, its result as shown, and words that name it."""

    text: str
    result: str
    name: str = ""

    @property
    def operands(self) -> tuple[str, ...]:
        """Return the numbers of the sum, as written."""
        return tuple(dict.fromkeys(_OPERAND.findall(self.text)))

    def __str__(self) -> str:
        return f"{self.text} {self.result}" if self.result.startswith("≈") else f"{self.text} = {self.result}"


@dataclass(frozen=True, slots=True)
class OperandLine:
    """An operand, and the line read that writes it; `content` is None if none does."""

    text: str
    content: ContentId | None = None
    line: int = 0


def cited_sum(sums: Sequence[Sum], claim: str) -> Sum | None:
    """Return the sum whose result the claim states, the last one of several; None if it states none."""
    stated = {figure.text for figure in figures(claim)}
    for each in reversed(sums):
        if stated - set(figures_not_in(claim, (each.result,))):
            return each
    return None


def unfolded(chosen: Sum, sums: Sequence[Sum]) -> Sum:
    """Return a sum with the results of earlier ones that it goes on with as they were computed."""
    earlier = sums[: sums.index(chosen)] if chosen in sums else sums
    known = {_value(each.result): each for each in earlier if _OPERAND.fullmatch(each.result)}

    def computed(operand: re.Match[str]) -> str:
        value = _value(operand[0])
        made = None if _is_plain(value) or operand[0].endswith("%") else known.get(value)
        return f"({unfolded(made, earlier).text})" if made else operand[0]

    return replace(chosen, text=_OPERAND.sub(computed, chosen.text))


def vouched_figures(chosen: Sum) -> tuple[str, ...]:
    """Return what a calculation vouches for: its result, and its plain operands in the forms that statements write."""
    found = [f"= {chosen.result}"]
    divisors = set(_DIVISOR.findall(chosen.text))
    for text in chosen.operands:
        value = _value(text)
        if not _is_plain(value):
            continue
        found.append(text)
        if 0 < value < 1:
            found.append(f"{(value * 100).normalize():f} %")
        elif 1 < value < PLAIN_FACTOR and value != int(value):
            found.append(f"{((value - 1) * 100).normalize():f} %")
        elif text in divisors and value > 1:
            found.append(f"1/{text}")
    return tuple(found)


def _is_plain(value: Decimal) -> bool:
    """Return whether an operand needs no line: a count of months, a share, 100."""
    return value in CONSTANTS or value < PLAIN_FACTOR or (value == int(value) and value <= _COUNT)


def stated_results(sums: Sequence[Sum], claim: str, missing: Collection[str]) -> Iterator[Sum]:
    """Yield for each missing figure of a claim the last sum whose result it is."""
    said = read_figures(claim)
    for figure in (each for each in figures(claim) if each.text in missing):
        for chosen in (form for each in reversed(sums) for form in _forms(each, figure)):
            results = read_figures(f"= {chosen.result}").figures
            if any(agrees(figure, result, said.scales, frozenset()) for result in results):
                yield chosen
                break


def _forms(chosen: Sum, figure: Figure) -> Iterator[Sum]:
    """Yield a sum, for a percentage also times 100 unless it is already."""
    yield chosen
    amount = next((each.values[0] for each in read_figures(chosen.result).figures if each.values), None)
    if amount is not None and "%" in figure.kinds and not _HUNDRED.search(chosen.text):
        yield replace(chosen, text=f"({chosen.text}) × 100", result=f"{amount * 100:f}")


def operand_lines(chosen: Sum, claim: str, lines_read: CitableLines) -> tuple[OperandLine, ...]:
    """Return the line of each operand: a row of the table with most of them, else the line most like the claim.

    Constants, such as 100 or 12 months, are left out, unless they are cells of that table.
    """
    hint = about(f"{chosen.name} {claim}")
    values = {text: _value(text) for text in chosen.operands}
    lines = {text: list(_lines_with(value, lines_read)) for text, value in values.items()}
    cells = {text: {each[:2] for each in lines[text] if _is_cell(value, each[2])} for text, value in values.items()}
    counts = Counter(content for text in values for content in {each[0] for each in cells[text]})
    table = next((content for content, count in counts.most_common(1) if count > 1), None)
    found: list[OperandLine] = []
    for text, value in values.items():
        rows = {each for each in cells[text] if each[0] == table}
        best = max(lines[text], key=lambda each: (each[:2] in rows, len(hint & about(each[2]))), default=None)
        constant = _is_plain(value)
        if constant and not rows and not (best and hint & about(best[2])):
            continue
        found.append(OperandLine(text, best[0], best[1]) if best else OperandLine(text))
    return tuple(found[:MAX_OPERANDS])


def _is_cell(value: Decimal, line: str) -> bool:
    """Return whether a cell of a row is just this value."""
    return is_row(line) and any(_is_amount(value, cell) for cell in cells_of(line))


def _is_amount(value: Decimal, cell: str) -> bool:
    """Return whether a cell is just this value."""
    read = read_figures(cell).figures if sum(map(str.isalpha, cell)) <= MAX_UNIT else ()
    return len(read) == 1 and _is(value, read[0])


def stands_in(text: str, lines: str) -> bool:
    """Return whether lines write this number, perhaps with another separator or scale."""
    read = read_figures(lines)
    return any(_is(_value(text), figure) for figure in (*read.figures, *read.inside_names))


def _value(text: str) -> Decimal:
    return Decimal(text.replace(",", "").rstrip("%"))


def _lines_with(value: Decimal, lines_read: CitableLines) -> Iterator[tuple[ContentId, int, str]]:
    """Yield content, number and text of the read lines with a figure of this value, perhaps scaled."""
    digits = str(value.normalize()).partition("E")[0].replace(".", "").strip("0")
    for content in lines_read.contents():
        for number, line in lines_read.lines(content).items():
            if digits in _SEPARATORS.sub("", line) or not line.isascii():
                read = read_figures(line)
                if any(_is(value, figure) for figure in (*read.figures, *read.inside_names)):
                    yield content, number, line


def _is(value: Decimal, figure: Figure) -> bool:
    if figure.when or figure.period or figure.name:
        return False
    factors = [factor * scale for factor in figure.scales or (1,) for scale in (_SCALES if not figure.scales else (1,))]
    amounts = {each * factor for each in figure.values for factor in factors} | set(figure.values)
    return value in amounts or ("%" in figure.kinds and value * 100 in figure.values)


def about(text: str) -> frozenset[str]:
    """Return the stems of the words that tell what a text is about."""
    folds = {word.text for word in words(fold_quote(text)) if len(word.text) > 2 and not word.text[0].isdigit()}
    return frozenset(stem(word) for word in folds - STOP_WORDS)
