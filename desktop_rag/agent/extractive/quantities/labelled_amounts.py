"""The operands of a calculation or comparison, what follows from them, and what is quoted for it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from desktop_rag.agent.citations.citation_syntax import write_citation
from desktop_rag.agent.citations.references import REFERENCE
from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.citations.stated_parts import MAX_COUNT
from desktop_rag.agent.extractive.offered_tools import CALCULATE
from desktop_rag.agent.extractive.quantities.quantity_question import AmountBound, Operation
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence, certain
from desktop_rag.llm.chat import ToolMessage
from desktop_rag.text.figures import Figure

MAX_SHOWN = 4  # that are quoted if the least or greatest is asked for
MAX_BEYOND = 40  # that are quoted if those beyond a bound are asked for
NOT_COMPARED = "Not compared,"  # begins a lead-in
DECIMALS = 2  # of a result
_PAIR = 2
_SIGNS = {Operation.LESS: -1, Operation.MORE: 1, Operation.LEAST: -1, Operation.GREATEST: 1}
_SHOWN = re.compile(r"(-?\d[\d,]*(?:\.\d+)?)\s*$")
_PLAIN = re.compile(r"[\w\s.,€$£%’'-]+")
_SIGN = re.compile(r"[()−-]")
_COMMA_FOR_POINT = str.maketrans(",.", ".,")


@dataclass(frozen=True, slots=True)
class LabelledAmount:
    """An amount in a row or a sentence; `label` tells what it is of, `cell` is the amount as written."""

    source: CandidateSentence
    label: str
    cell: str
    figure: Figure

    @property
    def value(self) -> Decimal:
        """Return the amount."""
        value = self.figure.values[0]
        return -abs(value) if self.figure.negative else value

    def with_number(self, number: str) -> str:
        """Return the cell with another number, written like -1,234.50, in the style of its own, without brackets."""
        digits = self.figure.digits
        whole, value = re.sub(r"\D", "", digits), self.figure.values[0]
        grouped_by_points = "." in digits and "," not in digits and value == Decimal(whole)
        decimal_comma = digits.rfind(",") > digits.rfind(".") and value != Decimal(whole)
        styled = number.translate(_COMMA_FOR_POINT) if grouped_by_points or decimal_comma else number
        cell = _SIGN.sub("", self.cell) if self.figure.negative else self.cell
        return cell.replace(digits, styled, 1)


@dataclass(frozen=True, slots=True)
class QuantityAnswer:
    """The operation and its operands, in the order of the question if it names two, else of the table."""

    operation: Operation
    operands: tuple[LabelledAmount, ...]
    of_which: bool  # the row is asked for, not its amount
    bound: AmountBound | None = None
    column: str = ""
    place: str = ""  # the title of the document, if another one has such a table
    partial: bool = False  # other rows have no amount
    persons: int = 0  # whose totals were compared; the operands are the amounts of the first of them

    @property
    def _beyond(self) -> tuple[LabelledAmount, ...]:
        return tuple(one for one in self.operands if self.bound and self.bound.has(one.value))

    @property
    def _have_one_unit(self) -> bool:
        return len({one.figure.units for one in self.operands}) == 1

    @property
    def calculation(self) -> dict[str, object]:
        """Return the arguments of `calculate`; empty if the amounts are only to be compared."""
        values = [f"{one.value:f}" for one in self.operands]
        if self.operation is Operation.TOTAL or self.persons:
            return {"items": [{"name": one.label, "amount": _json(one.value)} for one in self.operands]}
        if self.operation is Operation.AVERAGE:
            return {"expression": f"avg({', '.join(values)})"}
        if self.operation is Operation.DIFFERENCE:
            if not self._have_one_unit:
                return {}
            return {"expression": " - ".join(sorted(values, key=Decimal, reverse=True))}
        return {}

    @property
    def _cited(self) -> str:
        """The places of the operands, as citations."""
        return " and ".join(cite_figure(one.source, one.cell) for one in self.operands)

    @property
    def quoted(self) -> tuple[RankedSentence, ...]:
        """Return the rows or sentences to quote, the least or greatest first."""
        operands = list(self._beyond[:MAX_BEYOND] or self.operands)
        if self.bound and not self._beyond:
            operands = sorted(operands, key=lambda one: one.value, reverse=not self.bound.upper)[:1]
        if self.operation in (Operation.LEAST, Operation.GREATEST) and not self.persons:
            operands = sorted(operands, key=lambda one: -one.value * _SIGNS[self.operation])[:MAX_SHOWN]
        return tuple(dict.fromkeys(certain(one.source) for one in operands))

    def lead_in(self, results: Sequence[ToolMessage]) -> str:
        """Return what follows from the amounts, with the document if another one has such a table."""
        said = self._follows(results)
        return f"In “{self.place}”: {said}" if self.place and said else said

    def _follows(self, results: Sequence[ToolMessage]) -> str:
        """Return what follows from the amounts; "" if two are equally great, or the calculation was not carried out."""
        if self.operation not in (Operation.TOTAL, Operation.AVERAGE) and not self._have_one_unit:
            return f"{NOT_COMPARED} as the units differ ({' and '.join(one.cell for one in self.operands)}):"
        # The check of claims takes a larger number for a figure, and no line that is cited has it.
        every = str(len(self.operands)) if len(self.operands) <= MAX_COUNT else "all"
        if self.persons:
            return self._of_person(results)
        if self.bound:
            nearest = "" if self._beyond else "; the nearest"
            with_amount = " with an amount" if self.partial else ""
            return f"{len(self._beyond)} of {every} rows{with_amount}, going by {self.column}{nearest}:"
        ordered = sorted(self.operands, key=lambda each: -each.value * _SIGNS.get(self.operation, 1))
        one, other = ordered[:_PAIR]
        match self.operation:
            case Operation.LEAST | Operation.GREATEST:
                if one.value == other.value:
                    return ""
                every = "all rows" if every == "all" else every
                every += " with an amount" if self.partial else ""
                if not self.of_which:
                    return f"{one.cell}, the {self.operation.value} of {every}:"
                if all(each.source.shape is SentenceShape.PROSE for each in self.operands):
                    return f"{one.label}, going by {one.cell} and {other.cell}, computed from {self._cited}:"
                return f"{one.label}, going by {one.cell}, the {self.operation.value} of {every}:"
            case Operation.LESS | Operation.MORE:
                answer = "Yes" if one is self.operands[0] and one.value != other.value else "No"
                cells = " and ".join(each.cell for each in self.operands)
                return f"{answer}, going by {cells}, computed from {self._cited}:"
        name = {Operation.TOTAL: "total", Operation.AVERAGE: "average"}.get(self.operation, "difference")
        name += f" of the {every} rows with an amount" if self.partial and every != "all" else ""
        calculated = self._calculated(results)
        return f"The {name} is {calculated[0]}. [{calculated[1]}]" if calculated else ""

    def _of_person(self, results: Sequence[ToolMessage]) -> str:
        calculated = self._calculated(results)
        if not calculated:
            return ""
        total, reference = calculated
        name = self.operands[0].label
        return f"{name}, going by a total of {total}, the {self.operation.value} of {self.persons}. [{reference}]"

    def _calculated(self, results: Sequence[ToolMessage]) -> tuple[str, str] | None:
        """Return the result of the last calculation, written like an operand, and its reference."""
        if (result := _result(results)) is None:
            return None
        number, reference = result
        places = min(DECIMALS, max(-int(each.value.as_tuple().exponent) for each in self.operands))
        places = places if round(number, places) == number else DECIMALS
        return self.operands[0].with_number(f"{number:,.{places}f}"), reference


def cite_figure(source: CandidateSentence, shown: str) -> str:
    """Return a citation of a figure in its line, with the words of the figure if no sign in them means anything."""
    quote = shown if _PLAIN.fullmatch(shown) else ""
    return write_citation(source.reference, source.first_line, source.last_line, quote)


def _json(value: Decimal) -> int | float:
    return int(value) if value == int(value) else float(value)


def _result(results: Sequence[ToolMessage]) -> tuple[Decimal, str] | None:
    """Return the number that the last calculation shows, and its reference."""
    for result in reversed(results):
        reference, shown = REFERENCE.search(result.text), _SHOWN.search(result.text)
        if result.name == CALCULATE and reference and shown:
            return round(Decimal(shown[1].replace(",", "")), DECIMALS), reference[0]
    return None
