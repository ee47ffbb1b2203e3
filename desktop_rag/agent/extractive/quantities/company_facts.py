"""The number of employees and the auditors of a company, as its reports state them in prose or under a signature."""

import re
from collections.abc import Sequence

from desktop_rag.agent.extractive.quantities.financial_statements import AUDITORS, EMPLOYEES, of_period
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence, candidates
from desktop_rag.llm.chat import ToolMessage

_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d{3,}|\d+(?:\.\d+)? thousand)"
_ABOUT = r"(?:(?:approximately|about|over|nearly|more than|almost|some|around|a total of) )*"
_COUNTED = r"(?:[\w-]+,? (?:and )?){0,4}(?:employees|people|persons|associates|staff|colleagues|workers)"
_WORKFORCE = "total workforce|workforce level|total headcount|(?:total )?number of employees"
_FIRM = r"\b(?:[A-Z][\w&]+(?: (?:&|and|[A-Z][\w&]+))*,? (?:LLP|AG|GmbH)|Pricewaterhouse|Deloitte|KPMG|Ernst & Young)\b"
_AUDITOR = r"\b(?:auditors?|audited by|accounting firm)\b"
_STATED = {
    EMPLOYEES: (
        re.compile(rf"\bemploy(?:ed|s)? {_ABOUT}{_NUMBER} {_COUNTED}", re.IGNORECASE),
        re.compile(rf"\b(?:{_WORKFORCE})\b[^.]{{0,60}}?{_NUMBER}", re.IGNORECASE),
        re.compile(rf"\bwe (?:had|have) {_ABOUT}{_NUMBER} {_COUNTED}", re.IGNORECASE),
    ),
    AUDITORS: (
        re.compile(rf"/s/ [^.]*{_FIRM}"),
        re.compile(rf"{_FIRM}[^.]*{_AUDITOR}|{_AUDITOR}[^.]*{_FIRM}"),
    ),
}
_ASKED = {
    EMPLOYEES: re.compile(
        r"\bhow many (?:employees|people|persons|staff|workers)\b.*\b(?:have|has|employs?|employed|are there|work)\b|"
        r"\b(?:number of employees|headcount|workforce size|size of the workforce)\b",
        re.IGNORECASE,
    ),
    AUDITORS: re.compile(
        r"\bwho (?:is|are|was|were) .*\bauditors?\b|\bwho audit(?:s|ed)\b|\bwhich (?:firm|company) audit(?:s|ed)\b|"
        r"\b(?:name|what) .*\bauditors?\b",
        re.IGNORECASE,
    ),
}
MIN_NAME = 4  # letters of a company's name that may stand inside of a file's


def asked_fact(question: AnalysedQuestion) -> str:
    """Return the query for the passages with the fact that a question asks of one company; empty for none."""
    return next((query for query, asked in _ASKED.items() if asked.search(question.text) and _company(question)), "")


def company_fact(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> tuple[CandidateSentence, ...] | None:
    """Return the statement of the fact in the company's own reports, none if they were read without one.

    None if it asks for no such fact, or no report of the company was read.
    """
    query, company = asked_fact(question), _company(question)
    read = (each for result in results for each in result.evidence)
    files = {each.reference: each.file for each in read if company in _joined(f"{each.file} {each.title}")}
    if not query or not files:
        return None
    of_time = of_period(question, files)
    own = [each for each in candidates(results) if each.reference in files]
    own.sort(key=lambda each: each.reference not in of_time)
    stated = (each for pattern in _STATED[query] for each in own if pattern.search(each.text))
    return tuple(stated)[:1]


def _company(question: AnalysedQuestion) -> str:
    """Return the only name of a question, as the name of a file may have it; empty for none or several."""
    names = {_joined(name) for name in question.names if not any(map(str.isdigit, name))}
    return names.pop() if len(names) == 1 and len(min(names)) >= MIN_NAME else ""


def _joined(text: str) -> str:
    return re.sub(r"[\W_]", "", text.lower())
