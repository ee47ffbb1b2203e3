"""Finds the statements of a financial report with the figures of a question: balance sheet, income, cash flow.

The figures that a gross margin is computed from are in a statement that does not name it.
"""

import re
from collections.abc import Mapping, Sequence

from desktop_rag.agent.extractive.answer_type import AnswerType
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.llm.chat import Evidence

# Titles, subtotals and lines that only the statement has together, in the words of English annual reports.
BALANCE_SHEET = (
    '("balance sheet" OR "balance sheets" OR "financial position" OR "total current liabilities") AND '
    '"total current assets" AND (prepaid OR goodwill OR "short-term investments") AND '
    "(receivable OR receivables OR inventory OR inventories)"
)
INCOME_STATEMENT = (
    '("statement of income" OR "statements of income" OR "statement of operations" OR "statements of operations" OR '
    '"statement of earnings" OR "statements of earnings" OR "cost of sales" OR "cost of goods sold" OR '
    '"cost of revenue") AND basic AND diluted AND (tax OR taxes)'
)
CASH_FLOW_STATEMENT = (
    '("cash flow" OR "cash flows") AND "operating activities" AND "investing activities" AND '
    "(depreciation OR amortization) AND (receivable OR receivables OR inventory OR inventories OR payable)"
)
EMPLOYEES = (
    '("employed" OR "total workforce" OR "workforce level" OR headcount OR "number of employees") AND '
    "(employees OR people OR workforce)"
)
AUDITORS = (
    '("accounting firm" OR auditor OR auditors) AND '
    '(LLP OR PricewaterhouseCoopers OR Deloitte OR KPMG OR "Ernst & Young")'
)
_RATIO = "turnover|days|ratio"
_METRICS: tuple[tuple[str, str], ...] = (
    (
        BALANCE_SHEET,
        r"balance sheet|statement of financial position|(?:quick|current|liquidity|debt|leverage|equity) ratio|"
        rf"working capital|debt.to.equity|return on (?:total )?(?:assets|equity)|\bRO[AE]\b|\bD[IPS]O\b|"
        rf"(?:assets?|inventory|receivables?|payables?) (?:{_RATIO})|days (?:of )?(?:inventory|sales|payables?)|"
        r"(?:total|current|fixed|net) (?:assets|liabilities)|accounts (?:receivable|payable)|\bPP&E|"
        r"(?:property|plant),? (?:and )?(?:plant|equipment)|shareholders?.? equity|"
        r"cash (?:and|&) (?:cash )?equivalents",
    ),
    (
        INCOME_STATEMENT,
        r"income statement|profit and loss|statement of (?:income|operations|earnings)|"
        r"(?:gross|operating|profit|net|EBIT(?:DA)?|income) (?:profit )?margins?|gross profit|"
        r"(?:operating|net) (?:income|profit|loss|earnings)|\bEBIT(?:DA)?\b|\bCOGS\b|cost of (?:goods sold|sales)|"
        r"effective tax rate|earnings per share|\bEPS\b|(?:assets?|inventory|receivables?|payables?) turnover|"
        r"return on (?:total )?(?:assets|equity)|\bRO[AE]\b|\bD[IPS]O\b|interest coverage|"
        r"(?:revenue|sales) growth|(?:total|net) (?:revenues?|sales)",
    ),
    (
        CASH_FLOW_STATEMENT,
        r"cash flow|statement of cash|\bcapex\b|capital expenditures?|free cash|dividends? paid|"
        r"(?:operating|investing|financing) activities|share (?:repurchases?|buybacks?)|\bEBITDA\b",
    ),
)
_PATTERNS = tuple((query, re.compile(rf"\b(?:{metrics})", re.IGNORECASE)) for query, metrics in _METRICS)
_REASON = re.compile(r"\bwhat (?:drove|caused|explains?)|\breasons?\b|\bdrivers?\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_PERIOD = re.compile(r"(?:\b|FY ?)(?:19|20)\d\d\b|\bFY ?'?\d\d\b", re.IGNORECASE)
_QUARTER = re.compile(r"(?:\d{4}[ _-]?)?Q[1-4]|10-?Q|quarter|interim", re.IGNORECASE)


def statement_queries(question: AnalysedQuestion) -> tuple[str, ...]:
    """Return a query for each statement with the figures of a question; none if it asks for words."""
    if question.asks is AnswerType.REASON or _REASON.search(question.text):
        return ()
    return tuple(query for query, metrics in _PATTERNS if metrics.search(question.text))


def of_period(question: AnalysedQuestion, files: Mapping[str, str]) -> list[str]:
    """Return the references of the files that report on a whole year, or on a quarter if the question names one.

    Of a question without a year they are those of the latest year.
    """
    quarter = bool(_QUARTER.search(question.text))
    fitting = [reference for reference, file in files.items() if bool(_QUARTER.search(file)) is quarter] or list(files)
    if _PERIOD.search(question.text):
        return fitting
    latest = max(_year(files[reference]) for reference in fitting)
    return [reference for reference in fitting if _year(files[reference]) == latest]


def latest_first(question: AnalysedQuestion, files: Sequence[Evidence]) -> Sequence[Evidence]:
    """Sort documents that fit a question equally well by the years in their names, if it names none."""
    if _PERIOD.search(question.text):
        return files
    return sorted(files, key=lambda each: (-each.score, -_year(each.file)))


def _year(file: str) -> int:
    return max((int(found) for found in _YEAR.findall(file)), default=0)
