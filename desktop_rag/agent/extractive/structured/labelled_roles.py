"""Finds who has a role by a label: “Buyer: Tamsin Achebe” for “Who buys the car?” or “Who is the buyer?”."""

import re
from collections.abc import Iterator, Sequence

from desktop_rag.agent.extractive.asked_things import is_english
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.quantities.read_tables import DocumentLines, read_documents
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.index.keywords.analysis import fold
from desktop_rag.llm.chat import ToolMessage

_ASKS = re.compile(r"(?:who|wer)\b(?!.*\b(?:not|never|nicht|kein\w*)\b|.*n[’']t\b)", re.IGNORECASE)
_OF_OTHER = re.compile(r"\b(?:did|does|do|from|whom)\b", re.IGNORECASE)  # “Who did she buy it from?”
_NAME = r"(?:[A-ZÀ-Þ][\w.’'-]*|von|van|de[rn]?|du|da|of|and|und|&)"
_LINE = re.compile(
    rf"[\W_]*(?P<label>[^\W\d_][\w’' -]{{1,30}}?)[*_]*:[*_]*\s+(?P<name>[A-ZÀ-Þ][\w.’'-]*(?:\s{_NAME}){{0,5}})"
    r"\s*(?:[,;(–-].*|\.)?$"
)
_DOING = re.compile(r"\b[^\W\d_]{2,}(?:er|or|erin)\b", re.IGNORECASE)  # buyer, inspector, Käufer
_DOES = {"tenant": "rent", "leitung": "leitet"}


def role_lines(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> tuple[CandidateSentence, ...]:
    """Return the line with the name of who has the role, or does as its label says; none unless one can be meant.

    The other words of the question stand in the lines read of the same document, or in its names.
    """
    if not _ASKS.match(question.text):
        return ()
    read = [each for each in read_documents(results) if not each.unclear]
    found = {line.text: line for each in read for line in _of_document(question, each)}
    return tuple(found.values()) if len(found) == 1 else ()


def _of_document(question: AnalysedQuestion, document: DocumentLines) -> Iterator[CandidateSentence]:
    asked = frozenset(question.stems)
    english = is_english(question)
    names = {stem for name in question.names for stem in stems(name)} if english else frozenset[str]()
    for number, (line, reference) in document.lines.items():
        labelled = _LINE.match(line)
        role = _role(labelled["label"], question) if labelled else frozenset[str]()
        if not labelled or not role or role & names or asked.issuperset(stems(labelled["name"])):
            continue
        if document.is_told(asked - role):
            yield CandidateSentence(line, reference, document.title, number, number)


def _role(label: str, question: AnalysedQuestion) -> frozenset[str]:
    """Return the stems of the question that a label means; none if it means none."""
    asked = frozenset(question.stems)
    own = frozenset(stems(label))
    if own and own <= asked:
        return own
    doing = _DOING.search(label)
    if _OF_OTHER.search(question.text) or len(label.split()) > 1:
        return frozenset()
    if not doing:
        return frozenset(stems(_DOES.get(label.lower(), ""))) & asked
    stem = re.sub(r"(?:er|or|erin)$", "", fold(doing[0]))
    return frozenset(stems(f"{stem} {stem}e {stem}t {stem}et")) & asked  # drive, kauft, mietet
