"""The queries of the built-in model: phrasings of a question, keywords, and words of document names."""

import re

from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.tools.query_phrasing import plain_query

KEYWORD_WORDS = 3  # of a keyword (A-RAG)
_DATE = re.compile(r"\b(?:19|20)\d\d-?[01]\d-?[0-3]\d\b")
_YEAR = re.compile(r"(?:\b|FY\s?|Q[1-4]\W?)((?:19|20)\d\d)\b|\bFY\s?'?(\d\d)\b", re.IGNORECASE)
_PERIOD = re.compile(r"\b(?:FY|Q[1-4])\W{0,2}(?:\d{2,4})?\b|\b(?:19|20)\d\d\b", re.IGNORECASE)
_CODE = re.compile(r"\b(Q)([1-4])(?=\W|20\d\d)|\b(\d{1,2}[KQ])\b", re.IGNORECASE)  # Q2, 10K
_POSSESSIVE = re.compile(r"[’']s\b")


def phrasings(question: AnalysedQuestion) -> list[str]:
    """Return the question, its content words, and its names as queries; pronouns are resolved by its context."""
    context = question.context if question.leans else ()  # "And when did he die?" needs the name from before
    queries = [plain_query(" ".join((text, *context))) for text in (question.text, " ".join(question.words))]
    if question.names:
        queries.append(plain_query(" ".join((*question.names, *question.numbers))))
    return list(dict.fromkeys(query for query in queries if query))


def keywords(question: AnalysedQuestion, most: int) -> list[str]:
    """Return names and then content words, the longest first, for a literal search."""
    names = [" ".join(name.split()[:KEYWORD_WORDS]) for name in question.names]
    words = sorted(question.words, key=len, reverse=True)
    return list(dict.fromkeys(plain_query(word) for word in (*names, *words) if plain_query(word)))[:most]


def document_words(question: AnalysedQuestion) -> str:
    """Return the names, the latest year, dates and codes of a question: words that names of documents may have."""
    names = [name for name in (_POSSESSIVE.sub("", name) for name in question.names) if not _PERIOD.fullmatch(name)]
    years = [int(found[1] or f"20{found[2]}") for found in _YEAR.finditer(question.text)]
    codes = [" ".join(part for part in found if part) for found in _CODE.findall(question.text)]
    dates = [found.group() for found in _DATE.finditer(question.text)]
    latest = [str(max(years))] if years else []
    return plain_query(" ".join((*names, *dates, *latest, *codes))) if names or dates else ""


def about(question: AnalysedQuestion) -> str:
    """Return the words of a question without names and periods: the query inside a document that is about them."""
    named = {word for name in question.names for word in _POSSESSIVE.sub("", name).lower().split()}
    words = [word for word in question.words if _POSSESSIVE.sub("", word).lower() not in named]
    return plain_query(_PERIOD.sub(" ", " ".join(words)))
