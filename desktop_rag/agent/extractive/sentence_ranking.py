"""Ranks sentences by how likely each answers a question: a linear score over word overlap, without a model."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.answer_type import AnswerType, has_type
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.quantities.validity import Date, asked_period, holding_since, periods
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import STAMP, CandidateSentence
from desktop_rag.text.dates import ENGLISH_MONTHS, mentions

# Weights set by hand, not fitted: a word in the sentence itself counts most, then its title and neighbours.
OWN, NEAR, TITLE, PAIRS, SIGN, FOCUS, RANK = 1.0, 0.55, 0.8, 0.3, 0.22, 0.2, 0.1
COVER = 0.2  # for having all words of the question in and around it
NAMED, HEAD = 1.25, 1.5  # factors for a word in a name, and for the head noun: the warranty of the heat pump
DOER = 1.0  # for “Inspector: …” if the question asks who inspected
PRICE = 0.3  # factor for “cost” and its like, which any price has, if the question asks for one
CONTEXT = 0.25  # for words of the questions before
MAX_QUOTE = 700  # characters of one quotation
LEAD_IN = 0.75  # share of the question's words in a sentence that introduces the answer
LED = 0.9  # factor for the words of such a sentence, when counted for the next
MAX_REPLY = 15  # characters
NO_NUMBER = 0.75  # factor for a sentence without a number if the answer is one
NO_PRICE = 0.6  # the same for money: a number alone is no price
OTHER_PERIOD = 0.75  # factor for a quarter if the question is about a year: its figures are confident and wrong
NOT_IN_FORCE = 0.5  # factor for what holds at another time than the one asked for
NEAR_BEST, MIN_NEAR_BEST = 8, 0.8  # best sentences, and their share of the best score, one of which has own words
ALL_OWN = 0.99  # share of the words of a question in a sentence that has all of them
MIN_OF_DAY = 0.5  # share of the question's words in and around such a sentence
OTHER_DAY = 0.6  # factor for what an entry or document of another month, or a section on another name, says
RATE = 0.75  # factor for “112 kWh per square metre” if the question asks for square metres
_ASKED_UNIT = re.compile(r"\bin ((?:\w+ )?\w{4,}?)s?\W*$")
_YEARLY = re.compile(r"\b(?:fiscal|FY|annual|full[- ]year|Geschäftsjahr)\b|\bFY\s?\d", re.IGNORECASE)
_NAME = re.compile(r"(?<=[^\W\d] )[^\W\d_a-z]\w+")  # a capitalised word inside of a sentence
_QUARTERLY = re.compile(r"\b(?:quarter(?:ly|s)?|Q[1-4]|three months|Quartals?)\b", re.IGNORECASE)
_VARYING = frozenset((AnswerType.AMOUNT, AnswerType.MONEY, AnswerType.SHARE))  # by time
COUNTED = frozenset((AnswerType.AMOUNT, AnswerType.MONEY, AnswerType.SHARE, AnswerType.TIME, AnswerType.YEAR))
ANY_PRICE = frozenset(stems("cost price pay amount kosten kostet preis"))
_MONTH_NUMBERS = {name: number for number, name in enumerate(ENGLISH_MONTHS, 1)}
_MONTH = re.compile(
    rf"\b(?:{'|'.join(name for name in _MONTH_NUMBERS if name != 'May')})\b|(?:(?<=\bin )|(?<=\bof )|(?<=\bthe ))May\b"
)
_OF_TIME = (AnswerType.TIME, AnswerType.YEAR)
_REPLY = re.compile(r"(?:not yet|no|yes|never|nein|ja|noch nicht|nie)\b\W*$", re.IGNORECASE)
_REVERSES = re.compile(
    r"(?:no(?=,)|correction|but|however|except|unless|not|(?:it|they|this|that) (?:does|do|did|is|are|was|were) not|"
    r"nein(?=,)|aber|jedoch|allerdings|ausgenommen|nicht|(?:dies|das) gilt nicht)\b",
    re.IGNORECASE,
)
_SMALL_NUMBERS = frozenset(stems(" ".join(map(str, range(1, 11)))))  # they are written out as stems
_SHAPES = {SentenceShape.PROSE: 1.0, SentenceShape.ROW: 0.9, SentenceShape.CODE: 0.7, SentenceShape.HEADING: 0.5}


@dataclass(frozen=True, slots=True)
class RankedSentence:
    """A candidate with its score; `covered` is the weighted share of the question's words in and around it."""

    candidate: CandidateSentence
    score: float
    covered: float
    own: float  # the share in the sentence itself
    led: bool = False  # it answers only together with the previous sentence

    @property
    def quoted_before(self) -> str:
        """The previous sentence if it is quoted, too: this one refers back by “he” or “it”, or was led to.

        So is a short reply (“Not yet.”), which this one goes on from.
        """
        own = self.candidate
        is_short = len(own.before) + len(own.text) < MAX_QUOTE
        leans = own.leans or self.led or _REPLY.search(own.before.rpartition("?")[2].strip()[:MAX_REPLY])
        return own.before if own.before_line and is_short and leans else ""

    @property
    def quoted_after(self) -> str:
        """The next sentence if it is quoted, too: the reply to a question, or what restricts this one (“But …”)."""
        own = self.candidate
        is_short = len(own.text) + len(own.after) < MAX_QUOTE
        belongs = own.text.endswith("?") or _REVERSES.match(STAMP.sub("", own.after))
        return own.after if own.after_line and is_short and belongs else ""


