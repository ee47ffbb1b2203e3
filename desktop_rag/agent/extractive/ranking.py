"""Ranks the sentences that were read by how likely each of them answers a question. No model, only counting."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from desktop_rag.agent.extractive.questions import Asks, Question
from desktop_rag.agent.extractive.words import stems

_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"januar|februar|märz|mai|juni|juli|oktober|dezember|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
_NUMBER = (
    r"(?:\d[\d.,]*|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|"
    r"forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|dozen|half|"
    r"zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|hundert|tausend)s?)"
)
_PROPER = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-ZÀ-Þ][\w’'-]+")
_SIGNS = {
    Asks.YEAR: re.compile(r"\b(?:1[0-9]{3}|20\d\d|\d{1,4}\s?(?:bc|ad|bce|ce))\b", re.IGNORECASE),
    Asks.TIME: re.compile(
        rf"\b(?:1[0-9]{{3}}s?|20\d\d|{_MONTH}\s+\d|\d{{1,2}}\.?\s+{_MONTH}|\d{{1,2}}(?:st|nd|rd|th)\b|centur(?:y|ies)|"
        rf"(?:first|second|third|last|working|every|each) (?:day|week|month|year)s?|daily|weekly|monthly|yearly|"
        rf"annually|decades?|years? (?:ago|later|earlier|old)|monday|tuesday|wednesday|thursday|friday|saturday|sunday|"
        rf"spring|summer|autumn|winter|\d+[:.]\d\d\s?[ap]?m?|morning|evening|{_MONTH}\b|jahrhundert)",
        re.IGNORECASE,
    ),
    Asks.AMOUNT: re.compile(rf"\b(?!(?:1\d|20)\d\d\b){_NUMBER}(?![\w.])", re.IGNORECASE),
    Asks.MONEY: re.compile(
        rf"[$€£¥]\s?\d|\b{_NUMBER}\s?(?:million |billion |thousand )?(?:dollars?|euros?|pounds?|cents?|francs?|"
        rf"yen|eur|usd|gbp|€|\$|£)",
        re.IGNORECASE,
    ),
    Asks.SHARE: re.compile(r"\d\s?(?:%|percent|per cent|prozent)|\bper ?cent\b", re.IGNORECASE),
    Asks.REASON: re.compile(
        r"\b(?:because|due to|since|so that|in order to|therefore|thus|led to|caused?|causing|result(?:ed|ing)?|owing|"
        r"reason|to (?:avoid|prevent|allow|make|get|help|reduce)|for (?:fear|lack)|weil|wegen|damit|deshalb|porque)\b",
        re.IGNORECASE,
    ),
    Asks.PERSON: _PROPER,
    Asks.NAME: _PROPER,
    Asks.PLACE: re.compile(
        r"\b(?:in|at|near|from|to|on|of|across|around|im|bei|aus)\s+(?:the\s+)?[A-ZÀ-Þ][\w’'-]+|"
        r"\b(?:north|south|east|west|region|area|city|town|river|coast|mountains?|valley)\w*\b"
    ),
}
_LEANING = re.compile(
    r"^(?:he|she|it|they|his|her|its|their|this|that|these|those|however|but|then|also|there|such|the latter|er|sie|es|"
    r"dieser?s?|dort|il|elle|ils|ce)\b",
    re.IGNORECASE,
)

# Weights set by judgement, not fitted: a word in the sentence itself counts most, then its title and neighbours.
OWN, NEAR, TITLE, PAIRS, SIGN, FOCUS, RANK = 1.0, 0.45, 0.6, 0.25, 0.22, 0.25, 0.1


@dataclass(frozen=True)
class Candidate:
    """A sentence that was read; `before` and `after` are its neighbours, `place` is its passage's rank from 0."""

    text: str
    reference: str
    title: str
    first_line: int
    last_line: int
    before: str = ""
    before_line: int = 0
    after: str = ""
    place: int = 0
    focus: float = 0.0  # 1 for the sentence a search by meaning liked best, less for the next ones

    @cached_property
    def stems(self) -> frozenset[str]:
        """The sentence's telling words."""
        return frozenset(self.order)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The same, in order."""
        return stems(self.text)

    @cached_property
    def leans(self) -> bool:
        """Whether the sentence cannot be understood without the one before it."""
        return bool(_LEANING.match(self.text))


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score; `covered` is the share of the question found in and around it."""

    candidate: Candidate
    score: float
    covered: float


def rank(question: Question, candidates: Sequence[Candidate]) -> list[Ranked]:
    """Return candidates, the most likely answer first; equal ones in the order they were read."""
    weights = _weights(question, candidates)
    ranked = [_score(question, candidate, weights) for candidate in candidates]
    return sorted(ranked, key=lambda found: -found.score)


def _weights(question: Question, candidates: Sequence[Candidate]) -> dict[str, float]:
    """Return what each word of the question is worth: rare among the candidates is dear, and they sum to one."""
    frequency = Counter(word for candidate in candidates for word in candidate.stems)
    named = {word for name in question.names for word in stems(name)}
    raw = {
        word: math.log(1 + (len(candidates) + 1) / (frequency[word] + 0.5)) * (1.25 if word in named else 1.0)
        for word in question.stems
    }
    total = sum(raw.values()) or 1.0
    return {word: weight / total for word, weight in raw.items()}


def _score(question: Question, candidate: Candidate, weights: dict[str, float]) -> Ranked:
    own = _share(candidate.stems, weights)
    around = candidate.stems | frozenset(stems(candidate.before)) | frozenset(stems(candidate.after))
    near = _share(around, weights)
    everything = _share(around | frozenset(stems(candidate.title)), weights)
    score = (
        OWN * own
        + NEAR * (near - own)
        + TITLE * (everything - near)
        + PAIRS * _pairs(question, candidate)
        + SIGN * _sign(question, candidate)
        + FOCUS * candidate.focus
        + RANK / (1 + candidate.place)
    )
    return Ranked(candidate, score * _worth(question, candidate), everything)


def _share(held: frozenset[str], weights: dict[str, float]) -> float:
    return sum(weight for word, weight in weights.items() if word in held)


def _pairs(question: Question, candidate: Candidate) -> float:
    """Return the share of the question's neighbouring words that stand together in the sentence too."""
    pairs = list(zip(question.stems, question.stems[1:], strict=False))
    if not pairs:
        return 0.0
    places = {word: index for index, word in enumerate(candidate.order)}
    close = sum(1 for a, b in pairs if a in places and b in places and abs(places[a] - places[b]) <= 2)
    return close / len(pairs)


def _sign(question: Question, candidate: Candidate) -> float:
    """Return 1 if the sentence holds the kind of thing that is asked for, and it is news."""
    sign = _SIGNS.get(question.asks)
    if sign is None:
        return 0.0
    asked = question.text.lower()
    return float(any(found.group().lower() not in asked for found in sign.finditer(candidate.text)))


def _worth(question: Question, candidate: Candidate) -> float:
    """Return less than 1 for what can hardly be an answer: a heading, a question, words already known."""
    news = len(candidate.stems - set(question.stems))
    worth = 1.0
    if candidate.text.rstrip().endswith("?"):
        worth *= 0.5
    if news < 2:
        worth *= 0.5
    if candidate.leans:
        worth *= 0.93
    if len(candidate.text) > 700:
        worth *= 0.8
    return worth
