"""Ranks sentences by how likely each answers a question: a linear score over word overlap, without a model."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.answer_type import AnswerType, has_type
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.names_in_text import padded
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence

# Weights set by hand, not fitted: a word in the sentence itself counts most, then its title and neighbours.
OWN, NEAR, TITLE, PAIRS, SIGN, FOCUS, RANK = 1.0, 0.55, 0.8, 0.3, 0.22, 0.2, 0.1
COVER = 0.2  # for having all words of the question in and around it
PINNED = 0.8  # for a code of the question that the sentence has
AT_FIRST = 1.75  # times as much for a code at its beginning: what follows is of it
NAMED, HEAD = 1.25, 1.5  # factors for a word in a name, and for the head noun: the warranty of the heat pump
PRICE = 0.3  # factor for “cost” and its like, which any price has, if the question asks for one
CONTEXT = 0.25  # for words of the questions before
NO_NUMBER = 0.75  # factor for a sentence without a number if the answer is one
NO_PRICE = 0.6  # the same for money: a number alone is no price
LONG = 700  # characters of a sentence that rather is many

COUNTED = frozenset((AnswerType.AMOUNT, AnswerType.MONEY, AnswerType.SHARE, AnswerType.TIME, AnswerType.YEAR))
_ANY_PRICE = frozenset(stems("cost price pay amount kosten kostet preis"))
_NAME = re.compile(r"(?<=[^\W\d] )[^\W\d_a-z]\w+")  # a capitalised word inside of a sentence
_LABEL = re.compile(r"\W*([^\W\d_][\w ]{1,20}): ")
_SMALL_NUMBERS = frozenset(stems(" ".join(map(str, range(1, 11)))))  # they are written out as stems
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
        * (PRICE if word in _ANY_PRICE and question.asks is AnswerType.MONEY else 1.0)
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
        + PAIRS * _pairs(question, candidate)
        + SIGN * sign
        + FOCUS * candidate.focus
        + COVER * everything**2
        + CONTEXT * _context(question, candidate)
        + RANK / (1 + candidate.place)
    )
    factor = _factor(question, candidate)
    if question.asks in COUNTED and not sign:
        factor *= NO_PRICE if question.asks is AnswerType.MONEY else NO_NUMBER
    return RankedSentence(candidate, score * factor + PINNED * pinned, everything, own, bool(places), 0 in places)


def _share(held: frozenset[str], weights: Mapping[str, float]) -> float:
    return sum(weight for word, weight in weights.items() if word in held)


def _is_short_answer(question: AnalysedQuestion, candidate: CandidateSentence) -> bool:
    """Return whether one new word may be the answer: “Place of work is Bern”, `required_keys = ("path",)`."""
    if question.asks in (AnswerType.PLACE, AnswerType.PERSON):
        asked = question.text.lower()
        label = _LABEL.match(candidate.text)
        return (label is not None and set(stems(label[1])) <= set(question.stems)) or any(
            word.lower() not in asked for word in _NAME.findall(candidate.text)
        )
    return candidate.shape is SentenceShape.CODE and "=" in candidate.text


def _context(question: AnalysedQuestion, candidate: CandidateSentence) -> float:
    """Return the share of the question's context words in or around the sentence."""
    context = frozenset(stems(" ".join(question.context))) - frozenset(question.stems)
    return len(context & (candidate.around | candidate.place_words)) / len(context) if context else 0.0


def _pairs(question: AnalysedQuestion, candidate: CandidateSentence) -> float:
    """Return the share of the question's adjacent word pairs that the sentence has; a reversed pair counts half.

    A name with a letter is one such pair.
    """
    pairs = list(zip(question.stems, question.stems[1:], strict=False))
    lettered = question.lettered
    if not (pairs or lettered):
        return 0.0
    positions = {word: index for index, word in enumerate(candidate.order)}
    steps = [positions[b] - positions[a] for a, b in pairs if a in positions and b in positions]
    held = sum(1.0 if 0 < step <= 2 else 0.5 for step in steps if abs(step) <= 2)
    held += sum(padded(name) in padded(candidate.text) for name in lettered)
    return held / (len(pairs) + len(lettered))


def _new_words(question: AnalysedQuestion, words: frozenset[str]) -> int:
    """Count the words that the question does not have; a number counts twice, as it may be the whole answer."""
    return sum(2 if word[0].isdigit() or word in _SMALL_NUMBERS else 1 for word in words - set(question.stems))


def _factor(question: AnalysedQuestion, candidate: CandidateSentence) -> float:
    """Return a factor below 1 for unlikely answers: headings, questions, sentences without new words."""
    factor = _SHAPES[candidate.shape]
    if candidate.text.rstrip().endswith("?"):
        factor *= 0.5
    new = _new_words(question, candidate.stems.difference(candidate.document_words))
    short = new < 2 and not candidate.items and question.asks is not AnswerType.YES_NO
    if short and not (new and _is_short_answer(question, candidate)):
        factor *= 0.5
    if candidate.leans:
        factor *= 0.93
    return factor * (0.8 if len(candidate.text) > LONG else 1.0)
