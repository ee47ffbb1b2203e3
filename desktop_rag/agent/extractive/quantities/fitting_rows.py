"""Leaves out table rows with other cells than a question names: what Lena spent on travel is no taxi of Marek's."""

from collections.abc import Sequence

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.asked_things import CALENDAR
from desktop_rag.agent.extractive.names_in_text import padded
from desktop_rag.agent.extractive.quantities.read_tables import ReadTable, TableRow, read_tables
from desktop_rag.agent.extractive.quantities.row_conditions import (
    conditioned,
    denied_cells,
    is_negated,
    named_cells,
    plain_cell,
)
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence
from desktop_rag.llm.chat import ToolMessage

MIN_CUT = 3  # quoted rows, beside which others may have been left out
MAX_EQUAL = 12  # rows that are quoted together
_LEAST_COLUMNS = 2  # one named cell may be a word of the question by chance


def with_fitting_rows(
    question: AnalysedQuestion, ranked: Sequence[RankedSentence], results: Sequence[ToolMessage]
) -> list[RankedSentence]:
    """Return the sentences without rows that lack one of the cells that the question names in several columns.

    Also without rows that have what it denies: “not for travel”, “without a receipt”.
    """
    unfit = {(row.reference, row.line) for table in read_tables(results) for row in _unfit(question.text, table)}
    return [one for one in ranked if (one.candidate.reference, one.candidate.first_line) not in unfit]


def _unfit(question: str, table: ReadTable) -> list[TableRow]:
    asked = padded(question).lower()
    if denied_cells(asked, table) or is_negated(question):
        found = conditioned(question, table)
        negated = [one for one in found.conditions if one.negated] if found else []
        return [row for row in table.rows if not all(one.holds(row) for one in negated)]
    columns = range(len(table.header))
    named = {column: cells for column in columns if (cells := named_cells(asked, table, column))}
    if len(named) < _LEAST_COLUMNS:
        return []
    return [row for row in table.rows if any(plain_cell(row, column) not in cells for column, cells in named.items())]


def with_equal_rows(
    question: AnalysedQuestion, kept: tuple[RankedSentence, ...], ranked: Sequence[RankedSentence]
) -> tuple[RankedSentence, ...]:
    """Return quoted rows with all `equal_rows`, in their order; as they are if there are too many.

    Three of four rows would look like all.
    """
    equal = equal_rows(question, kept, ranked)
    return tuple(equal) if len(kept) < len(equal) <= MAX_EQUAL else kept


def equal_rows(
    question: AnalysedQuestion, kept: Sequence[RankedSentence], ranked: Sequence[RankedSentence]
) -> list[RankedSentence]:
    """Return all rows of a table with as many words of the question as the three quoted ones, in their order.

    None if the quoted ones are no such rows, or one has but a month that is asked for.
    """
    first = kept[0].candidate
    place = first.shape, first.title, first.columns
    if first.shape is not SentenceShape.ROW or len(kept) < MIN_CUT or any(_place(one) != place for one in kept):
        return []
    asked = frozenset(question.stems) - CALENDAR
    if any(asked.isdisjoint(one.candidate.stems) for one in kept):
        return []
    least = min(one.own for one in kept)
    equal = [one for one in ranked if _place(one) == place and one.own >= least > 0]
    return sorted(equal, key=lambda one: one.candidate.first_line)


def _place(one: RankedSentence) -> tuple[SentenceShape, str, str]:
    return one.candidate.shape, one.candidate.title, one.candidate.columns
