"""Comparisons of two named things: one sentence a side, and what follows from a country or a year in both."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.evidence_chain import EvidencePair
from desktop_rag.agent.extractive.names_in_text import origins, padded, title_words
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.sentence_ranking import RankedSentence

_COMPARES = re.compile(
    r"\b(?:both|same|share|common|or|either|than|compare\w*|differ\w*|vergleiche?n?|unterschied\w*)\b", re.IGNORECASE
)
_SAME_ORIGIN = re.compile(r"\b(?:same|share|both)\b.*\b(?:countr(?:y|ies)|nationalit(?:y|ies))\b", re.IGNORECASE)
_EARLIER = re.compile(r"\b(?:first|earlier|earliest|older|oldest|before)\b", re.IGNORECASE)
_LATER = re.compile(r"\b(?:later|latest|younger|youngest|more recent(?:ly)?|most recent(?:ly)?|newer)\b", re.IGNORECASE)
_DIED = re.compile(r"\b(?:died|dies?|death)\b", re.IGNORECASE)
_BORN = re.compile(r"\b(?:born|birth|older|oldest|younger|youngest)\b", re.IGNORECASE)
_ROLE = re.compile(r"\b(?:director|performer|composer|author|founder|writer|singer|creator)s?\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d.,])(?:1[0-9]|20)\d\d(?![\d.,]\d)(?!\d)")
_LIFESPAN = re.compile(r"\(([^()]*\d{3,4})\s?[–-]\s?([^()]*\d{3,4}[^()]*)\)")
_OF_DOCUMENTS = re.compile(r"\b(?:compare\w*|differ\w*|vergleiche?n?|unterschied\w*)\b", re.IGNORECASE)
_SIDES = 2
MAX_DOCUMENTS = 3
MIN_SHARE = 0.6  # of the best score, for the sentence of a document from which the others are found


@dataclass(frozen=True, slots=True)
class Side:
    """One of the compared things: its name as asked, and the sentences about it, the last with the value."""

    name: str
    sentences: tuple[RankedSentence, ...]
    shown: str = ""  # the value as the sentence writes it
    value: str = ""


@dataclass(frozen=True, slots=True)
class SideComparison:
    """The sentences of both sides, and a lead-in with what follows from their values, if it does."""

    lead_in: str
    sentences: tuple[RankedSentence, ...]
    of_documents: bool = False  # it is asked to compare them, not which of them is more
    lacking: tuple[str, ...] = ()  # the names of the sides of which nothing was found


def compare_sides(
    question: AnalysedQuestion, ranked: Sequence[RankedSentence], pairs: Sequence[EvidencePair]
) -> SideComparison | None:
    """Return the comparison that a question asks for; None if it names no two passages that were read."""
    if not _COMPARES.search(question.text):
        return None
    of_documents = bool(_OF_DOCUMENTS.search(question.text))
    titles = _asked_titles(question.text, ranked)
    if len(titles) != _SIDES:
        return _by_document(ranked) if of_documents else None
    origin = bool(_SAME_ORIGIN.search(question.text))
    dated = bool(_EARLIER.search(question.text)) != bool(_LATER.search(question.text))
    sides = [_side(question, title, ranked, pairs, origin=origin, dated=dated) for title in titles]
    quoted = tuple(dict.fromkeys(sentence for side in sides for sentence in side.sentences))
    lead_in = ""
    if all(side.value for side in sides):
        lead_in = _same(sides) if origin else _first(question.text, sides) if dated else ""
    lacking = tuple(side.name for side in sides if not side.sentences)
    return SideComparison(lead_in, quoted, of_documents, lacking) if quoted else None


def _by_document(ranked: Sequence[RankedSentence]) -> SideComparison | None:
    """Return the same clause of the documents: of each the sentence most like those of the others; None of one."""
    documents: dict[tuple[str, str], list[RankedSentence]] = {}
    for one in ranked:
        if one.own and one.score >= MIN_SHARE * ranked[0].score:
            documents.setdefault(one.candidate.document, []).append(one)
    several = list(documents.values())[:MAX_DOCUMENTS]
    if len(several) < _SIDES:
        return None
    _, clause = max((_clause(first, several) for own in several for first in own), key=lambda each: each[0])
    return SideComparison("", tuple(sorted(clause, key=ranked.index)), of_documents=True)


def _clause(first: RankedSentence, documents: Sequence[Sequence[RankedSentence]]) -> tuple[float, list[RankedSentence]]:
    """Return a sentence with the one most like it of each other document, and how good and alike they are."""
    found, value = [first], first.score
    for other in documents:
        if first not in other:
            fit, best = max(((_alike(first, one) + one.score, one) for one in other), key=lambda each: each[0])
            found, value = [*found, best], value + fit
    return value, found


def _alike(one: RankedSentence, other: RankedSentence) -> float:
    """Return the share of the words of two sentences that both have."""
    return len(one.candidate.stems & other.candidate.stems) / max(len(one.candidate.stems | other.candidate.stems), 1)


def _asked_titles(question: str, ranked: Sequence[RankedSentence]) -> list[str]:
    """Return the titles of passages that the question names, in its order; of equal names the one it spells out."""
    asked = padded(question).lower()
    found: dict[tuple[int, int], str] = {}
    names = dict.fromkeys((one.candidate.title, name) for one in ranked for name in _names(one.candidate))
    for title, name in names:
        at = asked.find(f" {name} ") if name else -1
        if at >= 0:
            span = (at, at + len(name))
            if span not in found or padded(title).lower() in asked:
                found[span] = title
    inner = {one for one in found for other in found if one != other and other[0] <= one[0] and one[1] <= other[1]}
    return [found[span] for span in sorted(found.keys() - inner)]


def _names(candidate: CandidateSentence) -> tuple[str, str]:
    """Return how a question may call a document: by its title, or by its file without the suffix."""
    file = candidate.file.rpartition(".")[0].replace("_", " ")
    return " ".join(title_words(candidate.title)).lower(), padded(file).strip().lower()


def _side(
    question: AnalysedQuestion,
    title: str,
    ranked: Sequence[RankedSentence],
    pairs: Sequence[EvidencePair],
    *,
    origin: bool,
    dated: bool,
) -> Side:
    name = " ".join(title_words(title))
    own = [one for one in ranked if one.candidate.title == title and one.candidate.text not in title]
    if _ROLE.search(question.text):
        for pair in pairs:
            if pair.linked and pair.first.candidate.title == title and pair.features["beside the name"]:
                passage = [one for one in ranked if one.candidate.title == pair.second.candidate.title]
                sentence, shown, value = _valued(question.text, (pair.second, *passage), origin=origin, dated=dated)
                return Side(name, (pair.first, sentence), shown, value)
        return Side(name, tuple(own[:1]))
    if not own:
        return Side(name, ())
    leading = sorted(own, key=lambda one: (bool(one.candidate.before), -one.score))
    if not (origin or dated):
        asked = frozenset(question.stems).difference(stems(f"{title} {own[0].candidate.file}"))
        own = [one for one in own if asked & one.candidate.stems]
        if not own:
            return Side(name, ())
    wanted = own if not (origin or dated) else leading
    sentence, shown, value = _valued(question.text, wanted, origin=origin, dated=dated)
    return Side(name, (sentence,), shown, value)


def _valued(
    question: str, sentences: Sequence[RankedSentence], *, origin: bool, dated: bool
) -> tuple[RankedSentence, str, str]:
    """Return the first sentence with a value of the kind asked for, and the value; else the first one without."""
    for one in sentences:
        text = one.candidate.text
        if origin and (found := origins(text)):
            return one, found[0][0], str(found[0][1])
        if dated and (year := _year(question, text)):
            return one, year, year
    return sentences[0], "", ""


def _year(question: str, text: str) -> str:
    """Return the year of a sentence: of a birth or death if the question asks for it, else its only or first one."""
    span = _LIFESPAN.search(text)
    if _DIED.search(question):
        found = _YEAR.search(span[2] if span else text) if span or _DIED.search(text) else None
        return found[0] if found else ""
    if _BORN.search(question):
        if span and (found := _YEAR.search(span[1])):
            return found[0]
        born = re.search(r"\bborn\b", text, re.IGNORECASE)
        found = _YEAR.search(text, born.end()) if born else None
        return found[0] if found else ""
    found = _YEAR.search(text)
    return found[0] if found else ""


def _same(sides: Sequence[Side]) -> str:
    one, other = sides
    answer = "Yes" if one.value == other.value else "No"
    return f"{answer}, going by “{one.shown}” and “{other.shown}”:"


def _first(question: str, sides: Sequence[Side]) -> str:
    one, other = sides
    if one.value == other.value:
        return ""
    earlier = one if int(one.value) < int(other.value) else other
    chosen = earlier if _EARLIER.search(question) else (other if earlier is one else one)
    return f"{chosen.name}, going by {one.shown} and {other.shown}:"