def certain(candidate: CandidateSentence) -> RankedSentence:
    """Return a sentence that answers by its place in a document, not by its words."""
    return RankedSentence(candidate, 1.0, 1.0, 1.0)


def rank(question: AnalysedQuestion, candidates: Sequence[CandidateSentence]) -> list[RankedSentence]:
    """Return the candidates, the most likely answer first; a stable sort."""
    weights = weights_of(question, candidates)
    in_force = _in_force(question, candidates)
    scored = [_score(question, candidate, weights, in_force) for candidate in candidates]
    ranked = _of_section(question, _of_day(question, scored))
    return sorted(ranked, key=lambda found: -found.score)


def _of_day(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> Sequence[RankedSentence]:
    """Return the sentences, those of entries and documents of other months than one that is asked for with less score.

    Unchanged if none of a month that is asked for has much of the question.
    """
    asked = _months(question.text)
    own = [_months(one.candidate.entry or one.candidate.dated) if asked else asked for one in ranked]
    if not any(asked & months and one.covered >= MIN_OF_DAY for one, months in zip(ranked, own, strict=True)):
        return ranked
    return [
        replace(one, score=one.score * OTHER_DAY)
        if months and not months & asked and not asked & _months(one.candidate.text)
        else one
        for one, months in zip(ranked, own, strict=True)
    ]


def _of_section(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> Sequence[RankedSentence]:
    """Return the sentences; if a heading has a name of the question, those under others with less score.

    Breakfast in Ghent is no breakfast in Bruges. Sentences that have or stand beside a name keep their score.
    """
    names = frozenset(stem for name in question.names for stem in stems(name))
    held = [names.intersection(stems(one.candidate.under)) if names else names for one in ranked]
    titles = {
        one.candidate.title for one, named in zip(ranked, held, strict=True) if named and one.covered >= MIN_OF_DAY
    }
    return [
        one
        if named or one.candidate.title not in titles or names & one.candidate.around or _is_titled(one.candidate)
        else replace(one, score=one.score * OTHER_DAY)
        for one, named in zip(ranked, held, strict=True)
    ]


def _is_titled(candidate: CandidateSentence) -> bool:
    """Return whether no heading but the title of the document stands above a sentence."""
    return candidate.under in candidate.title


@lru_cache(maxsize=1 << 12)
def _months(text: str) -> frozenset[int]:
    """Return the months that a text names, alone (“the October meeting”) or in a date."""
    dated = {day.month for each in mentions(text) for day in each.days if day.month}
    return frozenset(dated.union(map(_MONTH_NUMBERS.__getitem__, _MONTH.findall(text))))


def weights_of(question: AnalysedQuestion, candidates: Sequence[CandidateSentence]) -> dict[str, float]:
    """Return the idf weight of each word of the question among the candidates; they sum to 1."""
    frequency = Counter(word for candidate in candidates for word in candidate.stems)
    named = {word for name in question.names for word in stems(name)}
    raw = {
        word: math.log(1 + (len(candidates) + 1) / (frequency[word] + 0.5))
        * (NAMED if word in named else 1.0)
        * (HEAD if word in question.head else 1.0)
        * (PRICE if word in ANY_PRICE and question.asks is AnswerType.MONEY else 1.0)
        for word in question.stems
    }
    total = sum(raw.values()) or 1.0
    return {word: weight / total for word, weight in raw.items()}


def _in_force(question: AnalysedQuestion, candidates: Sequence[CandidateSentence]) -> dict[str, bool]:
    """Return whether what sentences say of an amount holds at the time asked for; only of those that name a period.

    Of two sentences of a document that hold since a day, the one with the later day does.
    """
    asked = asked_period(question.text) if question.asks in _VARYING else None
    if asked is None:
        return {}
    dated = [(each, holding_since(each.text, asked)) for each in candidates if periods(each.text)]
    latest: dict[str, Date] = {}
    for each, since in dated:
        if since and has_type(question.asks, each.text, question.text):
            latest[each.title] = max(since, latest.get(each.title, since))
    return {each.text: since is not None and since == latest.get(each.title, since) for each, since in dated}


def _score(
    question: AnalysedQuestion, candidate: CandidateSentence, weights: dict[str, float], in_force: Mapping[str, bool]
) -> RankedSentence:
    holds = in_force.get(candidate.text)
    own = _share(candidate.stems.union(question.numbers if holds else ()), weights)
    led = _is_led(question, candidate, weights)
    if led:
        own = max(own, LED * _share(candidate.stems.union(stems(candidate.before)), weights))
    near = max(_share(candidate.around, weights), own)
    dated = stems(candidate.dated) if asked_period(question.text) else ()
    everything = max(_share(candidate.around.union(candidate.place_words, dated), weights), near)
    table = candidate.shape is SentenceShape.ROW and question.asks is AnswerType.MONEY  # the currency is in its header
    text = candidate.told if question.asks in _OF_TIME else candidate.text
    sign = float(has_type(AnswerType.AMOUNT if table else question.asks, text, question.text))
    score = (
        OWN * own
        + NEAR * (near - own)
        + TITLE * (everything - near)
        + PAIRS * _pairs(question, candidate)
        + SIGN * sign
        + FOCUS * candidate.focus
        + DOER * (question.asks is AnswerType.PERSON and candidate.names_doer(question.stems))
        + COVER * everything**2
        + CONTEXT * _context(question, candidate)
        + RANK / (1 + candidate.place)
    )
    factor = _factor(question, candidate)
    if question.asks in COUNTED and not sign:
        factor *= NO_PRICE if question.asks is AnswerType.MONEY else NO_NUMBER
    if holds is False:
        factor *= NOT_IN_FORCE
    return RankedSentence(candidate, score * factor, everything, own, led)


def _share(held: frozenset[str], weights: dict[str, float]) -> float:
    return sum(weight for word, weight in weights.items() if word in held)


def _is_led(question: AnalysedQuestion, candidate: CandidateSentence, weights: dict[str, float]) -> bool:
    """Return whether the previous sentence asks the question, or has its words and adds nothing."""
    before = frozenset(stems(candidate.before))
    if candidate.shape is SentenceShape.CODE:  # its lines do not introduce each other
        return False
    if not candidate.before_line and not candidate.before.endswith(("?", ":")):  # the item of a list before it
        return False
    if _share(before, weights) < LEAD_IN:
        return False
    return "? " in f"{candidate.before} " or _new_words(question, before) < 2


def _is_short_answer(question: AnalysedQuestion, candidate: CandidateSentence) -> bool:
    """Return whether one new word may be the answer: “Place of work is Bern”, `required_keys = ("path",)`."""
    if question.asks in (AnswerType.PLACE, AnswerType.PERSON):
        asked = question.text.lower()
        label = candidate.text.partition(":")[0] if candidate.is_label else ""
        return (set(stems(label)) <= set(question.stems) and bool(label)) or any(
            word.lower() not in asked for word in _NAME.findall(candidate.text)
        )
    return candidate.shape is SentenceShape.CODE and "=" in candidate.text


def _context(question: AnalysedQuestion, candidate: CandidateSentence) -> float:
    """Return the share of the question's context words in or around the sentence."""
    context = frozenset(stems(" ".join(question.context))) - frozenset(question.stems)
    return len(context & (candidate.around | candidate.place_words)) / len(context) if context else 0.0


def _pairs(question: AnalysedQuestion, candidate: CandidateSentence) -> float:
    """Return the share of the question's adjacent word pairs that the sentence has; a reversed pair counts half."""
    pairs = list(zip(question.stems, question.stems[1:], strict=False))
    if not pairs:
        return 0.0
    positions = {word: index for index, word in enumerate(candidate.order)}
    steps = [positions[b] - positions[a] for a, b in pairs if a in positions and b in positions]
    return sum(1.0 if 0 < step <= 2 else 0.5 for step in steps if abs(step) <= 2) / len(pairs)


def _new_words(question: AnalysedQuestion, words: frozenset[str]) -> int:
    """Count the words that the question does not have; a number counts twice, as it may be the whole answer."""
    return sum(2 if word[0].isdigit() or word in _SMALL_NUMBERS else 1 for word in words - set(question.stems))


def _factor(question: AnalysedQuestion, candidate: CandidateSentence) -> float:
    """Return a factor below 1 for unlikely answers: headings, questions, sentences without new words."""
    factor = _SHAPES[candidate.shape]
    if candidate.text.rstrip().endswith("?"):
        factor *= 0.5
    dated = frozenset(stems(candidate.entry)) if question.asks in _OF_TIME else frozenset[str]()
    new = _new_words(question, candidate.stems | dated)
    short = new < 2 and not candidate.items and question.asks is not AnswerType.YES_NO
    if short and not (new and _is_short_answer(question, candidate)):
        factor *= 0.5
    if candidate.leans:
        factor *= 0.93
    if len(candidate.text) > 700:
        factor *= 0.8
    if _YEARLY.search(question.text) and not _QUARTERLY.search(question.text):
        factor *= OTHER_PERIOD if _QUARTERLY.search(f"{candidate.under} {candidate.columns} {candidate.text}") else 1.0
    return factor * (RATE if _has_rate_only(question.text, candidate.text) else 1.0)


def _has_rate_only(question: str, text: str) -> bool:
    """Return whether the unit that is asked for stands only behind “per”."""
    asked = _ASKED_UNIT.search(question)
    unit = re.escape(asked[1]) if asked else ""
    return bool(unit and re.search(rf"\b(?:per|je|pro) {unit}", text) and not re.search(rf"\d\s{unit}", text))


def own_words_first(question: AnalysedQuestion, ranked: Sequence[RankedSentence]) -> Sequence[RankedSentence]:
    """Return the sentences, one with words of the question before a best one without any.

    That is its neighbour which has all and answers, else one nearly as good, unless only the best one has the type of
    the answer: the title alone has too many others.
    """
    best = ranked[0]
    if best.own:
        return ranked
    beside = (one for one in ranked if one.candidate.text in (best.candidate.before, best.candidate.after))
    told = (one for one in beside if one.own >= ALL_OWN and has_type(question.asks, one.candidate.text, question.text))
    least = MIN_NEAR_BEST * best.score
    typed = question.asks is not AnswerType.ANYTHING and has_type(question.asks, best.candidate.text, question.text)
    near = (
        one
        for one in ranked[:NEAR_BEST]
        if one.own and one.score >= least
        if not typed or has_type(question.asks, one.candidate.text, question.text)
    )
    first = next(chain(told, near), None)
    return ranked if first is None else [first, *(one for one in ranked if one is not first)]
