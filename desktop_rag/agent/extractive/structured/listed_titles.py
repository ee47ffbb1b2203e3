"""Answers "list all board meetings" by the titles of the documents that are board meetings."""

import re
from collections.abc import Sequence

from desktop_rag.agent.extractive.answer_type import AnswerType
from desktop_rag.agent.extractive.quantities.read_tables import DocumentLines, read_documents
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.llm.chat import ToolMessage

TITLE_LINES = 5  # first lines of a document, one of which is its title
MAX_NAMED = 10
MAX_TITLES = 40  # two pages of a list of documents

_MENTIONS = re.compile(r"\b(?:mention|contain|discuss|refer|talk|say|erwähn|enthalt|enthält)\w*\b", re.IGNORECASE)
_MAILS = re.compile(r"\be?-?mails?\b", re.IGNORECASE)
_MAIL_FILES = (".eml", ".msg")


def listed_titles(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> list[CandidateSentence]:
    """Return the title line, or the first one, of every document whose names have all words of a list question."""
    titled = ((each, at) for each in _named(question, results) if (at := title_line(each)) is not None)
    lines = ((each.title, at, *each.lines[at]) for each, at in titled)
    return [CandidateSentence(line.strip("#* "), reference, title, at, at) for title, at, line, reference in lines]


def named_titles(titles: Sequence[str]) -> str:
    """Return “: one, two” of documents whose quoted first lines do not name them, empty for none or too many."""
    return f": {', '.join(titles)}" if 0 < len(titles) <= MAX_NAMED else ""


def titles_to_read(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> list[str]:
    """Return references to the documents with such names whose title was not read."""
    return [each.reference for each in _named(question, results) if title_line(each) is None]


def _named(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> list[DocumentLines]:
    words = set(question.stems)
    if question.asks is not AnswerType.LIST or not words or _MENTIONS.search(question.text):
        return []
    named = [each for each in read_documents(results) if each.is_called(words) and not each.unclear]
    mails = [each for each in named if each.file.lower().endswith(_MAIL_FILES)]
    chosen = mails if mails and _MAILS.search(question.text) else named
    return sorted(chosen, key=lambda each: each.file)[:MAX_TITLES]


def title_line(document: DocumentLines) -> int | None:
    """Return the number of the line that is the title of a document, else of its first line."""
    lines = [number for number in range(1, TITLE_LINES + 1) if document.lines.get(number, ("",))[0]]
    titled = (number for number in lines if _is_title(document.lines[number][0].strip("#* "), document.title))
    return next(iter((*titled, *lines)), None)


def _is_title(line: str, title: str) -> bool:
    """Return whether a line is the title, a part of it, or has it: “Subject: Crane, report 2”."""
    return line in title or (len(title) > 1 and title in line)
