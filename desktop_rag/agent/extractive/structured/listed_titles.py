"""Answers "list all board meetings" by titles, "which documents mention it" by a sentence of each document."""

import re
from collections.abc import Sequence

from desktop_rag.agent.citations.source_sentences import sentences
from desktop_rag.agent.extractive.answer_type import AnswerType
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.quantities.read_tables import DocumentLines, read_documents
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.llm.chat import ToolMessage

TITLE_LINES = 5  # first lines of a document, one of which is its title
MAX_NAMED = 10
MAX_TITLES = 40  # two pages of a list of documents

_MENTIONS = re.compile(r"\b(?:mention|contain|discuss|refer|talk|say|erwähn|enthalt|enthält)\w*\b", re.IGNORECASE)
_DOCUMENTS_MENTION = re.compile(
    r"\b(?:documents?|files?|papers?|letters?|notes?|reports?|messages?|e?-?mails?|dokumenten?|dateien|briefe|"
    rf"schreiben|unterlagen)\b.*{_MENTIONS.pattern}",
    re.IGNORECASE,
)
_MAILS = re.compile(r"\be?-?mails?\b", re.IGNORECASE)
_MAIL_FILES = (".eml", ".msg")


def listed_titles(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> list[CandidateSentence]:
    """Return the title line, or the first one, of every document whose names have all words of a list question."""
    titled = ((each, at) for each in _named(question, results) if (at := title_line(each)) is not None)
    lines = ((each.title, at, *each.lines[at]) for each, at in titled)
    return [CandidateSentence(line.strip("#* "), reference, title, at, at) for title, at, line, reference in lines]


def mentioning(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> list[CandidateSentence]:
    """Return a sentence with all words of the question from every document that was read and has one."""
    words = frozenset(question.stems)
    if question.asks is not AnswerType.LIST or not words or not _DOCUMENTS_MENTION.search(question.text):
        return []
    read = _mails_if_asked(question, [each for each in read_documents(results) if not each.unclear])
    found = filter(None, (_sentence_with(words, each) for each in read))
    return sorted(found, key=lambda each: each.title)[:MAX_TITLES]


def documents_that_mention(question: AnalysedQuestion, found: Sequence[CandidateSentence]) -> str:
    """Return the line above such sentences, with the names of the documents."""
    what = ", ".join(f"“{word}”" for word in question.words)
    many = "1 document that was read mentions" if len(found) == 1 else f"{len(found)} documents that were read mention"
    return f"{many} {what}{named_titles([each.title for each in found])}:"


def _sentence_with(words: frozenset[str], document: DocumentLines) -> CandidateSentence | None:
    for each in sentences({number: line for number, (line, _) in document.lines.items()}):
        if words.issubset(stems(each.text)):
            reference = document.lines[each.first_line][1]
            name = document.title or document.file
            return CandidateSentence(each.text.strip("#* "), reference, name, each.first_line, each.last_line)
    return None


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
    return sorted(_mails_if_asked(question, named), key=lambda each: each.file)[:MAX_TITLES]


def _mails_if_asked(question: AnalysedQuestion, documents: list[DocumentLines]) -> list[DocumentLines]:
    mails = [each for each in documents if each.file.lower().endswith(_MAIL_FILES)]
    return mails if mails and _MAILS.search(question.text) else documents


def title_line(document: DocumentLines) -> int | None:
    """Return the number of the line that is the title of a document, else of its first line."""
    lines = [number for number in range(1, TITLE_LINES + 1) if document.lines.get(number, ("",))[0]]
    titled = (number for number in lines if _is_title(document.lines[number][0].strip("#* "), document.title))
    return next(iter((*titled, *lines)), None)


def _is_title(line: str, title: str) -> bool:
    """Return whether a line is the title, a part of it, or has it: “Subject: Crane, report 2”."""
    return line in title or (len(title) > 1 and title in line)
