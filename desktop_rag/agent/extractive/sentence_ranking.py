"""Ranks sentences by how likely each answers a question: a linear score over word overlap, without a model."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.question_analysis import COUNTED, AnalysedQuestion, AnswerType, has_type
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence

# Weights set by hand, not fitted: a word in the sentence itself counts most, then its title and neighbours.
OWN, NEAR, TITLE, SIGN, FOCUS, RANK = 1.0, 0.55, 0.8, 0.22, 0.2, 0.1
PINNED = 0.8  # for a code of the question that the sentence has
AT_FIRST = 1.75  # times as much for a code at its beginning: what follows is of it
NAMED, HEAD = 1.25, 1.5  # factors for a word in a name, and for the head noun: the warranty of the heat pump
NO_NUMBER, NO_PRICE = 0.75, 0.6  # factors for a sentence without a number, or a price, if the answer is one
LONG = 700  # characters of a sentence that rather is many

_SHAPES = {SentenceShape.PROSE: 1.0, SentenceShape.ROW: 1.0, SentenceShape.CODE: 0.7, SentenceShape.HEADING: 0.5}


@dataclass(frozen=True, slots=True)
class RankedSentence:
    """A candidate with its score; `covered` is the weighted share of the question's words in and around it."""

    candidate: CandidateSentence
    score: float
    covered: float
    own: float  # the share in the sentence itself
    pinned: bool = False  # it has a code of the question …
    headed: bool = False  # … at its beginning


def certain(candidate: CandidateSentence) -> RankedSentence:
    """Return a sentence that answers by its place in a document, not by its words."""
    return RankedSentence(candidate, 1.0, 1.0, 1.0)


def rank(question: AnalysedQuestion, candidates: Sequence[CandidateSentence]) -> list[RankedSentence]:
    """Return the candidates, the most likely answer first; a stable sort."""
    weights = weights_of(question, candidates)
    named = " ".join({f"{each.title} {each.file}".lower() for each in candidates})
    codes = [
        re.compile(rf"(?<!\w){re.escape(code)}(?!\w)", re.IGNORECASE)
        for code in question.codes
        if code.lower() not in named  # it tells which document is meant
    ]
    ranked = (_score(question, candidate, weights, codes) for candidate in candidates)
    return sorted(ranked, key=lambda found: -found.score)


def weights_of(question: AnalysedQuestion, candidates: Sequence[CandidateSentence]) -> dict[str, float]:
    """Return the idf weight of each word of the question among the candidates; they sum to 1."""
    frequency = Counter(word for candidate in candidates for word in candidate.stems)
    named = {word for name in question.names for word in stems(name)}
    raw = {
        word: math.log(1 + (len(candidates) + 1) / (frequency[word] + 0.5))
        * (NAMED if word in named else 1.0)
        * (HEAD if word in question.head else 1.0)
        for word in question.stems
    }
    total = sum(raw.values()) or 1.0
    return {word: weight / total for word, weight in raw.items()}


def _score(
    question: AnalysedQuestion,
    candidate: CandidateSentence,
    weights: Mapping[str, float],
    codes: Sequence[re.Pattern[str]],
) -> RankedSentence:
    own = _share(candidate.stems, weights)
    near = max(_share(candidate.around, weights), own)
    everything = max(_share(candidate.around | candidate.place_words, weights), near)
    table = candidate.shape is SentenceShape.ROW and question.asks is AnswerType.MONEY  # the currency is in its header
    sign = float(has_type(AnswerType.AMOUNT if table else question.asks, candidate.text, question.text))
    below = any(code.search(candidate.heading) for code in codes)  # what stands in its section is of it
    places = [each.start() for code in codes if (each := code.search(candidate.text))] or [0] * below
    pinned = sum(1.0 if place else AT_FIRST for place in places) / max(len(codes), 1)
    score = (
        OWN * own
        - (OWN - TITLE) * _share(candidate.stems & candidate.document_words, weights)
        + NEAR * (near - own)
        + TITLE * (everything - near)
        + SIGN * sign
        + FOCUS * candidate.focus
        + RANK / (1 + candidate.place)
    )
    factor = _factor(question, candidate)
    if question.asks in COUNTED and not sign:
        factor *= NO_PRICE if question.asks is AnswerType.MONEY else NO_NUMBER
    return RankedSentence(candidate, score * factor + PINNED * pinned, everything, own, bool(places), 0 in places)


def _share(held: frozenset[str], weights: Mapping[str, float]) -> float:
    return sum(weight for word, weight in weights.items() if word in held)


def _factor(question: AnalysedQuestion, candidate: CandidateSentence) -> float:
    """Return a factor below 1 for unlikely answers: headings, questions, sentences without new words."""
    factor = _SHAPES[candidate.shape]
    if candidate.text.rstrip().endswith("?"):
        factor *= 0.5
    if not candidate.stems.difference(candidate.document_words, question.stems):
        factor *= 0.5
    return factor * (0.8 if len(candidate.text) > LONG else 1.0)
