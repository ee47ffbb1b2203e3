"""Finds the sentence that defines a word: "X is a …", "X means …", "… called X", "… (X)", or an entry of a glossary."""

import re
from collections.abc import Sequence

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence

MOST = 2  # definitions that are quoted
EXTRA_WORDS = 2  # beside those of the term, before "is a": "The term heat pump means …"
_ASKS = re.compile(
    r"^(?P<meant>what (?:does|do|did) (?P<a>.+?) (?:mean|stand for)|"
    r"(?:what is the )?(?:meaning|definition) of (?P<b>.+)|"
    r"define (?P<c>.+)|was (?:bedeutet|heißt) (?P<d>.+)|wofür steht (?P<e>.+))$|"
    r"^(?:what (?:is|are) an? (?P<f>[^,]+)|was ist eine? (?P<g>[^,]+))$",
    re.IGNORECASE,
)
_LONGEST = 4  # words of a term
_SHAPES = (SentenceShape.PROSE, SentenceShape.ROW)
_QUOTES = "\"'“”„«» "
_IS = re.compile(
    r"\b(?:is|are|was|were|ist|sind|war)\s+(?:an?|the|any|one|eine?|der|die|das|when|short for|abbreviat\w+)\b|"
    r"\b(?:means?|meant|stands? for|refers? to|denotes?|(?:is|are) defined as|bedeutet|bezeichnet|steht für)\b|"
    r"\s[–—-]\s|[:\t|]",
    re.IGNORECASE,
)
_CALLED = r"(?:called|known as|named|termed|genannt|or)\s+(?:an?\s+|the\s+)?[\"“*_]*"


def asked_term(question: AnalysedQuestion) -> tuple[str, bool]:
    """Return the term whose definition is asked for, and whether nothing but its meaning would answer; "" if none."""
    asked = _ASKS.match(question.text.rstrip("?. "))
    term = next((text for text in asked.groupdict().values() if text and text != asked["meant"]), "") if asked else ""
    term = term.strip(_QUOTES)
    return (term, bool(asked and asked["meant"])) if 0 < len(term.split()) <= _LONGEST else ("", False)


def definitions(term: str, ranked: Sequence[RankedSentence]) -> tuple[RankedSentence, ...]:
    """Return the sentences that define a term, best first."""
    return tuple(one for one in ranked if one.candidate.shape in _SHAPES and _defines(one.candidate.text, term))[:MOST]


def _defines(text: str, term: str) -> bool:
    words = set(stems(term, frozenset()))
    bare = text.lstrip(' -*•|>“"')
    if found := _IS.search(bare):
        before = bare[: found.start()]
        others = set(stems(before)) - words
        if words <= set(stems(before, frozenset())) and len(others) <= EXTRA_WORDS and bare[found.end() :].strip():
            return True
    name = re.escape(term)
    return bool(re.search(rf"\b{_CALLED}{name}\b|\w\s\({name}\)|\b{name}\s\([^()\d]{{4,}}\)", text, re.IGNORECASE))
