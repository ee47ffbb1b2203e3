"""The queries of the built-in model: phrasings of a question, and the files that its names and years may stand for."""

import re
from collections.abc import Sequence

from desktop_rag.agent.extractive.questions import Question

NAMES = 2  # names of a question that are looked for among the names of files
SHORTEST = 4  # letters of such a name
KEYWORD = 3  # words of a keyword (A-RAG)
_SYNTAX = re.compile(r"[\"“”„«»():^~*?\[\]{}\\/+!]|\b(?:AND|OR|NOT|TO)\b")
_DATE = re.compile(r"\b(?:19|20)\d\d-?[01]\d-?[0-3]\d\b")
_YEAR = re.compile(r"(?:\b|FY\s?|Q[1-4]\W?)((?:19|20)\d\d)\b|\bFY\s?'?(\d\d)\b", re.IGNORECASE)
_PERIOD = re.compile(r"\b(?:FY|Q[1-4])\W{0,2}(?:\d{2,4})?|\b(?:19|20)\d\d\b", re.IGNORECASE)
_POSSESSIVE = re.compile(r"[’']s\b")


def plain_query(text: str) -> str:
    """Return `text` without anything the query language would take for an operator."""
    return " ".join(_SYNTAX.sub(" ", text).split())


def phrasings(question: Question) -> list[str]:
    """Return the question as it stands, its telling words, and its names; each with what "he" or "it" means in it."""
    told = question.context if question.leans else ()  # "And when did he die?" means the one asked about before
    queries = [plain_query(" ".join((question.text, *told))), plain_query(" ".join((*question.words, *told)))]
    if question.names:
        queries.append(plain_query(" ".join((*question.names, *question.numbers))))
    return list(dict.fromkeys(query for query in queries if query))


def keywords(question: Question, most: int) -> list[str]:
    """Return names and telling words, the longest first, as a search for literal words takes them."""
    names = [" ".join(name.split()[:KEYWORD]) for name in question.names]
    words = sorted(question.words, key=len, reverse=True)
    return list(dict.fromkeys(plain_query(word) for word in (*names, *words) if plain_query(word)))[:most]


def named_files(question: Question) -> list[str]:
    """Return conditions on files, the narrower first, that the question's names, years and dates may mean."""
    dates = [found.group().replace("-", "") for found in _DATE.finditer(question.text)]
    if dates:
        return [f"path:*{dates[0]}*"]
    years = [int(found[1] or f"20{found[2]}") for found in _YEAR.finditer(question.text)]
    found: list[str] = []
    for name in _file_names(question.names):
        if years:
            found.append(f"path:{name} path:*{max(years)}*")
        found.append(f"path:{name}")
    return found


def about(question: Question) -> str:
    """Return what is asked without whom and when: the words to look for inside a document about them."""
    said = {word for name in question.names for word in _POSSESSIVE.sub("", name).lower().split()}
    words = [word for word in question.words if _POSSESSIVE.sub("", word).lower() not in said]
    return plain_query(_PERIOD.sub(" ", " ".join(words)))


def within(query: str, condition: str) -> str:
    """Return a query kept to the files of a condition."""
    return f"{query} {condition}"


def _file_names(names: Sequence[str]) -> list[str]:
    plain = [_POSSESSIVE.sub("", name) for name in names]
    words = [[part for part in re.split(r"[\W_]+", name.lower()) if part] for name in plain]
    return [f"*{'*'.join(parts)}*" for parts in words if len("".join(parts)) >= SHORTEST][:NAMES]
