"""Lines of financial statements: which one a question asks of a company, and the row of its report that has it.

“Net loss” and “net earnings” answer for net income, “net sales” for revenue. Only the statement of the whole company
counts, not the same line in a note on one of its parts.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.quantities.financial_statements import (
    BALANCE_SHEET,
    INCOME_STATEMENT,
    of_period,
)
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.question_splitting import LINE_ITEM
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence, candidates
from desktop_rag.llm.chat import ToolMessage

NEAR = 60  # lines around a row in which other lines of its statement stand
ABOVE = 16  # lines above a row in which its period stands
CLOSE = 15  # the same for what tells a cash flow
MIN_OTHERS = 2  # of them, so that it is the statement of the company
MIN_NAME = 4  # letters of a company's name that may stand inside of a file's: BESTBUY_2023
_SAME = {
    stem: stems(to)[0]
    for to, words in (("income", "loss earnings profit"), ("sales", "revenue sold"))
    for stem in stems(words)
}
_PLAIN = frozenset(
    stems(
        "net total consolidated merchandise company debt attributable shareholders stockholders common inc "
        "including before allocation noncontrolling"
    )
)
_BALANCE = frozenset(stems("assets liabilities inventories debt goodwill equity"))
_OTHERS = {
    INCOME_STATEMENT: r"\bbasic\b|\bdiluted\b|\bcosts? of\b|\bbefore\b.*\btax|\bincome tax|\bgeneral\b|\bselling\b",
    BALANCE_SHEET: r"total current assets|total current liabilities|accounts payable|retained earnings|total assets|"
    r"total liabilities|goodwill",
}
_OF_ITEM = frozenset(stems("fiscal difference change increase decrease year"))
_FIGURE = re.compile(r"[\t$€£(]*\s*\(?\d|\t|\s[$€£]")
_NET = re.compile(r"(?:consolidated )?net\W", re.IGNORECASE)
_QUARTER = re.compile(r"\b(?:(?:13|14|thirteen) weeks|three months|quarter) ended\b", re.IGNORECASE)
_WHOLE_YEAR = re.compile(r"\b(?:(?:52|53) weeks|(?:twelve|12) months|years?) ended\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class LineItem:
    """The stems of a line of a statement, and the names of the company, without spaces."""

    words: frozenset[str]
    names: tuple[str, ...]
    years: frozenset[str]

    @property
    def statement(self) -> str:
        """The query for the statement that has the line."""
        return BALANCE_SHEET if self.words & _BALANCE else INCOME_STATEMENT


def line_item(question: AnalysedQuestion) -> LineItem | None:
    """Return the line that a question asks of a company and nothing else; None if it has other words."""
    found = LINE_ITEM.search(question.text)
    names = [name for name in question.names if not _YEAR.search(name)]
    if not found or not names:
        return None
    known = {*stems(found[0]), *(stem for name in names for stem in stems(name))}
    rest = [stem for stem in question.stems if stem not in known and not _YEAR.fullmatch(stem)]
    if not _OF_ITEM.issuperset(rest):
        return None
    joined = tuple(filter(lambda name: len(name) >= MIN_NAME, map(_joined, names)))
    years = frozenset(_YEAR.findall(question.text))
    return LineItem(frozenset(_as_one(found[0])), joined, years) if len(joined) == len(names) == 1 else None


def item_row(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> CandidateSentence | None:
    """Return the row of the company's latest report with what a question asks, the file's name before the columns."""
    item = line_item(question)
    if item is None:
        return None
    lines: dict[str, dict[int, str]] = defaultdict(dict)
    files: dict[str, str] = {}  # of each reference
    for evidence in (each for result in results for each in result.evidence):
        if any(name in _joined(f"{evidence.file} {evidence.title}") for name in item.names):
            files[evidence.reference] = evidence.file
            lines[evidence.file] |= dict(enumerate(evidence.lines, evidence.first_line))
    if not files:
        return None
    of_time = {files[reference] for reference in of_period(question, files)}
    rows = [each for each in candidates(results) if files.get(each.reference) in of_time and _is_row_of(item, each)]
    rated = [(_rating(item, lines[files[row.reference]], row), row) for row in rows]
    (_, near, _, _), best = max(rated, key=lambda each: each[0], default=((False, 0, 0, 0), None))
    if best is None or near < MIN_OTHERS:
        return None
    file = files[best.reference]
    return replace(best, columns=f"{file.rpartition('.')[0] or file}, {best.columns.strip('| ')}")


def _is_row_of(item: LineItem, row: CandidateSentence) -> bool:
    """Return whether the label of a row is the line, in its words or those of the same meaning."""
    words = frozenset(_as_one(_label(row)))
    own = {stem for stem in words if any(stem in name for name in item.names)}
    figures = row.text[len(_label(row)) :]
    dated = not item.years or all(year in row.columns for year in item.years)
    fits = item.words - _PLAIN <= words and words - item.words <= _PLAIN | own
    net = "sale" in item.words or "net" not in item.words or bool(_NET.match(_label(row)))
    whole = bool(_YEAR.search(row.columns)) and "%" not in _label(row)
    return row.shape is SentenceShape.ROW and fits and net and dated and whole and any(map(str.isdigit, figures))


def _label(row: CandidateSentence) -> str:
    found = _FIGURE.search(row.text)
    return row.text[: found.start()] if found else row.text


def _rating(item: LineItem, lines: Mapping[int, str], row: CandidateSentence) -> tuple[bool, int, int, int]:
    """Return what is better of two rows: of a year rather than of a quarter, and in the whole statement."""
    above = " ".join(lines.get(row.first_line - away, "") for away in range(1, ABOVE))
    part = bool(_QUARTER.search(above)) and not _WHOLE_YEAR.search(above)
    others = _others(item, lines, row)
    return others >= MIN_OTHERS and not part, others, -len(_label(row)), -row.first_line


def _others(item: LineItem, lines: Mapping[int, str], row: CandidateSentence) -> int:
    """Count the other lines of the statement that stand around a row; none of a cash flow, which has changes."""
    near = "\n".join(lines.get(row.first_line + away, "") for away in range(-NEAR, NEAR + 1) if away)
    close = " ".join(lines.get(row.first_line + away, "") for away in range(-CLOSE, CLOSE + 1))
    if "ting activities" in close.lower():  # operating, investing
        return 0
    return len(set(re.findall(_OTHERS[item.statement], near.lower())))


def _as_one(text: str) -> list[str]:
    return [_SAME.get(stem, stem) for stem in stems(text.replace("cost of goods sold", "cost of sales"))]


def _joined(text: str) -> str:
    return re.sub(r"[\W_]", "", text.lower())
